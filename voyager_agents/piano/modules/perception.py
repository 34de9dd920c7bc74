"""Perception: current percepts from the body's senses, and recently heard words."""

from __future__ import annotations

from collections import Counter

from voyager_agents.piano.module import Module, Result, SlotView, When
from voyager_agents.piano.slots import Percepts

DAY, DARK = 24000, 13000
"""Length of a day, and the time at which night begins, in ticks (20 per second)."""
KEPT = 8
"""Number of recent utterances to keep in `hearing`."""


def rule(view: SlotView) -> Result:
    """Return the percepts from the latest senses, and append newly heard words."""
    feel, sight = view["feel"], view["sight"]
    percepts = Percepts(
        at=feel.position,
        health=feel.health,
        food=feel.food,
        items=feel.items,
        held=feel.held,
        day=(view["persona"].get("day_start", 0) + view.now * 20) % DAY < DARK,
        players=sight.players,
        mobs=sight.mobs,
        blocks=dict(Counter([each.block for each in sight.blocks])),
    )
    writes = {"percepts": percepts}
    if view["ears"]:
        return Result({**writes, "hearing": (*view["hearing"], *view["ears"])[-KEPT:]})
    return Result(writes)


MODULE = Module(
    name="perception",
    reads=("persona", "feel", "sight", "ears", "hearing"),
    writes=("percepts", "hearing"),
    when=When(every_s=1.0, events=("heard", "hurt")),
    rule=rule,
)
