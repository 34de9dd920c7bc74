"""Work of several agents at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Iterable, Iterator
from typing import TypeVar

Answer = TypeVar("Answer")


async def gather_all(work: Iterable[Awaitable[Answer]]) -> Iterator[Answer]:
    """Await all of `work` concurrently to the end, then yield the results in order, raising errors in turn."""
    return _raising(await asyncio.gather(*work, return_exceptions=True))


def _raising(answers: Iterable[Answer | BaseException]) -> Iterator[Answer]:
    for answer in answers:
        if isinstance(answer, BaseException):
            raise answer
        yield answer
