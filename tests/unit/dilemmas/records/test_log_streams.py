"""Logs as streams: memory of a report, a resumed run and a digest does not grow with the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from accord.analysis.report import episode_timeline, episodes
from accord.analysis.report.reader import read_run
from accord.studies.resuming import Interrupted, read_interrupted
from dilemmas.modes.registry import MODES
from dilemmas.records import events as log
from dilemmas.records.digest import digest
from dilemmas.records.events import Event, Holdings, LogLine
from dilemmas.records.metering import Meter
from dilemmas.records.record import RunRecord, read_events
from dilemmas.records.states import StateChanges
from tests.fakes.memory import peak, stays_below

NAMES = [f"P{number}" for number in range(20)]
ACCOUNT = log.PlayerAccount(items={}, reward=0.0, transfer=0.0, payoff=0.0)


def start() -> list[Event]:
    terms = {name: log.PlayerTerms(prices={"raw_iron": 4}, author="reference/greedy") for name in NAMES}
    return [
        log.RunStarted(
            run="crowd", scenario="double-vein", version=1, condition="none", contract_kind="none", world="mock",
            seed=0, players=terms,
        ),
        log.ContractEvent(state="none", contract=None),
    ]  # fmt: skip


def steps(count: int) -> Iterator[Event]:
    """Yield the events of each step: one player moves, mines and asks its model."""
    changes, players = StateChanges(), {name: Holdings.of({}, {}, {}) for name in NAMES}
    for step in range(count):
        name = NAMES[step % len(NAMES)]
        players[name] = Holdings.of({"raw_iron": step}, {"iron_ore": step}, {"raw_iron": 4})
        yield log.ModelCalled(player=name, purpose="action", model="m", number=step // len(NAMES), tokens=9, usd=0.1)
        yield log.ActionEvent(bot=name, name="mineBlock", ok=True, t_s=float(step))
        yield log.InventoryEvent(bot=name, items={"raw_iron": step}, t_s=float(step))
        yield changes.event(float(step), players, {"iron_ore": 5 * count - step})


def episode(number: int, count: int, breaks: bool = False) -> Iterator[Event]:
    """Yield an episode of `count` steps; with `breaks` the infrastructure breaks its first attempt."""
    for name in NAMES:
        yield log.PolicyWritten(player=name, author="a", source=f"{name} {number}", file=f"{name}.js", attempt=number)
    for attempt in (1, 2) if breaks else (1,):
        yield log.EpisodeStarted(attempt=attempt)
        yield log.PoliciesStarted(players=NAMES)
        yield log.ChatEvent(sender=NAMES[0], text=f"attempt {attempt} of {number}", t_s=0.0)
        yield from steps(count)
        if breaks and attempt == 1:
            yield log.EpisodeBroken(attempt=1, reason="lost", repeated=True)
    for name in NAMES:
        yield log.PolicyEnded(player=name, outcome="returned", error=None, wall_ms=1, cpu_ms=1)
    yield log.EndStateRead(t_s=9.0, players=dict.fromkeys(NAMES, Holdings.of({}, {}, {})), chest={"coal": number})
    yield log.EpisodeEnded(reason="time_limit", game_s=9.0, wall_s=9.0, players=dict.fromkeys(NAMES, ACCOUNT))


def lines(*parts: tuple[int | None, list[Event]]) -> list[LogLine]:
    told = [(number, event) for number, events in parts for event in events]
    return [LogLine(seq, None, 0.0, number, event) for seq, (number, event) in enumerate(told)]


def told(found: Interrupted) -> dict[str, object]:
    """Return all results but the length of the log."""
    return {"restored": asdict(found.restored), "meter": asdict(found.meter), "keep": found.keep}


def test_a_log_that_is_cut_anywhere_tells_what_it_tells_up_to_its_last_checkpoint() -> None:
    turn = log.NegotiationTurn(turn=1, speaker="P0", message="hello")
    again: list[Event] = [turn, log.ContractEvent(state="failed", contract=None)]
    whole = lines((None, start()), (1, [*episode(1, 3)]), (None, again), (2, [*episode(2, 3, breaks=True)]))
    kinds = [line.kind for line in whole]
    first, second = (number + 1 for number, kind in enumerate(kinds) if kind == "end_state")
    stands = {2, first, first + 1, first + 3, second, second + 1}
    keep = 0
    for count in range(len(whole) + 1):
        keep = count if count in stands else keep
        found, kept = (read_interrupted(iter(whole[:each]), NAMES, MODES["episodes"]) for each in (count, keep))
        assert (found.lines, found.keep) == (count, keep)
        assert told(found) == told(kept)
        meter = Meter()
        for line in whole[:keep]:
            if isinstance(line.event, log.ModelCalled):
                meter.count(line.event)
        assert found.meter == meter


def test_an_episode_is_restored_from_its_completed_attempt() -> None:
    whole = lines((None, start()), (1, [*episode(1, 3)]), (2, [*episode(2, 3, breaks=True)]))
    found = read_interrupted(whole[:-1], NAMES, MODES["episodes"]).restored
    assert found.pending is not None
    assert found.pending.chat == (("P0", "attempt 2 of 2"),)
    assert list(found.pending.results) == NAMES
    assert (found.pending.state.chest, found.progress.episodes, found.progress.repeats) == ({"coal": 2}, 1, 1)
    assert found.progress.policies["P3"] == "P3 2"
    assert found.past is not None
    assert found.past.played.chat == (("P0", "attempt 1 of 1"),)
    settled = read_interrupted(whole, NAMES, MODES["episodes"]).restored
    assert (settled.pending, settled.progress.episodes) == (None, 2)


def test_a_run_is_over_when_its_log_says_that_it_is_complete() -> None:
    whole = lines((None, start()), (1, [*episode(1, 1)]))
    for status, is_over in (("complete", True), ("failed", False)):
        end = LogLine(len(whole), None, 0.0, None, log.RunEnded(status=status, result={}))  # type: ignore[arg-type]
        found = read_interrupted([*whole, end], NAMES, MODES["episodes"])
        assert (found.ended is not None) == is_over
        resumed = LogLine(end.seq + 1, None, 0.0, None, log.RunResumed(run="", condition="", seed=0, cut=0))
        assert read_interrupted([*whole, end, resumed], NAMES, MODES["episodes"]).ended is None


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Return a run with a short log, and one with a log eight times as long."""
    return _written(tmp_path_factory.mktemp("short"), 75), _written(tmp_path_factory.mktemp("long"), 600)


def _written(folder: Path, count: int) -> Path:
    record = RunRecord.create(folder / "run", {})
    for event in start():
        record.log(event)
    record.episode = 1
    for event in episode(1, count):
        record.log(event)
    record.close()
    return record.directory


def resume(folder: Path) -> object:
    return read_interrupted(read_events(folder / "events.jsonl"), NAMES, MODES["episodes"])


def report(folder: Path) -> object:
    return read_run(folder, "run")


def digested(folder: Path) -> object:
    return digest(line for line in read_events(folder / "events.jsonl") if line.kind != "model_call")


def everything(folder: Path) -> object:
    return list(read_events(folder / "events.jsonl"))


@pytest.mark.parametrize("read", [resume, report, digested])
def test_memory_does_not_grow_with_the_log(
    folders: tuple[Path, Path], read: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    # The report's own limits are reached by the short log too.
    monkeypatch.setattr(episodes, "MAX_SAMPLES", 20)
    monkeypatch.setattr(episode_timeline, "MAX_REMARKS", 20)
    short, long = folders
    read(short)  # one-time imports do not count
    assert stays_below(lambda: read(long), 1.5 * peak(lambda: read(short)))


def test_a_reader_that_holds_the_whole_log_is_detected(folders: tuple[Path, Path]) -> None:
    short, long = folders
    assert peak(lambda: everything(long)) > 5 * peak(lambda: everything(short))
