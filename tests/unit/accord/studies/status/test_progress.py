"""Display of a study's cost and pending work: continuous on a terminal, otherwise every 30 s of the test's clock."""

from __future__ import annotations

import asyncio
import io

import pytest
from rich.console import Console

from accord.studies.status.life_progress import LifeProgress
from accord.studies.status.progress_state import ProgressState
from accord.studies.status.study_progress import StudyProgress
from dilemmas.records import events as log
from dilemmas.records.progress_events import (
    CallEnded,
    CallKey,
    CallStarted,
    CallState,
    ProgressEvent,
    RunAdvanced,
    StudyStarted,
)
from voyager_agents.models.watching import Asking, Queued, Retrying

ACTION = CallKey("run", "Gizmo", "action", 0)
CRITIC = CallKey("run", "Glitch", "critic", 0)


class Clock:
    """Clock that the test advances."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def limited(pause_s: float, tries: int = 1, who: CallKey = ACTION) -> CallState:
    return CallState(who, Retrying("openai/x", "429", overload=True, limited=True, pause_s=pause_s, tries=tries))


def progress_state(*news: ProgressEvent) -> tuple[ProgressState, Clock]:
    clock = Clock()
    found = ProgressState(clock)
    for each in news:
        found.handle_event(each)
    return found, clock


def test_an_endpoint_in_trouble_is_told_with_how_long_and_until_when() -> None:
    found, clock = progress_state(CallStarted(ACTION, "openai/x"), limited(12.0))
    clock.now += 12
    found.handle_event(CallState(ACTION, Asking("openai/x")))
    found.handle_event(limited(16.0, 2))
    clock.now += 8
    assert found.waiting() == "endpoint: 429 for 20 s, retry in 8 s"
    clock.now += 8
    assert found.waiting() == "endpoint: 429 for 28 s, asked again"
    found.handle_event(CallStarted(CRITIC, "openai/x"))
    found.handle_event(limited(5.0, who=CRITIC))
    assert found.waiting() == "endpoint: 429 for 28 s, asked again (2 calls)"
    found.handle_event(CallEnded(ACTION, 10, 0.5, failed=False))
    assert found.waiting() == "endpoint: 429 for 0 s, retry in 5 s"
    found.handle_event(CallEnded(CRITIC, 10, 0.5, failed=False))
    assert found.waiting() == ""
    assert found.cost() == "2 calls, 20 tokens, $1.00, 3 retries (3 after 429)"


def test_calls_that_are_merely_under_way_or_wait_for_their_turn_are_told() -> None:
    found, clock = progress_state(CallStarted(ACTION, "openai/x"))
    clock.now += 7
    found.handle_event(CallStarted(CRITIC, "openai/x"))
    assert found.waiting() == "waiting for Gizmo's action and 1 more, 7 s"
    found.handle_event(CallState(CRITIC, Queued("openai/x", 4)))
    assert found.waiting() == "1 call waits: the endpoint takes 4 at a time"


def test_costs_go_on_from_earlier_processes_and_tell_what_has_no_price() -> None:
    found, _ = progress_state(StudyStarted(runs=4, done=1, calls=5, tokens=1000, usd=2.5))
    assert found.cost() == "5 calls, 1,000 tokens, $2.50"
    found.handle_event(CallStarted(ACTION, "x"))
    found.handle_event(CallEnded(ACTION, 0, None, failed=True))
    found.handle_event(CallEnded(CRITIC, 7, None, failed=False))
    assert found.cost() == "6 calls, 1,007 tokens, $2.50 and what has no known price, 1 failed"


def test_the_time_left_follows_from_what_is_done() -> None:
    found, clock = progress_state(StudyStarted(runs=3, done=1, calls=0, tokens=0, usd=0.0))
    assert found.cost() == ""
    found.handle_event(RunAdvanced("a", episode=1, episodes=2, done=30, of=60, unit="s"))
    assert found.left() == ""
    clock.now += 60
    # A quarter of the first of two remaining runs is done.
    assert found.left() == "at most about 7 min left"
    assert found.reached() == "episode 1 of 2, at most 60 s"
    found.handle_event(RunAdvanced("a", episode=2, episodes=2, done=60, of=60, unit="s", over=True))
    found.handle_event(RunAdvanced("b", episode=1, episodes=1, done=45, of=90, unit="round"))
    assert found.left() == "at most about 20 s left"
    assert found.reached() == "round 45 of 90"


class Beats:
    """Replacement of `sleep` that returns at once for `beats` calls and then blocks."""

    def __init__(self, clock: Clock, beats: int) -> None:
        self.clock = clock
        self.left = beats
        self.over = asyncio.Event()
        self.asked: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.asked.append(seconds)
        if not self.left:
            self.over.set()
            await asyncio.Event().wait()
        self.left -= 1
        self.clock.now += seconds


@pytest.mark.parametrize("quiet", [False, True])
async def test_without_a_terminal_a_line_comes_every_30_s(*, quiet: bool) -> None:
    clock, written = Clock(), io.StringIO()
    console = Console(file=written, force_terminal=False, width=40, quiet=quiet)
    beats = Beats(clock, 2)
    progress = StudyProgress(console, 2, announce=False, clock=clock, sleep=beats)
    started = log.RunResumed(run="r", condition="none", seed=3, cut=0)
    progress.hear(log.LogLine(0, None, 0.0, None, started))
    for news in (CallStarted(ACTION, "openai/x"), limited(200.0)):
        progress.watch(news)
    async with progress.beating():
        await (asyncio.sleep(0) if quiet else beats.over.wait())
    assert set(beats.asked) <= {30.0}
    start = "none, seed 3 (1 of 2): waiting for the world; endpoint: 429 for"
    cost = "0 calls, 0 tokens, $0, 1 retry (1 after 429)"
    lines = [f"{start} 30 s, retry in 170 s; {cost}", f"{start} 60 s, retry in 140 s; {cost}"]
    assert written.getvalue().splitlines() == ([] if quiet else lines)


class Cell:
    """Fake display of a notebook that records the line below the cell after each change."""

    def __init__(self) -> None:
        self.stood: list[str] = []
        self.made = 0

    def __call__(self, data: dict[str, str], *, raw: bool, display_id: bool) -> Cell:
        assert display_id
        self.made += 1
        self.update(data, raw=raw)
        return self

    def update(self, data: dict[str, str], *, raw: bool) -> None:
        assert raw
        self.stood.append(data["text/plain"])


@pytest.mark.parametrize("quiet", [False, True])
async def test_in_a_notebook_one_line_below_the_cell_changes_while_the_study_is_played(*, quiet: bool) -> None:
    clock, written, cell = Clock(), io.StringIO(), Cell()
    console = Console(file=written, force_jupyter=True, width=40, quiet=quiet)
    beats = Beats(clock, 3)
    progress = StudyProgress(console, 1, announce=False, clock=clock, sleep=beats, display=cell)
    progress.hear(log.LogLine(0, None, 0.0, None, log.RunResumed(run="r", condition="none", seed=3, cut=0)))
    progress.watch(CallStarted(ACTION, "openai/x"))
    async with progress.beating():
        await (asyncio.sleep(0) if quiet else beats.over.wait())
        progress.watch(CallEnded(ACTION, 7, 0.5, failed=False))
        told = {"players": {"Gizmo": {"payoff": 39.0}, "Glitch": {"payoff": 39.0}}}
        progress.hear(log.LogLine(1, None, 0.0, None, log.RunEnded(status="complete", reason=None, result=told)))
    assert cell.made == (0 if quiet else 1)
    if quiet:
        return
    first = "none, seed 3 (1 of 1): waiting for the world; waiting for Gizmo's action"
    assert cell.stood[:2] == [f"{first}, 0 s; 0 calls, 0 tokens, $0", f"{first}, 1 s; 0 calls, 0 tokens, $0"]
    assert cell.stood[-1] == "done none, seed 3 (1 of 1): Gizmo 39, Glitch 39; 1 call, 7 tokens, $0.5000"
    assert written.getvalue() == ""


async def test_on_a_terminal_the_same_stands_on_the_screen_and_no_line_is_written() -> None:
    clock = Clock()
    console = Console(file=io.StringIO(), force_terminal=True, width=200)
    progress = StudyProgress(console, 1, announce=False, clock=clock, sleep=Beats(clock, 0))
    progress.note("writing \x1b[31mthe report")
    progress.watch(CallStarted(ACTION, "openai/x"))
    clock.now += 3
    async with progress.beating():
        shown = progress.__rich__().plain
    assert shown == "writing \\u001b[31mthe report\nwaiting for Gizmo's action, 3 s · 0 calls, 0 tokens, $0"


def test_a_society_tells_its_converts_its_speech_and_how_fast_it_lives() -> None:
    times = iter([100.0, 110.0])
    living = LifeProgress(lambda: next(times))
    people = {"Prior": log.Folk(role="priest"), "Ann": log.Folk(), "Bob": log.Folk()}
    settled = log.PeopleSettled(field=(0, 0, 9, 9), towns={}, people=people, hearing=16,
                                direct=["Pastafarian"], indirect=["Pasta"])  # fmt: skip
    said = [("Prior", "pastafarian!"), ("Ann", "pasta"), ("Bob", "PASTAFARIAN"), ("Ann", "pasta"), ("Ann", "bread")]
    events: list[log.Event] = [log.EpisodeStarted(attempt=1), settled, log.PoliciesStarted(players=[*people])]
    events += [log.Speech(t_s=1, speaker=who, voice="say", text=text, at=(0, 0, 0), hearers=[]) for who, text in said]
    assert not any(living.handle_event(event) for event in events)
    told = living.handle_event(log.PlacesSeen(t_s=25, at={}))
    assert told == "living, 25 s of game time, 5 speeches, 1 direct and 1 indirect converts, 2.5 times real time"
