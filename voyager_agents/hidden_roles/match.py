"""Course of games of hidden roles: cards and roles by the seed, clues in turn, a vote, a guess, points."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from voyager_agents.hidden_roles.cards import WordCard
from voyager_agents.hidden_roles.turns import (
    INSIDER,
    EndedGame,
    HiddenRoleRules,
    SpokenClue,
    WordDecision,
    WordStage,
    WordTurn,
    clean_clue,
    decision_fault,
)


@dataclass(frozen=True)
class HiddenDeal:
    """Secrets of one game."""

    card: WordCard
    word: str
    """Secret word of the insiders."""
    odd: str
    """Player that does not share the word."""
    odd_word: str
    """Word of that player; empty for none."""
    order: tuple[str, ...]
    """Order in which the players give their clues."""

    def word_of(self, player: str) -> str:
        """Return the word that a player is told; empty for none."""
        return self.odd_word if player == self.odd else self.word


class HiddenRoleMatch:
    """Games of one run. The seed decides cards, words, roles and orders; each player is the odd one equally often."""

    def __init__(
        self, players: Sequence[str], cards: Sequence[WordCard], rules: HiddenRoleRules, games: int, seed: int
    ) -> None:
        self.players = tuple(players)
        self.rules = rules
        self.games = games
        self.ended: list[EndedGame] = []
        self.points = dict.fromkeys(self.players, 0)
        self._cards = list(cards)
        self._draw = random.Random(f"hidden roles:{seed}")
        self._deck: list[WordCard] = []
        self._odd: list[str] = []
        self.clues: list[SpokenClue] = []
        self.votes: dict[str, str] = {}
        self._place = 0
        self.deal = self._next_deal()

    @property
    def over(self) -> bool:
        """True after the last game."""
        return len(self.ended) == self.games

    @property
    def number(self) -> int:
        """Number of the current game, from 1; of the last one after it."""
        return min(len(self.ended) + 1, self.games)

    @property
    def stage(self) -> WordStage:
        """The current stage."""
        clues = len(self.players) * self.rules.clue_rounds
        return "clue" if self._place < clues else "vote" if self._place == clues else "guess"

    def acting(self) -> tuple[str, ...]:
        """Return the players who decide in this stage."""
        if self.over:
            return ()
        match self.stage:
            case "clue":
                return (self.deal.order[self._place % len(self.players)],)
            case "vote":
                return self.players
            case _:
                return (self.deal.odd,)

    def turn(self, player: str, notices: tuple[str, ...] = ()) -> WordTurn:
        """Return what a player knows before this stage; `notices` are further messages to it."""
        rules, deal = self.rules, self.deal
        role = "" if rules.similar else rules.odd if player == deal.odd else INSIDER
        return WordTurn(
            player=player, players=self.players, game=self.number, games=self.games, stage=self.stage,
            acts=player in self.acting(), rules=rules, topic=deal.card.topic, words=tuple(deal.card.words),
            word=deal.word_of(player), role=role, clues=tuple(self.clues), ended=tuple(self.ended), notices=notices,
        )  # fmt: skip

    def decide(self, decisions: Mapping[str, WordDecision]) -> tuple[dict[str, str], EndedGame | None]:
        """Apply the decisions of a stage. An illegal or missing one counts for nothing: no clue, no vote, no guess.

        Returns:
            Player -> fault of its decision, empty for none, for all who had to decide; and the game if it has ended.
        """
        faults = {}
        legal = {}
        for player in self.acting():
            decision = decisions.get(player, WordDecision(fault="there was no answer"))
            faults[player] = decision_fault(self.turn(player), decision)
            if not faults[player]:
                legal[player] = decision
        stage = self.stage
        self._place += 1
        if stage == "clue":
            self.clues += [SpokenClue(player, clean_clue(each.clue)) for player, each in legal.items()]
            return faults, None
        if stage == "vote":
            self.votes = {player: each.vote for player, each in legal.items()}
            if self.rules.guess and self._accused() == self.deal.odd:
                return faults, None
            return faults, self._end("")
        return faults, self._end(next((each.guess for each in legal.values()), ""))

    def _accused(self) -> str:
        """Return the player with the most votes; empty for a tie or without a vote."""
        return most_voted(self.votes)

    def _end(self, guess: str) -> EndedGame:
        rules, deal, accused = self.rules, self.deal, self._accused()
        if accused != deal.odd:
            self.points[deal.odd] += rules.escaped
            ended = EndedGame(self.number, deal.odd, deal.word, accused, "escaped")
        elif guess == deal.word:
            self.points[deal.odd] += rules.guessed
            ended = EndedGame(self.number, deal.odd, deal.word, accused, "guessed")
        else:
            for player in self.players:
                self.points[player] += rules.caught * (player != deal.odd)
            ended = EndedGame(self.number, deal.odd, deal.word, accused, "caught")
        self.ended.append(ended)
        if not self.over:
            self._place, self.clues, self.votes = 0, [], {}
            self.deal = self._next_deal()
        return ended

    def _next_deal(self) -> HiddenDeal:
        draw = self._draw
        self._deck = self._deck or draw.sample(self._cards, len(self._cards))
        self._odd = self._odd or draw.sample(self.players, len(self.players))
        card, odd = self._deck.pop(), self._odd.pop()
        word = draw.choice(list(card.words))
        order = tuple(draw.sample(self.players, len(self.players)))
        return HiddenDeal(card, word, odd, card.nearest(word) if self.rules.similar else "", order)


def most_voted(votes: Mapping[str, str]) -> str:
    """Return the player with the most votes (voter -> player); empty for a tie or without a vote."""
    counts = Counter(votes.values()).most_common(2)
    if not counts or (len(counts) == 2 and counts[0][1] == counts[1][1]):
        return ""
    return counts[0][0]
