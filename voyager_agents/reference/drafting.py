"""Drafting of contracts, both text and typed terms, from an allocation and payments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from contracts import Contract, Expression, Obligation, ScheduledAct, ScheduleStep, Transfer
from voyager_agents.facts import Facts, Ore
from voyager_agents.reference.planning import Allocation, schedule


def draft_plan(
    facts: Facts, allocation: Allocation
) -> tuple[list[str], tuple[Obligation, ...], tuple[ScheduleStep, ...]]:
    """Return clauses, obligations and schedule of an allocation without payments."""
    steps = schedule(facts, allocation)
    duties = tuple(duty for player in facts.players for duty in _duties(facts, allocation, steps, player))
    return [*_sharing(facts, allocation), *_turns(steps)], duties, steps


def draft(facts: Facts, allocation: Allocation, net: Mapping[str, Fraction], name: str = "negotiated") -> Contract:
    """Return a contract between two players.

    Args:
        facts: Facts of the scenario.
        allocation: Player -> the ores that it mines.
        net: Player -> emeralds that it receives (negative: pays), summing to zero.
        name: Name of the contract.
    """
    sharing, obligations, steps = draft_plan(facts, allocation)
    transfers = _transfers(facts, obligations, net)
    return Contract(
        name, numbered([*sharing, *(each.text for each in transfers)]), facts.players, transfers, obligations, steps
    )


def numbered(clauses: Sequence[str]) -> str:
    """Return the text of a contract with these clauses, numbered."""
    return "\n".join(f"{number}. {clause}." for number, clause in enumerate(clauses, 1))


def _duties(facts: Facts, allocation: Allocation, steps: Sequence[ScheduleStep], player: str) -> list[Obligation]:
    """Return a player's obligations: mine its share, leave the others', and keep no tool that others need."""
    others = [name for name in facts.players if name != player]
    duties = []
    for ore in facts.ores:
        count = allocation[player].get(ore.block, 0)
        if count > 0:
            left = " - ".join([str(count), *(f"{name}.mined.{ore.block}" for name in others)])
            duties.append(_obligation(player, "mines", ore.block, f"{player}.mined.{ore.block} >= {left}"))
        elif any(allocation[name].get(ore.block, 0) > 0 for name in others):
            duties.append(_obligation(player, "leaves", ore.block, f"{player}.mined.{ore.block} == 0"))
    needed = {step.item for step in steps if step.do is ScheduledAct.TAKE and step.party != player}
    kept = _last_holders(steps, player)
    duties += [_obligation(player, "leaves", tool, f"{player}.items.{tool} == 0") for tool in sorted(needed - kept)]
    return duties


def _last_holders(steps: Sequence[ScheduleStep], player: str) -> set[str]:
    """Return the tools that the schedule lets the player keep: taken by it and not returned."""
    own = [step for step in steps if step.party == player]
    taken = {step.item for step in own if step.do is ScheduledAct.TAKE}
    return taken - {step.item for step in own if step.do is ScheduledAct.RETURN}


def _obligation(player: str, verb: str, thing: str, condition: str) -> Obligation:
    words = thing.replace("_", " ")
    text = f"{player} mines all {words} that the others leave" if verb == "mines" else f"{player} leaves the {words}"
    return Obligation(f"{player}-{verb}-{thing}".replace("_", "-"), player, Expression(condition), text)


def _transfers(facts: Facts, obligations: Sequence[Obligation], net: Mapping[str, Fraction]) -> tuple[Transfer, ...]:
    payer, payee = sorted(facts.players, key=lambda name: net[name])
    amount = net[payee]
    if amount <= 0:
        return ()
    shown = f"{float(amount):g}"
    text = f"When the scenario ends, {payer} pays {payee} {shown} {facts.currency} if {payee} kept to this contract"
    condition = Expression(_condition(facts, obligations, payer, payee))
    return (Transfer(f"{payer}-pays-{payee}", payer, payee, Expression(shown), condition, text),)


def _condition(facts: Facts, obligations: Sequence[Obligation], payer: str, payee: str) -> str:
    """Return the condition for payment: the payee kept its duties, except mining without a tool that the payer kept."""
    tools = {tool.name for tool in facts.tools}
    withheld = [
        f'not met("{each.id}")'
        for each in obligations
        if each.party == payer and any(f".items.{tool}" in each.condition.source for tool in tools)
    ]
    parts = []
    for duty in (each for each in obligations if each.party == payee):
        kept = f'met("{duty.id}")'
        parts.append(f"({' or '.join([kept, *withheld])})" if "-mines-" in duty.id and withheld else kept)
    return " and ".join(parts) or "True"


def _sharing(facts: Facts, allocation: Allocation) -> list[str]:
    clauses = []
    for player in facts.players:
        ores: list[Ore] = [ore for ore in facts.ores if allocation[player].get(ore.block, 0) > 0]
        if ores:
            names = " and ".join(f"all {ore.count} {ore.block.replace('_', ' ')}" for ore in ores)
            clauses.append(f"{player} mines {names} and nobody else does")
    return clauses


def _turns(steps: Sequence[ScheduleStep]) -> list[str]:
    """Return the clauses for the order of steps: tools and turns."""
    clauses = []
    for step in steps:
        tool = step.item.replace("_", " ")
        match step.do:
            case ScheduledAct.TAKE:
                clauses.append(f"{step.party} takes the {tool} from the chest")
            case ScheduledAct.RETURN:
                clauses.append(f"{step.party} puts the {tool} back into the chest when done")
            case ScheduledAct.SIGNAL:
                clauses.append(f"{step.party} then signals {step.other}, who waits for it")
    return clauses
