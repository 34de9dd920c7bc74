"""The written law of a constitution: typed clauses and the text generated from them, so that the two always agree.

A charter defines the clauses of a law and their legal values; a law assigns each clause a value. The text is generated
from the values, so that nothing but a legal value of a clause can become law, whatever a proposal says.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from contracts.errors import ContractFormatError, Refused
from contracts.institutions.norms import Entry

PERCENT = 100


@dataclass(frozen=True)
class Share:
    """A share in percent, or a range from which each member chooses."""

    low: float
    high: float

    @property
    def middle(self) -> float:
        """Middle of the range, in percent."""
        return (self.low + self.high) / 2

    def to_data(self) -> list[float]:
        """Return the value as plain data for records."""
        return [self.low, self.high]

    def says(self) -> str:
        """Return the value in words."""
        return f"{self.low:g} %" if self.low == self.high else f"{self.low:g} to {self.high:g} %"


@dataclass(frozen=True)
class Names:
    """A selection of a clause's legal names."""

    names: tuple[str, ...]

    def to_data(self) -> list[str]:
        """Return the value as plain data for records."""
        return list(self.names)

    def says(self) -> str:
        """Return the value in words."""
        return ", ".join(name.replace("_", " ") for name in self.names)


Value = Share | Names


@dataclass(frozen=True)
class Clause:
    """One clause of a law. Raises ContractFormatError for inconsistent bounds or names."""

    name: str
    kind: Literal["share", "names"]
    says: str
    """Text of the clause; {value} stands for its value."""
    least: float = 0
    most: float = PERCENT
    """Bounds of a share, in percent."""
    legal: tuple[str, ...] = ()
    """Legal names."""

    def __post_init__(self) -> None:
        if "{value}" not in self.says:
            raise ContractFormatError(
                f"clause {self.name}: says: {self.says!r}: write {{value}} where its value stands"
            )
        if self.kind == "names" and not self.legal:
            raise ContractFormatError(f"clause {self.name}: legal: name what it may hold")
        if not 0 <= self.least <= self.most <= PERCENT:
            raise ContractFormatError(f"clause {self.name}: {self.least} to {self.most}: give bounds from 0 to 100")

    def read(self, value: object) -> Value:
        """Parse a value from plain data. Raises Refused with the fault and the legal values."""
        return self._share(value) if self.kind == "share" else self._names(value)

    def _share(self, value: object) -> Share:
        parts = list(value) if isinstance(value, (list, tuple)) else [value]
        numbers = [part for part in parts if isinstance(part, (int, float)) and not isinstance(part, bool)]
        legal = f"give a number of percent from {self.least:g} to {self.most:g}, or two: [low, high]"
        if len(numbers) != len(parts) or len(parts) not in (1, 2) or not all(map(math.isfinite, numbers)):
            raise Refused("value", f"{self.name}: {_short(value)} is no share: {legal}")
        low, high = float(numbers[0]), float(numbers[-1])
        if not self.least <= low <= high <= self.most:
            raise Refused("value", f"{self.name}: {_short(value)} is out of bounds: {legal}")
        return Share(low, high)

    def _names(self, value: object) -> Names:
        parts = list(value) if isinstance(value, (list, tuple)) else [value]
        for part in parts:
            if part not in self.legal:
                raise Refused("value", f"{self.name}: {_short(part)} is not legal: choose from {', '.join(self.legal)}")
        if not parts or len(set(parts)) != len(parts):
            raise Refused("value", f"{self.name}: {_short(value)}: name at least one, and each once")
        return Names(tuple(name for name in self.legal if name in parts))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


@dataclass(frozen=True)
class Charter:
    """The clauses of a kind of law."""

    title: str
    clauses: Mapping[str, Clause]

    def clause(self, name: str) -> Clause:
        """Return a clause by name. Raises Refused for an unknown one."""
        if name not in self.clauses:
            raise Refused(
                "clause", f"clause: {_short(name)} is none of this law: choose from {', '.join(self.clauses)}"
            )
        return self.clauses[name]

    def law(self, values: Mapping[str, object]) -> WrittenLaw:
        """Return a law from one value for each clause. Raises Refused."""
        for name in values:
            self.clause(name)
        for name in self.clauses:
            if name not in values:
                raise Refused("clause", f"clause: {name}: a law of this charter has one: give its value")
        return WrittenLaw(self, {name: clause.read(values[name]) for name, clause in self.clauses.items()})


@dataclass(frozen=True)
class WrittenLaw:
    """A law: a charter and the value of each clause."""

    charter: Charter
    values: Mapping[str, Value]

    def changed(self, name: str, value: Value) -> WrittenLaw:
        """Return a copy of the law with another value of a clause."""
        return replace(self, values={**self.values, name: value})

    @property
    def text(self) -> str:
        """Text of the law: a numbered sentence for each clause."""
        lines = [
            f"{number}. {clause.says.replace('{value}', self.values[name].says())}"
            for number, (name, clause) in enumerate(self.charter.clauses.items(), 1)
        ]
        return "\n".join([self.charter.title, *lines])

    def to_dict(self) -> dict[str, Any]:
        """Return the values as plain data for records and prompts."""
        return {name: value.to_data() for name, value in self.values.items()}

    def entry(self) -> Entry:
        """Return text and values for records."""
        return {"text": self.text, "terms": self.to_dict()}
