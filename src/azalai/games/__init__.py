"""The games that come with the package: one folder each. `engine/discovery.py` finds them, and those of other packages."""
