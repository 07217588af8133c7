"""Programs for those who work on the games."""

import os

os.environ.setdefault("AZALAI_COMPILE", "wait")  # they play many games: compiled, whatever that takes
