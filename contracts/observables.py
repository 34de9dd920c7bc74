"""Observables of contracts: a flat, complete table of exact numbers.

Names are dotted: `<player>.items.<item>` held at the end, `<player>.mined.<block>` broken by that player,
`<player>.value.<item>` emeralds that one item is worth to that player, `<player>.reward`, and `chest.<item>`.
A scenario declares its vocabulary. An observable of the vocabulary that was not seen is 0; any other name is an error,
so that a misspelt observable never reads as zero.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from types import MappingProxyType

from contracts.errors import ContractFormatError

Number = int | float | Decimal | Fraction
"""Numbers accepted from callers; stored as exact fractions (a float by its shortest decimal)."""


def exact(value: object, where: str) -> Fraction:
    """Return a number as a fraction. Raises ContractFormatError for anything but a finite number."""
    if type(value) is Fraction:  # most are, and would be copied
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal | Fraction):
        raise ContractFormatError(f"{where}: {value!r} is not a number")
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ContractFormatError(f"{where}: {value!r} is not finite")
        return Fraction(repr(value))
    if isinstance(value, Decimal) and not value.is_finite():
        raise ContractFormatError(f"{where}: {value!r} is not finite")
    return Fraction(value)


@dataclass(frozen=True)
class PlayerFacts:
    """Facts about one player at the end of an episode."""

    items: Mapping[str, Number] = field(default_factory=dict)
    """Item -> count held."""
    mined: Mapping[str, Number] = field(default_factory=dict)
    """Block -> count broken by this player."""
    value: Mapping[str, Number] = field(default_factory=dict)
    """Item -> value of one to this player, in emeralds."""
    reward: Number = 0
    """Emeralds earned, before transfers."""


@dataclass(frozen=True)
class Observables(Mapping[str, Fraction]):
    """Dotted name -> exact number; immutable."""

    values_by_name: Mapping[str, Fraction]

    def __post_init__(self) -> None:
        table = {str(name): exact(value, f"observable {name!r}") for name, value in self.values_by_name.items()}
        object.__setattr__(self, "values_by_name", MappingProxyType(table))

    def __getitem__(self, name: str) -> Fraction:
        return self.values_by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.values_by_name)

    def __len__(self) -> int:
        return len(self.values_by_name)

    @classmethod
    def collect(
        cls,
        players: Mapping[str, PlayerFacts],
        chest: Mapping[str, Number] | None = None,
        *,
        items: Sequence[str],
        blocks: Sequence[str],
    ) -> Observables:
        """Return the table for these players; absent counts of the vocabulary are 0.

        Items held beyond the vocabulary (grass, dirt) are added under their own names.

        Args:
            players: Player -> facts at the end of an episode.
            chest: Item -> count in the shared chest.
            items: Items of the scenario's vocabulary.
            blocks: Blocks of the scenario's vocabulary.
        """
        table: dict[str, Number] = {}
        for name, facts in players.items():
            table |= {f"{name}.items.{item}": 0 for item in items} | {f"{name}.mined.{block}": 0 for block in blocks}
            table |= {f"{name}.items.{item}": count for item, count in facts.items.items()}
            table |= {f"{name}.mined.{block}": count for block, count in facts.mined.items()}
            table |= {f"{name}.value.{item}": 0 for item in items}
            table |= {f"{name}.value.{item}": worth for item, worth in facts.value.items()}
            table[f"{name}.reward"] = facts.reward
        table |= {f"chest.{item}": 0 for item in items} | {f"chest.{k}": v for k, v in (chest or {}).items()}
        return cls({name: exact(value, f"observable {name!r}") for name, value in table.items()})

    def to_dict(self) -> dict[str, float]:
        """Return the table as plain data for JSON and prompts."""
        return {name: float(value) for name, value in self.values_by_name.items()}
