"""Interval of Python's cyclic garbage collection in Accord's own processes.

By default Python collects after 700 new objects, which suits small programs: in a crowd of agents it takes 6 % of all
CPU time, while hardly any of Accord's garbage is cyclic. Only the command line and the workers of studies change the
thresholds; programs that import Accord as a library keep their own.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

EVERY = (10_000, 20, 20)
"""Thresholds of the three generations, as `gc.set_threshold` takes them."""


def look_seldom() -> None:
    """Set the thresholds of this process to `EVERY`."""
    gc.set_threshold(*EVERY)


@contextmanager
def collection_paused() -> Iterator[None]:
    """Pause collection during imports, which make no garbage, and exempt all that exists then from it."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_enabled:
            gc.enable()
