"""Contract terms as frozen, self-validating data: obligations, transfers and a schedule.

The text is written by the players; the terms can be judged by code. A contract of language models may have text only;
then only a language judge can judge it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from contracts.errors import ContractFormatError, EvaluationError
from contracts.expressions import Expression, Kind
from contracts.forces import Force

MAX_TEXT = 4000
"""Maximum characters of a contract's text."""
MAX_TERMS = 50
"""Maximum number of transfers, of obligations and of schedule steps."""
MAX_EMERALDS = 1_000_000
"""Maximum of a fixed amount; the bound of a scenario's players is lower and known to the scenario."""
_IDENTIFIER = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PLAYER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,15}")
_THING = re.compile(r"[a-z0-9_]{1,64}")
_NUMBER = re.compile(r"(?:^|(?<=\s))([0-9]{1,2})[.)]\s+")
_SCOPES = ("items", "mined", "value")


@dataclass(frozen=True)
class Obligation:
    """A duty of one party; `condition` is true if it was kept."""

    id: str
    party: str
    condition: Expression
    text: str = ""

    def __post_init__(self) -> None:
        _identifier(self.id, "obligation")
        _kind(self.condition, Kind.TRUTH, f"obligation {self.id!r}: condition")
        if self.condition.obligations:
            raise ContractFormatError(f"obligation {self.id!r}: condition: met(...) is legal in transfers only")
        if _hopeless(self.condition, f"obligation {self.id!r}: condition"):
            raise ContractFormatError(
                f"obligation {self.id!r}: condition: {self.condition.source} is never kept: counts are 0 or more"
            )


@dataclass(frozen=True)
class Transfer:
    """A payment at the end: `payer` pays `payee` the amount of emeralds if `condition` holds."""

    id: str
    payer: str
    payee: str
    amount: Expression
    condition: Expression = field(default_factory=lambda: Expression("True"))
    text: str = ""

    def __post_init__(self) -> None:
        _identifier(self.id, "transfer")
        where = f"transfer {self.id!r}"
        if self.payer == self.payee:
            raise ContractFormatError(f"{where}: payee: {self.payee!r} is the payer too: name the other party")
        _kind(self.amount, Kind.NUMBER, f"{where}: amount")
        _kind(self.condition, Kind.TRUTH, f"{where}: condition")
        fixed = None if self.amount.names else _constant(self.amount, f"{where}: amount")
        if fixed is not None and fixed < 0:
            raise ContractFormatError(
                f"{where}: amount: {self.amount.source} is negative: swap payer and payee instead"
            )
        if fixed is not None and fixed > MAX_EMERALDS:
            raise ContractFormatError(
                f"{where}: amount: {self.amount.source} emeralds are more than anybody can have: at most "
                f"{MAX_EMERALDS:,} are legal"
            )
        factor, names = self.amount.product
        if names and factor < 0:
            raise ContractFormatError(f"{where}: amount: {self.amount.source} is never above 0: swap payer and payee")
        if factor > 1 and _is_value(names):
            share = f"{float(factor):g}"
            raise ContractFormatError(
                f"{where}: amount: {self.amount.source}: the share {share} is above 1: legal are shares from 0 to 1"
            )


class ScheduledAct(StrEnum):
    """Kinds of schedule steps."""

    TAKE = "take"
    """Take an item out of the chest."""
    MINE = "mine"
    """Mine blocks of one kind."""
    RETURN = "return"
    """Put an item into the chest."""
    SIGNAL = "signal"
    """Signal another party."""
    WAIT = "wait"
    """Wait for another party's signal."""


@dataclass(frozen=True)
class ScheduleStep:
    """A step of a party's schedule; `do` determines which fields are needed."""

    party: str
    do: ScheduledAct
    item: str = ""
    """take and return: the item."""
    block: str = ""
    """mine: the block."""
    count: int = 1
    """take, return: how many items; mine: how many blocks."""
    other: str = ""
    """signal: to whom; wait: from whom."""
    name: str = ""
    """signal and wait: the signal's name."""

    def __post_init__(self) -> None:
        needed = {
            ScheduledAct.MINE: ("block",),
            ScheduledAct.SIGNAL: ("other", "name"),
            ScheduledAct.WAIT: ("other", "name"),
        }
        required = needed.get(self.do, ("item",))
        for key in ("item", "block", "other", "name"):
            value = getattr(self, key)
            if bool(value) != (key in required):
                where = f"schedule: {self.do} by {self.party}: {key}: {value!r}"
                raise ContractFormatError(f"{where}: {self.do} needs {' and '.join(required)} only")
        for key in ("item", "block"):
            if getattr(self, key) and not _THING.fullmatch(getattr(self, key)):
                raise ContractFormatError(
                    f"schedule: {key}: {getattr(self, key)!r} is no Minecraft name: use e.g. iron_ore"
                )
        if self.name:
            _identifier(self.name, "signal")
        if isinstance(self.count, bool) or not isinstance(self.count, int) or not 1 <= self.count <= 10_000:
            raise ContractFormatError(f"schedule: count: {self.count!r} is not a whole number from 1 to 10000")


class ContractScope(StrEnum):
    """Legal parts of a contract: coordination, transfers, or both."""

    BOTH = "both"
    """Assign roles and move emeralds."""
    COORDINATION = "coordination"
    """Assign roles without binding: no emerald moves."""
    TRANSFERS = "transfers"
    """Move emeralds by the state at the end; roles stay open."""


@dataclass(frozen=True)
class Contract:
    """An agreement between named players: their text and, where there are any, the typed terms."""

    name: str
    text: str
    parties: tuple[str, ...]
    transfers: tuple[Transfer, ...] = ()
    obligations: tuple[Obligation, ...] = ()
    schedule: tuple[ScheduleStep, ...] = ()
    """Steps of all parties; each party takes its own in this order."""
    scope: ContractScope = ContractScope.BOTH
    force: Force = Force.BINDING
    deposit: int = 0
    """Deposit of each party in escrow, in emeralds; 0 under every other force."""

    def __post_init__(self) -> None:
        _identifier(self.name, "contract")
        self._check_text()
        self._check_parties()
        self._check_terms()
        self._check_scope()
        self._check_force()
        for transfer in self.transfers:
            self._check_transfer(transfer)

    @property
    def typed(self) -> bool:
        """True if it has terms that code can judge."""
        return bool(self.transfers or self.obligations)

    @property
    def clauses(self) -> dict[int, str]:
        """Numbered lines of the text; a text without numbers is one clause, number 1."""
        text = self.text.strip()
        marks = _marks(text)
        ends = [*(each.start() for each in marks[1:]), len(text)]
        numbered = {int(each[1]): text[each.end() : end].strip() for each, end in zip(marks, ends, strict=False)}
        return numbered or {1: text}

    @property
    def preamble(self) -> str:
        """Text before the first numbered line; it is no clause."""
        text = self.text.strip()
        marks = _marks(text)
        return text[: marks[0].start()].strip() if marks else ""

    def duties(self, party: str) -> tuple[Obligation, ...]:
        """Return the obligations of a party."""
        return tuple(each for each in self.obligations if each.party == party)

    def steps(self, party: str) -> tuple[ScheduleStep, ...]:
        """Return the schedule of a party."""
        return tuple(each for each in self.schedule if each.party == party)

    def _check_text(self) -> None:
        if not self.text.strip():
            raise ContractFormatError(
                "text: '' is empty: write the numbered clauses (no contract at all is condition none)"
            )
        if len(self.text) > MAX_TEXT:
            raise ContractFormatError(f"text: {len(self.text)} characters: at most {MAX_TEXT} are legal")
        numbers = [int(each[1]) for each in _marks(self.text.strip())]
        if twice := [each for each in numbers if numbers.count(each) > 1]:
            raise ContractFormatError(f"text: clause number {twice[0]} is used twice: number the clauses 1, 2, 3, ...")

    def _check_parties(self) -> None:
        for party in self.parties:
            if not isinstance(party, str) or not _PLAYER.fullmatch(party) or party == "chest":
                raise ContractFormatError(f"parties: {party!r} is no player name: letters, digits and _, at most 16")
        if len(self.parties) < 2 or len(set(self.parties)) != len(self.parties):
            raise ContractFormatError(f"parties: {list(self.parties)!r}: name two or more different players")

    def _check_terms(self) -> None:
        for key, terms in (
            ("transfers", self.transfers),
            ("obligations", self.obligations),
            ("schedule", self.schedule),
        ):
            if len(terms) > MAX_TERMS:
                raise ContractFormatError(f"{key}: {len(terms)} entries: at most {MAX_TERMS} are legal")
        identifiers = [each.id for each in self.transfers] + [each.id for each in self.obligations]
        for identifier in identifiers:
            if identifiers.count(identifier) > 1:
                raise ContractFormatError(
                    f"id: {identifier!r} is used twice: give every transfer and obligation its own"
                )
        for obligation in self.obligations:
            self._party(obligation.party, f"obligation {obligation.id!r}: party")
            self._observables(obligation.condition, f"obligation {obligation.id!r}: condition")
        for step in self.schedule:
            self._party(step.party, "schedule: party")
            if step.other:
                self._party(step.other, f"schedule: {step.do} by {step.party}: other")

    def _check_scope(self) -> None:
        barred = {ContractScope.COORDINATION: ("transfers",), ContractScope.TRANSFERS: ("obligations", "schedule")}.get(
            self.scope, ()
        )
        for key in barred:
            if count := len(getattr(self, key)):
                legal = " and ".join(each for each in ("transfers", "obligations", "schedule") if each not in barred)
                raise ContractFormatError(f"{key}: {count} entries: a contract of scope {self.scope} has {legal} only")

    def _check_force(self) -> None:
        escrow = self.force is Force.ESCROW
        whole = isinstance(self.deposit, int) and not isinstance(self.deposit, bool)
        legal = (1, MAX_EMERALDS) if escrow else (0, 0)
        if not whole or not legal[0] <= self.deposit <= legal[1]:
            needed = f"a whole number from 1 to {MAX_EMERALDS}" if escrow else f"0 (only {Force.ESCROW} has deposits)"
            raise ContractFormatError(f"deposit: {self.deposit!r}: under the force {self.force} it is {needed}")

    def _check_transfer(self, transfer: Transfer) -> None:
        where = f"transfer {transfer.id!r}"
        self._party(transfer.payer, f"{where}: payer")
        self._party(transfer.payee, f"{where}: payee")
        known = {each.id for each in self.obligations}
        for key, expression in (("amount", transfer.amount), ("condition", transfer.condition)):
            self._observables(expression, f"{where}: {key}")
            for identifier in sorted(expression.obligations - known):
                legal = ", ".join(sorted(known)) or "none (there are no obligations)"
                raise ContractFormatError(f"{where}: {key}: unknown obligation {identifier!r}: choose one of {legal}")

    def _party(self, name: str, where: str) -> None:
        if name not in self.parties:
            raise ContractFormatError(f"{where}: {name!r} is not a party: choose one of {', '.join(self.parties)}")

    def _observables(self, expression: Expression, where: str) -> None:
        """Check that the owner of each observable is a party or the chest; only the scenario knows the items."""
        for name in sorted(expression.names):
            owner, *rest = name.split(".")
            if owner != "chest":
                self._party(owner, where)
            legal = (
                len(rest) == 1 if owner == "chest" else rest == ["reward"] or (len(rest) == 2 and rest[0] in _SCOPES)
            )
            if not legal:
                shapes = "<player>.items.<item>, .mined.<block>, .value.<item>, .reward, chest.<item>"
                raise ContractFormatError(f"{where}: {name!r} is no observable: use {shapes}")


def _marks(text: str) -> list[re.Match[str]]:
    """Return the matches of clause numbers; a number within a sentence, as in `pays 1 or 2. Then`, is none."""
    return [each for each in _NUMBER.finditer(text) if _begins(text, each.start())]


def _begins(text: str, place: int) -> bool:
    """Return whether a line or a sentence begins at an offset."""
    start = place
    while start > 0 and text[start - 1].isspace():
        start -= 1
    before = text[max(0, start - 2) : start].rstrip("'\")]")
    return start == 0 or "\n" in text[start:place] or before[-1:] in tuple(".;:!?")


def _is_value(names: tuple[str, ...]) -> bool:
    """Return whether the product of these observables is the worth of something: a reward, or items times their
    value."""
    owners = {name.partition(".")[0] for name in names}
    if len(owners) != 1:
        return False
    rests = sorted(name.partition(".")[2] for name in names)
    if rests == ["reward"]:
        return True
    return len(rests) == 2 and rests[0].removeprefix("items.") == rests[1].removeprefix("value.")


def _hopeless(condition: Expression, where: str) -> bool:
    try:
        return condition.hopeless
    except EvaluationError as error:
        raise ContractFormatError(f"{where}: {error}") from None


def _constant(expression: Expression, where: str) -> Fraction:
    """Return the value of an expression without observables. Raises ContractFormatError if it has none."""
    try:
        return expression.number({})
    except EvaluationError as error:
        raise ContractFormatError(f"{where}: {error}") from None


def _identifier(value: object, what: str) -> None:
    if not isinstance(value, str) or not _IDENTIFIER.fullmatch(value):
        raise ContractFormatError(f"{what}: id: {value!r} is no id: letters, digits, - and _, at most 64")


def _kind(expression: Expression, kind: Kind, where: str) -> None:
    if expression.kind is not kind:
        raise ContractFormatError(f"{where}: {expression.source!r} is a {expression.kind}, not a {kind}")
