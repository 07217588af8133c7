"""What is generated from the API's schemas and the games' records is as they say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import TypeAdapter

import azalai
from azalai.engine.discovery import installed
from azalai.server.schemas import responses, tournaments
from tools import generate


@pytest.mark.skipif(not (generate.WEB / "node_modules").exists(), reason="the page's packages are not installed: npm ci in web")
def test_types_of_the_page_and_the_reference_follow_from_the_schemas():
    stale = [path.name for path, text in generate.generate().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run python -m tools.generate"


@pytest.mark.parametrize("name", installed())
def test_a_view_has_exactly_the_fields_and_notes_its_description_has(name):
    position = azalai.game(name).new(seed=1)
    for _ in range(20):
        position.play(position.moves()[0])
    schemas = generate.views(azalai.game(name))["components"]["schemas"]
    fits({"$ref": "#/components/schemas/View"}, json.loads(json.dumps(position.view(0))), schemas, "view")


def fits(schema: Any, value: Any, schemas: Any, where: str) -> None:
    """Check a value against a schema of the generator."""
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rsplit("/", 1)[1]]
    if "anyOf" in schema:
        types = {one["type"] for one in schema["anyOf"]}
        assert (value is None and "null" in types) or (value is not None and types - {"null"}), where
    elif "const" in schema or "enum" in schema:
        assert value in schema.get("enum", [schema.get("const")]), where
    elif schema.get("type") == "object":
        assert set(value) == set(schema["properties"]), where
        for key, one in value.items():
            fits(schema["properties"][key], one, schemas, f"{where}.{key}")
    elif schema.get("type") == "array":
        for one in value:
            fits(schema["items"], one, schemas, f"{where}[]")
    elif schema:
        kinds: Any = {"integer": int, "number": (int, float), "string": str, "boolean": bool}
        assert isinstance(value, kinds[schema["type"]]), where


@pytest.mark.parametrize("module", [responses, tournaments])
def test_examples_are_what_their_types_say(module):
    for name, example in module.EXAMPLES.items():
        kind = TypeAdapter(getattr(module, name))
        assert kind.dump_python(kind.validate_python(example), mode="json", by_alias=True, exclude_unset=True) == example, name


@pytest.mark.parametrize("name", installed())
@pytest.mark.parametrize("language", ["en", "de"])
def test_what_is_said_of_a_game_is_as_its_type_says(name, language):
    from azalai.server.catalog import game_details

    found = game_details(name, language)
    kind = TypeAdapter(responses.GameDetails)
    assert kind.dump_python(kind.validate_python(found), mode="json") == json.loads(json.dumps(found))
