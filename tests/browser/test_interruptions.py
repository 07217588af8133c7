"""Nothing is lost: reloading, a line that breaks, a server that is killed and started again."""

from __future__ import annotations

import pytest

from tests.browser.visitor import Visitor
from tests.server.running import Process


def test_a_page_that_is_loaded_again_goes_on_where_it_was(visit):
    anna = visit()
    anna.found("targui", "me", "greedy")
    for _ in range(5):
        anna.step()
    before = anna.wait()
    anna.page.reload()
    assert anna.wait() == before
    anna.step()


def test_the_start_page_leads_back_to_a_game(visit):
    anna = visit()
    anna.found("targui", "me", "greedy")
    anna.step()
    before = anna.wait()
    anna.page.goto("/")
    anna.page.get_by_role("link", name="Go on playing").first.click()
    assert anna.wait() == before


def test_a_line_that_breaks_comes_back_by_itself(visit):
    anna = visit()
    anna.found("targi", "me", "greedy")
    before = anna.wait()
    anna.context.set_offline(True)
    anna.context.set_offline(False)
    assert anna.wait() == before
    anna.step()
    anna.problems = [one for one in anna.problems if "ERR_INTERNET_DISCONNECTED" not in one]


@pytest.mark.timeout(120)
def test_a_server_that_is_killed_in_the_middle_loses_nothing(browser, tmp_path):
    with Process(f"sqlite:///{tmp_path / 'azalai.db'}") as server:
        anna = Visitor(browser, server.address)
        anna.found("tuareg", "me", "greedy")
        for _ in range(8):
            anna.step()
        before = anna.wait()
        server.kill()
        anna.page.get_by_text("The line is down").wait_for()
        server.start()
        anna.page.get_by_text("The line is down").wait_for(state="detached")
        assert anna.wait() == before
        anna.step()
        anna.leave()
