"""Measurement of memory use."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

READINGS = 4


def peak(act: Callable[[], object]) -> int:
    """Return the peak memory of a call in bytes: the minimum of several readings, which excludes other threads' use."""
    return min(_reading(act) for _ in range(READINGS))


def stays_below(act: Callable[[], object], limit: float) -> bool:
    """Return whether `peak(act) < limit`, after the first reading that shows it."""
    return any(_reading(act) < limit for _ in range(READINGS))


def _reading(act: Callable[[], object]) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
