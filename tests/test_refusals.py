"""Refusals of the server that a player can meet are said in the language of the page."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# Only programs meet these: the page never asks for such a thing, or has words of its own for it.
NOT_MET = {
    "bad_clock", "bad_keys", "bad_options", "bad_origin", "bad_request", "bad_token", "known_deal", "no_drawing", "no_mail",
    "no_such_bot", "no_such_feed", "no_such_job", "no_such_language", "no_such_move", "no_such_ply", "no_such_seat",
    "no_such_token", "no_such_zone", "no_table", "not_allowed", "not_reviewed", "old_rules", "old_rules_running", "open_seats",
}  # fmt: skip


def codes() -> set[str]:
    """The codes of all errors in the server's sources."""
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "src/azalai/server").rglob("*.py"))
    return set(re.findall(r'ApiError\(\s*\d+,\s*"(\w+)"', text)) | set(re.findall(r'__init__\(\d+, "(\w+)"', text))


def test_every_refusal_that_a_player_can_meet_has_words_in_both_languages():
    for language in ("en", "de"):
        words = tomllib.loads((ROOT / f"web/src/words/{language}.toml").read_text(encoding="utf-8"))["error"]
        assert codes() - NOT_MET - set(words) == set(), language
        assert set(words) - codes() == set(), language
