"""Rows of tables of models: sums by role, player and model."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol, TypeVar

MAX_ROWS = 16
"""Maximum number of rows; beyond it, all players in a role share one row."""


class ModelEntry(Protocol):
    """Figures of one model in one role of one player."""

    @property
    def role(self) -> str:
        """Role of the model."""

    @property
    def player(self) -> str:
        """Player that asked."""

    @property
    def model(self) -> str:
        """Name of the model."""


E = TypeVar("E", bound=ModelEntry)
R = TypeVar("R")


def sum_by_role(entries: Iterable[E], empty: Callable[[str, str, str], R], add: Callable[[R, E], R]) -> list[R]:
    """Return sums by role, player and model in the order of the roles; with many players by role and model.

    Args:
        entries: Entries of several runs.
        empty: Makes the row of a role, player and model without figures.
        add: Returns a row with the figures of an entry added.
    """
    known = list(entries)
    order = {role: place for place, role in enumerate(dict.fromkeys(each.role for each in known))}
    players = {each.player for each in known}
    shared = len({(each.role, each.player, each.model) for each in known}) > MAX_ROWS
    found: dict[tuple[str, str, str], R] = {}
    for each in known:
        key = each.role, f"{len(players)} players" if shared else each.player, each.model
        found[key] = add(found[key] if key in found else empty(*key), each)
    return [found[key] for key in sorted(found, key=lambda key: order[key[0]])]
