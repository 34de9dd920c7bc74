"""A grid game drawn in a Minecraft world, so that people can watch it: the arrays are the truth, the world shows them.

Events are floors, blocks of the map are walls, piles are signs, agents are players who carry what they hold, groups are
teams, and rewards stand at the side of the screen.
"""

from __future__ import annotations

from dilemmas.minecraft.mirror.drawing import Mirror
from dilemmas.minecraft.mirror.picture import Picture, picture_of
from dilemmas.minecraft.mirror.reading import read

__all__ = ["Mirror", "Picture", "picture_of", "read"]
