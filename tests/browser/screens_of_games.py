"""The screens of every game: decisions in all phases, and what lies around the board."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from typing import Any

from playwright.sync_api import WebSocketRoute

from azalai.engine.position import Position
from azalai.engine.record import to_record
from tests.browser.moments import near, played_well
from tests.browser.screens import FRIENDS, PATIENCE, Show, Sitter, screen
from tests.browser.visitor import GAMES
from tests.server.running import Guest

SEATS = {"targui": 3, "tuareg": 3, "timbuktu": 3, "targi": 2}
MOST = {"targui": 4, "tuareg": 5, "timbuktu": 5}
PARTS = {"early": 0.1, "middle": 0.5, "late": 0.9}
# What is decided all the time, first the usual, and what comes up now and then.
OFTEN = {
    "targui": ("marching", "buying"),
    "tuareg": ("turn",),
    "timbuktu": ("moving", "choosing"),
    "targi": ("placing", "acting"),
}
SOMETIMES = {
    "targui": ("settling", "heading", "leading", "fighting", "entering", "paying"),
    "tuareg": ("give", "after", "onto", "amount", "pay", "load", "hide", "steal"),
    "timbuktu": ("placing", "paying"),
    "targi": (
        "drawn", "sending", "raid", "raid_goods", "laying", "dropping", "trading", "choosing", "pricing", "selling", "moving",
        "paying",
    ),
}  # fmt: skip


def ways(position: Position) -> list[int]:
    """The fields to which camels may march."""
    return [move.args["field"] for move in position.moves() if move.name == "to"]


# Moments of a phase that look different from others: the game, the part of it, and what must hold.
PARTICULAR: dict[str, tuple[str, float, Callable[[Position], object]]] = {
    "targui-attack": (
        "targui", 0.6,
        lambda one: one.phase == "heading" and sum(one.state.camels[to] > 0 < one.state.owner[to] for to in ways(one)) > 1,
    ),
    "targui-many-camels-to-buy": ("targui", 0.7, lambda one: one.phase == "paying" and len(one.moves()) > 8),
    "tuareg-thief-chooses-whom": ("tuareg", 0.6, lambda one: sum(move.name == "rob" for move in one.moves()) > 1),
    "timbuktu-paying-with-many": ("timbuktu", 0.5, lambda one: one.phase == "paying" and len(one.moves()) > 3),
    "timbuktu-last-stage": ("timbuktu", 0.85, lambda one: one.phase == "moving" and one.state.stage > 1),
    "targi-raid-of-silver": ("targi", 0.5, lambda one: one.phase == "raid" and one.state.robber == 11),
}  # fmt: skip
HOUSE_RULES = {
    "targui": "[play]\nstart_silver = 20\nstart_camels = 12\n",
    "tuareg": "[goods.water]\npoints = 9\n",
    "timbuktu": '[route.exchange]\ntaghaza = [["palm", 1], ["star", 1]]\n',
    "targi": "[start]\ndates = 3\n\n[trader]\nfor_gold = 2\n",
}
REVIEWED = 60  # decisions: to judge a whole game takes minutes
JUDGED = """() => !document.querySelector('.side .progress') &&
  !/\\d+ (of|von) \\d+/.test(document.querySelector('.review .verdict')?.textContent ?? '0 of 1')"""
DARK = ".board .target[role=img], .board .spot[role=img]"


@functools.cache
def moment(game: str, phase: str = "", part: float = 0.5, seats: int = 0, mine: bool = True) -> Position:
    """A decision of a phase, by default the usual one, of the first seat or of others alone."""
    phase = phase or OFTEN[game][0]
    return near(
        game, seats or SEATS[game], part, lambda one: one.phase == phase and (one.seat == 0 if mine else 0 not in one.pending)
    )


def particular(name: str) -> Position:
    game, part, wanted = PARTICULAR[name]
    return near(game, SEATS[game], part, lambda one: one.seat == 0 and wanted(one))


def of_games(what: str, games: Iterable[str] = GAMES, **how: bool) -> Callable[[Show], Show]:
    """Name a screen that games have in common."""

    def keep(show: Show) -> Show:
        for game in games:
            screen(f"{game}-{what}", **how)(functools.partial(show, game=game))
        return show

    return keep


# ------------------------------------------------------------ decisions


def decide(sitter: Sitter, position: Callable[[], Position]) -> None:
    sitter.sit(position())


for game in GAMES:
    for phase in OFTEN[game]:
        for part, where in PARTS.items():
            screen(f"{game}-{phase}-{part}")(functools.partial(decide, position=functools.partial(moment, game, phase, where)))
    for phase in SOMETIMES[game]:
        screen(f"{game}-{phase.replace('_', '-')}")(functools.partial(decide, position=functools.partial(moment, game, phase)))
for game, seats in MOST.items():
    for part in ("middle", "late"):
        many = functools.partial(moment, game, part=PARTS[part], seats=seats)
        screen(f"{game}-among-{seats}-{part}")(functools.partial(decide, position=many))
for name in PARTICULAR:
    screen(name)(functools.partial(decide, position=functools.partial(particular, name)))


def begin(sitter: Sitter, game: str, step: int = 1) -> None:
    """The first decision at somebody's first table, with a step of the guide."""
    sitter.found(game, "me", *["3"] * (SEATS[game] - 1))
    sitter.page.locator(".guide").wait_for()
    sitter.wait()
    sitter.press(*["guide.next"] * (step - 1))


for step in range(1, 7):
    of_games(f"guide-{step}", newcomer=True)(functools.partial(begin, step=step))


@of_games("waiting")
def wait_for_others(sitter: Sitter, game: str) -> None:
    sitter.gather(moment(game, mine=False))


@of_games("among-friends")
def decide_among_friends(sitter: Sitter, game: str) -> None:
    sitter.gather(moment(game), clock={"kind": "live", "minutes": 30, "increment": 20})
    sitter.wait()


@of_games("confirm", games=("targui", "tuareg", "targi"))
def confirm(sitter: Sitter, game: str) -> None:
    """A move that reveals something waits to be confirmed."""
    revealing: dict[str, tuple[str, Callable[[Any], bool]]] = {
        "targui": ("heading", lambda move: move.name == "to"),
        "tuareg": ("turn", lambda move: move.name == "draw"),
        "targi": ("acting", lambda move: move.name == "use" and move.args["place"] in (12, 13)),
    }
    phase, reveals = revealing[game]

    def wanted(one: Position) -> bool:
        if one.seat != 0 or one.phase != phase:
            return False
        moves = [move for move in one.moves() if reveals(move)]
        return any(one.state.owner[move.args["field"]] > 0 for move in moves) if game == "targui" else bool(moves)

    position = near(game, SEATS[game], 0.5, wanted)
    table = sitter.gather(position)
    sitter.wait()
    shown = sitter.page.request.get(f"/api/tables/{table}", params={"lang": sitter.language}).json()["moves"]
    words = [
        one["words"]
        for one, move in zip(shown, position.moves())
        if reveals(move) and (game != "targui" or position.state.owner[move.args["field"]] > 0)
    ]
    sitter.beside("table.moves")
    sitter.page.get_by_role("button", name=re.compile(f"^{re.escape(words[0])}$", re.IGNORECASE)).last.click()
    sitter.find("table.confirm").wait_for()


@screen("targi-half-chosen")
def choose_half(sitter: Sitter) -> None:
    """A marker is chosen, and where to is not yet."""
    sitter.sit(moment("targi", "sending"))
    sitter.choose()
    sitter.page.locator(".board .chosen").wait_for()


@screen("targi-placing-tapped", only_phone=True)
def tap_a_place(sitter: Sitter) -> None:
    """Where nothing can be pointed at, a tap shows which cards one would get, and asks."""
    sitter.sit(moment("targi", part=PARTS["late"]))
    sitter.choose()
    sitter.page.locator(".board .menu").wait_for()


@of_games("wrong-click", each_size=True)
def click_wrongly(sitter: Sitter, game: str) -> None:
    sitter.sit(moment(game))
    sitter.page.locator(DARK).filter(visible=True).first.click()
    sitter.page.locator(".explanation[role=status]").wait_for()


@of_games("hint")
def ask_for_a_hint(sitter: Sitter, game: str) -> None:
    sitter.sit(moment(game))
    sitter.press("table.hint")
    sitter.page.locator(".hints li").first.wait_for()


# ------------------------------------------------------------ around the board


@of_games("log")
def read_the_log(sitter: Sitter, game: str) -> None:
    sitter.sit(moment(game))
    for _ in range(3):
        sitter.step()
    sitter.beside("table.log")


@of_games("moves")
def list_all_moves(sitter: Sitter, game: str) -> None:
    sitter.sit(moment(game))
    sitter.beside("table.moves")


@of_games("chat")
def talk(sitter: Sitter, game: str) -> None:
    table = sitter.gather(moment(game))
    for friend, text in zip(sitter.friends, ("Salaam, all of you.", "Who has seen my camel? It was here a moment ago, I think.")):
        friend.post(f"/tables/{table}/chat", {"text": text})
    sitter.make(f"/tables/{table}/chat", {"text": "It carries my salt now."})
    sitter.beside("table.chat")
    sitter.page.get_by_text("my salt").filter(visible=True).wait_for()


@of_games("people", games=("targui",))
def look_at_the_people(sitter: Sitter, game: str) -> None:
    sitter.gather(moment(game))
    sitter.beside("people.open")
    sitter.press("people.report", within=sitter.dialog)


@of_games("rules")
def read_the_rules(sitter: Sitter, game: str) -> None:
    sitter.sit(moment(game))
    sitter.beside("table.rules")
    sitter.page.locator("dialog[open] h2").nth(1).wait_for()


@of_games("resigning")
def want_to_resign(sitter: Sitter, game: str) -> None:
    sitter.sit(moment(game))
    sitter.beside("table.resign")
    sitter.page.get_by_text(sitter.say("table.resign.sure")).wait_for()


@of_games("line-down", games=("targui",))
def lose_the_line(sitter: Sitter, game: str) -> None:
    lines: list[WebSocketRoute] = []

    def carry(line: WebSocketRoute) -> None:
        """Connect the first line alone."""
        if not lines:
            line.connect_to_server()
        lines.append(line)

    sitter.page.route_web_socket("**/live?*", carry)
    sitter.sit(moment(game))
    sitter.page.route("**/api/**", lambda route: route.abort())
    lines[0].close()
    sitter.page.locator(".connection").wait_for()


@of_games("take-back-asked", games=("tuareg",))
def be_asked_to_take_back(sitter: Sitter, game: str) -> None:
    table = sitter.gather(moment(game))
    view = sitter.friends[-1].look({"id": table})
    sitter.friends[-1].post(f"/tables/{table}/take-back", {"to": view["take_back_to"]})
    sitter.page.locator(".proposal").wait_for()


# ------------------------------------------------------------ the end, and looking back


@of_games("ending")
def come_to_the_end(sitter: Sitter, game: str) -> None:
    sitter.play_out(sitter.sit(near(game, SEATS[game], 1, lambda one: one.seat == 0), "2"))
    sitter.page.locator(".ending").wait_for()


@of_games("ending-folded")
def look_at_the_last_board(sitter: Sitter, game: str) -> None:
    come_to_the_end(sitter, game)
    sitter.press("table.result.fold")


@of_games("given-up")
def give_up(sitter: Sitter, game: str) -> None:
    table = sitter.sit(moment(game))
    sitter.make(f"/tables/{table}/resign", {})
    sitter.page.locator(".ending").wait_for()


@functools.cache
def record_of(address: str, game: str, until: int | None = None) -> tuple[str, int]:
    """The table of a game, whole or until a decision, that everybody may look at, and how many decisions it has."""
    position = played_well(game, SEATS[game], 1)[-1 if until is None else until]
    scribe = Guest(address)
    table: str = scribe.post("/records", to_record(position), status=201)["id"]
    scribe.http.close()
    return table, position.ply


@of_games("end-of-a-record")
def open_a_record(sitter: Sitter, game: str, until: int | None = None) -> None:
    """The end of a record, with the curve of the chances."""
    sitter.goto(f"/table/{record_of(sitter.address, game, until)[0]}")
    sitter.page.locator(".ending .plot path.line").first.wait_for()


@of_games("replay")
def replay(sitter: Sitter, game: str) -> None:
    table, plies = record_of(sitter.address, game)
    sitter.goto(f"/table/{table}#ply={plies // 2}")
    sitter.page.locator(f".table[data-ply='{plies // 2}']").wait_for()


@of_games("review")
def review(sitter: Sitter, game: str) -> None:
    """A review at its beginning, with the list of decisions where there is a column for it."""
    open_a_record(sitter, game, REVIEWED)
    sitter.press("review.open")
    sitter.page.wait_for_function(JUDGED, timeout=8 * PATIENCE)


@of_games("review-list")
def list_decisions(sitter: Sitter, game: str) -> None:
    review(sitter, game)
    sitter.beside("review.tab")


@of_games("review-mistake")
def look_at_a_mistake(sitter: Sitter, game: str) -> str:
    """The worst decision of the game, with its grade and the better move in words; the page's group of both."""
    review(sitter, game)
    table = record_of(sitter.address, game, REVIEWED)[0]
    judged = sitter.page.request.get(f"/api/tables/{table}/review").json()["decisions"]
    worst = max(judged, key=lambda one: one["loss"])["ply"] + 1
    sitter.page.evaluate("(ply) => { location.hash = `ply=${ply}` }", worst)
    sitter.page.locator(f".table[data-ply='{worst}']").wait_for()
    sitter.page.locator(".review .grade").wait_for()
    return ".review"


@of_games("review-better")
def look_at_the_better_move(sitter: Sitter, game: str) -> None:
    panel = sitter.page.locator(look_at_a_mistake(sitter, game))
    panel.locator(".row button").first.click()  # its words tell whether the decision was a mistake
    sitter.press("line.next", within=panel)


@of_games("review-again")
def seek_the_better_move(sitter: Sitter, game: str) -> None:
    panel = sitter.page.locator(look_at_a_mistake(sitter, game))
    sitter.press("review.try", within=panel)
    panel.get_by_role("list").wait_for()


@of_games("handed-over", games=("tuareg", "timbuktu", "targi"))
def hand_the_device_over(sitter: Sitter, game: str) -> None:
    """The cover between two people at one device."""
    position = near(
        game,
        SEATS[game],
        0.5,
        lambda one: one.seat == 0 and (game != "targi" or one.state.hand[0] >= 0 < one.state.hand_secret[0]),
    )
    imported = sitter.make("/records", to_record(position))
    seats = [{"kind": "me", "name": name} for name in FRIENDS[: SEATS[game]]]
    body = {"game": game, "seats": seats, "origin": {"table": imported["id"], "ply": imported["ply"]}}
    sitter.page.goto(f"/table/{sitter.make('/tables', body)['id']}")
    sitter.page.locator(".cover").wait_for()


@of_games("watching")
def look_on(sitter: Sitter, game: str) -> None:
    sitter.gather(moment(game), watching=True)


@of_games("house-rules")
def play_by_house_rules(sitter: Sitter, game: str) -> None:
    seats = [{"kind": "me"}, *[{"kind": "bot", "bot": "2"}] * (SEATS[game] - 1)]
    table = sitter.make("/tables", {"game": game, "seats": seats, "components": HOUSE_RULES[game]})["id"]
    decisions = sitter.decisions(table)
    for _ in range(10):
        next(decisions)
    sitter.page.goto(f"/table/{table}")
    sitter.wait()


@of_games("house-rules-shown")
def look_at_house_rules(sitter: Sitter, game: str) -> None:
    play_by_house_rules(sitter, game)
    sitter.press("variant.note")
    sitter.dialog.wait_for()
