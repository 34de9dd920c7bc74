"""Every snippet of the documentation is what it is said to be: Python runs on the mock world, scenarios, contracts and
personas are loaded as users' are, JavaScript is linted or run.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
import subprocess
import sys
import textwrap
import tomllib
import types
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from accord.cli.new import write as new_package
from accord.studies.estimate import expect
from accord.studies.league import open_league, play_league
from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from bridge.mock.trial import try_policy
from bridge.prerequisites import node_binary
from bridge.types import ProgramOutcome
from contracts import load_contract
from dilemmas.people.forms import read_forms
from dilemmas.scenarios.registry import load_scenario
from tests.docs.snippets import Snippet, snippets
from tests.unit.voyager_agents.stage_games.scene import HEAD
from voyager_agents.commons_harvest import HarvestAct
from voyager_agents.family import Family
from voyager_agents.generative import MODULES, GenerativeSettings
from voyager_agents.generative.acts import read_act
from voyager_agents.generative.court import CouncilCourt
from voyager_agents.generative.terms import TermScope
from voyager_agents.personas.persona import load_personas
from voyager_agents.piano.wiring import own_modules
from voyager_agents.registry import BUILT_IN

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
SHOWN = {page.name: list(snippets(page)) for page in PAGES if "_build" not in page.parts}
NEEDS = {"scale.md": ("pandas", "pyarrow"), "religion.md": ("networkx",)}
"""Packages that a page's snippets import beside Accord's own; where they are missing, these are compiled alone."""
POLICY = ROOT / "examples" / "skill_test" / "mine_iron.js"
"""Stands for any policy, for the rules of the linter."""


@dataclass
class Page:
    """One page while its snippets are tried, in an empty folder."""

    folder: Path
    patch: pytest.MonkeyPatch
    scope: dict[str, Any] = field(default_factory=dict)
    primitive: Path | None = None


def run(page: Page, snippet: Snippet) -> None:
    """Executed, with `await` as in a notebook."""
    code = compile(snippet.text, str(snippet), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    if all(find_spec(name) for name in NEEDS.get(snippet.page, ())):
        made = eval(code, page.scope)
        if inspect.iscoroutine(made):
            asyncio.run(made)


def module(page: Page, snippet: Snippet) -> None:
    """A Python file, imported by the name that it would have."""
    made = types.ModuleType(snippet.argument)
    page.patch.setitem(sys.modules, snippet.argument, made)
    exec(compile(snippet.text, str(snippet), "exec"), made.__dict__)
    page.scope |= made.__dict__


def family(page: Page, snippet: Snippet) -> None:
    """A module with a family of that name, which then plays under it."""
    module(page, snippet)
    made = page.scope[snippet.argument]
    assert isinstance(made, Family)
    page.patch.setitem(BUILT_IN, snippet.argument, made)


def entry(page: Page, snippet: Snippet) -> None:
    """A line of one of Accord's tables, put into it."""
    place, _, table = snippet.argument.partition(":")
    home = __import__(place, fromlist=[table])
    for name, value in eval(f"{{{snippet.text}}}", {**home.__dict__, **page.scope}).items():
        page.patch.setitem(getattr(home, table), name, value)


def written(page: Page, snippet: Snippet) -> None:
    """A part of a file of the package that `accord new scenario barn-raising` writes."""
    root = page.folder / "accord-barn-raising"
    if not root.exists():
        new_package("scenario", "barn-raising", page.folder)
    shown, whole = snippet.text.splitlines(), (root / snippet.argument).read_text(encoding="utf-8").splitlines()
    # A snippet begins at the margin, whatever its depth in the file.
    parts = [textwrap.dedent("\n".join(whole[at : at + len(shown)])).splitlines() for at in range(len(whole))]
    assert shown in parts, f"{snippet.argument} says otherwise"


def scenario(page: Page, snippet: Snippet) -> None:
    """A variant's file: all its conditions can be played, those of grid games by models."""
    path = in_file(page, snippet, "variant.yaml")
    spec = load_scenario(str(path)).spec
    conditions = tuple(spec.conditions)
    nowhere = "grid" in spec.plays or spec.WORLDLESS
    chosen = {"world": "none", "model": "openai/NAME"} if nowhere else {"world": "mock"}
    StudyPlan.of(StudySettings(str(path), conditions, **chosen))


def contract(page: Page, snippet: Snippet) -> None:
    """A contract's file."""
    load_contract(in_file(page, snippet, "contract.yaml"))


def personas(page: Page, snippet: Snippet) -> None:
    """A file of personas."""
    load_personas([in_file(page, snippet, "personas.yaml")])


def questionnaire(page: Page, snippet: Snippet) -> None:
    """A file of questions to people."""
    assert read_forms(None, None, str(in_file(page, snippet, "questions.yaml")))


def games(page: Page, snippet: Snippet) -> None:
    """Stage games, one a line."""
    for line in snippet.text.splitlines():
        path = page.folder / "game.yaml"
        path.write_text(f"{HEAD}game: {line}\n", encoding="utf-8")
        load_scenario(str(path))


def minds(page: Page, snippet: Snippet) -> None:
    """A file with modules of agents that live."""
    assert own_modules(in_file(page, snippet, "own_module.py"))


def file(page: Page, snippet: Snippet) -> None:
    """A file of that name, for what the page does afterwards."""
    in_file(page, snippet, snippet.argument)


def data(page: Page, snippet: Snippet) -> None:
    """TOML that can be read."""
    tomllib.loads(snippet.text)


def primitive(page: Page, snippet: Snippet) -> None:
    """A primitive's file, beside what it requires."""
    skills = page.folder / "skills_js"
    (skills / "primitives").mkdir(parents=True)
    (skills / "bot_facade").symlink_to(ROOT / "skills_js" / "bot_facade")
    (skills / "primitives" / "support").symlink_to(ROOT / "skills_js" / "primitives" / "support")
    page.primitive = skills / "primitives" / f"{snippet.argument}.js"
    page.primitive.write_text(snippet.text, encoding="utf-8")


def policy(page: Page, snippet: Snippet) -> None:
    """A program that ends well; on a page with a primitive, with that one."""
    if page.primitive is None:
        trial = try_policy(snippet.text, log_dir=page.folder / "log")
        assert trial.result.outcome is ProgramOutcome.RETURNED, trial.result.error
        return
    test = f"""
    const {{ createMockWorld }} = require({json.dumps(str(ROOT / "skills_js" / "mock"))})
    const {{ {page.primitive.stem} }} = require({json.dumps(str(page.primitive))})
    const world = createMockWorld({{ seed: 1 }})
    const bot = world.join('Gizmo')
    {snippet.text}
    world.run(() => play(bot)).then(() => process.exit(0), (error) => {{ console.error(error); process.exit(1) }})
    """
    said = node("-e", test, cwd=page.folder)
    assert said.returncode == 0, said.stderr


def test_file(page: Page, snippet: Snippet) -> None:
    """A file for `node --test`, in the project's folder."""
    (page.folder / "skills_js").symlink_to(ROOT / "skills_js")
    path = in_file(page, snippet, "snippet.test.js")
    said = node("--test", str(path), cwd=page.folder)
    assert said.returncode == 0, said.stdout


def fragment(page: Page, snippet: Snippet) -> None:
    """Linted with all others: `test_fragments_of_programs_are_sound`."""


def line(page: Page, snippet: Snippet) -> None:
    """A line of an object that the page's file is put into."""
    said = node("-e", f"const require = () => ({{}}); ({{ {snippet.text} }})", cwd=page.folder)
    assert said.returncode == 0, said.stderr


KINDS: Mapping[str, Callable[[Page, Snippet], None]] = {
    each.__name__: each
    for each in (
        run, module, family, entry, written, scenario, contract, personas, questionnaire, games, minds, file, data,
        primitive, policy, test_file, fragment, line,
    )
}  # fmt: skip
test_file.__test__ = False  # type: ignore[attr-defined]


def in_file(page: Page, snippet: Snippet, name: str) -> Path:
    path = page.folder / name
    path.write_text(snippet.text, encoding="utf-8")
    return path


def node(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(node_binary()), *arguments], cwd=cwd, capture_output=True, text=True, check=False)


def relay(page: Page) -> None:
    """The page says what its mode gives: 72 emeralds, a Gini coefficient of 1."""
    settings = StudySettings(str(page.folder / "variant.yaml"), world="mock", out=page.folder / "runs")
    (result,) = asyncio.run(run_study(settings)).results
    assert (result["welfare"], result["gini"]) == (72, 1)


def agents(page: Page) -> None:
    """A study of the page's function can be estimated, and the page's class plays."""
    found = asyncio.run(
        expect(StudySettings("double-vein", agents="terse", model="openai/x", world="mock", episodes=3))
    )
    assert found["least"]["calls"] == 6
    settings = StudySettings("double-vein", agents="careful", episodes=2, world="mock", out=page.folder / "runs")
    assert asyncio.run(run_study(settings)).results[0]["episodes"] == 2


def council(page: Page) -> None:
    """A log in which agreements were made and broken."""
    court = CouncilCourt(("Ann", "Bob"), TermScope(("Ann", "Bob"), ("tree 1",)), GenerativeSettings(modules=MODULES))
    term = {"kind": "avoid", "tree": "tree 1"}
    acts = [
        ("Ann", {"act": "propose", "to": ["Bob"], "term": term, "rounds": 4}),
        ("Bob", {"act": "accept", "agreement": "A1"}),
    ]
    entries = [court.opening()]
    for player, act in acts:
        entries += court.hear(1, player, read_act(act, MODULES))
    entries += court.judge(1, [HarvestAct("take", "Ann", (1, 1), "tree 1", 1)])
    entries += court.close(12)
    assert {"agreement_made", "broken"} <= {each["what"] for each in entries}
    lines = [json.dumps({"kind": "council", "data": {"entry": each}}) for each in entries]
    (page.folder / "events.jsonl").write_text("\n".join(lines), encoding="utf-8")


def league(page: Page) -> None:
    """The page's league is played."""
    plan = open_league(page.folder / "my-league.yaml")
    assert asyncio.run(play_league(plan, page.folder / "runs")).standings[0].rating > 1500
    assert sum(len(each.planned) for each in plan.scenarios) == 160


def conversions(page: Page) -> None:
    """A graph of conversions, as a report has it."""
    from dilemmas.scenarios.societies.exposures import Believer, Exposures, graphml

    (page.folder / "conversions").mkdir()
    told = graphml(Exposures({"Ann": Believer(role="priest"), "Bob": Believer()}))
    (page.folder / "conversions" / "priests-seed-0.graphml").write_text(told, encoding="utf-8")


def table(page: Page) -> None:
    """A sweep's table, where it can be written as Parquet."""
    if find_spec("pyarrow"):
        import pyarrow
        import pyarrow.parquet

        (page.folder / "runs" / "sweep").mkdir(parents=True)
        path = page.folder / "runs" / "sweep" / "results.parquet"
        pyarrow.parquet.write_table(pyarrow.table({"welfare": [78.0]}), path)


BEFORE = {"generative-agents.md": council, "religion.md": conversions, "scale.md": table}
AFTER = {"adding-a-mode.md": relay, "adding-agents.md": agents, "league.md": league}


@pytest.mark.parametrize("name", [name for name, found in SHOWN.items() if found])
def test_snippets_of_a_page_are_what_they_are_said_to_be(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "dilemmas").symlink_to(ROOT / "dilemmas")
    monkeypatch.chdir(tmp_path)
    page = Page(tmp_path, monkeypatch)
    BEFORE.get(name, lambda _: None)(page)
    for snippet in SHOWN[name]:
        assert snippet.kind in KINDS, f"{snippet}: is no kind of snippet; choose from {', '.join(KINDS)}"
        KINDS[snippet.kind](page, snippet)
    AFTER.get(name, lambda _: None)(page)


def test_fragments_of_programs_are_sound() -> None:
    """In scope is what programs find there, and nothing else."""
    fragments = [each for found in SHOWN.values() for each in found if each.kind == "fragment"]
    text = "".join(
        f"async function fragment{number} (bot) {{ // {each}\n{each.text}}}\n" for number, each in enumerate(fragments)
    )
    said = lint(text)
    assert not said, said


def lint(text: str) -> str:
    """Return the faults of a program."""
    eslint = ROOT / "node_modules" / "eslint" / "bin" / "eslint.js"
    command = [str(node_binary()), str(eslint), "--stdin", "--stdin-filename", str(POLICY)]
    return subprocess.run(command, input=text, cwd=ROOT, capture_output=True, text=True, check=False).stdout


def test_what_is_wrong_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(tmp_path, monkeypatch)
    assert "nobody" in lint("async function play (bot) { await nobody(bot) }\n")
    for kind, language, text in (
        ("run", "python", "import accord\naccord.nothing()\n"),
        ("scenario", "yaml", "scenario: double-vein\nnonsense: 1\n"),
        ("contract", "yaml", "parties: [Gizmo]\n"),
        ("games", "yaml", "{form: poker}\n"),
        ("minds", "python", "MODULE = 3\n"),
        ("data", "toml", "a = \n"),
        ("line", "js", "...require(\n"),
        ("written", "toml", "name = 'another'\n"),
    ):
        with pytest.raises(Exception, match=r"\S"):
            KINDS[kind](page, Snippet("page.md", 1, language, kind, "pyproject.toml", text))
    (tmp_path / "page.md").write_text("<!-- snippet: run -->\n\nwords\n")
    with pytest.raises(ValueError, match="stands before no fence"):
        list(snippets(tmp_path / "page.md"))
