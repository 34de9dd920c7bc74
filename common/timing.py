"""Helpers for asyncio: results delivered at a given world time, and work done together."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable
from typing import Any, TypeVar

T = TypeVar("T")


async def at_its_time(work: Awaitable[T], until: Callable[[asyncio.Future[Any]], Awaitable[None]]) -> T:
    """Return the result of `work`, or raise its error, once `until` has returned.

    Args:
        work: The work; cancelled together with the wait.
        until: Called with the running work; returns when the work is done and the world's time of its result has come.
    """
    task = asyncio.ensure_future(work)
    try:
        await until(task)
        return await task
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait([task])
        elif not task.cancelled():
            task.exception()  # whoever was cancelled before the time of an error needs no word of it


async def finished(work: Awaitable[T]) -> T:
    """Finish the work even if the caller is cancelled; the cancellation is raised afterwards."""
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
    """Run all coroutines concurrently and return their results in order.

    If one fails, the others are cancelled, and its error is raised when all have ended.
    """
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
                each.exception()  # one error is raised, all are retrieved
