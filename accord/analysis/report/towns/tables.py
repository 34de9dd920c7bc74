"""CSV tables of a society of towns, and its graphs of conversions as GraphML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from accord.analysis.report.tables import text_of
from accord.analysis.report.towns.findings import MEASURES, SpreadingRun, TownFindings
from dilemmas.scenarios.societies.exposures import edges, graphml

HEAD = ("condition", "run", "seed")
Rows = Iterable[Sequence[object]]


def town_tables(found: TownFindings) -> dict[str, str]:
    """Return the tables and graphs by file name."""
    tables = {
        "levels.csv": text_of((*HEAD, "player", "town", "role", "game_s", "level", "exposures"), _levels(found)),
        "converts.csv": text_of((*HEAD, "game_s", "indirect", "direct"), _counts(found)),
        "areas.csv": text_of((*HEAD, "game_s", "indirect", "direct", "both"), _areas(found)),
        "critical.csv": text_of((*HEAD, "player", "converted_s", "speaker", "exposed_s", "depth"), _critical(found)),
        "exposures.csv": text_of((*HEAD, "speaker", "hearer", "critical", "first_s", "times"), _exposures(found)),
        "faith_words.csv": text_of((*HEAD, "game_s", "player", "level"), _chats(found)),
        "memes.csv": text_of((*HEAD, "game_s", "place", "people", "meme", "count"), _memes(found)),
        "meme_map.csv": text_of((*HEAD, "game_s", "player", "meme", "x", "z"), _map(found)),
        "memes_by_agent.csv": text_of((*HEAD, "player", "meme", "goals"), _by_agent(found)),
        "memes_by_place.csv": text_of((*HEAD, "place", "people", "memes_a_head"), _by_place(found)),
        "town_measures.csv": text_of((*HEAD, "measure", "value"), _measures(found)),
        "town_summary.csv": text_of(
            ("condition", "measure", "n", "mean", "se", "min", "max", "ci95_low", "ci95_high"), _summary(found)
        ),
    }
    graphs = {f"{run.folder.replace('lives/', 'conversions/')}.graphml": run for run in found.runs}
    return {**tables, **{name: graphml(run.spreading.exposures) for name, run in graphs.items()}}


def _each(found: TownFindings) -> Iterable[tuple[list[object], SpreadingRun]]:
    for run in found.runs:
        yield [run.run.condition, run.run.name, run.run.seed], run


def _levels(found: TownFindings) -> Rows:
    for head, run in _each(found):
        for name, each in run.spreading.exposures.people.items():
            for rise in each.rises:
                yield [*head, name, each.town, each.role, rise.t_s, rise.level, rise.exposures]


def _counts(found: TownFindings) -> Rows:
    for head, run in _each(found):
        for row in run.recomputed["curve"]["rows"]:
            yield [*head, *row]


def _areas(found: TownFindings) -> Rows:
    for head, run in _each(found):
        for sample, areas in zip(run.spreading.samples, run.areas, strict=True):
            yield [*head, sample.t_s, *(areas[name] for name in ("indirect", "direct", "both"))]


def _critical(found: TownFindings) -> Rows:
    for head, run in _each(found):
        depths = run.spreading.exposures.depths()
        for name, each in run.spreading.exposures.converts.items():
            speaker, t_s = ("", "") if each.critical is None else (each.critical.speaker, each.critical.t_s)
            yield [*head, name, each.rises[0].t_s, speaker, t_s, depths[name]]


def _exposures(found: TownFindings) -> Rows:
    for head, run in _each(found):
        for edge in edges(run.spreading.exposures):
            yield [*head, edge.speaker, edge.hearer, edge.critical, edge.first_s, edge.times]


def _chats(found: TownFindings) -> Rows:
    for head, run in _each(found):
        for chat in run.spreading.chats:
            yield [*head, chat.t_s, chat.player, chat.level]


def _memes(found: TownFindings) -> Rows:
    for head, run in _each(found):
        for sample in run.spreading.samples:
            for place, tally in sample.moment.places.items():
                for meme, count in sorted(tally.memes.items()):
                    yield [*head, sample.t_s, place, tally.people, meme, count]


def _map(found: TownFindings) -> Rows:
    for head, run in _each(found):
        for name, spot in run.spreading.map_at.items():
            yield [*head, run.spreading.map_s, name, run.spreading.map_of.get(name, ""), spot[0], spot[2]]


def _by_agent(found: TownFindings) -> Rows:
    for head, run in _each(found):
        for name, counts in run.spreading.memes.times.items():
            for meme, count in sorted(counts.items()):
                yield [*head, name, meme, count]


def _by_place(found: TownFindings) -> Rows:
    for head, run in _each(found):
        for place, told in run.recomputed["memes"].get("places", {}).items():
            yield [*head, place, told["people"], told["per_head"]]


def _measures(found: TownFindings) -> Rows:
    for head, run in _each(found):
        for measure, value in run.values.items():
            yield [*head, measure, value]


def _summary(found: TownFindings) -> Rows:
    for group in found.groups:
        for name in MEASURES:
            if (each := group.measure(name)) is not None:
                low, high = each.ci95 or (None, None)
                yield [group.name, name, each.n, each.mean, each.se, each.min, each.max, low, high]
