"""How much memory something takes."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable

READINGS = 4


def peak(act: Callable[[], object]) -> int:
    """Bytes that it held at most; the least of some readings, for what other threads take meanwhile is counted, too."""
    return min(_reading(act) for _ in range(READINGS))


def _reading(act: Callable[[], object]) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        act()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
