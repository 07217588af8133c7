"""The screens of the pages about people: profiles, names that are kept, the best, calls, other devices, tournaments."""

from __future__ import annotations

import functools
import itertools
from typing import Any

from tests.browser.screens import FRIENDS, Sitter, screen
from tests.browser.test_names import Keyring, give_up
from tests.browser.visitor import until_true
from tests.server.running import Guest, until

CHAMPIONS = (f"{name} {number}".removesuffix(" 1") for number in itertools.count(1) for name in ("Tin Hinan", "Amastan", "Lalla"))


# ------------------------------------------------------------ oneself


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
    sitter.page.get_by_text(sitter.say("keep.code.wrong")).wait_for()


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


@screen("page-move")
def become_another(sitter: Sitter) -> None:
    link = sitter.friend().post("/me/link")["url"]
    sitter.goto(link)
    sitter.find("move.become").wait_for()


@screen("page-move-broken")
def use_a_broken_link(sitter: Sitter) -> None:
    sitter.goto(f"/move#{'x' * 200}")
    sitter.page.get_by_role("alert").wait_for()


# ------------------------------------------------------------ tournaments


def organise(sitter: Sitter, kind: str, entrants: int = 4, **more: Any) -> tuple[str, list[Guest]]:
    """A tournament of Targi, founded by the sitter, and its other entrants."""
    body = {"name": "Friday evening", "kind": kind, "game": "targi", "bot": "1", **more}
    tournament: str = sitter.make("/tournaments", body)["id"]
    others = [sitter.friend(name) for name in FRIENDS[: entrants - 1]]
    for other in others:
        other.post(f"/tournaments/{tournament}/entrants")
    return tournament, others


@screen("page-tournament-new")
def want_a_tournament(sitter: Sitter) -> None:
    sitter.start()
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
