"""Lazy sequences: elements become named tuples when they are read."""

from __future__ import annotations

from bridge.types import NearBlock
from bridge.wire import near_of
from common.lazy_sequence import LazySequence

ROWS = [["chest", 2, -60, 2, 1.118], ["water", 5, -61, 2, 3.0]]
CHEST = NearBlock("chest", (2, -60, 2), 1.118)


def test_it_reads_as_a_tuple_of_what_the_rows_say() -> None:
    near = near_of("blocks", ROWS)
    assert (len(near), bool(near), near[0], near[-1].block) == (2, True, CHEST, "water")
    assert list(near) == list(near[:]) == [CHEST, near[1]]
    assert near == (CHEST, near[1]) == near
    assert near != (CHEST,)
    assert near == near_of("blocks", [list(row) for row in ROWS])
    assert near != near_of("blocks", ROWS[:1])
    assert (hash(near), repr(near)) == (hash(tuple(near)), repr(tuple(near)))


def test_nothing_is_made_before_somebody_looks() -> None:
    made: list[int] = []

    def make(rows: list[list[object]]) -> tuple[int, ...]:
        made.append(len(rows))
        return (1, 2)

    near = LazySequence(list(ROWS), make)
    assert bool(near)
    assert near == LazySequence(list(ROWS), make)
    assert not made
    assert [*near, *near] == [1, 2, 1, 2]
    assert made == [2]


def test_nothing_near_is_nothing() -> None:
    assert near_of("mobs", []) == ()
