"""Packages of others: found by entry points or by their folder, named when broken, kept off Accord's own names."""

from __future__ import annotations

import json
from fractions import Fraction
from importlib.metadata import EntryPoint, EntryPoints
from pathlib import Path

import pytest

from accord.cli import main
from accord.compliance.judges import cases
from accord.studies.judging import ADDED, Bounded, appointed
from accord.studies.kept_tournaments import PLAN, plan_to_dict, read_plan
from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.tournament import TournamentPlan
from bridge.error_mode import with_error_mode
from bridge.plugin_primitives import PRIMITIVES, documentation, with_primitives
from common.errors import PluginError
from common.plugins import active, add, entries, forget, found
from contracts import Award, Contract, Evidence, Verdict
from dilemmas.records.record import to_json
from dilemmas.scenarios.registry import load_scenario, scenario_names
from dilemmas.skills.docs import skill_docs
from tests.fakes.packages import package
from voyager_agents.piano.settings import PianoSettings
from voyager_agents.piano.wiring import wire
from voyager_agents.registry import FAMILIES

VARIANT = "from pathlib import Path\nADDED = Path(__file__).with_name('short.yaml')\n"
SHORT = "extends: double-vein\nname: short\nversion: 1\nend: {time_limit_s: 7}\n"
JUMP = """/**
 * Jump once on the spot, and come down.
 * @param {Bot} bot
 * @returns {Promise<number>} blocks
 * @example await jumpUp(bot)
 */
async function jumpUp (bot) { return 1 }
module.exports = { jumpUp }
"""
SCRIPT = "from pathlib import Path\nADDED = Path(__file__).with_name('jump.js')\n"


def test_a_named_folder_adds_a_scenario_that_extends_one_of_accords_by_its_name(tmp_path: Path) -> None:
    add(package(tmp_path, "scenarios", "short", VARIANT, short__yaml=SHORT))
    assert "short" in scenario_names()
    spec = load_scenario("short").spec
    assert (spec.name, spec.scenario, spec.end.time_limit_s) == ("short", "double-vein", 7)


def test_whoever_plays_a_sweep_or_a_tournament_that_was_stopped_uses_the_plugins_it_was_begun_with(
    tmp_path: Path,
) -> None:
    root = add(package(tmp_path, "scenarios", "short", VARIANT, short__yaml=SHORT))
    folder = SweepFolder.make(tmp_path / "sweep", {"name": "sweep", "scenarios": ["short"]}, tmp_path)
    plan = tmp_path / "tournament"
    plan.mkdir()
    (plan / PLAN).write_text(to_json(plan_to_dict(TournamentPlan("prisoners-dilemma"))))
    forget()
    assert SweepFolder.open(folder.path).task(0).study(tmp_path).plugins == (root,)
    assert "short" in scenario_names()
    forget()
    assert read_plan(plan) == TournamentPlan("prisoners-dilemma")
    assert active() == (root,)


def test_the_record_names_plugins_with_version_and_hash(tmp_path: Path) -> None:
    def told() -> list[dict[str, object]]:
        plan = StudyPlan.of(StudySettings("short", world="mock"))
        plugins: list[dict[str, object]] = plan.config(plan.conditions)["plugins"]
        return plugins

    plain = StudyPlan.of(StudySettings("double-vein", world="mock"))
    assert "plugins" not in plain.config(plain.conditions)
    assert "plugins" not in plain.settings.to_dict()
    root = add(package(tmp_path, "scenarios", "short", VARIANT, short__yaml=SHORT))
    (first,) = told()
    assert (first["name"], first["version"], first["entries"]) == (f"accord-{root.name}", "1.2", ["scenarios: short"])
    (root / root.name / "short.yaml").write_text(SHORT + "about: Another.\n")
    assert told()[0]["sha256"] != first["sha256"]
    settings = StudySettings("short", world="mock")
    assert StudySettings.from_dict(settings.to_dict()) == settings
    assert settings.plugins == (root,) == active()


@pytest.mark.parametrize(
    ("group", "name", "code", "told"),
    [
        (
            "agents",
            "odd",
            "raise RuntimeError('no\\nluck')",
            "cannot be loaded (RuntimeError: no luck); mend it",
        ),
        ("agents", "odd", "import nowhere_at_all", "cannot be loaded (ModuleNotFoundError: No module named"),
        ("agents", "odd", "", "cannot be loaded (AttributeError: module"),
        ("agents", "odd", "ADDED = 3", "is int, not a Family"),
        ("agents", "reference", "ADDED = 3", "Accord has agents of that name; choose another"),
        ("scenarios", "double-vein", "ADDED = 3", "Accord has scenarios of that name; choose another"),
        ("scenarios", "commons-harvest-bots", "ADDED = 3", "Accord has scenarios of that name; choose another"),
        ("scenarios", "odd", "ADDED = 3", "is neither a class with a Spec nor the Path of a YAML file"),
        ("scenarios", "duck", "class ADDED:\n    Spec = None", "ADDED must inherit from accord.Scenario; mend it"),
        (
            "scenarios",
            "misspelt",
            "from accord import Scenario\nclass ADDED(Scenario):\n    def mesures(self, lines):\n        return {}\n",
            "ADDED.mesures is no hook of dilemmas.scenarios.base.Scenario (did you mean 'measures'?)",
        ),
        ("scenarios", "odd", VARIANT, "short.yaml is not there: the scenario's YAML file belongs beside its code"),
        ("modules", "memory", "ADDED = 3", "Accord has modules of that name; choose another"),
        ("modules", "odd", "ADDED = 3", "is int, not a Module"),
        ("judges", "language", "ADDED = 3", "Accord has judges of that name; choose another"),
        ("judges", "odd", "ADDED = 3", "is int, not a class or function that makes a Judge"),
        ("primitives", "mineBlock", "ADDED = 3", "Accord has primitives of that name; choose another"),
        ("primitives", "odd", "ADDED = 3", "is 3, not the Path of a JavaScript file"),
    ],
)
def test_a_broken_plugin_is_one_line_that_names_it(tmp_path: Path, group: str, name: str, code: str, told: str) -> None:
    root = add(package(tmp_path, group, name, code))
    ask = {
        "agents": lambda: [FAMILIES[each] for each in FAMILIES],
        "scenarios": lambda: load_scenario(name),
        "modules": lambda: wire(PianoSettings.read({"modules": name})),
        "judges": lambda: ADDED[name] if name not in ADDED.own else ADDED.added(),
        "primitives": lambda: [PRIMITIVES[each] for each in PRIMITIVES],
    }[group]
    with pytest.raises(PluginError) as caught:
        ask()
    line = str(caught.value)
    assert line.startswith(f"plugin accord-{root.name} 1.2 (accord.{group}: {name} = {root.name}:ADDED): ")
    assert told in line
    assert "\n" not in line


def test_two_plugins_cannot_have_one_name(tmp_path: Path) -> None:
    first = add(package(tmp_path, "scenarios", "short", VARIANT, short__yaml=SHORT))
    add(package(tmp_path, "scenarios", "short", VARIANT, short__yaml=SHORT))
    with pytest.raises(PluginError, match=f"accord-{first.name} 1.2 has an entry of that name; rename one of them"):
        scenario_names()


def test_installed_packages_are_found_by_their_entry_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = package(tmp_path, "scenarios", "short", VARIANT, short__yaml=SHORT)
    monkeypatch.syspath_prepend(str(root))
    point = EntryPoint("short", f"{root.name}:ADDED", "accord.scenarios")
    monkeypatch.setattr(found, "_entry_points", lambda: EntryPoints([point]))
    entries.cache_clear()
    assert load_scenario("short").spec.end.time_limit_s == 7
    monkeypatch.undo()
    entries.cache_clear()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "cannot be read (No such file or directory); give the folder of a package"),
        ("[project", "is no package's (TOMLDecodeError"),
        ('[project]\nname = "x"\n', "has no entry point of a group accord...."),
        ('[project]\nname = "x"\n[project.entry-points."accord.worlds"]\na = "b:c"\n', "'accord.worlds' is no group"),
    ],
)
def test_a_folder_that_is_no_plugin_is_told_at_once(
    tmp_path: Path, text: str | None, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        (tmp_path / "pyproject.toml").write_text(text)
    assert main(["scenarios", "--plugin", str(tmp_path)]) == 1
    said = capsys.readouterr().err
    assert told in said
    assert said.count("\n") == 1


def test_the_option_may_stand_anywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = package(tmp_path, "scenarios", "short", VARIANT, short__yaml=SHORT)
    assert main(["scenarios", f"--plugin={root}", "--json"]) == 0
    assert "short" in [each["name"] for each in json.loads(capsys.readouterr().out)]
    assert main(["scenarios", "--plugin"]) == 2


def test_a_primitive_goes_along_with_programs_that_name_it(tmp_path: Path) -> None:
    add(package(tmp_path, "primitives", "jumpUp", SCRIPT, jump__js=JUMP))
    other = "async function play (bot) { await goTo(bot) }\n"
    assert with_primitives(other) == other
    program = "async function play (bot) {\n  await jumpUp(bot)\n}\n"
    whole = with_primitives(program)
    assert whole.startswith(program)
    assert "const { jumpUp } = ((module) => {\n" in whole
    # Nothing of it stands at the margin, where a program's main function would.
    assert [line for line in whole.splitlines() if line.startswith(("async", "function"))] == [program.splitlines()[0]]
    assert with_primitives(with_error_mode(program, "voyager")).endswith("\n// primitives: voyager\n")
    own = "async function jumpUp (bot) {}\nasync function play (bot) { await jumpUp(bot) }\n"
    assert with_primitives(own) == own
    assert "### jumpUp\n\nJump once on the spot" in documentation()
    assert skill_docs().endswith(documentation())


class Generous:
    """Gives all that it can think of."""

    name = "generous"

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        payer, payee = contract.parties
        term = contract.transfers[0].id
        return Verdict(
            self.name, (Award(term, payer, payee, Fraction(1000)), Award("bribe", payee, payer, Fraction(5)))
        )


async def test_a_plugins_judge_moves_no_more_than_the_contract_allows(tmp_path: Path) -> None:
    code = "class ADDED:\n    name = 'generous'\n    def __init__(self, ask): self.ask = ask\n"
    add(package(tmp_path, "judges", "generous", code))
    from contracts import FormalJudge

    assert StudySettings("double-vein", judge="generous").judge == "generous"
    assert isinstance(appointed(FormalJudge(), "generous"), Bounded)
    for contract, evidence in cases():
        due = (await FormalJudge().judge(contract, evidence)).awards
        verdict = await Bounded(Generous()).judge(contract, evidence)
        legal = {(each.term, each.payer, each.payee): each.amount for each in due}
        assert all(each.amount <= legal[each.term, each.payer, each.payee] for each in verdict.awards)
        assert any("bribe" in finding.reason for finding in verdict.findings)
