"""Progress events of a study: starts and ends of calls, recorded retries, and progress of runs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from accord.studies.run_progress import Extent, RunProgress
from accord.studies.study import StudySettings, run_study
from dilemmas.records import events as log
from dilemmas.records.progress_events import (
    CallEnded,
    CallKey,
    CallStarted,
    CallState,
    ProgressEvent,
    RunAdvanced,
    StudyStarted,
    from_json,
    to_json,
)
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA, read_result
from dilemmas.records.wall_clock import without_wall_clock
from tests.fakes.json_schema import faults
from tests.fakes.model_players import SPLIT, respond
from tests.fakes.world import FakeWorld, FakeWorlds
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request
from voyager_agents.models.watching import Asking, Queued, Retrying

WHO = CallKey("run", "Gizmo", "action", 3)
RETRYING = Retrying("openai/x", "429", overload=True, limited=True, pause_s=0.5, tries=1)


@pytest.mark.parametrize(
    "news",
    [
        CallStarted(WHO, "openai/x"),
        CallState(WHO, RETRYING),
        CallState(WHO, Queued("openai/x", 4)),
        CallState(WHO, Asking("openai/x")),
        CallEnded(WHO, 12, None, failed=False),
        StudyStarted(3, 1, 2, 30, 0.5),
        RunAdvanced("run", 1, 2, 3.0, 60.0, "s", over=True),
    ],
)
def test_news_go_through_a_pipe(news: ProgressEvent) -> None:
    assert from_json(to_json(news)) == news


class Moody:
    """Server that refuses each role's first attempts, and gives the action role one useless answer."""

    def __init__(self) -> None:
        self.seen: Counter[str] = Counter()

    def __call__(self, request: Request) -> FakeReply | str:
        system = request.messages[0]["content"][:20]
        self.seen[system] += 1
        if self.seen[system] == 1:
            return FakeReply("too many", status=429, headers={"retry-after-ms": "3"})
        if system.startswith("You write programs") and self.seen[system] == 2:
            return "no program today"
        return respond(request)


async def test_a_study_tells_what_it_asks_and_its_record_says_what_went_wrong(tmp_path: Path) -> None:
    heard: list[ProgressEvent] = []
    async with FakeServer(Moody()) as server:
        settings = StudySettings(
            "double-vein",
            world="fake",
            out=tmp_path,
            contracts=("negotiate",),
            model="openai/test",
            base_url=server.base_url,
        )
        found = await run_study(settings, worlds=FakeWorlds(FakeWorld([SPLIT])), watch=heard.append)
    begun = [each for each in heard if isinstance(each, CallStarted)]
    ended = [each for each in heard if isinstance(each, CallEnded)]
    assert heard[0] == StudyStarted(1, 0, 0, 0, 0.0)
    assert {each.who for each in begun} == {each.who for each in ended}
    assert len(begun) == len(ended) == found.results[0]["usage"]["calls"]
    assert sum(each.tokens for each in ended) == found.results[0]["usage"]["tokens"]
    tried = [each.state for each in heard if isinstance(each, CallState) and isinstance(each.state, Retrying)]
    calls = [json.loads(line) for line in (found.directory / "calls.jsonl").read_text().splitlines()]
    assert len(tried) == sum(call.get("retries", 0) for call in calls) == 3
    last = [each for each in heard if isinstance(each, RunAdvanced)][-1]
    assert (last.over, last.share, last.episode, last.episodes) == (True, 1.0, 1, 1)

    costs = read_result(found.directory / "result.json")["costs"]
    assert sum(each["calls"] for each in costs) == len(begun)
    assert sum(each["retries"] for each in costs) == sum(each["limited"] for each in costs) == 3
    by_role = Counter[str]()
    for each in costs:
        by_role[each["role"]] += each["faults"]
    assert by_role == {"action": 1, "negotiator": 0, "judge": 0}
    assert {each["player"] for each in costs} == {"Gizmo", "Glitch", "Judy"}
    assert faults(read_result(found.directory / "result.json"), json.loads(SCHEMA.read_text())) == []


def test_retries_of_an_endpoint_are_no_part_of_a_repeatable_log() -> None:
    cost = {"retries": 3, "limited": 1, "waited_s": 2.5, "unanswered": 1, "faults": 2}
    event = log.RunEnded(status="complete", result={"costs": [cost]})
    line = without_wall_clock(log.LogLine(0, None, 5.0, None, event))
    assert isinstance(line.event, log.RunEnded)
    assert line.event.result == {"costs": [{**dict.fromkeys(cost, 0), "faults": 2}]}


async def test_costs_of_a_record_without_them_are_read_from_its_logs(tmp_path: Path) -> None:
    from accord.analysis.report.reader import read_run

    async with FakeServer(respond) as server:
        settings = StudySettings(
            "double-vein", world="fake", out=tmp_path, model="openai/test", base_url=server.base_url
        )
        found = await run_study(settings, worlds=FakeWorlds(FakeWorld([SPLIT])))
    now = read_run(found.directory, "run").costs
    path = found.directory / "result.json"
    path.write_text(json.dumps({key: value for key, value in json.loads(path.read_text()).items() if key != "costs"}))
    assert read_run(found.directory, "run").costs == now
    assert [(each.player, each.role, each.calls) for each in now] == [("Gizmo", "action", 1), ("Glitch", "action", 1)]


def test_a_run_says_how_far_it_is_at_beginnings_and_ends_and_once_a_second() -> None:
    heard: list[ProgressEvent] = []
    now = [0.0]
    course = RunProgress("run", Extent(2, 60.0, "s"), heard.append, lambda: now[0])

    def hear(event: log.Event, episode: int | None = None) -> None:
        course.hear(log.LogLine(0, None, 0.0, episode, event))

    hear(log.RunResumed(run="run", condition="none", seed=0, cut=0))
    hear(log.EpisodeStarted(attempt=1), 1)
    for second in range(1, 31):
        now[0] += 0.125
        hear(log.StateSeen(t_s=float(second), players={}), 1)
    hear(log.EpisodeEnded(reason="time_limit", game_s=30.0, wall_s=1.0, players={}), 1)
    hear(log.RunEnded(status="complete", result={}))
    told = [(each.episode, round(each.done), round(each.share, 2)) for each in heard if isinstance(each, RunAdvanced)]
    assert told == [(0, 0, 0.0), (1, 0, 0.0), (1, 8, 0.07), (1, 16, 0.13), (1, 24, 0.2), (1, 60, 0.5), (1, 60, 1.0)]


def test_a_log_is_read_for_some_kinds_alone(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    ended = log.LogLine(1, None, 0.0, 1, log.EpisodeStarted(attempt=1)).to_json()
    other = log.LogLine(
        0, None, 0.0, 1, log.LogEvent(bot="Gizmo", level="log", text='"kind": "episode_started"')
    ).to_json()
    path.write_text(f'{other}\n{{"seq": 2, "kind": "state", broken\n{ended}\n')
    assert [line.kind for line in read_events(path, only=("episode_started",))] == ["episode_started"]
