"""The page of `azalai report`: what was found out about a game's balance, as charts, tables and sentences."""

from __future__ import annotations

import math
import re
from html import escape
from typing import TYPE_CHECKING, Any

from azalai.arena import charts
from azalai.arena.charts import Mark
from azalai.arena.report import (
    CONTROL,
    MOST,
    OPENINGS,
    POLICY,
    RANDOM,
    Counts,
    Mean,
    Study,
    Topic,
    declared,
    ladder_ratings,
    leader_wins,
)
from azalai.arena.tally import Estimate, Z, difference, share_interval, surely
from azalai.bots.levels import levels as game_levels
from azalai.engine.words import Words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from azalai.cli.texts import Texts
    from azalai.engine.game import Game

BINS = 8  # groups of leads
FEW = 30  # less often seen is not shown
GREEDY = "greedy"
MATTERS = 0.02  # a change of a seat's share of wins that players might notice,
ENDS_MATTER = 0.05  # of the share of games that end in some way,
LENGTH_MATTERS = 0.05  # and of the number of decisions, as a part of it
MOST_OPENINGS = 30  # first moves of the table
STYLE = """
body{font:16px/1.5 Helvetica,Arial,'DejaVu Sans',sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
body{color:#26221e;background:#fff}
h1{margin-bottom:.2rem}h2{margin-top:2.5rem;border-top:1px solid #b9b0a3;padding-top:1rem}
svg{max-width:100%;height:auto;vertical-align:top}p{max-width:44rem}
table{border-collapse:collapse;font-size:.8rem}th,td{text-align:right;padding:.15rem .7rem .15rem 0}td+td{white-space:nowrap}
th:first-child,td:first-child{text-align:left;min-width:11rem}
.faint,th{color:#6f675c;font-weight:normal}code{font-size:.9rem}.wide{overflow-x:auto}
@media (prefers-color-scheme: dark){body{color:#efe9df;background:#1b1a18}.faint,th{color:#aba295}h2{border-color:#5c564e}}
"""


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
        self.tried = self.study  # games that tell what first moves are worth,
        self.led = self.played  # and how often the leader wins
        self.searched: dict[tuple[str, int], Study] = {}  # games of levels, by level and number of seats
        self.control: Study | None = None  # games of a network that has learnt on as long as those of the variants
        self.unlearnt: list[tuple[Mapping[str, Any], Study, Study]] = []  # variant, greedy players as usual, and of it
        self.informed: list[tuple[str, str, Study]] = []  # player, what one seat knew beyond the rules, games
        self.words = Words(game, seats, texts.language)

    def take(self, counts: Counts) -> None:
        """Let the page be about counted games of a network; others are compared with them."""
        game, seats, texts = self.game, self.seats, self.texts
        self.found = {count: counts.study(game, POLICY, count) for count in game.seats if (POLICY, count) in counts}
        self.study = self.found[seats]
        self.tried = counts.study(game, OPENINGS, seats)
        levels = [str(level.number) for level in reversed(game_levels(game))]
        self.searched = {
            (name, count): counts.study(game, name, count) for name in levels for count in game.seats if (name, count) in counts
        }
        self.compared = {
            texts("ladder.level", number=name): one for (name, count), one in self.searched.items() if count == seats
        }
        self.led = next(iter(self.compared.values()), self.played)
        self.compared |= {texts("report.network"): self.study, texts("report.greedy"): self.played}
        if (RANDOM, seats) in counts:
            self.compared[texts("report.random")] = counts.study(game, RANDOM, seats)
        self.variants = [
            (variant, counts.study(game, f"{POLICY}:{variant['words']}", seats))
            for variant in declared(game).get("variants", [])
            if (f"{POLICY}:{variant['words']}", seats) in counts
        ]
        if (f"{POLICY}:{CONTROL}", seats) in counts:
            self.control = counts.study(game, f"{POLICY}:{CONTROL}", seats)
        learnt = [variant["words"] for variant, _ in self.variants]
        self.unlearnt = [
            (variant, counts.study(game, usual, count), counts.study(game, f"{GREEDY}:{variant['words']}", count))
            for variant in declared(game).get("variants", [])
            for count in (variant.get("seats", seats),)
            for usual in (f"{GREEDY}:{variant['than']}" if "than" in variant else GREEDY,)
            if variant["words"] not in learnt and (usual, count) in counts and (f"{GREEDY}:{variant['words']}", count) in counts
        ]
        self.informed = [
            (name, entry["words"], counts.study(game, f"{name}+{entry['words']}", seats))
            for name in (*levels, GREEDY)
            for entry in declared(game).get("knowledge", [])
            if (f"{name}+{entry['words']}", seats) in counts
        ]

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
            *self.prices(),
            *self.information(),
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
            title = self.texts("report.with_seats", seats=count)
            if self.compared:
                title += f" · {self.texts('report.network')} · {self.games(one)}"
            rows = [self.mark(words.seat(seat), mean.share) for seat, mean in enumerate(one.seats)]
            yield charts.marks(title, rows, 1 / count, self.texts("report.wins"))
            for (name, seats), games in self.searched.items():
                if seats == count:
                    title = self.texts("report.with_seats", seats=count)
                    title += f" · {self.texts('ladder.level', number=name)} · {self.games(games)}"
                    rows = [self.mark(words.seat(seat), mean.share) for seat, mean in enumerate(games.seats)]
                    yield charts.marks(title, rows, 1 / count, self.texts("report.wins"))

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
        elif self.compared and (known := ladder_ratings(self.game)):
            seats, ratings = next(iter(known.items()))
            yield self.heading("report.by_level", "report.ratings_about", seats=seats)
            rows = []
            for name, one in sorted(ratings.items(), key=lambda item: -item[1]["rating"]):
                value, reach = one["rating"], Z * one["error"]
                shown = self.texts("ladder.level", number=name) if name.isdigit() else self.texts(f"report.{name}")
                rows.append(Mark(shown, value, value - reach, value + reach, f"{value} ± {round(reach)}"))
            yield charts.marks(self.texts("report.ratings", seats=seats), rows, None, self.texts("report.elo"), percent=False)

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
        ends = [(self.end(end), share_interval(count, self.study.games)) for end, count in self.study.ends.items() if count]
        yield charts.marks(
            self.texts("report.ends"), [self.mark(name, share) for name, share in ends], None, self.texts("report.share")
        )

    def leads(self) -> Iterator[str]:
        """How often the leader wins, and by how much one must be ahead. Only played games tell that."""
        quarters = [leader_wins(leads) for leads in self.led.leads]
        told = {"half": self.percent(quarters[1]), "games": self.texts.number(self.led.games)}
        if not self.compared:
            yield self.heading("report.leads", "report.leads_about", **told)
        else:
            name = next(name for name, one in self.compared.items() if one is self.led)
            yield self.heading("report.leads", "report.leads_played", player=name, **told)
        rows = [
            self.mark(self.texts(key), share) for key, share in zip(("report.quarter", "report.half", "report.last"), quarters)
        ]
        yield charts.marks(self.texts("report.leader_wins"), rows, 1 / self.seats, self.texts("report.wins"))
        groups = lead_groups(self.led.leads[1])
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
            "report.openings",
            "report.openings_tried" if forced else "report.openings_about",
            games=self.texts.number(self.tried.games),
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
        told = " · ".join(f"{name}: {self.games(one)}" for name, one in self.compared.items())
        yield self.heading("report.compared", "report.compared_about", games=told)
        names, each = list(self.compared), self.texts("report.each_game")
        facts = [
            (self.texts("report.winner"), [self.interval(one.best.estimate) for one in self.compared.values()]),
            (self.texts("report.margin"), [self.interval(one.margins.estimate) for one in self.compared.values()]),
            (self.texts("report.length"), [self.interval(one.lengths.estimate) for one in self.compared.values()]),
            (self.texts("report.ties"), [self.percent(one.ties.share) for one in self.compared.values()]),
            (self.words.seat(0), [self.percent(one.seats[0].share) for one in self.compared.values()]),
        ]
        ends = [end for end in self.game.ends if any(one.ends[end] for one in self.compared.values())]
        if len(ends) > 1:
            for end in ends:
                shares = [self.percent(share_interval(one.ends[end], one.games)) for one in self.compared.values()]
                facts.append((self.end(end), shares))
        yield table("", names, facts)
        for place, topic in enumerate(self.study.actions):
            means = [one.actions[place].usual for one in self.compared.values()]
            seen = [number for number in range(len(topic.labels)) if any(some[number].total for some in means)]
            rows = [
                (
                    self.thing(topic, number),
                    [self.interval(some[number].estimate) if some[number].count else "–" for some in means],
                )
                for number in seen
            ]
            if rows:
                yield f"<h3>{escape(self.about(topic))}</h3><p class=faint>{escape(each)}</p>"
                yield table("", names, rows)

    def prices(self) -> Iterator[str]:
        """What comes of an action, and what it costs."""
        for entry in declared(self.game).get("prices", []):
            attempts = self.action(self.study, entry["attempt"])
            if not attempts.total:
                continue
            title, texts = self.words(f"report.{entry['words']}"), self.texts
            often = self.interval(attempts.estimate)
            yield f"<h2>{escape(title)}</h2>"
            told = texts("report.price_about", often=often, games=self.games(self.study))
            yield f"<p>{escape(told)}</p>"
            rows = [
                self.mark(self.words(f"report.{outcome}"), ratio(self.action(self.study, outcome), attempts))
                for outcome in entry["outcomes"]
            ]
            yield charts.marks(texts("report.outcomes"), rows, None, texts("report.share"))
            for name, one in self.compared.items():
                spent = self.action(one, entry["spent"])
                if spent.total:
                    each = self.interval(ratio(spent, self.action(one, entry["attempt"])))
                    thing = self.words(f"report.{entry['spent']}")
                    told = texts("report.price_each", player=name, each=each, thing=thing)
                    yield f"<p>{escape(told)}</p>"

    def action(self, study: Study, name: str) -> Mean:
        """How often a seat does something in a game, by its name in `report.toml`."""
        words, _, kind = name.partition(".")
        topic = next(topic for topic in study.actions if topic.entry["words"] == words)
        return topic.usual[topic.labels.index(kind)]

    def information(self) -> Iterator[str]:
        """What it is worth to know more than the rules allow."""
        if not self.informed:
            return
        yield self.heading("report.information", "report.information_about", even=self.texts.number(100 / self.seats, 1))
        rows = []
        for name, words, one in self.informed:
            player = self.texts("ladder.level", number=name) if name.isdigit() else self.texts(f"report.{name}")
            rows.append(self.mark(f"{player}: {self.words(f'report.{words}')}", one.seats[0].share))
        yield charts.marks(self.texts("report.informed_wins"), rows, 1 / self.seats, self.texts("report.wins"))
        games = " · ".join(self.games(one) for _, _, one in self.informed)
        yield f"<p class=faint>{escape(games)}</p>"

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
        if self.variants:
            yield from self.learnt_variants()
        if self.unlearnt:
            least = self.texts.number(min(one.games for _, _, one in self.unlearnt))
            if self.variants:
                yield f"<p>{escape(self.texts('report.sensitivity_greedy', games=least))}</p>"
            else:
                yield self.heading("report.sensitivity", "report.sensitivity_greedy", games=least)
            for variant, usual, games in self.unlearnt:
                yield self.verdict(self.variant(variant), usual, games)

    def variant(self, variant: Mapping[str, Any]) -> str:
        """What a variant is called, with how many it is played, and what it is compared with if not with the game as it is."""
        facts = [self.texts("report.with_seats", seats=variant["seats"])] if "seats" in variant else []
        if "than" in variant:
            facts.append(self.texts("report.than", variant=self.words(f"report.{variant['than']}")))
        name = self.words(f"report.{variant['words']}")
        return f"{name} ({'; '.join(facts)})" if facts else name

    def learnt_variants(self) -> Iterator[str]:
        """Variants that the players of the page have played: sentences and tables."""
        texts = self.texts
        about = "report.sensitivity_learnt" if self.compared else "report.sensitivity_about"
        least = min(one.games for _, one in self.variants)
        yield self.heading("report.sensitivity", about, games=texts.number(least))
        columns = [
            (texts("report.as_it_is"), self.study.summary()),
            *((self.words(f"report.{variant['words']}"), one.summary()) for variant, one in self.variants),
        ]
        if self.control is not None:
            columns.insert(1, (texts("report.control"), self.control.summary()))
            moved = [difference(a.share, b.share) for a, b in zip(self.study.seats, self.control.seats)]
            change = self.change(max(moved, key=lambda one: abs(one[0])), 100)
            told = texts("report.control_about", change=change)
            yield f"<p>{escape(told)}</p>"
        usual = self.control or self.study
        for variant, games in self.variants:
            yield self.verdict(self.variant(variant), usual, games)
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
        for kind in ("cards", "actions"):
            for place, topic in enumerate(getattr(self.study, kind)):
                if 1 < len(topic.labels) <= 8:
                    show = self.percent if kind == "cards" else self.interval
                    names = [self.thing(topic, number) for number in range(len(topic.labels))]
                    lines = [(name, [show(value) for value in one[kind][place]]) for name, one in columns]
                    about = texts("report.having" if kind == "cards" else "report.more")
                    yield f"<h3>{escape(self.about(topic))}</h3><p class=faint>{escape(about)}</p>"
                    yield table(texts("report.variant"), names, lines)

    def verdict(self, name: str, usual: Study, other: Study) -> str:
        """What players want to know, whether a variant matters; and below it the changes with their intervals."""
        texts = self.texts
        seats = [difference(a.share, b.share) for a, b in zip(usual.seats, other.seats)]
        seat = max(range(len(seats)), key=lambda place: abs(seats[place][0]))
        seat_name = Words(self.game, len(seats), texts.language).seat(seat)
        length = difference(usual.lengths.estimate, other.lengths.estimate)
        ends = {
            end: difference(share_interval(usual.ends[end], usual.games), share_interval(other.ends[end], other.games))
            for end in self.game.ends
        }
        end = max(ends, key=lambda one: abs(ends[one][0]))
        reasons = []
        if surely(seats[seat], MATTERS):
            key = "report.wins_more" if seats[seat][0] > 0 else "report.wins_less"
            reasons.append(texts(key, seat=seat_name, games=texts.number(100 * abs(seats[seat][0]), 1)))
        if surely(length, LENGTH_MATTERS * usual.lengths.estimate[0]):
            now, before = (texts.number(one.lengths.estimate[0]) for one in (other, usual))
            reasons.append(texts("report.length_differs", now=now, before=before))
        if surely(ends[end], ENDS_MATTER):
            now, before = (texts.number(100 * one.ends[end] / one.games) for one in (other, usual))
            reasons.append(texts("report.end_differs", end=self.end(end), now=now, before=before))
        changes = [
            texts("report.seat_changes", seat=seat_name, change=self.change(seats[seat], 100)),
            texts("report.points_change", change=self.change(difference(usual.best.estimate, other.best.estimate))),
            texts("report.length_changes", change=self.change(length)),
        ]
        for was, topic in zip(usual.actions, other.actions):
            first, best = best_of(was), best_of(topic)
            if first is not None and best is not None and first != best:
                told = {"now": self.thing(topic, best), "before": self.thing(topic, first)}
                changes.append(texts("report.plan_changes", topic=self.about(topic), **told))
        sentence = " ".join([texts("report.matters"), *reasons]) if reasons else texts("report.matters_not")
        return (
            f"<p><strong>{escape(name[0].upper() + name[1:])}</strong>: {escape(sentence)}</p>"
            f'<p class="faint">{escape("; ".join(changes))}</p>'
        )

    def change(self, by: Estimate, times: float = 1.0) -> str:
        """A difference with its sign and its interval."""
        value, reach = times * by[0], times * (by[2] - by[0])
        digits = decimals(reach, 1)
        return f"{'+' if value > 0 else ''}{self.texts.number(value, digits)} ± {self.texts.number(reach, digits)}"

    def games(self, study: Study) -> str:
        """How many games a study has."""
        return self.texts("report.games", n=study.games, games=self.texts.number(study.games))

    # ------------------------------------------------------------ how things are written

    def heading(self, title: str, about: str, **values: object) -> str:
        """A section and what it is about."""
        return f"<h2>{escape(self.texts(title))}</h2>\n<p>{escape(self.texts(about, **values))}</p>"

    def about(self, topic: Topic, *part: str) -> str:
        """What a topic, or a part of it, is called."""
        return self.words(".".join(["report", topic.entry["words"], *part]))

    def end(self, name: str) -> str:
        """How a game ends, in a few words."""
        return re.split(r"[.;] ", self.words.end(name))[0].removesuffix(".")

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
        digits = decimals(100 * (share[2] - share[1]), 1)
        value, low, high = (self.texts.number(100 * one, digits) for one in share)
        return f"{value} % ({low}–{high})"

    def interval(self, estimate: Sequence[float]) -> str:
        """A mean with its interval."""
        reach = estimate[2] - estimate[0]
        digits = decimals(reach, 1 if abs(estimate[0]) >= 10 else 2)
        return f"{self.texts.number(estimate[0], digits)} ± {self.texts.number(reach, digits)}"


def decimals(reach: float, least: int) -> int:
    """How many digits after the point a value with such an interval is worth."""
    return least if reach <= 0 else min(4, max(least, math.ceil(-math.log10(reach))))


def table(corner: str, head: Sequence[str], rows: Sequence[tuple[str, Sequence[str]]]) -> str:
    """A table in HTML."""
    lines = [f"<tr><th>{escape(corner)}</th>{''.join(f'<th>{escape(name)}</th>' for name in head)}</tr>"]
    for name, cells in rows:
        lines.append(f"<tr><td>{escape(name)}</td>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    return f'<div class="wide"><table>{"".join(lines)}</table></div>'


def ratio(part: Mean, whole: Mean) -> Estimate:
    """How much of one there is for each of the other, with an interval as if both came independently."""
    value = part.total / whole.total
    reaches = [(one.estimate[2] - one.estimate[0]) / one.estimate[0] for one in (part, whole) if one.total]
    reach = value * math.hypot(*reaches)
    return value, value - reach, value + reach


def best_of(topic: Topic) -> int | None:
    """The thing in which winners differ most from others; None where chance may have chosen it, or nothing was counted."""
    known = [(abs(mean.estimate[0]), mean.estimate, number) for number, mean in enumerate(topic.found) if mean.count >= FEW]
    if len(known) < 2:
        return None
    (next_best, second, _), (best, first, number) = sorted(known)[-2:]
    reach = math.hypot(first[2] - first[0], second[2] - second[0])
    return number if best - next_best > reach else None


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
