"""The screens of the pages where one chooses, reads and waits: start, a new table, puzzles, rules, what does not exist."""

from __future__ import annotations

import functools
from typing import Any

import azalai
from azalai import puzzles
from tests.browser.screens import Sitter, screen
from tests.browser.screens_of_games import DARK, HOUSE_RULES, come_to_the_end, moment
from tests.browser.screens_of_people import organise
from tests.browser.visitor import GAMES
from tests.server.running import Guest

# ------------------------------------------------------------ start


@screen("page-start-newcomer", newcomer=True)
def arrive(sitter: Sitter) -> None:
    sitter.start()


@functools.cache
def wait_in_public(address: str) -> None:
    """Somebody waits at an open table, the same for all pictures."""
    kella = Guest(address)
    kella.ask("PATCH", "/me", json={"name": "Kella"})
    kella.found("timbuktu", "me", "open", "open", public=True)
    kella.http.close()


def live(sitter: Sitter) -> None:
    """Have games that run, games that are over and an invitation, while others wait at open tables."""
    for game in ("targui", "tuareg"):
        sitter.sit(moment(game))
    for game in ("targi", "timbuktu"):
        come_to_the_end(sitter, game)
    moussa = sitter.friend("Moussa")
    table = sitter.make("/tables", {"game": "targi", "seats": [{"kind": "me"}, {"kind": "open"}]})["id"]
    moussa.post(f"/tables/{table}/seats")
    moussa.post(f"/tables/{table}/resign")
    person = next(one["person"] for one in moussa.get("/people")["people"])
    organise(sitter, "round_robin")
    seats = [{"kind": "me"}, {"kind": "friend", "person": person}]
    moussa.post("/tables", {"game": "targi", "seats": seats}, 201)
    wait_in_public(sitter.address)


@screen("page-start")
def return_to_start(sitter: Sitter) -> None:
    live(sitter)
    sitter.start()


def look_below(sitter: Sitter, key: str) -> None:
    return_to_start(sitter)
    sitter.page.get_by_role("heading", name=sitter.say(key)).evaluate("(one) => one.scrollIntoView()")


screen("page-start-tournaments")(functools.partial(look_below, key="tournament.many"))
screen("page-start-own-games")(functools.partial(look_below, key="games.title"))


@screen("page-start-without-server")
def find_no_server(sitter: Sitter) -> None:
    sitter.goto("/lost")
    sitter.page.route("**/api/**", lambda route: route.abort())
    sitter.page.route_web_socket("**/api/**", lambda line: line.close())
    sitter.page.goto("/")
    sitter.page.get_by_text(sitter.say("app.offline")).first.wait_for()


@screen("page-settings")
def open_settings(sitter: Sitter) -> None:
    sitter.start()
    sitter.press("settings.title")


def set_up(sitter: Sitter, game: str, door: str) -> None:
    """The dialog before a new table."""
    sitter.start()
    sitter.press(door, within=sitter.card(game))
    sitter.dialog.get_by_role("button", name=sitter.say("setup.begin")).wait_for()


for game in GAMES:
    for door in ("friends", "device", "options"):
        screen(f"page-setup-{game}-{door}")(functools.partial(set_up, game=game, door=f"start.{door}"))


@screen("page-setup-invite")
def invite(sitter: Sitter) -> None:
    live(sitter)
    set_up(sitter, "targui", "start.friends")


def choose_file(sitter: Sitter, content: str) -> None:
    set_up(sitter, "targi", "start.friends")
    sitter.dialog.get_by_text(sitter.say("setup.components")).click()
    file: Any = {"name": "mine.toml", "mimeType": "application/toml", "buffer": content.encode()}
    sitter.dialog.locator("input[type=file]").set_input_files(files=[file])
    sitter.page.get_by_text("mine.toml").wait_for()


@screen("page-setup-house-rules")
def choose_house_rules(sitter: Sitter) -> None:
    choose_file(sitter, HOUSE_RULES["targi"])


@screen("page-setup-house-rules-refused")
def choose_bad_house_rules(sitter: Sitter) -> None:
    choose_file(sitter, "[goods.beer]\npoints = 9\n")
    sitter.press("setup.begin", within=sitter.dialog)
    sitter.dialog.locator(".refused").wait_for()


# ------------------------------------------------------------ before a game


def wait_for_players(sitter: Sitter, game: str, seats: int = 3, **more: Any) -> None:
    wishes = [{"kind": "me"}, *[{"kind": "open"}] * (seats - 1)]
    table = sitter.make("/tables", {"game": game, "seats": wishes, **more})["id"]
    if seats > 2:
        sitter.friend().post(f"/tables/{table}/seats")
    sitter.goto(f"/table/{table}")
    sitter.find("table.copy").wait_for()


screen("page-waiting-room")(functools.partial(wait_for_players, game="targui"))
screen("page-waiting-room-of-two")(functools.partial(wait_for_players, game="targi", seats=2))
screen("page-waiting-room-house-rules")(
    functools.partial(wait_for_players, game="tuareg", seats=5, components=HOUSE_RULES["tuareg"])
)


@screen("page-invitation")
def be_invited(sitter: Sitter) -> None:
    table = sitter.friend().found("timbuktu", "me", "open", "open", clock={"kind": "live", "minutes": 30, "increment": 20})
    sitter.goto(f"/table/{table['id']}")
    sitter.find("table.sit").wait_for()


# ------------------------------------------------------------ puzzles and rules


@screen("page-puzzles")
def choose_a_puzzle(sitter: Sitter) -> None:
    sitter.goto("/puzzles")
    sitter.find("puzzle.start").wait_for()


def open_puzzle(sitter: Sitter, game: str, number: int = 0) -> Any:
    """One of the puzzles, as the server tells it."""
    found = puzzles.collection(game)[number]
    sitter.goto(f"/puzzle/{found.id}")
    sitter.page.locator(".prompt.mine").wait_for()
    return found


for game in azalai.games():
    if puzzles.collection(game):
        screen(f"page-puzzle-{game}")(functools.partial(open_puzzle, game=game))


def answer(sitter: Sitter, game: str, right: bool) -> None:
    """Answer a puzzle by a move from the list of all moves."""
    found = open_puzzle(sitter, game)
    told = sitter.page.request.get(f"/api/puzzles/{found.id}", params={"lang": sitter.language}).json()
    words = next(one["words"] for one in told["moves"] if (one["text"] in found.solutions) == right)
    if sitter.phone:
        sitter.press("puzzle.about")
    moves = sitter.page.locator(".moves:visible")
    moves.get_by_role("button", name=words[0].upper() + words[1:], exact=True).first.click()
    sitter.page.locator(".verdict h2").wait_for()


for game in azalai.games():
    if puzzles.collection(game):
        screen(f"page-puzzle-{game}-solved")(functools.partial(answer, game=game, right=True))
        screen(f"page-puzzle-{game}-failed")(functools.partial(answer, game=game, right=False))


@screen("page-puzzle-solution")
def give_up_a_puzzle(sitter: Sitter) -> None:
    open_puzzle(sitter, "targui", 1)
    sitter.press("puzzle.solve")
    sitter.page.locator(".verdict h2").wait_for()


@screen("page-puzzle-wrong-click", each_size=True)
def click_wrongly(sitter: Sitter) -> None:
    open_puzzle(sitter, "targi")
    sitter.page.locator(DARK).filter(visible=True).first.click()
    sitter.page.locator(".explanation[role=status]").wait_for()


def read_rules(sitter: Sitter, game: str, chapter: int = 0) -> None:
    sitter.goto(f"/rules/{game}")
    heading = sitter.page.locator("main h2").nth(chapter)
    heading.wait_for()
    if chapter:
        heading.evaluate("(one) => one.scrollIntoView()")


for game in GAMES:
    screen(f"page-rules-{game}")(functools.partial(read_rules, game=game))
    screen(f"page-rules-{game}-chapter-4")(functools.partial(read_rules, game=game, chapter=3))


# ------------------------------------------------------------ other pages


@screen("page-not-found")
def get_lost(sitter: Sitter) -> None:
    sitter.goto("/lost")


for name, path in {"table": "/table/gone", "puzzle": "/puzzle/gone", "tournament": "/tournament/gone"}.items():
    screen(f"page-no-such-{name}")(functools.partial(Sitter.goto, path=path))
