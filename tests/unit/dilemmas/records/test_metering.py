"""Concurrent calls of one player and role: each has its number, its line, and its own answer on resumption."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from dilemmas.records.events import ModelCalled
from dilemmas.records.metering import CallAccounts, Meter, MeteredModel
from dilemmas.records.record import RunRecord, read_events
from voyager_agents import Budget, Settings
from voyager_agents.errors import ModelError
from voyager_agents.models import ChatMessage, Reply
from voyager_agents.models.base import Usage
from voyager_agents.models.prices import load_prices
from voyager_agents.models.recorded import RecordedCalls, ReplayModel


class Slow:
    """Model that answers in the order of `order` regardless of the order of calls; calls in `fails` fail."""

    name = "slow"

    def __init__(self, order: Sequence[str], fails: Sequence[str] = ()) -> None:
        self.asked: list[str] = []
        self._order = list(order)
        self._fails = fails
        self._turn = asyncio.Condition()

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        said = messages[0].content
        self.asked.append(said)
        async with self._turn:
            await self._turn.wait_for(lambda: self._order[:1] == [said])
            self._order.pop(0)
            self._turn.notify_all()
        if said in self._fails:
            raise ModelError("out of order")
        return Reply(f"answer to {said}", Usage(1, 1), self.name)

    async def close(self) -> None:
        pass


OPEN: list[RunRecord] = []


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Close every record of the test at its end."""
    yield
    while OPEN:
        OPEN.pop().close()


def seat(folder: Path, model: Any, memory: RecordedCalls | None = None, keep: int | None = None) -> MeteredModel:  # noqa: ANN401
    """Return the model of Gizmo's action writer, in a new or resumed record."""
    log = folder / "events.jsonl"
    lines = list(read_events(log))[:keep] if log.exists() else []
    record = RunRecord.reopen(folder, len(lines)) if log.exists() else RunRecord.create(folder, {})
    OPEN.append(record)
    meter = Meter()
    for line in lines:
        if isinstance(line.event, ModelCalled):
            meter.count(line.event)
    if memory is not None:
        memory.drop_before(meter.begun)
    return MeteredModel(
        model, "Gizmo", "action", CallAccounts(record, meter, Budget({}, load_prices()), memory or RecordedCalls())
    )


async def ask(model: MeteredModel | ReplayModel, *texts: str) -> list[str]:
    settings = Settings()
    asked = (model.complete([ChatMessage("user", text)], settings) for text in texts)
    found = await asyncio.gather(*asked, return_exceptions=True)
    return [each.text if isinstance(each, Reply) else type(each).__name__ for each in found]


def written(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "calls.jsonl").read_text().splitlines()]


FIVE = ("a", "b", "c", "d", "e")
ANSWERS = [f"answer to {each}" for each in FIVE]


async def test_five_calls_at_once_have_five_numbers_and_all_are_remembered(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert await ask(seat(folder, Slow("edcba")), *FIVE) == ANSWERS
    assert {each["messages"][0]["content"]: each["number"] for each in written(folder)} == {
        each: FIVE.index(each) for each in FIVE
    }
    assert [line.event.number for line in read_events(folder / "events.jsonl")] == [4, 3, 2, 1, 0]  # type: ignore[union-attr]
    memory = RecordedCalls.load(folder / "calls.jsonl")
    assert sorted(memory.calls["Gizmo", "action"]) == [0, 1, 2, 3, 4]
    nobody = Slow("")
    assert await ask(seat(folder, nobody, memory, keep=0), *reversed(FIVE)) == ANSWERS[::-1]
    assert nobody.asked == []
    assert await ask(ReplayModel(RecordedCalls.load(folder / "calls.jsonl"), "Gizmo", "action"), *FIVE) == ANSWERS


async def test_only_calls_in_flight_are_repeated_after_each_interruption(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert await ask(seat(folder, Slow("edcba")), *FIVE) == ANSWERS
    lines = (folder / "calls.jsonl").read_text().splitlines(keepends=True)
    (folder / "calls.jsonl").write_text("".join(line for line in lines if '"content": "c"' not in line))
    for again, order in enumerate((FIVE, FIVE[::-1], ("b", "a", "e", "c", "d"))):
        model = Slow("c")
        found = await ask(seat(folder, model, RecordedCalls.load(folder / "calls.jsonl"), keep=0), *order)
        assert found == [f"answer to {each}" for each in order]
        assert model.asked == (["c"] if again == 0 else [])
        kept = RecordedCalls.load(folder / "calls.jsonl").calls["Gizmo", "action"]
        assert sorted(call.messages[0].content for call in kept.values()) == sorted(FIVE)


async def test_a_call_that_failed_leaves_a_line_and_its_number_is_not_given_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    model = seat(folder, Slow("bacd", fails="b"))
    assert await ask(model, "a", "b", "c") == ["answer to a", "ModelError", "answer to c"]
    assert await ask(model, "d") == ["answer to d"]
    (failed,) = (each for each in written(folder) if "error" in each)
    assert (failed["number"], failed["error"]) == (1, {"name": "ModelError", "message": "out of order"})
    assert "reply" not in failed
    assert sorted(each["number"] for each in written(folder)) == [0, 1, 2, 3]
    memory = RecordedCalls.load(folder / "calls.jsonl")
    assert sorted(memory.calls["Gizmo", "action"]) == [0, 2, 3]
    on = seat(folder, Slow("e"), memory)
    assert await ask(on, "e") == ["answer to e"]
    assert written(folder)[-1]["number"] == 4
    assert await ask(
        ReplayModel(RecordedCalls.load(folder / "calls.jsonl"), "Gizmo", "action"), "a", "c", "d", "e"
    ) == [f"answer to {each}" for each in "acde"]


async def test_an_answer_used_by_a_checkpoint_is_not_given_again(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    assert await ask(seat(folder, Slow("aa")), "a") == ["answer to a"]
    model = Slow("a")
    assert await ask(seat(folder, model, RecordedCalls.load(folder / "calls.jsonl"), keep=1), "a") == ["answer to a"]
    assert model.asked == ["a"]


async def test_a_run_that_asks_otherwise_replaces_what_followed(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    for each in "abc":
        await ask(seat(folder, Slow(each)), each)
    await ask(seat(folder, Slow("x"), RecordedCalls.load(folder / "calls.jsonl"), keep=1), "x")
    kept = RecordedCalls.load(folder / "calls.jsonl").calls["Gizmo", "action"]
    assert {number: call.messages[0].content for number, call in kept.items()} == {0: "a", 1: "x"}


async def test_a_failure_is_raised_even_if_it_cannot_be_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dilemmas.errors import RecordError

    def full(record: RunRecord, entry: dict[str, Any]) -> None:
        raise RecordError("cannot write calls.jsonl: No space left on device")

    model = seat(tmp_path / "run", Slow("a", fails="a"))
    monkeypatch.setattr(RunRecord, "log_call", full)
    assert await ask(model, "a") == ["ModelError"]
