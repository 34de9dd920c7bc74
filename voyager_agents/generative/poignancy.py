"""Importance of an observation, 1 to 10, by a stated rule: by the kind of event, not by its words.

The rule stands where no model rates, and where the model's ratings cannot be read.
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
"""Kind of event -> its poignancy: an attack on oneself, a tree's last apple, an attack on another or by oneself, a
promise kept or broken, something said, an apple taken, one grown or gone, and things in sight."""
