"""Blocking, muting, reporting."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from azalai.engine.errors import AzalaiError
from azalai.server import lobby
from azalai.server.admin import Admin
from tests.server.running import Guest
from tests.server.test_lobby import friend, invite, invites, lacks, play_together, shows


def block(guest: Guest, table: Any, seat: int, blocked: bool = True, muted: bool = False) -> None:
    guest.ask("PUT", f"/tables/{table['id']}/people/{seat}", 204, json={"blocked": blocked, "muted": muted})


def test_whoever_is_blocked_cannot_join_ones_tables_or_see_them(anna, bela, monkeypatch):
    monkeypatch.setattr(lobby, "INTERVAL", 0.3)
    block(anna, play_together(anna, bela), 1)
    with bela.lobby() as page:
        page.next("open")
        table = anna.found("targui", "me", "open", public=True)
        assert bela.act(table, "seats", status=403)["error"] == "blocked"
        own = bela.found("targui", "me", "open", public=True)
        page.until("own", shows(own))
        assert lacks(table)(page.next("open"))
    assert anna.act(own, "seats", status=403)["error"] == "blocked"


def test_whoever_is_blocked_cannot_invite_and_is_not_seated_with_one(anna, bela):
    block(anna, play_together(anna, bela), 1)
    seats = [{"kind": "me"}, {"kind": "friend", "person": friend(bela, "Anna")}]
    assert bela.post("/tables", {"game": "targi", "seats": seats}, 403)["error"] == "blocked"
    assert anna.post("/seek", {"game": "targi"})["id"] != bela.post("/seek", {"game": "targi"})["id"]


def test_an_invitation_to_play_again_by_somebody_blocked_is_not_shown(anna, bela):
    table = play_together(anna, bela)
    block(anna, table, 1)
    bela.act(table, "rematch")
    assert anna.get("/tables", list="invitations")["tables"] == []
    block(anna, table, 1, blocked=False)
    assert len(anna.get("/tables", list="invitations")["tables"]) == 1


def test_a_block_can_be_taken_back_from_the_list_of_people(anna, bela):
    block(anna, play_together(anna, bela), 1, muted=True)
    known = anna.get("/people")["people"][0]
    assert (known["name"], known["blocked"], known["muted"]) == ("Bela", True, True)
    anna.ask("PUT", f"/people/{known['person']}", 204, json={"blocked": False, "muted": False})
    with bela.lobby() as page:
        page.until("own", invites(invite(anna, "Bela")))


def test_a_running_game_goes_on_when_one_blocks_the_other(anna, bela):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    block(anna, table, 1)
    assert anna.get(f"/tables/{table['id']}/people")["people"] == [{"seat": 1, "name": "Bela", "blocked": True, "muted": False}]
    assert bela.get(f"/tables/{table['id']}/people")["people"][0]["blocked"] is False  # nobody is told
    bela.ask("DELETE", f"/tables/{table['id']}/seats/1")
    bela.act(table, "seats", {"seat": 1})  # a seat of one's own can be taken again


def test_only_people_at_ones_own_table_can_be_reported_or_blocked(anna, bela, guest):
    table = play_together(anna, bela)
    stranger = guest()
    stranger.ask("PUT", f"/tables/{table['id']}/people/0", 403, json={"blocked": True, "muted": False})
    anna.ask("PUT", f"/tables/{table['id']}/people/0", 404, json={"blocked": True, "muted": False})
    stranger.post(f"/tables/{table['id']}/people/0/report", {"reason": "chat"}, 403)


def test_the_operator_sees_a_report_with_what_was_said_until_it_is_settled(server, anna, bela):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    bela.act(table, "chat", {"text": "Something rude"})
    anna.post(f"/tables/{table['id']}/people/1/report", {"reason": "chat", "text": "Look at this"}, 204)

    async def look() -> None:
        async with Admin(server.app.state.server.settings.database) as admin:
            told = next(one for one in await admin.reports() if one["table_id"] == table["id"])
            assert (told["name"], told["reason"], told["text"], told["said"]) == (
                "Bela", "chat", "Look at this", ["Something rude"],
            )  # fmt: skip
            assert told["guest"] in [one["id"] for one in await admin.guests("Bela", table["id"])]
            await admin.settle(told["id"])
            assert told["id"] not in [one["id"] for one in await admin.reports()]
            assert told["id"] in [one["id"] for one in await admin.reports(settled=True)]
            with pytest.raises(AzalaiError):
                await admin.settle("none")
            await admin.delete_guest(told["guest"])
            assert told["id"] not in [one["id"] for one in await admin.reports(settled=True)]

    asyncio.run(look())
