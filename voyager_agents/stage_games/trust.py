"""Trust that grows slowly and falls fast, and bounded reciprocity that it gates.

After Pant and Yu: trust and reputation damage (arXiv 2510.24909, section 4), reciprocity with a memory of k periods
(arXiv 2604.01240). Ours are: the signal is linear in cooperativeness, which is 0 to 1 here; the response becomes a
choice by a threshold; and the dependence on the other is the interdependence of a payoff table (`theory`), else 0.

    signal     2 * cooperativeness - 1
    trust      grows by GROWTH * signal * (1 - damage - trust), and falls by
               FALL * -signal * trust * (1 + DEPENDENCE * dependence)
    damage     grows by DAMAGE * -signal * (1 - damage), else fades by FADING * damage
    response   trust * mean signal of the last MEMORY periods, between -1 and 1
"""

from __future__ import annotations

from collections import deque
from functools import cache

from voyager_agents.stage_games.equilibria import table_of
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.tables import Matrix
from voyager_agents.stage_games.theory import interdependence

START = 0.5
"""Trust before anything was seen."""
GROWTH, FALL = 0.1, 0.3
"""Rates of growth and fall of trust."""
DAMAGE, FADING = 0.6, 0.03
"""Rates at which reputation is damaged, and at which the damage fades."""
DEPENDENCE = 0.5
"""Weight of the dependence on the other in the fall of trust."""
MEMORY = 3
"""Number of periods of reciprocity."""
THRESHOLD = 0.2
"""Response from which a player cooperates. Full cooperation within memory needs trust of as much."""


class TrustState:
    """Trust in another player, or in a group by its mean choices, with the memory of reciprocity."""

    def __init__(self, dependence: float = 0.0) -> None:
        self._dependence = dependence
        """Dependence on the other, 0 to 1."""
        self.value = START
        self._damage = 0.0
        self._recent: deque[float] = deque(maxlen=MEMORY)

    def observe(self, rate: float) -> None:
        """Observe the cooperativeness of the other's choice in a period, 0 to 1."""
        signal = 2 * rate - 1
        self._recent.append(signal)
        if signal < 0:
            fall = FALL * -signal * (1 + DEPENDENCE * self._dependence)
            self.value *= max(0.0, 1 - fall)
            self._damage += DAMAGE * -signal * (1 - self._damage)
        else:
            self.value += GROWTH * signal * max(0.0, 1 - self._damage - self.value)
            self._damage -= FADING * self._damage

    @property
    def seen(self) -> bool:
        """True if anything was observed."""
        return bool(self._recent)

    def cooperates(self) -> bool:
        """Return True if trust-gated reciprocity cooperates now; before anything was observed it does."""
        return not self.seen or self.value * sum(self._recent) / len(self._recent) >= THRESHOLD


@cache
def dependence_of(law: StageLaw, player: str) -> float:
    """Return the player's dependence on its partner: the interdependence of a table, else 0."""
    if not isinstance(law, Matrix):
        return 0.0
    return float(interdependence(table_of(law))[law.players.index(player)])
