"""People in a world: players who join with a Minecraft client of their own instead of a bot."""

from __future__ import annotations

from dilemmas.minecraft.people.human_session import Desk, People
from dilemmas.minecraft.people.world import PeopledWorld

__all__ = ["Desk", "People", "PeopledWorld"]
