"""Living players without a goal in the society: one acts at random, and one destroys what others work with."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bridge.types import Sensed
from voyager_agents.realtime_agent import Act, Body, Clock, Doing, PrimitiveCall

PAUSE_S = 1.0
"""Game seconds between two looks at the own act."""
STEP = 12
"""Maximum distance of a walk along each axis, in blocks."""
SPOILS = ("crafting_table", "furnace", "chest", "wheat", "carrots", "potatoes", "red_mushroom_block")
"""Blocks that a saboteur breaks, those that most others need first."""


class LivingRandom:
    """Agent that draws each act uniformly: to walk somewhere near, or to mine one of the kinds of blocks in sight."""

    def __init__(self, name: str, seed: int) -> None:
        """Create the agent; its acts depend on what it senses, its name and the seed alone."""
        self.name = name
        self._draw = random.Random(f"living:{seed}:{name}")
        self._failed: set[str] = set()
        """Labels of acts that failed, as those that need a tool."""

    async def live(self, body: Body, clock: Clock) -> None:
        """Act until cancelled."""
        doing: Doing | None = None
        while True:
            if doing is None or doing.outcome is not None:
                if doing is not None and doing.outcome is not None and doing.outcome.ended == "failed":
                    self._failed.add(doing.act.label)
                doing = body.do(self.next_act(body.sense()))
            await clock.sleep(PAUSE_S)

    def next_act(self, seen: Sensed) -> Act:
        """Return the next act."""
        return self._draw.choice([self.walk(seen), *self.digs(seen)])

    def walk(self, seen: Sensed) -> Act:
        """Return a walk to a place drawn at random."""
        x, y, z = seen.position
        at = {
            "x": round(x) + self._draw.randint(-STEP, STEP),
            "y": round(y),
            "z": round(z) + self._draw.randint(-STEP, STEP),
        }
        return Act("walk about", (PrimitiveCall("goTo", (at, 2)),), limit_s=20.0)

    def digs(self, seen: Sensed) -> Iterator[Act]:
        """Yield the ways to mine, one for each kind of block in sight."""
        for name in sorted({each.block for each in seen.blocks}):
            yield self.dig(name)

    def dig(self, block: str) -> Act:
        """Return an act that mines one block of a kind."""
        return Act(f"break {block}", (PrimitiveCall("mineBlock", (block, 1)),), limit_s=30.0)


class LivingSaboteur(LivingRandom):
    """Agent that breaks workplaces, chests and crops in sight, and looks for more."""

    def next_act(self, seen: Sensed) -> Act:
        """Return the next act."""
        found = {each.block for each in seen.blocks}
        acts = (self.dig(block) for block in SPOILS if block in found)
        return next((act for act in acts if act.label not in self._failed), self.walk(seen))
