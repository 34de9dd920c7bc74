"""Mediator and commitments under `institutions` in a repeated game's file: they change the game of a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from contracts.errors import ContractError
from contracts.institutions.frame import read_parts
from contracts.institutions.game_devices import CommitmentSettings, MediatorSettings
from voyager_agents.stage_games.derived import Device, Mediator, Programs, derived
from voyager_agents.stage_games.laws import StageLaw


def with_device(law: StageLaw, institutions: Mapping[str, Any]) -> StageLaw:
    """Return the law with the device that the institutions name, or the law itself.

    Args:
        law: Law of the game without a device.
        institutions: Institution -> on, off or its settings, as in the file.

    Raises:
        ValueError: A device or its settings do not suit the game.
    """
    try:
        devices = [_device(law, each) for each in read_parts(institutions).values()]
    except ContractError as error:
        raise ValueError(str(error)) from None
    found = [each for each in devices if each is not None]
    if len(found) > 1:
        raise ValueError("institutions: mediator and commitments both choose for players: turn one of them off")
    return derived(law, found[0]) if found else law


def _device(law: StageLaw, settings: object) -> Device | None:
    if isinstance(settings, MediatorSettings):
        return Mediator(law, settings.together, settings.otherwise, settings.quorum)
    if isinstance(settings, CommitmentSettings):
        return Programs(law, tuple((settings.programs or _usual_programs(law)).items()))
    return None


def _usual_programs(law: StageLaw) -> dict[str, str]:
    """Return the program that cooperates with whoever is sure to, and that which cooperates with its like."""
    roles = law.situations()[0]
    ends = {(law.kind(0, player, roles), law.selfish(0, player, roles)) for player in law.players}
    if len(ends) > 1:
        raise ValueError("institutions.commitments: players have different options here: give programs")
    [(kind, selfish)] = ends
    return {
        "fair": f"{kind} if plays(others, {kind}) else {selfish}",
        "clique": f"{kind} if same(others) else {selfish}",
    }
