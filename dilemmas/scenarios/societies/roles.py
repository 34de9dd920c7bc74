"""Roles, inferred from each rolling set of five goals by a model or a table of words, and measures of roles.

If several roles fit, the one with the most matching words is taken, and the others are kept beside it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import log2
from typing import Any

from voyager_agents.piano.rule_based.activity_tables import activities_of

GOALS_PER_ROLE = 5
"""Number of goals from which a role is inferred."""
NO_ROLE = "none"
"""Role of a player whose goals are about no kind of work."""
TITLES: Mapping[str, str] = {
    "farming": "farmer", "wood": "woodcutter", "mining": "miner", "herding": "herder", "crafting": "crafter",
    "trading": "trader", "guarding": "guard", "gathering": "gatherer", "exploring": "explorer", "scouting": "scout",
    "strategy": "strategist", "curating": "curator", "collecting": "collector",
}  # fmt: skip
"""Kind of work -> role; a kind that is not in the table is its own role."""


@dataclass(frozen=True)
class RoleChange:
    """A role from a second on."""

    t_s: float
    role: str
    also: tuple[str, ...] = ()
    """Other roles that fit."""


def role_changes(
    goals: Sequence[tuple[float, str]], table: Mapping[str, Any], rated: Sequence[Sequence[str]] = ()
) -> list[RoleChange]:
    """Return the role at each goal (seconds, text) from the fifth on, inferred from the last five.

    `rated` are a model's roles of each set; the table of words counts where there are none.
    """
    found = []
    for end in range(GOALS_PER_ROLE, len(goals) + 1):
        place = end - GOALS_PER_ROLE
        roles: Sequence[str] = rated[place] if place < len(rated) else ()
        if not roles:
            known = activities_of(" ".join(text for _, text in goals[place:end]), table) or (NO_ROLE,)
            roles = [TITLES.get(each, each) for each in known]
        first, *rest = roles
        found.append(RoleChange(goals[end - 1][0], first, tuple(rest)))
    return found


def role_at(steps: Sequence[RoleChange], t_s: float) -> str | None:
    """Return the role at a second, or None before the first."""
    place = bisect_right(steps, t_s, key=lambda step: step.t_s)
    return steps[place - 1].role if place else None


def persistence(steps: Sequence[RoleChange]) -> float | None:
    """Return the share of steps whose role is that of the step before, or None with fewer than two steps."""
    pairs = list(pairwise(steps))
    return sum(one.role == other.role for one, other in pairs) / len(pairs) if pairs else None


def spells(steps: Sequence[RoleChange], until: float) -> list[tuple[float, float, str]]:
    """Return (from, to, role) of each unbroken spell; the last one ends at the end of the life."""
    starts = [(next(group).t_s, role) for role, group in groupby(steps, key=lambda step: step.role)]
    ends = [start for start, _ in starts[1:]] + [until] * bool(starts)
    return [(start, end, role) for (start, role), end in zip(starts, ends, strict=True)]


def mean_length(strips: Iterable[Sequence[RoleChange]], until: float) -> float | None:
    """Return the mean length of all spells of all players in seconds, or None without spells."""
    lengths = [end - start for steps in strips for start, end, _ in spells(steps, until)]
    return sum(lengths) / len(lengths) if lengths else None


def entropy(counts: Mapping[str, int]) -> float:
    """Return the Shannon entropy of a distribution, in bits."""
    whole = sum(counts.values())
    shares = [count / whole for count in counts.values() if count]
    return -sum(share * log2(share) for share in shares) if whole else 0.0


def role_entropy(strips: Iterable[Sequence[RoleChange]]) -> float | None:
    """Return the mean entropy of the roles over the steps that all players have, or None without steps."""
    known = [[step.role for step in steps] for steps in strips if steps]
    count = min(map(len, known), default=0)
    if count == 0:
        return None
    return sum(entropy(Counter(each[step] for each in known)) for step in range(count)) / count


def shares(strips: Iterable[Sequence[RoleChange]]) -> dict[str, float]:
    """Return role -> share of all steps of all players, the greatest first."""
    counts = Counter(step.role for steps in strips for step in steps)
    whole = sum(counts.values())
    return {role: count / whole for role, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))}


def only_in(societies: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Return society -> roles that occur in it alone."""
    there = {name: set(roles) - {NO_ROLE} for name, roles in societies.items()}
    return {
        name: sorted(roles.difference(*(others for other, others in there.items() if other != name)))
        for name, roles in there.items()
    }


def deeds_by_role(
    deeds: Mapping[str, Iterable[tuple[float, str]]], strips: Mapping[str, Sequence[RoleChange]]
) -> dict[str, Counter[str]]:
    """Return role -> deed -> count; `deeds` is player -> (seconds, deed).

    Deeds before the first full set of five goals count for its role, which is inferred from the goals that they served.
    Deeds of a player with fewer goals have no role.
    """
    found: dict[str, Counter[str]] = {}
    for player, done in deeds.items():
        for t_s, name in done:
            steps = strips.get(player, ())
            if steps:
                found.setdefault(role_at(steps, t_s) or steps[0].role, Counter())[name] += 1
    return found


def normalized(table: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Return the rows, each divided by its sum; a row of zeros stays."""
    wholes = {row: sum(cells.values()) or 1.0 for row, cells in table.items()}
    return {row: {column: value / wholes[row] for column, value in cells.items()} for row, cells in table.items()}


def transposed(table: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Return the transposed table."""
    found: dict[str, dict[str, float]] = {}
    for row, cells in table.items():
        for column, value in cells.items():
            found.setdefault(column, {})[row] = value
    return found
