"""Examples of responses, for OpenAPI and the reference."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import ConfigDict

EXAMPLES: dict[str, Any] = json.loads((Path(__file__).parent / "examples.json").read_text(encoding="utf-8"))


def example(name: str) -> ConfigDict:
    """Return a response's configuration with its example from examples.json."""
    return ConfigDict(json_schema_extra={"examples": [EXAMPLES[name]]})
