"""Display of a grid game in a Minecraft world for spectators; the arrays remain the ground truth.

Events appear as floors, blocks of the map as walls, piles as signs, agents as players who carry their holdings, groups
as teams, and rewards in the sidebar.
"""

from __future__ import annotations

from dilemmas.minecraft.mirror.drawing import Mirror
from dilemmas.minecraft.mirror.picture import Picture, picture_of
from dilemmas.minecraft.mirror.reading import read_mirror

__all__ = ["Mirror", "Picture", "picture_of", "read_mirror"]
