"""Picture of a grid game as one agent sees it, from the same array that learners get and nothing else.

Cells that the agent does not see, or whose piles and events it may not see, are empty in that array, and so here. In
games that show the whole map, a cell outside the own window without anything in it is dark: nobody has shown it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from common.png import encode_png
from grid_games.arrays import Array
from grid_games.core.elements import HOSTILE
from grid_games.core.tables import LAYERS
from grid_games.spec import GridGame

Pixels = NDArray[np.uint8]
"""Canvas of shape (height, width, 3)."""
Colour = tuple[int, int, int]
FLOOR: Colour = (232, 226, 208)
LINE: Colour = (198, 190, 168)
DARK: Colour = (52, 52, 58)
MARGIN: Colour = (20, 20, 24)
BLOCK: Colour = (104, 98, 92)
HOSTILE_COLOUR: Colour = (176, 48, 40)
INK: Colour = (16, 16, 18)
PAPER: Colour = (250, 250, 246)
HUES: Sequence[Colour] = (
    (214, 120, 40), (46, 128, 196), (72, 150, 68), (176, 64, 128), (150, 120, 30), (90, 90, 190), (190, 60, 50),
    (40, 150, 150), (120, 80, 50), (150, 150, 150), (220, 170, 60), (100, 60, 150), (60, 110, 60), (200, 110, 150),
)  # fmt: skip
"""Colours of resources, in the game's order."""
PLAYERS: Sequence[Colour] = (
    (30, 110, 220), (220, 60, 40), (40, 160, 70), (230, 160, 20), (150, 60, 190), (20, 160, 180), (230, 100, 160),
    (110, 110, 40),
)  # fmt: skip
GLYPH_WIDTH, GLYPH_HEIGHT = 3, 5
_ROWS: Mapping[str, tuple[int, ...]] = {
    "0": (7, 5, 5, 5, 7), "1": (2, 6, 2, 2, 7), "2": (7, 1, 7, 4, 7), "3": (7, 1, 7, 1, 7), "4": (5, 5, 7, 1, 1),
    "5": (7, 4, 7, 1, 7), "6": (7, 4, 7, 5, 7), "7": (7, 1, 1, 2, 2), "8": (7, 5, 7, 5, 7), "9": (7, 5, 7, 1, 7),
    "A": (2, 5, 7, 5, 5), "B": (6, 5, 6, 5, 6), "C": (3, 4, 4, 4, 3), "D": (6, 5, 5, 5, 6), "E": (7, 4, 6, 4, 7),
    "F": (7, 4, 6, 4, 4), "G": (3, 4, 5, 5, 3), "H": (5, 5, 7, 5, 5), "I": (7, 2, 2, 2, 7), "J": (1, 1, 1, 5, 2),
    "K": (5, 5, 6, 5, 5), "L": (4, 4, 4, 4, 7), "M": (5, 7, 7, 5, 5), "N": (6, 5, 5, 5, 5), "O": (2, 5, 5, 5, 2),
    "P": (6, 5, 6, 4, 4), "Q": (2, 5, 5, 6, 3), "R": (6, 5, 6, 5, 5), "S": (3, 4, 2, 1, 6), "T": (7, 2, 2, 2, 2),
    "U": (5, 5, 5, 5, 7), "V": (5, 5, 5, 5, 2), "W": (5, 5, 7, 7, 5), "X": (5, 5, 2, 5, 5), "Y": (5, 5, 2, 2, 2),
    "Z": (7, 1, 2, 4, 7), "?": (7, 1, 2, 0, 2), "-": (0, 0, 7, 0, 0),
}  # fmt: skip
"""Letters and digits of 3 x 5 dots, three bits a row."""


def marks(game: GridGame) -> dict[str, str]:
    """Return resource -> its mark in pictures: two letters, or a letter and a number where names begin alike."""
    found: dict[str, str] = {}
    for each in game.resources:
        letters = "".join(letter for letter in each.name.upper() if letter.isascii() and letter.isalnum()) or "?"
        choices = [letters[0] + letter for letter in letters[1:]] + [f"{letters[0]}{number}" for number in range(10)]
        found[each.name] = next((mark for mark in choices if mark not in found.values()), "??")
    return found


def legend(game: GridGame) -> str:
    """Return what marks and shapes in pictures mean, as a sentence."""
    named = ", ".join(f"{mark} {name}" for name, mark in marks(game).items())
    events = ", ".join(f"{marks(game)[next(iter(recipe.makes))]} {recipe.name}" for recipe in game.recipes)
    hostile = "a red square a hostile creature, " if game.hostiles else ""
    shapes = f"A disc with a number is a player, a grey square a block, {hostile}a mark with a number of units a pile"
    return f"{shapes}: {named}. A frame with a mark is the cell of an event: {events}. Nothing is known of dark cells."


def draw_view(game: GridGame, grid: Array, size: tuple[int, int]) -> bytes:
    """Return what an agent sees as a PNG file.

    Args:
        game: The game.
        grid: The agent's part `grid` of `grid_games.observe`, shape (2+2R, rows, columns), itself in the middle.
        size: Width and height of the picture, in pixels.
    """
    width, height = size
    _, rows, columns = grid.shape
    side = max(1, min(width // columns, height // rows))
    canvas: Pixels = np.full((height, width, 3), MARGIN, np.uint8)
    left, top = (width - side * columns) // 2, (height - side * rows) // 2
    names = marks(game)
    for row in range(rows):
        for column in range(columns):
            cell = canvas[top + row * side : top + (row + 1) * side, left + column * side : left + (column + 1) * side]
            known = _in_window(game, row - rows // 2, column - columns // 2)
            _draw_cell(game, names, cell, grid[:, row, column], known=known)
    return encode_png(width, height, canvas.tobytes())


def _in_window(game: GridGame, down: int, right: int) -> bool:
    """Return True for a cell that the agent sees itself."""
    return not game.full_map or max(abs(down), abs(right)) <= game.view


def _draw_cell(game: GridGame, names: Mapping[str, str], cell: Pixels, layers: Array, *, known: bool) -> None:
    """Draw a cell from its layers: player, block, events, piles; `names` are the marks of resources."""
    cell[:] = FLOOR if known or layers.any() else DARK
    side = len(cell)
    if side < 4:
        return
    cell[0, :] = cell[:, 0] = LINE if known or layers.any() else MARGIN
    if layers[1]:
        cell[1:, 1:] = HOSTILE_COLOUR if layers[1] == HOSTILE else BLOCK
    size, edge = len(game.resources), max(1, side // 12) + 2
    events, piles = layers[LAYERS : LAYERS + size], layers[LAYERS + size :]
    for recipe in game.recipes:
        number = game.resource(next(iter(recipe.makes)))
        if events[number] > 0:
            _frame(cell, HUES[number % len(HUES)])
            write_text(cell, names[game.resources[number].name], edge, side - GLYPH_HEIGHT * _dot(side) - edge + 1, INK)
    shown = [(number, int(count)) for number, count in enumerate(piles.tolist()) if count]
    for place, (number, count) in enumerate(shown[:3]):
        write_text(
            cell, f"{names[game.resources[number].name]}{count}", edge, edge + place * (GLYPH_HEIGHT + 1) * _dot(side),
            HUES[number % len(HUES)],
        )  # fmt: skip
    if layers[0]:
        agent = int(layers[0]) - 1
        _disc(cell, PLAYERS[agent % len(PLAYERS)])
        text, dot = str(agent), _dot(side)
        across = (len(text) * (GLYPH_WIDTH + 1) - 1) * dot
        write_text(cell, text, (side - across) // 2, (side - GLYPH_HEIGHT * dot) // 2, PAPER)


def _dot(side: int) -> int:
    """Return the pixels of a letter's dot in a cell."""
    return max(1, side // 20)


def _frame(cell: Pixels, colour: Colour) -> None:
    thick = max(1, len(cell) // 12)
    inner = cell[1:, 1:]
    inner[:thick] = inner[-thick:] = colour
    inner[:, :thick] = inner[:, -thick:] = colour


def _disc(cell: Pixels, colour: Colour) -> None:
    side = len(cell)
    middle, radius = (side - 1) / 2, side * 0.36
    down, right = np.ogrid[:side, :side]
    cell[(down - middle) ** 2 + (right - middle) ** 2 <= radius**2] = colour


def write_text(cell: Pixels, text: str, x: int, y: int, colour: Colour, dot: int | None = None) -> None:
    """Write a text with its upper left corner at a place in the cell; what does not fit is cut.

    Args:
        cell: Pixels to write on.
        text: Capital letters, digits and minus signs.
        x: Pixels from the left.
        y: Pixels from the top.
        colour: Colour of the letters.
        dot: Pixels of a letter's dot; None for one that suits the cell.
    """
    dot = dot or _dot(len(cell))
    for place, letter in enumerate(text):
        for row, bits in enumerate(_ROWS.get(letter, _ROWS["?"])):
            for column in range(GLYPH_WIDTH):
                if bits >> (GLYPH_WIDTH - 1 - column) & 1:
                    left, top = x + (place * (GLYPH_WIDTH + 1) + column) * dot, y + row * dot
                    if left >= 0 and top >= 0:
                        cell[top : top + dot, left : left + dot] = colour
