"""Bargainer for two players: alternating offers derived from payoffs.

It evaluates every way to allocate the ores, chooses the allocation with the largest joint value, and bargains about the
transfer that divides the gain over having no contract. It starts high and concedes, with each own turn, part of the
distance to the alternating-offers share 1 / (1 + discount). It accepts as soon as the standing offer is worth at least
its own next demand, discounted by one round. Its patience is drawn from the seed; no line is scripted.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from contracts import Contract, ContractError, NegotiationMessage, NegotiatorView, Observables, PlayerFacts
from contracts.judges.formal import assess
from contracts.ledger import settle
from voyager_agents.errors import PlayerError
from voyager_agents.facts import Facts
from voyager_agents.reference.drafting import draft
from voyager_agents.reference.greedy import ranked_tools
from voyager_agents.reference.planning import Allocation, fitting_tools, owed

MAX_ORES = 8
"""Maximum number of ores; players ** ores allocations are evaluated."""


@dataclass(frozen=True)
class Temper:
    """Character of a bargainer."""

    discount: float
    """Present value of one emerald agreed one round later; below 1."""
    opening: float
    """Share of the gain that it demands at first."""
    firmness: float
    """Part of the distance between demand and target that is kept with each own turn."""
    target: float = 0.0
    """Share of the gain at which concessions end; 0 for the alternating-offers share."""

    def demand(self, turn: int, players: int = 2) -> float:
        """Return the share of the gain demanded at its own turn number `turn`, from 0."""
        target = self.target or 1 / (1 + (players - 1) * self.discount)
        return target + max(0.0, self.opening - target) * self.firmness**turn


GREEDY = Temper(discount=0.99, opening=1.0, firmness=0.9, target=0.9)
"""Character of a player told to get all it can: patient, demands everything, and stops at nine tenths of the gain."""


def temper(seed: int, player: str, greedy: bool = False) -> Temper:
    """Return the temper of a player; equal for equal arguments."""
    if greedy:
        return GREEDY
    draw = random.Random(f"bargainer:{seed}:{player}")
    return Temper(draw.uniform(0.80, 0.95), draw.uniform(0.80, 1.0), draw.uniform(0.2, 0.5))


@dataclass(frozen=True)
class Prospects:
    """A bargainer's estimates before the negotiation."""

    allocation: Allocation
    """Allocation with the largest joint value."""
    worth: Mapping[str, Fraction]
    """Player -> value of its share under the allocation."""
    alone: Mapping[str, Fraction]
    """Player -> expected payoff if nothing is agreed: without a contract, or under the one that stays in force."""

    @property
    def gain(self) -> Fraction:
        """Joint value of a contract over having none."""
        return sum(self.worth.values(), Fraction(0)) - sum(self.alone.values(), Fraction(0))


def prospects(facts: Facts) -> Prospects:
    """Return the best allocation and the payoffs without a contract. Raises PlayerError if nothing can be shared."""
    if len(facts.players) != 2 or not facts.ores or len(facts.ores) > MAX_ORES:
        raise PlayerError(
            f"bargainer: {len(facts.players)} players and {len(facts.ores)} ores: "
            f"it bargains for two players about 1 to {MAX_ORES} kinds of ore"
        )
    best = max(allocations(facts), key=lambda each: sum(worths(facts, each).values()))
    alone = {player: _alone(facts, player) for player in facts.players}
    return Prospects(best, worths(facts, best), alone)


def allocations(facts: Facts) -> list[Allocation]:
    """Return every allocation that gives each kind of ore to one player and is possible with the tools in the chest.

    Raises:
        PlayerError: The tools in the chest harvest no ore.
    """
    ways: list[Allocation] = []
    for owners in itertools.product(facts.players, repeat=len(facts.ores)):
        shares: dict[str, dict[str, int]] = {player: {} for player in facts.players}
        for owner, ore in zip(owners, facts.ores, strict=True):
            shares[owner][ore.block] = ore.count
        if all(_feasible(facts, player, shares) for player in facts.players if shares[player]):
            ways.append(shares)
    if not ways:
        raise PlayerError("bargainer: the tools in the chest harvest no ore: there is nothing to share out")
    return ways


def worths(facts: Facts, allocation: Allocation) -> dict[str, Fraction]:
    """Return player -> value of its share in emeralds."""
    return {
        player: sum(
            (Fraction(repr(facts.worth(player, facts.ore(block)))) * count for block, count in share.items()),
            Fraction(0),
        )
        for player, share in allocation.items()
    }


def forecast(contract: Contract, facts: Facts) -> dict[str, Fraction] | None:
    """Return player -> payoff if everybody keeps the contract; None for terms that cannot be evaluated or fulfilled."""
    if not contract.typed or set(contract.parties) != set(facts.players):
        return None
    try:
        shares = owed(contract, facts)
        earned = worths(facts, shares)
        verdict = assess(contract, _fulfilled(facts, shares, earned))
        return dict(settle(earned, verdict).payoffs) if not verdict.breaches else None
    except (ContractError, PlayerError):
        return None


def bargain(view: NegotiatorView, facts: Facts, seed: int) -> NegotiationMessage | str:
    """Return the bargainer's next turn, a pure function of the view, the facts and the seed.

    If no contract can be worth more than none, it returns a message without a proposal.
    """
    known = prospects(facts)
    if view.before is not None and view.before.stands and view.before.contract is not None:
        known = replace(known, alone={name: Fraction(repr(pay)) for name, pay in view.before.payoffs.items()})
    me, other = view.me, view.other
    character = temper(seed, me, view.greedy)
    demand = _demand(known, character, me, (view.round - 1) // 2)
    offered = (forecast(view.standing, facts) or {}).get(me) if view.standing else None
    if offered is not None and _acceptable(view, offered, known, character):
        alone = _show(known.alone[me])
        thought = f"The offer gives me {_show(offered)}, I would ask for {_show(demand)}; without contract {alone}."
        return NegotiationMessage(thought, f"{other}, I agree to your last proposal. [accept]", accepts=True)
    if known.gain <= 0:
        return f"[thinking] No sharing-out is worth more than {_show(known.alone[me])}.\n[message] I have no proposal."
    transfer = _whole(known.worth[me] - demand, known, me)
    contract = draft(facts, known.allocation, {me: -transfer, other: transfer})
    mine, theirs = known.worth[me] - transfer, known.worth[other] + transfer
    thought = (
        f"Kept, this gives me {_show(mine)} and {other} {_show(theirs)}; without contract I expect "
        f"{_show(known.alone[me])} and {other} {_show(known.alone[other])}."
    )
    message = (
        f"{other}, if each of us mines what is worth most to us, there is more for both. "
        f"You would end with {_show(theirs)} emeralds, I with {_show(mine)}.\n"
        f"[contract]\n{contract.text}\n[contract end]"
    )
    return NegotiationMessage(thought, message, proposal=contract)


def _alone(facts: Facts, player: str) -> Fraction:
    """Return the expected payoff without a contract: either player reaches the chest first with equal chance.

    The first takes its best tool. Ores that both can mine are split by the speed of their tools. Hoarding does not
    change the expectation if both hoard alike: the winner gains what the loser loses.
    """
    rival = next(name for name in facts.players if name != player)
    first = _race(facts, player, *_picks(facts, player, rival))
    second = _race(facts, player, *reversed(_picks(facts, rival, player)))
    return (first + second) / 2


def _picks(facts: Facts, first: str, second: str) -> tuple[str, str]:
    """Return the tools taken by the first and the second player at the chest; empty for none."""
    best = next((tool.name for tool in ranked_tools(facts, first)), "")
    left = {tool.name: tool.count - (tool.name == best) for tool in facts.tools}
    rest = next((tool.name for tool in ranked_tools(facts, second) if left[tool.name] > 0), "")
    return best, rest


def _race(facts: Facts, player: str, own: str, other: str) -> Fraction:
    mined = Fraction(0)
    for ore in facts.ores:
        if own not in ore.tools:
            continue
        mine, theirs = facts.speed(own), facts.speed(other) if other in ore.tools else 0.0
        share = Fraction(repr(mine)) / (Fraction(repr(mine)) + Fraction(repr(theirs))) if theirs else Fraction(1)
        mined += Fraction(repr(facts.worth(player, ore))) * ore.count * share
    return mined


def _demand(known: Prospects, character: Temper, me: str, turn: int) -> Fraction:
    """Return the payoff demanded at its own turn number `turn`, from 0."""
    return known.alone[me] + known.gain * Fraction(character.demand(turn)).limit_denominator(10_000)


def _acceptable(view: NegotiatorView, offered: Fraction, known: Prospects, character: Temper) -> bool:
    alone = known.alone[view.me]
    if offered <= alone:
        return False
    if view.round == view.rounds:
        # Last message: nobody can answer, so every gain is better than none.
        return True
    following = _demand(known, character, view.me, (view.round + 1) // 2)
    return offered >= alone + (following - alone) * Fraction(character.discount).limit_denominator(10_000)


def _whole(transfer: Fraction, known: Prospects, me: str) -> Fraction:
    """Return the transfer in whole emeralds, or in cents if those are too coarse, so that both sides still gain."""
    other = next(name for name in known.worth if name != me)
    most = known.worth[me] - known.alone[me]
    least = known.alone[other] - known.worth[other]
    for unit in (1, 100):
        rounded = Fraction(round(transfer * unit), unit)
        low, high = Fraction(int(least * unit // 1) + 1, unit), Fraction(-int(-most * unit // 1) - 1, unit)
        if low <= high:
            return min(max(rounded, low), high)
    return transfer


def _feasible(facts: Facts, player: str, shares: Allocation) -> bool:
    try:
        return bool(fitting_tools(facts, player, shares))
    except PlayerError:
        return False


def _fulfilled(facts: Facts, shares: Allocation, earned: Mapping[str, Fraction]) -> Observables:
    """Return the end of an episode in which all players mined their shares and kept no tool."""
    players = {
        player: PlayerFacts(
            items={facts.ore(block).item: count for block, count in shares.get(player, {}).items()},
            mined=dict(shares.get(player, {})),
            value=dict(facts.values[player]),
            reward=earned.get(player, Fraction(0)),
        )
        for player in facts.players
    }
    chest = {tool.name: tool.count for tool in facts.tools}
    items = [*(ore.item for ore in facts.ores), *(tool.name for tool in facts.tools)]
    return Observables.collect(players, chest, items=items, blocks=[ore.block for ore in facts.ores])


def _show(value: Fraction) -> str:
    return f"{round(float(value), 2):g}"
