"""Leases of tasks, held by one holder at a time despite clock skew and slow machines, and the shared budget."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from accord.studies.sweeps import lease as module
from accord.studies.sweeps.lease import TaskLease, acquire_lease
from accord.studies.sweeps.sweep_budget import Book, SharedBudget
from dilemmas.records.locking import Holder
from voyager_agents import BudgetExhausted, load_prices
from voyager_agents.budget import Spent
from voyager_agents.models import Usage

FOREVER = 3600.0


def test_one_has_it_until_it_gives_it_back(tmp_path: Path) -> None:
    path = tmp_path / "task"
    first = acquire_lease(path, beat_s=FOREVER)
    assert first is not None
    assert acquire_lease(path) is None
    first.close()
    first.close()
    assert not list(tmp_path.iterdir())
    second = acquire_lease(path, beat_s=FOREVER)
    assert second is not None
    second.close()


def test_of_many_at_once_one_gets_it(tmp_path: Path) -> None:
    start, got = threading.Barrier(8), []

    def race() -> None:
        start.wait()
        if (lease := acquire_lease(tmp_path / "task", beat_s=FOREVER)) is not None:
            got.append(lease)

    racers = [threading.Thread(target=race) for _ in range(8)]
    for racer in racers:
        racer.start()
    for racer in racers:
        racer.join()
    assert len(got) == 1
    assert not got[0].inherited
    got[0].close()


def test_what_nobody_touches_any_more_is_free_and_its_late_holder_knows(tmp_path: Path) -> None:
    path = tmp_path / "task"
    dead = acquire_lease(path, beat_s=FOREVER)
    assert dead is not None
    (file,) = tmp_path.iterdir()
    now = file.stat().st_mtime
    os.utime(file, (now - 30, now - 30))
    assert acquire_lease(path, stale_s=60) is None
    assert dead.held
    os.utime(file, (now - 90, now - 90))
    other = acquire_lease(path, beat_s=FOREVER, stale_s=60)
    assert other is not None
    assert other.inherited
    assert not dead.held
    dead.close()
    assert other.held
    other.close()
    assert not list(tmp_path.iterdir())


def test_of_many_that_find_it_stale_at_once_at_most_one_gets_it(tmp_path: Path) -> None:
    path = tmp_path / "task"
    for _ in range(20):
        dead = acquire_lease(path, beat_s=FOREVER)
        assert dead is not None
        (file,) = tmp_path.iterdir()
        os.utime(file, (1, 1))
        start, got = threading.Barrier(4), []

        def race(start: threading.Barrier, got: list[TaskLease]) -> None:
            start.wait()
            if (lease := acquire_lease(path, beat_s=FOREVER)) is not None:
                got.append(lease)

        racers = [threading.Thread(target=race, args=(start, got)) for _ in range(4)]
        for racer in racers:
            racer.start()
        for racer in racers:
            racer.join()
        assert len(got) <= 1
        for lease in (dead, *got):
            lease.close()
        for left in tmp_path.iterdir():
            left.unlink()


def test_two_that_see_each_other_give_way(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, others = tmp_path / "task", []
    really = module._made

    def made(file: Path, holder: Holder) -> bool:
        # Another holder takes the lease between check and creation, as on a slow machine.
        if not others:
            others.append(holder)
            (tmp_path / "task.7").write_text("{}")
        return really(file, holder)

    monkeypatch.setattr(module, "_made", made)
    assert acquire_lease(path, beat_s=FOREVER) is None
    assert [each.name for each in tmp_path.iterdir()] == ["task.7"]


def test_a_holder_that_lives_keeps_it(tmp_path: Path) -> None:
    path = tmp_path / "task"
    lease = acquire_lease(path, beat_s=0.01)
    assert lease is not None
    (file,) = tmp_path.iterdir()
    os.utime(file, (1, 1))
    touched = threading.Event()
    while file.stat().st_mtime < 10:  # Wait for the next heartbeat.
        touched.wait(0.01)
    assert acquire_lease(path) is None
    lease.close()


async def test_two_processes_share_one_budget(tmp_path: Path) -> None:
    first, second = (Book(tmp_path / "books", {"calls": 3}) for _ in range(2))
    one, two = (SharedBudget({}, load_prices(None), book) for book in (first, second))
    done = [await one.ask("Gizmo", "m", 10), await two.ask("Gizmo", "m", 10)]
    one.done(done[0], Usage(1, 1))
    two.done(done[1], None)
    # A call that ended without an answer is not counted.
    await two.ask("Gizmo", "m", 10)
    await one.ask("Gizmo", "m", 10)
    with pytest.raises(BudgetExhausted, match="the sweep's budget calls 3 is reached"):
        await one.ask("Gizmo", "m", 10)
    with pytest.raises(BudgetExhausted):
        Book(tmp_path / "books", {"calls": 3}).reserve(Spent(calls=1))


def test_what_a_dead_process_had_in_flight_stays_booked(tmp_path: Path) -> None:
    Book(tmp_path, {"usd": 1}).reserve(Spent(usd=0.9))
    living = Book(tmp_path, {"usd": 1})
    living.reserve(Spent(usd=0.2))
    with pytest.raises(BudgetExhausted):
        living.reserve(Spent(usd=0.2))
