"""How the players come to their contract: it is given, it is negotiated, or there is none."""

from __future__ import annotations

from typing import cast

from contracts import Contract, Negotiator, contract_as_mapping, negotiate
from contracts.negotiation import Entry
from contracts.negotiation import Outcome as Negotiated
from dilemmas.cast import Cast
from dilemmas.conditions import Condition
from dilemmas.events import ContractEvent, NegotiationTurn
from dilemmas.observation import observation
from dilemmas.record import RunRecord
from dilemmas.scenario import Scenario


async def agree(
    scenario: Scenario, condition: Condition, cast: Cast, record: RunRecord, rounds: int
) -> tuple[Contract | None, Negotiated | None]:
    """The contract of the run, if there is one, and the negotiation that led to it, if there was one."""
    negotiated = await _negotiate(scenario, cast, record, rounds) if condition.kind == "negotiated" else None
    contract = condition.contract if negotiated is None else negotiated.contract
    if contract is None:
        record.log(ContractEvent(state="none" if negotiated is None else "failed", contract=None))
        return None, negotiated
    plain = contract_as_mapping(contract)
    record.contract(plain)
    record.log(ContractEvent(state="agreed", contract=plain))
    return contract, negotiated


async def _negotiate(scenario: Scenario, table: Cast, record: RunRecord, rounds: int) -> Negotiated:
    for player, agent in table.agents.items():
        agent.observe(observation(scenario, player, 1, None, None))
    # Every agent that a cast is made of can speak; the protocol leaves it open for agents that never negotiate.
    outcome = await negotiate([cast(Negotiator, agent) for agent in table.agents.values()], rounds)
    for entry in outcome.transcript:
        record.log(_turn(entry))
    return outcome


def _turn(entry: Entry) -> NegotiationTurn:
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
    )
