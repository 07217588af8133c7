"""Nothing is lost: reloading, a line that breaks, a server that is killed and started again."""

from __future__ import annotations

from playwright.sync_api import WebSocketRoute

from tests.browser.visitor import Visitor
from tests.server.running import Process

# A page that does not take a line for dead after three seconds: on a busy machine the test itself may take as long.
PATIENT = """const usual = window.setTimeout
window.setTimeout = (called, wait, ...more) => usual(called, wait === 3000 ? 1e9 : wait, ...more)"""


class SlowLine:
    """A table's socket of a browser that holds back what the server sends while `holding`; a later one holds nothing back."""

    def __init__(self, visitor: Visitor) -> None:
        self.holding = False
        self.held: list[str | bytes] = []
        self.lines: list[WebSocketRoute] = []
        visitor.page.route_web_socket("**/live?*", self._connect)

    def _connect(self, line: WebSocketRoute) -> None:
        self.lines.append(line)
        server = line.connect_to_server()
        server.on_message(lambda message: self._carry(line, message))

    def _carry(self, line: WebSocketRoute, message: str | bytes) -> None:
        if self.holding and line is self.lines[0]:
            self.held.append(message)
        else:
            line.send(message)

    def release(self) -> None:
        self.holding = False
        for message in self.held:
            self.lines[0].send(message)


def decide_and_hear_nothing(visitor: Visitor, line: SlowLine) -> str:
    """Choose something; the server has answered, and the answer is held back. The state before."""
    before = visitor.wait()
    line.holding = True
    visitor.choose()
    while not line.held:
        visitor.page.wait_for_timeout(20)
    visitor.page.wait_for_timeout(150)  # time enough to light the same again, if the page were so foolish
    return before


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


def test_nothing_glows_between_the_answer_to_a_move_and_the_new_position(visit):
    anna = visit()
    anna.page.add_init_script(PATIENT)
    line = SlowLine(anna)
    anna.found("targi", "me", "greedy")
    before = decide_and_hear_nothing(anna, line)
    assert anna.state() is None, "what was decided can be chosen again"
    line.release()
    assert anna.wait(before)
    assert len(line.lines) == 1


def test_a_line_that_does_not_bring_what_was_answered_is_opened_again(visit):
    anna = visit()
    line = SlowLine(anna)
    anna.found("targi", "me", "greedy")
    before = decide_and_hear_nothing(anna, line)
    assert anna.wait(before)
    assert len(line.lines) == 2
    anna.step()


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
