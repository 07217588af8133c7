"""Sitting down, standing up, handing over, and being replaced."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from tests.server.running import until


def test_the_game_begins_when_the_last_seat_is_taken(anna, bela):
    table = anna.found("targui", "me", "open")
    assert table["status"] == "waiting"
    assert table["view"] is None
    assert [seat["kind"] for seat in table["seats"]] == ["human", "open"]
    begun = bela.act(table, "seats")
    assert begun["status"] == "playing"
    assert [seat["name"] for seat in begun["seats"]] == ["Anna", "Bela"]
    assert [seat["mine"] for seat in begun["seats"]] == [False, True]


def test_a_table_that_waits_begins_when_told_with_bots_or_without(anna, bela):
    table = anna.found("targui", "me", "open", "open", wait=True)
    bela.act(table, "seats", {"seat": 2})
    assert anna.look(table)["status"] == "waiting"
    begun = anna.act(table, "start")
    assert begun["status"] == "playing"
    assert [seat["name"] for seat in begun["seats"]] == ["Anna", "Bela"]
    other = anna.found("targui", "me", "open", "open", wait=True)
    assert bela.act(other, "start", status=403)["error"] == "not_seated"
    assert anna.act(other, "start", status=422)["error"] == "bad_seats"
    begun = anna.act(other, "start", {"bot": "random"})
    assert [seat["kind"] for seat in begun["seats"]] == ["human", "bot", "bot"]
    assert anna.act(other, "start", status=409)["error"] == "started"


def test_a_seat_can_be_left_and_taken_by_another(anna, bela, guest):
    table = anna.found("targui", "me", "open", "open")
    assert bela.act(table, "seats", {"seat": 1})["seats"][1]["mine"]
    assert guest().act(table, "seats", {"seat": 1}, 409)["error"] == "taken"
    assert bela.ask("DELETE", f"/tables/{table['id']}/seats/0", 403)["error"] == "not_your_seat"
    assert bela.ask("DELETE", f"/tables/{table['id']}/seats/1")["seats"][1]["kind"] == "open"
    assert guest().act(table, "seats", {"seat": 1})["seats"][1]["mine"]


def test_a_running_game_waits_for_who_left_or_a_bot_put_in_their_place(anna, bela):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    bela.ask("DELETE", f"/tables/{table['id']}/seats/1")
    anna.play(anna.look(table))
    assert anna.look(table)["pending"] == [1]
    anna.post(f"/tables/{table['id']}/seats/1/bot", {"bot": "greedy"})
    until(lambda: anna.look(table)["pending"] == [0])


def test_an_absent_player_can_be_replaced_and_come_back(anna, bela):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    anna.play(anna.look(table))
    with bela.live(table) as socket:
        socket.table()
        answer = anna.post(f"/tables/{table['id']}/seats/1/bot", {"bot": "greedy"}, 409)
        assert answer["error"] == "not_abandoned"
    until(lambda: anna.look(table)["seats"][1]["claimable"])
    replaced = anna.post(f"/tables/{table['id']}/seats/1/bot", {"bot": "greedy"})
    assert (replaced["seats"][1]["kind"], replaced["seats"][1]["name"]) == ("bot", "Bela")
    until(lambda: anna.look(table)["pending"] == [0])
    assert bela.look(table)["seat"] == 1
    back = bela.act(table, "seats")
    assert back["seats"][1]["kind"] == "human"
    assert back["seats"][1]["mine"]


def test_a_seat_is_handed_over_by_a_link_once(anna, bela, guest):
    table = anna.found("targui", "me", "greedy")
    link = anna.post(f"/tables/{table['id']}/seats/0/link")
    assert bela.post(f"/tables/{table['id']}/seats/1/link", status=403)["error"] in ("not_seated", "not_your_seat")
    taken = bela.act(table, "seats", {"code": link["code"]})
    assert taken["seats"][0]["mine"]
    assert taken["moves"]
    assert anna.look(table)["moves"] == []
    assert guest().act(table, "seats", {"code": link["code"]}, 409)["error"] == "stale_link"
    assert guest().act(table, "seats", {"code": "nonsense"}, 404)["error"] == "bad_link"


def test_computer_players_can_be_sent_away_before_the_game_begins(anna, bela):
    table = anna.found("targui", "me", "greedy", "open")
    assert bela.ask("DELETE", f"/tables/{table['id']}/seats/1", 403)["error"] == "not_seated"
    assert anna.ask("DELETE", f"/tables/{table['id']}/seats/1")["seats"][1]["kind"] == "open"


def test_one_guest_can_hold_all_seats_and_look_with_the_eyes_of_each(anna):
    table = anna.found("timbuktu", "me", "me", "me")
    for _ in range(200):
        table = anna.look(table)
        assert table["seat"] == table["pending"][0]
        views = [anna.look(table, seat=seat)["view"] for seat in range(3)]
        if views[0] != views[1] != views[2]:
            break
        anna.play(table, seat=table["seat"])
    else:
        raise AssertionError("every seat sees the same")


def test_lists_show_open_running_own_and_finished_tables(anna, bela):
    table = anna.found("targui", "me", "open", public=True)
    assert table["id"] in [one["id"] for one in bela.get("/tables", list="public", game="targui")["tables"]]
    assert bela.get("/tables", list="mine")["tables"] == []
    begun = bela.act(table, "seats")
    assert table["id"] not in [one["id"] for one in bela.get("/tables", list="public")["tables"]]
    assert table["id"] in [one["id"] for one in bela.get("/tables", list="watch")["tables"]]
    mine = anna.get("/tables", list="mine")["tables"]
    assert mine[0]["your_turn"]
    assert mine[0]["seats"][0].items() >= {"kind": "human", "name": "Anna", "bot": None, "mine": True}.items()
    assert not bela.get("/tables", list="mine")["tables"][0]["your_turn"]
    anna.act(begun, "resign")
    assert [one["id"] for one in anna.get("/tables", list="finished")["tables"]] == [table["id"]]
    private = [anna.found("targui", "me", "open")["id"] for _ in range(3)]
    first = anna.get("/tables", list="mine", limit=2)
    second = anna.get("/tables", list="mine", limit=2, before=first["next"])
    assert [one["id"] for one in first["tables"] + second["tables"]] == private[::-1]
    assert not set(private) & {one["id"] for one in bela.get("/tables", list="public")["tables"]}


def test_a_rematch_is_one_table_for_all_who_ask_at_once(anna, bela):
    for _ in range(4):
        table = anna.found("targui", "me", "open")
        bela.act(table, "seats")
        anna.act(table, "resign")
        with ThreadPoolExecutor(6) as pool:
            answers = list(pool.map(lambda who, over=table: who.act(over, "rematch"), [anna, bela] * 3))
        assert len({answer["id"] for answer in answers}) == 1


def test_a_rematch_is_one_table_for_all_who_ask(anna, bela):
    table = anna.found("targui", "me", "open")
    bela.act(table, "seats")
    assert anna.act(table, "rematch", status=409)["error"] == "not_over"
    with bela.live(table) as socket:
        anna.act(table, "resign")
        again = anna.act(table, "rematch")["id"]
        assert socket.table(lambda one: one["rematch"])["rematch"] == again
    assert bela.act(table, "rematch")["id"] == again
    assert anna.look({"id": again})["status"] == "waiting"
    assert bela.act({"id": again}, "seats")["status"] == "playing"


def test_play_goes_on_from_a_moment_of_a_finished_game(anna):
    table = begun = anna.found("targui", "me", "random")
    for _ in range(3):
        anna.play(until(lambda: (one := anna.look(begun))["moves"] and one))
    over = anna.act(table, "resign")
    moments = [anna.get(f"/tables/{table['id']}/plies/{ply}", seat=0) for ply in range(1, over["ply"])]
    moment = next(one for one in moments if one["pending"] == [0])  # else the computer player goes on at once
    branch = anna.found("targui", "me", "random", origin={"table": table["id"], "ply": moment["ply"]})
    assert branch["ply"] == moment["ply"]
    assert branch["view"] == moment["view"]
    assert (
        anna.found("targui", "me", "random", "random", origin={"table": table["id"], "ply": 2}, status=422)["error"]
        == "bad_origin"
    )
    assert anna.found("targui", "me", "random", origin={"table": branch["id"], "ply": 1}, status=409)["error"] == "not_over"
    assert (
        anna.found("targui", "me", "random", origin={"table": table["id"], "ply": over["ply"] + 1}, status=422)["error"]
        == "bad_origin"
    )
