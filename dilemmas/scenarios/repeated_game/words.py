"""Text of a repeated game, made from its data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from dilemmas.scenarios.repeated_game.parts import GameRules, RepeatedSpec
from voyager_agents.stage_games.laws import Roles, StageLaw, plain, share

TASK = "Have, at the end, as many emeralds as you can, transfers under the contract included."
UNPAID_TASK = "Have, at the end, as many units as you can."
ACTS_OF_CHOOSING = {
    "plates": "stands on a pressure plate",
    "levers": "pulls one lever",
    "chests": "puts its sheet of paper into a chest",
}
"""Device -> act of choosing, in words."""
STAND_INS = {
    "random": "For a player that chooses nothing in time, one of its options is drawn at random.",
    "last": "For a player that chooses nothing in time, its last choice counts again, at first a random one.",
    "reference": "For a player that chooses nothing in time, a fixed strategy chooses.",
    "selfish": "For who chooses nothing in time its most selfish option counts.",
    "cooperative": "For who chooses nothing in time its most cooperative option counts.",
}
"""Stand-in -> rule for players that choose nothing, in words."""
DEVICE_NAMES = {"plates": "plate", "levers": "lever", "chests": "chest"}


def describe_game(
    law: StageLaw, repeated: Mapping[str, Any], rules: Mapping[str, Any], data: Mapping[str, Any]
) -> list[str]:
    """Return the whole game in sentences; empty for illegal data.

    Args:
        law: Law of one round.
        repeated: Data of `repeated` in the file.
        rules: Data of `rules` in the file.
        data: Data of the whole file.
    """
    try:
        repetition, own = RepeatedSpec.model_validate(repeated).repetition(), GameRules.model_validate(rules)
    except ValidationError:
        return []
    by, worth = data.get("by", "plates"), share(data.get("emerald", 1))
    lines = [*law.rule_lines(), repetition.sentence(), *describe_choices(law, by)]
    if own.noise:
        lines.append(
            f"Hands tremble: with a chance of {float(100 * share(own.noise)):g} % another option than the one that a "
            "player chose counts for it."
        )
    lines.append(STAND_INS[own.default])
    if not law.paid:
        return [*lines, "Units are kept on account, and not paid in emeralds."]
    lines.append("After each round payoffs are paid in emeralds; a block of emerald stands for nine.")
    if worth != 1:
        lines.append(f"An emerald is worth {plain(worth)}.")
    return lines


def describe_choices(law: StageLaw, by: str) -> list[str]:
    """Return sentences on choosing: the device of each option, once for all players with the same options."""
    if by not in ACTS_OF_CHOOSING:
        return []
    act, device = ACTS_OF_CHOOSING[by], DEVICE_NAMES[by]
    lines = [f"To choose, a player {act} in its own booth; the {device}s are counted from the lowest x."]
    for stage, name in enumerate(law.stages):
        told: dict[tuple[str, ...], list[str]] = {}
        for player in law.players:
            for roles in law.situations():
                options = law.options(stage, player, roles)
                who = _who(law, player, roles)
                if options and who not in told.setdefault(options, []):
                    told[options].append(who)
        for options, whose in told.items():
            numbered = ", ".join(f"{number} {option}" for number, option in enumerate(options, 1))
            alike = "everybody" if len(whose) == len(law.players) else " and ".join(whose)
            lines.append(f"The {DEVICE_NAMES[by]}s at the {name} of {alike}: {numbered}.")
    return lines


def _who(law: StageLaw, player: str, roles: Roles) -> str:
    """Return the player by its role, if it has one, else by its name."""
    role = roles[player].name if player in roles else ""
    return f"the {role}" if role else player
