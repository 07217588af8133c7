"""All that a decision needs is in sight and large enough to be read."""

from __future__ import annotations

import functools
import itertools
import re
from typing import Any

import pytest

import azalai
from azalai.engine.moves import Move
from azalai.engine.position import Position
from azalai.engine.record import to_record
from tests.browser.moments import every_decision, near
from tests.browser.screenshots import middle_of, sit_down
from tests.browser.visitor import GAMES, LIT, PHONE

LAPTOP = {"width": 1280, "height": 800}
WIDE = {"width": 1920, "height": 1080}
SCREENS: dict[str, dict[str, Any]] = {
    "laptop": {"viewport": LAPTOP},
    "phone": {"viewport": PHONE, "is_mobile": True, "has_touch": True},
}
MORE_SCREENS: dict[str, dict[str, Any]] = {
    "tablet": {"viewport": {"width": 1024, "height": 768}},
    "laptop in German": {"viewport": LAPTOP, "locale": "de-DE"},
}
SMALLEST = 10.9  # pixels

# Numbers on the board that are drawn smaller than this, with their size.
SMALL = """(least) => [...document.querySelectorAll(
  '.board text, .board .count, .board .change, .shelves text')].flatMap((text) => {
  if (!/\\d/.test(text.textContent) || !text.checkVisibility()) return []
  const matrix = text.getScreenCTM?.()
  const scale = matrix ? Math.hypot(matrix.a, matrix.b) : 1
  const size = parseFloat(getComputedStyle(text).fontSize) * scale
  return size < least ? [`${text.textContent}: ${size.toFixed(1)}`] : []
})"""
# What is asked, what may be clicked, players and own things: those that are not wholly in sight.
CUT = f"""() => {{
  const wanted = [...({LIT})(), ...document.querySelectorAll(
    '.prompt, .players li, .others .caravan, .hand .caravan li, .left .side-panel > *, .hand .fan li')]
  const name = (one) => `${{one.tagName}}.${{one.className?.baseVal ?? one.className}}: ${{one.textContent.trim().slice(0, 30)}}`
  return wanted.filter((one) => one.checkVisibility()).flatMap((one) => {{
    const below = innerWidth < 700 && one.closest('.side-panel') // on a phone: notes, below the own things
    const box = one.getBoundingClientRect()
    const inside = box.left >= -1 && box.top >= -1 && box.right <= innerWidth + 1 && box.bottom <= innerHeight + 1
    return inside || below ? [] : [`${{name(one)}} ${{[box.left, box.top, box.right, box.bottom].map(Math.round)}}`]
  }})
}}"""
# What may be clicked but lies under something else.
COVERED = f"""() => ({LIT})().flatMap((one) => {{
  const box = one.getBoundingClientRect()
  const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
  const name = `${{one.ariaLabel ?? one.textContent}} under ${{top?.outerHTML.slice(0, 80)}}`
  return one.contains(top) || top?.contains(one) ? [] : [name]
}})"""

# Whether the whole board is in sight: above what is asked, and not scrolled away.
BOARD_IN_SIGHT = """() => {
  const [board, own] = ['.board > *', '.own'].map((one) => document.querySelector(one)?.getBoundingClientRect())
  return board && own && board.top >= 0 && board.bottom <= own.top + 4
}"""
RISEN = "(sheet) => Promise.all(sheet.getAnimations().map((one) => one.finished)).then(() => null)"
WHOLE = """() => {
  const [market, own] = ['.bazaar', '.caravan.own'].map((one) => document.querySelector(one))
  return market && own && market.scrollHeight <= market.clientHeight && own.clientHeight > 80
}"""


@functools.cache
def record(game: str) -> dict[str, object]:
    return middle_of(game)


@pytest.mark.parametrize(
    ("game", "screen"), [*itertools.product(GAMES, SCREENS), *itertools.product(["targui", "tuareg"], MORE_SCREENS)]
)
def test_everything_needed_is_in_sight_and_can_be_read(visit, game, screen):
    anna = visit(reduced_motion="reduce", **{**SCREENS, **MORE_SCREENS}[screen])
    sit_down(anna, record(game))
    anna.page.evaluate("() => document.fonts.ready")
    assert anna.page.evaluate(CUT) == []
    assert anna.page.evaluate(COVERED) == []
    assert anna.page.evaluate(SMALL, SMALLEST) == []


# Digits of the heading's letters, which are not all equally high, where nothing asks for such that are.
OLD_STYLE = """() => [...document.querySelectorAll('body *')].filter((one) => {
  const own = [...one.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.data).join('')
  const { fontFamily, fontVariantNumeric } = getComputedStyle(one)
  return /\\d/.test(own) && fontFamily.startsWith('Alegreya') && !fontVariantNumeric.includes('lining-nums')
}).map((one) => one.outerHTML.slice(0, 100))"""


@pytest.mark.parametrize("place", ["/", "/rules/targi", *GAMES])
def test_digits_are_equally_high(visit, place):
    anna = visit()
    if place in GAMES:
        sit_down(anna, record(place))
    else:
        anna.page.goto(place)
        anna.page.get_by_role("heading").nth(1).wait_for()
    assert anna.page.evaluate("() => getComputedStyle(document.querySelector('h1, h2')).fontFamily.startsWith('Alegreya')")
    assert anna.page.evaluate(OLD_STYLE) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_five_at_the_market_are_all_in_sight(visit, screen):
    anna = visit(reduced_motion="reduce", **SCREENS[screen])
    anna.found("tuareg", "me", "greedy", "greedy", "greedy", "greedy")
    for _ in range(6):
        anna.step()
    assert anna.page.locator(".others .caravan").count() == 4
    assert anna.page.evaluate(CUT) == []


@functools.cache
def thief_among_five() -> dict[str, object]:
    """The first seat of five may send a thief to any other, and all of them hold cards."""
    for seed in range(40):
        position = azalai.game("tuareg").new(5, seed)
        player = azalai.bot("greedy", position.game, seed=seed)
        while not position.over:
            victims = [move for move in position.moves() if move.name == "rob"]
            if position.seat == 0 and len(victims) == 4 and min(position.state.hand_size[1:]) >= 3:
                return to_record(position)
            position.play(player.choose(position.seen_by(position.seat)))
    raise AssertionError("no thief may rob all four others")


@pytest.mark.parametrize("screen", [*SCREENS, *MORE_SCREENS])
def test_whom_a_thief_may_rob_is_in_sight_among_five(visit, screen):
    anna = visit(reduced_motion="reduce", **{**SCREENS, **MORE_SCREENS}[screen])
    sit_down(anna, thief_among_five())
    assert anna.page.locator(".others .rob").count() == 4
    outside = """() => [...document.querySelectorAll('.others .caravan')].filter((caravan) => {
      const [whole, ...parts] = [caravan, ...caravan.querySelectorAll('.rob, .cards')].map((one) => one.getBoundingClientRect())
      const [cards, rob] = parts
      return cards.right > rob.left + 1 || rob.right > whole.right + 1
    }).map((caravan) => caravan.ariaLabel)"""
    assert anna.page.evaluate(outside) == []
    assert anna.page.evaluate(COVERED) == []
    cut = "(names) => names.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent)"
    assert anna.page.locator(".others strong").evaluate_all(cut) == []


@pytest.mark.parametrize("screen", [*SCREENS, *MORE_SCREENS])
def test_how_many_cards_each_of_five_holds_is_a_number(visit, screen):
    anna = visit(reduced_motion="reduce", **{**SCREENS, **MORE_SCREENS}[screen])
    sit_down(anna, thief_among_five())
    counts = anna.page.locator(".others .caravan header .count").all_inner_texts()
    assert len(counts) == 4
    assert min(map(int, counts)) >= 3


@functools.cache
def piled_up() -> dict[str, object]:
    """The first seat may take from a pile of three or more."""
    for seed in range(40):
        position = azalai.game("tuareg").new(3, seed)
        player = azalai.bot("greedy", position.game, seed=seed)
        while not position.over:
            taken = [move.args["good"] for move in position.moves() if position.seat == 0 and move.name == "take"]
            if any(position.state.market[good] > 2 for good in taken):
                return to_record(position)
            position.play(player.choose(position.seen_by(position.seat)))
    raise AssertionError("no pile grows so high")


def test_the_top_card_of_a_pile_lies_within_its_rim(visit):
    anna = visit(reduced_motion="reduce", **SCREENS["phone"])
    sit_down(anna, piled_up())
    piles = anna.page.locator(".market .pile:has(> :nth-child(3))")
    assert piles.count() > 0
    beyond = """(piles) => piles.filter((pile) => {
      const [rim, card] = [pile, pile.lastElementChild].map((one) => one.getBoundingClientRect())
      return Math.abs(rim.left - card.left) > 1 || Math.abs(rim.top - card.top) > 1
    }).length"""
    assert piles.evaluate_all(beyond) == 0


def test_what_lies_below_the_log_stands_in_one_line_on_a_laptop(visit):
    anna = visit(**MORE_SCREENS["laptop in German"])
    sit_down(anna, record("tuareg"))
    buttons = anna.page.locator(".more button").all()
    assert len(buttons) == 3
    assert len({button.bounding_box()["y"] for button in buttons}) == 1


@functools.cache
def crowded_five() -> dict[str, object]:
    """Some other of five has a donkey and several special cards."""
    for seed in range(40):
        position = azalai.game("tuareg").new(5, seed)
        player = azalai.bot("greedy", position.game, seed=seed)
        while not position.over:
            s = position.state
            if position.seat == 0 and any(
                s.donkeys[other] and s.maps[other] + s.thieves[other] + s.caves[other].sum() > 1 for other in range(1, 5)
            ):
                return to_record(position)
            position.play(player.choose(position.seen_by(position.seat)))
    raise AssertionError("nobody buys so much")


@pytest.mark.parametrize("screen", [*SCREENS, *MORE_SCREENS])
def test_what_others_own_stays_within_their_panels_among_five(visit, screen):
    anna = visit(reduced_motion="reduce", **{**SCREENS, **MORE_SCREENS}[screen])
    sit_down(anna, crowded_five())
    assert anna.page.locator(".others .caravan").count() == 4
    beyond = """() => [...document.querySelectorAll('.others .caravan')].flatMap((caravan) => {
      const { right } = caravan.getBoundingClientRect()
      return [...caravan.querySelectorAll('.animals svg, .cards, strong')]
        .filter((one) => one.getBoundingClientRect().right > right + 1 || one.scrollWidth > one.clientWidth + 1)
        .map((one) => caravan.ariaLabel)
    })"""
    assert anna.page.evaluate(beyond) == []
    # a page wider than a phone would also widen what lies over it
    assert anna.page.evaluate("() => innerWidth") == anna.page.viewport_size["width"]


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_notes_of_thieves_are_in_sight_among_five(visit, locale):
    anna = visit(viewport=LAPTOP, locale=locale, reduced_motion="reduce")
    sit_down(anna, moving_among_five())
    assert anna.page.evaluate(CUT) == []


@functools.cache
def moving_among_five() -> dict[str, object]:
    """The first seat of five leads a camel on, and knows some thieves."""
    position = azalai.game("timbuktu").new(5, seed=11)
    player = azalai.bot("greedy", position.game, seed=11)
    while position.seat != 0 or position.phase != "moving" or position.state.stage < 2:
        position.play(player.choose(position.seen_by(position.seat)))
    return to_record(position)


@functools.cache
def paying() -> dict[str, object]:
    """The first seat may pay a way with any of four goods."""
    for seed in range(20):
        position = azalai.game("timbuktu").new(3, seed)
        player = azalai.bot("greedy", position.game, seed=seed)
        while not position.over:
            for move in position.moves() if position.seat == 0 and position.phase == "moving" else ():
                paid = position.copy()
                paid.play(move)
                if paid.phase == "paying" and len(paid.moves()) == 4:
                    return to_record(paid)
            position.play(player.choose(position.seen_by(position.seat)))
    raise AssertionError("nobody has four goods to choose from")


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_which_good_one_pays_leaves_all_stalls_in_sight_on_a_phone(visit, locale):
    anna = visit(locale=locale, reduced_motion="reduce", **SCREENS["phone"])
    sit_down(anna, paying())
    assert anna.page.locator(".prompt .buttons button").count() == 4
    assert anna.page.locator(".board .target.chosen").count() == 2  # the camel, and the stall it goes to
    assert anna.page.locator(".board path.toll").count() == 1
    assert (
        anna.page.evaluate("""() => {
      const own = document.querySelector('.own').getBoundingClientRect().top
      return [...document.querySelectorAll('.board .target')].filter((one) => one.getBoundingClientRect().bottom > own + 4).length
    }""")
        == 0
    )
    assert anna.page.evaluate(CUT) == []


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize("phase", ["choosing", "dropping", "raid", "raid_goods", "drawn", "paying"])
def test_what_targi_asks_about_goods_leaves_its_board_in_sight_on_a_phone(visit, phase, locale):
    anna = visit(locale=locale, reduced_motion="reduce", **SCREENS["phone"])
    sit_down(anna, every_decision("targi")[phase])
    assert anna.page.locator(".prompt .buttons button").count() > 1
    assert anna.page.evaluate(BOARD_IN_SIGHT)
    assert anna.page.evaluate(CUT) == []


@functools.cache
def asked_most(phase: str) -> dict[str, object]:
    """The first seat has more to choose from than in most games of Targi."""
    least = {"raid": 4, "trading": 8}[phase]
    return to_record(near("targi", 2, 0.5, lambda one: one.seat == 0 and one.phase == phase and len(one.moves()) >= least))


@pytest.mark.parametrize("phase", ["raid", "trading"])
def test_what_targi_asks_leaves_the_numbers_of_its_board_readable_on_a_tablet(visit, phase):
    anna = visit(locale="de-DE", reduced_motion="reduce", **MORE_SCREENS["tablet"])
    sit_down(anna, asked_most(phase))
    assert anna.page.evaluate(SMALL, SMALLEST) == []
    assert anna.page.evaluate(CUT) == []


def test_a_stall_whose_way_costs_a_good_says_so(visit):
    anna = visit(**SCREENS["phone"])
    sit_down(anna, record("timbuktu"))
    ways = anna.page.locator(".board .hit")
    costly = anna.page.get_by_role("region", name="Board").get_by_role("button", name=re.compile("paying"))
    assert 0 < costly.count() < ways.count()
    assert anna.page.locator(".board .target .coin").count() == costly.count()


# On the board: loads that lie below what their camels have lost.
COVERED_LOADS = """() => {
  const boxes = (query) => [...document.querySelectorAll(query)].map((one) => one.getBoundingClientRect())
  const pills = boxes('.board .recent .pill')
  return boxes('.board .tray').filter((tray) => pills.some((pill) =>
    Math.min(pill.right, tray.right) > Math.max(pill.left, tray.left) &&
    Math.min(pill.bottom, tray.bottom) > Math.max(pill.top, tray.top))).length
}"""


@pytest.mark.parametrize("screen", ["laptop", "phone"])
def test_what_camels_have_lost_covers_nothing_they_still_carry(visit, screen):
    anna = visit(reduced_motion="reduce", **SCREENS[screen])
    robbed = near("timbuktu", 3, 0.5, lambda one: one.seat == 0 and one.phase == "choosing" and one.state.round_no == 0)
    sit_down(anna, to_record(robbed))
    anna.page.locator(".board .recent .pill").first.wait_for()
    assert anna.page.locator(".board .tray").count() > 0
    assert anna.page.evaluate(COVERED_LOADS) == 0
    assert anna.page.evaluate(SMALL, SMALLEST) == []


@functools.cache
def beside_an_exchange_field() -> dict[str, object]:
    """The first seat may lead a camel onto an exchange field where thieves may come."""
    for seed in range(20):
        position = azalai.game("timbuktu").new(3, seed)
        player = azalai.bot("greedy", position.game, seed=seed)
        while not position.over:
            if position.seat == 0 and position.phase == "moving":
                notes, filled = position.view(0)["notes"], position.state.filled
                fields = [(pen, stall) for pen, stall in notes["exchange"] if filled[pen] == stall < 5]
                if any(0 < notes["visited"][pen][stall] < 1 for pen, stall in fields):
                    return to_record(position)
            position.play(player.choose(position.seen_by(position.seat)))
    raise AssertionError("nobody comes to an exchange field")


@pytest.mark.parametrize("screen", [*SCREENS, *MORE_SCREENS])
def test_a_stall_where_a_camel_may_go_tells_what_it_loses_there_and_whether_sets_pass(visit, screen):
    anna = visit(reduced_motion="reduce", **{**SCREENS, **MORE_SCREENS}[screen])
    sit_down(anna, beside_an_exchange_field())
    stalls = anna.page.locator(".board .target.lit")
    assert stalls.locator(".carpet").count() >= 1
    numbers = [len(re.findall(r"[\d.,]+", text)) for text in stalls.all_text_contents()]
    assert max(numbers) == 2  # the stall's own, and what is lost
    hidden = """() => [...document.querySelectorAll('.board .target.lit')].flatMap((stall) => {
      const boxes = (query) => [...stall.querySelectorAll(query)].map((one) => one.getBoundingClientRect())
      const parts = boxes('.pill, .coin')
      const apart = (a, b) => a.right <= b.left || b.right <= a.left || a.bottom <= b.top + 1 || b.bottom <= a.top + 1
      const pairs = [...boxes('.carpet').flatMap((carpet) => parts.map((part) => [carpet, part])), parts.slice(0, 2)]
      return pairs.filter((pair) => pair.length === 2 && !apart(...pair)).map(() => stall.textContent)
    })"""
    assert anna.page.evaluate(hidden) == []


@functools.cache
def informed_among_four(passes: int) -> dict[str, object]:
    """The thief sets have been passed so often among four, and the first seat does not know all yet."""
    for seed in range(20):
        position = azalai.game("timbuktu").new(4, seed)
        player = azalai.bot("greedy", position.game, seed=seed)
        while not position.over:
            if position.seat == 0 and position.phase == "moving" and position.state.passes == passes:
                return to_record(position)
            position.play(player.choose(position.seen_by(position.seat)))
    raise AssertionError(f"sets are never passed {passes} times")


@pytest.mark.parametrize("passes", [1, 2])
@pytest.mark.parametrize("screen", ["laptop", "tablet"])
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_notes_of_thieves_are_in_sight_among_four(visit, locale, screen, passes):
    anna = visit(locale=locale, reduced_motion="reduce", **{**SCREENS, **MORE_SCREENS}[screen])
    sit_down(anna, informed_among_four(passes))
    assert anna.page.locator(".notes li").count() == 5
    assert anna.page.evaluate(CUT) == []


@pytest.mark.parametrize("screen", SCREENS)
def test_house_rules_open_into_sight(visit, screen):
    anna = visit(reduced_motion="reduce", **SCREENS[screen])
    anna.page.goto("/")
    anna.card("timbuktu").get_by_role("button", name="With friends").click()
    dialog = anna.page.get_by_role("dialog")
    dialog.get_by_text("House rules", exact=True).click()
    anna.page.wait_for_function("""() => {
      const [input, content] = ['dialog[open] input[type=file]', 'dialog[open] .content']
        .map((one) => document.querySelector(one)?.getBoundingClientRect())
      return input && content && input.height > 0 && input.top >= content.top && input.bottom <= content.bottom
    }""")


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("game", GAMES)
def test_the_result_is_in_sight_with_all_it_offers(visit, game, screen):
    anna = visit(**SCREENS[screen])
    anna.play_out(anna.found(game, "me", *["greedy"] * (2 if game != "targi" else 1)))
    anna.page.locator(".ending").wait_for()
    anna.page.locator(".result:has(.ending)").evaluate(RISEN)
    for part in (".ending h2", ".ending tfoot", ".ending .doors"):
        box = anna.page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= anna.page.viewport_size["height"], part
    anna.button("To the board").click()
    anna.page.locator(".ending").wait_for(state="detached")
    anna.button("Result").click()
    anna.page.locator(".ending").wait_for()


@pytest.mark.parametrize("screen", ["phone", "tablet"])
def test_the_result_of_five_has_a_column_for_each(visit, screen):
    anna = visit(locale="de-DE", **{**SCREENS, **MORE_SCREENS}[screen])
    position = azalai.game("tuareg").new(5, seed=7)
    player = azalai.bot("greedy", position.game, seed=7)
    while not position.over:
        position.play(player.choose(position.seen_by(position.seat)))
    anna.arrive()
    anna.page.goto(f"/table/{anna.page.request.post('/api/records', data=to_record(position)).json()['id']}")
    anna.page.locator(".ending tfoot").wait_for()
    beside = anna.page.locator(".ending .scroll").evaluate("(one) => one.scrollWidth - one.clientWidth")
    assert beside <= 0
    doors = anna.page.locator(".ending .doors").bounding_box()
    assert doors is not None
    assert doors["y"] + doors["height"] <= anna.page.viewport_size["height"]


def test_the_moves_are_in_sight_below_a_hint_on_a_tablet(visit):
    anna = visit(**MORE_SCREENS["tablet"])
    sit_down(anna, record("targi"))
    anna.button("Hint").click()
    anna.page.locator(".hints li").first.wait_for()
    anna.page.get_by_role("tab", name="All moves").click()
    first = anna.page.get_by_role("list", name="All moves").get_by_role("button").first
    assert first.evaluate("""(one) => {
      const { left, top, width, height } = one.getBoundingClientRect()
      return one.contains(document.elementFromPoint(left + width / 2, top + height / 2))
    }""")


@pytest.mark.parametrize("screen", SCREENS)
def test_every_way_to_begin_is_in_sight_on_the_start_page(visit, screen):
    anna = visit(**SCREENS[screen])
    anna.page.goto("/")
    card = anna.card("targui")
    for door in ("Play now", "With friends", "On one device"):
        box = card.get_by_role("button", name=door).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= anna.page.viewport_size["height"], door


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_the_controls_of_a_replay_leave_the_whole_market_in_sight(visit, locale):
    anna = visit(locale=locale, viewport=LAPTOP)
    anna.arrive()
    imported = anna.page.request.post("/api/records", data=record("tuareg")).json()
    anna.page.goto(f"/table/{imported['id']}#ply=40")
    for width, height in ((1024, 768), (1280, 800)):
        anna.page.set_viewport_size({"width": width, "height": height})
        anna.page.wait_for_function(WHOLE)
    anna.page.locator(".replay button", has=anna.page.locator(".title")).click()
    anna.page.get_by_role("slider", name=re.compile("How the chances went|Wie sich die Chancen entwickelten")).wait_for()
    anna.page.wait_for_function(WHOLE)


@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
@pytest.mark.parametrize("game", ["targui", "timbuktu"])
def test_hints_leave_the_board_in_sight_on_a_phone(visit, game, locale):
    anna = visit(locale=locale, **SCREENS["phone"])
    sit_down(anna, record(game))
    anna.page.get_by_role("button", name=re.compile("^(Hint|Tipp)$")).click()
    anna.page.locator(".hints li").nth(2).wait_for()
    anna.page.wait_for_function(BOARD_IN_SIGHT)
    anna.page.locator(".hints .close").click()
    anna.page.wait_for_function("() => scrollY === 0")


@pytest.mark.parametrize("game", ["targui", "timbuktu"])
def test_a_review_leaves_the_board_in_sight_on_a_phone(visit, game):
    anna = visit(locale="de-DE", **SCREENS["phone"])
    anna.arrive()
    imported = anna.page.request.post("/api/records", data=record(game)).json()
    anna.page.goto(f"/table/{imported['id']}#ply=40")
    anna.page.locator(".replay button", has=anna.page.locator(".title")).click()
    anna.page.locator(".review .grade").wait_for()
    anna.page.wait_for_function(BOARD_IN_SIGHT)
    assert anna.page.evaluate(SMALL, SMALLEST) == []


@pytest.mark.parametrize(("game", "locale", "steps"), [("targui", "en-GB", 2), ("targi", "en-GB", 6), ("targi", "de-DE", 6)])
def test_the_guide_leaves_the_board_in_sight_on_a_phone(visit, game, locale, steps):
    anna = visit(knows=False, locale=locale, **SCREENS["phone"])
    anna.found(game, "me", *["greedy"] * (2 if game == "targui" else 1))
    anna.page.locator(".guide").wait_for()
    for _ in range(steps):
        anna.page.wait_for_function(BOARD_IN_SIGHT)
        assert anna.page.evaluate(SMALL, SMALLEST) == []
        anna.page.locator(".guide button").last.click()


@pytest.mark.parametrize("seats", [3, 5])
def test_the_guide_leaves_the_market_in_sight_on_a_phone(visit, seats):
    anna = visit(knows=False, locale="de-DE", **SCREENS["phone"])
    anna.found("tuareg", "me", *["greedy"] * (seats - 1))
    anna.page.locator(".guide").wait_for()
    for _ in range(3):
        anna.page.wait_for_function("""() => {
          const [market, own] = ['.middle', 'main > .own'].map((one) => document.querySelector(one)?.getBoundingClientRect())
          return market && own && market.bottom <= own.top + 12 // the upper end of what lies below is clear
        }""")
        anna.page.locator(".guide").get_by_role("button", name="Weiter").click()


def asked_which_animal(position: Position) -> Move | None:
    """A move of the first seat after which it chooses among animals."""
    if position.seat != 0 or position.phase != "turn":
        return None
    for move in position.moves():
        if move.name == "take":
            after = position.copy()
            after.play(move)
            if after.phase == "onto" and len(after.moves()) > 1:
                return move
    return None


@pytest.mark.parametrize("seats", [3, 5])
def test_beside_the_guide_what_may_be_touched_comes_into_sight_on_a_phone(visit, seats):
    anna = visit(knows=False, locale="de-DE", **SCREENS["phone"])
    position = near("tuareg", seats, 0.5, asked_which_animal)
    sit_down(anna, to_record(position))
    anna.page.locator(".guide").wait_for()
    taken = asked_which_animal(position)
    assert taken is not None
    anna.page.locator(f'[data-spot="market-{taken.args["good"]}"]').click()
    anna.page.wait_for_function("""() => {
      const [guide, own] = ['.guide', 'main > .own'].map((one) => document.querySelector(one)?.getBoundingClientRect())
      const animals = [...document.querySelectorAll('.board .lit')].map((one) => one.getBoundingClientRect())
      const inSight = (one) => one.top >= guide.bottom && one.bottom <= own.top
      return guide && own && guide.top >= 0 && document.querySelector('.board .animals .lit') && animals.every(inSight)
    }""")


@pytest.mark.parametrize("screen", [*SCREENS, "laptop in German"])
def test_the_room_of_the_slider_tells_what_happened(visit, screen):
    anna = visit(**{**SCREENS, **MORE_SCREENS}[screen])
    anna.found("targui", "me", "greedy", "greedy")
    lines = anna.page.locator(".lately li")
    seen = 0
    anna.wait()
    for _ in range(12):
        if lines.count() and lines.last.is_visible():
            seen += 1
            assert anna.page.locator("form .slider").count() == 0
            covered = anna.page.evaluate("""() => {
              const top = document.querySelector('.lately').getBoundingClientRect().top
              return [...document.querySelectorAll('.prompt .question, .prompt .buttons, .prompt .tools')]
                .filter((one) => one.getBoundingClientRect().bottom > top + 1).map((one) => one.className)
            }""")
            assert covered == []
        anna.step()
    assert seen > 1


def test_a_large_screen_is_used(visit):
    anna = visit(viewport=WIDE, reduced_motion="reduce")
    sit_down(anna, record("tuareg"))
    used: dict[str, Any] = anna.page.evaluate("""() => {
      const board = document.querySelector('.board').getBoundingClientRect()
      const parts = [...document.querySelectorAll('.board .others, .board .middle, .board .caravan.own .animals')]
      return { whole: board.height, parts: parts.reduce((sum, one) => sum + one.getBoundingClientRect().height, 0) }
    }""")
    assert used["parts"] > 0.75 * used["whole"]


def test_a_board_higher_than_wide_leaves_its_room_to_what_lies_beside_it(visit):
    anna = visit(viewport=WIDE, reduced_motion="reduce")
    sit_down(anna, record("targi"))
    slots = anna.page.locator(".shelves .slot")
    assert slots.count() == 24
    assert min(slot.bounding_box()["width"] for slot in slots.all()) > 70
    assert anna.page.evaluate(CUT) == []
    used: dict[str, Any] = anna.page.evaluate("""() => {
      const board = document.querySelector('.board').getBoundingClientRect()
      return { left: document.querySelector('.side-panel').getBoundingClientRect().right, ...board.toJSON() }
    }""")
    assert used["width"] < 1.15 * used["height"]
    assert used["x"] - used["left"] < 24
