"""Bargainer for any number of players and any contract scope: who does what, and how the earnings are divided.

Earnings are pooled: each player pays every other player that player's share of its own reward. All players then gain by
whatever increases the sum, without being assigned tasks. They bargain about the shares as in
`voyager_agents.reference.bargainer`: opening, concessions and patience are drawn from the seed, and the fallback is
each player's expected payoff without a new contract. If a contract may only coordinate, a player proposes the plan with
the largest joint value that leaves nobody worse off.

A `strict` player, who assumes best responses, proposes and accepts only stable plans (Nash equilibria).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from contracts import (
    Contract,
    ContractScope,
    Expression,
    NegotiationMessage,
    NegotiatorView,
    Obligation,
    ScheduledAct,
    ScheduleStep,
    Transfer,
)
from contracts.forces import Force
from voyager_agents.errors import PlayerError
from voyager_agents.facts import Commons, Facts, PublicGood, ScenarioFacts
from voyager_agents.reference.bargainer import allocations, temper
from voyager_agents.reference.drafting import draft_plan, numbered
from voyager_agents.reference.games import (
    ALTERNATE,
    CLEAN,
    HARVEST,
    PLAN,
    Outlook,
    Profile,
    game_of,
    planned,
    reputation_stakes,
)
from voyager_agents.reference.orchards import SUSTAIN, fair_quota
from voyager_agents.reference.planning import Allocation

WHOLE_TIME = 10_000
"""Block count of a step that lasts for the whole scenario."""
MAX_PLANS = 1000
"""Maximum number of allocations evaluated."""
TASTE = 1e-6
"""Difference in emeralds below which two payoffs are equal."""


@dataclass(frozen=True)
class BargainPlan:
    """A plan of parts, and each player's expected payoff without payments."""

    profile: Profile
    allocation: Allocation | None
    payoffs: tuple[float, ...]

    @property
    def welfare(self) -> float:
        """Sum of the payoffs."""
        return sum(self.payoffs)


@dataclass(frozen=True)
class Prospect:
    """A bargainer's estimates before it speaks."""

    facts: ScenarioFacts
    view: NegotiatorView
    strict: bool

    @property
    def players(self) -> tuple[str, ...]:
        """All players, in the scenario's order."""
        return self.facts.players

    @cached_property
    def alone(self) -> tuple[float, ...]:
        """Expected payoffs of all players without an agreement."""
        before = self.view.before
        if before is not None and before.stands and before.contract is not None:
            return tuple(before.payoffs[player] for player in self.players)
        outlook = Outlook(game_of(self.facts), None)
        if self.strict:
            return outlook.expected(outlook.mixed)
        return outlook.table[(outlook.game.selfish,) * len(self.players)]

    @cached_property
    def plan(self) -> BargainPlan | None:
        """Plan to propose; None if the scope allows none or no plan is suitable."""
        if self.view.scope is ContractScope.TRANSFERS:
            return None
        found = [each for each in self._plans() if self.view.scope is ContractScope.BOTH or self._serves(each)]
        me = self.players.index(self.view.me)
        return max(found, key=lambda each: (round(each.welfare, 6), each.payoffs[me]), default=None)

    @cached_property
    def welfare(self) -> float:
        """Expected sum of payoffs under a contract of this scope that pools all earnings."""
        if self.plan is not None:
            return self.plan.welfare
        outlook = Outlook(game_of(self.facts), pool(self.players, dict.fromkeys(self.players, 1 / len(self.players))))
        return sum(outlook.expected(outlook.mixed))

    @property
    def gain(self) -> float:
        """Joint value of a contract over having none."""
        return self.welfare - sum(self.alone)

    def payoff(self, contract: Contract) -> float | None:
        """Return this player's expected payoff under the contract; None if the player cannot judge it."""
        if not (contract.typed or contract.schedule) or set(contract.parties) != set(self.players):
            return None
        me = self.players.index(self.view.me)
        if not self.strict:
            # A player that keeps its word expects the others to keep theirs.
            contract = replace(contract, force=Force.BINDING, deposit=0)
        try:
            profile, allocation = planned(contract, self.facts)
            stakes = reputation_stakes(contract, self.facts, self.view.remaining)
            outlook = Outlook(game_of(self.facts, allocation), contract, stakes)
            if profile is not None and (not self.strict or outlook.stable(profile)):
                return outlook.game.payoffs(profile, contract, stakes)[me]
            if not contract.transfers:
                return self.alone[me] if profile is None or self.strict else None
            open_to_all = Outlook(game_of(self.facts), contract, stakes)
            return open_to_all.expected(open_to_all.mixed)[me]
        except PlayerError:
            return None

    def _plans(self) -> Iterator[BargainPlan]:
        if isinstance(self.facts, PublicGood):
            outlook = Outlook(game_of(self.facts), None)
            yield from (BargainPlan(profile, None, payoffs) for profile, payoffs in outlook.table.items())
            return
        if isinstance(self.facts, Commons):
            quotas = {player: {self.facts.crop: fair_quota(self.facts)} for player in self.players}
            together = (SUSTAIN,) * len(self.players)
            yield BargainPlan(together, quotas, game_of(self.facts, quotas).payoffs(together, None))
            return
        if not isinstance(self.facts, Facts):
            return
        profile = (PLAN,) * len(self.players)
        for allocation in self._allocations(self.facts):
            yield BargainPlan(profile, allocation, game_of(self.facts, allocation).payoffs(profile, None))

    def _allocations(self, facts: Facts) -> list[Allocation]:
        """Return allocations of whole kinds of ore; if payments are not allowed, also of parts of a kind."""
        if self.view.scope is ContractScope.BOTH:
            return allocations(facts)
        step = 1
        while len(found := list(_split(facts, step))) > MAX_PLANS:
            step += 1
        return found

    def _serves(self, plan: BargainPlan) -> bool:
        """Return True if nobody is worse off than without the plan and, for a strict player, the plan is stable."""
        if any(payoff <= alone + TASTE for payoff, alone in zip(plan.payoffs, self.alone, strict=True)):
            return False
        return not self.strict or Outlook(game_of(self.facts, plan.allocation), None).stable(plan.profile)


def bargain_pool(view: NegotiatorView, facts: ScenarioFacts, seed: int, *, strict: bool) -> NegotiationMessage | str:
    """Return the bargainer's next turn, a pure function of the arguments.

    Args:
        view: The negotiation so far.
        facts: Facts of the scenario.
        seed: Seed of the player's temper.
        strict: Accept only plans in which nobody gains by deviating.
    """
    known = Prospect(facts, view, strict)
    offered = None if view.standing is None else known.payoff(view.standing)
    if offered is not None and _acceptable(known, offered, seed):
        alone = known.alone[known.players.index(view.me)]
        thought = f"The proposal gives me {offered:.4g}; without it I expect {alone:.4g}."
        return NegotiationMessage(thought, f"I agree to proposal {view.standing_round}. [accept]", accepts=True)
    if known.gain <= TASTE or (view.scope is ContractScope.COORDINATION and known.plan is None):
        return "[thinking] Nothing that we could agree on is worth more to all.\n[message] I have no proposal."
    shares = None if view.scope is ContractScope.COORDINATION else _shares(known, seed)
    contract = draft_pool(facts, view.scope, known.plan, shares)
    expected = [f"{player} {payoff:.4g}" for player, payoff in zip(known.players, known.alone, strict=True)]
    thought = f"All together we can have {known.welfare:.4g}; without an agreement: {', '.join(expected)}."
    message = f"{view.other}, this is better for all of us.\n[contract]\n{contract.text}\n[contract end]"
    return NegotiationMessage(thought, message, proposal=contract)


def draft_pool(
    facts: ScenarioFacts, scope: ContractScope, plan: BargainPlan | None, shares: Mapping[str, float] | None
) -> Contract:
    """Return a contract that pools payoffs.

    Args:
        facts: Facts of the scenario.
        scope: Scope of the contract.
        plan: Parts of the players; None to leave them open.
        shares: Player -> share of the pool; None for no payments.
    """
    clauses: list[str] = []
    duties: tuple[Obligation, ...] = ()
    steps: tuple[ScheduleStep, ...] = ()
    if plan is not None and isinstance(facts, Facts) and plan.allocation is not None:
        clauses, duties, steps = draft_plan(facts, plan.allocation)
    elif plan is not None and isinstance(facts, PublicGood):
        clauses, duties, steps = _work(facts, plan.profile)
    elif plan is not None and isinstance(facts, Commons) and plan.allocation is not None:
        clauses, duties, steps = _restraint(facts, plan.allocation)
    if shares is None:
        return Contract("negotiated", numbered(clauses), facts.players, (), duties, steps, scope)
    pooled = pool(facts.players, shares)
    parts = ", ".join(f"{100 * share:g} % to {player}" for player, share in shares.items())
    clauses = [
        *clauses,
        f"When the scenario ends, each pays the others their part of all {facts.currency} it earned: {parts}",
    ]
    return replace(pooled, text=numbered(clauses), obligations=duties, schedule=steps, scope=scope)


def pool(players: tuple[str, ...], shares: Mapping[str, float]) -> Contract:
    """Return a contract that gives every player its share of all earnings."""
    transfers = tuple(
        Transfer(
            f"{payer}-pays-{payee}".lower(),
            payer,
            payee,
            Expression(f"{shares[payee]:g} * {payer}.reward"),
            text=f"{payer} pays {payee} {100 * shares[payee]:g} % of what {payer} earned",
        )
        for payer, payee in itertools.permutations(players, 2)
    )
    return Contract(
        "negotiated", "1. Everything is pooled in emeralds.", players, transfers, scope=ContractScope.TRANSFERS
    )


def _shares(known: Prospect, seed: int) -> dict[str, float]:
    """Return each player's share of the pool: its payoff without a contract plus its part of the gain."""
    view, count = known.view, len(known.players)
    mine = min(1.0, temper(seed, view.me, view.greedy).demand(view.own_round, count))
    gains = {player: mine if player == view.me else (1 - mine) / (count - 1) for player in known.players}
    wanted = {
        player: (alone + known.gain * gains[player]) / known.welfare
        for player, alone in zip(known.players, known.alone, strict=True)
    }
    rounded = {player: round(share, 2) for player, share in wanted.items()}
    # Shares are whole hundredths that sum to one; the proposer's share absorbs the rounding.
    rounded[view.me] = round(1 - sum(share for player, share in rounded.items() if player != view.me), 2)
    return rounded


def _acceptable(known: Prospect, offered: float, seed: int) -> bool:
    view, count = known.view, len(known.players)
    alone = known.alone[known.players.index(view.me)]
    if offered <= alone + TASTE:
        return False
    if view.scope is ContractScope.COORDINATION or view.rounds - view.round < count - 1:
        # There is nothing to divide, or no time left for all others to accept another proposal.
        return True
    character = temper(seed, view.me, view.greedy)
    following = known.gain * min(1.0, character.demand(view.own_round + 1, count))
    return offered - alone >= character.discount * following


def _split(facts: Facts, step: int) -> Iterator[Allocation]:
    """Yield allocations in portions of `step` blocks for which one tool is enough for each player's share."""
    ways = [list(_portions(ore.count, len(facts.players), step)) for ore in facts.ores]
    for counts in itertools.product(*ways):
        allocation = {
            player: {ore.block: counts[number][index] for number, ore in enumerate(facts.ores)}
            for index, player in enumerate(facts.players)
        }
        try:
            draft_plan(facts, allocation)
        except PlayerError:
            continue
        yield allocation


def _portions(count: int, players: int, step: int) -> Iterator[tuple[int, ...]]:
    if players == 1:
        yield (count,)
        return
    for first in range(0, count + 1, step):
        for rest in _portions(count - first, players - 1, step):
            yield (first, *rest)


def _work(facts: PublicGood, profile: Profile) -> tuple[list[str], tuple[Obligation, ...], tuple[ScheduleStep, ...]]:
    """Return clauses, obligations and schedule by which players harvest, clean, or alternate."""
    crop, waste = facts.crop.replace("_", " "), facts.waste.replace("_", " ")
    clauses: list[str] = []
    duties: list[Obligation] = []
    steps: list[ScheduleStep] = []
    begins = itertools.cycle([[facts.waste, facts.crop], [facts.crop, facts.waste]])
    for player, part in zip(facts.players, profile, strict=True):
        blocks = {HARVEST: [facts.crop], CLEAN: [facts.waste]}.get(part) or next(begins)
        steps += [ScheduleStep(player, ScheduledAct.MINE, block=block, count=WHOLE_TIME) for block in blocks]
        if part == HARVEST:
            clauses.append(f"{player} harvests the {crop}s")
            duties.append(_duty(player, "harvests", f"{player}.mined.{facts.crop} > 0"))
        if part == CLEAN:
            clauses.append(f"{player} clears the {waste}s away all the time")
            duties.append(_duty(player, "leaves-the-harvest", f"{player}.mined.{facts.crop} == 0"))
        if part == ALTERNATE:
            first = "river" if blocks[0] == facts.waste else "harvest"
            clauses.append(f"{player} clears {waste}s away and harvests {crop}s in turns, and begins at the {first}")
        if part != HARVEST:
            duties.append(_duty(player, "cleans", f"{player}.mined.{facts.waste} > {facts.threshold}"))
    return clauses, tuple(duties), tuple(steps)


def _restraint(
    facts: Commons, quotas: Allocation
) -> tuple[list[str], tuple[Obligation, ...], tuple[ScheduleStep, ...]]:
    """Return clauses, obligations and schedule of a sustainable harvest: each player's quota."""
    clauses = ["Of each tree at least half is left, so that it grows again"]
    duties: list[Obligation] = []
    steps: list[ScheduleStep] = []
    for player in facts.players:
        most = quotas[player][facts.crop]
        clauses.append(f"{player} takes {most} {facts.item}s at most")
        duties.append(_duty(player, f"takes-{most}-at-most", f"{player}.mined.{facts.crop} <= {most}"))
        steps.append(ScheduleStep(player, ScheduledAct.MINE, block=facts.crop, count=most))
    return clauses, tuple(duties), tuple(steps)


def _duty(player: str, verb: str, condition: str) -> Obligation:
    return Obligation(f"{player}-{verb}".lower(), player, Expression(condition), f"{player} {verb.replace('-', ' ')}")
