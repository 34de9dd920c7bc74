"""Studies that were killed, cancelled or stopped by a budget, and resume to the same end."""

from __future__ import annotations

import asyncio
import json
import os
import random
import signal
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from bridge.types import Limits, PolicyResult, ProgramError, ProgramOutcome
from dilemmas.errors import UsageError
from dilemmas.records.digest import digest
from dilemmas.records.events import LogLine
from dilemmas.records.locking import lock_directory
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from tests.fakes.json_schema import faults
from tests.fakes.model_players import PROGRAM, respond, role
from tests.fakes.world import Deed, FakeWorld, Script
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

FAILS = ProgramError("TypeError", "bot.fly is not a function", 2, 3)
CLUMSY = Script(
    deeds=(Deed(2, "Glitch", {"diamond": 2}, {"diamond_ore": 2}, says="Two so far"),),
    ends={"Gizmo": (1, ProgramOutcome.THREW), "Glitch": (4, ProgramOutcome.RETURNED)},
    errors={"Gizmo": FAILS},
)
SPLIT = Script(
    deeds=(
        Deed(3, "Gizmo", {"raw_iron": 12}, {"iron_ore": 12}, says="All iron is mine"),
        Deed(4, "Glitch", {"diamond": 6}, {"diamond_ore": 6}),
    ),
    ends={"Gizmo": (9, ProgramOutcome.RETURNED), "Glitch": (9, ProgramOutcome.RETURNED)},
)
RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))


class Arena(FakeWorld):
    """World that plays programs by their text, in any process: clumsily until Gizmo's program is improved."""

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        self.scripts = [SPLIT if "better" in policies["Gizmo"] else CLUMSY]
        return await super().run(policies, limits)


def learning(request: Request) -> FakeReply | str:
    """Answer as `respond` does, but improve a failed program; the first answer has the wrong form."""
    said = request.messages[-1]["content"]
    if role(request) == "action" and "bot.fly" in said:
        return PROGRAM.replace("async function mine", "async function better")
    if role(request) == "negotiator" and "could not be used" not in said and "Take this" not in said:
        return "I offer nothing in form"
    return respond(request)


def settings(out: Path, **chosen: object) -> StudySettings:
    basic: dict[str, Any] = {"contracts": ("negotiate",), "model": "openai/test", "episodes": 3, "world": "fake"}
    return StudySettings("double-vein", out=out, **{**basic, **chosen})


async def go_on(
    out: Path,
    listen: Callable[[LogLine], None] | None = None,
    answers: Callable[[Request], FakeReply | str] = learning,
    **chosen: Any,  # noqa: ANN401 - settings of any kind
) -> tuple[StudyResult, FakeServer]:
    """Start the study in the folder, or resume the existing one."""
    async with FakeServer(answers) as server:
        if begun := started(out):
            kept = read_settings(begun[0], base_url=server.base_url, **chosen)
            found = await resume_study(begun[0], kept, listen=listen, worlds=lambda *_, **__: Arena([]))
        else:
            fresh = replace(settings(out, **chosen), base_url=server.base_url)
            found = await run_study(fresh, listen=listen, worlds=lambda *_, **__: Arena([]))
    return found, server


def started(out: Path) -> list[Path]:
    """Return the directories of the studies in the folder."""
    return [each for each in out.glob("*") if not each.name.startswith(".")]


def in_child(work: Callable[[], object]) -> int:
    """Run the work in a child process. Return the number of the signal that ended it, or 0."""
    child = os.fork()
    if child == 0:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0


def kill_after(count: int) -> Callable[[LogLine], None]:
    """Return a hook that kills this process by SIGKILL after `count` events."""
    heard: list[LogLine] = []

    def listen(line: LogLine) -> None:
        heard.append(line)
        if len(heard) == count:
            os.kill(os.getpid(), signal.SIGKILL)

    return listen


def logs(directory: Path) -> list[Path]:
    return sorted(directory.rglob("events.jsonl"))


def digests(directory: Path) -> list[str]:
    return [digest(read_events(path)) for path in logs(directory)]


def reference(tmp_path: Path, **chosen: object) -> StudyResult:
    """Play the same study without interruption."""
    return asyncio.run(go_on(tmp_path / "reference", **chosen))[0]


def same(result: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a result that does not depend on the wall clock."""
    return {key: value for key, value in result.items() if not key.endswith("wall_s")}


def test_twenty_kills_at_random_moments_end_as_none(tmp_path: Path) -> None:
    whole = reference(tmp_path)
    assert whole.results[0]["episodes"] == 2
    lines = len(list(read_events(logs(whole.directory)[0])))
    draw = random.Random("kills")
    kills = studies = 0
    while kills < 20:
        studies += 1
        out = tmp_path / f"runs-{studies}"
        while in_child(resuming(out, draw.randint(1, lines))) == signal.SIGKILL:
            kills += 1
            if draw.random() < 0.3:
                tear(logs(out)[0], draw)
        (directory,) = started(out)
        assert digests(directory) == digests(whole.directory)
        result = json.loads((directory / "result.json").read_text())
        assert same(result) == same(whole.results[0])
        assert faults(result, RULES) == []


def resuming(out: Path, count: int) -> Callable[[], object]:
    """Return work that starts or resumes the study and is killed after `count` events."""
    return lambda: asyncio.run(go_on(out, kill_after(count)))


def tear(log: Path, draw: random.Random) -> None:
    """Truncate the log as a power loss does: the last line is incomplete unless the run has ended."""
    data = log.read_bytes()
    if b'"run_ended"' not in data and data:
        log.write_bytes(data[: -draw.randint(1, min(20, len(data)))])


def test_a_kill_at_every_fourth_event_ends_as_none(tmp_path: Path) -> None:
    whole = reference(tmp_path)
    count = len(list(read_events(logs(whole.directory)[0])))
    for number in range(1, count, 4):
        out = tmp_path / str(number)
        assert in_child(resuming(out, number)) == signal.SIGKILL
        found = asyncio.run(go_on(out))[0]
        assert digests(found.directory) == digests(whole.directory), f"killed after event {number}"


async def test_answers_that_were_paid_are_not_asked_for_again(tmp_path: Path) -> None:
    whole, server = await go_on(tmp_path / "reference")
    asked = len(server.requests)
    task_out = tmp_path / "runs"

    def stop(line: LogLine) -> None:
        if line.kind == "policies_started":
            raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        await go_on(task_out, stop)
    (directory,) = started(task_out)
    paid = len((directory / "calls.jsonl").read_text().splitlines())
    found, server = await go_on(task_out)
    assert 0 < paid < asked
    assert len(server.requests) == asked - paid
    assert found.results[0]["usage"] == whole.results[0]["usage"]
    resumed = [line.event for line in read_events(directory / "events.jsonl") if line.kind == "run_resumed"]
    kept = len((directory / "interrupted.jsonl").read_text().splitlines())
    assert [event.cut for event in resumed] == [kept]


async def test_a_budget_that_was_reached_is_enlarged_and_the_run_goes_on(tmp_path: Path) -> None:
    whole, _ = await go_on(tmp_path / "reference")
    stopped, _ = await go_on(tmp_path / "runs", budget={"calls": {"all": 4, "Gizmo": 3}})
    assert stopped.status == "budget"
    again, server = await go_on(tmp_path / "runs")
    assert (again.status, len(server.requests)) == ("budget", 0)
    found, _ = await go_on(tmp_path / "runs", budget={"calls": {"all": 99, "Gizmo": 99}})
    assert found.status == "complete"
    assert digests(found.directory) == digests(whole.directory)


async def test_a_used_up_quota_stops_cleanly_and_the_run_goes_on(tmp_path: Path) -> None:
    whole, _ = await go_on(tmp_path / "reference")
    left = [5]

    def poor(request: Request) -> FakeReply | str:
        left[0] -= 1
        return learning(request) if left[0] >= 0 else FakeReply(status=429, code="insufficient_quota")

    stopped, _ = await go_on(tmp_path / "runs", answers=poor)
    assert stopped.status == "budget"
    found, _ = await go_on(tmp_path / "runs")
    assert digests(found.directory) == digests(whole.directory)


def test_a_study_of_several_runs_goes_on_where_it_was(tmp_path: Path) -> None:
    chosen: dict[str, Any] = {"contracts": ("none", "negotiate"), "runs": 2}
    whole = reference(tmp_path, **chosen)
    out = tmp_path / "runs"
    assert in_child(lambda: asyncio.run(go_on(out, kill_after(90), **chosen))) == signal.SIGKILL
    (directory,) = started(out)
    first = (directory / "none/seed-0/events.jsonl").read_bytes()
    assert len(logs(directory)) < 4
    found = asyncio.run(go_on(out))[0]
    assert (directory / "none/seed-0/events.jsonl").read_bytes() == first
    assert digests(found.directory) == digests(whole.directory)
    assert [same(each) for each in found.results[0]["runs"]] == [same(each) for each in whole.results[0]["runs"]]
    with pytest.raises(UsageError, match=f"is a part of the study in {directory}; resume that"):
        read_settings(directory / "none/seed-0")


async def test_a_complete_study_stays_as_it_is(tmp_path: Path) -> None:
    found, _ = await go_on(tmp_path)
    before = {path: path.read_bytes() for path in found.directory.rglob("*") if path.is_file()}
    again, server = await go_on(tmp_path)
    assert again.results == found.results
    assert server.requests == []
    assert {path: path.read_bytes() for path in found.directory.rglob("*") if path.is_file()} == before


async def test_what_cannot_be_resumed_is_told_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere is not a study: .*config\.yaml cannot be read"):
        read_settings(tmp_path / "nowhere")
    found, _ = await go_on(tmp_path / "runs")
    with lock_directory(found.directory), pytest.raises(UsageError, match="is being played by another process"):
        await go_on(tmp_path / "runs")
    config = found.directory / "config.yaml"
    config.write_text(config.read_text().replace("raw_iron: 4.0", "raw_iron: 5.0"))
    with pytest.raises(UsageError, match="scenario: not what it was at the start"):
        await go_on(tmp_path / "runs")
    config.write_text("settings: {flavour: sweet}")
    with pytest.raises(UsageError, match="settings: not those of a study"):
        read_settings(found.directory)


def test_the_digest_sees_what_differs(tmp_path: Path) -> None:
    whole = reference(tmp_path)
    lines = list(read_events(logs(whole.directory)[0]))
    assert digest(lines) != digest(lines, clock=False)
    for kind in ("policy_written", "verdict", "end_state", "model_call", "state"):
        number = next(number for number, line in enumerate(lines) if line.kind == kind)
        assert digest(lines[:number] + lines[number + 1 :]) != digest(lines)
    moved = [replace(line, time=line.time + 1, seq=line.seq + 7) for line in lines]
    assert digest(moved) == digest(lines)
