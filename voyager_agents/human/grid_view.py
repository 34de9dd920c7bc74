"""A grid game as one human player sees it, as plain data that a page shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

MESSAGE = "message"
"""Kind of actions that carry words."""


@dataclass(frozen=True)
class GridOption:
    """A legal action: its name, and its words on the page."""

    name: str
    label: str


@dataclass(frozen=True)
class GridChoice:
    """The action that a player chose, and the words of its message; without any the game's usual ones are sent."""

    action: str
    words: tuple[int, ...] = ()


@dataclass(frozen=True)
class GridView:
    """A step as one player sees it: its own observation, and nothing else."""

    step: int
    """Step that comes, from 1; the number of steps once the game is over."""
    steps: int
    role: str
    goal: str
    rules: str
    seen: str
    """The observation in words, as language models read it."""
    legend: str
    """Meaning of the signs in the picture."""
    picture: bytes = field(repr=False)
    """The observed cells as a PNG file."""
    holds: Mapping[str, int] = field(default_factory=dict)
    """Resource -> units in the player's inventory."""
    society: tuple[str, ...] = ()
    """Sentences on groups, bargains and messages."""
    actions: tuple[GridOption, ...] = ()
    """Legal actions; none once the game is over."""
    words: int = 0
    """Number of words of a message."""
    reward: float = 0.0
    """Reward of the player so far."""
    gained: float = 0.0
    """Reward of the player in the last step."""
    over: bool = False

    @property
    def is_open(self) -> bool:
        """True if the player has a choice."""
        return len(self.actions) > 1

    def refusal(self, choice: GridChoice) -> str:
        """Return the reason for which a choice is not legal; empty for a legal one."""
        if choice.action not in {option.name for option in self.actions}:
            return "this action is not possible now: choose one of the buttons"
        if choice.words and choice.action.partition(" ")[0] != MESSAGE:
            return "only a message has words"
        if len(choice.words) > self.words:
            return f"a message has at most {self.words} words"
        return ""
