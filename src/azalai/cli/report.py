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
from azalai.arena.report import (
    MOST,
    OPENINGS,
    POLICY,
    RANDOM,
    Counts,
    Estimate,
    Mean,
    Study,
    Topic,
    declared,
    leader_wins,
    play_level,
    study,
    study_variant,
)
from azalai.arena.tally import share_interval
from azalai.engine.errors import BadOption
from azalai.engine.record import write_atomically
from azalai.engine.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from azalai.cli.texts import Texts
    from azalai.engine.game import Game

BINS = 8  # groups of leads
FEW = 30  # less often seen is not shown
MATTERS = 0.01  # a change of a seat's share of wins that players might notice
MOST_OPENINGS = 30  # first moves of the table
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
    variants = [] if args.no_variants or args.counts else declared(game).get("variants", [])
    levels = [name.strip() for name in args.levels.split(",") if name.strip()]
    counts = Counts(Path(args.counts)) if args.counts else None
    if counts is not None and (POLICY, seats) not in counts:
        raise BadOption(f"{args.counts} has no games of {seats} {game.name} players; python -m azalai.arena.count counts them")
    tables = [seats] if counts is not None else [seats, *(count for count in game.seats if count != seats)]
    bar = Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=Console(stderr=True), transient=True, disable=not Console(stderr=True).is_terminal,
    )  # fmt: skip
    with bar:
        playing = bar.add_task(texts("report.playing"), total=args.games * len(tables))

        def play(count: int) -> Study:
            return study(game, count, args.games, args.seed, args.threads, progress=lambda games: bar.advance(playing, games))

        found = {count: play(count) for count in tables}
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
    command = f"azalai report {game.name} --seats {seats} --games {args.games} --seed {args.seed}"
    command += f" --levels {args.levels} --level-games {args.level_games}{' --no-variants' if args.no_variants else ''}"
    page = ReportPage(game, seats, found, by_level, args.level_games, others, texts)
    told = {"games": texts.number(args.games), "seats": seats, "rules": game.rules, "version": azalai.__version__}
    facts = texts("report.facts", **told), texts("report.how_to_read")
    if counts is not None:
        page.take(counts)
        told["counted"] = texts.number(page.study.games)
        facts = texts("report.counted_facts", **told), texts("report.counted_guide")
        how = counts.facts(POLICY, seats)
        given = f"--file {counts.path.name} --seed {how['seed']} --side-by-side {how['side_by_side']}"
        command = f"python -m azalai.arena.count {game.name} {given}; {command} --counts {counts.path.name}"
    write_atomically(path, page.html(*facts, command))
    print(texts("report.written", file=path))
    return 0


class ReportPage:
    """The page, put together from what was found."""

    def __init__(
        self, game: Game, seats: int, found: dict[int, Study], by_level: dict[str, Estimate], level_games: int,
        variants: Sequence[tuple[Mapping[str, Any], Study]], texts: Texts,
    ) -> None:  # fmt: skip
        self.game, self.seats, self.found, self.by_level, self.level_games = game, seats, found, by_level, level_games
        self.variants = variants
        self.texts = texts
        self.study = self.played = found[seats]  # what the page is about; what was played by greedy players
        self.compared: dict[str, Study] = {}  # by the name of the players: studies at this number of seats, the strongest first
        self.tried = self.study  # games that tell what first moves are worth
        self.words = Words(game, seats, texts.language)

    def take(self, counts: Counts) -> None:
        """Let the page be about counted games of a network; those that were played are compared with them."""
        self.found = {count: counts.study(self.game, POLICY, count) for count in self.game.seats if (POLICY, count) in counts}
        self.study = self.found[self.seats]
        self.tried = counts.study(self.game, OPENINGS, self.seats)
        self.compared = {self.texts("report.network"): self.study, self.texts("report.greedy"): self.played}
        self.variants = [
            (variant, counts.study(self.game, f"{POLICY}:{variant['words']}", self.seats))
            for variant in declared(self.game).get("variants", [])
            if (f"{POLICY}:{variant['words']}", self.seats) in counts
        ]
        if (RANDOM, self.seats) in counts:
            self.compared[self.texts("report.random")] = counts.study(self.game, RANDOM, self.seats)

    def html(self, facts: str, guide: str, command: str) -> str:
        """All of it, in one file."""
        texts = self.texts
        title = texts("report.title", game=self.words.title)
        parts = [
            f"<h1>{escape(title)}</h1>",
            f'<p class="faint">{escape(facts)} <code>{escape(command)}</code></p>',
            f"<p>{escape(guide)}</p>",
            *self.by_seat(),
            *self.levels(),
            *self.points(),
            *self.length(),
            *self.leads(),
            *self.openings(),
            *self.decisions(),
            *self.topics(),
            *self.plans(),
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
        margin = self.interval(self.study.margins.estimate)
        yield self.heading("report.points", "report.points_about", margin=margin, ties=self.percent(self.study.ties.share))
        groups = [("report.others", "yellow", self.study.others), ("report.winners", "blue", self.study.winners)]
        named = [(self.texts(name), colour, spread.counts) for name, colour, spread in groups if spread.counts]
        step = step_for([*self.study.others.counts, *self.study.winners.counts], 24)
        yield charts.histogram(self.texts("report.points"), named, step, self.texts("report.points"), self.texts("report.share"))
        means = [
            self.mark(self.words.seat(seat), spread.estimate, percent=False) for seat, spread in enumerate(self.study.points)
        ]
        yield charts.marks(self.texts("report.mean_points"), means, None, "", percent=False)

    def length(self) -> Iterator[str]:
        """How many decisions, and how games end."""
        lengths = self.study.lengths
        value, low, high = (self.texts.number(one, 1) for one in lengths.estimate)
        yield self.heading("report.length", "report.length_about", mean=value, low=low, high=high)
        groups = [("", "blue", lengths.counts)]
        step = step_for(list(lengths.counts), 30)
        yield charts.histogram(
            self.texts("report.length"), groups, step, self.texts("report.decisions"), self.texts("report.share")
        )
        ends = [(self.words.end(end), share_interval(count, self.study.games)) for end, count in self.study.ends.items() if count]
        yield charts.marks(
            self.texts("report.ends"), [self.mark(name, share) for name, share in ends], None, self.texts("report.share")
        )

    def leads(self) -> Iterator[str]:
        """How often the leader wins, and by how much one must be ahead. Only played games tell that."""
        quarters = [leader_wins(leads) for leads in self.played.leads]
        about = "report.leads_played" if self.compared else "report.leads_about"
        yield self.heading("report.leads", about, half=self.percent(quarters[1]), games=self.texts.number(self.played.games))
        rows = [
            self.mark(self.texts(key), share) for key, share in zip(("report.quarter", "report.half", "report.last"), quarters)
        ]
        yield charts.marks(self.texts("report.leader_wins"), rows, 1 / self.seats, self.texts("report.wins"))
        groups = lead_groups(self.played.leads[1])
        if groups:
            yield charts.shares_by(
                self.texts("report.lead_size"), [(lead, Mark("", *share)) for lead, share in groups],
                self.texts("report.lead"), self.texts("report.wins"), 1 / self.seats,
            )  # fmt: skip

    def openings(self) -> Iterator[str]:
        """What each first move is worth, and how often it is chosen."""
        tried = {move: mean for move, mean in self.tried.first_moves.items() if mean.count >= FEW}
        if len(tried) < 2:
            return
        forced = self.tried is not self.study
        yield self.heading(
            "report.openings", "report.openings_tried" if forced else "report.openings_about", games=self.tried.games
        )
        rows = []
        for move, mean in sorted(tried.items(), key=lambda one: -one[1].share[0])[:MOST_OPENINGS]:
            chosen = self.study.first_moves.get(move, Mean()).count / self.study.games
            note = f"{self.percent(mean.share)} · {self.texts.number(100 * chosen, 1)} %"
            rows.append(self.mark(self.words.move(self.game.moves[move]), mean.share)._replace(note=note))
        yield charts.marks(self.texts("report.first_moves"), rows, 1 / self.seats, self.texts("report.first_moves_about"))

    def decisions(self) -> Iterator[str]:
        """How strong and weak players differ in what they do."""
        if not self.compared:
            return
        yield self.heading("report.compared", "report.compared_about")
        names, each = list(self.compared), self.texts("report.each_game")
        facts = [
            (self.texts("report.winner"), [self.interval(one.best.estimate) for one in self.compared.values()]),
            (self.texts("report.margin"), [self.interval(one.margins.estimate) for one in self.compared.values()]),
            (self.texts("report.length"), [self.interval(one.lengths.estimate) for one in self.compared.values()]),
            (self.words.seat(0), [self.percent(one.seats[0].share) for one in self.compared.values()]),
        ]
        yield table("", names, facts)
        for place, topic in enumerate(self.study.actions):
            means = [one.actions[place].usual for one in self.compared.values()]
            seen = [number for number in range(len(topic.labels)) if any(some[number].total for some in means)]
            rows = [(self.thing(topic, number), [self.interval(some[number].estimate) for some in means]) for number in seen]
            if rows:
                yield f"<h3>{escape(self.about(topic))}</h3><p class=faint>{escape(each)}</p>"
                yield table("", names, rows)

    def plans(self) -> Iterator[str]:
        """Win chance by how often a seat does a thing."""
        drawn = []
        for topic in self.study.actions:
            for number, by_count in enumerate(topic.by_count):
                known = [(count, mean.share) for count, mean in sorted(by_count.items()) if mean.count >= FEW]
                if topic.domain is None and len(known) > 2:
                    title = f"{self.about(topic)}: {self.thing(topic, number)}"
                    points = [(float(count), Mark("", *share)) for count, share in known]
                    times = self.texts("report.times", most=MOST)
                    drawn.append(charts.shares_by(title, points, times, self.texts("report.wins"), 1 / self.seats))
        if drawn:
            yield self.heading("report.plans", "report.plans_about")
            yield from drawn

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
            *((self.words(f"report.{variant['words']}"), one.summary()) for variant, one in self.variants),
        ]
        head = [self.words.seat(seat) for seat in range(self.seats)]
        head += [texts("report.winner"), texts("report.margin"), texts("report.length")]
        rows = []
        for name, one in columns:
            cells = [self.percent(share) for share in one["seats"]]
            rows.append((name, [*cells, *(self.interval(one[key]) for key in ("winner", "margin", "length"))]))
        if any(self.study.leads):
            head.append(texts("report.half_leader"))
            for (_, cells), (_, one) in zip(rows, columns):
                cells.append(self.percent(one["half"]))
        yield table(texts("report.variant"), head, rows)
        yield from (f"<p>{escape(self.verdict(name, columns[0][1], one))}</p>" for name, one in columns[1:])
        for kind in ("cards", "actions"):
            for place, topic in enumerate(getattr(self.study, kind)):
                if 1 < len(topic.labels) <= 8:
                    show = self.percent if kind == "cards" else self.interval
                    names = [self.thing(topic, number) for number in range(len(topic.labels))]
                    lines = [(name, [show(value) for value in one[kind][place]]) for name, one in columns]
                    about = texts("report.having" if kind == "cards" else "report.more")
                    yield f"<h3>{escape(self.about(topic))}</h3><p class=faint>{escape(about)}</p>"
                    yield table(texts("report.variant"), names, lines)

    def verdict(self, name: str, usual: Mapping[str, Any], other: Mapping[str, Any]) -> str:
        """One sentence for players: whether a variant matters."""
        shifts = [b[0] - a[0] for a, b in zip(usual["seats"], other["seats"])]
        seat = max(range(self.seats), key=lambda place: abs(shifts[place]))
        surely = usual["seats"][seat][2] < other["seats"][seat][1] or other["seats"][seat][2] < usual["seats"][seat][1]
        key = "report.matters" if surely and abs(shifts[seat]) >= MATTERS else "report.matters_not"
        change, points = (
            f"{'+' if value > 0 else ''}{self.texts.number(value, 1)}"
            for value in (100 * shifts[seat], other["winner"][0] - usual["winner"][0])
        )
        return self.texts(key, variant=name, seat=self.words.seat(seat), change=change, points=points)

    # ------------------------------------------------------------ how things are written

    def heading(self, title: str, about: str, **values: object) -> str:
        """A section and what it is about."""
        return f"<h2>{escape(self.texts(title))}</h2>\n<p>{escape(self.texts(about, **values))}</p>"

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


def lead_groups(leads: Mapping[int, Mean]) -> list[tuple[float, Estimate]]:
    """Games in groups of about the same size by the lead: its mean, and how often the leader wins."""
    games = sum(mean.count for mean in leads.values())
    groups: list[dict[int, Mean]] = []
    for lead, mean in sorted(leads.items()):
        if groups and sum(one.count for one in groups[-1].values()) < games / BINS:
            groups[-1][lead] = mean
        else:
            groups.append({lead: mean})
    sizes = [sum(mean.count for mean in group.values()) for group in groups]
    return [
        (sum(lead * mean.count for lead, mean in group.items()) / size, leader_wins(group))
        for group, size in zip(groups, sizes)
        if size >= FEW
    ]
