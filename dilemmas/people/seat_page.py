"""Interfaces of human players: the page of a seat, and the place where people play."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from bridge.types import Address
from voyager_agents.human.grid_view import GridView
from voyager_agents.human.seat_question import SeatQuestion


class SeatPage(Protocol):
    """Page of a human player, which shows what the chat and the books show to this player alone."""

    def show_text(self, text: str, *, own: bool = False) -> None:
        """Show a text that the player was sent, or its own words."""

    def show_books(self, books: Mapping[str, str]) -> None:
        """Show the player's books (title -> text)."""

    def show_question(self, question: SeatQuestion | None) -> None:
        """Show the question that is asked now; None for none."""

    def show_grid(self, view: GridView) -> None:
        """Show a grid game as its player sees it now."""

    def show_form(self, form: Mapping[str, Any] | None) -> None:
        """Show a form of the study to fill in; None for none."""

    def open_game(self, address: Address | None) -> None:
        """Tell that the game can be entered; `address` is that of its world, None if it is played on the page."""

    def close_game(self) -> None:
        """Tell that there is no game to enter any more."""

    def show_presence(self, *, here: bool, admitted: bool) -> None:
        """Tell whether the player is in the world, and whether it may enter."""

    def free(self) -> None:
        """Give the seat to nobody: the study waits for another person."""


class NoPage:
    """Page of a player without a page."""

    def show_text(self, text: str, *, own: bool = False) -> None:
        """Do nothing."""

    def show_books(self, books: Mapping[str, str]) -> None:
        """Do nothing."""

    def show_question(self, question: SeatQuestion | None) -> None:
        """Do nothing."""

    def show_grid(self, view: GridView) -> None:
        """Do nothing."""

    def show_form(self, form: Mapping[str, Any] | None) -> None:
        """Do nothing."""

    def open_game(self, address: Address | None) -> None:
        """Do nothing."""

    def close_game(self) -> None:
        """Do nothing."""

    def show_presence(self, *, here: bool, admitted: bool) -> None:
        """Do nothing."""

    def free(self) -> None:
        """Do nothing."""


NO_PAGE = NoPage()


class Venue(Protocol):
    """Place where the people of a study play: a world, or their pages alone."""

    @property
    def watching(self) -> Sequence[asyncio.Task[None]]:
        """Tasks that end only if the place is lost."""

    @property
    def on_pages(self) -> bool:
        """True if people play on their pages alone, without a world."""

    async def connect(self, names: Sequence[str]) -> None:
        """Connect the bots among these players, and wait for people. Raises PrerequisiteError if one does not come."""

    async def commands(self, texts: Sequence[str]) -> object:
        """Run commands for people's screens and inventories, if the place has them."""

    def hear_whisper(self, name: str, text: str) -> None:
        """Record words of a person that no other player hears."""

    def set_presence(self, name: str, *, here: bool) -> None:
        """Record that a person entered the game on its page, or left it; a world sees for itself who is in it."""
