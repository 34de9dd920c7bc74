"""Commanders of Conquest that follow a fixed strategy and need no model.

    truthful      makes pacts with about half of the others and keeps them; attacks everybody else for its objective
    tit-for-tat   as truthful, and turns on an ally that has attacked it
    betrayer      makes pacts with all, and attacks an ally as soon as that captures a territory of its objective, or
                  one without a garrison
    greedy        makes no pacts, and attacks whoever it can beat
    peaceful      makes pacts with all, attacks nobody, and spreads its troops evenly
    saboteur      makes pacts with all, and attacks whoever it can beat
    idle          makes no pacts and holds; recruits go to its first territory
    random        makes no pacts, and draws each order uniformly: to hold, or one of the legal moves and attacks

Orders depend on what a commander has seen, its pacts and its seed alone.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field

from contracts import NegotiationMessage, NegotiatorView, Ratification, Sheet
from contracts.bargaining.messages import TalkMessage
from contracts.bargaining.talk import TalkView
from contracts.enforcement import Bill, Payment, selfish_payment, stake_of
from voyager_agents.agent import Observation, Observer
from voyager_agents.conquest.pacts import answer_in_talk, partners, speak_at_table
from voyager_agents.conquest.turns import ConquestOrder, ConquestTurn, SeenTerritory
from voyager_agents.errors import PlayerError, did_you_mean

KEPT = 1
"""Troops that an attacker leaves behind."""


@dataclass
class CommanderMemory:
    """Memory of a commander in one game."""

    bound_to: frozenset[str] = frozenset()
    """Players that it has promised not to attack."""
    attackers: set[str] = field(default_factory=set)
    """Players that have attacked it."""


Strategy = Callable[[ConquestTurn, CommanderMemory, random.Random], ConquestOrder]


def truthful(turn: ConquestTurn, memory: CommanderMemory, draw: random.Random) -> ConquestOrder:
    """Return an attack for the objective on players without a pact."""
    return campaign(turn, memory.bound_to, draw)


def tit_for_tat(turn: ConquestTurn, memory: CommanderMemory, draw: random.Random) -> ConquestOrder:
    """Return an attack on players without a pact, and on those that have attacked this one."""
    return campaign(turn, memory.bound_to - memory.attackers, draw)


def betrayer(turn: ConquestTurn, memory: CommanderMemory, draw: random.Random) -> ConquestOrder:
    """Return an attack on an ally if it pays at once, else on players without a pact."""
    wanted = [
        each for each in attacks(turn, turn.players) if each.target.region in turn.objective or each.target.troops == 0
    ]
    return wanted[0].order(turn) if wanted else campaign(turn, memory.bound_to, draw)


def greedy(turn: ConquestTurn, memory: CommanderMemory, draw: random.Random) -> ConquestOrder:
    """Return an attack on anybody."""
    return campaign(turn, (), draw)


def peaceful(turn: ConquestTurn, memory: CommanderMemory, draw: random.Random) -> ConquestOrder:
    """Return no attack; the recruits go where the fewest troops are."""
    own = turn.own()
    return ConquestOrder(place=min(own, key=lambda name: troops_of(own[name]), default=""), why="it attacks nobody")


def idle(turn: ConquestTurn, memory: CommanderMemory, draw: random.Random) -> ConquestOrder:
    """Return an order to hold."""
    return ConquestOrder(why="it does nothing")


def anything(turn: ConquestTurn, memory: CommanderMemory, draw: random.Random) -> ConquestOrder:
    """Return a uniformly drawn order; its troops and the place of its recruits are drawn too."""
    own = turn.own()
    ways = [(origin, target) for origin in own.values() if troops_of(origin) > KEPT for target in origin.borders]
    place = draw.choice(sorted(own))
    drawn = draw.randrange(len(ways) + 1)
    if drawn == len(ways):
        return ConquestOrder(place=place, why="at random")
    origin, target = ways[drawn]
    troops = draw.randint(1, troops_of(origin) - KEPT)
    return ConquestOrder("move" if target in own else "attack", origin.name, target, troops, place, "at random")


STRATEGIES: Mapping[str, Strategy] = {
    "truthful": truthful,
    "tit-for-tat": tit_for_tat,
    "betrayer": betrayer,
    "greedy": greedy,
    "peaceful": peaceful,
    "saboteur": greedy,
    "idle": idle,
    "random": anything,
}
"""Kind -> strategy; the first is the default."""
ALLIES: Mapping[str, Callable[[int], int]] = {
    "truthful": lambda others: -(-others // 2),
    "tit-for-tat": lambda others: -(-others // 2),
    "betrayer": lambda others: others,
    "greedy": lambda others: 0,
    "peaceful": lambda others: others,
    "saboteur": lambda others: others,
    "idle": lambda others: 0,
    "random": lambda others: 0,
}
"""Kind -> function from the number of other players to the number of pacts that it wants."""


@dataclass(frozen=True)
class PossibleAttack:
    """An attack that would capture its target."""

    origin: SeenTerritory
    target: SeenTerritory
    troops: int

    def order(self, turn: ConquestTurn) -> ConquestOrder:
        """Return the order of the attack; the recruits go to its origin."""
        why = f"{self.target.name} has {self.target.troops} troops"
        return ConquestOrder("attack", self.origin.name, self.target.name, self.troops, self.origin.name, why)


def troops_of(territory: SeenTerritory) -> int:
    """Return the troops in a visible garrison."""
    return territory.troops or 0


def attacks(turn: ConquestTurn, foes: Collection[str]) -> list[PossibleAttack]:
    """Return the attacks that capture a territory of one of `foes`: the objective first, then the widest margin."""
    seen = turn.named()
    found = [
        PossibleAttack(origin, seen[name], troops_of(origin) - KEPT)
        for origin in turn.own().values()
        for name in origin.borders
        if seen[name].owner in foes
        and seen[name].owner != turn.player
        and troops_of(origin) - KEPT > troops_of(seen[name])
    ]
    return sorted(
        found, key=lambda each: (each.target.region not in turn.objective, troops_of(each.target) - each.troops)
    )


def campaign(turn: ConquestTurn, spared: Collection[str], draw: random.Random) -> ConquestOrder:
    """Return an attack on a player that is not spared, or preparations for one.

    Recruits go to the border from which the next target is nearest; troops without a foe beside them move there.
    """
    foes = [name for name in turn.players if name not in spared and name != turn.player]
    if possible := attacks(turn, foes):
        return possible[0].order(turn)
    front = _front(turn, foes, draw)
    if front is None:
        return peaceful(turn, CommanderMemory(), draw)
    own = turn.own()
    idle = [
        each
        for each in own.values()
        if each.name != front and front in each.borders and troops_of(each) > KEPT and not _beside(turn, each, foes)
    ]
    if idle:
        most = max(idle, key=troops_of)
        return ConquestOrder("move", most.name, front, troops_of(most) - KEPT, front, "it gathers at the front")
    return ConquestOrder(place=front, why="it prepares an attack")


def _front(turn: ConquestTurn, foes: Collection[str], draw: random.Random) -> str | None:
    """Return the own territory from which the weakest foe can be attacked; those of the objective count first."""
    seen = turn.named()
    targets = [(name, each.name) for each in turn.own().values() for name in each.borders if seen[name].owner in foes]
    if not targets:
        return None
    draw.shuffle(targets)
    own = turn.own()

    def cost(pair: tuple[str, str]) -> tuple[bool, int]:
        target, origin = seen[pair[0]], own[pair[1]]
        return (target.region not in turn.objective, troops_of(target) - troops_of(origin))

    return min(targets, key=cost)[1]


def _beside(turn: ConquestTurn, territory: SeenTerritory, foes: Collection[str]) -> bool:
    seen = turn.named()
    return any(seen[name].owner in foes for name in territory.borders)


class Commander(Observer):
    """Player of Conquest (`voyager_agents.turn_agent.TurnTaker`) with a fixed strategy, which makes pacts."""

    def __init__(self, name: str, kind: str, *, seed: int = 0) -> None:
        """Raise PlayerError for an unknown kind."""
        if kind not in STRATEGIES:
            hint = did_you_mean(kind, STRATEGIES)
            raise PlayerError(f"unknown commander {kind!r}{hint}: choose one of {', '.join(STRATEGIES)}")
        super().__init__(name)
        self.kind = kind
        self._seed = seed
        self._memory = CommanderMemory()
        self._draw = random.Random(f"commander:{seed}:{name}")

    def observe(self, observation: Observation) -> None:
        """Store an observation with the pacts in force; that of a new game clears the memory."""
        super().observe(observation)
        if not observation.played:
            self._memory = CommanderMemory()
            self._draw = random.Random(f"commander:{self._seed}:{self.name}")
        self._memory.bound_to = partners(observation.contract, self.name)

    async def take_turn(self, turn: ConquestTurn) -> ConquestOrder:
        """Return the strategy's order."""
        self._memory.attackers |= {
            name for battle in turn.battles if battle.defender == self.name for name in battle.attackers
        }
        if not turn.own():
            return ConquestOrder()
        return STRATEGIES[self.kind](turn, self._memory, self._draw)

    async def talk(self, view: TalkView) -> TalkMessage:
        """Return an answer to an offer, an offer of a pact, the end of a pact that was broken, or nothing."""
        others = [name for name in view.players if name != self.name]
        random.Random(f"allies:{self._seed}:{self.name}").shuffle(others)
        faithless = self._memory.attackers if self.kind in ("tit-for-tat", "truthful") else frozenset[str]()
        return answer_in_talk(view, others, ALLIES[self.kind](len(others)), faithless)

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Return the player's turn at a table of all: a pact of all with all, unless it wants no pacts."""
        return speak_at_table(view, agrees=ALLIES[self.kind](2) > 0)

    async def ratify(self, sheet: Sheet) -> Ratification:
        """Ratify all terms: without payments they cost nothing."""
        return Ratification(self.name, ratified=True)

    async def pay(self, bill: Bill) -> Payment:
        """Return the payment of all that is due, or what a payer counting emeralds alone pays."""
        if self.kind in ("betrayer", "greedy", "saboteur", "idle", "random"):
            return selfish_payment(bill, stake_of(bill.contract, self.name))
        return Payment(self.name, tuple(each.term for each in bill.dues), "it keeps its word")
