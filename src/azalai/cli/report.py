"""`azalai report`: a page on a game's balance, from many games of computer players."""

from __future__ import annotations

import argparse
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import azalai
from azalai.arena import charts
from azalai.arena.charts import Mark
from azalai.arena.report import Estimate, Mean, Study, Topic, declared, leader_wins, play_level, study, study_variant
from azalai.arena.tally import share_interval
from azalai.engine.record import write_atomically
from azalai.engine.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from azalai.cli.texts import Texts
    from azalai.engine.game import Game

BINS = 8  # groups of leads
FEW = 30  # less often seen is not shown
STYLE = """
body{font:16px/1.5 Helvetica,Arial,'DejaVu Sans',sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem}
body{color:#26221e;background:#fff}
h1{margin-bottom:.2rem}h2{margin-top:2.5rem;border-top:1px solid #b9b0a3;padding-top:1rem}svg{max-width:100%;height:auto}
table{border-collapse:collapse;font-size:.8rem}th,td{text-align:right;padding:.15rem .7rem .15rem 0}td+td{white-space:nowrap}
th:first-child,td:first-child{text-align:left;min-width:11rem}
.faint,th{color:#6f675c;font-weight:normal}code{font-size:.9rem}.wide{overflow-x:auto}
@media (prefers-color-scheme: dark){body{color:#efe9df;background:#1b1a18}.faint,th{color:#aba295}h2{border-color:#5c564e}}
"""


def run(args: argparse.Namespace, texts: Texts) -> int:
    """Play, look, write the page."""
    game = azalai.game(args.game)
    seats = game.check_seats(args.seats)
    variants = [] if args.no_variants else declared(game).get("variants", [])
    levels = [name.strip() for name in args.levels.split(",") if name.strip()]
    tables = [count for count in game.seats if count != seats]
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, disable=not Console(stderr=True).is_terminal,
    )  # fmt: skip
    with bar:
        playing = bar.add_task(texts("report.playing"), total=args.games * (1 + len(tables)))

        def play(count: int) -> Study:
            return study(game, count, args.games, args.seed, args.threads, progress=lambda games: bar.advance(playing, games))

        found = {count: play(count) for count in (seats, *tables)}
        more = bar.add_task(texts("report.comparing"), total=len(levels) + len(variants))
        by_level = {}
        for level in levels:
            by_level[level] = play_level(game, level, seats, args.level_games, args.seed, args.threads)
            bar.advance(more)
        others = []
        for variant in variants:
            others.append((variant, study_variant(game, variant, seats, args.games, args.seed, args.threads)))
            bar.advance(more)
    path = Path(args.out or f"report-{game.name}.html")
    page = ReportPage(game, seats, found, by_level, args.level_games, others, texts)
    command = f"azalai report {game.name} --seats {seats} --games {args.games} --seed {args.seed}"
    command += f" --levels {args.levels} --level-games {args.level_games}{' --no-variants' if args.no_variants else ''}"
    write_atomically(path, page.html(args.games, command))
    print(texts("report.written", file=path))
    return 0


class ReportPage:
    """The page, put together from what was found."""

    def __init__(
        self, game: Game, seats: int, found: dict[int, Study], by_level: dict[str, Estimate], level_games: int,
        variants: Sequence[tuple[dict[str, Any], dict[str, Any]]], texts: Texts,
    ) -> None:  # fmt: skip
        self.game, self.seats, self.found, self.by_level, self.level_games = game, seats, found, by_level, level_games
        self.variants = variants
        self.texts = texts
        self.study = found[seats]
        self.words = Words(game, seats, texts.language)

    def html(self, games: int, command: str) -> str:
        """All of it, in one file."""
        texts = self.texts
        title = texts("report.title", game=self.words.title)
        told = {"games": texts.number(games), "seats": self.seats, "rules": self.game.rules, "version": azalai.__version__}
        facts, guide = texts("report.facts", **told), texts("report.how_to_read")
        parts = [
            f"<h1>{escape(title)}</h1>",
            f'<p class="faint">{escape(facts)} <code>{escape(command)}</code></p>',
            f"<p>{escape(guide)}</p>",
            *self.by_seat(),
            *self.levels(),
            *self.points(),
            *self.length(),
            *self.leads(),
            *self.topics(),
            *self.sensitivity(),
        ]
        head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
        return (
            f'<!doctype html>\n<html lang="{texts.language}"><head>{head}<style>{STYLE}</style></head>\n'
            f"<body>\n{chr(10).join(parts)}\n</body></html>\n"
        )

    # ------------------------------------------------------------ sections

    def by_seat(self) -> Iterator[str]:
        """Win chance by seat, for every number of players."""
        yield self.heading("report.by_seat", "report.by_seat_about")
        for count, one in sorted(self.found.items()):
            words = Words(self.game, count, self.texts.language)
            rows = [self.mark(words.seat(seat), mean.share) for seat, mean in enumerate(one.seats)]
            yield charts.marks(self.texts("report.with_seats", seats=count), rows, 1 / count, self.texts("report.wins"))

    def levels(self) -> Iterator[str]:
        """Win chance of stronger and weaker players."""
        if self.by_level:
            yield self.heading("report.by_level", "report.by_level_about", games=self.level_games)
            rows = [
                self.mark(self.texts("ladder.level", number=name) if name.isdigit() else name, share)
                for name, share in self.by_level.items()
            ]
            yield charts.marks(
                self.texts("report.among_greedy", seats=self.seats), rows, 1 / self.seats, self.texts("report.wins")
            )

    def points(self) -> Iterator[str]:
        """How points are spread, of winners and of the others; and by how much winners win."""
        yield self.heading("report.points", "report.points_about")
        pairs = [(score, won > 0) for points, wins in zip(self.study.points, self.study.won) for score, won in zip(points, wins)]
        winners, others = ([score for score, won in pairs if bool(won) == flag] for flag in (True, False))
        groups = [(self.texts("report.others"), "yellow", others), (self.texts("report.winners"), "blue", winners)]
        step = step_for([*winners, *others], 24)
        yield charts.histogram(
            self.texts("report.points"),
            [group for group in groups if group[2]],
            step,
            self.texts("report.points"),
            self.texts("report.share"),
        )
        means = []
        for seat in range(self.seats):
            mean = Mean()
            mean.add([points[seat] for points in self.study.points])
            means.append(self.mark(self.words.seat(seat), mean.estimate, percent=False))
        yield charts.marks(self.texts("report.mean_points"), means, None, "", percent=False)

    def length(self) -> Iterator[str]:
        """How many decisions, and how games end."""
        mean = Mean()
        mean.add(self.study.lengths)
        value, low, high = (self.texts.number(one, 1) for one in mean.estimate)
        yield self.heading("report.length", "report.length_about", mean=value, low=low, high=high)
        groups = [("", "blue", self.study.lengths)]
        step = step_for(self.study.lengths, 30)
        yield charts.histogram(
            self.texts("report.length"), groups, step, self.texts("report.decisions"), self.texts("report.share")
        )
        ends = [(self.words.end(end), share_interval(count, self.study.games)) for end, count in self.study.ends.items() if count]
        yield charts.marks(
            self.texts("report.ends"), [self.mark(name, share) for name, share in ends], None, self.texts("report.share")
        )

    def leads(self) -> Iterator[str]:
        """How often he wins who is ahead, and by how much one must be ahead."""
        quarters = [leader_wins(leads) for leads in self.study.leads]
        yield self.heading("report.leads", "report.leads_about", half=self.percent(quarters[1]))
        rows = [
            self.mark(self.texts(key), share) for key, share in zip(("report.quarter", "report.half", "report.last"), quarters)
        ]
        yield charts.marks(self.texts("report.leader_wins"), rows, 1 / self.seats, self.texts("report.wins"))
        groups = lead_groups(self.study.leads[1])
        if groups:
            yield charts.shares_by(
                self.texts("report.lead_size"), [(lead, Mark("", *share)) for lead, share in groups],
                self.texts("report.lead"), self.texts("report.wins"), 1 / self.seats,
            )  # fmt: skip

    def topics(self) -> Iterator[str]:
        """Cards, actions and happenings that go with winning."""
        study = self.study
        if study.cards or study.actions or study.happenings:
            yield self.heading("report.topics", "report.topics_about")
        for topic in study.cards:
            yield from self.chart(topic, [mean.share for mean in topic.found], 1 / self.seats, "report.having")
        for topic in study.actions:
            notes = [
                f"{self.texts.number(a.estimate[0], 2)} : {self.texts.number(b.estimate[0], 2)}"
                for a, b in zip(topic.extra, topic.others)
            ]
            yield from self.chart(topic, [mean.estimate for mean in topic.found], 0.0, "report.more", notes)
        for topic in study.happenings:
            if "always" not in topic.entry:
                yield from self.chart(topic, [mean.share for mean in topic.found], None, "report.ahead")
            if "sum" in topic.entry:
                yield from self.sums(topic)

    def chart(
        self, topic: Topic, values: Sequence[Estimate], even: float | None, label: str, notes: Sequence[str] = ()
    ) -> Iterator[str]:
        """The things of a topic, those that go best with winning on top."""
        percent = label != "report.more"
        seen = [number for number, mean in enumerate(topic.found) if mean.count >= FEW and (percent or topic.extra[number].total)]
        seen.sort(key=lambda number: -values[number][0])
        rows = []
        for number in seen:
            note = notes[number] if notes else f"n = {self.texts.number(topic.found[number].count)}"
            rows.append(self.mark(self.thing(topic, number), values[number], percent)._replace(note=note))
        if rows:
            yield charts.marks(self.about(topic), rows, even, self.texts(label), percent)

    def sums(self, topic: Topic) -> Iterator[str]:
        """What followed from each happening, on average."""
        seen = [number for number, mean in enumerate(topic.extra) if mean.count >= FEW and mean.total]
        seen.sort(key=lambda number: -topic.extra[number].estimate[0])
        rows = [self.mark(self.thing(topic, number), topic.extra[number].estimate, percent=False) for number in seen]
        if rows:
            title = f"{self.about(topic)}: {self.about(topic, 'sums')}"
            yield charts.marks(title, rows, None, self.texts("report.each_time"), False)

    def sensitivity(self) -> Iterator[str]:
        """What other values would change."""
        if not self.variants:
            return
        texts = self.texts
        yield self.heading("report.sensitivity", "report.sensitivity_about")
        columns = [
            (texts("report.as_it_is"), self.study.summary()),
            *((self.words(f"report.{v['words']}"), s) for v, s in self.variants),
        ]
        head = [self.words.seat(seat) for seat in range(self.seats)]
        head += [texts("report.winner"), texts("report.margin"), texts("report.length"), texts("report.half_leader")]
        rows = []
        for name, one in columns:
            cells = [self.percent(share) for share in one["seats"]]
            cells += [self.interval(one[key]) for key in ("winner", "margin", "length")] + [self.percent(one["half"])]
            rows.append((name, cells))
        yield table(texts("report.variant"), head, rows)
        for kind in ("cards", "actions"):
            for place, topic in enumerate(getattr(self.study, kind)):
                if 1 < len(topic.labels) <= 8:
                    show = self.percent if kind == "cards" else self.interval
                    names = [self.thing(topic, number) for number in range(len(topic.labels))]
                    lines = [(name, [show(value) for value in one[kind][place]]) for name, one in columns]
                    about = texts("report.having" if kind == "cards" else "report.more")
                    yield f"<h3>{escape(self.about(topic))}</h3><p class=faint>{escape(about)}</p>"
                    yield table(texts("report.variant"), names, lines)

    # ------------------------------------------------------------ how things are written

    def heading(self, title: str, about: str, **values: object) -> str:
        """A section and what it is about."""
        return f"<h2>{escape(self.texts(title))}</h2>\n<p>{escape(self.texts(about, **values))}</p>"

    def histogram(self, title: str, groups: Sequence[tuple[str, str, Sequence[float]]], step: float, across: str) -> str:
        """How values are spread."""
        return charts.histogram(self.texts(title), groups, step, self.texts(across), self.texts("report.share"))

    def about(self, topic: Topic, *part: str) -> str:
        """What a topic, or a part of it, is called."""
        return self.words(".".join(["report", topic.entry["words"], *part]))

    def thing(self, topic: Topic, number: int) -> str:
        """The name of a card or an action."""
        if topic.domain is None:
            return self.about(topic, topic.labels[number])
        return self.words.name(topic.domain, topic.domain.first + number).partition(": ")[0]  # without what a card does

    def mark(self, name: str, estimate: Estimate, percent: bool = True) -> Mark:
        """A line of a chart."""
        return Mark(name, *estimate, note=self.percent(estimate) if percent else self.interval(estimate))

    def percent(self, share: Sequence[float]) -> str:
        """A share with its interval."""
        value, low, high = (self.texts.number(100 * one, 1) for one in share)
        return f"{value} % ({low}–{high})"

    def interval(self, estimate: Sequence[float]) -> str:
        """A mean with its interval."""
        digits = 1 if abs(estimate[0]) >= 10 else 2
        return f"{self.texts.number(estimate[0], digits)} ± {self.texts.number(estimate[2] - estimate[0], digits)}"


def table(corner: str, head: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """A table in HTML."""
    lines = [f"<tr><th>{escape(corner)}</th>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>"]
    for name, cells in rows:
        lines.append(f"<tr><td>{escape(name)}</td>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def step_for(values: Sequence[float], count: int) -> float:
    """The size of a step so that there are at most so many: 1, 2, 5, 10, 20, 50 …"""
    wanted = (max(values) - min(values)) / count
    steps = [times * 10.0**power for power in range(9) for times in (1, 2, 5)]
    return next(step for step in steps if step >= wanted)


def lead_groups(leads: Sequence[tuple[float, float]]) -> list[tuple[float, Estimate]]:
    """Games in groups of about the same size by the lead: its mean, and how often the leader wins."""
    ordered = sorted(leads)
    groups: list[list[tuple[float, float]]] = []
    for lead in ordered:
        if groups and (lead[0] == groups[-1][-1][0] or len(groups[-1]) < len(ordered) / BINS):
            groups[-1].append(lead)
        else:
            groups.append([lead])
    return [(sum(lead for lead, _ in group) / len(group), leader_wins(group)) for group in groups if len(group) >= FEW]
