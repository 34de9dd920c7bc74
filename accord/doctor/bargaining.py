"""Questions of a negotiator that no estimate asks: a talk on channels, a signature, and a decision on payments."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import partial

from accord.studies.agreement import examples
from accord.studies.conditions import resolve
from contracts import Award, Sheet
from contracts.bargaining.channels import ChannelRule, Channels
from contracts.bargaining.deals import Deal
from contracts.bargaining.talk import SeenMessage, TalkRules, TalkView
from contracts.enforcement import Bill
from contracts.forces import Force
from dilemmas.errors import UsageError
from dilemmas.scenarios.base import Scenario
from voyager_agents import Observation
from voyager_agents.voyager.negotiator import NegotiatorPart

CONTRACT = "contract-1"
"""Condition whose contract is offered, signed and owed under."""
ROUNDS = 3
MESSAGES = 2
"""Messages of a player on each kind of channel in a round."""
DUE = 3
"""Emeralds that are due."""


def bargaining_questions(
    scenario: Scenario, seen: Observation, part: NegotiatorPart
) -> Mapping[str, Callable[[], Awaitable[object]]]:
    """Return part -> function that asks it.

    Args:
        scenario: Scenario with the condition `CONTRACT`.
        seen: Observation of the player that is asked.
        part: Its negotiator part.

    Raises:
        UsageError: The scenario has no such contract.
    """
    contract = resolve(scenario, CONTRACT).contract
    if contract is None:
        raise UsageError(f"{scenario.spec.name}: the condition {CONTRACT!r} has no contract")
    sheet = Sheet.of(contract, examples(scenario, contract.parties))
    free = replace(contract, force=Force.CHEAP_TALK)
    other = next(name for name in seen.players if name != seen.player)
    bill = Bill(free, seen.player, (Award("1", seen.player, other, Fraction(DUE)),))
    return {
        "ratify": partial(part.ratify, seen, sheet),
        "talk": partial(part.talk, seen, _view(seen, Deal(1, replace(free, name="deal-1"), other))),
        "pay": partial(part.pay, seen, bill),
    }


def _view(seen: Observation, offer: Deal) -> TalkView:
    """Return the view of a player that has heard a private message and has an open offer."""
    rule = ChannelRule(MESSAGES)
    others = tuple(name for name in seen.players if name != seen.player)
    said = SeenMessage(1, offer.proposer, (seen.player,), "Only you read this. Do you agree?", offer.number, "offer")
    return TalkView(
        me=seen.player,
        players=tuple(seen.players),
        round=1,
        rounds=ROUNDS,
        rules=TalkRules(Channels(rule, rule, rule), ROUNDS, force=offer.contract.force),
        messages=(said,),
        offers=(offer,),
        own_offers=(),
        deals=(),
        left={"public": MESSAGES, "pairwise": MESSAGES, "group": MESSAGES},
        reachable=others,
    )
