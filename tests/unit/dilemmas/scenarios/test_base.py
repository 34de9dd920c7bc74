"""Scenarios declare their abilities, and a misspelt hook is refused."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from common.hooks import helper
from dilemmas.modes.registry import MODES
from dilemmas.scenarios.base import ABILITIES, Scenario
from dilemmas.scenarios.double_vein.scenario import DoubleVein
from dilemmas.scenarios.protocol import Rules
from dilemmas.scenarios.registry import load_scenario


@pytest.mark.parametrize(
    ("name", "abilities"),
    [
        ("double-vein", set()),
        ("commons-harvest", {"round-game", "measures"}),
        ("prisoners-dilemma", {"round-game", "repeats", "measures"}),
        ("ada-contract", {"grid-game", "measures"}),
        ("voyager-progress", {"trial", "measures", "society"}),
        ("village", {"measures", "society", "tally", "rating"}),
        ("religion", {"measures", "society", "tally"}),
    ],
)
def test_abilities_follow_from_the_hooks_that_a_class_overrides(name: str, abilities: set[str]) -> None:
    assert load_scenario(name).abilities == abilities


def test_a_scenario_is_lived_in_if_its_file_says_how() -> None:
    assert load_scenario("village").living is not None
    assert load_scenario("double-vein").living is None
    assert load_scenario("cleanup").living is None


def test_every_hook_of_an_ability_is_a_hook_of_the_base_class() -> None:
    for hooks in ABILITIES.values():
        for hook in hooks:
            assert hasattr(Scenario, hook)


def test_a_misspelt_hook_is_refused_with_the_nearest_hook() -> None:
    with pytest.raises(TypeError, match=r"Misspelt.mesures is no hook of .*Scenario \(did you mean 'measures'\?\)"):

        class Misspelt(DoubleVein):
            def mesures(self, lines: Iterable[Any]) -> Mapping[str, Any]:
                return {}


def test_a_misspelt_attribute_is_refused() -> None:
    with pytest.raises(TypeError, match=r"did you mean 'gathers'\?"):

        class Misspelt(DoubleVein):
            gather: Mapping[str, str] = {"given": "mean"}


def test_a_misspelt_hook_of_a_mixin_is_refused() -> None:
    class Mixin:
        def opening_event(self, condition: str) -> list[Any]:
            return []

    with pytest.raises(TypeError, match=r"Mixed.opening_event is no hook .*'opening_events'"):

        class Mixed(Mixin, DoubleVein):
            pass


def test_an_ability_with_a_missing_hook_is_refused() -> None:
    with pytest.raises(TypeError, match="the ability 'round-game' lacks the hook 'turn_range'"):

        class Half(DoubleVein):
            def round_range(self, limit_s: float) -> tuple[int, int]:
                return (1, 1)


def test_marked_helpers_and_private_names_are_free() -> None:
    class Helped(DoubleVein):
        _count = 1

        @helper
        def double(self) -> int:
            return 2 * self._count

        @property
        @helper
        def half(self) -> float:
            return self._count / 2

    class Further(Helped):
        def double(self) -> int:
            return 3

    assert Further.abilities == DoubleVein.abilities


def test_rules_and_modes_refuse_misspelt_hooks_too() -> None:
    with pytest.raises(TypeError, match=r"did you mean 'announcements'\?"):

        class Loud(Rules):
            def announcement(self) -> list[Any]:
                return []

    with pytest.raises(TypeError, match=r"did you mean 'unit'\?"):

        class Counted(type(MODES["rounds"])):  # type: ignore[misc] # the class is not named here
            units = "round"
