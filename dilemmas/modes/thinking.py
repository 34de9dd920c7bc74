"""What the world's clock does while models think: it runs on, or stands still (`--think pause`).

Models take seconds or minutes for an answer. On a server that is time in which the world changes by itself: days pass,
items vanish, what was dropped falls. With `--think pause` the server's ticks are frozen meanwhile, by vanilla's own
command (since 1.20.3), so that how long a model thinks is no fact of the experiment. Where time is virtual it never
passes while models think, and nothing has to be done.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Literal, get_args

from bridge.errors import CommandError, InfrastructureError, PrerequisiteError
from bridge.worlds import VIRTUAL_CLOCK, World

Think = Literal["run", "pause"]
THINK: tuple[Think, ...] = get_args(Think)
"""What the world's clock does while models think."""
FREEZE, UNFREEZE, QUERY = "tick freeze", "tick unfreeze", "tick query"


@asynccontextmanager
async def standing_still(world: World | None, think: Think) -> AsyncIterator[None]:
    """Models think meanwhile; with `pause` the world's time stands still. No world: there is no time to stop."""
    if world is None or think == "run" or VIRTUAL_CLOCK in world.capabilities:
        yield
        return
    await world.command(FREEZE)
    try:
        yield
    finally:
        # A world that is lost is told by whatever is done in it next.
        with suppress(InfrastructureError):
            await world.command(UNFREEZE)


async def make_ready(world: World, think: Think) -> None:
    """Let time pass, which a study that was killed while models thought may have stopped on a server that stays up.

    Raises PrerequisiteError when time is to be stopped and cannot be.
    """
    if VIRTUAL_CLOCK in world.capabilities:
        return
    try:
        await world.command(UNFREEZE)
    except CommandError:
        if think == "pause":
            raise PrerequisiteError(
                f"the world {world.name!r} cannot stand still while models think: leave out --think pause, "
                "or choose another with --world"
            ) from None
