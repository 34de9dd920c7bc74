"""Claims of the documentation about commands, files and functions, checked against the code."""

from __future__ import annotations

import io
import re
from fractions import Fraction
from pathlib import Path

import pytest
from rich.console import Console
from typer.main import get_command
from typer.testing import CliRunner

import dilemmas.records.digest
import dilemmas.records.record
from accord.analysis.atlas import Atlas, AtlasPlay, Presentation, SeatRound
from accord.analysis.generations import Generation, Generations, PlayedMember
from accord.analysis.league import League
from accord.analysis.report import read_comparison, write_report
from accord.analysis.report.atlas import write_atlas
from accord.analysis.report.attacks.findings import AttackFindings
from accord.analysis.report.attacks.section import ATTACKS
from accord.analysis.report.comparison import compare
from accord.analysis.report.deals.tables import TABLES as deal_tables
from accord.analysis.report.drives.findings import DriveFindings
from accord.analysis.report.drives.tables import drive_tables
from accord.analysis.report.games.tables import TABLES as repeated_games
from accord.analysis.report.generations import write_generations
from accord.analysis.report.grid.findings import with_learning_curves
from accord.analysis.report.grid.tables import grid_tables
from accord.analysis.report.institutions.tables import TABLES as institution_tables
from accord.analysis.report.league import write_league
from accord.analysis.report.markets.findings import MarketFindings
from accord.analysis.report.markets.tables import market_tables
from accord.analysis.report.perception.findings import PerceptionFindings
from accord.analysis.report.perception.tables import perception_tables
from accord.analysis.report.progress.findings import ProgressFindings
from accord.analysis.report.progress.tables import progress_tables
from accord.analysis.report.raters.findings import RaterFindings
from accord.analysis.report.raters.section import RATERS
from accord.analysis.report.reader import read_runs
from accord.analysis.report.schelling import write_schelling
from accord.analysis.report.shapley import write_shapley
from accord.analysis.report.society.findings import SocietyFindings
from accord.analysis.report.society.tables import society_tables
from accord.analysis.report.taxation.findings import TaxFindings
from accord.analysis.report.taxation.tables import tax_tables
from accord.analysis.report.tournament import write_tournament
from accord.analysis.report.towns.findings import TownFindings
from accord.analysis.report.towns.tables import town_tables
from accord.analysis.report.trials.findings import TrialFindings
from accord.analysis.report.trials.tables import trial_tables
from accord.analysis.report.words.tables import TABLES as words_tables
from accord.analysis.shapley import GroupAccount, Shapley
from accord.analysis.tournament import Tournament
from accord.analysis.words.rules import RULES
from accord.cli.app import app
from accord.cli.show import comparison_table
from accord.studies.sweeps import table as sweeps
from grid_games.learning_curves import CurvePoint, LearningCurve, curve_file, write_curves
from tests.fakes.games import game
from tests.unit.accord.analysis.report.synthetic import GREEDY, Story, write_run
from tests.unit.dilemmas.scenarios.ada.scene import played
from voyager_agents.stage_games.populations import PopulationMember
from voyager_agents.stage_games.tournament import Bout

ROOT = Path(__file__).parents[4]
PAGES = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "README.md", *(ROOT / "docs").glob("*.md"))}
COMMANDS = sorted(get_command(app).commands)  # type: ignore[attr-defined]


def test_the_page_of_the_command_line_names_every_command() -> None:
    first = PAGES["cli.md"].split("Each ends with")[0]
    assert sorted(re.findall(r"`(\w+)`", first.partition(" are ")[2])) == COMMANDS
    described = {found.split("|")[0] for found in re.findall(r"^## accord (\w+)", PAGES["cli.md"], re.MULTILINE)}
    assert described == set(COMMANDS)


async def test_every_table_that_is_named_is_written(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", Story())
    files = {path.name for path in write_report([run], tmp_path).files}
    files |= {path.name for path in write_schelling(game(3, 1, 5, 0), tmp_path)}
    bout = Bout(("a", "b"), 0, 1, (1.0, 0.0), (1.0, 0.0))
    write_tournament(Tournament("game", ("a", "b"), 0, (bout,)), tmp_path / "tournament")
    files |= {path.name for path in (tmp_path / "tournament").iterdir()}
    rounds = ((SeatRound(0, equilibria=frozenset()), SeatRound(1)),)
    play = AtlasPlay("g111", ("a", "b"), 0, Presentation(), rounds, (1.0, 1.0))
    write_atlas(Atlas(("a", "b"), 0, 1, (play,)), tmp_path / "atlas")
    files |= {path.name for path in (tmp_path / "atlas").iterdir()}
    generation = Generation(0, 1, (PlayedMember(PopulationMember("1.01", "a"), 1.0, 1.0),))
    write_generations(Generations("game", ("a",), 0, (generation,), 0, 0.0), tmp_path / "generations")
    files |= {path.name for path in (tmp_path / "generations").iterdir()}
    blocks, values = ((("a", "b"), ("b", "a")),) * 2, {frozenset(each): (Fraction(1),) for each in ("", "a", "b", "ab")}
    accounts, kinds = (dict.fromkeys("ab", each) for each in (GroupAccount((1.0,), (0.0,), (1.0,)), ("a", "idle")))
    write_shapley(
        Shapley("g", "none", "welfare", "idle", ("a", "b"), kinds, "antithetic", blocks, (0,), values, accounts),
        tmp_path / "shapley",
    )
    files |= {path.name for path in (tmp_path / "shapley").iterdir()}
    league = League("league", ("a", "b"), ("a", "b"), (), (0,), ())
    write_league(league, tmp_path / "league", (), {})
    files |= {path.name for path in (tmp_path / "league").iterdir()}
    files |= set(market_tables(MarketFindings(())))
    files |= set(drive_tables(DriveFindings(())))
    files |= set(society_tables(SocietyFindings(read_comparison([run]), ())))
    files |= set(RATERS.tables(RaterFindings(())))
    files |= set(ATTACKS.tables(AttackFindings(())))
    files |= set(tax_tables(TaxFindings(())))
    for study in ("room", "chef", "town"):
        files |= set(perception_tables(PerceptionFindings(read_comparison([run]), study, ())))
    files |= set(progress_tables(ProgressFindings((), by_rule=True)))
    files |= set(town_tables(TownFindings(read_comparison([run]), ())))
    files |= set(trial_tables(TrialFindings(read_comparison([run]), ())))
    grid = await played("ada-contract", tmp_path / "grid", time_limit_s=24)
    learned = curve_file(tmp_path / "policy.npz")
    write_curves(learned, [LearningCurve("PPO", "ada-contract", "", "alone", 0, (CurvePoint(1, 1.0, 0.1),))])
    files |= {learned.name.partition(".")[2]}
    files |= set(grid_tables(with_learning_curves(read_comparison([grid.directory]), [learned])))
    files |= {*repeated_games, *deal_tables, *words_tables, *institution_tables, sweeps.CSV}
    files |= {path.name for path in (ROOT / "examples").rglob("*.csv")}
    helps = {name: CliRunner().invoke(app, [name, "--help"]).stdout for name in COMMANDS}
    named = {(page, name) for page, text in {**PAGES, **helps}.items() for name in re.findall(r"\b(\w+\.csv)\b", text)}
    assert {name for _, name in named} == {name for name in files if name.endswith(".csv")}, sorted(named)


def test_the_page_on_words_shows_every_rule() -> None:
    shown = re.findall(
        r"^\| ([^|]+) \| (promise|claim|accusation) \| ([^|]+) \|$", PAGES["words-and-deeds.md"], re.MULTILINE
    )
    assert shown == [(rule.name, rule.kind, rule.example) for rule in RULES]


def test_the_digest_is_taken_as_the_page_says(tmp_path: Path) -> None:
    path = write_run(tmp_path / "run", Story()) / "events.jsonl"
    names = {**vars(dilemmas.records.digest), **vars(dilemmas.records.record), "path": path}
    calls = re.findall(r"`(digest\([^`]*\))`", PAGES["models.md"])
    assert len(calls) == 2
    found = [eval(call, names) for call in calls]
    assert all(re.fullmatch(r"[0-9a-f]{64}", each) for each in found)


@pytest.mark.parametrize(("second", "shown"), [(Story().items, False), (GREEDY, True)])
def test_the_footnote_promises_an_interval_only_where_one_is_shown(
    tmp_path: Path, second: dict[str, dict[str, int]], shown: bool
) -> None:
    # Of two values only, ten runs have an interval.
    for seed in range(10):
        write_run(tmp_path / str(seed), Story(seed=seed, items=second if seed % 2 else Story().items))
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(comparison_table(compare(read_runs([tmp_path]))))
    text = " ".join(console.export_text().split())
    assert ("95 % interval" in text) is shown
    assert bool(re.search("\\d(\N{EN DASH}| to )\\d", text)) is shown
