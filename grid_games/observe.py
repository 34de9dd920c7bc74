"""Observations as named arrays: each agent's own view of the world, and the whole social graph."""

from __future__ import annotations

import numpy as np

from grid_games.arrays import Parts
from grid_games.batch import Batch


def observe(batch: Batch) -> Parts:
    """Return each agent's observation; all parts are copies of shape (B, N, ...).

    `grid` (2+2R, rows, columns): agent index + 1, block, R layers of events (product +, inputs -), R layers of amounts.
    `inventory` (R). `social_state` (M, M): rows receive, columns give. `time` (1). `player_id` (M). `action_mask` (A).
    The game's rules add `communication`, `proposal`, `final_split` and `available_player`.
    """
    rules, shape = batch.rules, (batch.size, batch.agents)
    state = rules.social_state()
    nodes = state.shape[1]
    parts: Parts = {
        "grid": np.ascontiguousarray(batch.grid()["grid"]),
        "inventory": batch.inventory.copy(),
        "social_state": np.broadcast_to(state[:, None], (*shape, nodes, nodes)).copy(),
        "time": np.broadcast_to(batch.time[:, None, None], (*shape, 1)).copy(),
        "player_id": np.broadcast_to(np.eye(batch.agents, nodes, dtype=np.int8), (*shape, nodes)).copy(),
        **rules.observe(),
        "action_mask": batch.mask.astype(np.int8),
    }
    return parts
