"""Human players, who join with a Minecraft client instead of a bot."""

from __future__ import annotations

from dilemmas.minecraft.people.human_session import HumanPlayers, HumanSession
from dilemmas.minecraft.people.world import PeopledWorld

__all__ = ["HumanPlayers", "HumanSession", "PeopledWorld"]
