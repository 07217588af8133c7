"""The wells, by name."""

from azalai.engine.moves import names

WELL = names("well", "north", "south")
