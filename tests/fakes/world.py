"""Strict fake `World` with scripted policies, a virtual clock and vanilla's replies.

It implements the commands that Double-Vein uses. Any other command, and a run without a script, raises
AssertionError, so a test that exceeds its stated scope fails.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from bridge.errors import BotLostError, CommandError
from bridge.types import (
    NEARBY,
    Address,
    BotObservation,
    Event,
    Limits,
    PolicyResult,
    ProgramError,
    ProgramOutcome,
    Sensed,
    Senses,
)
from tests.fakes.one_by_one import OneByOne

TICKS = 20
T = TypeVar("T")


@dataclass(frozen=True)
class Deed:
    """Changes by one player `t_s` seconds after the start: items gained or lost, blocks mined."""

    t_s: float
    player: str
    items: Mapping[str, int] = field(default_factory=dict)
    mined: Mapping[str, int] = field(default_factory=dict)
    chest: Mapping[str, int] = field(default_factory=dict)
    """Change of the chest's content."""
    says: str = ""


@dataclass(frozen=True)
class Script:
    """Script of one `World.run`: events, and the end of each policy."""

    deeds: Sequence[Deed] = ()
    ends: Mapping[str, tuple[float, ProgramOutcome]] = field(default_factory=dict)
    """Player -> time and outcome of its policy's end; policies of other players return after 1 s."""
    errors: Mapping[str, ProgramError] = field(default_factory=dict)
    lost: tuple[float, Exception] | None = None
    """Time and error at which the whole run is lost."""
    leaves: str | None = None
    """Name of the player who has left when the run ends."""


class FakeWorld(OneByOne):
    """Fake world; `texts` (of commands) and `runs` record its calls."""

    name = "fake"
    capabilities = frozenset({"chests", "scoreboard", "spectators", "signals", "virtual-clock"})

    def __init__(self, scripts: Sequence[Script], *, refuse: Mapping[str, str] | None = None) -> None:
        self.scripts = list(scripts)
        self.refuse = dict(refuse or {})
        """Prefix of a command -> text of its refusal."""
        self.texts: list[str] = []
        self.runs: list[dict[str, str]] = []
        self.open = False
        self.age = 100
        self.players: dict[str, dict[str, int]] = {}
        self.modes: dict[str, str] = {}
        self.gone: set[str] = set()
        self.chest: dict[str, int] | None = None
        self.scores: dict[str, dict[str, int]] = {}
        self._ticked = asyncio.Event()
        self._cancelled = False
        self._still = 0
        self._listeners: list[asyncio.Queue[Event]] = []
        self._seq = 0

    @property
    def address(self) -> Address | None:
        return Address("127.0.0.1", 25565)

    async def __aenter__(self) -> Self:
        assert not self.open, "entered twice"
        self.open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self.open, "left twice"
        self.open = False

    async def connect(self, names: Sequence[str]) -> None:
        assert self.open
        for name in names:
            self.players.setdefault(name, {})
            self.gone.discard(name)

    async def disconnect(self, names: Sequence[str]) -> None:
        for name in names:
            del self.players[name]

    async def observe(self, name: str) -> BotObservation:
        raise AssertionError(f"observe({name!r}): scenarios ask the server")

    async def sense(self, names: Sequence[str], senses: Senses = NEARBY) -> dict[str, Sensed]:
        raise AssertionError(f"sense({names!r}): scenarios ask the server")

    async def now(self) -> int:
        return self.age

    async def sleep(self, seconds: float) -> None:
        self.age += round(seconds * TICKS)
        self._ticked.set()
        self._ticked = asyncio.Event()
        # Policies and listeners run meanwhile, as they would during this time.
        for _ in range(5):
            await asyncio.sleep(0)

    async def after(self, seconds: float, work: Awaitable[T]) -> T:
        if seconds > 0:
            await self.sleep(seconds)
        return await work

    @asynccontextmanager
    async def standing_still(self) -> AsyncIterator[None]:
        if self._still == 0:
            await self.command("tick freeze")
        self._still += 1
        try:
            yield
        finally:
            self._still -= 1
            if self._still == 0:
                await self.command("tick unfreeze")

    def events(self) -> AsyncIterator[Event]:
        queue: asyncio.Queue[Event] = asyncio.Queue()
        self._listeners.append(queue)
        return self._drain(queue)

    async def _drain(self, queue: asyncio.Queue[Event]) -> AsyncIterator[Event]:
        while True:
            yield await queue.get()

    def emit(self, kind: str, data: dict[str, Any]) -> None:
        """Send an event to every listener."""
        self._seq += 1
        for queue in self._listeners:
            queue.put_nowait(Event(self._seq, kind, self.age, data))

    async def cancel(self, names: Sequence[str] | None = None) -> None:
        assert names is None
        self._cancelled = True
        self._ticked.set()

    async def run(self, policies: Mapping[str, str], limits: Limits) -> dict[str, PolicyResult]:
        assert self.scripts, "no script is left for this run"
        assert self.open
        script = self.scripts.pop(0)
        self.runs.append(dict(policies))
        self._cancelled = False
        playing = _Playing(self, script, policies, limits)
        while not playing.done() and not self._cancelled:
            await self._ticked.wait()
            playing.advance()
        if script.leaves is not None:
            self.gone.add(script.leaves)
        return playing.results(self._cancelled)

    async def command(self, text: str) -> str:
        assert self.open
        self.texts.append(text)
        for start, refusal in self.refuse.items():
            if text.startswith(start):
                raise CommandError(text, refusal)
        for pattern, answer in _COMMANDS:
            if found := pattern.fullmatch(text):
                return answer(self, text, *found.groups())
        raise AssertionError(f"the fake world does not know the command {text!r}")

    def player(self, name: str, text: str) -> dict[str, int]:
        """Return the inventory of a connected player."""
        if name not in self.players or name in self.gone:
            raise CommandError(text, "No player was found")
        return self.players[name]

    def playing(self) -> list[str]:
        """Return the connected players in survival mode."""
        return [name for name in self.players if name not in self.gone and self.modes.get(name) == "survival"]


class _Playing:
    """Run in progress."""

    def __init__(self, world: FakeWorld, script: Script, policies: Mapping[str, str], limits: Limits) -> None:
        self.world, self.script = world, script
        self.start = world.age
        self.left = sorted(script.deeds, key=lambda deed: deed.t_s)
        default = (1.0, ProgramOutcome.RETURNED)
        self.ends = {
            name: min(script.ends.get(name, default), (limits.wall_s, ProgramOutcome.TIMEOUT), key=lambda end: end[0])
            for name in policies
        }
        self.ended: set[str] = set()
        for name in policies:
            world.emit("policy", {"bot": name, "state": "started", "result": None})

    def done(self) -> bool:
        return len(self.ended) == len(self.ends)

    def advance(self) -> None:
        t_s = (self.world.age - self.start) / TICKS
        if self.script.lost is not None and self.script.lost[0] <= t_s:
            raise self.script.lost[1]
        while self.left and self.left[0].t_s <= t_s:
            self._do(self.left.pop(0))
        for name, (end, _) in self.ends.items():
            if end <= t_s and name not in self.ended:
                self.ended.add(name)
                self.world.emit("policy", {"bot": name, "state": "ended", "result": {}})

    def results(self, cancelled: bool) -> dict[str, PolicyResult]:
        found = {}
        for name, (end, outcome) in self.ends.items():
            finished = name in self.ended
            if not finished:
                assert cancelled
                self.world.emit("policy", {"bot": name, "state": "ended", "result": {}})
            outcome = outcome if finished else ProgramOutcome.CANCELLED
            last = self.start + round(end * TICKS) if finished else self.world.age
            found[name] = PolicyResult(name, outcome, self.script.errors.get(name), 1.0, 1.0, self.start, last)
        return found

    def _do(self, deed: Deed) -> None:
        items = self.world.players[deed.player]
        for item, change in deed.items.items():
            items[item] = items.get(item, 0) + change
        for block, count in deed.mined.items():
            scores = self.world.scores[f"mined_{block}"]
            scores[deed.player] = scores.get(deed.player, 0) + count
        for item, change in deed.chest.items():
            assert self.world.chest is not None
            self.world.chest[item] = self.world.chest.get(item, 0) + change
        if deed.says:
            self.world.emit("chat", {"from": deed.player, "text": deed.says})
        self.world.emit("inventory", {"bot": deed.player, "items": dict(items), "held": None})


def _gamerule(world: FakeWorld, text: str, name: str, value: str) -> str:
    return f"Gamerule {name} is now set to: {value}"


def _default_gamemode(world: FakeWorld, text: str, mode: str) -> str:
    return f"The default game mode is now {mode.capitalize()} Mode"


def _fill(world: FakeWorld, text: str, block: str) -> str:
    if block == "minecraft:air":
        world.chest = None
        return "Successfully filled 14406 block(s)"
    raise CommandError(text, "No blocks were filled")


def _setblock(world: FakeWorld, text: str, at: str, block: str) -> str:
    if block.startswith("minecraft:chest["):
        world.chest = {}
    return f"Changed the block at {', '.join(at.split())}"


def _stock(world: FakeWorld, text: str, at: str, slot: str, item: str, count: str) -> str:
    if world.chest is None:
        raise CommandError(text, f"Target position {', '.join(at.split())} is not a container")
    world.chest[item] = int(count)
    return f"Replaced a slot at {', '.join(at.split())} with [{item}]"


def _kill(world: FakeWorld, text: str) -> str:
    raise CommandError(text, "No entity was found")


def _objective_gone(world: FakeWorld, text: str, name: str) -> str:
    if world.scores.pop(name, None) is None:
        raise CommandError(text, f"Unknown scoreboard objective '{name}'")
    return f"Removed objective [{name}]"


def _objective(world: FakeWorld, text: str, name: str) -> str:
    assert name not in world.scores
    world.scores[name] = {}
    return f"Created new objective [{name}]"


def _scores(world: FakeWorld, text: str) -> str:
    lines: list[str] = []
    for player in world.playing():
        scores = {name: held[player] for name, held in world.scores.items() if player in held}
        lines.append(f"{player} has {len(scores)} score(s):" if scores else f"{player} has no scores to show")
        lines += [f"[{name}]: {score}" for name, score in scores.items()]
    return "\n".join(lines)


def _places(world: FakeWorld, text: str) -> str:
    """Report the players' fixed positions."""
    at = "has the following entity data: [0.5d, -60.0d, 0.5d]"
    return "".join(f"{player} {at}" for player in world.playing())


def _clear(world: FakeWorld, text: str, player: str) -> str:
    items = world.player(player, text)
    if not items:
        raise CommandError(text, f"No items were found on player {player}")
    count = sum(items.values())
    items.clear()
    return f"Removed {count} item(s) from player {player}"


def _count(world: FakeWorld, text: str, item: str) -> str:
    counts = {player: world.players[player].get(item, 0) for player in world.playing()}
    return "\n".join(f"Found {count} matching item(s) on player {player}" for player, count in counts.items() if count)


def _give(world: FakeWorld, text: str, player: str, item: str, count: str) -> str:
    world.player(player, text)[item] = int(count)
    return f"Gave {count} [{item}] to {player}"


def _gamemode(world: FakeWorld, text: str, player: str, mode: str) -> str:
    world.player(player, text)
    world.modes[player] = mode
    return f"Set {player}'s game mode to {mode.capitalize()} Mode"


def _tp(world: FakeWorld, text: str, player: str) -> str:
    world.player(player, text)
    return f"Teleported {player} to somewhere"


def _data(world: FakeWorld, text: str, x: str, y: str, z: str) -> str:
    if world.chest is None:
        raise CommandError(text, "The target block is not a block entity")
    stacks = ", ".join(
        f'{{Slot: {slot}b, id: "minecraft:{item}", Count: {count}b, tag: {{Damage: 0}}}}'
        for slot, (item, count) in enumerate(world.chest.items())
        if count
    )
    return f"{x}, {y}, {z} has the following block data: [{stacks}]"


def _reset(world: FakeWorld, text: str) -> str:
    """Accept commands that reset terrain and players; the fake has no such state."""
    return "Done"


def _untrue(world: FakeWorld, text: str) -> str:
    raise CommandError(text, "Test failed")


_POS = r"-?\d+ -?\d+ -?\d+"
_COMMANDS: list[tuple[re.Pattern[str], Callable[..., str]]] = [
    (re.compile(r"gamerule (\w+) (\w+)"), _gamerule),
    (re.compile(r"defaultgamemode (\w+)"), _default_gamemode),
    (re.compile(rf"fill {_POS} {_POS} (\S+)"), _fill),
    (re.compile(rf"setblock ({_POS}) (\S+)"), _setblock),
    (re.compile(rf"item replace block ({_POS}) container\.(\d+) with minecraft:(\w+) (\d+)"), _stock),
    (re.compile(r"kill @e\[type=item\]"), _kill),
    (re.compile(r"kill @e\[type=!player\]"), _kill),
    (re.compile(r"(?:worldborder|setworldspawn|forceload add) .*"), _reset),
    (re.compile(r"(?:effect clear|experience set) @a.*|execute as @a run gamemode spectator @s"), _reset),
    (re.compile(r"execute if entity @a\[nbt=\{EnderItems:\[\{\}\]\}\]"), _untrue),
    (re.compile(r"scoreboard objectives remove (\w+)"), _objective_gone),
    (re.compile(r"scoreboard objectives add (\w+) minecraft\.mined:minecraft\.\w+"), _objective),
    (re.compile(r"execute as @a\[gamemode=survival\] run scoreboard players list @s"), _scores),
    (re.compile(r"execute as @a\[gamemode=survival\] run data get entity @s Pos"), _places),
    (re.compile(r"clear (\w+)"), _clear),
    (re.compile(r"execute as @a\[gamemode=survival\] run clear @s minecraft:(\w+) 0"), _count),
    (re.compile(r"give (\w+) minecraft:(\w+) (\d+)"), _give),
    (re.compile(r"execute as (\w+) run gamemode (\w+) @s"), _gamemode),
    (re.compile(r"tp (\w+) \S+ \S+ \S+ \S+ \S+"), _tp),
    (re.compile(r"data get block (-?\d+) (-?\d+) (-?\d+) Items"), _data),
]

LOST = BotLostError("Glitch was disconnected")


class FakeWorlds:
    """Replacement of `open_world` that returns the given worlds in order and records its calls."""

    def __init__(self, *worlds: FakeWorld) -> None:
        self.worlds = list(worlds)
        self.asked: list[dict[str, Any]] = []

    def __call__(self, name: str, *, seed: int, log_dir: Path, port: int | None = None, **land: str) -> FakeWorld:
        assert len(self.asked) < len(self.worlds), "no world is left"
        self.asked.append({"name": name, "seed": seed, "log_dir": log_dir, "port": port, **land})
        return self.worlds[len(self.asked) - 1]
