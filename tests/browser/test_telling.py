"""The table tells what happens: every turn of the others, what changed since one's own, and why something cannot be done."""

from __future__ import annotations

import functools
import itertools
import random
import re
from typing import Any

import pytest

import azalai
from azalai.engine.moves import Event, Move
from azalai.engine.position import Position
from azalai.engine.record import to_record
from azalai.engine.words import Words
from azalai.games.targui.components import CHOTT
from tests.browser.moments import near
from tests.browser.screenshots import sit_down
from tests.browser.visitor import GAMES, PHONE, Visitor

# Notes what the page says, how long the log is and what the players' panels say, whenever one of them changes:
# after every change of the page, because a busy machine leaves out frames.
WATCH = """window.told = []
let looks = false
const look = () => {
  looks = false
  const now = {
    text: document.querySelector('.question')?.textContent ?? '',
    log: [...document.querySelectorAll('.log li:not(.since) .text')].map((one) => one.lastChild?.textContent ?? ''),
    states: [...document.querySelectorAll('.players .state')].map((one) => one.textContent.trim()),
  }
  const last = window.told.at(-1)
  if (last?.text !== now.text || last.log.length !== now.log.length) window.told.push({ ...now, at: performance.now() })
}
new MutationObserver(() => {
  if (!looks) setTimeout(look)
  looks = true
}).observe(document, { subtree: true, childList: true, characterData: true })"""
# Whether the page has said something else since a moment, and now says the same again.
SAID_AGAIN = """([since, question]) => window.told.slice(since).some((one) => one.text !== question) &&
  window.told.at(-1).text === question"""
LONG_ENOUGH = 200  # milliseconds


def told(visitor: Visitor) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = visitor.page.evaluate("window.told")
    return found


def events_of(visitor: Visitor) -> list[dict[str, Any]]:
    """All events that the server sent, each once."""
    found = {}
    for view in visitor.received:
        for number, event in enumerate(view.get("events") or ()):
            found[event["ply"], number if view["from"] < 0 else (event["kind"], *event["args"].items())] = event
    return [found[key] for key in sorted(found, key=lambda key: key[0])]


def turns_of(visitor: Visitor) -> list[tuple[int, list[str]]]:
    """What has been told of each turn so far, with its seat."""
    shown = max(view["ply"] for view in visitor.received if view.get("type") == "table")
    turns = itertools.groupby((one for one in events_of(visitor) if 0 < one["ply"] <= shown), key=lambda one: one["seat"])
    return [(seat, [event["text"] for event in events if event["text"]]) for seat, events in turns]


def lasting(moments: list[dict[str, Any]]) -> set[str]:
    """The sentences that stood long enough to be read."""
    times = itertools.pairwise([*moments, {"at": float("inf")}])
    return {one["text"] for one, after in times if after["at"] - one["at"] >= LONG_ENOUGH}


@pytest.mark.parametrize("game", ["targui", "tuareg"])
def test_every_turn_of_the_others_is_seen(visit, game):
    anna = visit(speed="normal")
    anna.page.add_init_script(WATCH)
    anna.found(game, "me", "greedy", "greedy", "greedy")
    others: list[list[str]] = []
    for _ in range(12):
        anna.step()
        me = next(view["seat"] for view in anna.received if view.get("type") == "table")
        seen = turns_of(anna)
        others = [texts for seat, texts in seen if seat != me and texts]
        if len(others) > 5:
            break
    read = lasting(told(anna))
    assert len(others) > 3
    missed = [texts for texts in others if not any(text in sentence for text in texts for sentence in read)]
    assert missed == []
    steps = [len(after["log"]) - len(before["log"]) for before, after in itertools.pairwise(told(anna)) if before["log"]]
    assert max(steps) <= max(len(texts) for _, texts in seen)


def before_the_theft() -> dict[str, object]:
    """A game of Timbuktu in which the thieves come after the first seat's decision, whatever that is."""
    for seed in range(100):
        position = azalai.game("timbuktu").new(3, seed=seed)
        player = azalai.bot("greedy", position.game, seed=seed)
        while position.state.stage == 0:
            if (
                position.seat == 0
                and position.state.round_no == 7
                and all(brings_thieves(position, move) for move in position.moves())
            ):
                return to_record(position)
            position.play(player.choose(position.seen_by(position.seat)))
    raise AssertionError("the first seat is never the last to decide")


def brings_thieves(position: Position, move: Move) -> bool:
    return any(event.kind == "struck" for event in position.copy().play(move))


# While thieves come: what the stalls say of the goods in them, whenever that changes.
STALLS = """window.stalls = []
new MutationObserver(() => {
  if (!document.querySelector('.question')?.textContent.startsWith('Thieves in the')) return
  const now = [...document.querySelectorAll('.board .target')].map((one) => one.getAttribute('aria-label')).join()
  if (window.stalls.at(-1) !== now) window.stalls.push(now)
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true })"""


def test_a_theft_is_told_while_it_happens(visit):
    anna = visit(speed="fast")
    anna.page.add_init_script(WATCH)
    anna.page.add_init_script(STALLS)
    sit_down(anna, before_the_theft())
    anna.choose()
    anna.page.wait_for_function("() => window.told.some((one) => /^Stage 2/.test(one.text))")
    moments = told(anna)
    struck = [one for one in moments if one["text"].startswith("Thieves in the")]
    assert len({one["text"] for one in struck}) == 5
    for moment in struck:
        assert moment["text"] in moment["log"][-2:]  # the log keeps step
        assert "to decide" not in moment["states"]
    assert len(anna.page.evaluate("window.stalls")) > 2  # what is stolen is not drawn any more
    anna.page.locator(".log .since").wait_for()
    lines = anna.page.locator(".log li:has(~ .since)").all_text_contents()
    assert lines
    assert not any("Thieves in the" in line for line in lines)  # they have come since one's turn
    assert max(len(after["log"]) - len(before["log"]) for before, after in itertools.pairwise(moments) if before["log"]) < 4


def places_the_last(position: Position, move: Move) -> bool:
    """Whether the last camels come after a move by themselves, several of them to one pen."""
    events = position.copy().play(move)
    pens = [event.args["pen"] for event in events if event.kind == "placed"]
    return len(set(pens)) < len(pens) and any(event.kind == "stage" for event in events)


def before_several_come_to_a_pen() -> tuple[dict[str, object], Move]:
    """A game of Timbuktu in which one move of the first seat brings all camels that are left, several to one pen."""
    for seed in range(100):
        position, chance = azalai.game("timbuktu").new(3, seed=seed), random.Random(seed)
        while position.phase == "placing":
            for move in position.moves() if position.seat == 0 else ():
                if places_the_last(position, move):
                    return to_record(position), move
            position.play(chance.choice(position.move_ids()))
    raise AssertionError("a pen never fills by itself")


# Once the first stage is told: where the letters of all camels on the board are.
LETTERS = """window.letters = null
new MutationObserver(() => {
  if (window.letters || !document.querySelector('.question')?.textContent.startsWith('Stage 1')) return
  const circles = [...document.querySelectorAll('.board circle[r="10"][fill^="var(--player-"]')]
  window.letters = circles.map((one) => one.getBoundingClientRect())
    .map(({ left, top, width, height }) => `${Math.round(left + width / 2)},${Math.round(top + height / 2)}`)
}).observe(document, { subtree: true, childList: true, characterData: true })"""


def test_camels_that_place_themselves_stand_beside_each_other(visit):
    anna = visit(speed="fast")
    anna.page.add_init_script(LETTERS)
    record, move = before_several_come_to_a_pen()
    sit_down(anna, record)
    _, camel, pen = move.text.split()
    anna.page.locator(".hand li button", has_text=camel).click()
    anna.button(f"place camel {camel} in the {pen.capitalize()} pen").click()
    letters = anna.page.wait_for_function("() => window.letters").json_value()
    assert len(set(letters)) == len(letters) == 24


def ends_with_a_raid(position: Position) -> bool:
    """Whether the first seat can end the round now, cards come up, and the robber then raids."""
    if position.seat != 0 or position.phase != "acting":
        return False
    kinds = [event.kind for event in position.copy().play("done")]
    return "raid" in kinds and any(kind.startswith("turned") for kind in kinds)


def test_cards_of_targi_come_up_before_the_robber_raids(visit):
    anna = visit(speed="fast")
    anna.page.add_init_script(WATCH)
    sit_down(anna, to_record(near("targi", 2, 0.5, ends_with_a_raid)))
    anna.button(re.compile("^Done")).click()
    anna.page.locator(".question", has_text="The robber demands").wait_for()
    moments = told(anna)
    texts = [one["text"] for one in moments]
    turned = next(number for number, text in enumerate(texts) if text.startswith("Turned up"))
    raid = next(number for number, text in enumerate(texts) if text.endswith("the robber strikes."))
    assert turned < raid
    assert texts[raid] in moments[raid]["log"][-1:]  # the log keeps step


@pytest.mark.parametrize("game", GAMES)
def test_what_happened_since_ones_turn_is_marked_and_can_be_shown_again(visit, game):
    anna = visit(speed="fast")
    anna.page.add_init_script(WATCH)
    anna.found(game, "me", *["greedy"] * (2 if game == "timbuktu" else 1))
    marks = anna.page.locator("[data-change], [data-way]")
    for _ in range(30):
        anna.step()
        if marks.count():
            break
    before = anna.wait()
    assert marks.count() > 0
    assert anna.page.locator(".log .since").count() == 1
    question = anna.question
    since = len(told(anna))
    anna.page.keyboard.press("r")
    anna.page.wait_for_function(SAID_AGAIN, arg=[since, question])
    assert anna.wait() == before
    anna.page.reload()  # the page has forgotten what came before
    assert anna.wait() == before
    since = len(told(anna))
    anna.button("Again").click()
    anna.page.wait_for_function(SAID_AGAIN, arg=[since, question])
    assert anna.wait() == before


# Marks of a number of camels that came or went, over what a field is worth or over how many camels stand there.
OVER_NUMBERS = """() => {
  const boxes = (query) => [...document.querySelectorAll(query)].map((one) => one.getBoundingClientRect())
  const numbers = boxes('.desert .target .value, .desert .camels')
  return boxes('[data-change] rect').filter((mark) => numbers.some((one) =>
    Math.min(mark.right, one.right) > Math.max(mark.left, one.left) &&
    Math.min(mark.bottom, one.bottom) > Math.max(mark.top, one.top))).length
}"""


def test_marks_of_what_changed_cover_no_number(visit):
    anna = visit()
    position = near("targui", 3, 0.5, lambda one: one.phase == "marching" and one.seat == 0)
    sit_down(anna, to_record(position))
    assert anna.page.locator("[data-change]").count() > 0
    assert anna.page.evaluate(OVER_NUMBERS) == 0


# Numbers of the board that an arrow covers: points of the digits that lie in it.
UNDER_ARROWS = """() => {
  const digits = [...document.querySelectorAll('.desert .target .worth, .desert .target .camels')]
  const shares = [0.1, 0.3, 0.5, 0.7, 0.9]
  return [...document.querySelectorAll('.desert .way, .desert .arrow')].flatMap((arrow) => {
    const inside = arrow.getScreenCTM().inverse()
    const covers = (box, x, y) =>
      arrow.isPointInFill(new DOMPoint(box.left + box.width * x, box.top + box.height * (0.25 + y / 2)).matrixTransform(inside))
    return digits.filter((one) => {
      const box = one.getBoundingClientRect()
      return shares.some((x) => shares.some((y) => covers(box, x, y)))
    })
  }).map((one) => one.textContent)
}"""


def in_all_directions(position: Position) -> bool:
    s = position.state
    around = position.phase == "heading" and position.seat == 0 and len(position.moves()) > 6
    return around and int(s.camels[s.origin]) > 9


def came_slantwise(position: Position) -> bool:
    """Whether the first seat's turn begins after another's camels have crossed a corner."""
    others = itertools.takewhile(lambda one: one[0] != 0, reversed(position.history))
    moves = [move for _, move in others if move.name in ("to", "march")] if position.phase == "marching" else []
    ways = itertools.pairwise(moves)  # backwards in time
    return position.seat == 0 and any(
        to.name == "to" and abs(to.args["field"] - march.args["field"]) in (6, 8) for to, march in ways
    )


@pytest.mark.parametrize("wanted", [in_all_directions, came_slantwise])
def test_arrows_on_the_board_cover_no_number(visit, wanted):
    anna = visit()
    sit_down(anna, to_record(near("targui", 3, 0.3, wanted)))
    anna.page.locator(".desert .way, .desert .arrow").first.wait_for()
    assert anna.page.evaluate(UNDER_ARROWS) == []


@functools.cache
def stacked_high() -> dict[str, object]:
    """Since the first seat's turn in Tuareg somebody has loaded an animal's fourth good, and somebody has filled the market."""
    for seed in range(40):
        position = azalai.game("tuareg").new(3, seed=seed)
        player = azalai.bot("greedy", position.game, seed=seed)
        since: list[Event] = []
        while not position.over:
            loaded = [one.args for one in since if one.kind in ("took", "loaded")]
            full = any(position.state.height[args["seat"], args["animal"]] == 4 for args in loaded)
            if position.seat == 0 and full and any(one.kind == "gave" for one in since):
                return to_record(position)
            others = position.seat != 0
            events = position.play(player.choose(position.seen_by(position.seat)))
            since = [*since, *events] if others else []
    raise AssertionError("nobody loads so much")


# Marks of goods that came or went, over what a card is worth or over a good on an animal.
OVER_GOODS = """() => {
  const boxes = (query) => [...document.querySelectorAll(query)].map((one) => one.getBoundingClientRect())
  const goods = boxes('.middle text, .animals [data-spot^="animal"] g[data-theme="light"]')
  return boxes('.middle [data-change], .animals [data-change]').filter((mark) => goods.some((one) =>
    Math.min(mark.right, one.right) > Math.max(mark.left, one.left) &&
    Math.min(mark.bottom, one.bottom) > Math.max(mark.top, one.top))).length
}"""


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, PHONE])
def test_marks_of_what_changed_cover_neither_a_good_nor_what_it_is_worth(visit, viewport):
    anna = visit(viewport=viewport)
    sit_down(anna, stacked_high())
    assert anna.page.locator(".middle [data-change]").count() > 0
    assert anna.page.locator(".others .animals [data-change]").count() > 0
    assert anna.page.evaluate(OVER_GOODS) == 0


def attacks(position: Position) -> list[Move]:
    """The ways of the first seat's camels that lead to others' camels."""
    s = position.state
    ways = position.moves() if position.seat == 0 and position.phase == "heading" else []
    return [way for way in ways if s.camels[way.args["field"]] and s.owner[way.args["field"]] > 0]


def test_an_attack_is_marked_while_the_dice_roll(visit):
    """Who attacks whom need not be read in the log."""
    anna = visit(speed="slow")
    position = near("targui", 3, 0.6, attacks)
    sit_down(anna, to_record(position))
    attack = attacks(position)[0]
    anna.page.locator(f'.board .hit[aria-label="{Words(position.game, 3).move(attack, position)}"]').click()
    way = f"{position.state.origin}-{attack.args['field']}"
    anna.page.wait_for_function(
        """(way) => document.querySelector(`.way.fight[data-way="${way}"]`) &&
          document.querySelector('.question')?.textContent.includes(' rolls ')""",
        arg=way,
    )


def cornered() -> Position:
    """The first seat of two has settled on a1 between salt seas, and the other stands on b2, the only way out."""
    game = azalai.game("targui")
    for seed in range(4000):
        position = game.new(2, seed)
        if not (position.state.terrain[1] == position.state.terrain[7] == CHOTT != position.state.terrain[8]):
            continue
        while not position.over and position.ply < 400:
            moves = {str(move): move for move in position.moves()}
            if position.seat == 0:
                if str(position.phase) == "marching" and position.state.owner[8] == 1 and position.state.camels[8]:
                    return position
                position.play(next(moves[name] for name in ("settle a1", "stay", "done", "retreat", *moves) if name in moves))
            else:
                position.play(min(position.moves(), key=lambda move: towards(position, move)))
    raise AssertionError("nobody comes to b2")


def towards(position: Position, move: Move) -> tuple[int, int]:
    """How near to b2 a move leads; of those that lead equally near, one with more camels comes first."""
    away = max(abs(move.args["field"] % 7 - 1), abs(move.args["field"] // 7 - 1)) if "field" in move.args else 9
    useless = move.name == "march" and not position.state.camels[move.args["field"]]
    return (99 if move.name == "buy" or useless else away), -move.args.get("camels", 0)


def test_camels_with_a_single_way_out_attack_only_once_their_prey_is_clicked_too(visit):
    anna = visit()
    sit_down(anna, to_record(cornered()))
    attack = anna.page.locator('.board .hit[aria-label="march from a1: an attack on Yellow on b2"]')
    assert attack.count() == 1
    assert anna.page.locator(".board .odds").count() == 0
    ply = anna.page.locator(".table").get_attribute("data-ply")
    attack.click()
    anna.page.locator(".board .odds").wait_for()
    assert anna.page.locator(".table").get_attribute("data-ply") == ply
    attack.nth(1).click()
    anna.page.locator(".log", has_text="Green attacks Yellow on b2 from a1.").wait_for()


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, PHONE])
def test_what_fate_cards_mean_is_told_without_pointing_at_them(visit, viewport):
    anna = visit(viewport=viewport)
    position = near("targui", 4, 0.5, lambda one: one.phase == "marching" and one.seat == 0 and one.state.fate > 0)
    sit_down(anna, to_record(position))
    beside = anna.page.locator(".beside")
    beside.get_by_text(re.compile(f"^{position.state.fate}, .+")).wait_for()
    coming = position.view(0)["notes"]["fates_left"]
    anna.button("Fate cards that may still come").click()
    told = anna.page.get_by_role("dialog").get_by_role("listitem").locator("span").all_inner_texts()
    assert [words.split(",")[0] for words in told] == [str(number) for number in coming]


def test_a_wrong_click_says_why(visit):
    anna = visit()
    anna.found("targui", "me", "greedy")
    anna.wait()
    anna.page.locator(".board .target[role=img]").first.click()
    anna.page.locator(".explanation[role=status]", has_text="Only your own zone may be settled.").wait_for()
    assert anna.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "none"  # a click frames nothing


def test_a_stall_out_of_turn_says_which_is_next(visit):
    anna = visit()
    anna.found("timbuktu", "me", "greedy", "greedy")
    anna.wait()
    anna.page.locator(".board .target[role=img]").first.click()
    said = "Stalls fill in the order of their numbers: a camel that goes here takes stall"
    anna.page.locator(".explanation[role=status]", has_text=said).wait_for()


@pytest.mark.parametrize("game", GAMES)
def test_whatever_is_not_lit_can_be_asked(visit, game):
    anna = visit()
    anna.found(game, "me", *["greedy"] * (2 if game == "timbuktu" else 1))
    for _ in range(4):
        anna.step()
        dark = anna.page.locator(".board").locator(".target[role=img], .spot[role=img]")
        dark.filter(visible=True).first.click()
        answer = anna.page.locator(".explanation[role=status]")
        answer.wait_for()
        assert len(answer.inner_text()) > 10
        anna.page.mouse.click(2, 2)
        answer.wait_for(state="detached")


def test_a_thief_says_how_he_is_sent_out(visit):
    anna = visit()
    sit_down(anna, to_record(near("tuareg", 3, 0.6, lambda one: one.seat == 0 and may_rob(one))))
    answer = anna.page.locator(".explanation[role=status]", has_text="The button with the thief beside another’s name")
    for thing in ('.own [data-spot="thief-0"]', '.others [data-spot^="animal-"]'):
        anna.page.locator(thing).last.click()
        answer.wait_for()
        anna.page.mouse.click(2, 2)
        answer.wait_for(state="detached")


def may_rob(position: Position) -> bool:
    return position.phase == "turn" and any(move.name == "rob" for move in position.moves())


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, PHONE])
def test_the_card_in_hand_says_why_it_cannot_be_laid_out(visit, viewport):
    anna = visit(viewport=viewport)
    sit_down(
        anna, to_record(near("targi", 2, 0.5, lambda one: one.seat == 0 and one.phase == "placing" and one.state.hand[0] >= 0))
    )
    anna.page.locator("figure", has_text="your hand").click()
    anna.page.locator(".explanation[role=status]", has_text="laid out with the Noble").wait_for()


@pytest.mark.parametrize("game", ["targui", "tuareg"])  # a drawing, and things made of HTML
def test_what_is_not_lit_can_be_asked_by_keyboard(visit, game):
    anna = visit()
    anna.found(game, "me", "greedy")
    anna.wait()
    dark = "document.activeElement.matches('.board [role=img]')"
    for key in ["ArrowRight", "ArrowDown"] * 10:
        anna.page.keyboard.press(f"Shift+{key}")
        if anna.page.evaluate(dark):
            break
    assert anna.page.evaluate(dark)
    anna.page.keyboard.press("Enter")
    anna.page.locator(".explanation[role=status]").wait_for()
    lit = "document.activeElement.matches('.board .hit, .board button.lit')"
    for key in ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]:  # without Shift only to what may be chosen
        if not anna.page.evaluate(lit):
            anna.page.keyboard.press(key)
    assert anna.page.evaluate(lit)


@pytest.mark.parametrize("game", ["targui", "tuareg", "timbuktu", "targi"])
def test_an_explanation_covers_nothing_that_may_be_clicked(visit, game):
    anna = visit(viewport={"width": 1280, "height": 800})
    anna.found(game, "me", *["greedy"] * (2 if game == "timbuktu" else 1))
    for _ in range(3):
        anna.step()
    lit = anna.page.locator(".board .hit, .board button.lit")
    for number in range(min(8, lit.count())):
        anna.page.mouse.move(2, 2)
        anna.page.locator(".explanation").wait_for(state="detached")
        lit.nth(number).hover()
        anna.page.locator(".explanation").wait_for()
        covered = anna.page.evaluate("""() => {
          const box = document.querySelector('.explanation').getBoundingClientRect()
          return [...document.querySelectorAll('.board .hit, .board button.lit, .prompt')].filter((one) => {
            const other = one.getBoundingClientRect()
            const across = Math.min(box.right, other.right) - Math.max(box.left, other.left)
            return across > 1 && Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 1
          }).length
        }""")
        assert covered == 0


def hiding() -> dict[str, object]:
    """Somebody else in Tuareg has hidden goods, and the first seat decides."""
    for seed in range(40):
        position = azalai.game("tuareg").new(3, seed=seed)
        player = azalai.bot("greedy", position.game, seed=seed)
        while not position.over:
            if position.seat == 0 and any(position.view(0)["notes"]["hidden"][1:]):
                return to_record(position)
            position.play(player.choose(position.seen_by(position.seat)))
    raise AssertionError("nobody hides a thing")


def test_a_tap_explains_what_does_nothing_else(visit):
    anna = visit(viewport=PHONE, has_touch=True, is_mobile=True)
    sit_down(anna, hiding())
    anna.page.locator(".players .hidden").first.tap()
    answer = anna.page.locator(".explanation[role=status]")
    answer.filter(has_text="hidden in caves or under thieves").wait_for()
    anna.page.locator(".question").tap()
    answer.wait_for(state="detached")


def test_an_explanation_goes_when_it_is_ones_turn_again(visit):
    """What was not lit when it opened may be below it now."""
    anna = visit(viewport={"width": 1280, "height": 800})
    anna.found("targi", "me", "greedy")
    before = anna.wait()
    anna.page.locator('.board .target[tabindex="-1"]').first.hover()
    anna.page.locator(".explanation").wait_for()
    anna.page.locator(".board .hit").last.evaluate("(one) => one.dispatchEvent(new MouseEvent('click', { bubbles: true }))")
    anna.wait(before)
    anna.page.locator(".explanation").wait_for(state="detached")


def test_a_card_of_the_frame_says_in_words_what_it_does(visit):
    anna = visit(locale="de-DE")
    anna.found("targi", "me", "greedy")
    anna.wait()
    cards = {
        "Händler": "3 gleiche Waren gegen 1 Gold, 2 gleiche Waren gegen 1 andere Ware",
        "Silberschmied": "1 Gold für 2 Silberkreuze",
    }
    for name, words in cards.items():
        anna.page.get_by_role("button", name=f"Targi setzen: {name}").hover()
        anna.page.locator(".explanation").filter(has_text=words).wait_for()


def test_a_card_tells_its_price_on_pointing_at_it(visit):
    anna = visit()
    anna.found("tuareg", "me", "greedy")
    anna.wait()
    anna.page.locator('[data-spot="stack-3"]').hover()
    anna.page.locator(".explanation", has_text="A map: 2 points at the end.").filter(has_text="It costs 3 dinar.").wait_for()
    anna.found("targi", "me", "greedy")
    anna.wait()
    card = anna.page.locator('.board [aria-label*=" · costs "]').first
    price = (card.get_attribute("aria-label") or "").split(" · costs ")[1].splitlines()[0]
    assert re.search(r"\d × \w+", price)
    card.hover()
    anna.page.locator(".explanation").filter(has_text=price).wait_for()


def test_one_sees_who_one_is_and_tells_the_others_apart_on_a_phone(visit):
    anna = visit(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    anna.found("targui", "me", "greedy", "greedy", "greedy")
    anna.step()
    names = [name.inner_text() for name in anna.page.locator(".players li strong").all()]
    assert len(set(names)) == 4
    assert names.count("You") == 1
    anna.button("Log, talk, all moves, rules").click()
    assert anna.page.locator(".log .you").first.inner_text() == "You"


def test_the_start_page_says_in_words_with_whom_one_plays(visit):
    anna = visit()
    anna.found("tuareg", "me", "greedy", "greedy")
    anna.wait()
    anna.page.goto("/")
    anna.page.get_by_text("Your turn, with 2 computer players").first.wait_for()


def test_a_device_is_handed_over_by_name_and_only_where_there_is_a_secret(visit):
    anna = visit()
    anna.page.goto("/")
    anna.card("targi").get_by_role("button", name="On one device").click()
    dialog = anna.page.get_by_role("dialog")
    dialog.get_by_label("Player 1").fill("Tin Hinan")
    dialog.get_by_label("Player 2").fill("Moussa")
    dialog.get_by_role("button", name="Set up the table").click()
    for _ in range(6):  # placing is open: nobody has a card in hand yet
        anna.step()
        assert anna.page.locator(".cover").count() == 0
    names = {name.inner_text() for name in anna.page.locator(".players li strong").all()}
    assert names == {"Tin Hinan", "Moussa"}
    assert anna.question.split(":")[0] in names


def test_the_host_who_waited_has_the_whole_log(visit):
    host, guest = visit(), visit(seed=2)
    table = host.found("targui", "me", "open")
    guest.page.goto(f"/table/{table}")
    guest.button("Sit down here").first.click()
    guest.page.locator(".board svg").first.wait_for()
    host.page.locator(".log", has_text="The desert is laid out.").wait_for()


def test_the_guide_speaks_of_no_settlement_once_it_is_chosen(visit):
    anna = visit(knows=False)
    anna.found("targui", "me", "greedy", "greedy")
    guide = anna.page.get_by_role("complementary", name="First turn")
    guide.get_by_text("1 / 6").wait_for()
    anna.step()  # before anything is read
    guide.get_by_text("2 / 6").wait_for()
    guide.get_by_role("button", name="Next").click()
    guide.get_by_text("On your turn you march and then buy.").wait_for()
    guide.get_by_role("button", name="One step back").click()
    guide.get_by_text("2 / 6").wait_for()


def test_the_guide_does_not_ask_for_a_targi_once_all_are_placed(visit):
    anna = visit(knows=False)
    anna.found("targi", "me", "greedy")
    guide = anna.page.get_by_role("complementary", name="First turn")
    while "Place your" in (anna.wait(), anna.question)[1]:
        anna.step()  # before anything is read
    while "1 / " not in guide.inner_text():
        assert "Place" not in guide.inner_text()
        guide.get_by_role("button", name="One step back").click()


def test_the_rules_beside_the_board_have_contents(visit):
    anna = visit()
    anna.found("targi", "me", "greedy")
    anna.wait()
    anna.button("Rules").click()
    contents = anna.page.get_by_role("navigation", name="Contents").get_by_role("button")
    contents.last.click()
    chapter = anna.page.get_by_role("dialog").get_by_role("heading", name=contents.last.inner_text(), exact=True)
    anna.page.wait_for_function(
        "(one) => { const { top } = one.getBoundingClientRect(); return top >= 0 && top < innerHeight }",
        arg=chapter.element_handle(),
    )
