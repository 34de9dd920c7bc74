"""Audit of agreements: verdicts, payments and bookings, computed again from a run's event log alone.

The deals in force follow from the log's changes of deals, what players held from the end states, and payers' decisions
from their events. From these the audit computes what a formal judge finds, what the force of each agreement moves, what
the ledger books, and the players' accounts, and compares all of it with what the log says. A language judge's verdict
is its own evidence and is taken as it stands; what follows from it is computed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from accord.analysis.report.text import one_line
from contracts import Contract, ContractError, FormalJudge, Observables, load_contract, settle
from contracts.bargaining.deals import DealBook, DealEntry
from contracts.enforcement import Payment, bills, enforce
from contracts.forces import Force
from contracts.judges.formal import assess
from contracts.observables import exact
from contracts.verdicts import Award, TermFinding, Verdict
from dilemmas.errors import RecordError
from dilemmas.records import events as log
from dilemmas.records.events import LogLine
from dilemmas.scenarios.observables import facts_of

MAX_FAULTS = 20
"""Maximum number of faults that an audit collects."""


@dataclass
class JudgedInLog:
    """A verdict in the log, with the decisions and bookings that follow it."""

    contract: Contract
    given: log.VerdictGiven
    payments: list[log.PaymentDecided] = field(default_factory=list)
    booked: list[log.TransferBooked] = field(default_factory=list)
    enforced: log.AgreementEnforced | None = None

    @property
    def name(self) -> str:
        """Name of the agreement in messages."""
        return "the contract" if self.given.deal is None else f"deal {self.given.deal}"


class AgreementAudit:
    """Reader of a log that computes the outcomes of its agreements again; lines come in order."""

    def __init__(self) -> None:
        self.faults: list[str] = []
        """Differences between the log and what follows from it, each in one line; at most `MAX_FAULTS`."""
        self.judged = 0
        """Number of verdicts that were computed again."""
        self._prices: dict[str, dict[str, float]] = {}
        self._entries: list[DealEntry] = []
        self._contract: Contract | None = None
        self._held: Mapping[str, log.Holdings] = {}
        self._chest: Mapping[str, int] = {}
        self._open: JudgedInLog | None = None
        self._due: list[int] = []
        """Numbers of the deals in force that have yet to be judged."""
        self._moved: dict[str, Fraction] = {}
        """Player -> emeralds received minus emeralds paid in this attempt at an episode."""

    def add_line(self, line: LogLine) -> None:
        """Handle one line of the log."""
        kind = type(line.event)
        handler = _HANDLERS.get(kind)
        if handler is None:
            return
        if kind not in _CONSEQUENCES:
            self._close()
        handler(self, line.event)

    def _start(self, event: log.RunStarted) -> None:
        self._prices = {name: dict(terms.prices) for name, terms in event.players.items()}

    def _change_deal(self, event: log.DealChanged) -> None:
        self._entries.append(DealEntry.from_dict(event.entry))

    def _void_talks(self, event: log.TalksVoided) -> None:
        del self._entries[event.entries :]

    def _set_contract(self, event: log.ContractEvent) -> None:
        self._contract = None if event.contract is None else load_contract(event.contract)

    def _start_attempt(self, event: log.EpisodeStarted) -> None:
        self._moved = {}

    def _hold(self, event: log.EndStateRead | log.PeriodSettled) -> None:
        """Store the holdings on which the deals in force are judged next."""
        self._held, self._chest = event.players, event.chest
        self._due = [deal.number for deal in self._book().in_force]

    def _add_payment(self, event: log.PaymentDecided) -> None:
        if self._open is not None:
            self._open.payments.append(event)

    def _enforce(self, event: log.AgreementEnforced) -> None:
        if self._open is not None:
            self._open.enforced = event
        self._close()

    def _book(self) -> DealBook:
        return DealBook.restore(tuple(self._prices), self._entries)

    def _open_verdict(self, given: log.VerdictGiven) -> None:
        """Begin with a verdict, and check that it is on the next agreement in force."""
        if given.deal is None:
            contract = self._contract
        else:
            deal = self._book().deals.get(given.deal)
            contract = deal.contract if deal is not None and deal.state == "agreed" else None
            if self._due[:1] == [given.deal]:
                del self._due[0]
            else:
                following = f"deal {self._due[0]}" if self._due else "none"
                self._add_fault(f"deal {given.deal} is judged where {following} is due")
        if contract is None:
            self._add_fault(f"{'a contract' if given.deal is None else f'deal {given.deal}'} is judged without force")
        else:
            self._open = JudgedInLog(contract, given)

    def _book_transfer(self, event: log.TransferBooked) -> None:
        amount = exact(event.amount, event.term)
        for player, change in ((event.payer, -amount), (event.payee, amount)):
            self._moved[player] = self._moved.get(player, Fraction(0)) + change
        if self._open is not None:
            self._open.booked.append(event)

    def _close(self) -> None:
        """Check the verdict that was read last, with all that follows from it."""
        judged, self._open = self._open, None
        if judged is None:
            return
        self.judged += 1
        for fault in _judged_faults(judged, self._table(judged.contract)):
            self._add_fault(f"{judged.name}: {fault}")

    def _table(self, contract: Contract) -> Observables:
        """Return the observables at the end of the period; what a term names and nobody has is 0."""
        expressions = [each.condition for each in contract.obligations]
        expressions += [part for each in contract.transfers for part in (each.condition, each.amount)]
        return _observables_of(
            {name for each in expressions for name in each.names}, self._held, self._chest, self._prices
        )

    def _check_accounts(self, ended: log.EpisodeEnded) -> None:
        """Check the players' accounts at the end of an episode against the bookings."""
        for player, account in ended.players.items():
            moved = float(self._moved.get(player, Fraction(0)))
            told = {"transfer": account.transfer, "payoff": account.payoff}
            for part, value in {"transfer": moved, "payoff": account.reward + moved}.items():
                if abs(told[part] - value) > 1e-6:
                    self._add_fault(f"the {part} of {player} is {told[part]:g}, and {value:g} by the bookings")
        if self._due:
            self._add_fault(f"deal {self._due[0]} is in force and was not judged")
        self._due = []

    def _add_fault(self, fault: str) -> None:
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(fault)


_HANDLERS: Mapping[type[log.EventModel], Callable[..., None]] = {
    log.RunStarted: AgreementAudit._start,
    log.DealChanged: AgreementAudit._change_deal,
    log.TalksVoided: AgreementAudit._void_talks,
    log.ContractEvent: AgreementAudit._set_contract,
    log.EpisodeStarted: AgreementAudit._start_attempt,
    log.EndStateRead: AgreementAudit._hold,
    log.PeriodSettled: AgreementAudit._hold,
    log.VerdictGiven: AgreementAudit._open_verdict,
    log.PaymentDecided: AgreementAudit._add_payment,
    log.TransferBooked: AgreementAudit._book_transfer,
    log.AgreementEnforced: AgreementAudit._enforce,
    log.EpisodeEnded: AgreementAudit._check_accounts,
}
AUDITED_KINDS = frozenset(str(each.model_fields["kind"].default) for each in _HANDLERS)
"""Kinds of log lines that an audit needs."""
_CONSEQUENCES = (log.PaymentDecided, log.TransferBooked, log.AgreementEnforced)
"""Events that follow from a verdict; every other one comes after all of them."""


def audit_agreements(lines: Iterable[LogLine]) -> AgreementAudit:
    """Return the audit of a whole log.

    Raises:
        RecordError: The log holds a contract, a change of a deal or a verdict that cannot be read.
    """
    audit = AgreementAudit()
    for line in lines:
        try:
            audit.add_line(line)
        except (ContractError, LookupError, TypeError, ValueError) as error:
            # Whoever wrote the log may have written anything into the data of contracts, deals and verdicts.
            told = f"{type(error).__name__}: {error}"
            raise RecordError(f"line {line.seq + 1} of the log belongs to no agreement: {one_line(told)}") from None
    return audit


def _observables_of(
    names: Iterable[str],
    held: Mapping[str, log.Holdings],
    chest: Mapping[str, int],
    prices: Mapping[str, Mapping[str, float]],
) -> Observables:
    """Return the table of observables from a log's holdings; a name of a term that was not seen is 0."""
    parts = [name.split(".") for name in names]
    in_chest = [each[1] for each in parts if each[0] == "chest"]
    items = {each[2] for each in parts if len(each) == 3 and each[1] in ("items", "value")} | {*in_chest}
    blocks = {each[2] for each in parts if len(each) == 3 and each[1] == "mined"}
    facts = facts_of(held, {name: prices.get(name, {}) for name in held})
    return Observables.collect(facts, chest, items=sorted(items), blocks=sorted(blocks))


def _judged_faults(judged: JudgedInLog, table: Observables) -> Iterator[str]:
    """Yield the differences between a verdict with its consequences and what follows from contract and evidence."""
    contract, given = judged.contract, judged.given
    verdict = _verdict_in(given)
    if given.judge == FormalJudge.name and contract.typed:
        yield from _verdict_faults(verdict, assess(contract, table))
    yield from _payment_faults(judged, verdict)
    payments = [Payment(each.player, tuple(each.paid), each.reason, each.readable) for each in judged.payments]
    expected = enforce(contract, verdict, payments)
    accounts = dict.fromkeys(contract.parties, 0)
    due = [
        (each.term, each.payer, each.payee, float(each.amount)) for each in settle(accounts, expected.verdict).entries
    ]
    booked = [(each.term, each.payer, each.payee, each.amount) for each in judged.booked]
    if due != booked:
        yield f"{_amounts(booked)} is booked, and {_amounts(due)} follows"
    told = judged.enforced
    if told is None:
        if given.deal is not None or contract.force is not Force.BINDING:
            yield "its enforcement is missing"
        return
    deposited = dict.fromkeys(contract.parties, float(contract.deposit)) if contract.deposit else {}
    follows = log.AgreementEnforced.model_validate(
        {"force": str(contract.force), "deal": given.deal, "deposited": deposited, **expected.to_dict()}
    )
    for key in log.AgreementEnforced.model_fields:
        if getattr(told, key) != getattr(follows, key):
            yield f"{key} is {getattr(told, key)}, and {getattr(follows, key)} follows"


def _verdict_in(given: log.VerdictGiven) -> Verdict:
    """Return the verdict of an event."""
    awards = tuple(
        Award(each["term"], each["payer"], each["payee"], exact(each["amount"], each["term"])) for each in given.awards
    )
    findings = tuple(TermFinding(**each) for each in given.findings)
    return Verdict(given.judge, awards, findings, given.critique, given.readable)


def _verdict_faults(told: Verdict, computed: Verdict) -> Iterator[str]:
    """Yield the differences between a formal verdict and the one that was computed again."""
    kinds = {(each.kind, each.subject): each for each in computed.findings}
    for finding in told.findings:
        again = kinds.get((finding.kind, finding.subject))
        # A term that names what the scenario does not have is without a value there, and 0 in a table from the log.
        if "has no value" not in finding.reason and (again is None or again.ok != finding.ok):
            state = f"{'' if finding.ok else 'not '}{_STATES[finding.kind]}"
            yield f"{finding.subject} is {state}, and the log shows otherwise"
    valueless = {each.subject for each in told.findings if "has no value" in each.reason}
    found = [_award(each) for each in told.awards]
    again_found = [_award(each) for each in computed.awards if each.term not in valueless]
    if found != again_found:
        yield f"the judge orders {_amounts(found)}, and {_amounts(again_found)} is due"


_STATES = {"obligation": "kept", "transfer": "due", "verdict": "readable"}
"""Kind of a finding -> what it means if the finding is positive."""


def _payment_faults(judged: JudgedInLog, verdict: Verdict) -> Iterator[str]:
    """Yield the differences between the bills that payers were shown and those that follow from the verdict."""
    told = {each.player: each.due for each in judged.payments}
    owed = {each.payer: {due.term: float(due.amount) for due in each.dues} for each in bills(judged.contract, verdict)}
    if told != owed:
        yield f"payers decided on {told or 'nothing'}, and {owed or 'nothing'} is due"
    for each in judged.payments:
        if unknown := [term for term in each.paid if term not in each.due]:
            yield f"{each.player} pays {unknown[0]!r}, which is not due"


def _award(award: Award) -> tuple[str, str, str, float]:
    return award.term, award.payer, award.payee, float(award.amount)


def _amounts(awards: Iterable[tuple[str, str, str, float]]) -> str:
    told = [f"{amount:g} from {payer} to {payee} ({term})" for term, payer, payee, amount in awards]
    return ", ".join(told) or "nothing"
