"""Decorator that registers a function or a class as a family of agents, and the registry of families."""

from __future__ import annotations

import importlib
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import accord
from common.plugins import add, forget
from voyager_agents.agent import Action, Observation, Observer, PicturedTexts
from voyager_agents.context import AgentContext
from voyager_agents.cost import ImaginedRun
from voyager_agents.errors import AgentError, ModelError, ReplyError
from voyager_agents.eyes import See
from voyager_agents.facts import Facts
from voyager_agents.family import Family, agent
from voyager_agents.models import Model, ScriptedModel
from voyager_agents.registry import BUILT_IN, FAMILIES, check_options, make_agents

PROGRAM = "async function play (bot) {}\n"
SEEN = Observation("Gizmo", ("Gizmo", "Glitch"), task="Mine.", scenario="A shaft.")


def context(model: Model | None = None, **options: Any) -> AgentContext:  # noqa: ANN401 - options have any type
    """Return the context of one player, whose model for every role is `model`."""
    return AgentContext(
        player="Gizmo",
        players=("Gizmo", "Glitch"),
        condition="none",
        seed=0,
        kind="",
        about="",
        text="A shaft.",
        task="Mine.",
        model=lambda _role: model,
        docs="the primitives",
        options=options,
        folder=Path("nowhere"),
    )


@agent
def silent(seen: Observation, context: AgentContext) -> str:
    """Return a program that does nothing."""
    return PROGRAM


@agent(roles=("writer",), options=("mood",))
async def asking(seen: Observation, context: AgentContext) -> str:
    """Ask a model for a program."""
    return await context.ask(f"{seen.player}, be {context.options.get('mood', 'calm')}")


@pytest.fixture(autouse=True)
def families(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(BUILT_IN, "silent", silent)
    monkeypatch.setitem(BUILT_IN, "asking", asking)


async def test_a_function_without_a_model_returns_the_program() -> None:
    player = make_agents("silent", [context()])["Gizmo"]
    player.observe(SEEN)
    assert await player.act() == Action(PROGRAM)
    assert not silent.negotiates
    with pytest.raises(AgentError, match="'mood' is no option of 'silent' agents"):
        check_options("silent", {"mood": "good"})


async def test_a_function_with_a_role_gets_the_program_out_of_the_answer() -> None:
    model = ScriptedModel([f"Here it is:\n```javascript\n{PROGRAM}```", "I would rather not."])
    player = make_agents("asking", [context(model, mood="bold")])["Gizmo"]
    player.observe(SEEN)
    assert await player.act() == Action(PROGRAM)
    with pytest.raises(ReplyError):
        await player.act()


async def test_a_function_whose_role_sees_reads_what_is_left_beside_the_picture() -> None:
    told = replace(SEEN, scenario="Ore at 3, 4.", pictured=PicturedTexts("Ore is there."))
    read = []

    def reading(seen: Observation, _context: AgentContext) -> str:
        read.append(seen.scenario)
        return f"```javascript\n{PROGRAM}```"

    cases: tuple[tuple[tuple[str, ...], See], ...] = ((), "image"), (("writer",), "both"), (("writer",), "image")
    for sees, see in cases:
        family = agent(roles=("writer",), sees=sees)(reading)
        player = family.make([replace(context(), roles=("writer",), sees=sees, see=see)])[0]
        player.observe(told)
        assert await player.act() == Action(PROGRAM)
    assert read == ["Ore at 3, 4.", "Ore at 3, 4.", "Ore is there."]


async def test_a_missing_model_is_told() -> None:
    player = make_agents("asking", [context()])["Gizmo"]
    player.observe(SEEN)
    with pytest.raises(ModelError, match="Gizmo: there is no model for the role 'writer': give --model openai/NAME"):
        await player.act()


def test_an_unknown_option_is_refused_with_a_hint() -> None:
    check_options("asking", {"mood": "good"})
    with pytest.raises(AgentError, match=r"'mod' is not known \(did you mean 'mood'\?\): choose from mood"):
        check_options("asking", {"mod": "good"})


async def test_the_cost_of_a_function_is_measured_on_its_prompt() -> None:
    assert asking.cost is not None
    run = ImaginedRun(context(), Facts(SEEN.players, (), (), {"Gizmo": {}, "Glitch": {}}), None, (1, 4))
    least, most = (await asking.cost(run))["writer"]
    assert (least.calls, most.calls) == (1, 4)
    assert least.prompt == len("the primitivesGizmo, be calm") // 4


def test_a_class_with_speak_and_ratify_negotiates() -> None:
    class Speaker(Observer):
        """Agent that negotiates."""

        def __init__(self, context: AgentContext) -> None:
            super().__init__(context.player)

        async def speak(self, view: object) -> str:
            """Accept."""
            return "[accept]"

        async def ratify(self, sheet: object) -> None:
            """Sign nothing."""

    made = agent(Speaker)
    assert made.negotiates
    assert isinstance(made.make([context()])[0], Speaker)


def test_what_cannot_work_is_refused_when_it_is_decorated() -> None:
    with pytest.raises(AgentError, match="a function plays in mode 'episodes', not 'life': write a class"):
        agent(plays="life")(lambda seen, context: PROGRAM)
    with pytest.raises(AgentError, match="agents that play 'life' and ask models need cost="):
        agent(plays="life", roles=("mind",))(Observer)
    with pytest.raises(TypeError, match="negotiate"):
        agent(negotiate=True)(Observer)


def test_accord_offers_what_an_agent_needs() -> None:
    assert accord.agent is agent
    assert (accord.AgentContext, accord.Observation) == (AgentContext, Observation)


OLD = """
from voyager_agents.registry import Family, Seat, needed
ROLE = "old"
KINDS = ("bold", "shy")
def make(seats: list[Seat]): return [seat.kind for seat in seats]
def check(options): options["checked"]
async def cost(run): return {}
FAMILY = Family(
    "episodes", "oldstyle:make", roles=(ROLE,), check="oldstyle:check", cost="oldstyle:cost", kinds="oldstyle:KINDS"
)
"""
PROJECT = """
[project]
name = "oldstyle"
version = "1"
[project.entry-points."accord.agents"]
oldstyle = "oldstyle:{name}"
"""


@pytest.mark.parametrize("name", ["FAMILY", "Plain"])
def test_entry_points_of_earlier_packages_and_bare_classes_work(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "pyproject.toml").write_text(PROJECT.format(name=name))
    plain = "class Plain:\n    def __init__(self, context): self.name = context.player\n"
    (tmp_path / "oldstyle.py").write_text(OLD + plain)
    add(tmp_path)
    try:
        found = FAMILIES["oldstyle"]
        assert isinstance(found, Family)
        if name == "FAMILY":
            assert found.kind_names() == ["bold", "shy"]
            assert found.make([context()]) == [""]
            assert callable(found.cost)
            assert found.check is not None
            with pytest.raises(KeyError):
                found.check({})
            assert list(found.files({})) == []
        else:
            assert found.make([context()])[0].name == "Gizmo"
    finally:
        forget()
        sys.modules.pop("oldstyle", None)
        importlib.invalidate_caches()


def test_looking_families_up_imports_no_implementation() -> None:
    """Commands that only validate options look up every family."""
    heavy = ("piano.agent", "generative.assembly", "voyager.learner", "grid.words", "reference.climbers")
    script = (
        "import sys\nfrom voyager_agents.registry import role_names\nrole_names()\n"
        f"print([each for each in {heavy!r} if 'voyager_agents.' + each in sys.modules])"
    )
    said = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert said.stdout.strip() == "[]"


def test_every_built_in_entry_is_a_family() -> None:
    assert all(isinstance(FAMILIES[name], Family) for name in BUILT_IN)
