"""Reviews of games: every seat's chance to win at every moment, and what each decision gave away."""
