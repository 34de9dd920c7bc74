"""Programs from public bug reports, and the examples, on both the mock and the embedded world.

A program's first comment lines state its origin (`source:`), commands that prepare the world (`cmd:`), and requirements
for both worlds: `says:` a line that it logs, in order (a regex between slashes), `never:` a regex that no line matches,
`ends:` its outcome (returned by default), `error:` a regex of its final error, `holds:` items in the inventory
afterwards. `differs:` gives the reason why the lines of both worlds are not compared.
"""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from bridge.mock.trial import PolicyTrial, try_in_world
from bridge.types import Limits
from bridge.worlds import open_world

pytestmark = [pytest.mark.live, pytest.mark.paced]

ROOT = Path(__file__).resolve().parents[2]
CASES = sorted((ROOT / "tests" / "cases").glob("*.js"))
LIMITS = Limits(wall_s=90)
PLAYER = "Gizmo"
WORLDS = ("mock", "embedded")


@dataclass(frozen=True)
class Case:
    """A program with its requirements."""

    name: str
    source: str
    commands: tuple[str, ...] = ()
    says: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    ends: str = "returned"
    error: str = ""
    holds: tuple[tuple[str, int], ...] = ()
    differs: str = ""


def read_case(path: Path) -> Case:
    """Parse a program and its leading comments."""
    source = path.read_text(encoding="utf-8")
    notes: dict[str, list[str]] = {}
    for key, text in re.findall(r"^// (\w+): (.*)$", source, re.MULTILINE):
        notes.setdefault(key, []).append(text)
    pairs = [text.split("=") for text in notes.get("holds", [])]
    return Case(
        name=path.stem,
        source=source,
        commands=tuple(notes.get("cmd", ())),
        says=tuple(notes.get("says", ())),
        never=tuple(notes.get("never", ())),
        ends=notes.get("ends", ["returned"])[0],
        error=notes.get("error", [""])[0],
        holds=tuple((name, int(count)) for name, count in pairs),
        differs=" ".join(notes.get("differs", ())),
    )


def examples() -> list[Case]:
    """Return the example skills, each in a world with its materials."""
    ores = ("fill 4 -60 0 5 -60 1 iron_ore", "setblock 0 -60 4 chest", f"give {PLAYER} stone_pickaxe")
    skills = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples/skills/skills").glob("*.js"))]
    alone = (ROOT / "examples/skill_test/mine_iron.js").read_text(encoding="utf-8")
    # A skill calls earlier ones.
    return [
        Case("example mine_iron", alone, ores, holds=(("raw_iron", 4),)),
        Case("example mineIron", skills[0], ores, holds=(("raw_iron", 4),)),
        Case("example storeIron", "\n".join(skills), ores, holds=(("raw_iron", 0),)),
    ]


ALL = [*map(read_case, CASES), *examples()]


def lines(trial: PolicyTrial) -> list[str]:
    """Return the lines that the program logged."""
    return [
        f"{'warn ' if event.data['level'] == 'warn' else ''}{event.data['text']}"
        for event in trial.events
        if event.kind == "log"
    ]


def fault(case: Case, world: str, trial: PolicyTrial) -> str:
    """Return the first unmet requirement, or an empty text."""
    logged = lines(trial)
    shown = f"{world}: {trial.result.outcome}, {trial.result.error}, {logged}"
    if trial.result.outcome.value != case.ends:
        return f"ends {trial.result.outcome.value}, wanted {case.ends}; {shown}"
    if not re.search(case.error, str(trial.result.error)):
        return f"does not end with {case.error!r}; {shown}"
    at = 0
    for wanted in case.says:
        pattern = wanted[1:-1] if wanted.startswith("/") else re.escape(wanted)
        found = next((n for n in range(at, len(logged)) if re.search(pattern, logged[n])), None)
        if found is None:
            return f"does not say {wanted!r}; {shown}"
        at = found + 1
    told = [*logged, str(trial.result.error or "")]
    for wrong in case.never:
        if any(re.search(wrong, line) for line in told):
            return f"says {wrong!r}; {shown}"
    for item, count in case.holds:
        if trial.after.items.get(item, 0) != count:
            return f"holds {trial.after.items.get(item, 0)} {item}, wanted {count}; {shown}"
    return ""


@pytest.mark.parametrize("case", ALL, ids=lambda case: case.name)
def test_a_program_does_on_both_worlds_what_is_wanted(case: Case, tmp_path: Path) -> None:
    async def play() -> dict[str, PolicyTrial]:
        trials = {}
        for name in WORLDS:
            world = open_world(name, seed=1, log_dir=tmp_path / name)
            trials[name] = await try_in_world(world, case.source, PLAYER, case.commands, LIMITS)
        return trials

    trials = asyncio.run(play())
    assert [fault(case, name, trial) for name, trial in trials.items()] == ["", ""]
    if case.differs:
        return
    mock, embedded = (trials[name] for name in WORLDS)
    assert lines(mock) == lines(embedded)
    assert (mock.gained, mock.result.error) == (embedded.gained, embedded.result.error)


def test_every_program_states_its_origin_and_requirements() -> None:
    assert len(CASES) >= 12
    for case in map(read_case, CASES):
        assert "source: " in case.source.splitlines()[0], case.name
        assert case.says or case.holds or case.ends != "returned", case.name
