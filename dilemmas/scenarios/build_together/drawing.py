"""Drawing of a player's part of a plan for models that see: a panel for each layer, with the world's coordinates."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from common.png import encode_png
from dilemmas.scenarios.build_together.spec import PlannedBlock
from grid_games.picture import FLOOR, GLYPH_HEIGHT, GLYPH_WIDTH, HUES, INK, LINE, PAPER, Pixels, write_text

CAPTION = (
    "Another picture shows {player}'s part of the plan, which nobody else is shown: a panel for each layer from the "
    "ground up, headed by its y. In a panel x grows to the right and z downwards; the numbers at its top and left are "
    "the x and z of its first column and row. Letters are blocks: {legend}."
)


def letters_of(blocks: Sequence[str]) -> dict[str, str]:
    """Return block -> its letter in drawings, the first of its name that is free."""
    found: dict[str, str] = {}
    for block in blocks:
        wanted = [letter for letter in block.upper() if letter.isalpha()] + list("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        found[block] = next((letter for letter in wanted if letter not in found.values()), "?")
    return found


def draw_part(part: Sequence[PlannedBlock], blocks: Sequence[str], size: tuple[int, int]) -> tuple[bytes, str]:
    """Return a part of a plan as a PNG file, and the meaning of its letters.

    Args:
        part: Cells in the world's coordinates, and their blocks.
        blocks: All blocks of the plan.
        size: Width and height of the picture, in pixels.
    """
    width, height = size
    letters = letters_of(blocks)
    cells = dict(part)
    (west, _, north), (east, _, south) = (tuple(edge(axis) for axis in zip(*cells, strict=True)) for edge in (min, max))
    layers = sorted({y for _, y, _ in cells})
    columns, rows = east - west + 2, south - north + 2  # One of each for the numbers.
    across, side = max(
        ((count, min(width // (count * columns), height // (-(-len(layers) // count) * rows))) for count in
         range(1, len(layers) + 1)), key=lambda each: each[1],
    )  # fmt: skip
    side = max(1, side)
    canvas: Pixels = np.full((height, width, 3), PAPER, np.uint8)
    for place, y in enumerate(layers):
        left, top = place % across * columns * side, place // across * rows * side
        panel = canvas[top : top + rows * side, left : left + columns * side]
        _draw_layer(
            panel, side, y, (west, north), {(x, z): b for (x, level, z), b in cells.items() if level == y}, letters
        )
    return encode_png(width, height, canvas.tobytes()), ", ".join(f"{letters[each]} {each}" for each in blocks)


def _draw_layer(
    panel: Pixels,
    side: int,
    y: int,
    corner: tuple[int, int],
    blocks: dict[tuple[int, int], str],
    letters: dict[str, str],
) -> None:
    """Draw one layer with its numbers: x and z of the first cell, and its height."""
    small = max(1, side // 22)
    west, north = corner
    write_text(panel, f"Y{y}", small, small, INK, small)
    write_text(panel, str(west), side + small, side - (GLYPH_HEIGHT + 1) * small, INK, small)
    write_text(panel, str(north), small, side + small, INK, small)
    kinds = list(letters)
    for row in range(len(panel) // side - 1):
        for column in range(panel.shape[1] // side - 1):
            cell = panel[(row + 1) * side : (row + 2) * side, (column + 1) * side : (column + 2) * side]
            cell[:] = FLOOR
            if side > 3:
                cell[0, :] = cell[:, 0] = LINE
            block = blocks.get((west + column, north + row))
            if block is not None:
                cell[1:, 1:] = HUES[kinds.index(block) % len(HUES)]
                dot = max(1, side // 10)
                write_text(
                    cell, letters[block], (side - GLYPH_WIDTH * dot) // 2, (side - GLYPH_HEIGHT * dot) // 2, PAPER, dot
                )
