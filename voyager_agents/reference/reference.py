"""Reference agents: a pure player `(observation, state) -> (action, state)` with the interface of an agent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from common.answers.reading import Strict
from common.plugins import PluginEntry, PluginTable
from contracts import ContractScope, NegotiationMessage, NegotiatorView, Ratification, Sheet
from contracts.enforcement import Bill, Payment, selfish_payment, stake_of
from contracts.forces import Force
from contracts.institutions.frame import CivicQuestion
from voyager_agents.agent import Action, Observation, Observer
from voyager_agents.errors import PlayerError, did_you_mean
from voyager_agents.facts import BuildFacts, Commons, Facts, KitchenFacts, PublicGood, ScenarioFacts, StageGame
from voyager_agents.public_good_norms import FAIR_SHARE, read_grounds_norm
from voyager_agents.reference.bargainer import bargain
from voyager_agents.reference.best_response import best_response, keeping
from voyager_agents.reference.booths import always_cooperate, always_defect, in_its_interest
from voyager_agents.reference.builders import builder, building_helper, plan_teller
from voyager_agents.reference.bystanders import BYSTANDERS, IDLE, RANDOM, idle, random_actor
from voyager_agents.reference.citizens import CitizenMemory, answer
from voyager_agents.reference.cooks import line_cook, solo_cook
from voyager_agents.reference.follower import follower, keeps_pickaxe, poacher, sharer
from voyager_agents.reference.foragers import (
    aggressive_bot,
    conditional_harvester,
    greedy_harvester,
    quota_harvester,
    sustainable_harvester,
)
from voyager_agents.reference.games import reputation_stakes
from voyager_agents.reference.greedy import PlayerState, greedy
from voyager_agents.reference.multiparty_bargainer import Prospect, bargain_pool
from voyager_agents.reference.policies import program
from voyager_agents.reference.saboteurs import saboteur
from voyager_agents.reference.share_bargainer import bargain_shares
from voyager_agents.reference.stewards import alternator, cleaner, conditional_cooperator, harvester, splitter, steward
from voyager_agents.stage_games.contracts import bargain as bargain_game
from voyager_agents.stage_games.contracts import ratified

Player = Callable[[Observation, PlayerState], tuple[Action, PlayerState]]
"""A player as a pure function."""


KNOWN_FACTS = (Facts, PublicGood, Commons, KitchenFacts, BuildFacts, StageGame)
"""Facts for which `reference` has a player."""


def rational(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that keeps the contract if there is one, and is greedy otherwise.

    If a contract has payments only, the player does what pays it most. If nothing can be earned it does nothing. Raises
    PlayerError for a plugin's facts.
    """
    facts, contract = observation.facts, observation.contract
    if isinstance(facts, Facts) and not facts.ores:
        return Action(program(observation.player, "There is nothing to earn.", [])), state
    if facts is not None and not isinstance(facts, KNOWN_FACTS):
        me = observation.player
        raise PlayerError(
            f"{me}: 'reference' knows no {type(facts).__name__}: give --player {me}=KIND with a kind of the scenario's "
            "package, or name one there (dilemma: usual)"
        )
    if isinstance(facts, StageGame):
        return in_its_interest(observation, state)
    if isinstance(facts, KitchenFacts):
        return line_cook(observation, state)
    if isinstance(facts, BuildFacts):
        return builder(observation, state)
    if contract is not None and contract.transfers and not (contract.schedule or contract.obligations):
        return best_response(observation, state)
    if contract is not None:
        return keeping(facts)(observation, state)
    if isinstance(facts, Commons):
        return greedy_harvester(observation, state)
    return (splitter if isinstance(facts, PublicGood) else greedy)(observation, state)


BEST_RESPONSE = "best-response"
OWN: dict[str, Player] = {
    "reference": rational,
    "greedy": greedy,
    "follower": follower,
    "keeps-pickaxe": keeps_pickaxe,
    "poacher": poacher,
    "sharer": sharer,
    BEST_RESPONSE: best_response,
    "harvester": harvester,
    "cleaner": cleaner,
    "alternator": alternator,
    "conditional-cooperator": conditional_cooperator,
    "splitter": splitter,
    "steward": steward,
    "sustainable-harvester": sustainable_harvester,
    "greedy-harvester": greedy_harvester,
    "quota-harvester": quota_harvester,
    "conditional-harvester": conditional_harvester,
    "aggressive-bot": aggressive_bot,
    "always-cooperate": always_cooperate,
    "always-defect": always_defect,
    "line-cook": line_cook,
    "solo-cook": solo_cook,
    "builder": builder,
    "building-helper": building_helper,
    "plan-teller": plan_teller,
    "saboteur": saboteur,
    IDLE: idle,
    RANDOM: random_actor,
}
"""Built-in reference players. All of them negotiate in the same way, but for those that take no part."""


def _of_plugin(entry: PluginEntry) -> Player:
    """Return the player that a plugin adds. Raises PluginError."""
    player = entry.load()
    if not callable(player):
        raise entry.broken(f"is {type(player).__name__}, not a function (Observation, State) -> (Action, State)")
    found: Player = player
    return found


PLAYERS: PluginTable[Player] = PluginTable("players", OWN, _of_plugin)
"""Kind -> reference player: the built-in ones, then those of plugins (entry points `accord.players`)."""


SELF_INTERESTED = frozenset(
    {BEST_RESPONSE, "greedy", "poacher", "greedy-harvester", "aggressive-bot", "always-defect", "saboteur"}
)
"""Kinds that pay what they owe only if a breach costs them more."""
DUTIFUL = frozenset(
    {"cleaner", "alternator", "conditional-cooperator", "steward", "sustainable-harvester", "quota-harvester"}
)
"""Kinds that serve in offices by the law, take no bribes, and move a law for the common good."""
NO_AGREEMENT = "[thinking] I take no part.\n[message] I make no agreement."
"""Turn at the negotiating table of a player that takes no part."""


class ReferenceAgent(Observer):
    """Agent without a model; its actions depend on its observations and its seed only."""

    def __init__(self, name: str, kind: str = "reference", *, seed: int = 0) -> None:
        """Raise PlayerError for an unknown kind."""
        if kind not in PLAYERS:
            hint = did_you_mean(kind, PLAYERS)
            raise PlayerError(f"unknown player {kind!r}{hint}: choose one of {', '.join(PLAYERS)}")
        super().__init__(name)
        self.kind = kind
        self._seed = seed
        self._state = PlayerState(seed)
        self._civic = CitizenMemory(name, seed, kind in DUTIFUL, read_grounds_norm, FAIR_SHARE)

    async def act(self) -> Action:
        """Return the program for the next episode."""
        action, self._state = PLAYERS[self.kind](self._seen(), self._state)
        return action

    async def answer_institution(self, question: CivicQuestion[Any]) -> Strict | None:
        """Return an answer by the rules of `voyager_agents.reference.citizens`."""
        return answer(question, self._civic)

    def hear_institutions(self, entries: Sequence[Mapping[str, Any]]) -> None:
        """Remember what institutions did, as far as this person may know."""
        self._civic.hear(entries)

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Return the player's turn at the negotiating table.

        Under the force `reputation`, it agrees on nothing with a player that has broken a promise.
        """
        if self.kind in BYSTANDERS:
            return NO_AGREEMENT
        facts = self._bargained()
        broken = [each.party for each in view.breaches if each.party != self.name and each.party in view.parties]
        if view.force is Force.REPUTATION and broken:
            return f"[thinking] {broken[0]} has broken its word.\n[message] I make no agreement with {broken[0]}."
        if isinstance(facts, StageGame):
            return bargain_game(view, facts.law)
        if len(facts.players) == 2 and view.scope is ContractScope.BOTH and not self._strict:
            if isinstance(facts, Facts):
                return bargain(view, facts, self._seed)
            if isinstance(facts, PublicGood):
                return bargain_shares(view, facts, self._seed)
        return bargain_pool(view, facts, self._seed, strict=self._strict)

    async def ratify(self, sheet: Sheet) -> Ratification:
        """Return a ratification if the terms are worth more to the player than no contract, else a refusal."""
        if self.kind in BYSTANDERS:
            return Ratification(self.name, ratified=False, reason="it takes no part")
        facts, terms = self._bargained(), sheet.terms
        if isinstance(facts, StageGame):
            return ratified(self.name, sheet, facts.law)
        others = ", ".join(name for name in facts.players if name != self.name)
        view = NegotiatorView(self.name, others, 1, 1, (), terms, parties=facts.players, scope=terms.scope)
        known = Prospect(facts, view, self._strict)
        offered, alone = known.payoff(terms), known.alone[facts.players.index(self.name)]
        told = "cannot be told" if offered is None else f"are worth {offered:.4g}"
        return Ratification(self.name, (offered or 0) > alone, f"the terms {told}; without them {alone:.4g}")

    async def pay(self, bill: Bill) -> Payment:
        """Return the payment of all that is due, or what pays the player most if it counts emeralds alone."""
        if self.kind in BYSTANDERS:
            return Payment(self.name, (), "it takes no part")
        if self.kind not in SELF_INTERESTED:
            return Payment(self.name, tuple(each.term for each in bill.dues), "it keeps its word")
        stakes = reputation_stakes(bill.contract, self._bargained(), bill.remaining)
        return selfish_payment(bill, stake_of(bill.contract, self.name, stakes))

    @property
    def _strict(self) -> bool:
        """True if the player assumes that all players choose a best response."""
        return self.kind == BEST_RESPONSE

    def _bargained(self) -> ScenarioFacts:
        facts = self._seen().facts
        if facts is None:
            raise PlayerError(f"{self.name}: the observation has no facts: a bargainer reasons from them")
        return facts
