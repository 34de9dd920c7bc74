"""Expected results of a tried program, such as `iron_ingot>=5`, checked against the world."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from dilemmas.errors import UsageError

_HOLDS: dict[str, Callable[[int, int], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
}
_TEXT = re.compile(r"\s*(?:minecraft:)?([a-z0-9_]{1,64})\s*(>=|<=|==|>|<|=)\s*(\d{1,6})\s*")


@dataclass(frozen=True)
class Expectation:
    """Number of items that the player should hold at the end."""

    item: str
    how: str
    count: int

    def __str__(self) -> str:
        return f"{self.item}{self.how}{self.count}"

    def failed(self, items: Mapping[str, int]) -> str:
        """Return the reason for failure, or an empty string."""
        held = items.get(self.item, 0)
        return "" if _HOLDS[self.how](held, self.count) else f"expected {self}, the player holds {held}"


def expectations(texts: Sequence[str]) -> list[Expectation]:
    """Parse expectations.

    Raises:
        UsageError: A text is not an expectation.
    """
    found = []
    for text in texts:
        match = _TEXT.fullmatch(text)
        if match is None:
            raise UsageError(f"--expect {text!r}: write an item, one of >= <= == > <, and a number: 'iron_ingot>=5'")
        found.append(Expectation(match[1], "==" if match[2] == "=" else match[2], int(match[3])))
    return found
