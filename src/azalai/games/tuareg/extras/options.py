"""Whether goods that were paid come back in the second stage."""

from __future__ import annotations

from azalai.engine.game import Option

from ..state import DISCARDS

OPTIONS = (Option("discards", DISCARDS),)
