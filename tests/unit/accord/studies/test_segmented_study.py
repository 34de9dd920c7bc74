"""Studies in the smallest segments, equal to unsegmented ones for readers, replay and export."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from typer.testing import CliRunner

from accord.analysis.report.reader import read_run
from accord.analysis.transcript.calls import CallTexts
from accord.analysis.transcript.model import TranscriptCall
from accord.cli.app import app
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from accord.studies.verifying import verify
from accord.viewer.run_catalog import RunCatalog
from bridge.types import Limits, PolicyResult
from common.lines import read_lines
from common.segments import finished
from dilemmas.records.bundle import export
from dilemmas.records.digest import digest
from dilemmas.records.events import LogLine
from dilemmas.records.manifest import read_manifest
from dilemmas.records.record import read_events
from dilemmas.records.rotating import VARIABLE
from tests.fakes.killing import kill_after, killed_at
from tests.fakes.model_players import SPLIT, respond
from tests.fakes.world import FakeWorld
from voyager_agents.models.fake_server import FakeServer
from voyager_agents.models.parts import PARTS
from voyager_agents.models.recorded import RecordedCalls


class Arena(FakeWorld):
    """World that plays the same in every process."""

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        self.scripts = [SPLIT]
        return await super().run(policies, limits)


def settings(out: Path, model: str, base_url: str | None = None) -> StudySettings:
    chosen = {"contracts": ("negotiate",), "episodes": 3, "world": "fake", "base_url": base_url}
    return StudySettings("double-vein", out=out, model=model, **chosen)


def started(out: Path) -> list[Path]:
    """Return the studies in the folder."""
    return [each for each in out.glob("*") if not each.name.startswith(".")]


async def go_on(out: Path, listen: Callable[[LogLine], None] | None = None) -> StudyResult:
    """Start the study in the folder, or resume the existing one."""
    async with FakeServer(respond) as server:
        if begun := started(out):
            kept = read_settings(begun[0], base_url=server.base_url)
            return await resume_study(begun[0], kept, listen=listen, worlds=lambda *_, **__: Arena([]))
        fresh = settings(out, "openai/test", server.base_url)
        return await run_study(fresh, listen=listen, worlds=lambda *_, **__: Arena([]))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path]]:
    """Play a study twice: in plain files, and in segments of two kilobytes with one kill."""
    out = tmp_path_factory.mktemp("segments")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(VARIABLE, "0")
        plain = asyncio.run(go_on(out / "plain")).directory
        patched.setenv(VARIABLE, "0.002")
        count = len(list(read_events(plain / "events.jsonl")))
        killed_at(go_on(out / "cut", kill_after(count - 12)))
        yield plain, asyncio.run(go_on(out / "cut")).directory


def test_it_is_the_same_run(played: tuple[Path, Path]) -> None:
    plain, cut = played
    assert not finished(plain / "events.jsonl")
    assert len(finished(cut / "events.jsonl")) > 3
    assert len(finished(cut / "calls.jsonl")) > 3
    assert (cut / PARTS).stat().st_size > 1000
    assert digest(read_events(cut / "events.jsonl")) == digest(read_events(plain / "events.jsonl"))
    one, other = (RecordedCalls.load(each / "calls.jsonl").calls for each in played)
    asked = [{who: [call.messages for call in calls.values()] for who, calls in each.items()} for each in (one, other)]
    assert asked[0] == asked[1]
    runs = [read_run(each, "run") for each in played]
    assert runs[0].episodes == runs[1].episodes
    assert runs[0].sent_calls == runs[1].sent_calls


def test_it_verifies_and_can_be_shared(played: tuple[Path, Path], tmp_path: Path) -> None:
    _, cut = played
    assert all(each.ok for each in verify(cut))
    files = read_manifest(cut)["files"]
    assert {"segments/events-00001.jsonl.gz", "segments/calls-00001.jsonl.gz", PARTS} <= set(files)
    names = export([cut], tmp_path / "bundle.zip", "1")
    assert f"{cut.resolve().name}/segments/events-00001.jsonl.gz" in names


async def test_it_is_repeated_without_a_model(played: tuple[Path, Path], tmp_path: Path) -> None:
    again = settings(tmp_path, f"replay:{played[1]}")
    found = await run_study(again, worlds=lambda *_, **__: Arena([]))
    usage = json.loads((played[1] / "result.json").read_text())["usage"]
    assert (found.results[0]["usage"]["calls"], found.results[0]["usage"].get("differs")) == (usage["calls"], None)


def test_a_call_is_shown_with_its_whole_prompt(played: tuple[Path, Path]) -> None:
    plain, cut = (CallTexts(each / "calls.jsonl") for each in played)
    for line in read_lines(played[0] / "calls.jsonl"):
        entry = json.loads(line.data)
        call = TranscriptCall(entry["player"], entry["role"], entry["number"], entry["model"], 0, None)
        one, other = plain.of(call), cut.of(call)
        assert one is not None
        assert other is not None
        assert other["messages"] == one["messages"] == entry["messages"]
    shown = CliRunner().invoke(app, ["show", str(played[1]), "--calls"])
    assert shown.exit_code == 0
    assert "You write programs" in shown.output


def test_the_page_follows_it_and_finds_what_was_asked(played: tuple[Path, Path]) -> None:
    found = []
    for directory in played:
        catalog = RunCatalog([directory])
        index = catalog.index(0)
        while index.step():
            pass
        reach = catalog.reach(0)
        assert reach["read"] == reach["size"]
        assert reach["skipped"] == 0
        rows = catalog.calls(0)["rows"]
        lines = [catalog.line(0, row[10], row[11], log="calls.jsonl") for row in rows]
        hits = catalog.calls(0, text="skilled NEGOTIATOR")["rows"]
        found.append([(each["player"], each["role"], each["messages"]) for each in lines])
        assert [row[2] for row in hits] == [row[2] for row in rows if "negotiator" in row[2]]
        catalog.close()
    assert sorted(found[0], key=str) == sorted({json.dumps(each): each for each in found[1]}.values(), key=str)
    assert not (played[1] / "view.sqlite").exists()
