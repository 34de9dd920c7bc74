"""Colours of blocks on maps: common blocks as in the game, all others derived from their names."""

from __future__ import annotations

import colorsys
import hashlib
from collections.abc import Mapping

COLOURS: Mapping[str, str] = {
    "grass_block": "#b9d3a0", "dirt": "#c2a384", "stone": "#b5b5b5", "cobblestone": "#a3a3a3", "sand": "#eadfae",
    "water": "#8fb8e8", "lava": "#f08a3c", "oak_planks": "#d2b07a", "oak_fence": "#9a7443", "oak_log": "#8a6a40",
    "chest": "#8a5a18", "iron_ore": "#d8a98b", "diamond_ore": "#46c7c4", "gold_ore": "#e8c93e", "coal_ore": "#5a5a5a",
    "slime_block": "#6fbf4e", "red_mushroom_block": "#c8403a", "mushroom_stem": "#e6ded0", "poppy": "#d6453d",
    "bedrock": "#6d6d6d", "smooth_stone": "#c4c4c4", "white_concrete": "#e6e6e6", "farmland": "#8d6a45",
    "oak_leaves": "#7fa860", "snow_block": "#f2f6f8", "crafting_table": "#b0793c", "furnace": "#848484",
    "smoker": "#5e5147", "barrel": "#8b6a3a",
}  # fmt: skip
"""Block -> colour."""

DYES: Mapping[str, str] = {
    "white": "#e8e8e4", "light_gray": "#a9a9a4", "gray": "#5f6366", "black": "#2b2b2e", "brown": "#7d5636",
    "red": "#c0453b", "orange": "#dd8438", "yellow": "#e3c245", "lime": "#7fbf3f", "green": "#55733a",
    "cyan": "#2f9aa0", "light_blue": "#6fb2dc", "blue": "#4a58b5", "purple": "#7f4aa5", "magenta": "#bf5bb0",
    "pink": "#e59bb4",
}  # fmt: skip
"""Dye -> colour of blocks that are dyed with it."""
DYED = ("concrete", "concrete_powder", "wool", "carpet", "banner", "terracotta", "stained_glass", "bed", "shulker_box")
"""Ends of the names of dyed blocks."""
CLAY = "#8a6650"
"""Colour of clay, which dyed terracotta shows through."""


def colour_of(block: str) -> str:
    """Return the block's colour; equal names have equal colours."""
    if block in COLOURS:
        return COLOURS[block]
    dye = next((name for name in DYES if block.startswith(f"{name}_")), "")
    if dye and block.removeprefix(f"{dye}_").endswith(DYED):
        return _mixed(DYES[dye], CLAY) if block.endswith("terracotta") else DYES[dye]
    draw = hashlib.sha256(block.encode()).digest()
    red, green, blue = colorsys.hls_to_rgb(draw[0] / 255, 0.62 + draw[1] / 1700, 0.30 + draw[2] / 1000)
    return f"#{int(red * 255):02x}{int(green * 255):02x}{int(blue * 255):02x}"


def _mixed(one: str, other: str) -> str:
    """Return the colour half-way between two colours."""
    parts = [(int(one[at : at + 2], 16) + int(other[at : at + 2], 16)) // 2 for at in (1, 3, 5)]
    return "#" + "".join(f"{part:02x}" for part in parts)
