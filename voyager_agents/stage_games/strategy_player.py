"""Players of repeated games that follow a strategy and need no model."""

from __future__ import annotations

import random

from contracts import NegotiationMessage, NegotiatorView, Ratification, Sheet
from contracts.enforcement import Bill, Payment, selfish_payment, stake_of
from voyager_agents.agent import Observation, Observer
from voyager_agents.errors import PlayerError, did_you_mean
from voyager_agents.facts import StageGame
from voyager_agents.stage_games.beliefs import beliefs_of
from voyager_agents.stage_games.contracts import bargain, ratified, sustains
from voyager_agents.stage_games.strategies import STRATEGIES, kind
from voyager_agents.stage_games.turns import StageDecision, StageTurn

REFERENCE = next(iter(STRATEGIES))
"""Name of the reference strategy."""


class StrategyPlayer(Observer):
    """Player with a fixed strategy; its actions depend only on its observations and its seed."""

    def __init__(self, name: str, strategy: str, *, seed: int = 0) -> None:
        """Raise PlayerError for an unknown strategy."""
        if strategy not in STRATEGIES:
            hint = did_you_mean(strategy, STRATEGIES)
            raise PlayerError(f"unknown strategy {strategy!r}{hint}: choose one of {', '.join(STRATEGIES)}")
        super().__init__(name)
        self.strategy = strategy
        self._seed = seed
        self._abides = False
        self._draw = random.Random(f"strategy:{seed}:{name}")

    def observe(self, observation: Observation) -> None:
        """Store an observation; that of a new game restarts the random draws."""
        super().observe(observation)
        if not observation.played:
            self._draw = random.Random(f"strategy:{self._seed}:{self.name}")
        contract = observation.contract
        bound = self.strategy == REFERENCE and contract is not None
        self._abides = bound and sustains(self._game().law, contract, self.name)

    async def take_turn(self, turn: StageTurn) -> StageDecision:
        """Return the strategy's choice.

        The reference strategy cooperates under a contract that makes cooperation pay.
        """
        if not turn.options:
            return StageDecision()
        chosen = kind if self._abides else STRATEGIES[self.strategy]
        beliefs = {} if self._abides else beliefs_of(self.strategy, turn)
        return StageDecision(chosen(turn, self._draw), why=self.strategy, beliefs=beliefs)

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Return the player's next negotiation message."""
        return bargain(view, self._game().law)

    async def ratify(self, sheet: Sheet) -> Ratification:
        """Return a ratification that accepts the terms if they make cooperation pay."""
        return ratified(self.name, sheet, self._game().law)

    async def pay(self, bill: Bill) -> Payment:
        """Return the payment of all that is due by the reference strategy, or what a payer counting emeralds pays."""
        if self.strategy == REFERENCE:
            return Payment(self.name, tuple(each.term for each in bill.dues), "it keeps its word")
        return selfish_payment(bill, stake_of(bill.contract, self.name))

    def _game(self) -> StageGame:
        facts = self._seen().facts
        if not isinstance(facts, StageGame):
            raise PlayerError(f"{self.name}: the observation has no game: strategies play repeated games")
        return facts
