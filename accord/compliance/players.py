"""Compliance checks of reference players: pure functions that write a program for some scenario."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from accord.compliance.finding import ComplianceFinding, require, run_check
from dilemmas.scenarios.registry import load_scenario, scenario_names
from voyager_agents import PLAYERS
from voyager_agents.agent import Action, Observation
from voyager_agents.errors import PlayerError
from voyager_agents.reference import Player, PlayerState


async def check_player(name: str, out: Path, *, played: bool = True) -> AsyncIterator[ComplianceFinding]:
    """Yield the findings for a reference player; its scenario's suite shows its effect in a world.

    Args:
        name: Name of the player.
        out: Unused folder, for the common signature.
        played: Unused, for the common signature.
    """
    yield await run_check(f"player {name}", "writes a program, the same twice", lambda: check_pure(PLAYERS[name]))


def check_pure(player: Player) -> str:
    """Return the scenarios that the player knows. Raises NotMet if it knows none, or is not pure."""
    known = []
    refusal = ""
    for scenario, observation in _observations():
        try:
            first, again = (_write_program(player, observation) for _ in range(2))
        except PlayerError as error:
            refusal = str(error)
            continue
        require(first == again, f"in {scenario} it writes another program for the same observation and seed")
        known.append(scenario)
    require(known, f"it plays no scenario that is here; it says: {refusal}")
    return ", ".join(known)


def _write_program(player: Player, observation: Observation) -> Action:
    action, _ = player(observation, PlayerState(0))
    return action


def _observations() -> Iterator[tuple[str, Observation]]:
    """Yield each scenario with payoffs, with its first player's observation before the first episode."""
    for name in scenario_names():
        scenario = load_scenario(name)
        if (facts := scenario.facts()) is not None:
            players = tuple(scenario.spec.players)
            yield name, Observation(players[0], players, facts=facts)
