"""Somebody who is rude is muted, blocked and reported."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.visitor import PHONE
from tests.server.running import until


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


def test_who_was_blocked_or_muted_is_listed_on_the_own_page_and_can_be_let_back(visit, axe):
    anna, bela = visit(viewport=PHONE), visit()
    anna.arrive("Anna")
    bela.arrive("Bela")
    table = anna.found("targi", "me", "open")
    assert bela.page.request.post(f"/api/tables/{table}/seats", data={}).ok
    wish = {"blocked": True, "muted": True}
    assert anna.page.request.put(f"/api/tables/{table}/people/1", data=wish).ok
    anna.page.goto("/player")
    panel = anna.page.get_by_role("region", name="Blocked and muted")
    expect(panel.get_by_label("Never play with Bela again")).to_be_checked()
    anna.has_no_barriers(axe)
    for name in ("Never play with Bela again", "Hide what Bela says"):
        panel.get_by_text(name).click()
    until(lambda: not any(one["blocked"] or one["muted"] for one in anna.page.request.get("/api/people").json()["people"]))
    anna.page.reload()
    expect(panel.get_by_text("You have blocked or muted nobody.")).to_be_visible()


def test_lines_of_muted_people_do_not_count_as_unread(visit):
    anna, bela, cleo = visit(viewport=PHONE), visit(), visit()
    for visitor, name in ((anna, "Anna"), (bela, "Bela"), (cleo, "Cleo")):
        visitor.arrive(name)
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    table = anna.page.request.post("/api/tables", data={"game": "timbuktu", "seats": seats}).json()["id"]
    for visitor in (bela, cleo):
        assert visitor.page.request.post(f"/api/tables/{table}/seats", data={}).ok
    assert anna.page.request.put(f"/api/tables/{table}/people/1", data={"blocked": False, "muted": True}).ok
    with anna.page.expect_response("**/people*"):
        anna.page.goto(f"/table/{table}")
    for visitor, text in ((bela, "not for you"), (cleo, "for everybody")):
        assert visitor.page.request.post(f"/api/tables/{table}/chat", data={"text": text}).ok
    anna.page.locator(".drawer .badge").wait_for()

    def heard(text: str) -> bool:
        anna.page.evaluate("1")  # lets messages in
        return any(text in str(message.get("chat")) for message in anna.received)

    until(lambda: heard("not for you") and heard("for everybody"))
    expect(anna.page.locator(".drawer .badge")).to_have_text("1")


def test_a_refusal_of_the_server_is_said_in_the_language_of_the_page(visit):
    anna = visit(locale="de-DE")
    anna.arrive("Anna")
    anna.page.goto("/player")
    anna.button("Ich habe einen Wiederherstellungscode").click()
    anna.page.get_by_label("Wiederherstellungscode").fill("7K2QX-09MRT-B4CZW-H8DJE")
    anna.page.keyboard.press("Enter")
    said = "Dieser Code stimmt nicht oder wurde schon benutzt."
    expect(anna.page.get_by_label("Wiederherstellungscode")).to_have_accessible_description(said)
    anna.problems.clear()  # the browser says of every refusal that it failed
