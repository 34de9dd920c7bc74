"""How often a process of Accord's own looks for garbage in circles.

Python looks after every 700 new objects, which suits small programs: with a crowd's minds it is 6 % of all computing.
Nearly nothing of Accord's is garbage in circles; what is not goes at once, as ever. A library's user decides alone:
only the command line and the workers of studies look more seldom.
"""

from __future__ import annotations

import gc

EVERY = (10_000, 20, 20)
"""New objects between two looks at the youngest, and looks between two at older ones (`gc.set_threshold`)."""


def look_seldom() -> None:
    """From now on this process looks as seldom as `EVERY` says."""
    gc.set_threshold(*EVERY)
