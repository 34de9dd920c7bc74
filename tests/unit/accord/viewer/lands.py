"""Records whose land can be built, for tests of the page in three dimensions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from dilemmas.scenarios.registry import load_scenario
from tests.unit.accord.viewer.records import a_ground, line, started


def a_config(directory: Path, name: str = "double-vein", **changes: Any) -> None:  # noqa: ANN401
    """Write the config.yaml of a run; `changes` are laid over its top level."""
    data = {
        "seed": 0,
        "settings": {"scenario": name, "world": "mock", "terrain": "flat"},
        "scenario": load_scenario(name).spec.resolved(),
    }
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "config.yaml").write_text(yaml.safe_dump({**data, **changes}), encoding="utf-8")


def a_building(directory: Path, players: list[str], extra: Sequence[str] = ()) -> Path:
    """Write a run in which the first player builds a wall of gold and digs a hole, and the world is built twice.

    The lines `extra` come at the end of the last episode.
    """
    a_config(directory)
    gold = [[x, -60, 6, "gold_block"] for x in range(4)]
    lines = [started(players)]
    for _ in range(2):
        lines += [
            line(1, "episode_started", attempt=1),
            line(2, "world_built", commands=3, wall_ms=0.0),
            a_ground(3),
            line(4, "policies_started", players=players),
            line(5, "places", t_s=0.0, at={name: [2.0 * n, -60.0, 2.0] for n, name in enumerate(players)}, gone=[]),
            line(5, "inventory", t_s=0.5, bot=players[0], items={"gold_block": 9}, held="gold_block"),
            line(6, "ground_changed", t_s=2.0, changed={players[0]: gold}, tops=[], left_out=0),
            line(7, "ground_changed", t_s=4.0, changed={players[0]: [[2, -61, 3, "air"]]}, tops=[], left_out=2),
            line(8, "places", t_s=5.0, at={name: [2.0 * n, -60.0, 5.0] for n, name in enumerate(players)}, gone=[]),
            line(9, "episode_ended", reason="time", game_s=6.0, players={}),
        ]
    lines[-1:-1] = extra
    lines.append(line(10, "run_ended", None, status="complete", reason=None, result={}))
    (directory / "events.jsonl").write_text("".join(lines), encoding="utf-8")
    (directory / "calls.jsonl").write_text("", encoding="utf-8")
    return directory
