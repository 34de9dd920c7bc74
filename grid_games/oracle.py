"""Upper bounds of total earnings from an integer program, and the maximum earnings without trade.

The oracle ignores time, space, capacities and roles: it takes natural resources from the stock, runs events, and values
each resource at its highest value for any role. A resource with a requirement needs its tool made once. Without trade,
each agent does all this for itself within its capacities. The solver is `scipy.optimize.milp` (the extra `rl`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from grid_games.arrays import Floats
from grid_games.core.tables import UNLIMITED, Tables
from grid_games.errors import GridError
from grid_games.loader import load
from grid_games.spec import GridGame

STORED = Path(__file__).parent / "data" / "oracle.yaml"


@dataclass(frozen=True)
class ExecutionPlan:
    """An optimal plan: its value, the runs of each event, and the units of each resource left."""

    total: float
    executions: Mapping[str, int]
    left: Mapping[str, int]


def plan_of(game: GridGame) -> ExecutionPlan:
    """Return the stored plan if `data/oracle.yaml` has a game with the same stock, recipes and values; otherwise solve.

    Several plans can be optimal (pottery and tools in Exploration), and completion rates depend on the choice. The plan
    is therefore stored.
    """
    for entry in yaml.safe_load(STORED.read_text(encoding="utf-8")):
        if _economy(load(entry["game"], *entry.get("variants", []))) == _economy(game):
            return ExecutionPlan(float(entry["total"]), entry["executions"], entry["left"])
    return solve(game)


def solve(game: GridGame) -> ExecutionPlan:
    """Return the oracle's plan. Raises ImportError without scipy."""
    tables = Tables(game)
    endless = np.full((1, tables.resources), float(UNLIMITED))
    plan = _plan(game, tables, endless, tables.value.max(axis=0)[None])
    return replace(plan, total=plan.total - float((tables.start * tables.value).sum()))


def no_trade(game: GridGame) -> ExecutionPlan:
    """Return the plan with the highest total without dumping or giving: each agent within its capacities and values."""
    tables = Tables(game)
    return _plan(game, tables, tables.capacity.astype(np.float64), tables.value)


def _economy(game: GridGame) -> tuple[Any, ...]:
    best = Tables(game).value.max(axis=0).tolist()
    return (
        game.resources,
        game.recipes,
        sorted((each.resource, each.count * each.amount) for each in game.piles),
        best,
        Tables(game).start.sum(axis=0).tolist(),
    )


def _plan(game: GridGame, tables: Tables, capacity: Floats, value: Floats) -> ExecutionPlan:
    """Solve for P parties with (P, R) capacities and values, which share only the stock."""
    parties, kinds, events, gates = len(capacity), tables.resources, tables.events, len(game.gates)
    width = kinds + events + gates
    blocks = [_party(game, tables, capacity[party]) for party in range(parties)]
    stock = _stock(game)
    size, rows = parties * width, sum(len(block[0]) for block in blocks) + kinds
    matrix, low, high, best, top, row = np.zeros((rows, size)), [], [], np.zeros(size), np.zeros(size), 0
    for party, (block, lower, upper, bound) in enumerate(blocks):
        columns = slice(party * width, (party + 1) * width)
        matrix[row : row + len(block), columns] = block
        matrix[-kinds:, columns][:, :kinds] = np.eye(kinds)
        best[columns] = value[party] @ block[:kinds]
        top[columns] = bound
        low += lower
        high += upper
        row += len(block)
    found = _milp(matrix, [*low, *[0.0] * kinds], [*high, *stock], best, top).reshape(parties, width)
    runs, left = found[:, kinds : kinds + events].sum(axis=0), (found @ blocks[0][0][:kinds].T).sum(axis=0)
    return ExecutionPlan(
        float(best @ found.reshape(-1)),
        {recipe.name: int(count) for recipe, count in zip(game.recipes, runs, strict=True)},
        {each.name: int(count) for each, count in zip(game.resources, left, strict=True)},
    )


def _stock(game: GridGame) -> list[float]:
    units = dict.fromkeys((each.name for each in game.resources), 0.0)
    for pile in game.piles:
        units[pile.resource] += pile.count * pile.amount
    return [
        units[each.name] + float(held)
        for each, held in zip(game.resources, Tables(game).start.sum(axis=0), strict=True)
    ]


def _party(game: GridGame, tables: Tables, capacity: Floats) -> tuple[Floats, list[float], list[float], Floats]:
    """Return the rows, their bounds, and the columns' bounds of one party.

    Columns are the units taken of each resource, the runs of each event, and a flag per requirement. The first R rows
    give the units left of each resource.
    """
    kinds, events, gates = tables.resources, tables.events, len(game.gates)
    stock = np.array(_stock(game))
    most = stock.sum()
    left = np.hstack([np.eye(kinds), tables.net[1 + 2 * kinds :].T, np.zeros((kinds, gates))])
    rows, low, high = list(left), [0.0] * kinds, [float(each) for each in capacity]
    had = np.hstack([np.eye(kinds), np.maximum(tables.net[1 + 2 * kinds :], 0).T, np.zeros((kinds, gates))])
    for index, (name, amount) in enumerate(game.gates):
        gate = kinds + events + index
        held = had[game.resource(name)].copy()
        held[gate] = -amount
        rows, low, high = [*rows, held], [*low, 0.0], [*high, np.inf]
        for column in _hidden(game, (name, amount)):
            row = np.zeros(left.shape[1])
            row[column], row[gate] = -1.0, most
            rows, low, high = [*rows, row], [*low, 0.0], [*high, np.inf]
    can = (capacity >= tables.need[1:]).all(axis=1)
    bound = np.concatenate([np.where(capacity > 0, stock, 0.0), np.where(can, most, 0.0), np.ones(gates)])
    return np.array(rows), low, high, bound


def _hidden(game: GridGame, gate: tuple[str, int]) -> list[int]:
    """Return the columns of everything hidden by a requirement."""
    piles = [index for index, each in enumerate(game.resources) if gate in each.requires.items()]
    events = [index for index, each in enumerate(game.recipes) if gate in each.requires.items()]
    return piles + [len(game.resources) + index for index in events]


def _milp(matrix: Floats, low: list[float], high: list[float], best: Floats, top: Floats) -> Floats:
    """Return the whole numbers from 0 to `top` that maximize `best`."""
    try:
        from scipy.optimize import Bounds, LinearConstraint, milp
    except ImportError as error:
        raise ImportError("the oracle needs scipy: install the extra with pip install 'accord-mc[rl]'") from error
    found = milp(
        -best,
        constraints=LinearConstraint(matrix, low, high),
        bounds=Bounds(np.zeros(len(top)), top),
        integrality=np.ones(len(top)),
        options={"mip_rel_gap": 0.0},
    )
    if not found.success:
        raise GridError(f"the oracle's program has no solution: {found.message}")
    return np.asarray(np.round(found.x))
