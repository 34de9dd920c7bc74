"""Human players, who join a world with a Minecraft client or by their page, or play on their page alone."""

from __future__ import annotations

from dilemmas.people.human_session import HumanPlayers, HumanSession
from dilemmas.people.page_venue import PageVenue
from dilemmas.people.world import PeopledWorld

__all__ = ["HumanPlayers", "HumanSession", "PageVenue", "PeopledWorld"]
