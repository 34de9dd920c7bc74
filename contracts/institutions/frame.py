"""Frame of institutions: parts that are composed in one file and declare what they read and write.

A part is one institution: a law, elections, guards, a court, a market. Parts share nothing but slots. A `Slot` is
either a value (one writer, any number of readers) or a queue (any number of writers, one reader). The host is the
scenario: it fills slots from the world (acts, holdings) and carries out what parts put into others (orders). `check`
refuses a composition in which a slot has no writer, no reader, or one too many, before anything is started.

In each step of the game the parts act one after the other in the order of `REGISTRY`. A part may ask people; every
question has a typed form, and an unreadable answer is None, never a choice. Each step of a part is an entry for the
record: who, what, why, and how it was counted.
"""

from __future__ import annotations

import importlib
import random
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from common.answers.form import AnswerForm
from common.answers.reading import Strict, first_problem
from contracts.errors import ContractFormatError
from contracts.institutions.norms import Entry, ReadNorm

T = TypeVar("T")
A = TypeVar("A", bound=Strict)

TREASURY = "treasury"
"""Name of the public account in payments."""


@dataclass(frozen=True)
class Slot(Generic[T]):
    """A named value or queue by which parts and host act on each other."""

    name: str
    about: str
    first: T
    """Value before anybody has written it; for a queue, an empty tuple."""
    queue: bool = False
    """True for a queue: many writers append, one reader takes."""


class PartSettings(BaseModel):
    """Base class of a part's settings: immutable, without unknown keys."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


@dataclass(frozen=True)
class CivicQuestion(Generic[A]):
    """A question to one person, with the typed form of its answer."""

    to: str
    part: str
    kind: str
    """Kind of the question within its part, such as `ballot`; reference people answer by it."""
    text: str
    """The question in words, for models."""
    facts: Mapping[str, Any]
    """Facts that the person may know, as plain data; names and words of people are data in it."""
    form: AnswerForm[A]


Ask = Callable[[Sequence[CivicQuestion[Any]]], Awaitable[Sequence[Strict | None]]]
"""Put questions to people at the same time; the answers are in the order of the questions, None for an unreadable
one."""


class Ledger(Protocol):
    """Accounts of members and of the treasury in one unit."""

    def holds(self, account: str) -> Fraction:
        """Return the balance of a member or of the treasury."""

    async def pay(self, payer: str, payee: str, amount: Fraction) -> Fraction:
        """Move at most `amount` and at most what the payer holds; return what was moved."""


@dataclass(frozen=True)
class Group:
    """The people of one game and what parts may know of their world."""

    members: tuple[str, ...]
    seed: int
    unit: str = "emeralds"
    """Name of the unit in which members earn and pay."""
    read_norm: ReadNorm | None = None
    """Parser of typed clauses of this world; None if it has none."""
    norm_schema: Mapping[str, Any] | None = None
    """JSON schema of a typed clause."""
    norm_forms: str = ""
    """JSON forms of typed clauses in words, for prompts."""


class InstitutionPart(ABC):
    """One institution. Its class attributes declare it; an instance holds the state of one attempt at a game."""

    name: ClassVar[str]
    """Key under `institutions:`."""
    Settings: ClassVar[type[PartSettings]]
    reads: ClassVar[tuple[Slot[Any], ...]] = ()
    """Slots that it needs: another part or the host must write them."""
    may_read: ClassVar[tuple[Slot[Any], ...]] = ()
    """Slots that it uses if somebody writes them (`Desk.has`)."""
    writes: ClassVar[tuple[Slot[Any], ...]] = ()
    """Values of which it is the writer, and queues that need a reader."""
    may_write: ClassVar[tuple[Slot[Any], ...]] = ()
    """Queues to which it appends if somebody reads them."""

    def __init__(self, settings: Any, group: Group) -> None:  # noqa: ANN401 - an instance of the part's own `Settings`
        """Start the part. Raises ContractFormatError for settings that do not suit the group."""
        self.settings = settings
        self.group = group

    @classmethod
    def asks(cls) -> bool:
        """Return True if the part asks people questions in some settings."""
        own = cls.__mro__[: cls.__mro__.index(InstitutionPart)]
        return any("max_questions" in vars(each) for each in own)

    @classmethod
    def max_questions(cls, settings: Any, people: int, steps: int) -> int:  # noqa: ANN401 - as above
        """Return the maximum number of questions to one person in a game, for estimates.

        Args:
            settings: The part's settings.
            people: Number of people.
            steps: Number of steps after step 0.
        """
        return 0

    @abstractmethod
    async def step(self, desk: Desk) -> None:
        """Act once: read slots, ask people, write slots and tell entries."""

    async def close(self, desk: Desk) -> None:
        """Settle what is open after the last step."""
        return


@dataclass(frozen=True)
class HostSlots:
    """Slots that a scenario fills and carries out."""

    fills: tuple[Slot[Any], ...]
    """Slots that the scenario writes from the world before each step."""
    carries: tuple[Slot[Any], ...]
    """Queues that the scenario reads after each step and carries out in the world."""


@dataclass
class Desk:
    """Access of one part to slots, people, ledger and record; undeclared access raises KeyError."""

    part: type[InstitutionPart]
    board: SlotBoard
    step: int
    ask: Ask

    def read(self, slot: Slot[T]) -> T:
        """Return the value of a slot."""
        self._declared(slot, (*self.part.reads, *self.part.may_read, *self.part.writes))
        value: T = self.board.values.get(slot.name, slot.first)
        return value

    def has(self, slot: Slot[Any]) -> bool:
        """Return True if somebody writes the value, or reads the queue."""
        return slot.name in (self.board.readers if slot.queue else self.board.writers)

    def put(self, slot: Slot[T], value: T) -> None:
        """Replace the value of a slot."""
        self._declared(slot, self.part.writes)
        self.board.values[slot.name] = value

    def add(self, slot: Slot[tuple[T, ...]], *items: T) -> None:
        """Append to a queue; without a reader nothing is kept."""
        self._declared(slot, (*self.part.writes, *self.part.may_write))
        if self.has(slot):
            self.board.values[slot.name] = (*self.board.values.get(slot.name, ()), *items)

    def take(self, slot: Slot[tuple[T, ...]]) -> tuple[T, ...]:
        """Return the items of a queue and empty it."""
        self._declared(slot, (*self.part.reads, *self.part.may_read))
        found: tuple[T, ...] = self.board.values.pop(slot.name, ())
        return found

    def tell(
        self,
        what: str,
        who: str = "",
        why: str = "",
        known_to: Sequence[str] | None = None,
        **data: Any,  # noqa: ANN401 - plain JSON
    ) -> None:
        """Add an entry to the record.

        Args:
            what: Kind of the entry.
            who: The person that acted, or is acted on; empty for none.
            why: Reason in words, such as the rule by which it was decided.
            known_to: People that are told of it during the game; None for all.
            **data: Further plain data, such as votes and how they were counted.
        """
        entry: Entry = {"part": self.part.name, "what": what, "who": who, "why": why, "data": data}
        if known_to is not None:
            entry["known_to"] = list(known_to)
        self.board.entries.append(entry)

    def holds(self, account: str) -> Fraction:
        """Return the balance of a member or of the treasury."""
        return self.board.ledger.holds(account)

    async def pay(
        self, payer: str, payee: str, amount: Fraction, why: str, known_to: Sequence[str] | None = None
    ) -> Fraction:
        """Pay at most what the payer holds, tell it, and return what was paid. The part declares `slots.PAYMENTS`.

        Args:
            payer: A member or `TREASURY`.
            payee: A member or `TREASURY`.
            amount: Amount due, in the group's unit.
            why: Reason for the payment.
            known_to: People that are told of it during the game; None for all.

        Raises:
            KeyError: The part does not declare that it pays.
        """
        if not any(slot.name == "payments" for slot in self.part.writes):
            raise KeyError(f"institution {self.part.name} does not declare that it pays")
        paid = await self.board.ledger.pay(payer, payee, amount)
        self.tell("payment", payer, why, known_to, payee=payee, due=float(amount), paid=float(paid))
        return paid

    def dice(self, purpose: str) -> random.Random:
        """Return a source of chance that depends on seed, part, step and purpose alone."""
        return random.Random(f"institutions:{self.board.group.seed}:{self.part.name}:{self.step}:{purpose}")

    def _declared(self, slot: Slot[Any], declared: Collection[Slot[Any]]) -> None:
        if slot not in declared:
            raise KeyError(f"institution {self.part.name} does not declare the slot {slot.name!r} for this")


@dataclass
class SlotBoard:
    """Slots, ledger and record that the parts of one attempt share."""

    group: Group
    ledger: Ledger
    writers: frozenset[str]
    readers: frozenset[str]
    values: dict[str, Any] = field(default_factory=dict)
    entries: list[Entry] = field(default_factory=list)


REGISTRY: dict[str, str] = {
    "law": "contracts.institutions.law:Law",
    "statute": "contracts.institutions.statute:Statute",
    "constitution": "contracts.institutions.charter_law:CharterLaw",
    "elections": "contracts.institutions.elections:Elections",
    "treasury": "contracts.institutions.treasury:Treasury",
    "guards": "contracts.institutions.guards:Guards",
    "court": "contracts.institutions.tribunal:Tribunal",
    "market": "contracts.institutions.marketplace:Marketplace",
    "mediator": "contracts.institutions.game_devices:MediatorPart",
    "commitments": "contracts.institutions.game_devices:CommitmentsPart",
}
"""Part -> "module:class", in the order in which parts act in a step."""

OFF, ON = "off", "on"


def part_class(name: str) -> type[InstitutionPart]:
    """Return the class of a part. Raises ContractFormatError for an unknown one."""
    if name not in REGISTRY:
        raise ContractFormatError(f"institutions: {name!r} is no institution: choose from {', '.join(REGISTRY)}")
    module, _, attribute = REGISTRY[name].partition(":")
    found: type[InstitutionPart] = getattr(importlib.import_module(module), attribute)
    return found


def read_parts(given: Mapping[str, Any]) -> dict[str, PartSettings]:
    """Return part -> its settings, in the order of `REGISTRY`, without the parts that are off.

    Args:
        given: Part -> mapping of settings, `on`, `off`, true or false.

    Raises:
        ContractFormatError: A part or a setting is unknown or illegal.
    """
    for name in given:
        part_class(name)
    found: dict[str, PartSettings] = {}
    for name in REGISTRY:
        value = given.get(name, OFF)
        if value in (OFF, False, None):
            continue
        if value not in (ON, True) and not isinstance(value, Mapping):
            raise ContractFormatError(f"institutions.{name}: {value!r}: give on, off or its settings")
        settings = dict(value) if isinstance(value, Mapping) else {}
        active = settings.pop("active", ON)
        if active not in (ON, OFF, True, False):
            raise ContractFormatError(f"institutions.{name}.active: {active!r}: give on or off")
        try:
            # The settings of a part that is off are checked, too: a study may turn it on.
            read = part_class(name).Settings.model_validate(settings)
        except ValidationError as error:
            fault = first_problem(error).replace("Value error, ", "")
            raise ContractFormatError(f"institutions.{name}.{fault}") from None
        if active in (ON, True):
            found[name] = read
    return found


def check(parts: Iterable[str], host: HostSlots) -> None:
    """Check that every slot has the writers and readers that it needs. Raises ContractFormatError, one line.

    Args:
        parts: Names of the parts.
        host: Slots of the scenario.
    """
    classes = [part_class(name) for name in parts]
    writers, readers = _ends(classes, host)
    for each in classes:
        for slot in each.reads:
            if slot.name not in writers:
                raise ContractFormatError(
                    f"institutions: {each.name} reads {slot.name} ({slot.about}), which nothing here writes: "
                    f"{_remedy(slot, 'write', each.name)}"
                )
        for slot in each.writes:
            if slot.queue and slot.name not in readers:
                raise ContractFormatError(
                    f"institutions: {each.name} writes {slot.name} ({slot.about}), which nothing here carries out: "
                    f"{_remedy(slot, 'read', each.name)}"
                )
    for each in classes:
        for slot in (*each.reads, *each.may_read, *each.writes):
            twice = readers.get(slot.name, []) if slot.queue else writers.get(slot.name, [])
            if len(twice) > 1:
                verb = "reads" if slot.queue else "writes"
                raise ContractFormatError(
                    f"institutions: {twice[0]} and {twice[1]} both {verb[:-1]} {slot.name} ({slot.about}): "
                    f"turn one of them off"
                )


def _ends(
    classes: Sequence[type[InstitutionPart]], host: HostSlots
) -> tuple[dict[str, list[str]], dict[str, list[str]]]:
    """Return slot -> its writers and slot -> its readers."""
    writers: dict[str, list[str]] = {slot.name: ["the scenario"] for slot in host.fills}
    readers: dict[str, list[str]] = {slot.name: ["the scenario"] for slot in host.carries}
    for each in classes:
        for slot in (*each.writes, *each.may_write):
            writers.setdefault(slot.name, []).append(each.name)
        for slot in (*each.reads, *each.may_read):
            readers.setdefault(slot.name, []).append(each.name)
    return writers, readers


def _remedy(slot: Slot[Any], side: str, part: str) -> str:
    """Return what to do about a slot without a writer or reader."""
    able = [
        name
        for name in REGISTRY
        if any(
            each.name == slot.name
            for each in (
                (*part_class(name).writes, *part_class(name).may_write)
                if side == "write"
                else (*part_class(name).reads, *part_class(name).may_read)
            )
        )
    ]
    return f"turn on {' or '.join(able)}, or turn off {part}" if able else f"turn off {part}"


class Institutions:
    """The composed parts of one attempt at a game."""

    def __init__(self, settings: Mapping[str, PartSettings], host: HostSlots, group: Group, ledger: Ledger) -> None:
        """Compose the parts. Raises ContractFormatError for a conflict (`check`) or settings that do not suit."""
        check(settings, host)
        self._host = host
        self._parts = [part_class(name)(each, group) for name, each in settings.items()]
        writers, readers = _ends([type(each) for each in self._parts], host)
        self._board = SlotBoard(group, ledger, frozenset(writers), frozenset(readers))
        self.ledger = ledger

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the parts, in the order in which they act."""
        return tuple(each.name for each in self._parts)

    async def step(self, step: int, seen: Mapping[Slot[Any], Any], ask: Ask) -> list[Entry]:
        """Let every part act once, and return the entries in order.

        Args:
            step: Number of the step, from 0; step 0 is before the first move.
            seen: Slot of the host -> its value now.
            ask: Access to the people.
        """
        for slot in self._host.fills:
            self._board.values[slot.name] = seen.get(slot, slot.first)
        for each in self._parts:
            await each.step(Desk(type(each), self._board, step, ask))
        return self._drain()

    async def close(self, step: int, ask: Ask) -> list[Entry]:
        """Settle what is open after the last step, and return the entries."""
        for each in self._parts:
            await each.close(Desk(type(each), self._board, step, ask))
        return self._drain()

    def take(self, slot: Slot[tuple[T, ...]]) -> tuple[T, ...]:
        """Return the items of a queue that the host carries out, and empty it."""
        found: tuple[T, ...] = self._board.values.pop(slot.name, ())
        return found

    def _drain(self) -> list[Entry]:
        found, self._board.entries = self._board.entries, []
        return found
