"""Drawings of grid games: their size, that they repeat, and that they show what the agent may see and nothing else."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from common.png import png_size
from grid_games import Batch, observe
from grid_games.loader import load
from grid_games.picture import BLOCK, DARK, FLOOR, draw_view, legend, marks
from tests.fakes.png import pixels

SIZE = (512, 288)


def cell(picture: NDArray[np.uint8], shape: tuple[int, int], at: tuple[int, int]) -> set[tuple[int, ...]]:
    """Return the colours in a cell of a drawing."""
    (rows, columns), (height, width) = shape, picture.shape[:2]
    side = min(width // columns, height // rows)
    top, left = (height - side * rows) // 2 + at[0] * side, (width - side * columns) // 2 + at[1] * side
    return {tuple(each) for each in picture[top + 1 : top + side, left + 1 : left + side].reshape(-1, 3).tolist()}


@pytest.mark.parametrize("name", ["ada-contract", "ada-exploration", "ada-social-structure", "ada-negotiation"])
def test_a_drawing_has_the_asked_size_and_repeats(name: str) -> None:
    game = load(name)
    grid = observe(Batch(game, [1]))["grid"][0, 0]
    drawn = draw_view(game, grid, SIZE)
    assert png_size(drawn) == SIZE
    assert drawn == draw_view(game, grid.copy(), SIZE)
    assert len(set(marks(game).values())) == len(game.resources)
    assert all(each.name in legend(game) for each in game.resources)


def test_cells_that_nobody_shows_are_dark() -> None:
    game = load("ada-exploration")
    grid = observe(Batch(game, [1]))["grid"][0, 0]
    _, rows, columns = grid.shape
    picture = pixels(draw_view(game, grid, SIZE))
    for row in range(rows):
        for column in range(columns):
            away = max(abs(row - rows // 2), abs(column - columns // 2))
            found = cell(picture, (rows, columns), (row, column))
            if not grid[:, row, column].any():
                assert found == ({FLOOR} if away <= game.view else {DARK})


def test_what_an_agent_may_not_see_changes_no_pixel() -> None:
    # Resources that need an item are zeros in the array of an agent without it.
    game = load("ada-exploration")
    batch = Batch(game, [1])
    before = draw_view(game, observe(batch)["grid"][0, 0], SIZE)
    hidden = [number for number, each in enumerate(game.resources) if each.requires]
    assert hidden
    grid = observe(batch)["grid"][0, 0]
    piles = grid[-len(game.resources) :]
    assert not piles[hidden].any()
    shown = grid.copy()
    shown[-len(game.resources) + hidden[0], 0, 0] = 7
    assert draw_view(game, shown, SIZE) != before


def test_blocks_and_players_are_drawn() -> None:
    game = load("ada-contract")
    grid = np.zeros_like(observe(Batch(game, [1]))["grid"][0, 0])
    empty = draw_view(game, grid, SIZE)
    grid[1, 0, 0] = 1
    assert cell(pixels(draw_view(game, grid, SIZE)), grid.shape[1:], (0, 0)) == {BLOCK}  # type: ignore[arg-type]
    grid[0, 1, 1] = 2
    assert draw_view(game, grid, SIZE) != empty
