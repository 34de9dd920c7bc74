"""Labels of our containers and volumes: their owner, and whether they may be removed."""

from __future__ import annotations

import os
from collections.abc import Mapping

from common.processes import birth, is_alive, this_boot, this_place

LABEL = "accord.server"
"""Label of all our containers and volumes, with the server's name."""
OWNER = "accord.owner-pid"
BORN = "accord.owner-born"
PLACE = "accord.place"
"""Label with the owner's machine: several machines or containers may share one engine."""
BOOT = "accord.boot-id"
STATE = "accord.state"
"""Label with the state folder of a server that stays up; empty if it ends with its owner."""
KEEP_WORLD = "accord.keep-world"
"""Label of a volume that is kept when its server is taken down."""


def labels(name: str, *, state: str = "", keep_world: bool = False) -> dict[str, str]:
    """Return the labels of a server of this process."""
    pid = os.getpid()
    return {
        LABEL: name,
        OWNER: str(pid),
        BORN: birth(pid),
        PLACE: this_place(),
        BOOT: this_boot(),
        STATE: state,
        KEEP_WORLD: "true" if keep_world else "false",
    }


def is_stale(marks: Mapping[str, str], state: str = "", known: frozenset[str] = frozenset()) -> bool:
    """Return whether a container or volume is no longer needed.

    A server that stays up is stale only for its own state folder `state`, if its name is not in `known` and the process
    that started it has ended: then its start was interrupted.
    """
    if marks.get(KEEP_WORLD) == "true" or marks.get(PLACE) != this_place():
        return False
    if marks.get(STATE, "") and (marks[STATE] != state or marks.get(LABEL) in known):
        return False
    return marks.get(BOOT) != this_boot() or not _owner_lives(marks)


def _owner_lives(marks: Mapping[str, str]) -> bool:
    pid = marks.get(OWNER, "")
    return pid.isdigit() and is_alive(int(pid), marks.get(BORN, ""))
