"""One front door for worlds: `open_world(name)` gives what a scenario needs, whatever stands behind it.

A `World` is a server (or the in-memory engine) together with the fleet of bots in it. Scenarios use nothing else of
the bridge. A world is loaded when it is opened, so a missing optional part concerns only those who use it.
"""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from bridge.errors import CommandError
from bridge.types import NEARBY, Address, BotObservation, Event, Limits, PolicyResult, Sensed, Senses
from common.errors import PrerequisiteError

T = TypeVar("T")


def quiet_gamemode(mode: str, who: str) -> str:
    """Return the command that puts players into a game mode without a line of chat to them.

    A player is told of what others do to it; the answer to a command of its own goes to the console, which gave it.
    """
    return f"execute as {who} run gamemode {mode} @s"


class TakesCommands(Protocol):
    """Whatever takes vanilla commands by the list."""

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Return as `World.commands`."""


class OneOfMany:
    """For worlds that take commands by the list: one command is a list of one."""

    async def command(self: TakesCommands, text: str) -> str:
        """Run one vanilla command as the console; raises CommandError when it is refused."""
        (reply,) = await self.commands([text])
        if isinstance(reply, CommandError):
            raise reply
        return reply


class World(Protocol):
    """A Minecraft world with bots in it. As an async context manager it starts on entry and is removed on exit.

    Every method raises `InfrastructureError` (or a subclass) when the part under it is lost.
    """

    name: str
    """embedded | paper | mock | none"""
    capabilities: frozenset[str]
    """What this world can do, e.g. "chests" or "virtual-clock". A scenario declares what it needs."""

    @property
    def address(self) -> Address | None:
        """The address that a person's client joins to watch; None where nobody can."""

    async def __aenter__(self) -> Self: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    async def command(self, text: str) -> str:
        """Run one vanilla command (no leading slash) as the console; returns the server's reply text.

        Raises CommandError when the server refuses it (unknown, incomplete, wrong argument).
        """

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run vanilla commands in their order, with as few crossings as the world allows.

        Returns one entry for each, in the same order: the reply, or the refusal, which stops none of the others.
        """

    async def connect(self, names: Sequence[str]) -> None:
        """Join one bot per name and wait until each has spawned. A bot that is there already stays.

        Give any number of names; the world lets them in a few at a time.
        """

    async def disconnect(self, names: Sequence[str]) -> None:
        """Take the named bots out of the world."""

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Run one program per bot, all from the same tick. Returns when all have ended.

        Other bots may run programs at the same time; no run notices another. Signals reach the players of the same
        run. A program's random numbers come from the world's seed, its bot's name and how many programs that
        bot has run. Raises BridgeError for a bot whose program still runs.
        Cancelling the awaiting task cancels this run's programs cleanly and waits until their bots are quiet.
        """

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        """Cancel running policies (all, or of the named bots); their results come back as CANCELLED."""

    async def observe(self, name: str) -> BotObservation:
        """Return the player's state now."""

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        """Return what many bots are, have and see around them now, in one crossing. A bot that is not in the world is
        missing.

        Raises BridgeError for a block of interest that does not exist.
        """

    async def hearing(self, reach: Mapping[str, float] | None) -> None:
        """How far words carry to programs, by voice (say, shout), in blocks; None: all hear everything, as at first.

        The game's own chat has no distance: what was said beyond hearing is kept from a bot's program.
        """

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Say lines in the game's chat, in one crossing: (bot, line, None), or (bot, line, whom it whispers it to).

        Bots may run programs meanwhile. What cannot be said (its bot is gone, the line is no line) is left out.
        """

    def events(self) -> AsyncIterator[Event]:
        """Return every event from now on, in order, for as long as the world is open."""

    async def now(self) -> int:
        """World age in ticks (20 a second of game time)."""

    async def sleep(self, seconds: float) -> None:
        """Wait that many seconds of game time (virtual on the mock world)."""

    async def until(self, tick: int, look: tuple[Sequence[str], Senses] | None = None) -> None:
        """Wait until the world is that old, in ticks; who is late already does not wait.

        `look`: what the caller senses as soon as it wakes (bots, senses), so that a world can find it out on the way.
        """

    async def after(self, seconds: float, work: Awaitable[T]) -> T:
        """Return the result of work outside of the world (a model's answer), exactly that many seconds of game time
        from now.

        The world lives on until then, however quick the work is, and stands still at that moment for work that takes
        longer. Its error arrives at the same moment.
        """

    def standing_still(self) -> AbstractAsyncContextManager[None]:
        """Game time stands still inside this context. Any number of tasks may be inside."""


NOWHERE = "none"
"""The world that is none."""
WORLDS: dict[str, str] = {
    "embedded": "bridge.servers.embedded.world:EmbeddedWorld",
    "mock": "bridge.mock_world:MockWorld",
    NOWHERE: "bridge.no_world:NoWorld",
    "paper": "bridge.servers.paper.world:PaperWorld",
}
"""World name -> "module:class"; the class takes (seed: int, log_dir: Path, port: int | None)."""
IN_REGIONS: dict[str, str] = {"mock": "bridge.mock.regions:MockRegions"}
"""World name -> the same with `regions`, for worlds that can have several."""


VIRTUAL_CLOCK = "virtual-clock"
"""The capability of a world that steps as soon as every task waits. Its runs repeat to the byte."""


CAN_PAUSE = "can-pause"
"""The capability of a world that a person may pause while players act: nothing of them goes on but the keep-alives."""


NO_WORLD = "no-world"
"""The capability of the world that is none: for games that are played on arrays."""


TERRAINS = ("flat", "survival")
"""The land of a world: vanilla's superflat, or hills, caves, ores, villages and animals by seed."""
FLAT = TERRAINS[0]


SURVIVAL_TERRAIN = "survival-terrain"
"""Capability of worlds that take `terrain="survival"`."""


REGIONS = "regions"
"""Capability of worlds that take `regions`: players who are out of each other's reach, dealt out to processes."""


MINEFLAYER, ENGINE = "mineflayer", "engine"
BODIES = (MINEFLAYER, ENGINE)
"""How players are in a server's world: each with a client of its own (mineflayer's bots, the usual way), or without
clients, as bodies in the server itself."""


ENGINE_BODIES = "engine-bodies"
"""Capability of worlds that take `bodies="engine"`."""


HOST_PER_PLAYER = "host-per-player"
"""Capability of worlds with `separate()`: before anybody connects, each player is given a process for its programs."""


def capabilities(name: str) -> frozenset[str]:
    """Return what the world of that name can do. Raises PrerequisiteError for an unknown name."""
    found: frozenset[str] = _world_class(name).capabilities
    return found


def bodies_of(name: str) -> tuple[str, ...]:
    """Which bodies players of that world can have; none where there is nothing to choose. Raises PrerequisiteError."""
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
    """Return the world of that name, not started yet: use it as an async context manager.

    `seed` drives loot and every other random choice of the world, and its land; `log_dir` takes the logs of its
    processes; `port` asks for a fixed game port instead of a free one; `terrain` is one of `TERRAINS`, `bodies` one of
    `BODIES`. With `regions` players, who are out of each other's reach, are dealt out to so many processes; worlds
    without that capability have one for all. Raises PrerequisiteError for an unknown name, and for land or bodies that
    this world does not have.
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
    """Raises PrerequisiteError when there is no such terrain, or none on the world of that name."""
    if terrain not in TERRAINS:
        raise PrerequisiteError(f"terrain {terrain!r} is not legal: choose one of {', '.join(TERRAINS)}")
    if terrain != FLAT and SURVIVAL_TERRAIN not in capabilities(name):
        raise PrerequisiteError(f"the {name} world has no {terrain} terrain: choose embedded or mock, or flat terrain")


def check_bodies(name: str, bodies: str) -> None:
    """Raises PrerequisiteError when there are no such bodies, or none on the world of that name."""
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
