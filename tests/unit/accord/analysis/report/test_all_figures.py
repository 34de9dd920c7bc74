"""Every figure of every section, from a short run of its scenario: files for a paper, and data equal to the tables."""

from __future__ import annotations

import asyncio
import csv
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report import read_comparison, write_report
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.drawing import label_of
from accord.analysis.report.paper.figures import plots_of
from accord.analysis.report.paper.settings import FigureSettings
from accord.analysis.report.sections import found_sections
from accord.studies.study import StudySettings, run_study
from dilemmas.scenarios.registry import spec_path
from tests.fakes.figures import leave_unmade
from tests.fakes.perception import small as small_perception
from tests.fakes.taxed import small_taxation
from tests.fakes.towns import crowded
from tests.fakes.trials import climbs
from tests.fakes.trials import small as small_trial
from tests.unit.accord.analysis.report.latex import compile_example
from voyager_agents.generative import MODULES
from voyager_agents.models import KINDS
from voyager_agents.models.fake_server import FakeServer

PDFLATEX = shutil.which("pdflatex")
FORMATS = ("svg", "pdf") if PDFLATEX else ("svg",)
"""Formats of the figures; only LaTeX needs PDF."""
Table = list[dict[str, str]]
Tables = Mapping[str, Table]
Pairs = Iterator[tuple[str, float]]
"""Words of a figure, each with a number that it may show."""


def progression(folder: Path) -> Path:
    path = folder / "small.yaml"
    path.write_text(
        f"extends: {spec_path('progression')}\nname: small\npopulation: {{count: 2}}\nend: {{time_limit_s: 16}}\n"
    )
    return path


def named(name: str) -> Callable[[Path], str]:
    return lambda _: name


@dataclass(frozen=True)
class Short:
    """Short study and the figures that its report has."""

    scenario: Callable[[Path], object]
    figures: str
    conditions: tuple[str, ...]
    settings: Mapping[str, Any]


STUDIES = {
    "double-vein": Short(
        named("double-vein"), "welfare resources rewards places", ("none", "contract-1"), {"runs": 2}
    ),
    "commons-harvest": Short(
        named("commons-harvest-bots"), "welfare resources world rewards per-capita measures hits places",
        ("none",), {"rounds": 60},
    ),
    "modules": Short(
        named("commons-harvest"), "welfare resources world rewards reputation per-capita measures places",
        ("none",),
        {"agents": "generative", "model": "thinker/Pedro", "agents_options": {"modules": ",".join(MODULES)},
         "time_limit_s": 13},
    ),
    "taxation": Short(
        lambda folder: small_taxation(folder, seconds=44),
        "roles-over-time role-distribution role-measures deeds-by-role tax-by-condition tax-by-agent places-in-season "
        "exposure-and-votes", ("anti-amendable", "anti-frozen"), {},
    ),
    "religion": Short(
        lambda folder: crowded(folder, people=18),
        "levels converts area conversions meme-map memes-by-place memes-over-time town-measures",
        ("spread", "deaf"), {},
    ),
    "room": Short(
        lambda folder: small_perception(folder, "room", 80), "sentiments perception-measures", ("social", "ablated"), {}
    ),
    "chef": Short(
        lambda folder: small_perception(folder, "chef", 60), "food guests perception-measures", ("social", "ablated"),
        {},
    ),
    "town": Short(
        lambda folder: small_perception(folder, "town", 25),
        "sentiment-graph likeability observers accuracy degrees differences perception-measures",
        ("social", "ablated"), {},
    ),
    "progression": Short(
        progression,
        "items-over-time items-together item-tree", ("full",), {},
    ),
    "ada": Short(
        named("ada-social-structure"),
        "welfare resources rewards grid-scores grid-completion grid-degrees grid-society grid-exchanges per-capita",
        ("isolation", "dynamic"), {"agents": "oracle-plan", "time_limit_s": 40, "world": "none"},
    ),
    "trials": Short(
        lambda folder: small_trial(folder, 4), "items-by-iteration map-covered", ("explore",),
        {"agents": "voyager", "model": "openai/fake"},
    ),
}  # fmt: skip
"""Name -> study; together they show every figure of the registry."""


@pytest.fixture(scope="module", params=STUDIES)
def report(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Short, Path, Path]:
    """Play a short study, and return it with its records and its report."""
    short = STUDIES[request.param]
    folder = tmp_path_factory.mktemp(request.param)
    settings = StudySettings(
        str(short.scenario(folder)),
        **{"contracts": short.conditions, "out": folder / "runs", "world": "mock", **short.settings},
    )

    async def play() -> Path:
        async with FakeServer(climbs) as server:
            chosen = {"base_url": server.base_url} if settings.model == "openai/fake" else {}
            return (await run_study(StudySettings(**{**vars(settings), **chosen}))).directory

    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(KINDS, "thinker", "tests.unit.voyager_agents.generative.thinker:open_thinker")
        runs = asyncio.run(play())
        # The same figures are drawn for papers, as wide as on the page and narrower than on a phone.
        leave_unmade(patch)
        written = write_report([runs], folder / "report", FigureSettings(formats=FORMATS))
    return short, runs, written.html.parent


def test_every_figure_is_a_file_for_a_paper(report: tuple[Short, Path, Path]) -> None:
    short, _, folder = report
    drawn = {path.name.removesuffix("-1col.svg") for path in (folder / "figures").glob("*-1col.svg")}
    assert drawn == set(short.figures.split())
    for name in drawn:
        assert (folder / "figures" / f"{name}-2col.svg").stat().st_size > 1000
        assert (folder / "figures" / f"{name}.csv").exists()
        assert (folder / "plots" / f"{name}.svg").exists()


@pytest.mark.skipif(not PDFLATEX, reason="no pdflatex here: apt-get install texlive-latex-recommended")
def test_the_example_compiles(report: tuple[Short, Path, Path], tmp_path: Path) -> None:
    compile_example(report[2] / "figures", tmp_path)


def test_the_data_of_every_figure_are_in_the_tables(report: tuple[Short, Path, Path]) -> None:
    _, runs, folder = report
    comparison = read_comparison([runs])
    for name, plot in plots_of(found_sections(comparison)).items():
        rows = read(folder / "figures" / f"{name}.csv")
        assert rows, f"{name} shows nothing"
        assert plot.figure.tables, f"{name} names no table"
        tables = {each: read(folder / each) for each in plot.figure.tables}
        known = set(pairs(tables)) | set(DERIVED.get(name, lambda *_: ())(tables, comparison))
        for row in rows:
            if row["shows"] in NOT_OURS:
                continue
            words = (row["series"], row["panel"], row["shows"], row["x"])
            assert any((label_of(word), number(row["y"])) in known for word in words), (name, row)


NOT_OURS = ("published", "reference", "share within 8 blocks of a chest", "slope")
"""Kinds of values that no table of runs has: those of papers, and summaries that the figure prints itself."""


KEYS = ("run", "seed", "status")
"""Columns that say which run a row is of."""


def pairs(tables: Tables) -> Pairs:
    """Yield each word with each number of its row."""
    for row in (row for table in tables.values() for row in table):
        values = [(value, number(value)) for name, value in row.items() if value and name not in KEYS]
        words = {label_of(text.lstrip("'")) for text, value in values if value is None}
        for _, value in values:
            if value is not None:
                yield from ((word, value) for word in words)


def welfare(tables: Tables, _: Comparison) -> Pairs:
    """Yield each condition with the mean of its runs' sums of rewards at each time."""
    return of_players(tables, lambda rewards: sum(rewards.values()))


def per_capita(tables: Tables, comparison: Comparison) -> Pairs:
    """Yield each condition with the mean reward of each part of the population at each time."""
    for players in comparison.groups.values() or [comparison.players]:
        yield from of_players(tables, partial(mean_of, players))


def mean_of(players: Sequence[str], rewards: Mapping[str, float]) -> float:
    return sum(rewards[name] for name in players) / len(players)


def of_players(tables: Tables, whole: Callable[[Mapping[str, float]], float]) -> Pairs:
    runs: dict[tuple[str, str], dict[float, dict[str, float]]] = defaultdict(lambda: defaultdict(dict))
    for row in tables["curves.csv"]:
        if row["quantity"] == "reward":
            runs[row["condition"], row["seed"]][float(row["game_s"])][row["player"]] = float(row["value"])
    yield from averaged({key: {t_s: whole(rewards) for t_s, rewards in each.items()} for key, each in runs.items()})


def averaged(runs: Mapping[tuple[str, str], Mapping[float, float]]) -> Pairs:
    """Yield each condition with the mean of its runs' step functions wherever one of them changes."""
    for condition in {condition for condition, _ in runs}:
        steps = [sorted(each.items()) for (name, _), each in runs.items() if name == condition]
        for t_s in {t_s for each in steps for t_s, _ in each}:
            values = [[value for at, value in each if at <= t_s][-1:] or [each[0][1]] for each in steps]
            yield label_of(condition), rounded(sum(value for (value,) in values) / len(values))


def held(tables: Tables, _: Comparison) -> Pairs:
    """Yield each player, or condition for blocks of the world, with the mean of each quantity at each time."""
    quantities: dict[tuple[str, str, str], dict[tuple[str, str], dict[float, float]]] = defaultdict(
        lambda: defaultdict(dict)
    )
    for row in tables["curves.csv"]:
        key = (row["condition"], row["player"], row["quantity"])
        quantities[key][row["condition"], row["seed"]][float(row["game_s"])] = float(row["value"])
    for (condition, player, _quantity), runs in quantities.items():
        for _condition, value in averaged(runs):
            yield label_of(player or condition), value


def shares(tables: Tables, _: Comparison) -> Pairs:
    """Yield roles and deeds with the shares of each other's counts."""
    counts: dict[tuple[str, str], float] = defaultdict(float)
    for row in tables["deeds_by_role.csv"]:
        counts[row["role"], row["deed"]] += float(row["count"])
    kept = [deed for deed, _ in sorted(deeds_of(counts).items(), key=lambda each: (-each[1], each[0]))][:28]
    counts = {key: count for key, count in counts.items() if key[1] in kept}
    for (role, deed), count in counts.items():
        for place, word in enumerate((role, deed)):
            yield label_of(role), rounded(count / sum(each for key, each in counts.items() if key[place] == word))


def deeds_of(counts: Mapping[tuple[str, str], float]) -> Mapping[str, float]:
    found: dict[str, float] = defaultdict(float)
    for (_, deed), count in counts.items():
        found[deed] += count
    return found


def tax(tables: Tables, _: Comparison) -> Pairs:
    """Yield each condition with the mean tax of the constituents of its first run in each season."""
    seasons: dict[tuple[str, str], list[float]] = defaultdict(list)
    for row in tables["tax_paid.csv"]:
        if row["percent"]:
            seasons[row["condition"], row["season"]].append(float(row["percent"]))
    for (condition, _season), values in seasons.items():
        yield label_of(condition), rounded(sum(values) / len(values))


def measures(tables: Tables, comparison: Comparison) -> Pairs:
    """Yield each part of the population with the sum of each measure over its players, a run at a time."""
    of_run: dict[tuple[str, str, str], dict[str, float]] = defaultdict(dict)
    for row in tables["runs.csv"]:
        of_run[row["condition"], row["seed"], row["measure"]][row["player"]] = float(row["value"] or 0)
    for group, players in (comparison.groups or {"all players": comparison.players}).items():
        sums = {key: sum(found.get(name, 0.0) for name in players) for key, found in of_run.items()}
        for (condition, seed, measure), value in sums.items():
            yield label_of(group), rounded(value)
            if measure == "last_apple_moves" and (near := sums[condition, seed, "last_apple_near"]):
                yield label_of(group), rounded(value / near)


def exchanges(tables: Tables, _: Comparison) -> Pairs:
    """Yield each condition with the units that went from one role to another, a run."""
    roles = {(row["run"], row["player"]): row["role"] for row in tables["grid_reward.csv"]}
    counts: dict[tuple[str, ...], float] = defaultdict(float)
    for row in tables["grid_exchanges.csv"]:
        ends = (roles[row["run"], row["giver"]], roles[row["run"], row["taker"]], row["resource"])
        counts[row["condition"], row["run"], *ends] += float(row["count"])
    for (condition, *_ends), value in counts.items():
        yield label_of(condition), value
        yield label_of(condition), 0.0


def memes(tables: Tables, _: Comparison) -> Pairs:
    """Yield each meme with no people, which has no row."""
    yield from {(label_of(row["meme"]), 0.0) for row in tables["memes.csv"]}


def priests(tables: Tables, _: Comparison) -> Pairs:
    """Yield the priests with the start, at which they have their level."""
    yield "priest", 0.0


def histogram(tables: Tables, _: Comparison) -> Pairs:
    """Yield each condition with the number of differences of its first run in each of the bins from 0 to 10."""
    for condition in {row["condition"] for row in tables["differences.csv"]}:
        found = [float(row["difference"]) for row in tables["differences.csv"] if row["condition"] == condition]
        for low in range(10):
            last = low == 9
            yield label_of(condition), float(sum(low <= each < low + 1 or (last and each == 10) for each in found))


DERIVED: Mapping[str, Callable[[Tables, Comparison], Pairs]] = {
    "welfare": welfare, "per-capita": per_capita, "deeds-by-role": shares, "resources": held, "world": held,
    "rewards": held, "differences": histogram, "tax-by-agent": tax, "measures": measures,
    "grid-exchanges": exchanges, "levels": priests, "memes-over-time": memes,
}  # fmt: skip
"""Figure -> its values that are recomputed from the tables."""


@cache
def read(path: Path) -> Table:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def number(text: str) -> float | None:
    try:
        return rounded(float(text))
    except ValueError:
        return None


def rounded(value: float) -> float:
    return float(f"{value:.9g}")
