"""The corpus: one JavaScript file per class of attack, read into `Attack`s."""

from __future__ import annotations

import json
import re
import string
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice, product
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "corpus"
HOARDS = FOLDER.parent / "hoards.js"
PRELUDE = FOLDER.parent / "prelude.js"
_HEAD = re.compile(r"^// attack (\S+)(.*)\n// success: (.+)\n", re.MULTILINE)


@dataclass(frozen=True)
class Attack:
    """One hostile program."""

    kind: str
    """escape | integrity | denial | memory | leak | forging | egress | command: the name of its file"""
    name: str
    success: str
    """What would count as success, in words; the runner looks for all kinds of harm in all attacks."""
    source: str
    within_ms: int | None = None
    """Wall time after which the program has to be over, where the run's own limit would be too late."""

    refused: bool = False
    """True if it has to be told no at once: what it does can only be halted once it has begun."""
    wall_s: float | None = None
    """Time that the program needs for what it is about, where the run's own limit is too short."""

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"

    def program(self, canary: dict[str, str | int]) -> str:
        """Return the policy: the marks of this attempt, what to do with a success, and the attack."""
        prelude = PRELUDE.read_text("utf-8")
        return f"const CANARY = {json.dumps(canary)}\n{prelude}\n{self.source}"


def load_corpus(only: Collection[str] = ()) -> list[Attack]:
    """Return all attacks, or those whose class or `class/name` is in `only`.

    ValueError for a name that is not there.
    """
    attacks = [attack for file in sorted(FOLDER.glob("*.js")) for attack in _read(file)]
    known = {attack.kind for attack in attacks} | {str(attack) for attack in attacks}
    for name in only:
        if name not in known:
            classes = ", ".join(sorted({attack.kind for attack in attacks}))
            raise ValueError(f"no attack {name!r}: give a class ({classes}) or class/name")
    return [attack for attack in attacks if not only or attack.kind in only or str(attack) in only]


def load_hoards() -> list[Attack]:
    """Return the programs that keep something for the next episode: they need a scenario, and no other player."""
    return _read(HOARDS)


def _read(file: Path) -> list[Attack]:
    """Return the attacks of one class."""
    text = file.read_text("utf-8")
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [_attack(file.stem, head, text[head.end() : end]) for head, end in zip(heads, ends, strict=True)]


def _names() -> Iterator[str]:
    """Short names, none of which is a word of the language."""
    return map("".join, product(string.ascii_uppercase, string.ascii_letters, string.ascii_letters))


def _attack(kind: str, head: re.Match[str], source: str) -> Attack:
    flags = head[2].split()
    numbers = {key: int(value) for key, _, value in (flag.partition("=") for flag in flags) if value}
    within, wall = numbers.get("within"), numbers.get("wall")
    if "names" in numbers:  # so many that nobody would write them down
        source = source.replace("NAMES", ",".join(islice(_names(), numbers["names"])))
    if "quoted" in flags:  # it is no JavaScript by itself
        source = source.replace("/*\n", "", 1).replace("\n*/", "", 1)
    return Attack(
        kind=kind,
        name=head[1],
        success=head[3],
        source=source,
        within_ms=within,
        wall_s=wall,
        refused="refused" in flags,
    )
