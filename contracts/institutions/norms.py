"""Norms: typed promises and rules, whose keeping is judged by the world's record and never by words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from common.answers.reading import Strict

Entry = dict[str, Any]
"""One entry of an institution's record: plain JSON with its kind in `what` and its `round`."""


class ObservedAct(Protocol):
    """An act of a player in the world's record, by which norms are judged."""

    @property
    def player(self) -> str:
        """Name of the player that acted."""

    @property
    def kind(self) -> str:
        """Kind of the act."""


class Norm(Strict):
    """Something to do or to refrain from. Each kind of norm is a class with its own fields, named by `kind`."""

    kind: str

    def binds(self, player: str) -> bool:
        """Return whether the norm applies to a player."""
        return True

    def counts(self, deed: Any) -> int:  # noqa: ANN401 - each norm knows the deeds of its own world
        """Return what an act adds to the count that the norm bounds; 0 for a norm without a bound."""
        return 0

    def breaks(self, deed: Any, count: int) -> bool:  # noqa: ANN401 - as above
        """Return whether an act breaks the norm; `count` is the player's count since the norm binds, this act
        included."""
        raise NotImplementedError

    def says(self) -> str:
        """Return the norm in words."""
        raise NotImplementedError


ReadNorm = Callable[[Mapping[str, Any]], Norm]
"""Parser of a norm from a mapping. Raises Refused."""
