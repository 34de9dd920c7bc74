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
}  # fmt: skip
"""Block -> colour."""


def colour_of(block: str) -> str:
    """Return the block's colour; equal names have equal colours."""
    if block in COLOURS:
        return COLOURS[block]
    draw = hashlib.sha256(block.encode()).digest()
    red, green, blue = colorsys.hls_to_rgb(draw[0] / 255, 0.62 + draw[1] / 1700, 0.30 + draw[2] / 1000)
    return f"#{int(red * 255):02x}{int(green * 255):02x}{int(blue * 255):02x}"
