"""House rules: the founder of a table chooses a file with changed components, and everybody sees what is different."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import FilePayload, expect

from tests.browser.test_together import play_together
from tests.browser.visitor import Visitor

FILES = {
    "tuareg": b"[goods.water]\npoints = 9\n",
    "targi": b"[start]\ndates = 3\n\n[trader]\nfor_gold = 2\n",
}
CHANGED = {
    "tuareg": ["Goods › water › points", "6 →becomes 9"],
    "targi": ["Start › dates", "2 →becomes 3", "Trader › for gold", "3 →becomes 2"],
}


def begin(visitor: Visitor, game: str, door: str, content: bytes) -> None:
    """Fill the dialog of a new table for two, with a file of changed components."""
    visitor.page.goto("/")
    visitor.card(game).get_by_role("button", name=door).click()
    dialog = visitor.page.get_by_role("dialog")
    if game != "targi":
        dialog.get_by_text("2", exact=True).click()
    dialog.get_by_text("House rules", exact=True).click()
    file: FilePayload = {"name": "mine.toml", "mimeType": "application/toml", "buffer": content}
    dialog.get_by_label("File of components (TOML)").set_input_files(files=[file])

    expect(visitor.page.get_by_text("mine.toml")).to_be_visible()
    visitor.button("Set up the table").click()


@pytest.mark.parametrize("game", FILES)
def test_two_people_play_with_house_rules_and_both_see_what_is_different(visit: Any, game: str) -> None:
    first, second = visit(seed=1), visit(seed=2)
    begin(first, game, "With friends", FILES[game])
    box = first.page.get_by_role("region", name="House rules")
    for text in CHANGED[game]:
        expect(box).to_contain_text(text)
    link = first.page.get_by_label("Link to this table").input_value()
    second.page.goto(link)
    expect(second.page.get_by_role("region", name="House rules")).to_contain_text(CHANGED[game][0])
    second.button("Sit down here").first.click()
    play_together([first, second], 4)
    for one in (first, second):
        note = one.page.get_by_role("note").filter(has_text="House rules")
        expect(note).to_be_visible()
        note.get_by_role("button").click()
        for text in CHANGED[game]:
            expect(one.page.get_by_role("dialog")).to_contain_text(text)
        one.page.keyboard.press("Escape")


def test_a_file_with_a_mistake_is_refused_in_words_and_the_dialog_stays(visit: Any) -> None:
    visitor = visit()
    begin(visitor, "tuareg", "On one device", b"[goods.beer]\npoints = 9\n")
    refusal = visitor.page.get_by_role("dialog").get_by_text("there is no component goods.beer")
    expect(refusal).to_be_in_viewport()
    visitor.problems.clear()  # the browser says of every request that it failed
    visitor.button("Play without it").click()
    visitor.button("Set up the table").click()
    visitor.page.wait_for_url("**/table/*")
