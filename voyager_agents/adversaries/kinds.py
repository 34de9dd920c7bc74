"""Kinds of adversaries, from the table `adversaries.yaml`.

    free-rider         takes and never contributes
    saboteur           lowers what the others earn
    liar               says what is not so
    agitator           persuades others to stop contributing
    prompt-injector    says lines that look like instructions
    colluder           makes a covert deal with one player against the others

The first two act, by a program of their own. The others keep the conduct of their player and speak. A model in the
place of an adversary is told its part in secret instead.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from contracts.yaml12 import load_yaml

FILE = Path(__file__).with_name("adversaries.yaml")
CIVIC, LIVED, TALK = "civic", "lived", "talk"
SCENES = (CIVIC, LIVED, TALK)
"""Societies with a law about taxes, other societies, and negotiations of games in rounds."""
NULL = "none"
"""Name of an adversary that changes nothing."""


@dataclass(frozen=True)
class Adversary:
    """One kind of adversary."""

    name: str
    told: str
    """Text that a model in its place reads in secret."""
    plays: tuple[str, ...] = ()
    """Kinds of players in order of preference; empty for one that keeps the conduct of its player."""
    says: tuple[str, ...] = ()
    """Templates of lines."""
    scenes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Scene of `SCENES` -> templates of lines in it, in place of `says`."""

    @property
    def speaks(self) -> bool:
        """True if it works by words."""
        return bool(self.says)

    def lines(
        self, player: str, players: Sequence[str], seed: int, scene: str = "", stocks: Sequence[str] = ()
    ) -> Iterator[str]:
        """Yield the lines that a player says, without end; equal arguments give equal lines.

        Args:
            player: Name of the adversary.
            players: Names of all players.
            seed: Seed of the run.
            scene: Scene of `SCENES`; empty for none.
            stocks: Ores of the scenario.
        """
        draw = random.Random(f"adversary:{self.name}:{seed}:{player}")
        others = [each for each in players if each != player]
        known = self.scenes.get(scene) or self.says
        templates = [each for each in known if stocks or "{stock}" not in each]
        while True:
            for template in draw.sample(templates, len(templates)):
                victim = draw.choice(others)
                rest = ", ".join(each for each in others if each != victim) or "the others"
                stock = draw.choice(stocks).replace("_", " ") if "{stock}" in template else ""
                yield template.format(victim=victim, others=rest, stock=stock)


@cache
def adversaries() -> Mapping[str, Adversary]:
    """Return name -> adversary, in the order of the table."""
    table = load_yaml(FILE.read_text(encoding="utf-8"))
    return {
        name: Adversary(
            name,
            each["told"],
            tuple(each.get("plays", ())),
            tuple(each.get("says", ())),
            {scene: tuple(each[scene]) for scene in SCENES if scene in each},
        )
        for name, each in table.items()
    }
