"""A person's view of a grid game: its own observation, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

from dilemmas.modes.grid_people import CELL, GridPeople
from grid_games import Batch, load, observe
from grid_games.picture import DARK, MARGIN, draw_view
from tests.fakes.png import pixels
from voyager_agents.human.grid_view import GridChoice, GridView


class Viewer:
    """Player that keeps what it is shown, and takes its first legal action."""

    name = "viewer"

    def __init__(self) -> None:
        self.views: list[GridView] = []

    def observe(self, observation: object) -> None:
        """Do nothing."""

    def show(self, view: GridView) -> None:
        self.views.append(view)

    async def choose_action(self, view: GridView) -> GridChoice:
        self.show(view)
        return GridChoice(view.actions[0].name)


def shown(batch: Batch, agent: int = 0) -> GridView:
    """Return what an agent's person is shown now."""
    viewer = Viewer()
    GridPeople({agent: viewer}, "Earn.").show(batch, over=False)
    return viewer.views[0]


def advance(batch: Batch, steps: int, seed: int = 0) -> None:
    """Play some steps at random."""
    dice = np.random.default_rng(seed)
    for _ in range(steps):
        batch.step(np.array([[dice.choice(np.flatnonzero(mask)) for mask in batch.mask[0]]]))


@pytest.mark.parametrize("name", ["ada-contract", "ada-exploration", "ada-social-structure", "ada-negotiation"])
@pytest.mark.parametrize("steps", [0, 60])
def test_the_picture_is_that_of_models_without_the_dark_around_it(name: str, steps: int) -> None:
    game = load(name)
    batch = Batch(game, [3])
    advance(batch, steps)
    part = pixels(shown(batch).picture)
    cells = observe(batch)["grid"][0, 0]
    _, rows, columns = cells.shape
    high, wide, _ = part.shape
    # Either all rows are drawn, or as many above as below.
    fits = [each for each in range(CELL, 0, -1) if high % each == wide % each == 0]
    side = next(each for each in fits if (high // each) % 2 or high // each == rows)
    whole = pixels(draw_view(game, cells, (side * columns, side * rows))).copy()
    top, left = ((size // 2 - length // side // 2) * side for size, length in ((rows, high), (columns, wide)))
    inside = (slice(top, top + high), slice(left, left + wide))
    assert np.array_equal(whole[inside], part)
    whole[inside] = DARK
    assert {tuple(each) for each in whole.reshape(-1, 3).tolist()} <= {DARK, MARGIN}


def test_what_others_hold_changes_nothing_that_a_person_is_shown() -> None:
    batch = Batch(load("ada-contract"), [1])
    advance(batch, 30)
    before = shown(batch)
    batch.world.inventory[1:] += 1
    batch.rewards[0, 1:] += 5
    after = shown(batch)
    assert (after, after.picture) == (before, before.picture)
    batch.world.inventory[0] += 1
    assert shown(batch).holds != before.holds


async def test_a_choice_becomes_the_action_of_its_own_agent() -> None:
    batch = Batch(load("ada-contract"), [1])
    viewers = {2: Viewer(), 0: Viewer()}
    people = GridPeople(viewers, "Earn.")
    advance(batch, 20)
    chosen = await people.choose(batch, observe(batch))
    assert list(chosen) == [2, 0]
    for agent, viewer in viewers.items():
        [view] = viewer.views
        assert str(batch.actions[chosen[agent].action]) == view.actions[0].name
        assert [option.name for option in view.actions] == [
            str(action) for action, legal in zip(batch.actions, batch.mask[0, agent], strict=True) if legal
        ]
        assert (view.step, view.role) == (21, batch.game.role_of(agent).name)
