"""Reference players of games of hidden roles, which need no model and know the associations of the cards.

    associator   gives an association of its word; suspects who gave the fewest clues that fit its word
    cautious     as associator, but gives the association that most other words of the card share
    random       gives any association of the card, votes and guesses at random

A player without a word gives an association of the word that the clues so far fit best, and guesses that word. In
games in which nobody is told a role, a player takes itself for the odd one if another word fits the others' clues
better than its own word, and then plays as if it had that word.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

from voyager_agents.agent import Observation, Observer
from voyager_agents.errors import PlayerError, did_you_mean
from voyager_agents.hidden_roles.cards import WordCard
from voyager_agents.hidden_roles.turns import INSIDER, HiddenRoleFacts, WordDecision, WordTurn

ClueChoice = Callable[[WordTurn, WordCard, str, random.Random], str]
"""Function from a turn, its card, the word to hint at and the player's chance to a clue."""


def _unsaid(turn: WordTurn, card: WordCard, word: str) -> list[str]:
    """Return the associations of a word that were not given; those of the whole card if there are none left."""
    said = {each.text.casefold() for each in turn.clues}
    whole = dict.fromkeys(told for each in card.words.values() for told in each)
    own = turn.word.casefold()
    for pool in (card.words[word], whole):
        if found := [each for each in pool if each not in said and (not own or own not in each)]:
            return found
    return []


def _plain_clue(turn: WordTurn, card: WordCard, word: str, draw: random.Random) -> str:
    """Return an association of the word, drawn at random."""
    found = _unsaid(turn, card, word)
    return draw.choice(found) if found else ""


def _cautious_clue(turn: WordTurn, card: WordCard, word: str, draw: random.Random) -> str:
    """Return the association of the word that fits the most words of the card."""
    found = _unsaid(turn, card, word)
    return max(found, key=lambda each: sum(card.fits(each, other) for other in card.words), default="")


def _random_clue(turn: WordTurn, card: WordCard, word: str, draw: random.Random) -> str:
    """Return an association of any word of the card."""
    return _plain_clue(turn, card, draw.choice(list(card.words)), draw)


CLUES: Mapping[str, ClueChoice] = {"associator": _plain_clue, "cautious": _cautious_clue, "random": _random_clue}
"""Kind of reference player -> its choice of clues; the first is the default."""


def likeliest_word(turn: WordTurn, card: WordCard) -> str:
    """Return the word of the card that the others' clues fit best; the first one of several."""
    heard = [each.text for each in turn.clues if each.player != turn.player]
    return max(card.words, key=lambda word: sum(card.fits(clue, word) for clue in heard))


def believed_role(turn: WordTurn, card: WordCard) -> str:
    """Return the player's role, or the one that the others' clues suggest."""
    if turn.role:
        return turn.role
    heard = [each.text for each in turn.clues if each.player != turn.player]

    def fitting(word: str) -> int:
        return sum(card.fits(clue, word) for clue in heard)

    return turn.rules.odd if fitting(likeliest_word(turn, card)) > fitting(turn.word) else INSIDER


class CluePlayer(Observer):
    """Player with a fixed strategy; its decisions depend on what it sees, the cards and its seed alone."""

    def __init__(self, name: str, kind: str, *, seed: int = 0) -> None:
        """Raise PlayerError for an unknown kind."""
        if kind not in CLUES:
            hint = did_you_mean(kind, CLUES)
            raise PlayerError(f"unknown word player {kind!r}{hint}: choose one of {', '.join(CLUES)}")
        super().__init__(name)
        self.kind = kind
        self._seed = seed
        self._draw = random.Random(f"words:{seed}:{name}")

    def observe(self, observation: Observation) -> None:
        """Store the observation before the games, which restarts the random draws."""
        super().observe(observation)
        self._draw = random.Random(f"words:{self._seed}:{self.name}")

    async def take_turn(self, turn: WordTurn) -> WordDecision:
        """Return the strategy's decision; an empty one if it is not the player's turn."""
        if not turn.acts:
            return WordDecision()
        card = self._facts().card(turn.topic)
        role = believed_role(turn, card)
        word = turn.word if role == INSIDER else likeliest_word(turn, card)
        match turn.stage:
            case "clue":
                return WordDecision(clue=CLUES[self.kind](turn, card, word, self._draw), why=self.kind)
            case "guess":
                choices = list(turn.words)
                guess = self._draw.choice(choices) if self.kind == "random" else word
                return WordDecision(guess=guess, why=self.kind)
        if self.kind == "random":
            vote, expects = (self._draw.choice(turn.others()) for _ in range(2))
            return WordDecision(vote=vote, expects=expects, role=role, why=self.kind)
        suspect = self._suspect(turn, card, word)
        return WordDecision(vote=suspect, expects=suspect, role=role, why=self.kind)

    def _suspect(self, turn: WordTurn, card: WordCard, word: str) -> str:
        """Return the other player with the fewest clues that fit a word; one of several at random."""
        fitting = dict.fromkeys(turn.others(), 0)
        for clue in turn.clues:
            if clue.player in fitting:
                fitting[clue.player] += card.fits(clue.text, word)
        least = min(fitting.values())
        return self._draw.choice([name for name, count in fitting.items() if count == least])

    def _facts(self) -> HiddenRoleFacts:
        facts = self._seen().facts
        if not isinstance(facts, HiddenRoleFacts):
            raise PlayerError(f"{self.name}: the observation has no cards: word players play games of hidden roles")
        return facts
