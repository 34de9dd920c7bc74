"""Poignancy (importance, 1 to 10) of an observation by a fixed rule on the kind of event.

The rule applies if no model rates observations, and if the model's ratings are unusable.
"""

from __future__ import annotations

from typing import Literal

Matter = Literal[
    "attacked", "attack", "last_apple", "spoken", "court", "take", "grown", "gone", "player", "tree", "cell", "event"
]  # fmt: skip

POIGNANCY: dict[Matter, int] = {
    "attacked": 10,
    "last_apple": 9,
    "attack": 8,
    "court": 7,
    "spoken": 6,
    "take": 5,
    "grown": 4,
    "gone": 4,
    "event": 4,
    "player": 3,
    "tree": 2,
    "cell": 1,
}
"""Kind of event -> poignancy, 1 to 10.

`attacked` is an attack on the agent, `attack` any other attack, `last_apple` a take of a tree's last apple, `court` a
finding of the council's court. `grown` and `gone` are changes of apples; `player`, `tree` and `cell` are new sights.
"""
