"""Slots that several parts or hosts know (`contracts.institutions.frame`). A slot of one part lives beside the part."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from contracts.institutions.frame import Slot
from contracts.institutions.norms import Norm

Power = Literal["propose", "legislate", "tax", "spend", "judge", "guard"]
"""Power of an office."""
POWER_NAMES: tuple[Power, ...] = ("propose", "legislate", "tax", "spend", "judge", "guard")


@dataclass(frozen=True)
class WitnessedAct:
    """An act in the world's record and the people that saw it."""

    number: int
    """Number of the act in the game, from 1."""
    deed: Any
    """The act (`contracts.institutions.norms.ObservedAct`), as the world's norms read it."""
    witnesses: tuple[str, ...]
    """People who saw it, its player excluded."""

    @property
    def player(self) -> str:
        """Name of the player that acted."""
        return str(self.deed.player)


@dataclass(frozen=True)
class Sentence:
    """Sanction of a clause."""

    fine: Fraction = Fraction(0)
    """Amount paid to the treasury."""
    hold: int = 0
    """Steps for which the offender is held away from the field."""
    banish_after: int = 0
    """Number of sanctions under the clause after which the offender is banished; 0 for never."""

    @property
    def any(self) -> bool:
        """True if it sanctions at all."""
        return bool(self.fine or self.hold or self.banish_after)


@dataclass(frozen=True)
class LawClause:
    """A typed clause in force."""

    id: str
    norm: Norm
    sentence: Sentence

    def says(self) -> str:
        """Return clause and sanction in words."""
        found = [f"fine of {float(self.sentence.fine):g}"] if self.sentence.fine else []
        found += [f"held for {self.sentence.hold} steps"] if self.sentence.hold else []
        after = self.sentence.banish_after
        found += [f"banished after {after} sanctions"] if after else []
        return f"{self.norm.says()} ({', '.join(found) or 'no sanction'})"


@dataclass(frozen=True)
class LawBreach:
    """A breach of a clause, by the world's record."""

    id: str
    act: WitnessedAct
    clause: LawClause

    @property
    def player(self) -> str:
        """The player that broke the clause."""
        return self.act.player


@dataclass(frozen=True)
class Charge:
    """A claim that somebody broke a clause, true or not."""

    id: str
    by: str
    against: str
    clause: LawClause
    breach: LawBreach | None
    """The breach that the record shows; None for a false charge."""


@dataclass(frozen=True)
class Conviction:
    """A charge that a court found proved or not."""

    charge: Charge
    guilty: bool


@dataclass(frozen=True)
class CivicOrder:
    """An order that the host carries out in the world."""

    kind: Literal["hold", "banish", "busy"]
    """`hold` and `banish` take a player out of the field, for a time or for good; `busy` costs it its moves."""
    player: str
    steps: int
    why: str


PRESENT: Slot[tuple[str, ...]] = Slot("present", "people that can act now", ())
ACTS: Slot[tuple[WitnessedAct, ...]] = Slot("acts", "acts since the last step, by the world's record", ())
POWERS: Slot[Mapping[str, tuple[str, ...]]] = Slot("powers", "power -> its holders", {})
LAW: Slot[tuple[LawClause, ...]] = Slot("law", "clauses in force", ())
BREACHES: Slot[tuple[LawBreach, ...]] = Slot("breaches", "breaches in this step, by the world's record", ())
CHARGES: Slot[tuple[Charge, ...]] = Slot("charges", "charges that wait for a court", (), queue=True)
CONVICTIONS: Slot[tuple[Conviction, ...]] = Slot("convictions", "findings of the court", (), queue=True)
ORDERS: Slot[tuple[CivicOrder, ...]] = Slot("orders", "orders to be carried out in the world", (), queue=True)
PAYMENTS: Slot[tuple[Any, ...]] = Slot("payments", "payments that the world's ledger books", (), queue=True)
"""Declared by parts that call `Desk.pay`, and carried out by hosts with a ledger; nothing is put into it."""
