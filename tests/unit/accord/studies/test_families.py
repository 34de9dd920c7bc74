"""Selection of agents: families and kinds by name, incompatible choices, and unknown options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from accord.studies.conditions import Condition, resolve
from accord.studies.fitting import Assignment
from accord.studies.models import Models
from accord.studies.players import agent_options, seating
from accord.studies.runner import StudyPlan
from accord.studies.settings import StudySettings
from accord.studies.setup import setup_of
from accord.studies.study import check_condition
from contracts import Contract
from dilemmas.errors import UsageError
from dilemmas.modes.registry import MODES
from dilemmas.scenarios.registry import load_scenario
from voyager_agents.registry import FAMILIES, role_names


def seats(scenario: str, **chosen: Any) -> dict[str, Assignment]:  # noqa: ANN401 - settings of any kind
    return seating(StudySettings(scenario, **chosen), load_scenario(scenario))


def test_every_family_can_be_loaded_and_says_what_it_needs() -> None:
    for name, family in FAMILIES.items():
        assert set(family.roles) <= set(role_names())
        assert bool(family.cost) == bool(family.roles), f"{name}: says what it asks of models where it has some"
        assert family.plays in MODES
        # In a grid game the family itself chooses the policy, and a file is a policy.
        named = family.plays == "grid" or "file" in family.options
        assert family.roles or family.kind_names() or named, f"{name}: plays without a model and has no kind"


def only(tmp_path: Path, *roles: str) -> StudySettings:
    """Return models for these roles only."""
    chosen = {role: "openai/x" for role in roles}
    return StudySettings("commons-harvest", models=chosen, base_url="http://127.0.0.1:1", out=tmp_path)


def test_whatever_its_roles_are_called_a_family_with_a_model_can_read(tmp_path: Path) -> None:
    text = Contract("text", "1. Laura pays Pedro 5 apples if it took more.", ("Laura", "Pedro", "Marta"))
    condition = Condition("text", "given", text)
    spec = load_scenario("commons-harvest").spec
    assert "mineBlock" in Models([only(tmp_path, "act")], {}).docs
    check_condition(only(tmp_path, "act", "judge"), spec, condition)
    for there in ((), ("judge",), ("act",)):
        with pytest.raises(UsageError, match="has text only, which players without a model cannot read"):
            check_condition(only(tmp_path, *there), spec, condition)


def test_models_play_as_the_paper_has_it_unless_something_else_is_asked_for() -> None:
    assert set(seats("double-vein").values()) == {Assignment("reference", "reference")}
    assert set(seats("double-vein", model="openai/x").values()) == {Assignment("paper", "")}
    mixed = seats("double-vein", model="openai/x", agents="voyager", players={"Gizmo": "greedy"})
    assert mixed == {"Gizmo": Assignment("reference", "greedy"), "Glitch": Assignment("voyager", "")}
    both = seats("double-vein", model="openai/x", players={"Gizmo": "voyager"})
    assert both == {"Gizmo": Assignment("voyager", ""), "Glitch": Assignment("paper", "")}


@pytest.mark.parametrize(
    ("chosen", "told"),
    [
        ({"agents": "robots"}, "unknown agents 'robots'; choose one of reference, paper"),
        (
            {"agents": "generative", "model": "openai/x"},
            "agents 'generative' do not play double-vein: they play in mode rounds",
        ),
        ({"agents": "paper"}, "agents of the family 'paper' need a model: give --model openai/NAME"),
        (
            {"players": {"Gizmo": "robot"}},
            "unknown reference player 'robot' for Gizmo; choose one of reference, greedy",
        ),
        ({"players": {"Bob": "greedy"}}, "unknown player 'Bob'"),
        ({"agents_options": {"mood": "good"}}, "--agents-option: 'mood' is no option of 'reference' agents"),
        (
            {"agents_options": {"mood": "good"}, "agents": "voyager", "model": "openai/x"},
            "--agents-option: agents' option 'mood' is not known: choose from library, learned, embedding, warm-up",
        ),
    ],
)
def test_what_does_not_fit_is_told_in_one_line(chosen: dict[str, Any], told: str) -> None:
    with pytest.raises(UsageError) as caught:
        StudyPlan.of(StudySettings("double-vein", out=Path("nowhere"), **chosen))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_condition_speaks_to_those_agents_that_it_is_meant_for() -> None:
    scenario = load_scenario("commons-harvest")
    modules = ["understanding", "communication", "constitution", "reputation"]
    for family in ("generative", "foragers", "voyager", "paper", "reference"):
        settings = StudySettings("commons-harvest", ("modules",), agents=family, model="openai/x")
        StudyPlan.of(settings)
        place = Assignment(family, "")
        told = agent_options(settings, scenario, place, "modules")
        assert told.get("modules") == (modules if family == "generative" else None)
        assert "modules" not in agent_options(settings, scenario, place, "none")


def test_players_of_one_family_play_by_different_files(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.js").write_text(f"async function {name} (bot) {{}}\n")
    one, two = (f"program:{tmp_path / name}.js" for name in ("one", "two"))
    both = seats("double-vein", agents=f"{one},{two}")
    assert both == {"Gizmo": Assignment("program", "", one[8:]), "Glitch": Assignment("program", "", two[8:])}
    assert seats("double-vein", agents="reference", players={"Glitch": two})["Glitch"] == both["Glitch"]
    settings = StudySettings("double-vein", agents="reference", players={"Gizmo": one, "Glitch": two})
    scenario = load_scenario("double-vein")
    assert agent_options(settings, scenario, both["Gizmo"], "none") == {"file": one[8:]}
    setup = setup_of(StudyPlan.of(settings).parts["none"], scenario, resolve(scenario, "none"))
    assert {Path(path).name for path in setup["files"]} == {"one.js", "two.js"}
    alone = StudySettings("double-vein", agents=one)
    assert (alone.agents, alone.agents_options) == ("program", {"file": one[8:]})
    (tmp_path / "two.js").unlink()
    with pytest.raises(UsageError, match=r"program:.*two\.js: cannot be read \(No such file"):
        StudyPlan.of(settings)
