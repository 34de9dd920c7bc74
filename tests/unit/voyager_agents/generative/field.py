"""Small field of apple trees for tests: apples grow randomly from one seed, and players reach any target at once."""

from __future__ import annotations

import asyncio
import json
import random
from collections.abc import Mapping
from typing import Any

from voyager_agents.commons_harvest import HarvestAct, HarvestDecision, HarvestTurn, Place, Seen
from voyager_agents.generative.assembly import GenerativeFamily

SIZE: Place = (12, 8)
TREES = ("tree 1", "tree 2", "tree 3")
OUT_FOR = 2
SIGHT = 6


class Field:
    """Scenario without a world, seen from its players: it issues turns and takes decisions."""

    def __init__(self, players: tuple[str, ...], seed: int = 0, grows: float = 0.05) -> None:
        self.players = players
        self._random = random.Random(seed)
        self._grows = grows
        self.at: dict[str, Place] = {name: (number * 4, 0) for number, name in enumerate(players)}
        centres = ((2, 3), (6, 5), (10, 3))
        self.cells = {
            (x + across, z + down): tree
            for tree, (x, z) in zip(TREES, centres, strict=True)
            for across in (-1, 0, 1)
            for down in (0, 1)
        }
        self.apples = set(self.cells)
        self.taken = dict.fromkeys(players, 0)
        self.out = dict.fromkeys(players, 0)
        self.round = 0
        self._deeds: list[HarvestAct] = []
        self._said: list[tuple[str, str]] = []

    def turns(self) -> dict[str, HarvestTurn]:
        """Return the next round's turns."""
        self.round += 1
        return {name: self._turn(name) for name in self.players}

    def play(self, decisions: Mapping[str, HarvestDecision]) -> list[HarvestAct]:
        """Play the round and return its actions in order."""
        self._deeds = []
        self._said = [(name, each.say) for name, each in decisions.items() if each.say]
        for name, decision in decisions.items():
            if self.out[name]:
                self.out[name] -= 1
            else:
                self._do(name, decision)
        for cell in sorted(set(self.cells) - self.apples):
            near = sum((cell[0] - x) ** 2 + (cell[1] - z) ** 2 <= 4 for x, z in self.apples)
            if near and self._random.random() < self._grows * near:
                self.apples.add(cell)
        return list(self._deeds)

    def left(self, tree: str) -> int:
        """Return the number of apples on a tree."""
        return sum(self.cells[cell] == tree for cell in self.apples)

    def _do(self, name: str, decision: HarvestDecision) -> None:
        if decision.move in ("go", "explore") and decision.to is not None:
            self.at[name] = decision.to
            if decision.to in self.apples:
                self.apples.remove(decision.to)
                self.taken[name] += 1
                tree = self.cells[decision.to]
                self._deeds.append(HarvestAct("take", name, decision.to, tree, self.left(tree)))
        elif decision.move == "immobilize" and decision.to is not None:
            hit = self.at[decision.target] == decision.to and not self.out[decision.target]
            self.out[decision.target] += OUT_FOR * hit
            self._deeds.append(HarvestAct("attack", name, decision.to, target=decision.target, hit=hit))

    def _turn(self, name: str) -> HarvestTurn:
        here = self.at[name]
        seen = [Seen("apple" if cell in self.apples else "bare", cell, tree) for cell, tree in self.cells.items()]
        seen += [Seen("player", at, other) for other, at in self.at.items() if other != name]
        near = sorted(
            (each for each in seen if max(abs(each.at[0] - here[0]), abs(each.at[1] - here[1])) <= SIGHT),
            key=lambda each: (abs(each.at[0] - here[0]) + abs(each.at[1] - here[1]), each.at, each.name),
        )
        return HarvestTurn(
            name,
            self.players,
            self.round,
            here,
            SIZE,
            tuple(near),
            said=tuple(self._said),
            deeds=tuple(self._deeds),
            apples=self.taken[name],
            out=self.out[name] > 0,
        )


async def play(family: GenerativeFamily, field: Field, rounds: int) -> list[dict[str, Any]]:
    """Play all rounds like a scenario in rounds, and return the lines that it would log."""
    lines: list[dict[str, Any]] = []

    def log(kind: str, data: Mapping[str, Any]) -> None:
        lines.append({"seq": len(lines), "kind": kind, "data": json.loads(json.dumps(data))})

    for _ in range(rounds):
        turns = field.turns()
        for entry in await family.council.talk(turns) if family.council else ():
            log("council", {"entry": entry})
        names = list(family.agents)
        chosen = await asyncio.gather(*(family.agents[name].take_turn(turns[name]) for name in names))
        for name, each in zip(names, chosen, strict=True):
            log("decision", {"player": name, "move": each.move, "to": each.to, "say": each.say, "fault": each.fault})
        deeds = field.play(dict(zip(names, chosen, strict=True)))
        for entry in family.council.judge(field.round, deeds) if family.council else ():
            log("council", {"entry": entry})
    for entry in family.council.close(field.round) if family.council else ():
        log("council", {"entry": entry})
    return lines
