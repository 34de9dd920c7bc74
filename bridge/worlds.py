"""The interface of worlds: `open_world(name)` returns the world that a scenario plays in.

A `World` is a server (or the in-memory engine) with its bots. Scenarios use nothing else of the bridge. The module of a
world is imported when the world is opened, so that a missing optional part concerns only its users.
"""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

from bridge.errors import CommandError
from bridge.types import NEARBY, Address, BotObservation, Event, Limits, PolicyResult, Sensed, Senses
from common.errors import PrerequisiteError

T = TypeVar("T")


def quiet_gamemode(mode: str, who: str) -> str:
    """Return the command that puts players into a game mode without a line of chat to them.

    A player is notified of changes by others; executing the command as the player keeps the reply on the console.
    """
    return f"execute as {who} run gamemode {mode} @s"


class TakesCommands(Protocol):
    """An object that runs lists of vanilla commands."""

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run commands as `World.commands` does."""


class OneOfMany:
    """Mixin for worlds that run lists of commands: a single command is a list of one."""

    async def command(self: TakesCommands, text: str) -> str:
        """Run one vanilla command as the console; raises CommandError when it is refused."""
        (reply,) = await self.commands([text])
        if isinstance(reply, CommandError):
            raise reply
        return reply


class World(Protocol):
    """A Minecraft world with bots; an async context manager that starts it on entry and removes it on exit.

    Every method raises `InfrastructureError` (or a subclass) if the part below it is lost.
    """

    name: str
    """embedded | paper | mock | none"""
    capabilities: frozenset[str]
    """Abilities of this world, e.g. "chests" or "virtual-clock". A scenario declares those that it needs."""

    @property
    def address(self) -> Address | None:
        """Address for clients that join to watch; None if the world takes none."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def command(self, text: str) -> str:
        """Run one vanilla command (no leading slash) as the console; returns the server's reply text.

        Raises CommandError when the server refuses it (unknown, incomplete, wrong argument).
        """

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run vanilla commands in order, in as few requests as the world allows.

        Return one entry for each in the same order: the reply, or the refusal, which does not stop the others.
        """

    async def connect(self, names: Sequence[str]) -> None:
        """Connect one bot per name and wait until each has spawned; connected bots stay.

        Any number of names is legal; the world admits a few at a time.
        """

    async def disconnect(self, names: Sequence[str]) -> None:
        """Disconnect the named bots."""

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Run one program per bot, all from the same tick. Returns when all have ended.

        Other bots may run programs at the same time without any effect. Signals reach the players of the same run. A
        program's random numbers follow from the world's seed, its bot's name and the number of programs that the bot
        has run. Raises BridgeError for a bot whose program still runs.
        Cancelling the awaiting task cancels this run's programs cleanly and waits until their bots are quiet.
        """

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        """Cancel running policies (all, or of the named bots); their results come back as CANCELLED."""

    async def observe(self, name: str) -> BotObservation:
        """Return the player's state now."""

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        """Return state, items and surroundings of many bots in one request; bots outside the world are left out.

        Raises BridgeError for an unknown block to search for.
        """

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """Set the hearing distance of programs by voice (say, shout), in blocks; None (the default) lets all hear all.

        The game's own chat has no distance; words beyond it are kept from a bot's program.
        """

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Say lines in the game's chat in one request: (bot, line, None), or (bot, line, recipient) for a whisper.

        Bots may run programs meanwhile. Lines that cannot be said (absent bot, illegal text) are left out.
        """

    def events(self) -> AsyncIterator[Event]:
        """Return every event from now on, in order, for as long as the world is open."""

    async def now(self) -> int:
        """Return the world's age in ticks (20 per second of game time)."""

    async def sleep(self, seconds: float) -> None:
        """Wait some seconds of game time (virtual on the mock world)."""

    async def until(self, tick: int, look: tuple[Sequence[str], Senses] | None = None) -> None:
        """Wait until the world has an age in ticks; return at once if it is older.

        `look` names the bots and senses that the caller asks for after waking, so that a world can prepare them.
        """

    async def after(self, seconds: float, work: Awaitable[T]) -> T:
        """Return the result of outside work (a model's answer) exactly some seconds of game time from now.

        The world continues until then even if the work is done earlier, and stands still at that moment while the work
        takes longer. An error of the work is raised at the same moment.
        """

    def standing_still(self) -> AbstractAsyncContextManager[None]:
        """Freeze game time inside this context, which any number of tasks may enter."""


@runtime_checkable
class RunsAhead(Protocol):
    """A world with a virtual clock, whose time can pass while those who live in it still work."""

    def run_ahead(self, tick: int, look: tuple[Sequence[str], Senses] | None = None) -> None:
        """Let time pass now to an age in ticks, or to the first one at which a task wakes; nothing if it does already.

        What tasks ask from now on is carried out at the tick reached, and answered once they wait for it
        (`World.until`). A task that begins to wait for an earlier tick meanwhile wakes at the tick reached. `look` is
        that of `World.until`.
        """


NOWHERE = "none"
"""Name of the world for games on arrays."""
WORLDS: dict[str, str] = {
    "embedded": "bridge.servers.embedded.world:EmbeddedWorld",
    "mock": "bridge.mock_world:MockWorld",
    NOWHERE: "bridge.no_world:NoWorld",
    "paper": "bridge.servers.paper.world:PaperWorld",
}
"""World name -> "module:class"; the class takes (seed: int, log_dir: Path, port: int | None)."""
IN_REGIONS: dict[str, str] = {"mock": "bridge.mock.regions:MockRegions"}
"""World name -> "module:class" with a parameter `regions`, for worlds that can have several."""


VIRTUAL_CLOCK = "virtual-clock"
"""Capability of worlds whose time advances as soon as every task waits; their runs are reproducible to the byte."""


CAN_PAUSE = "can-pause"
"""Capability of worlds that a person may pause while players act; only keep-alives continue."""


NO_WORLD = "no-world"
"""Capability of the absent world of games on arrays."""


TERRAINS = ("flat", "survival")
"""Terrains: vanilla's superflat, or hills, caves, ores, villages and animals by seed."""
FLAT = TERRAINS[0]


SURVIVAL_TERRAIN = "survival-terrain"
"""Capability of worlds that take `terrain="survival"`."""


REGIONS = "regions"
"""Capability of worlds with `regions`: players out of each other's reach, split among processes."""


MINEFLAYER, ENGINE = "mineflayer", "engine"
BODIES = (MINEFLAYER, ENGINE)
"""Bodies of players on a server: clients (mineflayer's bots, the default), or bodies in the server itself."""


ENGINE_BODIES = "engine-bodies"
"""Capability of worlds that take `bodies="engine"`."""


HOST_PER_PLAYER = "host-per-player"
"""Capability of worlds with `separate()`, which gives each player a process for its programs before it connects."""


def capabilities(name: str) -> frozenset[str]:
    """Return the capabilities of a world. Raises PrerequisiteError for an unknown name."""
    found: frozenset[str] = _world_class(name).capabilities
    return found


def bodies_of(name: str) -> tuple[str, ...]:
    """Return the legal bodies of players in a world; empty if there is no choice. Raises PrerequisiteError."""
    able = capabilities(name)
    return BODIES if ENGINE_BODIES in able else (MINEFLAYER,) if HOST_PER_PLAYER in able else ()


def open_world(
    name: str,
    *,
    seed: int,
    log_dir: Path,
    port: int | None = None,
    terrain: str = FLAT,
    bodies: str = MINEFLAYER,
    regions: int = 1,
) -> World:
    """Return a world, not started yet; use it as an async context manager.

    Args:
        name: One of `WORLDS`.
        seed: Drives loot and every other random choice of the world, and its terrain.
        log_dir: Folder for the logs of its processes.
        port: A fixed game port instead of a free one.
        terrain: One of `TERRAINS`.
        bodies: One of `BODIES`.
        regions: Number of processes among which players out of each other's reach are split; worlds without the
            capability have one for all.

    Raises:
        PrerequisiteError: The name is unknown, or the world does not have this terrain or these bodies.
    """
    several = regions != 1 and REGIONS in capabilities(name)
    made = _loaded(IN_REGIONS[name]) if several else _world_class(name)
    check_terrain(name, terrain)
    check_bodies(name, bodies)
    extra: dict[str, Any] = {} if terrain == FLAT else {"terrain": terrain}
    if bodies != MINEFLAYER:
        extra["bodies"] = bodies
    if several:
        extra["regions"] = regions
    world: World = made(seed=seed, log_dir=log_dir, port=port, **extra)
    return world


def check_terrain(name: str, terrain: str) -> None:
    """Raise PrerequisiteError if the terrain does not exist, or not on this world."""
    if terrain not in TERRAINS:
        raise PrerequisiteError(f"terrain {terrain!r} is not legal: choose one of {', '.join(TERRAINS)}")
    if terrain != FLAT and SURVIVAL_TERRAIN not in capabilities(name):
        raise PrerequisiteError(f"the {name} world has no {terrain} terrain: choose embedded or mock, or flat terrain")


def check_bodies(name: str, bodies: str) -> None:
    """Raise PrerequisiteError if the bodies do not exist, or not on this world."""
    if bodies not in BODIES:
        raise PrerequisiteError(f"bodies {bodies!r} is not legal: choose one of {', '.join(BODIES)}")
    if bodies != MINEFLAYER and bodies not in bodies_of(name):
        raise PrerequisiteError(f"the {name} world has no bodies in the server: choose embedded, or leave out --bodies")


def _world_class(name: str) -> Any:  # noqa: ANN401 - a class whose constructor is narrower than World says
    if name not in WORLDS:
        raise PrerequisiteError(f"unknown world {name!r}: choose one of {', '.join(sorted(WORLDS))}")
    return _loaded(WORLDS[name])


def _loaded(place: str) -> Any:  # noqa: ANN401 - see above
    module, _, attribute = place.partition(":")
    return getattr(importlib.import_module(module), attribute)
