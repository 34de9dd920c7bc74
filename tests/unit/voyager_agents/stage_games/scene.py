"""Short repeated games on the mock world, and custom payoff laws."""

from __future__ import annotations

import random
from fractions import Fraction
from pathlib import Path
from typing import Any

from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.records.events import Event, RoundPlayed
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.scenario import RepeatedGame
from voyager_agents.stage_games.tables import Matrix

HEAD = "scenario: repeated-game\nname: short\nabout: A short game.\n"
PLAYERS = ("Ada", "Bob")
DILEMMA = "game: {actions: [cooperate, defect], payoffs: [[3, 0], [5, 1]]}\n"


def written(tmp_path: Path, text: str) -> str:
    """Write a scenario file with this body and return its path."""
    path = tmp_path / "short.yaml"
    path.write_text(HEAD + text, encoding="utf-8")
    return str(path)


def game(name: str) -> RepeatedGame:
    found = load_scenario(name)
    assert isinstance(found, RepeatedGame)
    return found


async def played(scenario: str, agents: str, out: Path, **more: Any) -> StudyResult:  # noqa: ANN401 - settings
    return await run_study(StudySettings(scenario, world="mock", agents=agents, out=out, **more))


def events(found: StudyResult) -> list[Event]:
    path = found.directory / found.results[0]["condition"] / "events.jsonl"
    path = path if path.exists() else found.directory / "events.jsonl"
    return [line.event for line in read_events(path)]


def rounds(found: StudyResult) -> list[RoundPlayed]:
    return [event for event in events(found) if isinstance(event, RoundPlayed)]


def payoffs(found: StudyResult) -> dict[str, float]:
    return {player: each["payoff"] for player, each in found.results[0]["players"].items()}


def sums(amounts: dict[str, Fraction]) -> dict[str, float]:
    return {player: float(amount) for player, amount in amounts.items()}


def table(rows: list[list[tuple[int, int]]]) -> Matrix:
    """Return a table with rows a, b, ... and columns v, w, ..."""
    names, columns = tuple("abcdef"[: len(rows)]), tuple("vwxyz"[: len(rows[0])])
    cells = tuple(tuple((Fraction(one), Fraction(two)) for one, two in row) for row in rows)
    return Matrix(PLAYERS, names, columns, cells, (names[0], columns[0]), (names[-1], columns[-1]))


def drawn_table(seed: int, rows: int, columns: int) -> Matrix:
    draw = random.Random(seed)
    return table([[(draw.randint(-3, 6), draw.randint(-3, 6)) for _ in range(columns)] for _ in range(rows)])
