"""A dilemma as a normal-form game: expected payoffs of all profiles, in which each player takes one part.

A game is a belief: it follows from the scenario's facts and the rough assumptions below. Players that maximize their
payoff choose by it; the world decides the actual outcome.

Mining      The parts are `grab` (the best tool left and everything that it harvests; some take every tool), one kind of
            ore with the weakest suitable tool, or the player's share in a contract's plan. All orders of arrival at the
            chest are equally likely; players after the same ore share it by the speed of their tools.
Public good The parts are `harvest`, `clean` or `alternate` all the time. Growth is proportional to the time spent
            cleaning, up to one player's whole time; alternating loses part of the time on the way.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Protocol, runtime_checkable

from contracts import Contract, Observables, PlayerFacts, ScheduledAct
from contracts.enforcement import NO_STAKES, expected_payoffs
from contracts.forces import Force
from contracts.judges.formal import assess
from voyager_agents.errors import PlayerError
from voyager_agents.facts import Commons, Facts, Ore, PublicGood
from voyager_agents.reference.greedy import HOARDING, ranked_tools
from voyager_agents.reference.orchards import STRIP, SUSTAIN, yields
from voyager_agents.reference.planning import Allocation, fitting_tools, owed, quota

GRAB, PLAN = "grab", "plan"
HARVEST, CLEAN, ALTERNATE = "harvest", "clean", "alternate"
FULL = 100
"""Items that one player's whole time yields if the river is clean; also the blocks that it works on."""
STOCK = 6
"""Items present at the start, for all harvesters together."""
TURNS = 0.4
"""Share of its time that an alternating player spends at either place; the rest is lost on the way."""
PRECISION = 30.0
"""Precision of choices between better and worse parts, relative to the highest payoff; see `mixed`."""
STEPS = 400
"""Steps of the search for an equilibrium."""
MAX_PLAYERS = 5

Profile = tuple[str, ...]
"""One part per player, in the order of players."""
Outcomes = list[tuple[float, Observables]]
"""(probability, final state of the episode) pairs."""


@dataclass(frozen=True)
class ReferenceGame:
    """A normal-form game: players, parts and expected outcomes."""

    players: tuple[str, ...]
    parts: Mapping[str, tuple[str, ...]]
    """Player -> available parts."""
    expect: Callable[[Profile], Outcomes]
    """Function that returns the outcomes of a profile."""
    selfish: str
    """Part of a purely selfish player."""

    def profiles(self) -> Iterator[Profile]:
        """Yield all profiles."""
        return itertools.product(*(self.parts[player] for player in self.players))

    def payoffs(
        self, profile: Profile, contract: Contract | None, stakes: Mapping[str, float] = NO_STAKES
    ) -> tuple[float, ...]:
        """Return each player's expected payoff, including the contract's payments.

        Args:
            profile: Parts of the players.
            contract: The contract; None without one.
            stakes: Player -> emeralds that a breach costs it later, under the force `reputation`.
        """
        totals = [0.0] * len(self.players)
        for chance, ended in self.expect(profile):
            settled = {player: ended[f"{player}.reward"] for player in self.players}
            if contract is not None and contract.typed:
                settled = expected_payoffs(contract, assess(contract, ended), settled, stakes)
            for index, player in enumerate(self.players):
                totals[index] += chance * float(settled[player])
        return tuple(totals)


@dataclass(frozen=True)
class Outlook:
    """A game under a contract, or without one."""

    game: ReferenceGame
    contract: Contract | None
    stakes: Mapping[str, float] = field(default_factory=dict)
    """Player -> emeralds that a breach costs it later, under the force `reputation`."""

    @cached_property
    def table(self) -> dict[Profile, tuple[float, ...]]:
        """Profile -> expected payoff of each player."""
        return {profile: self.game.payoffs(profile, self.contract, self.stakes) for profile in self.game.profiles()}

    def stable(self, profile: Profile) -> bool:
        """Return True if no player gains by deviating alone (the profile is a Nash equilibrium)."""
        for index, player in enumerate(self.game.players):
            for part in self.game.parts[player]:
                other = (*profile[:index], part, *profile[index + 1 :])
                if self.table[other][index] > self.table[profile][index] + 1e-9:
                    return False
        return True

    @cached_property
    def mixed(self) -> list[dict[str, float]]:
        """Each player's probabilities of its parts without an agreement: a logit equilibrium.

        After McKelvey and Palfrey (1995): a part's probability is proportional to exp(PRECISION * payoff / highest
        payoff), given the others' probabilities. The fixed point is found by damped steps from equal probabilities.
        Therefore identical players are treated alike, and nothing selects one of several equilibria.
        """
        parts = tuple(tuple(self.game.parts[player]) for player in self.game.players)
        return [dict(each) for each in _equilibrium(parts, tuple(self.table.items()))]

    def expected(self, chances: Sequence[Mapping[str, float]]) -> tuple[float, ...]:
        """Return each player's expected payoff if all draw their parts with these probabilities."""
        totals = [0.0] * len(self.game.players)
        for profile, payoffs in self.table.items():
            chance = math.prod(chances[index][part] for index, part in enumerate(profile))
            totals = [total + chance * payoff for total, payoff in zip(totals, payoffs, strict=True)]
        return tuple(totals)

    def draw(self, player: str, seed: int, episode: int) -> str:
        """Return the part that the player draws without an agreement; equal for equal arguments."""
        chances = self.mixed[self.game.players.index(player)]
        chosen = random.Random(f"part:{seed}:{player}:{episode}").random()
        for part, chance in chances.items():
            chosen -= chance
            if chosen < 0:
                return part
        return max(chances, key=lambda part: chances[part])


# Each player computes it in each turn of a negotiation, mostly for a table that another one has had.
@lru_cache(maxsize=256)
def _equilibrium(
    parts: tuple[tuple[str, ...], ...], table: tuple[tuple[Profile, tuple[float, ...]], ...]
) -> list[dict[str, float]]:
    """Return each player's probabilities of its parts in the logit equilibrium of a table; see `Outlook.mixed`."""
    highest = max(max(abs(each) for each in payoffs) for _, payoffs in table) or 1.0
    found = [dict.fromkeys(each, 1 / len(each)) for each in parts]
    for step in range(STEPS):
        # Small steps at the end settle what large ones would let oscillate.
        weight = 1 / (3 + step / 10)
        answers = [_logit(_values(index, found, table), highest) for index in range(len(found))]
        for chances, answer in zip(found, answers, strict=True):
            for part in chances:
                chances[part] += weight * (answer[part] - chances[part])
    return found


def _values(
    index: int, chances: Sequence[Mapping[str, float]], table: Sequence[tuple[Profile, tuple[float, ...]]]
) -> dict[str, float]:
    """Return the value of each part to a player while the others draw theirs."""
    values = dict.fromkeys(chances[index], 0.0)
    for profile, payoffs in table:
        others = 1.0
        for other, part in enumerate(profile):
            if other != index:
                others *= chances[other][part]
        values[profile[index]] += others * payoffs[index]
    return values


def _logit(values: Mapping[str, float], highest: float) -> dict[str, float]:
    best = max(values.values())
    weights = {part: math.exp(PRECISION * (value - best) / highest) for part, value in values.items()}
    total = sum(weights.values())
    return {part: weight / total for part, weight in weights.items()}


@runtime_checkable
class TellsGame(Protocol):
    """A plugin's facts that define their own game."""

    def game(self) -> ReferenceGame:
        """Return the game by which reference players negotiate."""


def game_of(facts: object, plan: Allocation | None = None) -> ReferenceGame:
    """Return the game of the facts. Raises PlayerError if there is none.

    `plan` is the allocation in a contract.
    """
    if isinstance(facts, TellsGame):
        return facts.game()
    if isinstance(facts, PublicGood) and 2 <= len(facts.players) <= MAX_PLAYERS:
        parts = dict.fromkeys(facts.players, (HARVEST, CLEAN, ALTERNATE))
        return ReferenceGame(facts.players, parts, lambda profile: [(1.0, _grown(facts, profile))], HARVEST)
    if isinstance(facts, Facts) and 2 <= len(facts.players) <= MAX_PLAYERS:
        return _mining(facts, plan)
    if isinstance(facts, Commons) and 2 <= len(facts.players) <= MAX_PLAYERS:
        both = dict.fromkeys(facts.players, (SUSTAIN, STRIP))
        return ReferenceGame(facts.players, both, lambda profile: [(1.0, _reaped(facts, profile, plan or {}))], STRIP)
    raise PlayerError(f"no game is known of {type(facts).__name__} for these players: 2 to {MAX_PLAYERS} can play one")


def _grown(facts: PublicGood, profile: Profile) -> Observables:
    """Return the end of an episode with this profile."""
    cleans = [{CLEAN: 1.0, ALTERNATE: TURNS}.get(part, 0.0) for part in profile]
    harvests = [{HARVEST: 1.0, ALTERNATE: TURNS}.get(part, 0.0) for part in profile]
    growth = min(1.0, sum(cleans))
    players = {}
    for player, clean, harvest in zip(facts.players, cleans, harvests, strict=True):
        got = FULL * harvest * growth + (STOCK * harvest / sum(harvests) if harvest else 0.0)
        count = Fraction(got).limit_denominator(1000)
        worth = Fraction(repr(float(facts.values[player].get(facts.item, 0))))
        mined = {facts.waste: round(FULL * clean), facts.crop: round(FULL * harvest)}
        players[player] = PlayerFacts({facts.item: count}, mined, dict(facts.values[player]), worth * count)
    return Observables.collect(players, {}, items=[facts.item], blocks=[facts.crop, facts.waste])


def _reaped(facts: Commons, profile: Profile, quotas: Allocation) -> Observables:
    """Return the end of an episode with this profile; sustaining players keep to their quotas."""
    strips, sustains = yields(facts, profile.count(STRIP), profile.count(SUSTAIN))
    players = {}
    for player, part in zip(facts.players, profile, strict=True):
        most = quotas.get(player, {}).get(facts.crop)
        got = strips if part == STRIP else sustains if most is None else min(sustains, most)
        count = Fraction(got).limit_denominator(1000)
        worth = Fraction(repr(float(facts.values[player].get(facts.item, 0))))
        # Counts of blocks are whole numbers; only their value is averaged.
        players[player] = PlayerFacts(
            {facts.item: count}, {facts.crop: round(got)}, dict(facts.values[player]), worth * count
        )
    return Observables.collect(players, {}, items=[facts.item], blocks=[facts.crop])


@dataclass(frozen=True)
class Job:
    """A player's goal in a mining game."""

    tools: tuple[str, ...]
    """Tools in order of preference; the player takes the first one available."""
    share: Mapping[str, int]
    """Block -> maximum count."""
    hoards: bool = False
    """True if the player takes all tools."""


@dataclass
class _Chest:
    left: dict[str, int] = field(default_factory=dict)

    def take_tools(self, job: Job) -> tuple[list[str], list[str]]:
        """Return (tools held, tools used) of the next player."""
        best = next((tool for tool in job.tools if self.left[tool] > 0), None)
        taken = [tool for tool in self.left if self.left[tool] > 0] if job.hoards else [best] if best else []
        for tool in taken:
            self.left[tool] = 0 if job.hoards else self.left[tool] - 1
        return taken, [best] if best else []


def jobs_of(facts: Facts, player: str, part: str, plan: Allocation | None) -> list[tuple[float, Job]]:
    """Return (probability, job) for each job of a part.

    Args:
        facts: Facts of the scenario.
        player: The player.
        part: The player's part.
        plan: Allocation in the contract; None without one.
    """
    if part == GRAB:
        tools = tuple(tool.name for tool in ranked_tools(facts, player))
        everything = {ore.block: ore.count for ore in facts.ores if facts.worth(player, ore) > 0}
        return [(HOARDING, Job(tools, everything, hoards=True)), (1 - HOARDING, Job(tools, everything))]
    share = dict(plan[player]) if part == PLAN and plan is not None else {part: facts.ore(part).count}
    if not any(share.values()):
        return [(1.0, Job((), {}))]
    return [(1.0, Job(tuple(tool.name for tool in fitting_tools(facts, player, {player: share})), share))]


def _mining(facts: Facts, plan: Allocation | None) -> ReferenceGame:
    names = facts.players

    def parts(player: str) -> tuple[str, ...]:
        ores = [ore.block for ore in facts.ores if any(tool.name in ore.tools for tool in facts.tools)]
        return (GRAB, *ores, *((PLAN,) if plan is not None else ()))

    def expect(profile: Profile) -> Outcomes:
        if plan is not None and set(profile) == {PLAN}:
            # If all keep to the plan, including turns with a tool, each gets its share and nobody keeps a tool.
            return [(1.0, _ended(facts, {name: plan[name] for name in names}, {}))]
        choices = [jobs_of(facts, name, part, plan) for name, part in zip(names, profile, strict=True)]
        orders = list(itertools.permutations(range(len(names))))
        found: Outcomes = []
        for drawn in itertools.product(*choices):
            chance = math.prod(each for each, _ in drawn) / len(orders)
            found += [(chance, _rush(facts, [job for _, job in drawn], order)) for order in orders]
        return found

    return ReferenceGame(names, {name: parts(name) for name in names}, expect, GRAB)


def _rush(facts: Facts, jobs: Sequence[Job], order: Sequence[int]) -> Observables:
    """Return the end of an episode in which the players reach the chest in this order."""
    chest = _Chest({tool.name: tool.count for tool in facts.tools})
    held: dict[str, list[str]] = {}
    used: dict[str, list[str]] = {}
    for index in order:
        held[facts.players[index]], used[facts.players[index]] = chest.take_tools(jobs[index])
    mined: dict[str, dict[str, int]] = {name: {} for name in facts.players}
    for ore in facts.ores:
        wants = {
            name: (job.share[ore.block], max(facts.speed(tool) for tool in used[name]))
            for name, job in zip(facts.players, jobs, strict=True)
            if job.share.get(ore.block, 0) > 0 and any(tool in ore.tools for tool in used[name])
        }
        for name, count in _shared(ore, wants).items():
            mined[name][ore.block] = count
    return _ended(facts, mined, held)


def _shared(ore: Ore, wants: Mapping[str, tuple[int, float]]) -> dict[str, int]:
    """Return each player's count of an ore: they mine by tool speed until it is gone or all have enough."""
    got = dict.fromkeys(wants, 0)
    for _ in range(ore.count):
        behind = [name for name, (most, _) in wants.items() if got[name] < most]
        if not behind:
            break
        got[min(behind, key=lambda name: ((got[name] + 1) / wants[name][1], name))] += 1
    return got


def _ended(facts: Facts, mined: Allocation, held: Mapping[str, Sequence[str]]) -> Observables:
    players = {}
    for name in facts.players:
        items: dict[str, int] = {facts.ore(block).item: count for block, count in mined.get(name, {}).items()}
        reward = sum(
            (Fraction(repr(facts.worth(name, facts.ore(block)))) * count for block, count in mined[name].items()),
            Fraction(0),
        )
        tools = dict.fromkeys(held.get(name, ()), 1)
        players[name] = PlayerFacts(items | tools, dict(mined[name]), dict(facts.values[name]), reward)
    left = {tool.name: tool.count - sum(tool.name in each for each in held.values()) for tool in facts.tools}
    names = [*(ore.item for ore in facts.ores), *(tool.name for tool in facts.tools)]
    return Observables.collect(players, left, items=names, blocks=[ore.block for ore in facts.ores])


def planned(contract: Contract | None, facts: object) -> tuple[Profile | None, Allocation | None]:
    """Return the profile and allocation that a contract's typed terms demand; None for both without such terms."""
    if contract is None or not (contract.schedule or contract.obligations):
        return None, None
    if isinstance(facts, Facts):
        allocation = _scheduled(contract, facts) if contract.schedule else owed(contract, facts)
        return tuple(PLAN for _ in facts.players), allocation
    if isinstance(facts, PublicGood):
        jobs = {frozenset({facts.crop}): HARVEST, frozenset({facts.waste}): CLEAN}
        found = []
        for player in facts.players:
            blocks = frozenset(step.block for step in contract.steps(player) if step.do is ScheduledAct.MINE)
            if not blocks:
                return None, None
            found.append(jobs.get(blocks, ALTERNATE))
        return tuple(found), None
    if isinstance(facts, Commons):
        bounds = {player: quota(contract, facts, player) for player in facts.players}
        allowed = {player: {facts.crop: most} for player, most in bounds.items() if most is not None}
        return tuple(SUSTAIN for _ in facts.players), allowed
    return None, None


def reputation_stakes(contract: Contract | None, facts: object, remaining: int) -> Mapping[str, float]:
    """Return player -> emeralds that a breach costs it in later episodes; empty for any other force than reputation.

    A player with a breach is offered no further agreement. It therefore loses, in each episode that remains, what the
    agreement is worth to it if all keep it.
    """
    if contract is None or contract.force is not Force.REPUTATION or remaining < 1:
        return NO_STAKES
    profile, plan = planned(contract, facts)
    kept = Outlook(game_of(facts, plan), replace(contract, force=Force.BINDING))
    worth = kept.expected(kept.mixed) if profile is None else kept.game.payoffs(profile, kept.contract)
    alone = Outlook(game_of(facts), None)
    without = alone.expected(alone.mixed)
    gains = zip(alone.game.players, worth, without, strict=True)
    return {player: remaining * max(0.0, kept_worth - other) for player, kept_worth, other in gains}


def _scheduled(contract: Contract, facts: Facts) -> Allocation:
    shares: dict[str, dict[str, int]] = {player: {} for player in facts.players}
    for step in contract.schedule:
        if step.do is ScheduledAct.MINE:
            shares[step.party][step.block] = min(step.count, facts.ore(step.block).count)
    return shares
