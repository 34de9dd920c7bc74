"""Roles: inferred from each rolling set of five goals by a model or a table of words, and what is measured of them.

A role's words may fit several; the first (most of whose words occur) is taken, the rest is kept beside it.
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

SET = 5
"""Goals of which a role is inferred."""
NOBODY = "none"
"""The role of somebody whose goals are about no kind of work."""
TITLES: Mapping[str, str] = {
    "farming": "farmer", "wood": "woodcutter", "mining": "miner", "herding": "herder", "crafting": "crafter",
    "trading": "trader", "guarding": "guard", "gathering": "gatherer", "exploring": "explorer", "scouting": "scout",
    "strategy": "strategist", "curating": "curator", "collecting": "collector",
}  # fmt: skip
"""Kind of work -> who does it; a kind that is not here has its own name."""


@dataclass(frozen=True)
class RoleChange:
    """The role from that second on."""

    t_s: float
    role: str
    also: tuple[str, ...] = ()
    """Other roles that fit."""


def strip(
    goals: Sequence[tuple[float, str]], table: Mapping[str, Any], rated: Sequence[Sequence[str]] = ()
) -> list[RoleChange]:
    """The role at each goal (seconds, text) from the fifth on: of the last five.

    `rated` are the roles of each set as a model has them; the table counts where there are none.
    """
    found = []
    for end in range(SET, len(goals) + 1):
        place = end - SET
        roles: Sequence[str] = rated[place] if place < len(rated) else ()
        if not roles:
            known = activities_of(" ".join(text for _, text in goals[place:end]), table) or (NOBODY,)
            roles = [TITLES.get(each, each) for each in known]
        first, *rest = roles
        found.append(RoleChange(goals[end - 1][0], first, tuple(rest)))
    return found


def role_at(steps: Sequence[RoleChange], t_s: float) -> str | None:
    """The role at that second; None before the first."""
    place = bisect_right(steps, t_s, key=lambda step: step.t_s)
    return steps[place - 1].role if place else None


def persistence(steps: Sequence[RoleChange]) -> float | None:
    """Share of the steps whose role is that of the step before; None without two steps."""
    pairs = list(pairwise(steps))
    return sum(one.role == other.role for one, other in pairs) / len(pairs) if pairs else None


def spells(steps: Sequence[RoleChange], until: float) -> list[tuple[float, float, str]]:
    """(from, to, role): the time that each role lasted without a break; the last one lasts until the end."""
    starts = [(next(group).t_s, role) for role, group in groupby(steps, key=lambda step: step.role)]
    ends = [start for start, _ in starts[1:]] + [until] * bool(starts)
    return [(start, end, role) for (start, role), end in zip(starts, ends, strict=True)]


def mean_length(strips: Iterable[Sequence[RoleChange]], until: float) -> float | None:
    """Seconds that a role lasts, mean over all spells of all players; None where there is none."""
    lengths = [end - start for steps in strips for start, end, _ in spells(steps, until)]
    return sum(lengths) / len(lengths) if lengths else None


def entropy(counts: Mapping[str, int]) -> float:
    """Shannon entropy of the distribution, in bits."""
    whole = sum(counts.values())
    shares = [count / whole for count in counts.values() if count]
    return -sum(share * log2(share) for share in shares) if whole else 0.0


def role_entropy(strips: Iterable[Sequence[RoleChange]]) -> float | None:
    """Of how the roles are spread over the players, mean over the steps that all have; None where there is none."""
    known = [[step.role for step in steps] for steps in strips if steps]
    count = min(map(len, known), default=0)
    if count == 0:
        return None
    return sum(entropy(Counter(each[step] for each in known)) for step in range(count)) / count


def shares(strips: Iterable[Sequence[RoleChange]]) -> dict[str, float]:
    """Role -> its share of all steps of all players, the greatest first."""
    counts = Counter(step.role for steps in strips for step in steps)
    whole = sum(counts.values())
    return {role: count / whole for role, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))}


def only_in(societies: Mapping[str, Iterable[str]]) -> dict[str, list[str]]:
    """Society -> the roles that are found in it and in no other."""
    there = {name: set(roles) - {NOBODY} for name, roles in societies.items()}
    return {
        name: sorted(roles.difference(*(others for other, others in there.items() if other != name)))
        for name, roles in there.items()
    }


def deeds_by_role(
    deeds: Mapping[str, Iterable[tuple[float, str]]], strips: Mapping[str, Sequence[RoleChange]]
) -> dict[str, Counter[str]]:
    """Role -> how often which deed was done by who had it then. `deeds` is player -> (seconds, deed).

    Deeds before the first set of five goals is full count for its role, which is inferred from the goals that they were
    done for. Of who never has so many goals no role is known.
    """
    found: dict[str, Counter[str]] = {}
    for player, done in deeds.items():
        for t_s, name in done:
            steps = strips.get(player, ())
            if steps:
                found.setdefault(role_at(steps, t_s) or steps[0].role, Counter())[name] += 1
    return found


def normalized(table: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Each row divided by its sum; a row of zeros stays."""
    wholes = {row: sum(cells.values()) or 1.0 for row, cells in table.items()}
    return {row: {column: value / wholes[row] for column, value in cells.items()} for row, cells in table.items()}


def turned(table: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
    """Rows as columns."""
    found: dict[str, dict[str, float]] = {}
    for row, cells in table.items():
        for column, value in cells.items():
            found.setdefault(column, {})[row] = value
    return found
