"""Bargainer for a public good with two players: alternating offers about the division of the harvest.

The first player harvests and the second cleans. Cleaning earns nothing by itself, so the only issue is the share.
Opening, concessions and patience are those of `voyager_agents.reference.bargainer`: each own turn concedes part of the
distance to the alternating-offers share 1 / (1 + discount), and an offer is accepted as soon as it is worth at least
the own next demand, discounted by one round.
"""

from __future__ import annotations

from fractions import Fraction

from contracts import (
    Contract,
    ContractError,
    Expression,
    NegotiationMessage,
    NegotiatorView,
    Obligation,
    Observables,
    PlayerFacts,
    ScheduledAct,
    ScheduleStep,
    Transfer,
)
from contracts.judges.formal import assess
from contracts.ledger import settle
from voyager_agents.errors import PlayerError
from voyager_agents.facts import PublicGood
from voyager_agents.reference.bargainer import Temper, temper

SUPPOSED = 100
"""Assumed blocks worked on by each player, and items of the harvester, when a contract is evaluated."""


def bargain_shares(view: NegotiatorView, facts: PublicGood, seed: int) -> NegotiationMessage | str:
    """Return the bargainer's next turn, a pure function of the view, the facts and the seed.

    Raises:
        PlayerError: There are more or fewer than two players.
    """
    if len(facts.players) != 2:
        raise PlayerError(f"bargainer: {len(facts.players)} players: it bargains for two about a harvest")
    character = temper(seed, view.me, view.greedy)
    demand = _demand(character, (view.round - 1) // 2)
    offered = (division(view.standing, facts) or {}).get(view.me) if view.standing else None
    if offered is not None and _acceptable(view, offered, character):
        thought = f"The offer gives me {_percent(offered)} of the harvest; I would ask for {_percent(demand)}."
        return NegotiationMessage(thought, f"{view.other}, I agree to your last proposal. [accept]", accepts=True)
    shares = {view.me: demand, view.other: 1 - demand}
    contract = draft_shares(facts, shares)
    thought = f"Whoever cleans earns nothing by it, so the division decides: I ask for {_percent(demand)}."
    message = (
        f"{view.other}, if one of us keeps the river clean, the other can harvest all the time. Of what comes of it, "
        f"{_percent(1 - demand)} would be yours.\n[contract]\n{contract.text}\n[contract end]"
    )
    return NegotiationMessage(thought, message, proposal=contract)


def draft_shares(facts: PublicGood, shares: dict[str, Fraction], name: str = "negotiated") -> Contract:
    """Return a contract in which the first player harvests, the second cleans, and `shares` divide the harvest."""
    harvester, cleaner = facts.players
    crop, waste = facts.crop.replace("_", " "), facts.waste.replace("_", " ")
    clauses = [
        f"{harvester} harvests the {crop}s",
        f"{cleaner} clears the {waste}s away all the time, so that the {crop}s grow again",
        f"The value of all {facts.item.replace('_', ' ')}s is divided: {_percent(shares[harvester])} for {harvester}, "
        f"{_percent(shares[cleaner])} for {cleaner}",
    ]
    duties = (
        _duty(cleaner, "cleans", f"{cleaner}.mined.{facts.waste} > {facts.threshold}"),
        _duty(cleaner, "leaves-the-harvest", f"{cleaner}.mined.{facts.crop} == 0"),
        _duty(harvester, "harvests", f"{harvester}.mined.{facts.crop} > 0"),
    )
    kept = {player: " and ".join(f'met("{each.id}")' for each in duties if each.party == player) for player in shares}
    transfers = tuple(
        Transfer(
            f"{payer}-pays-{payee}".lower(),
            payer,
            payee,
            Expression(f"{float(shares[payee]):g} * {payer}.items.{facts.item} * {payer}.value.{facts.item}"),
            Expression(kept[payee]),
            f"{payee} gets its share of what {payer} harvested if {payee} kept to this contract",
        )
        for payer, payee in ((harvester, cleaner), (cleaner, harvester))
    )
    steps = (
        ScheduleStep(harvester, ScheduledAct.MINE, block=facts.crop, count=10_000),
        ScheduleStep(cleaner, ScheduledAct.MINE, block=facts.waste, count=10_000),
    )
    text = "\n".join(f"{number}. {clause}." for number, clause in enumerate(clauses, 1))
    return Contract(name, text, facts.players, transfers, duties, steps)


def division(contract: Contract, facts: PublicGood) -> dict[str, Fraction] | None:
    """Return player -> share of the harvest's value if all keep the contract; None if it cannot be computed."""
    if not contract.typed or set(contract.parties) != set(facts.players):
        return None
    jobs = {player: {step.block for step in contract.steps(player)} for player in facts.players}
    players = {
        player: PlayerFacts(
            items={facts.item: SUPPOSED} if facts.crop in jobs[player] else {},
            mined=dict.fromkeys(jobs[player], SUPPOSED),
            value=dict(facts.values[player]),
            reward=facts.values[player].get(facts.item, 0) * SUPPOSED if facts.crop in jobs[player] else 0,
        )
        for player in facts.players
    }
    try:
        table = Observables.collect(players, {}, items=[facts.item], blocks=[facts.crop, facts.waste])
        verdict = assess(contract, table)
        payoffs = settle({player: players[player].reward for player in facts.players}, verdict).payoffs
    except ContractError:
        return None
    total = sum(payoffs.values(), Fraction(0))
    if verdict.breaches or total <= 0:
        return None
    return {player: payoff / total for player, payoff in payoffs.items()}


def _demand(character: Temper, turn: int) -> Fraction:
    """Return the share demanded at its own turn number `turn`, from 0, in whole percent."""
    return Fraction(min(99, round(character.demand(turn) * 100)), 100)


def _acceptable(view: NegotiatorView, offered: Fraction, character: Temper) -> bool:
    before = view.before
    if before is not None and before.stands and before.contract is not None:
        # The old contract stays in force, so an agreement must give more than it did.
        total = sum(before.payoffs.values())
        return total <= 0 or float(offered) > before.payoffs[view.me] / total
    if view.round == view.rounds:
        # Last message: nobody can answer, so every share is better than none.
        return offered > 0
    following = _demand(character, (view.round + 1) // 2)
    return offered >= following * Fraction(character.discount).limit_denominator(10_000)


def _duty(party: str, verb: str, condition: str) -> Obligation:
    return Obligation(f"{party}-{verb}".lower(), party, Expression(condition), f"{party} {verb.replace('-', ' ')}")


def _percent(share: Fraction) -> str:
    return f"{float(share) * 100:g} %"
