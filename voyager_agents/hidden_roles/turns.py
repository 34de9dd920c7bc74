"""Types of a turn in a game of hidden roles: what a player knows, and its clue, vote or guess."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from voyager_agents.hidden_roles.cards import WordCard

TAKES = "words"
"""Kind of turns (`voyager_agents.family.Family.takes`)."""
ROLE = "player"
"""Name of the model role of speakers."""
INSIDER = "insider"
"""Role of the players who share the secret word."""
MAX_CLUE = 120
"""Maximum length of a clue, in characters."""
WordStage = Literal["clue", "vote", "guess"]


@dataclass(frozen=True)
class HiddenRoleRules:
    """Rules of a game of hidden roles."""

    odd: str = "chameleon"
    """Name of the role of the player who does not share the secret word."""
    similar: bool = False
    """True if that player gets a similar word, and nobody is told a role; else it has no word, and knows its role."""
    clue_rounds: int = 2
    """Number of clues of each player."""
    clue_words: int = 1
    """Maximum number of words of a clue."""
    guess: bool = True
    """True if an accused odd player may still win by naming the secret word."""
    escaped: int = 2
    """Points of the odd player that is not accused."""
    guessed: int = 1
    """Points of the odd player that is accused and names the secret word."""
    caught: int = 2
    """Points of each insider if the odd player is accused and does not name the word."""


@dataclass(frozen=True)
class SpokenClue:
    """Clue of a player; its text is the player's own and not to be trusted."""

    player: str
    text: str


@dataclass(frozen=True)
class EndedGame:
    """Outcome of a game, which all players learn."""

    number: int
    odd: str
    """Player that did not share the word."""
    word: str
    accused: str
    """Player with the most votes; empty for a tie."""
    outcome: Literal["escaped", "guessed", "caught"]


@dataclass(frozen=True)
class WordTurn:
    """Observation of a player before a stage."""

    player: str
    players: tuple[str, ...]
    game: int
    """Number of the game, from 1."""
    games: int
    stage: WordStage
    acts: bool
    """True if the player has to decide now."""
    rules: HiddenRoleRules
    topic: str
    words: tuple[str, ...]
    """Words of the card, which all players see."""
    word: str = ""
    """The player's own word; empty if it has none."""
    role: str = ""
    """The player's role; empty if it is not told."""
    clues: tuple[SpokenClue, ...] = ()
    """Clues of this game so far, in order."""
    ended: tuple[EndedGame, ...] = ()
    """Earlier games."""
    notices: tuple[str, ...] = ()
    """Other messages to the player, such as the fault of its last decision."""

    def others(self) -> tuple[str, ...]:
        """Return the other players."""
        return tuple(name for name in self.players if name != self.player)


@dataclass(frozen=True)
class WordDecision:
    """A player's decision in a stage."""

    clue: str = ""
    vote: str = ""
    guess: str = ""
    role: str = ""
    """Role that the player thinks it has, said with its vote; recorded, never shown to other players."""
    expects: str = ""
    """Player that it thinks most players will vote for, said with its vote; recorded, never shown to other players."""
    why: str = ""
    """The player's stated reason; recorded, never shown to other players."""
    fault: str = ""
    """Error of an unusable answer; recorded."""


def clue_fault(turn: WordTurn, text: str) -> str:
    """Return the reason why a text is no legal clue now, or an empty text."""
    words = text.split()
    if not words:
        return "the clue is empty"
    if len(text) > MAX_CLUE or len(words) > turn.rules.clue_words:
        most = "one word" if turn.rules.clue_words == 1 else f"{turn.rules.clue_words} words"
        return f"the clue has {len(words)} words and {len(text)} characters: at most {most} and {MAX_CLUE} are legal"
    if turn.word and turn.word.casefold() in text.casefold():
        return "the clue names your secret word"
    if any(each.text.casefold() == clean_clue(text).casefold() for each in turn.clues):
        return "the clue was already given in this game"
    return ""


def clean_clue(text: str) -> str:
    """Return a clue on one line, without outer spaces."""
    return " ".join(text.split())


def decision_fault(turn: WordTurn, decision: WordDecision) -> str:
    """Return the reason why a decision counts for nothing, or an empty text."""
    if decision.fault:
        return decision.fault
    if turn.stage == "clue":
        return clue_fault(turn, decision.clue)
    legal = turn.others() if turn.stage == "vote" else turn.words
    given = decision.vote if turn.stage == "vote" else decision.guess
    return "" if given in legal else f"{given[:60]!r} is no legal {turn.stage}; choose one of {', '.join(legal)}"


@dataclass(frozen=True)
class HiddenRoleFacts:
    """Facts of a game of hidden roles as data (`voyager_agents.facts.ScenarioFacts`)."""

    players: tuple[str, ...]
    rules: HiddenRoleRules
    cards: tuple[WordCard, ...]
    values: Mapping[str, Mapping[str, float]]
    games: int
    currency: str = field(default="points")

    def lines(self) -> list[str]:
        """Return nothing: the scenario's text has the rules, and associations are for reference players alone."""
        return []

    def card(self, topic: str) -> WordCard:
        """Return the card with this topic."""
        return next(each for each in self.cards if each.topic == topic)
