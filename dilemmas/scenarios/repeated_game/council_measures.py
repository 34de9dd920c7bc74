"""Measures of councils on a common stock: caps that were agreed, and how they were kept."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from statistics import fmean

from dilemmas.records.events import RoundPlayed
from voyager_agents.stage_games.councils import PROPOSAL, TAKING, CouncilLaw
from voyager_agents.stage_games.laws import StageLaw

TOGETHER = ""
"""Name under which measures of all players together stand."""


def council_measures(law: StageLaw, rounds: Sequence[RoundPlayed]) -> dict[str, dict[str, float]]:
    """Return the measures of the councils of a game; empty without any. Choices of stand-ins count for nobody.

    Args:
        law: Law of the game.
        rounds: Rounds of the game.
    """
    if not isinstance(law, CouncilLaw):
        return {}
    numbers = law.parts[0].number_of
    agreed: list[bool] = []
    caps: list[Fraction] = []
    excess: dict[str, list[Fraction]] = {}
    for played in rounds:
        before = law if "cap" not in played.state else law.with_cap(Fraction(str(played.state["cap"])))
        cap = before.cap_after(tuple(played.choices))
        if played.choices[PROPOSAL]:
            agreed.append(cap is not None)
        if cap is None:
            continue
        caps.append(cap)
        absent = played.absent[TAKING] if played.absent else []
        for player, option in played.choices[TAKING].items():
            if player not in absent:
                excess.setdefault(player, []).append(max(Fraction(0), numbers[option] - cap))
    found = {"caps_agreed": {TOGETHER: fmean(map(float, agreed))}} if agreed else {}
    if caps:
        found["cap"] = {TOGETHER: float(fmean(caps))}
        found["cap_kept"] = {player: fmean(float(not each) for each in own) for player, own in excess.items()}
        found["cap_excess"] = {player: float(fmean(own)) for player, own in excess.items()}
    return found
