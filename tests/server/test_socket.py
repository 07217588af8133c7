"""Sockets: everything is told, nothing twice, nothing lost."""

from __future__ import annotations

import json
import random
import time
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.server.running import Live, until


def merged(known, news):
    """What a page does with `from` and `events`."""
    return [event for event in known if event["ply"] <= news["from"]] + news["events"]


def two_at(anna, bela, game="targui"):
    table = anna.found(game, "me", "open")
    bela.act(table, "seats")
    return anna.look(table)


TEXT, REST, PART, PING = 0x81, 0x80, 0x01, 0x89  # first bytes of frames: a message, the end of one, its beginning, a ping


def frame(content: bytes, first: int = TEXT, mask: bytes = b"\x07\x11\x2a\x63") -> bytes:
    """A frame as a client sends it."""
    size = bytes((0x80 | len(content),)) if len(content) < 126 else b"\xfe" + len(content).to_bytes(2, "big")
    return bytes((first,)) + size + mask + bytes(byte ^ mask[place % 4] for place, byte in enumerate(content))


def asks(number: int, room: int = 0) -> bytes:
    """A message that is answered with its number."""
    return b'{"type":"ping",%b"id":%d}' % (b" " * room, number)


def in_disguise(content: bytes) -> list[bytes]:
    """The head of a frame, and what follows it looks like another whole frame."""
    whole = frame(content, mask=bytes((TEXT, 0x80 | (len(content) - 2), 0, 0)))
    return [whole[:2], whole[2:]]


def test_a_socket_sends_the_table_at_once_and_after_every_change(anna, bela):
    table = two_at(anna, bela)
    with anna.live(table) as mine, bela.live(table) as theirs:
        first = mine.table()
        assert first["seat"] == 0
        assert theirs.table()["seat"] == 1
        anna.play(table)
        news = theirs.table(lambda one: one["ply"] == 1)
        assert news["from"] == 0
        assert [event["ply"] for event in news["events"]] == [1]
        assert news["moves"]
        assert mine.table(lambda one: one["ply"] == 1)["moves"] == []


def test_moves_undo_and_chat_go_through_the_socket_too(anna, bela):
    table = two_at(anna, bela)
    with anna.live(table) as mine:
        seen = mine.table()
        done = mine.ask(type="play", ply=0, move=seen["moves"][0]["id"])
        assert done == {"type": "done", "id": "asked", "ply": 1, "version": seen["version"] + 1}
        assert mine.ask(type="undo")["ply"] == 0
        assert mine.ask(type="chat", text="Salam")["type"] == "done"
        assert mine.ask(type="ping")["type"] == "pong"
        assert mine.ask(type="take-back")["error"] == "no_undo"
        assert mine.ask(type="answer", agree=True)["error"] == "no_proposal"
        assert mine.ask(type="look")["type"] == "done"
        assert mine.ask(type="resign")["type"] == "done"
        assert mine.ask(type="play", ply=0, move=0)["error"] in ("not_seated", "over")
        assert mine.ask(type="dance")["error"] == "bad_request"
        mine.connection.send("no json")
        assert mine.next("error")["message"] == "a message is a JSON object"


def said(live: Live) -> Any:
    """The next message but of who is present, which on a slow machine changes at any time."""
    return until(lambda: None if (message := live.next())["type"] == "presence" else message)


def test_a_message_without_an_id_is_answered_only_where_it_fails(anna, bela):
    table = two_at(anna, bela)
    with anna.live(table) as mine:
        seen = mine.table()
        mine.next("presence")
        mine.send(type="play", ply=0, move=seen["moves"][0]["id"])
        mine.send(type="play", ply=0, move=10_000_000)
        assert [said(mine)["type"], said(mine)["error"]] == ["table", "no_such_move"]
        mine.send(type="look")
        mine.send(type="ping")
        assert [said(mine)["type"], said(mine)["type"]] == ["table", "pong"]


def test_viewers_who_may_know_the_same_are_shown_the_same_and_others_are_not(anna, bela):
    for game, same in (("targui", True), ("tuareg", False)):
        table = two_at(anna, bela, game)
        with anna.live(table) as mine, bela.live(table) as theirs:
            ply = mine.table()["ply"] + 1
            theirs.table()
            one = anna if anna.look(table)["moves"] else bela
            one.play(one.look(table))
            views = [socket.table(lambda seen, at=ply: seen["ply"] == at)["view"] for socket in (mine, theirs)]
            assert views == [player.look(table)["view"] for player in (anna, bela)]
            assert (views[0] == views[1]) == same


@pytest.mark.parametrize("seed", range(4))
def test_whoever_comes_back_after_an_interruption_has_neither_gap_nor_double(anna, bela, seed):
    chance = random.Random(seed)
    table = two_at(anna, bela)
    players = {0: anna, 1: bela}
    known: list[Any] = []
    ply, version = -1, None
    for _ in range(6):
        params = {"since": ply, **({} if version is None else {"version": version})}
        with bela.live(table, **params) as socket:
            seen = socket.table()
            known, ply, version = merged(known, seen), seen["ply"], seen["version"]
            for _ in range(chance.randrange(3)):
                now = anna.look(table)
                one = players[now["pending"][0]]
                one.play(one.look(table), seat=now["pending"][0])
                seen = socket.table(lambda one, at=now["ply"] + 1: one["ply"] == at)
                known, ply, version = merged(known, seen), seen["ply"], seen["version"]
        for _ in range(chance.randrange(4)):  # what happens while the socket is closed
            now = anna.look(table)
            one = players[now["pending"][0]]
            own = one.look(table)
            back = next((player for player in players.values() if player.look(table)["undo_to"] is not None), None)
            if back is not None and chance.random() < 0.4:
                back.act(table, "undo")
            else:
                one.play(own, chance.choice(own["moves"])["text"])
    with bela.live(table, since=ply, version=version) as socket:
        known = merged(known, socket.table())
    assert known == bela.look(table)["events"]


def test_presence_is_told(anna, bela):
    table = two_at(anna, bela)
    with anna.live(table) as mine:
        mine.table()
        with bela.live(table):
            until(lambda: mine.next("presence")["connected"] == [0, 1])
            assert anna.look(table)["seats"][1]["connected"]
        until(lambda: mine.next("presence")["connected"] == [0])
        with bela.live(table, spectate=1) as watching:
            assert watching.table()["seat"] is None


def test_a_spectator_becomes_a_player_on_the_same_socket(anna, bela):
    table = anna.found("targui", "me", "open")
    with bela.live(table) as socket:
        assert socket.table()["seat"] is None
        bela.act(table, "seats")
        seen = socket.table(lambda one: one["status"] == "playing")
        assert seen["seat"] == 1
        assert seen["from"] == -1


def test_a_socket_can_change_language_and_eyes(anna):
    table = anna.found("targui", "me", "me")
    with anna.live(table, seat=0, lang="en") as socket:
        assert socket.table()["seats"][0]["colour"] == "Green"
        socket.send(type="look", lang="de", seat=1)
        seen = socket.table(lambda one: one["language"] == "de")
        assert seen["seat"] == 1
        assert seen["seats"][0]["colour"] == "Grün"
        assert seen["from"] == -1


def test_polling_waits_for_news(anna, bela):
    table = two_at(anna, bela)
    nothing = bela.http.get(f"/tables/{table['id']}", params={"version": table["version"], "wait": 0.1})
    assert nothing.status_code == 304
    anna.play(table)
    news = bela.look(table, version=table["version"], since=0, wait=20)
    assert news["ply"] == 1
    assert news["from"] == 0


def test_a_socket_to_no_table_or_from_another_site_is_closed_with_a_reason(anna, server):
    table = anna.found("targui", "me", "greedy")
    with anna.live({"id": "nowhere"}) as socket, pytest.raises(ConnectionClosed):
        socket.next()
    assert socket.connection.close_code == 4404
    url = f"ws://127.0.0.1:{server.port}/api/tables/{table['id']}/live"
    with (
        connect(url, additional_headers={"origin": "https://elsewhere.example"}) as socket,
        pytest.raises(ConnectionClosed),
    ):
        socket.recv(10)
    assert socket.close_code == 1008
    with connect(url, additional_headers={"origin": f"http://127.0.0.1:{server.port}"}) as socket:
        assert json.loads(socket.recv(10))["type"] == "table"


@pytest.mark.parametrize(
    ("arrivals", "answered"),
    [
        ([frame(asks(2)), frame(asks(3))], [2, 3]),
        ([frame(asks(2)) + frame(asks(3))], [2, 3]),
        ([frame(asks(2)) + frame(asks(3))[:4], frame(asks(3))[4:]], [2, 3]),
        ([bytes((byte,)) for byte in frame(asks(2))], [2]),
        (in_disguise(asks(2)), [2]),
        ([frame(asks(2, room=300))], [2]),
        ([frame(asks(2, room=103))], [2]),  # 125 bytes: the longest of short frames
        ([frame(asks(2)[:9], PART), frame(asks(2)[9:], REST)], [2]),
        ([frame(asks(2)[:9], PART), frame(b"there?", PING), frame(asks(2)[9:], REST)], [2]),
        ([frame(b"there?", PING), frame(asks(2))], [2]),
    ],
)
def test_messages_are_understood_however_their_bytes_arrive(anna, arrivals, answered):
    with anna.live(anna.found("targui", "me", "open")) as live:
        for some in ([frame(asks(1))], arrivals, [frame(asks(4))]):
            for one in some:
                live.connection.socket.sendall(one)
                time.sleep(0.002)  # so that they arrive one by one
        assert [live.next("pong")["id"] for _ in range(2 + len(answered))] == [1, *answered, 4]


@pytest.mark.parametrize(
    "arrivals",
    [
        [frame(asks(2)[:9], PART), frame(asks(3))],  # another message before the end of one
        [frame(asks(2), TEXT | 0x40)],  # a bit that means nothing here
        [bytes((TEXT, 5)) + b"hello"],  # without a mask
    ],
)
def test_frames_that_break_the_rules_of_sockets_end_them(anna, arrivals):
    with anna.live(anna.found("targui", "me", "open")) as live:
        for one in arrivals:
            live.connection.socket.sendall(one)
            time.sleep(0.002)
        with pytest.raises(ConnectionClosed):
            live.next("pong")
    assert live.connection.close_code == 1002


def test_somebody_who_reads_slowly_gets_the_present_state_in_the_end(anna, bela):
    table = two_at(anna, bela)
    with anna.live(table) as slow:
        slow.table()
        with bela.live(table) as quick:
            for number in range(120):
                quick.send(type="chat", text=f"line {number}")
            until(lambda: quick.next("table")["chat"] and bela.look(table)["chat"][-1]["text"] == "line 119")
        heard: list[Any] = []
        while not heard or heard[-1]["text"] != "line 119":
            heard += slow.table()["chat"]
        assert [line["number"] for line in heard] == sorted({line["number"] for line in heard})
        assert len(heard) == 120
