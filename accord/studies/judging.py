"""Payoffs of an episode: from the end state to observables, the judge's verdict and the transfers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from accord.studies.outcomes import Outcome
from common.answers.faults import FormAsker
from common.plugins import PluginEntry, PluginTable
from contracts import (
    Contract,
    Evidence,
    FormalJudge,
    Judge,
    JudgePanel,
    LanguageJudge,
    Settlement,
    Verdict,
    contract_as_mapping,
    settle,
)
from contracts.enforcement import Bill, Enforced, Payer, Payment, bills, enforce
from contracts.forces import Force
from contracts.judges.bounds import Claim, admit
from contracts.observables import exact
from dilemmas.errors import UsageError
from dilemmas.modes.protocol import PlayedEpisode
from dilemmas.records.events import (
    AgreementEnforced,
    ContractEvent,
    PaymentDecided,
    PlayerAccount,
    TransferBooked,
    VerdictGiven,
)
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.axes import JUDGES
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.observables import initial_observables, observables
from dilemmas.scenarios.protocol import EndState

Maker = Callable[[FormAsker | None], Judge]
"""Factory of a judge. Its argument asks the study's model for the role `judge`; None without such a model."""
POCKETS = 41 * 64
"""Maximum number of items that a player can hold: 36 slots, 4 armour slots and the off-hand, with 64 items each."""


def rewards(state: EndState) -> dict[str, float]:
    """Return player -> reward in emeralds, before transfers."""
    return {name: held.reward for name, held in state.players.items()}


def evidence(scenario: Scenario, played: PlayedEpisode) -> Evidence:
    """Return the evidence on an episode for a judge."""
    spec = scenario.spec
    table = observables(scenario, played.state.players, played.state.chest)
    return Evidence(table, played.chat, dict.fromkeys(spec.players, spec.task))


def _maker(entry: PluginEntry) -> Maker:
    """Return the factory of a plugin's judge. Raises PluginError."""
    make = entry.load()
    if not callable(make):
        raise entry.broken(f"is {type(make).__name__}, not a class or function that makes a Judge")

    def made(asker: FormAsker | None) -> Judge:
        judge: Judge = make(asker)
        if judge.name != entry.name:
            raise entry.broken(f"makes a judge called {judge.name!r}; give the entry the judge's name")
        return judge

    return made


ADDED: PluginTable[Maker | None] = PluginTable("judges", dict.fromkeys(JUDGES), _maker)
"""Name of a judge -> factory, for judges of plugins. Accord's own names are reserved with None."""


class Bounded:
    """Wrapper of a plugin's judge that limits its awards to what the contract allows, as for language judges."""

    def __init__(self, judge: Judge) -> None:
        self._judge = judge
        self.name = judge.name

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        """Return the judge's verdict without awards beyond the contract, which become findings instead."""
        verdict = await self._judge.judge(contract, evidence)
        claims = [Claim(each.term, each.payer, each.payee, float(each.amount)) for each in verdict.awards]
        admitted = admit(contract, evidence, claims)
        refused = tuple(each for each in admitted.findings if not each.ok)
        return replace(verdict, awards=admitted.awards, findings=(*verdict.findings, *refused))


def judges_of(axis: str | None) -> tuple[str, ...]:
    """Return the names of the judges in a condition's axis: the deciding one, then one that is only recorded.

    The result is empty if the axis is None, which means the run's default judge.
    """
    if axis is None:
        return ()
    if axis in ADDED.added():
        return (axis,)
    return ("formal", "language") if axis == "both" else tuple(axis.split("-"))


def appointed(judge: Judge, axis: str | None) -> Judge:
    """Return the judge or panel of a condition's axis, given the run's default judge. Raises UsageError."""
    named: dict[str, Judge] = {judge.name: judge}
    named.setdefault(FormalJudge.name, FormalJudge())
    wanted = judges_of(axis)
    for name in wanted:
        if name in ADDED.added() and (make := ADDED[name]) is not None:
            named[name] = Bounded(make(judge.asker if isinstance(judge, LanguageJudge) else None))
    if missing := [name for name in wanted if name not in named]:
        raise UsageError(
            f"judge {axis}: there is no model for a {missing[0]} judge: give --model-for judge=openai/NAME"
        )
    judges = [named[name] for name in wanted] or [judge]
    return JudgePanel(*judges) if len(judges) == 2 else judges[0]


@dataclass(frozen=True)
class Agreement:
    """An agreement in force in an episode."""

    contract: Contract
    deal: int | None = None
    """Number of the deal; None for the contract of all players."""


@dataclass(frozen=True)
class JudgedAgreement:
    """An agreement with its verdict, the payers' decisions, and what moves by its force."""

    agreement: Agreement
    verdict: Verdict
    bills: tuple[Bill, ...]
    payments: tuple[Payment, ...]
    enforced: Enforced

    @property
    def is_told(self) -> bool:
        """True if the enforcement is an event of its own: for every deal, and every contract that does not bind."""
        return self.agreement.deal is not None or self.agreement.contract.force is not Force.BINDING

    @property
    def outcome(self) -> Outcome:
        """Outcome as plain data."""
        enforced = {"force": str(self.agreement.contract.force), **self.enforced.to_dict()}
        return Outcome(self.agreement.deal, self.verdict.to_dict(), enforced)


async def judge_all(
    scenario: Scenario,
    agreements: Sequence[Agreement],
    judge: Judge,
    played: PlayedEpisode,
    payers: Mapping[str, Any],
    remaining: int = 0,
) -> list[JudgedAgreement]:
    """Judge the agreements in order, and let payers decide where nothing binds them.

    Args:
        scenario: The scenario.
        agreements: Agreements in force, in the order in which they were made.
        judge: Judge of the run.
        played: The episode.
        payers: Player -> its agent.
        remaining: Number of episodes that follow.
    """
    found: list[JudgedAgreement] = []
    paid: dict[str, Fraction] = {}
    for agreement in agreements:
        contract, known = agreement.contract, evidence(scenario, played)
        verdict = await judge.judge(contract, replace(known, paid=dict(paid)))
        owed = bills(contract, verdict, remaining)
        payments = tuple([await _payment(bill, payers[bill.payer]) for bill in owed])
        enforced = enforce(contract, verdict, payments)
        for award in enforced.verdict.awards:
            paid[award.payer] = paid.get(award.payer, Fraction(0)) + award.amount
        found.append(JudgedAgreement(agreement, verdict, owed, payments, enforced))
    return found


async def _payment(bill: Bill, agent: Payer | object) -> Payment:
    """Return the agent's decision; agents that cannot decide on payments make no choice."""
    if not isinstance(agent, Payer):
        return Payment(bill.payer, (), "agents of this family cannot decide on payments", readable=False)
    return await agent.pay(bill)


def book(
    record: RunRecord,
    judged: Sequence[JudgedAgreement],
    played: PlayedEpisode,
    earlier: Sequence[tuple[str, str, float]] = (),
) -> dict[str, PlayerAccount]:
    """Log verdicts, payments and transfers; return the players' accounts.

    Args:
        record: Record of the run.
        judged: The agreements with their verdicts.
        played: The episode.
        earlier: (payer, payee, emeralds) that moved between its rounds, which are logged already.
    """
    earned = rewards(played.state)
    for each in judged:
        _log_judged(record, each, settle(earned, each.enforced.verdict))
    awards = tuple(award for each in judged for award in each.enforced.verdict.awards)
    settlement = settle(earned, Verdict("ledger", awards) if awards else None)
    for payer, payee, amount in played.bookings:
        record.log(TransferBooked(term="council", payer=payer, payee=payee, amount=amount))
    return _accounts(settlement, played.state, (*earlier, *played.bookings))


def booked_transfers(judged: Sequence[JudgedAgreement], state: EndState) -> list[tuple[str, str, float]]:
    """Return (payer, payee, emeralds) that the ledger books for these agreements, in whole cents."""
    awards = tuple(award for each in judged for award in each.enforced.verdict.awards)
    entries = settle(rewards(state), Verdict("ledger", awards)).entries
    return [(each.payer, each.payee, float(each.amount)) for each in entries]


def _log_judged(record: RunRecord, judged: JudgedAgreement, settlement: Settlement) -> None:
    agreement = judged.agreement
    contract, deal = agreement.contract, agreement.deal
    moved = {name: float(amount) for name, amount in settlement.transfers.items()}
    record.log(VerdictGiven(**judged.verdict.to_dict(), transfers=moved, deal=deal))
    for bill, payment in zip(judged.bills, judged.payments, strict=True):
        record.log(
            PaymentDecided(
                player=bill.payer,
                due={each.term: float(each.amount) for each in bill.dues},
                paid=list(payment.paid),
                deal=deal,
                reason=payment.reason,
                readable=payment.readable,
                raw=payment.raw,
            )
        )
    for entry in settlement.entries:
        amount = float(entry.amount)
        record.log(TransferBooked(term=entry.term, payer=entry.payer, payee=entry.payee, amount=amount, deal=deal))
    if judged.is_told:
        record.log(
            AgreementEnforced.model_validate(
                {
                    "force": str(contract.force),
                    "deal": deal,
                    "deposited": dict.fromkeys(contract.parties, float(contract.deposit)) if contract.deposit else {},
                    **judged.enforced.to_dict(),
                }
            )
        )
    if deal is None:
        record.log(ContractEvent(state="settled", contract=contract_as_mapping(contract)))


def _accounts(
    settlement: Settlement, state: EndState, others: Iterable[tuple[str, str, float]]
) -> dict[str, PlayerAccount]:
    """Return the players' accounts after the settlement and other transfers, without errors of rounding."""
    moved = dict(settlement.transfers)
    for payer, payee, amount in others:
        moved[payer] -= exact(amount, "transfer")
        moved[payee] += exact(amount, "transfer")
    return {
        name: PlayerAccount(
            items=held.items,
            reward=float(settlement.rewards[name]),
            transfer=float(moved[name]),
            payoff=float(settlement.rewards[name] + moved[name]),
        )
        for name, held in state.players.items()
    }


def unknown_names(contract: Contract, scenario: Scenario) -> Sequence[str]:
    """Return the names of observables in a contract's terms that the scenario does not have."""
    known = initial_observables(scenario)
    expressions = [each.condition for each in contract.obligations]
    expressions += [part for each in contract.transfers for part in (each.condition, each.amount)]
    return sorted({name for expression in expressions for name in expression.names if name not in known})


def beyond_reach(contract: Contract, scenario: Scenario) -> str:
    """Return a message on a fixed amount that no player of the scenario can earn; empty if there is none."""
    best = max((price for player in scenario.spec.players.values() for price in player.prices.values()), default=0)
    most = POCKETS * best
    for each in contract.transfers:
        if not (each.amount.names or each.amount.obligations) and each.amount.number({}) > most:
            return (
                f"transfer {each.id!r}: amount: {each.amount}: nobody can earn that here: a full inventory is worth "
                f"{most:g} emeralds at most"
            )
    return ""
