"""Players of a commons that decide in rounds, without a model: pure functions of what they are shown.

reference                sustainable under a contract, within its quota; greedy without one
best-response            sustainable where that pays it most under the contract's payments, else greedy
sustainable-harvester    leaves half of each tree's apples, those in its middle
greedy-harvester         takes whatever is nearest
conditional-harvester    as the sustainable one, until it sees a tree that too much was taken from
warden                   as the sustainable one, and immobilizes whom it sees take too much
aggressive-bot           takes whatever is nearest, and attacks where there is nothing to take or somebody is close

At the table all of them bargain as the reference players that write programs do.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import dist, floor
from typing import Any

from contracts import NegotiationMessage, NegotiatorView, Ratification, Sheet
from voyager_agents.agent import Observation
from voyager_agents.commons_harvest import HarvestDecision, HarvestTurn, Place, Seen
from voyager_agents.errors import PlayerError, did_you_mean
from voyager_agents.reference.best_response import leaves_enough
from voyager_agents.reference.foragers import LEAVES, TRUST
from voyager_agents.reference.planning import quota
from voyager_agents.reference.reference import BEST_RESPONSE, ReferenceAgent
from voyager_agents.reference.requirements import commons

STAY = HarvestDecision("stay")
CLOSE = 3
"""Cells within which a bot attacks although there are apples to take."""
CALM = 3
"""Rounds that a player leaves between two attacks."""
COLUMNS, ROWS = (1 / 6, 1 / 2, 5 / 6), (1 / 4, 3 / 4)
"""Places to look for apples, as shares of the field."""


@dataclass(frozen=True)
class TurnTakerMemory:
    """Memory of a turn-taker."""

    seed: int
    leg: int = 0
    """Number of places of its tour it has been at."""
    trusting: bool = True
    attacked: int = -CALM
    """The last round in which it attacked."""
    greedy: frozenset[str] = field(default_factory=frozenset)
    """Whom it has seen take too much."""
    abides: bool = False
    """True if it means to leave enough on the trees, by the contract or because that pays it most."""
    most: int | None = None
    """The apples that the contract lets it take; None for any number."""


TurnPlayer = Callable[[HarvestTurn, TurnTakerMemory], tuple[HarvestDecision, TurnTakerMemory]]
"""A pure player in rounds."""


def sustainable(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Take an apple only where more than half of a tree's are left, and leaves it to whom it sees nearer to it; else
    it goes on its tour."""
    return _take(turn, memory, _own(turn, _spare(turn)))


def greedy(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Take the nearest apple; without one in sight it goes on its tour."""
    return _take(turn, memory, _apples(turn))


def bound(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Sustainable within its quota where it means to abide, greedy where not."""
    if not memory.abides:
        return greedy(turn, memory)
    if memory.most is not None and turn.apples >= memory.most:
        return replace(STAY, why="no more apples by the contract"), memory
    return sustainable(turn, memory)


def conditional(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Sustainable until it sees a tree that sustainable players would have left more of; greedy from then on."""
    for name, cells in _trees(turn).items():
        whole = _whole(turn, name)
        if whole and sum(each.what == "apple" for each in cells) < TRUST * len(cells):
            memory = replace(memory, trusting=False)
    return (sustainable if memory.trusting else greedy)(turn, memory)


def warden(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Sustainable, and immobilizes whom it has seen take from a tree of which less than half was left."""
    sizes = {name: len(cells) for name, cells in _trees(turn).items()}
    seen = {
        deed.player
        for deed in turn.deeds
        if deed.kind == "take" and deed.player != turn.player and deed.left + 1 <= LEAVES * sizes.get(deed.tree, 0)
    }
    memory = replace(memory, greedy=memory.greedy | seen)
    target = next((each for each in turn.seen if each.what == "player" and each.name in memory.greedy), None)
    if target is not None and turn.round - memory.attacked >= CALM:
        return _attack(turn, memory, target)
    return sustainable(turn, memory)


def aggressive(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Attack where there is nothing to take or somebody is close; else take the nearest apple."""
    target = next((each for each in turn.seen if each.what == "player"), None)
    if target is not None and turn.round - memory.attacked >= CALM:
        near = dist(target.at, turn.at) <= CLOSE
        if near or not _apples(turn):
            return _attack(turn, memory, target)
    return greedy(turn, memory)


def _attack(turn: HarvestTurn, memory: TurnTakerMemory, target: Seen) -> tuple[HarvestDecision, TurnTakerMemory]:
    decision = HarvestDecision("immobilize", to=target.at, target=target.name, why=f"{target.name} is in the way")
    return decision, replace(memory, attacked=turn.round)


def _take(turn: HarvestTurn, memory: TurnTakerMemory, apples: list[Place]) -> tuple[HarvestDecision, TurnTakerMemory]:
    if turn.out:
        return STAY, memory
    if apples:
        return HarvestDecision("go", to=apples[0], why="an apple to take"), memory
    return _tour(turn, memory)


def _tour(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """On to the next place of the tour; where it begins is the seed's and the player's."""
    stops = [(round(x * turn.size[0]), round(z * turn.size[1])) for z in ROWS for x in COLUMNS]
    # Along the rows there and back, so that one stop is beside the next.
    stops = stops[: len(COLUMNS)] + stops[len(COLUMNS) :][::-1]
    first = random.Random(f"tour:{memory.seed}:{turn.player}").randrange(len(stops))
    stop = stops[(first + memory.leg) % len(stops)]
    if dist(stop, turn.at) <= CLOSE:
        memory = replace(memory, leg=memory.leg + 1)
        stop = stops[(first + memory.leg) % len(stops)]
    return HarvestDecision("explore", to=stop, why="nothing to take here"), memory


def _apples(turn: HarvestTurn) -> list[Place]:
    """Return the apples in sight, nearest first."""
    return [each.at for each in turn.seen if each.what == "apple"]


def _own(turn: HarvestTurn, apples: list[Place]) -> list[Place]:
    """Return this player's apple among these, if any: the nearest pair of a player in sight and an apple belongs
    together, then the nearest of the others; among equals, the first player changes with each round."""
    names = sorted(turn.players)
    first = {name: (place - turn.round) % len(names) for place, name in enumerate(names)}
    places = {turn.player: turn.at, **{each.name: each.at for each in turn.seen if each.what == "player"}}
    pairs = [(dist(at, apple), first[name], apple, name) for name, at in places.items() for apple in apples]
    owners: dict[Place, str] = {}
    for *_, apple, name in sorted(pairs):
        if apple not in owners and name not in owners.values():
            owners[apple] = name
    return [apple for apple, name in owners.items() if name == turn.player]


def _spare(turn: HarvestTurn) -> list[Place]:
    """Return the apples of each tree beyond those that are to be left, farthest from its middle first."""
    middles = {each.name: each.at for each in turn.seen if each.what == "tree"}
    found = []
    for name, cells in _trees(turn).items():
        apples = [each.at for each in cells if each.what == "apple"]
        if name in middles and _whole(turn, name):
            outer = sorted((-dist(at, middles[name]), at) for at in apples)
            found += [at for _, at in outer[: max(0, len(apples) - floor(LEAVES * len(cells)))]]
    return found


def _trees(turn: HarvestTurn) -> dict[str, list[Seen]]:
    """Tree -> its cells in sight, nearest trees first."""
    trees: dict[str, list[Seen]] = {}
    for each in turn.seen:
        if each.what in ("apple", "bare"):
            trees.setdefault(each.name, []).append(each)
    return trees


def _whole(turn: HarvestTurn, tree: str) -> bool:
    """Return whether what is in sight of the tree is likely all of it: it lies around its middle on all sides."""
    middle = next((each.at for each in turn.seen if each.what == "tree" and each.name == tree), None)
    cells = {each.at for each in turn.seen if each.what in ("apple", "bare") and each.name == tree}
    return middle is not None and {(2 * middle[0] - x, 2 * middle[1] - z) for x, z in cells} == cells


TURN_TAKERS: dict[str, TurnPlayer] = {
    "reference": bound,
    BEST_RESPONSE: bound,
    "greedy-harvester": greedy,
    "sustainable-harvester": sustainable,
    "conditional-harvester": conditional,
    "warden": warden,
    "aggressive-bot": aggressive,
}
"""Reference players in rounds by name; the first is usual."""


class ReferenceTurnTaker:
    """A turn-taker without a model; everything it does follows from what it sees and its seed."""

    def __init__(self, name: str, kind: str, *, seed: int = 0) -> None:
        """Raise PlayerError for an unknown kind."""
        if kind not in TURN_TAKERS:
            hint = did_you_mean(kind, TURN_TAKERS)
            raise PlayerError(f"unknown player {kind!r}{hint}: choose one of {', '.join(TURN_TAKERS)}")
        self.name = name
        self.kind = kind
        self._seed = seed
        self._memory = TurnTakerMemory(seed)
        self._bargainer = ReferenceAgent(name, BEST_RESPONSE if kind == BEST_RESPONSE else "reference", seed=seed)

    def observe(self, observation: Observation) -> None:
        """Take in the observation before a negotiation or a game: the contract that binds the players from then on."""
        self._bargainer.observe(observation)
        self._memory = replace(TurnTakerMemory(self._seed), **self._meant(observation))

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Return its turn at the negotiating table."""
        return await self._bargainer.speak(view)

    async def ratify(self, sheet: Sheet) -> Ratification:
        """Return whether these terms are worth more to it than none."""
        return await self._bargainer.ratify(sheet)

    async def take(self, turn: HarvestTurn) -> HarvestDecision:
        """Return its decision for this turn."""
        decision, self._memory = TURN_TAKERS[self.kind](turn, self._memory)
        return decision

    def _meant(self, observation: Observation) -> dict[str, Any]:
        contract = observation.contract
        if contract is None and self.kind != BEST_RESPONSE:
            return {}
        facts = commons(self.kind, observation)
        bare = contract is not None and not (contract.schedule or contract.obligations)
        reckons = self.kind == BEST_RESPONSE or bare
        return {
            "abides": leaves_enough(observation, self._seed) if reckons else True,
            "most": None if contract is None else quota(contract, facts, self.name),
        }
