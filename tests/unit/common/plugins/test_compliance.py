"""The suite of `accord check` says no: to each kind of broken thing, by the check that is there for it."""

from __future__ import annotations

import shutil
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from statistics import fmean
from typing import Any, get_args

import pytest

from accord.analysis.figures import TOGETHER, figures
from accord.cli import main
from accord.cli.new import Kind, Template, write
from accord.compliance import check
from accord.compliance.finding import NotMet
from accord.compliance.judges import check_bounds, check_repeats, check_verdicts, check_words
from accord.compliance.plays import CommandRecorder, Plays, check_accounts, check_ended, check_same_bytes, play
from accord.compliance.scenarios import STATIC, check_clean
from accord.studies.schelling import SchellingPlan, schelling
from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from common.plugins import add
from contracts import Award, Contract, Evidence, FormalJudge, Verdict
from dilemmas.errors import UsageError
from dilemmas.minecraft.commands import Command
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.double_vein.scenario import DoubleVein
from dilemmas.scenarios.registry import load_scenario, spec_path
from tests.fakes.packages import package

SAYS = "the text matches the facts"
ABSTRACT = "says what it is and why"
EARN = "players can earn, in two ways"
CONTRACTS = "every condition has its contract"
BUILT = "is built by vanilla commands"
SHOWN = "shows what is permitted"
HEADS = "A game.\nRules\n  a\nPayoffs\n  b\nWhy it is a dilemma\n  c\nSource\n{}Version history\n  d"


def variant(folder: Path, text: str) -> Scenario:
    path = folder / "variant.yaml"
    path.write_text(f"extends: {spec_path('double-vein')}\nname: broken\nversion: 1\n{text}\n")
    return load_scenario(str(path))


@pytest.mark.parametrize(
    ("check_name", "text", "told"),
    [
        (SAYS, "text: There are 12 iron ore and 6 diamond ore. You have 47 seconds.", "the text says 47"),
        (SAYS, "text: There are 12 iron ore.", "there are 6 diamond_ore, which the text does not say"),
        (EARN, "text: ' '", "text: is empty"),
        (EARN, "dilemma: {cooperate: greedy, defect: greedy}", "who cooperates and who defects is the same"),
        (EARN, "players: {Gizmo: {prices: {raw_iron: 0, diamond: 0}}}", "Gizmo can earn nothing"),
        (CONTRACTS, "conditions: {none: null}", "there is no condition 'none'"),
        (CONTRACTS, "conditions: {none: {about: ' '}}", "conditions.none.about: is empty"),
    ],
)
def test_a_scenarios_data_can_be_wrong(tmp_path: Path, check_name: str, text: str, told: str) -> None:
    with pytest.raises(NotMet, match=told):
        STATIC[check_name](variant(tmp_path, text))


class Strange(DoubleVein):
    """Builds by a command that is none."""

    def build(self) -> Sequence[Command]:
        return [*super().build(), Command("conjure 0 -60 0 minecraft:iron_ore")]


class Moody(DoubleVein):
    """Places as it likes."""

    _calls = 0

    def place(self, seed: int) -> Sequence[Command]:
        Moody._calls += 1
        return [*super().place(seed), Command(f"time set {Moody._calls}")]


class Untidy(DoubleVein):
    """Never takes away what players held."""

    def place(self, seed: int) -> Sequence[Command]:
        return [each for each in super().place(seed) if not each.text.startswith("clear")]


def made(kind: type[DoubleVein]) -> Scenario:
    usual: Any = load_scenario("double-vein")
    scenario: Scenario = kind(usual.spec, usual.path)
    return scenario


@pytest.mark.parametrize(
    ("check_name", "kind", "told"),
    [
        (BUILT, Strange, "'conjure 0 -60 0 minecraft:iron_ore' is no command of vanilla"),
        (BUILT, Moody, r"place\(0\) differs from call to call"),
    ],
)
def test_a_scenarios_code_can_be_wrong(check_name: str, kind: type[DoubleVein], told: str) -> None:
    with pytest.raises(NotMet, match=told):
        STATIC[check_name](made(kind))


@pytest.mark.parametrize(
    ("abstract", "told"),
    [
        ("", "the module of its class has no docstring"),
        ("A game.\n\nRules\n    None.\n", "the abstract's headings are Rules; give Rules, Payoffs"),
        (HEADS.format(""), "nothing under Source"),
        (HEADS.format("  s\n"), "in 1 words why"),
    ],
)  # fmt: skip
def test_an_abstract_can_say_too_little(monkeypatch: pytest.MonkeyPatch, abstract: str, told: str) -> None:
    import dilemmas.scenarios.double_vein.scenario as module

    monkeypatch.setattr(module, "__doc__", abstract)
    with pytest.raises(NotMet, match=told):
        STATIC[ABSTRACT](load_scenario("double-vein"))


def test_players_are_shown_only_what_the_scenario_permits(monkeypatch: pytest.MonkeyPatch) -> None:
    scenario = load_scenario("double-vein")
    monkeypatch.setattr(DoubleVein, "permitted", frozenset({"scenario"}))
    with pytest.raises(NotMet, match=r"observables: chat, contract, .* may not be shown; legal are scenario"):
        STATIC[SHOWN](scenario)


async def test_a_world_that_keeps_what_was_is_told(tmp_path: Path) -> None:
    with pytest.raises(NotMet, match="items or blocks of an earlier run remain"):
        await check_clean(made(Untidy), tmp_path)


async def test_a_log_that_differs_or_does_not_add_up_is_told(tmp_path: Path) -> None:
    plays = await play("double-vein", 2, tmp_path, ["contract-1"])
    check_same_bytes(plays)
    check_accounts(plays)
    (result,) = plays.results
    with pytest.raises(NotMet, match="contract-1: failed: it broke"):
        check_ended(replace(plays, results=[{**result, "status": "failed", "reason": "it broke"}]))
    wrong = {**result, "players": {name: {**each, "payoff": 99.0} for name, each in result["players"].items()}}
    with pytest.raises(NotMet, match=r"payoff of Gizmo is 99\.0, but"):
        check_accounts(replace(plays, results=[wrong]))
    other = tmp_path / "other"
    shutil.copytree(plays.again, other)
    text = (other / "events.jsonl").read_text()
    (other / "events.jsonl").write_text(text.replace('"seq": 3,', '"seq": 4,', 1))
    with pytest.raises(NotMet, match=r"events\.jsonl differs at line 4 between two runs of one seed"):
        check_same_bytes(replace(plays, again=other))
    with pytest.raises(NotMet, match="numbers have a gap"):
        check_accounts(replace(plays, directory=other))
    assert plays.commands.issued
    with pytest.raises(NotMet, match="'fly Gizmo' is no command of vanilla"):
        Plays((), tmp_path, tmp_path, CommandRecorder(["list", "fly Gizmo"])).commands.check()


class Bribable(FormalJudge):
    """Believes whoever speaks last; forgets its name; counts; pays what nobody owes."""

    def __init__(self, fault: str) -> None:
        self._fault = fault
        self._calls = 0

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        verdict = await super().judge(contract, evidence)
        self._calls += 1
        payer, payee = contract.parties
        extra = Award(contract.transfers[0].id, payer, payee, Fraction(1000))
        if self._fault == "name":
            return replace(verdict, judge="somebody")
        if (
            self._fault == "pays"
            or (self._fault == "words" and evidence.chat)
            or (self._fault == "moods" and self._calls % 2)
        ):
            return replace(verdict, awards=(*verdict.awards, extra))
        return verdict


@pytest.mark.parametrize(
    ("ask", "fault", "told"),
    [
        (check_verdicts, "name", "signs as 'somebody', and is called 'formal'"),
        (check_bounds, "pays", "1000 claimed"),
        (check_repeats, "moods", "two verdicts on the same evidence differ"),
        (check_words, "words", "a player who only said that it is owed emeralds was given some"),
    ],
)
async def test_a_judge_can_be_wrong(ask: Any, fault: str, told: str) -> None:  # noqa: ANN401 - one of the checks
    await ask(Bribable("none"))
    with pytest.raises(NotMet, match=told):
        await ask(Bribable(fault))


PATH = "from pathlib import Path\nADDED = Path(__file__).with_name('x.js')\n"
DOC = "/**\n * {about}\n * @param {{Bot}} bot\n * @returns {{Promise<void>}} nothing\n * {example}\n */\n"
GOOD = DOC.format(about="Does what it is here for.", example="@example await odd(bot)")
FUNCTION = "async function odd (bot) {{ {body} }}\nmodule.exports = {{ odd }}\n"
EMPTY = FUNCTION.format(body="")


@pytest.mark.parametrize(
    ("group", "name", "code", "script", "told"),
    [
        ("primitives", "odd", PATH, "async function odd (bot) {}", "has no function odd with JSDoc right before it"),
        ("primitives", "odd", PATH, GOOD + FUNCTION.format(body="require('fs')"), "requires something"),
        ("primitives", "odd", PATH, DOC.format(about="Short.", example="") + EMPTY, "in 6 characters"),
        (
            "primitives", "odd", PATH,
            DOC.format(about="Does what it is here for.", example="@example odd()") + EMPTY,
            "has no @example that calls odd",
        ),
        ("primitives", "odd", PATH, GOOD + FUNCTION.format(body="null.fly()"), "the example throws TypeError"),
        (
            "modules", "odd",
            "from voyager_agents.piano.module import *\n"
            "ADDED = Module('odd', ('nowhere',), (), When(every_s=1.0), lambda view: NOTHING)\n",
            "", "nowhere",
        ),
        (
            "agents", "odd",
            "from voyager_agents.registry import *\nADDED = Family('chess', 'builtins:list')\n",
            "", "plays 'chess'; choose from episodes",
        ),
        ("scenarios", "odd", "ADDED = 3", "", "is neither a class with a Spec nor the Path"),
        ("judges", "odd", "def ADDED(ask):\n    raise ValueError('no judge')\n", "", "ValueError: no judge"),
    ],
)  # fmt: skip
async def test_what_a_package_adds_can_be_wrong(
    tmp_path: Path, group: str, name: str, code: str, script: str, told: str
) -> None:
    add(package(tmp_path, group, name, code, **({"x__js": script} if script else {})))
    found = [each async for each in check(group, name, tmp_path / "out")]
    assert told in " ".join(each.told for each in found if not each.ok)


def package_of(root: Path) -> str:
    return next(root.glob("*/__init__.py")).parent.name


@pytest.mark.parametrize(
    ("kind", "template"),
    [(kind, None) for kind in get_args(Kind) if kind != "scenario"]
    + [("scenario", each) for each in get_args(Template)],
)
async def test_what_accord_new_writes_complies(tmp_path: Path, kind: Kind, template: Template | None) -> None:
    name = {"primitive": "leapUp", "module": "night_guard"}.get(kind, f"fresh-{template or kind}")
    root = write(kind, name, tmp_path, template)
    add(root)
    groups = tomllib.loads((root / "pyproject.toml").read_text())["project"]["entry-points"]
    # Played it is in CI's check of the wheel, for a judge (.ci/wheel), and below, for scenarios.
    for group, named in groups.items():
        for each in named:
            suite = check(group.removeprefix("accord."), each, tmp_path / "out", played=False)
            found = [finding async for finding in suite]
            assert [f"{each.check}: {each.told}" for each in found if not each.ok] == []
            assert len(found) >= 1
    compile((root / "tests" / f"test_{package_of(root)}.py").read_text(), "test", "exec")
    with pytest.raises(UsageError, match="exists already"):
        write(kind, name, tmp_path)
    with pytest.raises(UsageError, match="is no name of a"):
        write(kind, "Not a name", tmp_path)


async def test_the_written_dilemma_is_one_and_its_contract_pays(tmp_path: Path) -> None:
    add(write("scenario", "barn", tmp_path))
    names = ("none", "contract-1", "negotiate")
    found = await run_study(StudySettings("barn", names, world="mock", out=tmp_path / "runs"))
    alone, agreed, bargained = found.results
    assert [each["status"] for each in found.results] == ["complete"] * 3
    assert (alone["welfare"], agreed["welfare"], bargained["welfare"]) == (32.0, 64.0, 64.0)
    assert agreed["measures"] == {"given": dict.fromkeys(("Gizmo", "Glitch", "Rivet", "Pixel"), 8.0)}
    assert (agreed["gathered"], figures(agreed)["given", TOGETHER]) == ({"given": "mean"}, 8.0)
    diagram = await schelling(SchellingPlan("barn", seeds=1, out=tmp_path / "schelling"))
    # Whoever keeps its planks gains, whatever the others do, and all lose by it.
    gains = [fmean(point.defector) - fmean(after.cooperator) for point, after in pairwise(diagram.points)]
    assert gains == [4.0] * 4
    assert fmean(diagram.points[-1].welfare) == 2 * fmean(diagram.points[0].welfare)


@pytest.mark.parametrize("template", ["matrix", "society", "empty"])
async def test_every_other_written_scenario_is_played(tmp_path: Path, template: Template) -> None:
    add(write("scenario", f"a-{template}", tmp_path, template))
    found = await run_study(StudySettings(f"a-{template}", world="mock", time_limit_s=5.0, out=tmp_path / "runs"))
    assert {each["status"] for each in found.results} == {"complete"}


def test_a_template_is_for_scenarios(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--template matrix is for a scenario, not for a judge: leave it out"):
        write("judge", "stern", tmp_path, "matrix")


def test_the_command_tells_each_check_and_fails_for_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "judges:formal"]) == 0
    assert "5 checks, 0 failed" in capsys.readouterr().out
    code = "class ADDED:\n    name = 'mute'\n    def __init__(self, ask): pass\n"
    code += "    async def judge(self, contract, evidence): return None\n"
    assert main(["check", str(package(tmp_path, "judges", "mute", code))]) == 1
    said = capsys.readouterr().out
    assert "FAIL  judge mute: gives a verdict on every end: answers NoneType, not a Verdict" in said
    assert main(["check", "worlds:mock"]) == 2
