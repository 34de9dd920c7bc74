"""Texts for human players, by the place where they play: in a Minecraft world, or on their pages alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from dilemmas.scenarios.base import Scenario


class TextsForPeople(Protocol):
    """Texts that the study sends to its people."""

    @property
    def ready(self) -> str:
        """Instructions for reporting ready before an episode."""

    @property
    def go(self) -> str:
        """Message when play starts."""

    def welcome(self, name: str) -> str:
        """Return the message for a player that has joined."""

    def beginning(self, episode: int) -> str:
        """Return the first line before an episode, whose number is from 1."""


@dataclass(frozen=True)
class _WorldTexts:
    """Texts for people in a world, who have a chat and books."""

    scenario: Scenario
    ear: str

    @property
    def ready(self) -> str:
        return (
            f"Read the book in your hand. Say ready in the chat (or /msg {self.ear} ready) to begin; nobody moves "
            "before. All is set up as new then."
        )

    def _others(self, name: str) -> str:
        return ", ".join(other for other in self.scenario.spec.players if other != name)

    def _welcome(self, name: str, talk: str) -> str:
        return (
            f"Welcome, {name}. This is {self.scenario.spec.name}, and you play in survival mode.\n{talk}\n"
            "The book in your hand tells what it is about. Before each beginning you read and say ready; "
            f"nobody else moves before. Words for the study alone: /msg {self.ear} WORDS. If you lose the connection, "
            "join again: the world stands still until you are back."
        )


class EpisodeTexts(_WorldTexts):
    """Texts for people who play in episodes."""

    @property
    def go(self) -> str:
        """Message when play starts."""
        return f"Go! When you have done all that you want, say done (or /msg {self.ear} done)."

    def welcome(self, name: str) -> str:
        """Return the message for a player that has joined."""
        return self._welcome(
            name,
            f"You play with {self._others(name)}. Where players negotiate, what you say in the chat is your part of "
            "it: you are told when it is your turn, and how.",
        )

    def beginning(self, episode: int) -> str:
        """Return the first line before an episode."""
        return f"Episode {episode}."


class LifeTexts(_WorldTexts):
    """Texts for people who live among others."""

    go = "Go!"

    def welcome(self, name: str) -> str:
        """Return the message for a player that has joined."""
        return self._welcome(
            name,
            f"You live among {self._others(name)}. Who is near hears what you say in the chat; begin with ! to shout, "
            "and /msg NAME to whisper to one who is near.",
        )

    def beginning(self, episode: int) -> str:
        """Return the first line before the only episode."""
        return "Your life begins soon."


@dataclass(frozen=True)
class PageTexts:
    """Texts for people who play on their pages alone."""

    scenario: Scenario
    ear: str
    ready = "Read the rules on this page, and press ready to begin: nobody moves before."
    go = "Go! The game waits for you in each step in which you have a choice."

    def welcome(self, name: str) -> str:
        """Return the message for a player that has entered the game."""
        others = ", ".join(other for other in self.scenario.spec.players if other != name)
        return (
            f"Welcome, {name}. This is {self.scenario.spec.name}; you play with {others}.\n"
            "If you close this page or lose the connection, open the same link again: the game waits for you."
        )

    def beginning(self, episode: int) -> str:
        """Return the first line before an episode."""
        return f"Game {episode}."


TEXTS: Mapping[str, Callable[[Scenario, str], TextsForPeople]] = {
    "episodes": EpisodeTexts, "life": LifeTexts, "grid": PageTexts, "rounds": PageTexts,
}  # fmt: skip
"""Mode of play -> its texts, from the scenario and the name of the bot that people whisper to."""
