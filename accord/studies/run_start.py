"""First event of a run."""

from __future__ import annotations

from collections.abc import Mapping

from accord.studies.conditions import Condition
from dilemmas.records.events import PlayerTerms, RunStarted
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.base import Scenario


def log_start(
    record: RunRecord, scenario: Scenario, condition: Condition, world: str, seed: int, authors: Mapping[str, str]
) -> None:
    """Log the start of a run with the players' prices, authors and groups.

    Args:
        record: Record of the run.
        scenario: The scenario.
        condition: The condition.
        world: Name of the world.
        seed: Seed of the run.
        authors: Player -> author of its programs.
    """
    spec = scenario.spec
    bots = [name for name, player in spec.players.items() if player.bot is not None]
    groups = {name: ("bot" if name in bots else "agent") if bots else "" for name in spec.players}
    record.log(
        RunStarted(
            run=record.directory.name,
            scenario=spec.name,
            version=spec.version,
            condition=condition.name,
            contract_kind=condition.kind,
            world=world,
            seed=seed,
            players={
                name: PlayerTerms(prices=dict(player.prices), author=authors[name], group=groups[name])
                for name, player in spec.players.items()
            },
        )
    )
