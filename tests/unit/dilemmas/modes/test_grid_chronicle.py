"""Events of a grid game: exchanges, changes of the society, bargains, degrees; and the world that does not exist."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from accord.analysis.grid_sentences import sentences_of
from bridge.errors import BridgeError, CommandError
from bridge.types import Limits
from bridge.worlds import open_world
from dilemmas.errors import RecordError
from dilemmas.modes.grid_chronicle import GridChronicle
from dilemmas.modes.grid_table import Moves
from dilemmas.records.events import Event, GridFault, SocietyChanged
from dilemmas.records.trajectories import read_trajectory, write_trajectory
from dilemmas.scenarios.ada.game import choice_range
from grid_games import Batch, GridAction, load
from grid_games.core.tables import STAY

NAMES = ("explorer_0", "explorer_1")


class Scene:
    """Two explorers in a row of three cells, with wood in the first."""

    def __init__(self) -> None:
        game = load(
            "ada-exploration",
            size=[1, 3],
            blocks=0,
            players={"explorer": 2},
            piles={"wood": [1, 2]},
            events={},
            steps=40,
        )
        seed = next(seed for seed in range(99) if self._fits(Batch(game, [seed])))
        self.batch = Batch(game, [seed])
        self.chronicle = GridChronicle(self.batch, NAMES)
        self.numbers = {str(action): number for number, action in enumerate(self.batch.actions)}

    @staticmethod
    def _fits(batch: Batch) -> bool:
        """Return True if the first explorer stands on the wood, and the second to its right."""
        wood = int(batch.world.piles[:, 0].argmax())
        return batch.places[0].tolist() == [wood, (wood + 1) % 3]

    def step(self, first: str, second: str = "stay", **more: Any) -> list[Event]:  # noqa: ANN401
        self.chronicle.before_step()
        moves = Moves(np.array([[self.numbers[first], self.numbers[second]]]), None, **more)
        return list(self.chronicle.record_step(moves, self.batch.step(moves.actions)))


def test_an_item_dropped_by_one_and_picked_up_by_another_is_an_exchange() -> None:
    scene = Scene()
    assert scene.step("pick wood") == []
    assert scene.step("dump wood") == []
    # The way round is free: the first leaves, the second comes.
    scene.step("left")
    scene.step("stay", "left")
    (event,) = scene.step("stay", "pick wood")
    assert [(each.player, each.text, each.to) for each in sentences_of(event)] == [
        ("explorer_1", "picks up wood of explorer_0", "explorer_0")
    ]
    # Lower units were nobody's, and taking back one's own unit is no exchange.
    assert scene.step("stay", "pick wood") == []
    assert scene.step("stay", "dump wood") == []
    assert scene.step("stay", "pick wood") == []


def test_groups_and_edges_are_logged_as_changes() -> None:
    scene = Scene()
    assert list(scene.chronicle.initial_events()) == []
    (event,) = scene.step("join 1", "share 0")
    assert event == SocietyChanged(step=1, shows=[("explorer_1", "explorer_0")], groups={"explorer_0": {1: 1.0}})
    (event,) = scene.step("stay", "join 1")
    assert event == SocietyChanged(step=2, groups={"explorer_0": {1: 0.5}, "explorer_1": {1: 0.5}})
    (event,) = scene.step("join 0", "share 0")
    assert isinstance(event, SocietyChanged)
    assert event.hides == [("explorer_1", "explorer_0")]
    assert scene.step("stay") == []
    now, over_time = scene.chronicle.last_degrees(), scene.chronicle.degrees_over_time()
    assert (now["group"].mean_in, now["agent"].max_out) == (1.0, 1)
    # Edges at one of five samples, and memberships of 0, 1, 2, 2 and 2 agents.
    assert over_time["agent"].mean_in == pytest.approx((0 + (1 + 1) / 2 + (2 + 1) / 2 + 1 + 1) / 5)
    assert over_time["group"].max_in == 2


def test_a_fault_is_logged_and_counted() -> None:
    scene = Scene()
    (event,) = scene.step("stay", faults={"explorer_1": "no JSON"}, stood_in={"explorer_1": "random"})
    assert event == GridFault(step=1, player="explorer_1", fault="no JSON", stood_in="random")
    assert scene.chronicle.faults == {"explorer_0": 0, "explorer_1": 1}


def test_a_bargain_yields_events_from_request_to_share() -> None:
    batch = Batch(load("ada-negotiation"), [0])
    names = [f"p{agent}" for agent in range(4)]
    chronicle, seen = GridChronicle(batch, names), []
    wanted = [
        {0: GridAction("request", 2), 2: GridAction("request", 0)},
        {2: GridAction("claim", 0.6)},
        {0: GridAction("accept")},
    ]
    # The step's parity decides the turn.
    wanted.insert(1, {0: GridAction("claim", 0.7)} if batch.time[0] % 2 else {})
    for wishes in wanted:
        chronicle.before_step()
        acts = np.full((1, 4), STAY)
        for agent, action in wishes.items():
            acts[0, agent] = batch.actions.index(action)
        seen += [
            each for event in chronicle.record_step(Moves(acts, None), batch.step(acts)) for each in sentences_of(event)
        ]
    assert [(each.player, each.text, each.to) for each in seen][:3] == [
        ("p0", "asks to bargain", "p2"),
        ("p2", "asks to bargain", "p0"),
        ("p0", "bargains", "p2"),
    ]


def test_a_player_has_a_choice_in_its_turns_and_while_all_work() -> None:
    assert choice_range(load("ada-contract"), 120) == (5 + 100, 5 + 100)
    assert choice_range(load("ada-contract"), 22) == (5 + 2, 5 + 2)
    assert choice_range(load("ada-contract"), 6) == (1, 2)
    assert choice_range(load("ada-negotiation"), 120) == (100, 120)
    assert choice_range(load("ada-social-structure"), 999) == (200, 200)


def test_a_trajectory_is_the_same_bytes_and_no_code(tmp_path: Path) -> None:
    arrays = {"a": np.arange(6).reshape(2, 3), "names": np.array(["x", "yy"])}
    paths = [tmp_path / each / write_trajectory(tmp_path / each, 1, arrays) for each in ("one", "two")]
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert (read_trajectory(paths[0])["a"] == arrays["a"]).all()
    np.savez(tmp_path / "bad.npz", a=np.array([{}], dtype=object))
    (tmp_path / "torn.npz").write_bytes(paths[0].read_bytes()[:50])
    for name in ("bad.npz", "torn.npz", "gone.npz"):
        with pytest.raises(RecordError, match=r"\.npz: not a trajectory"):
            read_trajectory(tmp_path / name)


async def test_no_world_is_no_world_and_answers_keep_their_order(tmp_path: Path) -> None:
    async with open_world("none", seed=0, log_dir=tmp_path) as world:
        assert (world.address, await world.now(), await world.sense(["Gizmo"])) == (None, 0, {})
        with pytest.raises(CommandError, match="there is no world here"):
            await world.command("say hello")
        assert [type(each) for each in await world.commands(["a", "b"])] == [CommandError] * 2
        with pytest.raises(BridgeError, match="programs need a world"):
            await world.run({"Gizmo": ""}, Limits(wall_s=1))
        done: list[int] = []
        gates = [asyncio.Event() for _ in range(3)]

        async def answer(number: int) -> None:
            await gates[number].wait()
            if number == 1:
                raise KeyError(number)

        async def ask(number: int) -> None:
            try:
                await world.after(2, answer(number))
            finally:
                done.append(number)

        tasks = [asyncio.create_task(ask(number)) for number in range(3)]
        for number in (2, 1, 0):
            gates[number].set()
            await asyncio.sleep(0)
        errors = await asyncio.gather(*tasks, return_exceptions=True)
        assert done == [0, 1, 2]
        assert [type(each) for each in errors] == [type(None), KeyError, type(None)]
        # A cancelled caller delays nobody.
        stuck = asyncio.create_task(ask(0))
        gates[0].clear()
        await asyncio.sleep(0)
        stuck.cancel()
        await world.after(0, answer(2))
        assert [type(each) for each in await asyncio.gather(stuck, return_exceptions=True)] == [asyncio.CancelledError]
