"""Evolutionary stability and replicator dynamics of a symmetric game of two players.

Members of one large population are matched at random; a state is the share of each option. A state is evolutionarily
stable (ESS) if it is a best reply to itself and earns more than any other best reply against that reply (Maynard Smith
and Price 1973). The test is exact: with respect to differences from one option in its support, the payoff matrix must
be negative definite on the support and strictly copositive on the other best replies (Haigh 1975; Bomze 1992).

Replicator dynamics lets an option's share grow at the rate of its advantage over the population's mean payoff (Taylor
and Jonker 1978). States in which all options present earn the same are its rest points:

    stable     an ESS, or all eigenvalues of the linearization on the simplex have a negative real part
    unstable   an eigenvalue has a positive real part
    neutral    the linearization does not decide, as at the center of rock, paper, scissors

Where a support has a continuum of rest points, none of it is listed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from voyager_agents.stage_games.equilibria import Mixture, indifferent
from voyager_agents.stage_games.tables import Matrix

MAX_OPTIONS = 6
"""Maximum number of options; supports double with each further one."""
NEARLY = 1e-9
"""Real parts of eigenvalues below this are zero."""
STEP, STEPS = 0.25, 2_000
"""Time step and maximum number of steps of replicator dynamics, with payoffs scaled to a range of 1."""
SETTLED = 1e-12
"""Change of a share in a step below which replicator dynamics has come to rest."""
DIGITS = 6
"""Digits of the state that is reached, which is a limit only approximately."""
STABLE, UNSTABLE, NEUTRAL = "stable", "unstable", "neutral"
Payoffs = Sequence[Sequence[Fraction]]
"""Payoff of each option against each option."""


@dataclass(frozen=True)
class RestPoint:
    """Rest point of replicator dynamics."""

    state: Mixture
    equilibrium: bool
    """True for a symmetric Nash equilibrium."""
    stable: bool
    """True for an ESS."""
    dynamics: str
    """`stable`, `unstable` or `neutral` under replicator dynamics."""


def evolution(law: Matrix) -> dict[str, Any]:
    """Return rest points and the state reached from equal shares, as JSON-compatible data; empty if not symmetric."""
    if not law.symmetric or len(law.rows) > MAX_OPTIONS:
        return {}
    payoffs = [[cell[0] for cell in row] for row in law.cells]
    return {
        "evolution": {
            "rest_points": [
                {
                    "state": _named(law.rows, [float(share) for share in each.state]),
                    "equilibrium": each.equilibrium,
                    "ess": each.stable,
                    "dynamics": each.dynamics,
                }
                for each in rest_points(payoffs)
            ],
            "from_equal_shares": _named(law.rows, replicated(payoffs)),
        }
    }


def rest_points(payoffs: Payoffs) -> list[RestPoint]:
    """Return the isolated rest points of replicator dynamics, by the size of their supports."""
    found = []
    for size in range(1, len(payoffs) + 1):
        for support in combinations(range(len(payoffs)), size):
            weights = indifferent([[payoffs[own][other] for other in support] for own in support])
            if weights is None:
                continue
            state = tuple(
                weights[support.index(place)] if place in support else Fraction(0) for place in range(len(payoffs))
            )
            replies = _best_replies(payoffs, state)
            holds = set(support) <= set(replies)
            ess = holds and _is_stable(payoffs, support, replies)
            found.append(RestPoint(state, holds, ess, STABLE if ess else _dynamics(payoffs, state)))
    return found


def _best_replies(payoffs: Payoffs, state: Mixture) -> list[int]:
    values = [_value(row, state) for row in payoffs]
    return [place for place, value in enumerate(values) if value == max(values)]


def _value(row: Sequence[Fraction], state: Mixture) -> Fraction:
    return sum((amount * share for amount, share in zip(row, state, strict=True)), Fraction(0))


def _is_stable(payoffs: Payoffs, support: Sequence[int], replies: Sequence[int]) -> bool:
    """Return True for an ESS, given its support and its best replies."""
    base, *free = support
    order = [*free, *(place for place in replies if place not in support)]

    def lost(one: int, other: int) -> Fraction:
        """Return what a change of shares in these two directions, from `base`, loses."""
        found = payoffs[base][other] + payoffs[one][base] - payoffs[one][other] - payoffs[base][base]
        back = payoffs[base][one] + payoffs[other][base] - payoffs[other][one] - payoffs[base][base]
        return found + back

    form = [[lost(one, other) for other in order] for one in order]
    for _ in free:  # Shares within the support may rise and fall: eliminate each of these variables.
        if form[0][0] <= 0:
            return False
        head = form[0]
        form = [
            [own - row[0] * other / head[0] for own, other in zip(row[1:], head[1:], strict=True)] for row in form[1:]
        ]
    return strictly_copositive(form)


def strictly_copositive(form: Payoffs) -> bool:
    """Return True if a symmetric form is positive for all amounts that are not negative and not all zero.

    Its minimum on the simplex lies inside some face, where it is equal in all directions. If such points are not
    unique they reach the face's border with the same value, where a smaller face is checked.
    """
    for size in range(1, len(form) + 1):
        for face in combinations(range(len(form)), size):
            part = [[form[one][other] for other in face] for one in face]
            weights = indifferent(part)
            if weights is not None and _value(part[0], tuple(weights)) <= 0:
                return False
    return True


def _dynamics(payoffs: Payoffs, state: Mixture) -> str:
    """Return the kind of a rest point by the eigenvalues of the linearized dynamics on the simplex."""
    # Scenarios without a matrix game need no numpy, which takes a tenth of the start of a run.
    import numpy as np

    matrix = np.array([[float(each) for each in row] for row in payoffs])
    shares = np.array([float(share) for share in state])
    values = matrix @ shares
    mean = shares @ values
    jacobian = np.diag(values - mean) + shares[:, None] * (matrix - (values + shares @ matrix)[None, :])
    # Directions that keep the sum of shares: differences from the last option.
    size = len(shares)
    inner = jacobian[:-1, :-1] - jacobian[:-1, -1:] if size > 1 else np.zeros((0, 0))
    parts = np.linalg.eigvals(inner).real
    if (parts > NEARLY).any():
        return UNSTABLE
    return STABLE if (parts < -NEARLY).all() else NEUTRAL


def replicated(payoffs: Payoffs, start: Sequence[float] | None = None) -> list[float]:
    """Return the state that replicator dynamics reaches after a long time, from equal shares or from `start`."""
    size = len(payoffs)
    amounts = [float(each) for row in payoffs for each in row]
    low, span = min(amounts), (max(amounts) - min(amounts)) or 1.0
    scaled = [[(float(each) - low) / span for each in row] for row in payoffs]
    state = list(start or [1 / size] * size)
    for _ in range(STEPS):
        slope = _slope(scaled, state)
        middle = _slope(scaled, [share + STEP / 2 * each for share, each in zip(state, slope, strict=True)])
        if max(map(abs, middle)) < SETTLED:
            break
        state = [max(0.0, share + STEP * each) for share, each in zip(state, middle, strict=True)]
        whole = sum(state)
        state = [share / whole for share in state]
    return [round(share, DIGITS) for share in state]


def _slope(payoffs: Sequence[Sequence[float]], state: Sequence[float]) -> list[float]:
    values = [sum(amount * share for amount, share in zip(row, state, strict=True)) for row in payoffs]
    mean = sum(value * share for value, share in zip(values, state, strict=True))
    return [share * (value - mean) for share, value in zip(state, values, strict=True)]


def _named(options: Sequence[str], shares: Sequence[float]) -> Mapping[str, float]:
    return {option: share for option, share in zip(options, shares, strict=True) if share}
