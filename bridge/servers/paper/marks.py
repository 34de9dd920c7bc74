"""Labels on everything of ours in Docker: whose it is, and whether it may be swept away."""

from __future__ import annotations

import os
from collections.abc import Mapping

from common.processes import birth, is_alive, this_boot, this_place

LABEL = "accord.server"
"""On every container and volume of ours; its value is the server's name."""
OWNER = "accord.owner-pid"
BORN = "accord.owner-born"
PLACE = "accord.place"
"""Several machines or containers may share one engine: a process id says nothing elsewhere."""
BOOT = "accord.boot-id"
STATE = "accord.state"
"""The state folder that lists a server which stays up; empty when it lives no longer than its owner."""
KEEP_WORLD = "accord.keep-world"
"""true on a volume that stays when its server is taken down."""


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
    """Return whether nobody needs it any more.

    What stays up is stale only for the state folder `state` that should list it, when its name is not in `known`
    and whoever started it has ended: then its start was cut short.
    """
    if marks.get(KEEP_WORLD) == "true" or marks.get(PLACE) != this_place():
        return False
    if marks.get(STATE, "") and (marks[STATE] != state or marks.get(LABEL) in known):
        return False
    return marks.get(BOOT) != this_boot() or not _owner_lives(marks)


def _owner_lives(marks: Mapping[str, str]) -> bool:
    pid = marks.get(OWNER, "")
    return pid.isdigit() and is_alive(int(pid), marks.get(BORN, ""))
