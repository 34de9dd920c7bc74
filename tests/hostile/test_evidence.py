"""Evidence of attacks, case by case: each kind of harm is detected, and honest play is not."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from typing import Any

import pytest

from bridge.hostile.canaries import Canaries
from bridge.hostile.corpus import Attack
from bridge.hostile.evidence import AttackAttempt, of_attempt, of_time_alone, of_trial
from bridge.prerequisites import ROOT
from bridge.types import Event, PolicyResult, ProgramOutcome

EVE = AttackAttempt(Attack("escape", "x", "", "", within_ms=None), "Eve1", "mark1")
RESULT = PolicyResult("Eve1", ProgramOutcome.RETURNED, wall_ms=100)


def events(*said: tuple[str, dict[str, Any]], tick: int = 5) -> list[Event]:
    numbers = itertools.count(1)
    return [Event(next(numbers), kind, tick, data) for kind, data in said]


HONEST = events(
    ("policy", {"bot": "Eve1", "state": "started", "result": None}),
    ("log", {"bot": "Eve1", "level": "info", "text": "mark1 is mine"}),
    ("chat", {"from": "Eve1", "text": "hello mark1"}),
    ("policy", {"bot": "Eve1", "state": "ended", "result": {}}),
    ("chat", {"from": None, "text": "Eve1 joined the game"}),
    ("chat", {"from": "Eve1", "text": "said before, shown late"}),
)


def test_honest_play_is_no_evidence() -> None:
    assert of_attempt(EVE, HONEST, RESULT, 3000) == []


@pytest.mark.parametrize(
    ("said", "evidence"),
    [
        (("log", {"bot": "Eve1", "text": "PWNED mark1 a socket"}), "the program shows: a socket"),
        (("chat", {"from": "Witness", "text": "forged mark1"}), "a chat event in the name of Witness"),
        (("inventory", {"bot": "Eve1", "items": {"mark1": 1}}), "a inventory event in the name of Eve1"),
        (("log", {"bot": "Eve1", "text": f"at {ROOT}/x.js"}), f"it was told a path of the host ({ROOT})"),
    ],
)
def test_harm_of_one_attack(said: tuple[str, dict[str, Any]], evidence: str) -> None:
    assert evidence in of_attempt(EVE, events(said), RESULT, 3000)


def test_acts_after_the_end() -> None:
    late = events(
        ("policy", {"bot": "Eve1", "state": "ended"}), ("action", {"bot": "Eve1", "name": "goTo", "args": []})
    )
    assert of_attempt(EVE, late, RESULT, 3000) == ["it went on after its end (action)"]


def test_floods_and_overtime() -> None:
    lines = [("log", {"bot": "Eve1", "text": "x" * 5000})] * 700
    found = of_attempt(EVE, events(*lines), PolicyResult("Eve1", ProgramOutcome.TIMEOUT, wall_ms=9000), 3000)
    assert found[0] == "700 lines in the record"
    assert "characters in the record" in found[1]
    assert found[2] == "it ran for 9000 ms, not 4500"


def test_a_program_that_had_little_of_a_busy_machine_was_not_overlooked() -> None:
    soon = AttackAttempt(Attack("denial", "x", "", "", within_ms=2000), "Eve1", "mark1")
    results = [PolicyResult("Eve1", ProgramOutcome.TIMEOUT, wall_ms=3000, cpu_ms=used) for used in (240, 2900)]
    assert [of_attempt(soon, [], result, 3000) for result in results] == [[], ["it ran for 3000 ms, not 2000"]]
    endless = PolicyResult("Eve1", ProgramOutcome.TIMEOUT, wall_ms=9000, cpu_ms=0)
    assert of_attempt(soon, [], endless, 3000) == ["it ran for 9000 ms, not 2000"]


@pytest.fixture
async def canaries() -> AsyncIterator[Canaries]:
    async with Canaries() as out:
        yield out


CALM = {"Witness": PolicyResult("Witness", ProgramOutcome.RETURNED)}


@pytest.mark.parametrize(
    ("said", "evidence"),
    [
        (("host", {"host": "h1", "state": "lost", "reason": "ended by SIGSEGV"}), "a host was lost: ended by SIGSEGV"),
        (
            ("bot", {"bot": "Eve1", "state": "ended", "reason": "kicked: spam"}),
            "Eve1 lost its connection: kicked: spam",
        ),
        (("chat", {"from": None, "text": "Unknown command"}), "the server answered a command: Unknown command"),
        (("chat", {"from": None, "text": "Gave 64 [Diamond] to Eve1"}), "the server answered a command: Gave 64"),
    ],
)
def test_harm_of_a_trial(said: tuple[str, dict[str, Any]], evidence: str, canaries: Canaries) -> None:
    (found,) = of_trial(events(said), CALM, "Witness", canaries)
    assert found.startswith(evidence)


def test_a_host_replaced_as_designed_is_no_harm(canaries: Canaries) -> None:
    reason = "it is replaced after an isolate ran out of memory"
    said = events(
        ("host", {"host": "h1", "state": "lost", "reason": reason}),
        ("bot", {"bot": "Eve1", "state": "ended", "reason": f"its host was lost: {reason}"}),
    )
    assert of_trial(said, CALM, "Witness", canaries) == []


def test_secrets_anywhere(canaries: Canaries) -> None:
    said = events(("log", {"bot": "Eve1", "text": f"I found {canaries.file_secret}"}))
    assert of_trial(said, CALM, "Witness", canaries) == ["the secret in the file was told"]


def test_the_other_player_must_play_on(canaries: Canaries) -> None:
    stopped = {"Witness": PolicyResult("Witness", ProgramOutcome.INFRASTRUCTURE)}
    assert of_trial([], stopped, "Witness", canaries) == ["the other player's program ended as infrastructure: None"]
    late = {"Witness": PolicyResult("Witness", ProgramOutcome.TIMEOUT)}
    found = of_trial([], late, "Witness", canaries)
    assert found == ["the other player was held up beyond the end of its time"]
    assert of_time_alone(found)
    assert not of_time_alone([*found, "a file appeared: x"])
    step = {"bot": "Witness", "level": "info", "text": "step"}
    slow = [Event(1, "log", 10, step), Event(2, "log", 110, step)]
    assert of_trial(slow, CALM, "Witness", canaries) == ["the other player was held up for 5.0 s"]


async def test_files_and_connections_are_noticed_once(canaries: Canaries) -> None:
    assert canaries.touched([]) == []
    (canaries.folder / "written").write_text("x")
    _, writer = await asyncio.open_connection("127.0.0.1", canaries.port)
    writer.write(b"hello")
    writer.write_eof()
    await asyncio.to_thread(lambda: None)
    async with asyncio.timeout(60):
        found: list[str] = []
        while len(found) < 2:
            await asyncio.sleep(0)
            found += canaries.touched([])
    writer.close()
    assert found[0] == "a file appeared: written"
    assert "a connection was made" in found[1]
    assert canaries.touched([]) == []
