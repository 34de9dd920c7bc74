"""Human player at a Minecraft client, simulated by mineflayer within a person's abilities."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from accord.studies.study import StudySettings, run_study
from bridge.prerequisites import ROOT, node_binary
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario

SCRIPT = ROOT / "tests" / "fakes" / "person.js"
PATIENCE_S = 240
"""Maximum wait for anything on the person's screen, in seconds; the test checks no times."""


def variant(folder: Path) -> Path:
    """Write a Double-Vein variant in which Glitch starts with an item, so that payoffs do not depend on speed."""
    path = folder / "double_vein.yaml"
    original = load_scenario("double-vein").path
    path.write_text(f"extends: {original}\nplayers:\n  Glitch:\n    items: {{raw_iron: 3}}\n", encoding="utf-8")
    return path


class Person:
    """Controls of the person's client."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.read: list[str] = []
        """Lines shown on the screen."""

    async def does(self, what: str, given: object = None) -> None:
        """Perform an action at the client."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps([what, given]).encode() + b"\n")
        await self._process.stdin.drain()

    async def until(self, key: str, part: str = "") -> Any:  # noqa: ANN401 - what the client tells of itself
        """Return the next report of a kind that contains `part`."""
        while True:
            try:
                told = await asyncio.wait_for(self._report(), PATIENCE_S)
            except TimeoutError:
                told = {}
            assert told, f"the client does not tell of {key} {part!r}; it read {self.read[-5:]}"
            if key in told and part in str(told[key]):
                return told[key] if key != "mode" else told

    async def listen(self) -> None:
        """Read all that is shown until the client ends, however long nothing is."""
        while await self._report():
            pass

    async def _report(self) -> dict[str, Any]:
        """Return the client's next report; empty at its end."""
        assert self._process.stdout is not None
        told: dict[str, Any] = json.loads(await self._process.stdout.readline() or "{}")
        assert "error" not in told, told
        if "read" in told:
            self.read.append(told["read"])
        return told


@contextlib.asynccontextmanager
async def person(port: int, name: str) -> AsyncIterator[Person]:
    process = await asyncio.create_subprocess_exec(
        str(node_binary()), str(SCRIPT), str(port), name,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, cwd=ROOT,
    )  # fmt: skip
    try:
        yield Person(process)
    finally:
        assert process.stdin is not None
        process.stdin.close()
        await process.wait()


async def a_person_plays(tmp_path: Path, world: str) -> None:
    """Let a person join, negotiate, lose the connection, play, finish, and be measured and paid."""
    path = variant(tmp_path)
    joined: asyncio.Queue[int] = asyncio.Queue()

    def listen(line: log.LogLine) -> None:
        event = line.event
        if isinstance(event, log.WorldReady) and event.address:
            joined.put_nowait(int(event.address.rpartition(":")[2]))

    settings = StudySettings(
        str(path), ("negotiate",), players={"Glitch": "human"}, world=world, time_limit_s=5, human_wait_s=PATIENCE_S,
        out=tmp_path,
    )  # fmt: skip
    study = asyncio.create_task(run_study(settings, listen=listen))
    port = asyncio.create_task(joined.get())
    await asyncio.wait({study, port}, return_when=asyncio.FIRST_COMPLETED)
    assert port.done(), study.result().results
    async with person(port.result(), "Glitch") as glitch:
        await glitch.does("join")
        # Skip the welcome, which announces turns: chat before the person's turn is discarded.
        await glitch.until("read", ": it is your turn.")
        await glitch.does("say", "I could agree to that.")
        await glitch.until("read", "go to the others with your move")
        await glitch.does("say", "accept")
        await glitch.until("read", "Say ready")
        await glitch.does("look")
        seen = await glitch.until("mode")
        # A person who reconnects returns to the same position.
        await glitch.does("leave")
        await glitch.until("here", "False")
        await glitch.does("join")
        await glitch.until("read", "Welcome, Glitch")
        await glitch.does("say", "/msg Judy ready")
        await glitch.until("read", "Go!")
        await glitch.does("toss", "raw_iron")
        await glitch.until("tossed")
        await glitch.does("look")
        playing = await glitch.until("mode")
        await glitch.does("say", "done")
        found = await study
    result = found.results[0]
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    contract = next(event.contract for event in events if isinstance(event, log.ContractEvent))
    assert contract is not None
    assert result["status"] == "complete"
    assert (seen["mode"], playing["mode"]) == ("adventure", "survival")
    assert "".join(seen["hand"]).split() == "".join(playing["other"]).split() == contract["text"].split()
    assert result["players"]["Glitch"]["items"]["raw_iron"] == 2
    assert result["players"]["Glitch"]["reward"] == 6
    started = next(event for event in events if isinstance(event, log.RunStarted))
    assert started.players["Glitch"].author == "human"
    # A person who joins as soon as the world runs may arrive before anything waits for it.
    seen_of_it = [e.state for e in events if isinstance(e, log.PersonSeen) and e.state != "awaited"]
    assert seen_of_it == ["joined", "left", "back", "ready", "done"]
    ended = {event.player: event.outcome for event in events if isinstance(event, log.PolicyEnded)}
    assert ended["Glitch"] == "returned"
    moves = [event for event in events if isinstance(event, log.NegotiationTurn)]
    assert (moves[-1].speaker, moves[-1].accepts) == ("Glitch", True)
    assert "I could agree to that." in moves[-1].message
