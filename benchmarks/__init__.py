"""Azalai against its peers: random decisions a second, as ratios within one run. `python -m benchmarks`."""
