"""Error responses."""

from __future__ import annotations

from pydantic import BaseModel

from azalai.server.schemas.examples import example


class Problem(BaseModel):
    """An error: a code for programs and a sentence for people."""

    model_config = example("Problem")

    error: str
    message: str
