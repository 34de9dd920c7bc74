"""A sequence whose elements are made on first access, for what bots sense.

Most of what a crowd senses is never read: bodies sense four times a second, and a module that only asks whether
anybody is near needs no list of names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class LazySequence(Sequence[T], Generic[T]):
    """Sequence of `make(row)` for each row; equal to a tuple of the same elements. The rows must not change."""

    __slots__ = ("_made", "_make", "_rows")

    def __init__(self, rows: list[Any], make: Callable[[list[Any]], tuple[T, ...]]) -> None:
        self._rows = rows
        self._make = make
        self._made: tuple[T, ...] | None = None

    def _all(self) -> tuple[T, ...]:
        made = self._made
        if made is None:
            made = self._made = self._make(self._rows)
        return made

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[T]:
        return iter(self._all())

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        return self._all()[index]

    def __eq__(self, other: object) -> bool:
        if isinstance(other, LazySequence):
            return self._rows == other._rows and self._make is other._make
        return self._all() == other if isinstance(other, tuple) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._all())

    def __repr__(self) -> str:
        return repr(self._all())
