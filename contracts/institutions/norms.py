"""Norms: what can be promised or made a rule, typed: the world's record shows whether one was kept, never words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from contracts.answers import Strict

Entry = dict[str, Any]
"""One line of an institution's record: plain JSON, `what` names it, `round` says when."""


class ObservedAct(Protocol):
    """One thing that a player did, as the world's record has it: the ground on which norms are judged."""

    @property
    def player(self) -> str:
        """Who did it."""

    @property
    def kind(self) -> str:
        """What it did."""


class Norm(Strict):
    """One thing to do or to leave. A kind of norm is a class with its own fields; `kind` names it."""

    kind: str

    def binds(self, player: str) -> bool:
        """Whether it asks anything of that player."""
        return True

    def counts(self, deed: Any) -> int:  # noqa: ANN401 - each norm knows the deeds of its own world
        """What that deed adds to the count that the norm bounds; 0 for a norm that bounds none."""
        return 0

    def breaks(self, deed: Any, count: int) -> bool:  # noqa: ANN401 - as above
        """Whether this deed of a bound player breaks it; `count` is the player's since the norm binds, this one too."""
        raise NotImplementedError

    def says(self) -> str:
        """The norm in words."""
        raise NotImplementedError


ReadNorm = Callable[[Mapping[str, Any]], Norm]
"""The norm that a mapping says, checked against what is there. Raises Refused."""
