"""Azalai against its peers: random decisions a second, as ratios within one run. `python -m benchmarks`."""

import os

os.environ.setdefault("AZALAI_COMPILE", "wait")  # what is measured is compiled
