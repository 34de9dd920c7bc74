"""Perception: what the body senses, and what was said within hearing, put together."""

from __future__ import annotations

from collections import Counter

from voyager_agents.piano.module import Module, Result, SlotView, When
from voyager_agents.piano.slots import Percepts

DAY, DARK = 24000, 13000
"""Ticks of a day, and after how many of them it gets dark."""
KEPT = 8
"""Words heard that stay at hand."""


def rule(view: SlotView) -> Result:
    """Return the latest of each sense."""
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
