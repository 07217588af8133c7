"""Whether the server can serve."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from azalai.server.schemas.examples import example


class Health(BaseModel):
    """Whether the server can serve."""

    model_config = example("Health")

    status: Literal["ok", "unavailable"]
    version: str
    games: dict[str, bool]
