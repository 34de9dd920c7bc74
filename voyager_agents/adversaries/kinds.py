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
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from contracts.yaml12 import load_yaml

FILE = Path(__file__).with_name("adversaries.yaml")
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
    civic: tuple[str, ...] = ()
    """Templates of lines in societies with a law about taxes; empty for those of `says`."""

    @property
    def speaks(self) -> bool:
        """True if it works by words."""
        return bool(self.says)

    def lines(self, player: str, players: Sequence[str], seed: int, *, civic: bool = False) -> Iterator[str]:
        """Yield the lines that a player says, without end; equal arguments give equal lines.

        Args:
            player: Name of the adversary.
            players: Names of all players.
            seed: Seed of the run.
            civic: True in a society with a law about taxes.
        """
        draw = random.Random(f"adversary:{self.name}:{seed}:{player}")
        others = [each for each in players if each != player]
        templates = self.civic if civic and self.civic else self.says
        while True:
            for template in draw.sample(templates, len(templates)):
                victim = draw.choice(others)
                rest = ", ".join(each for each in others if each != victim) or "the others"
                yield template.format(victim=victim, others=rest)


@cache
def adversaries() -> Mapping[str, Adversary]:
    """Return name -> adversary, in the order of the table."""
    table = load_yaml(FILE.read_text(encoding="utf-8"))
    return {
        name: Adversary(name, each["told"], *(tuple(each.get(key, ())) for key in ("plays", "says", "civic")))
        for name, each in table.items()
    }
