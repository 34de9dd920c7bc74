"""Contract of a run's players: given, negotiated and signed, or none.

In a renegotiation the players know the outcome of the last episode. If they do not agree, the condition determines
whether the old contract stays in force or lapses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from accord.studies.conditions import Condition
from accord.studies.judging import judges_of
from accord.studies.players import Players
from contracts import (
    Contract,
    ContractScope,
    Experience,
    LanguageJudge,
    NegotiationRules,
    Negotiator,
    Observables,
    Signer,
    Signing,
    contract_as_mapping,
    negotiate,
    sign,
)
from contracts.enforcement import Breach
from contracts.forces import Force
from contracts.judges.wording import read_clause
from contracts.negotiation import Negotiated, NegotiationRound
from dilemmas.modes.observation import PastEpisodes, log_shown, observation
from dilemmas.records.events import ContractEvent, Holdings, NegotiationTurn, TermsRatified, TermsTyped
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.observables import observables
from voyager_agents.voyager.judge import language_typist

EXAMPLE = 10
"""Number of each item and block that active players have in the example outcomes of a contract's sheet."""


@dataclass(frozen=True)
class Again:
    """Knowledge of the players in a renegotiation."""

    contract: Contract | None
    """Contract of the last episode; None without one."""
    past: PastEpisodes
    verdict: Mapping[str, Any] | None
    """Verdict on the last episode as plain data; None without one."""
    episode: int
    """Number of the coming episode, from 2; of the same one between its rounds."""
    played: int = 0
    """Number of rounds played, between the rounds of an episode; 0 before an episode."""


@dataclass(frozen=True)
class NegotiationInput:
    """Input of a run to a negotiation."""

    rounds: int
    """Maximum number of messages, unless the condition sets it."""
    seed: int = 0
    again: Again | None = None
    remaining: int = 0
    """Number of episodes after the coming one."""
    breaches: tuple[Breach, ...] = ()
    """Breaches in earlier episodes."""


async def agree(
    scenario: Scenario, condition: Condition, players: Players, record: RunRecord, asked: NegotiationInput
) -> tuple[Contract | None, Negotiated | None]:
    """Return the contract of the next episodes, and the negotiation that led to it; each may be None.

    Args:
        scenario: The scenario.
        condition: The condition of the run.
        players: Players of the run.
        record: Record of the run.
        asked: Input of the run to a negotiation.
    """
    if condition.kind != "negotiated":
        contract, state = condition.contract, "none" if condition.contract is None else "agreed"
        return _settled(record, contract, state, ""), None
    negotiated = await _negotiate(scenario, condition, players, record, asked)
    contract, reason = negotiated.contract, ""
    if contract is not None and is_signed(condition, replace(contract, scope=condition.scope)):
        signers = list(players.agents.values())
        signing = await signing_of(
            replace(contract, scope=condition.scope), signers, examples(scenario, list(scenario.spec.players)), players
        )
        log_signing(record, signing)
        contract, reason = signing.contract, "" if signing.contract else "the terms were not ratified"
    if contract is None and asked.again is not None and condition.axes.renegotiate == "stands":
        contract = asked.again.contract
        reason = "no new agreement: the old contract stands" if contract else reason
    return _settled(record, contract, "failed" if contract is None else "agreed", reason), negotiated


def _settled(record: RunRecord, contract: Contract | None, state: str, reason: str) -> Contract | None:
    plain = None if contract is None else contract_as_mapping(contract)
    if plain is not None:
        record.save_contract(plain)
    record.log(ContractEvent.model_validate({"state": state, "contract": plain, "reason": reason}))
    return contract


async def _negotiate(
    scenario: Scenario, condition: Condition, players: Players, record: RunRecord, asked: NegotiationInput
) -> Negotiated:
    again = asked.again
    for player, agent in players.agents.items():
        contract, past = (None, None) if again is None else (again.contract, again.past)
        episode = 1 if again is None else again.episode
        see = players.eyes.see_of(player)
        seen = observation(scenario, player, episode, contract, past, condition.name, see=see)
        agent.observe(seen if again is None else log_shown(record, seen))
    speakers = [cast(Negotiator, agent) for agent in players.agents.values()]
    outcome = await negotiate(speakers, setting(scenario, condition, asked))
    for entry in outcome.transcript:
        record.log(_turn(entry))
    return outcome


def setting(scenario: Scenario, condition: Condition, asked: NegotiationInput) -> NegotiationRules:
    """Return the rules of a negotiation under a condition."""
    axes = condition.axes
    force, deposit = condition.force
    return NegotiationRules(
        rounds=axes.rounds or asked.rounds,
        scope=condition.scope,
        force=force,
        deposit=deposit,
        remaining=asked.remaining,
        breaches=asked.breaches if force is Force.REPUTATION else (),
        opens=opener(scenario, condition, asked),
        greedy=axes.greedy,
        before=past_experience(scenario, condition, asked.again),
    )


def opener(scenario: Scenario, condition: Condition, asked: NegotiationInput) -> str:
    """Return the player that speaks first under a condition."""
    players, opens = list(scenario.spec.players), condition.axes.opens
    places = {"first": 0, "second": 1, "seed": asked.seed % len(players)}
    return players[places[opens]] if opens in places else opens


def past_experience(scenario: Scenario, condition: Condition, again: Again | None) -> Experience | None:
    """Return the common knowledge of the last episode or period.

    It has the verdict if the scenario shows verdicts. Between rounds it has everybody's earnings only if the scenario
    shows inventories: they tell what players hold.
    """
    if again is None:
        return None
    hidden = again.played > 0 and "inventories" not in scenario.spec.observables
    accounts = {} if hidden else again.past.accounts
    verdict = again.verdict or {}
    shown = "judge_critique" in scenario.spec.observables
    duties = [each for each in verdict.get("findings", ()) if each["kind"] == "obligation"]
    return Experience(
        contract=again.contract,
        rewards={name: account.reward for name, account in accounts.items()},
        payoffs={name: account.payoff for name, account in accounts.items()},
        critique=again.past.critique if shown else "",
        kept={each["subject"]: bool(each["ok"]) for each in duties} if shown else {},
        stands=condition.axes.renegotiate == "stands",
        played=again.played,
    )


def is_signed(condition: Condition, contract: Contract) -> bool:
    """Return whether the contract has to be ratified by all players, after its text is turned into typed terms."""
    if condition.axes.typed is not None:
        return condition.axes.typed
    return not contract.typed and ("formal" in judges_of(condition.axes.judge) or _is_in_doubt(contract))


def _is_in_doubt(contract: Contract) -> bool:
    """Return whether a clause names a payment too vague for a language judge, which would not transfer it."""
    binds = contract.scope is not ContractScope.COORDINATION
    return binds and any(not read_clause(text, contract.parties).certain for text in contract.clauses.values())


async def signing_of(
    contract: Contract, signers: Sequence[Any], outcomes: Mapping[str, Observables], players: Players
) -> Signing:
    """Let the signers ratify the contract's terms, typed by the judge's model if it is text alone.

    Args:
        contract: The agreed contract, with the scope of the condition.
        signers: Agents of the parties, in order.
        outcomes: Example outcomes for the sheet: name -> observables.
        players: Players and judge of the run.
    """
    judge = players.judge
    typist = None
    if isinstance(judge, LanguageJudge):
        typist = language_typist(judge, tuple(next(iter(outcomes.values()))), players.prompts)
    return await sign(contract, typist, [cast(Signer, agent) for agent in signers], outcomes)


def log_signing(record: RunRecord, signing: Signing, deal: int | None = None) -> None:
    """Log all attempts to sign a contract, or the deal of that number."""
    for attempt in signing.tries:
        terms, sheet = attempt.typed.terms, attempt.sheet
        record.log(
            TermsTyped(
                number=attempt.number,
                terms=None if terms is None else contract_as_mapping(terms),
                sheet="" if sheet is None else sheet.text,
                fault=attempt.typed.fault,
                raw=attempt.typed.raw,
                faults=[each.text for each in attempt.typed.faults],
                fault_kinds=[each.kind for each in attempt.typed.faults],
                deal=deal,
            )
        )
        for answer in attempt.ratifications:
            record.log(
                TermsRatified(
                    number=attempt.number,
                    player=answer.player,
                    ratified=answer.ratified,
                    reason=answer.reason,
                    raw=answer.raw,
                    deal=deal,
                )
            )


def examples(scenario: Scenario, players: Sequence[str]) -> dict[str, Observables]:
    """Return example outcomes that show payments between these players before ratification: name -> observables."""
    some = f"{EXAMPLE} of everything"
    acting: dict[str, Sequence[str]] = {"nobody did anything": ()}
    acting |= {f"{name} alone got and mined {some}": [name] for name in players}
    acting |= {f"everybody got and mined {some}": players}
    return {name: _end(scenario, busy) for name, busy in acting.items()}


def _end(scenario: Scenario, busy: Sequence[str]) -> Observables:
    words = scenario.vocabulary()
    players = {}
    for name, player in scenario.spec.players.items():
        count = EXAMPLE if name in busy else 0
        items = {item: count for item in words.items if player.prices.get(item)}
        players[name] = Holdings.of(items, dict.fromkeys(words.blocks, count), player.prices)
    return observables(scenario, players, {})


def _turn(entry: NegotiationRound) -> NegotiationTurn:
    return NegotiationTurn(
        turn=entry.round,
        speaker=entry.speaker,
        message=entry.message,
        thought=entry.thought,
        offer=contract_as_mapping(entry.proposal) if entry.proposal else None,
        accepts=entry.accepts,
        of=entry.of,
        faults=list(entry.faults),
        raw=list(entry.raw),
        fault_kinds=list(entry.fault_kinds),
    )
