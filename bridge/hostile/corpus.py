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
    """Class, which is the name of its file: escape, integrity, denial, memory, leak, forging, egress or command."""
    name: str
    success: str
    """Description of a success; the runner looks for all kinds of harm in all attacks."""
    source: str
    within_ms: int | None = None
    """Maximum wall time of the program in ms, if the run's own limit is too long."""

    refused: bool = False
    """True if the program must be refused at once, since its act cannot be halted once begun."""
    wall_s: float | None = None
    """Seconds that the attack needs, if the run's own limit is too short."""

    def __str__(self) -> str:
        return f"{self.kind}/{self.name}"

    def program(self, canary: dict[str, str | int]) -> str:
        """Return the program: the marks of this attempt, the report of a success, and the attack."""
        prelude = PRELUDE.read_text("utf-8")
        return f"const CANARY = {json.dumps(canary)}\n{prelude}\n{self.source}"


def load_corpus(only: Collection[str] = ()) -> list[Attack]:
    """Return all attacks, or those whose class or `class/name` is in `only`.

    Raises ValueError for an unknown name.
    """
    attacks = [attack for file in sorted(FOLDER.glob("*.js")) for attack in _read(file)]
    known = {attack.kind for attack in attacks} | {str(attack) for attack in attacks}
    for name in only:
        if name not in known:
            classes = ", ".join(sorted({attack.kind for attack in attacks}))
            raise ValueError(f"no attack {name!r}: give a class ({classes}) or class/name")
    return [attack for attack in attacks if not only or attack.kind in only or str(attack) in only]


def load_hoards() -> list[Attack]:
    """Return the programs that hide something for the next episode; they need a scenario and no other player."""
    return _read(HOARDS)


def _read(file: Path) -> list[Attack]:
    """Return the attacks of one class."""
    text = file.read_text("utf-8")
    heads = list(_HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [_attack(file.stem, head, text[head.end() : end]) for head, end in zip(heads, ends, strict=True)]


def _names() -> Iterator[str]:
    """Yield short identifiers that are no keywords."""
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
