"""Tables on a server: people and computer players meet at a game over HTTP and WebSockets.

A table is an event-sourced journal: every decision, seat taken, undo and chat line is one entry, numbered without gaps.
`table.py` replays it, `commands.py` decides what may be added, `registry.py` commits and publishes changes, and `views.py`
renders what each viewer may see. Nothing about a game leaves the server except through `views.py`.
"""
