"""Work and its time: results that arrive at a given moment of the world's time, and work that is done together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def at_its_time(work: Awaitable[T], until: Callable[[asyncio.Future[Any]], Awaitable[None]]) -> T:
    """The result of the work, or its error, once `until` has returned.

    `until` gets the work under way, and returns at the moment in the world's time at which the result arrives, with the
    work done. The work is broken off when the wait is.
    """
    task = asyncio.ensure_future(work)
    try:
        await until(task)
        return await task
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait([task])


async def finished(work: Awaitable[T]) -> T:
    """The work's result; the work goes on to its end even when the caller is cancelled, which passes on afterwards."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            try:
                await asyncio.wait([task])
            except asyncio.CancelledError:
                continue
        raise


async def all_done(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """All at once; their results in order. When one fails the others are cancelled, and its error is raised when all
    have ended."""
    tasks = [asyncio.ensure_future(work) for work in works]
    if not tasks:
        return []
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_EXCEPTION)
        for each in tasks:
            if each.done():
                each.result()
        return [each.result() for each in tasks]
    finally:
        for each in tasks:
            each.cancel()
        await asyncio.wait(tasks)
        for each in tasks:
            if not each.cancelled():
                each.exception()  # one error is told, all are seen
