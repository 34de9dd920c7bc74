"""World for scenarios in rounds: moves succeed at once, and their effects are reported in vanilla's words."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import AsyncIterator, Mapping

from bridge.errors import CommandError
from bridge.types import Event, Limits, PolicyResult, ProgramOutcome
from dilemmas.scenarios.commons_harvest.spec import CommonsSpec
from tests.fakes.one_by_one import OneByOne

Place = tuple[int, int]


class RoundsWorld(OneByOne):
    """World that answers a round scenario's queries and executes the calls of programs."""

    name = "fake"
    capabilities = frozenset({"scoreboard", "spectators"})
    address = None

    def __init__(self, spec: CommonsSpec, *, hits: bool = True, lost: str = "") -> None:
        self.apples = {cell for tree in spec.world.field.trees for cell in tree.cells}
        self.at: dict[str, Place] = {name: (each.spawn[0], each.spawn[2]) for name, each in spec.players.items()}
        self.scores: dict[str, Counter[str]] = {name: Counter() for name in self.at}
        self.attackers: dict[str, tuple[str, int]] = {}
        self.runs: list[dict[str, str]] = []
        self.tick = 0
        self._hits = hits
        self._lost = lost

    async def now(self) -> int:
        return self.tick

    async def sleep(self, seconds: float) -> None:
        self.tick += round(seconds * 20)

    async def events(self) -> AsyncIterator[Event]:
        for event in ():
            yield event

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        self.runs.append(dict(policies))
        self.tick += 10
        for player, source in policies.items():
            self._carry_out(player, source)
        return {
            player: PolicyResult(
                player, ProgramOutcome.INFRASTRUCTURE if player == self._lost else ProgramOutcome.RETURNED
            )
            for player in policies
        }

    def _carry_out(self, player: str, source: str) -> None:
        if to := re.search(r"new Vec3\((-?\d+), -60, (-?\d+)\)", source):
            self.at[player] = (int(to[1]), int(to[2]))
        if "bot.dig" in source and self.at[player] in self.apples:
            self.apples.remove(self.at[player])
            self.scores[player]["mined_poppy"] += 1
        if self._hits and (target := re.search(r'immobilize\(bot, "(\w+)"', source)):
            self.attackers[target[1]] = (player, self.tick)
            self.scores[player]["dealt"] += 10

    async def command(self, text: str) -> str:
        if text.endswith("run scoreboard players list @s"):
            return "\n".join(self._listed(name) for name in self.at)
        if text.endswith("run data get entity @s Pos"):
            places = {name: f"[{x + 0.5}d, -60.0d, {z + 0.5}d]" for name, (x, z) in self.at.items()}
            return "\n".join(f"{name} has the following entity data: {place}" for name, place in places.items())
        if found := re.fullmatch(r"execute unless block (\d+) -60 (\d+) minecraft:poppy", text):
            return self._tested(text, (int(found[1]), int(found[2])) not in self.apples)
        if found := re.fullmatch(r"execute as (\w+) on attacker if entity @s\[name=(\w+)\]", text):
            attacker, tick = self.attackers.get(found[1], ("", 0))
            return self._tested(text, attacker == found[2] and self.tick - tick <= 100)
        if found := re.fullmatch(r"setblock (\d+) -60 (\d+) minecraft:poppy keep", text):
            self.apples.add((int(found[1]), int(found[2])))
            return f"Changed the block at {found[1]}, -60, {found[2]}"
        if found := re.fullmatch(r"tp (\w+) (-?\d+).5 -60 (-?\d+).5", text):
            self.at[found[1]] = (int(found[2]), int(found[3]))
            return ""
        assert text.startswith(("effect give ", "fill 0 -61 0 23 -61 17 minecraft:grass_block")), text
        return ""

    def _listed(self, name: str) -> str:
        scores = self.scores[name]
        told = "".join(f"\n[{key}]: {value}" for key, value in scores.items())
        return f"{name} has {len(scores)} score(s):{told}" if scores else f"{name} has no scores to show"

    @staticmethod
    def _tested(text: str, passed: bool) -> str:
        if not passed:
            raise CommandError(text, "Test failed")
        return "Test passed"
