"""Somebody who is rude is muted, blocked and reported."""

from __future__ import annotations

from tests.browser.visitor import PHONE


def test_a_rude_person_is_muted_blocked_and_reported(visit, axe):
    anna, bela = visit(), visit(viewport=PHONE)
    bela.arrive("Bela")
    table = anna.found("targi", "me", "open")
    assert bela.page.request.post(f"/api/tables/{table}/seats", data={}).ok
    assert bela.page.request.post(f"/api/tables/{table}/chat", data={"text": "Something rude"}).ok
    anna.page.get_by_role("tab", name="Talk").click()
    anna.page.get_by_text("Something rude").wait_for()
    anna.button("People").click()
    dialog = anna.page.get_by_role("dialog")
    dialog.get_by_text("Hide what Bela says").click()
    dialog.get_by_text("Never play with Bela again").click()
    dialog.get_by_role("button", name="Report Bela").click()
    dialog.get_by_label("What happened").fill("Look at the chat")
    anna.has_no_barriers(axe)
    dialog.get_by_role("button", name="Send to the operator").click()
    anna.page.get_by_text("The operator of this server will see it.").wait_for()
    anna.page.keyboard.press("Escape")
    anna.page.get_by_text("Something rude").wait_for(state="detached")
    anna.page.reload()
    anna.page.get_by_role("tab", name="Talk").click()
    anna.button("People").wait_for()
    assert anna.page.get_by_text("Something rude").count() == 0
    open_table = anna.page.request.post(
        "/api/tables", data={"game": "targi", "seats": [{"kind": "me"}, {"kind": "open"}], "public": True}
    ).json()["id"]
    assert bela.page.request.post(f"/api/tables/{open_table}/seats", data={}).status == 403
