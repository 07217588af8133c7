"""Tables on a server: people and computer players meet at a game over HTTP and WebSockets.

A table is a journal: every decision, seat taken, undo and chat line is one entry, numbered without gaps. `table.py` folds it into
the table as it stands, `acts.py` decides what may be added to it, `house.py` commits that and tells everybody, and `show.py` is
the one door through which anything about a game leaves the server.
"""
