"""Several browsers in one game: they find each other by the link, see each other's moves, and no secret reaches the wrong one."""

from __future__ import annotations

from typing import Any

from tests.browser.visitor import Visitor
from tests.server.running import until

CARAVAN_ABOVE_THE_REQUEST = """() => {
  const [caravan, request] = ['.caravan.own', '.proposal'].map((one) => document.querySelector(one)?.getBoundingClientRect())
  return caravan && request && caravan.bottom <= request.top + 1
}"""


def around_one_table(visit: Any, game: str, people: int) -> list[Visitor]:
    """The first sets up a table for friends, the others open its link and sit down."""
    everybody = [visit(seed=number) for number in range(people)]
    first = everybody[0]
    first.set_up(game, "With friends", seats=str(people)) if game != "targi" else first.set_up(game, "With friends")
    link = first.page.get_by_label("Link to this table").input_value()
    for friend in everybody[1:]:
        friend.page.goto(link)
        friend.button("Sit down here").first.click()
    return everybody


def play_together(everybody: list[Visitor], decisions: int) -> None:
    """Whoever is asked decides, so many times."""
    for _ in range(decisions):
        asked = until(lambda: next((one for one in everybody if one.state()), None), "nobody is asked")
        before = asked.state()
        asked.choose()
        asked.wait_for_change(before)


def play_by_requests(everybody: list[Visitor], decisions: int) -> None:
    """Whoever is asked decides, so many times, without clicking, which is much quicker; the browsers are told all the same."""
    address = f"/api/tables/{everybody[0].page.url.rpartition('/')[2]}"
    for _ in range(decisions):
        seen = [(one, one.page.request.get(address).json()) for one in everybody]
        asked, view = next((one, view) for one, view in seen if view["moves"])
        move = asked.random.choice(view["moves"])["id"]
        answer = asked.page.request.post(f"{address}/moves", data={"ply": view["ply"], "move": move})
        assert answer.ok, answer.text()
    for one in everybody:
        one.page.locator(f".table[data-ply='{answer.json()['ply']}']").wait_for()


def views(visitor: Visitor) -> list[dict[str, Any]]:
    """All positions the server has sent to a browser."""
    return [one for one in visitor.received if one.get("type") == "table" and one["view"]]


def test_two_browsers_play_tuareg_and_neither_is_told_the_others_hand(visit):
    everybody = around_one_table(visit, "tuareg", 2)
    play_together(everybody, 10)
    play_by_requests(everybody, 50)
    for seat, one in enumerate(everybody):
        seen = views(one)
        assert len(seen) > 30
        assert all(view["seat"] == seat for view in seen)
        assert all(set(view["view"]["hand"][1 - seat]) <= {0, -1} for view in seen)
        assert any(sum(view["view"]["hand"][seat]) for view in seen)
        assert not any("seed" in view or "rng" in view["view"] for view in seen)


def test_three_browsers_play_timbuktu_and_learn_only_what_they_have_seen(visit):
    everybody = around_one_table(visit, "timbuktu", 3)
    play_together(everybody, 15)
    play_by_requests(everybody, 65)
    chosen = 0
    for seat, one in enumerate(everybody):
        for view in (message["view"] for message in views(one)):
            for thieves in view["notes"]["sets"]:
                if seat not in thieves["seen_by"]:
                    assert thieves["pen"] is None
                    assert thieves["stalls"] is None
                    assert thieves["goods"] is None
            if view["phase"] == "choosing":
                chosen += view["choice"][seat] >= 0
                assert all(camel < 0 for other, camel in enumerate(view["choice"]) if other != seat)
    assert chosen, "nobody has chosen a camel: the test has seen nothing"


def test_a_request_to_take_a_move_back_leaves_the_own_caravan_in_sight(visit):
    everybody = around_one_table(visit, "tuareg", 2)
    play_together(everybody, 2)
    play_by_requests(everybody, 20)
    address = f"/api/tables/{everybody[0].page.url.rpartition('/')[2]}"
    asked = next(one for one in everybody if one.page.request.get(address).json()["moves"])
    asking = next(one for one in everybody if one is not asked)
    to = asking.page.request.get(address).json()["take_back_to"]
    assert asking.page.request.post(f"{address}/take-back", data={"to": to}).ok
    for width, height in ((1024, 768), (390, 844)):
        asked.page.set_viewport_size({"width": width, "height": height})
        asked.page.locator(".proposal").wait_for()
        asked.page.wait_for_function(CARAVAN_ABOVE_THE_REQUEST)


def test_two_browsers_see_the_same_end_and_meet_again(visit):
    anna, bela = around_one_table(visit, "targi", 2)
    play_together([anna, bela], 12)
    bela.button("Give up").click()
    bela.page.get_by_role("dialog").get_by_role("button", name="Give up").click()
    assert [one.wait() for one in (anna, bela)] == ["over", "over"]
    assert anna.page.locator(".ending tbody").first.inner_text() == bela.page.locator(".ending tbody").first.inner_text()
    anna.button("Play again").click()
    bela.page.get_by_role("link", name="Play again").click()
    bela.button("Sit down here").click()
    play_together([anna, bela], 3)


def test_a_spectator_sees_the_board_and_may_click_nothing(visit):
    anna, clara = visit(), visit()
    table = anna.found("targi", "me", "greedy")
    clara.page.goto(f"/table/{table}")
    clara.page.get_by_role("region", name="Board").locator("svg").first.wait_for()
    before = clara.page.locator(".table").get_attribute("data-ply")
    anna.step()
    clara.page.wait_for_function("(before) => (document.querySelector('.table')?.dataset.ply ?? before) !== before", arg=before)
    assert clara.state() is None
    assert all(set(view["view"]["hand"]) <= {-1, -2} for view in views(clara))


def test_people_at_a_table_can_talk(visit):
    everybody = around_one_table(visit, "targi", 2)
    everybody[0].page.get_by_role("tab", name="Talk").click()
    everybody[0].page.get_by_label("Say something").fill("Peace, and much salt.")
    everybody[0].button("Send").click()
    everybody[1].page.get_by_role("tab", name="Talk 1").click()
    everybody[1].page.get_by_text("Peace, and much salt.").wait_for()
