"""The screens of all pages but the table; their names begin with `page-`."""

from __future__ import annotations

import functools
import itertools
from typing import Any

import azalai
from azalai import puzzles
from tests.browser.screens import Sitter, screen
from tests.browser.screens_of_games import DARK, HOUSE_RULES, come_to_the_end, moment
from tests.browser.test_names import Keyring, give_up
from tests.browser.visitor import GAMES, until_true
from tests.server.running import Guest, until

CHAMPIONS = (f"{name} {number}".removesuffix(" 1") for number in itertools.count(1) for name in ("Tin Hinan", "Amastan", "Lalla"))

# ------------------------------------------------------------ start


def start(sitter: Sitter) -> None:
    """The start page, with all that the server tells."""
    sitter.goto("/")
    sitter.find("start.play", sitter.card("targi")).wait_for()
    sitter.page.wait_for_function("() => !document.querySelector('article button.cover').disabled")


@screen("page-start-newcomer", newcomer=True)
def arrive(sitter: Sitter) -> None:
    start(sitter)


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
    start(sitter)


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
    start(sitter)
    sitter.press("settings.title")


def set_up(sitter: Sitter, game: str, door: str) -> None:
    """The dialog before a new table."""
    start(sitter)
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


@screen("page-setup-house-rules-refused", each_size=True)  # a message goes after some seconds
def choose_bad_house_rules(sitter: Sitter) -> None:
    choose_file(sitter, "[goods.beer]\npoints = 9\n")
    sitter.press("setup.begin", within=sitter.dialog)
    sitter.page.locator(".toasts .bad").wait_for()


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


# ------------------------------------------------------------ people


@screen("page-profile-guest")
def look_at_oneself(sitter: Sitter) -> None:
    sitter.goto("/player")
    sitter.find("keep.begin").wait_for()


@screen("page-profile-recovery", each_size=True)
def type_a_code(sitter: Sitter) -> None:
    look_at_oneself(sitter)
    sitter.press("keep.code")
    sitter.page.locator("#recovery-code").fill("7K2QX-09MRT-B4CZW-H8DJE")
    sitter.page.keyboard.press("Enter")
    sitter.page.get_by_text(sitter.say("error.bad_code")).wait_for()


def keep_name(sitter: Sitter) -> None:
    Keyring(sitter)
    look_at_oneself(sitter)
    sitter.press("keep.begin")
    sitter.page.get_by_role("heading", name=sitter.say("passkeys.title")).wait_for()


def be_rated(sitter: Sitter) -> str:
    """Keep a name nobody else has, lose rated games and show all; the player's address."""
    sitter.arrive(next(CHAMPIONS))
    keep_name(sitter)
    for bot in ("1", "6", "3", "2", "4"):
        give_up(sitter, "targui", bot, rated=True, clock={"kind": "slow", "days": 1})
    rated = "async () => (await (await fetch('/api/me/profile')).json()).ratings[0]?.games === 5"
    until_true(sitter.page, rated)
    sitter.goto("/player")
    for choice in sitter.page.get_by_role("switch").all():
        if not choice.is_checked():
            choice.focus()
            sitter.page.keyboard.press("Space")
    until_true(sitter.page, "async () => (await (await fetch('/api/me/profile')).json()).shown.length === 4")
    return str(sitter.page.request.get("/api/me").json()["player"])


@screen("page-profile")
def look_at_ones_profile(sitter: Sitter) -> None:
    be_rated(sitter)
    sitter.goto("/player")
    sitter.page.get_by_role("img").first.wait_for()


@screen("page-profile-below")
def look_at_the_end_of_ones_profile(sitter: Sitter) -> None:
    """Passkeys, what others see, data."""
    look_at_ones_profile(sitter)
    sitter.page.get_by_role("heading", name=sitter.say("passkeys.title")).evaluate("(one) => one.scrollIntoView()")


@screen("page-profile-of-another")
def look_at_another(sitter: Sitter) -> None:
    player = be_rated(sitter)
    sitter.context.clear_cookies()
    sitter.goto(f"/player/{player}")
    sitter.page.get_by_role("img").first.wait_for()


@screen("page-profile-unknown")
def look_for_nobody(sitter: Sitter) -> None:
    sitter.goto("/player/abc")


@screen("page-recovery-code")
def make_a_code(sitter: Sitter) -> None:
    keep_name(sitter)
    sitter.press("recovery.make")
    sitter.dialog.locator(".code").wait_for()


@screen("page-passkey-removed")
def remove_the_passkey(sitter: Sitter) -> None:
    keep_name(sitter)
    sitter.press("passkeys.remove.one")
    sitter.dialog.wait_for()


@screen("page-delete-everything")
def want_to_delete_everything(sitter: Sitter) -> None:
    look_at_oneself(sitter)
    sitter.press("data.delete")
    sitter.dialog.wait_for()


@screen("page-best")
def look_at_the_best(sitter: Sitter) -> None:
    player = be_rated(sitter)
    sitter.goto("/best/targui")
    sitter.page.locator(f"a[href='/player/{player}']").wait_for()


@screen("page-call")
def be_called(sitter: Sitter) -> None:
    sitter.goto("/call")
    sitter.find("call.turn").wait_for()


@screen("page-call-stop")
def stop_mails(sitter: Sitter) -> None:
    sitter.goto(f"/call#stop={'x' * 40}")
    sitter.find("call.stop.yes").wait_for()


# ------------------------------------------------------------ tournaments


def organise(sitter: Sitter, kind: str, entrants: int = 4, **more: Any) -> tuple[str, list[Guest]]:
    """A tournament of Targi, founded by the sitter, and its other entrants."""
    body = {"name": "Friday evening", "kind": kind, "game": "targi", "bot": "1", **more}
    tournament: str = sitter.make("/tournaments", body)["id"]
    others = [sitter.friend(name) for name in ("Moussa", "Kella", "Ilyas", "Dassine")[: entrants - 1]]
    for other in others:
        other.post(f"/tournaments/{tournament}/entrants")
    return tournament, others


@screen("page-tournament-new")
def want_a_tournament(sitter: Sitter) -> None:
    start(sitter)
    sitter.press("tournament.new")
    sitter.dialog.wait_for()


@screen("page-tournament-open")
def gather_entrants(sitter: Sitter) -> None:
    tournament, _ = organise(sitter, "knock_out")
    sitter.goto(f"/tournament/{tournament}")
    sitter.find("tournament.start").wait_for()


def play_tournament(sitter: Sitter, kind: str, games: int) -> None:
    """Everybody takes their seats, and the second gives up, in so many games."""
    tournament, others = organise(sitter, kind)
    sitter.make(f"/tournaments/{tournament}/start", {})
    asking: list[Any] = [sitter.make, *(other.post for other in others)]

    def go_on() -> bool:
        view = sitter.page.request.get(f"/api/tournaments/{tournament}").json()
        matches = [game for matches in view["matches"] for match in matches for game in match["games"]]
        done = sum(game["status"] == "over" for game in matches)
        for game in [game for game in matches if game["status"] == "waiting"][: games - done]:
            for seat in game["seats"]:
                asking[seat](f"/tables/{game['table']}/seats", {})
            asking[max(game["seats"])](f"/tables/{game['table']}/resign", {})
        return done >= games or bool(view["status"] == "over")

    until(go_on)
    sitter.goto(f"/tournament/{tournament}")
    sitter.page.locator("main table").first.wait_for()


for kind, games in {"knock_out": 1, "round_robin": 3}.items():
    name = kind.replace("_", "-")
    screen(f"page-tournament-{name}-running")(functools.partial(play_tournament, kind=kind, games=games))
    screen(f"page-tournament-{name}-over")(functools.partial(play_tournament, kind=kind, games=99))


@screen("page-tournament-table")
def wait_at_a_tournament(sitter: Sitter) -> None:
    tournament, _ = organise(sitter, "knock_out")
    sitter.make(f"/tournaments/{tournament}/start", {})
    view = sitter.page.request.get(f"/api/tournaments/{tournament}").json()
    sitter.goto(f"/table/{view['next']}")


# ------------------------------------------------------------ other pages


@screen("page-move")
def become_another(sitter: Sitter) -> None:
    link = sitter.friend().post("/me/link")["url"]
    sitter.goto(link)
    sitter.find("move.become").wait_for()


@screen("page-move-broken")
def use_a_broken_link(sitter: Sitter) -> None:
    sitter.goto(f"/move#{'x' * 200}")
    sitter.page.get_by_role("alert").wait_for()


@screen("page-not-found")
def get_lost(sitter: Sitter) -> None:
    sitter.goto("/lost")


for name, path in {"table": "/table/gone", "puzzle": "/puzzle/gone", "tournament": "/tournament/gone"}.items():
    screen(f"page-no-such-{name}")(functools.partial(Sitter.goto, path=path))
