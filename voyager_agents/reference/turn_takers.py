"""Players of a commons that decide in rounds, without a model: pure functions of their observations.

reference                sustainable within its quota under a contract; greedy without one
best-response            sustainable if that pays it most under the contract's payments, otherwise greedy
sustainable-harvester    leaves half of each tree's apples, those in its middle
greedy-harvester         takes the nearest apple
conditional-harvester    like the sustainable one, until it sees an overharvested tree
warden                   like the sustainable one, and immobilizes players that it sees overharvest
saboteur                 as the aggressive bot
idle                     stays where it is
random                   stays, or goes to a cell drawn uniformly from the field
deterred-harvester       takes the nearest apple; keeps the law once breaches have cost it more than they brought
aggressive-bot           takes the nearest apple, and attacks if there is none or a player is close

They negotiate like the reference players of the same kind that write programs.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import dist, floor
from typing import Any

from common.answers.reading import Strict
from contracts import NegotiationMessage, NegotiatorView, Ratification, Sheet
from contracts.enforcement import Bill, Payment
from contracts.institutions import Norm
from contracts.institutions.frame import CivicQuestion
from voyager_agents.agent import Observation
from voyager_agents.commons_harvest import HarvestAct, HarvestDecision, HarvestTurn, Place, Seen
from voyager_agents.errors import PlayerError, did_you_mean
from voyager_agents.generative.terms import read_term
from voyager_agents.reference.best_response import leaves_enough
from voyager_agents.reference.bystanders import BYSTANDERS, IDLE, RANDOM
from voyager_agents.reference.citizens import CitizenMemory, answer
from voyager_agents.reference.foragers import LEAVES, TRUST
from voyager_agents.reference.planning import quota
from voyager_agents.reference.reference import BEST_RESPONSE, SELF_INTERESTED, ReferenceAgent
from voyager_agents.reference.requirements import commons

STAY = HarvestDecision("stay")
CLOSE = 3
"""Distance in cells within which an aggressive bot attacks even if there are apples to take."""
BREACH_WORTH = 1.0
"""Worth of the apple that a breach of the law brings."""
HONEST = ("sustainable-harvester", "warden")
"""Kinds that serve in offices by the law."""
CALM = 3
"""Minimum rounds between two attacks of a player."""
COLUMNS, ROWS = (1 / 6, 1 / 2, 5 / 6), (1 / 4, 3 / 4)
"""Stops of the tour for finding apples, as fractions of the field."""


@dataclass(frozen=True)
class TurnTakerMemory:
    """State of a turn-taker."""

    seed: int
    leg: int = 0
    """Number of stops of its tour that it has visited."""
    trusting: bool = True
    attacked: int = -CALM
    """Last round in which it attacked."""
    greedy: frozenset[str] = field(default_factory=frozenset)
    """Players that it has seen overharvest."""
    abides: bool = False
    """True if it intends to leave enough on the trees, because of the contract or its payments."""
    most: int | None = None
    """Maximum apples under the contract; None for no limit."""
    norms: tuple[Norm, ...] = ()
    """Clauses of the law in force."""
    price: float = 0.0
    """Mean cost of its last breaches of the law, in apples."""


TurnPlayer = Callable[[HarvestTurn, TurnTakerMemory], tuple[HarvestDecision, TurnTakerMemory]]
"""A player in rounds as a pure function."""


def sustainable(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Take an apple only from a tree with more than half its apples, unless a visible player is nearer to it; otherwise
    continue the tour."""
    return _take_apple(turn, memory, _own(turn, _spare(turn)))


def greedy(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Take the nearest apple; without one in sight, continue the tour."""
    return _take_apple(turn, memory, _apples(turn))


def bound(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Harvest sustainably within the quota if it intends to abide, otherwise greedily."""
    if not memory.abides:
        return greedy(turn, memory)
    if memory.most is not None and turn.apples >= memory.most:
        return replace(STAY, why="no more apples by the contract"), memory
    return sustainable(turn, memory)


def conditional(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Harvest sustainably until it sees an overharvested tree, and greedily from then on."""
    for name, cells in _trees(turn).items():
        whole = _whole(turn, name)
        if whole and sum(each.what == "apple" for each in cells) < TRUST * len(cells):
            memory = replace(memory, trusting=False)
    return (sustainable if memory.trusting else greedy)(turn, memory)


def deterred(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Take the nearest apple; once a breach costs more than the apple that it brings, the nearest legal one."""
    if memory.price < BREACH_WORTH:
        return greedy(turn, memory)
    left = {name: sum(each.what == "apple" for each in cells) for name, cells in _trees(turn).items()}
    legal = [
        each.at
        for each in turn.seen
        if each.what == "apple" and not _breaks(memory.norms, turn, each, left[each.name] - 1)
    ]
    return _take_apple(turn, memory, legal)


def _breaks(norms: Sequence[Norm], turn: HarvestTurn, apple: Seen, left: int) -> bool:
    """Return True if taking an apple would break a norm; apples out of sight are taken for gone."""
    act = HarvestAct("take", turn.player, apple.at, apple.name, left)
    return any(each.binds(turn.player) and each.breaks(act, int(turn.apples) + 1) for each in norms)


def warden(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Harvest sustainably, and immobilize players seen taking from a tree with at most half its apples."""
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
    """Attack if there is nothing to take or a player is close; otherwise take the nearest apple."""
    target = next((each for each in turn.seen if each.what == "player"), None)
    if target is not None and turn.round - memory.attacked >= CALM:
        near = dist(target.at, turn.at) <= CLOSE
        if near or not _apples(turn):
            return _attack(turn, memory, target)
    return greedy(turn, memory)


def _attack(turn: HarvestTurn, memory: TurnTakerMemory, target: Seen) -> tuple[HarvestDecision, TurnTakerMemory]:
    decision = HarvestDecision("immobilize", to=target.at, target=target.name, why=f"{target.name} is in the way")
    return decision, replace(memory, attacked=turn.round)


def _take_apple(
    turn: HarvestTurn, memory: TurnTakerMemory, apples: list[Place]
) -> tuple[HarvestDecision, TurnTakerMemory]:
    if turn.out:
        return STAY, memory
    if apples:
        return HarvestDecision("go", to=apples[0], why="an apple to take"), memory
    return _tour(turn, memory)


def _tour(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Go to the next stop of the tour."""
    stop, memory = next_stop(turn, memory)
    return HarvestDecision("explore", to=stop, why="nothing to take here"), memory


def next_stop(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[Place, TurnTakerMemory]:
    """Return the next stop of the tour, and the memory of it; the first stop depends on the seed and the player.

    Args:
        turn: The player's turn.
        memory: The player's memory.
    """
    stops = [(round(x * turn.size[0]), round(z * turn.size[1])) for z in ROWS for x in COLUMNS]
    # Along the rows in alternating directions, so that consecutive stops are adjacent.
    stops = stops[: len(COLUMNS)] + stops[len(COLUMNS) :][::-1]
    first = random.Random(f"tour:{memory.seed}:{turn.player}").randrange(len(stops))
    stop = stops[(first + memory.leg) % len(stops)]
    if dist(stop, turn.at) <= CLOSE:
        memory = replace(memory, leg=memory.leg + 1)
        stop = stops[(first + memory.leg) % len(stops)]
    return stop, memory


def _apples(turn: HarvestTurn) -> list[Place]:
    """Return the apples in sight, nearest first."""
    return [each.at for each in turn.seen if each.what == "apple"]


def _own(turn: HarvestTurn, apples: list[Place]) -> list[Place]:
    """Return the apple assigned to this player, if any; the nearest pairs of players and apples are matched first.

    Ties are broken by an order of players that rotates with the rounds.
    """
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
    """Return the apples of each tree beyond those to be left, farthest from the tree's middle first."""
    middles = {each.name: each.at for each in turn.seen if each.what == "tree"}
    found = []
    for name, cells in _trees(turn).items():
        apples = [each.at for each in cells if each.what == "apple"]
        if name in middles and _whole(turn, name):
            outer = sorted((-dist(at, middles[name]), at) for at in apples)
            found += [at for _, at in outer[: max(0, len(apples) - floor(LEAVES * len(cells)))]]
    return found


def _trees(turn: HarvestTurn) -> dict[str, list[Seen]]:
    """Return tree -> its visible cells, nearest trees first."""
    trees: dict[str, list[Seen]] = {}
    for each in turn.seen:
        if each.what in ("apple", "bare"):
            trees.setdefault(each.name, []).append(each)
    return trees


def _whole(turn: HarvestTurn, tree: str) -> bool:
    """Return True if probably the whole tree is visible: its cells are symmetric around its middle."""
    middle = next((each.at for each in turn.seen if each.what == "tree" and each.name == tree), None)
    cells = {each.at for each in turn.seen if each.what in ("apple", "bare") and each.name == tree}
    return middle is not None and {(2 * middle[0] - x, 2 * middle[1] - z) for x, z in cells} == cells


def idle(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Stay where it is."""
    return replace(STAY, why="it does nothing"), memory


def anywhere(turn: HarvestTurn, memory: TurnTakerMemory) -> tuple[HarvestDecision, TurnTakerMemory]:
    """Stay or go to a random cell of the field, with equal probabilities."""
    draw = random.Random(f"anywhere:{memory.seed}:{turn.player}:{turn.round}")
    if draw.random() < 1 / 2:
        return replace(STAY, why="at random"), memory
    cell = draw.randrange(turn.size[0]), draw.randrange(turn.size[1])
    return HarvestDecision("go", to=cell, why="at random"), memory


TURN_TAKERS: dict[str, TurnPlayer] = {
    "reference": bound,
    BEST_RESPONSE: bound,
    "greedy-harvester": greedy,
    "sustainable-harvester": sustainable,
    "conditional-harvester": conditional,
    "deterred-harvester": deterred,
    "warden": warden,
    "aggressive-bot": aggressive,
    "saboteur": aggressive,
    IDLE: idle,
    RANDOM: anywhere,
}
"""Name -> reference player in rounds; the first is the default."""


class ReferenceTurnTaker:
    """Turn-taker without a model; its decisions depend on its observations and its seed only."""

    def __init__(self, name: str, kind: str, *, seed: int = 0) -> None:
        """Raise PlayerError for an unknown kind."""
        if kind not in TURN_TAKERS:
            hint = did_you_mean(kind, TURN_TAKERS)
            raise PlayerError(f"unknown player {kind!r}{hint}: choose one of {', '.join(TURN_TAKERS)}")
        self.name = name
        self.kind = kind
        self._seed = seed
        self._memory = TurnTakerMemory(seed)
        self._civic = CitizenMemory(name, seed, kind in HONEST, read_term)
        self._bargainer = ReferenceAgent(name, kind if kind in SELF_INTERESTED | BYSTANDERS else "reference", seed=seed)

    def observe(self, observation: Observation) -> None:
        """Store an observation, including the contract in force from then on; a new game clears the memory."""
        self._bargainer.observe(observation)
        fresh = TurnTakerMemory(self._seed)
        memory = replace(self._memory, abides=fresh.abides, most=fresh.most) if observation.played else fresh
        self._memory = replace(memory, **self._meant(observation))

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Return the player's turn at the negotiating table."""
        return await self._bargainer.speak(view)

    async def ratify(self, sheet: Sheet) -> Ratification:
        """Return a ratification if the terms are worth more to the player than no contract, else a refusal."""
        return await self._bargainer.ratify(sheet)

    async def pay(self, bill: Bill) -> Payment:
        """Return the player's decision on a bill."""
        return await self._bargainer.pay(bill)

    async def take_turn(self, turn: HarvestTurn) -> HarvestDecision:
        """Return the decision for this turn."""
        memory = replace(self._memory, norms=tuple(self._civic.norms.values()), price=self._civic.price)
        decision, self._memory = TURN_TAKERS[self.kind](turn, memory)
        return decision

    async def answer_institution(self, question: CivicQuestion[Any]) -> Strict | None:
        """Return an answer by the rules of `voyager_agents.reference.citizens`."""
        return answer(question, self._civic)

    def hear_institutions(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Remember what institutions did, as far as this person may know."""
        self._civic.hear(entries)

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
