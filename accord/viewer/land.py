"""Land of a record in three dimensions, built again as the run built it: from the recorded scenario and seed.

The land is a mock world in a process of its own, which runs the scenario's commands and then only answers queries. It
is built when a page asks for it for the first time. What is not recorded is not shown, and `RunLand.notes` says so.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import contextlib
import tempfile
import threading
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import yaml

from accord.viewer.scene import short
from bridge.errors import BridgeError
from bridge.land import SurveyPart
from bridge.mock_world import MockWorld
from bridge.worlds import FLAT, NOWHERE, SURVIVAL_TERRAIN, WORLDS, capabilities
from common.errors import PrerequisiteError
from common.plain_files import read_text
from contracts.yaml12 import load_own
from dilemmas.errors import DilemmaError, RecordError
from dilemmas.minecraft.commands import give
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.registry import load_scenario, recorded_scenario

T = TypeVar("T")
BUILD_S = 300.0
"""Maximum time to build a land, in seconds."""
ANSWER_S = 120.0
"""Maximum time to answer a query, in seconds. New columns of a survival land take 20 ms each on a quiet machine."""
SETTLE_S = 0.5
"""Game time for water and sand to come to rest, as before an episode."""
MAX_LANDS = 2
"""Maximum number of lands that are kept; each is a process with a world."""
UNRECORDED = (
    "Blocks are as the scenario builds them from the seed, plus what players have mined and placed, and what became of "
    "it. Growth elsewhere, flowing liquids, and what a person built with a Minecraft client are not recorded; records "
    "of earlier versions hold neither directions of placed blocks nor items on the ground."
)
LOOKS = "The record does not say where players look: they look where they walk."
PAPER = "This run was on a Paper server: the land around the scenario's buildings may have differed."


@dataclass
class RunLand:
    """Land of one run."""

    scenario: Scenario
    seed: int
    terrain: str
    notes: Sequence[str]
    """Gaps in the knowledge of this land, one sentence or more each."""
    state: str = "building"
    """building | ready | failed"""
    error: str = ""
    """Reason of a failure, in one line."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Heights, time of day, and signs (`bridge.land`)."""
    world: MockWorld | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return what the page needs to begin."""
        return {"able": True, "state": self.state, "why": self.error, "notes": list(self.notes), "facts": self.facts}


def read_land(run: Path) -> RunLand:
    """Return the land of a run, not built yet.

    Raises:
        RecordError: The run has no land, or its record does not tell how to build it.
    """
    path = run / "config.yaml"
    try:
        config = load_own(read_text(path))
    except (OSError, ValueError, RecursionError, yaml.YAMLError):
        raise RecordError(f"{path} cannot be read") from None
    settings = config.get("settings") if isinstance(config, dict) else None
    data = config.get("scenario") if isinstance(config, dict) else None
    if not isinstance(settings, dict) or not isinstance(data, dict):
        raise RecordError(f"{path} does not hold the scenario: it is of an older version")
    world = str(settings.get("world"))
    try:
        scenario = recorded_scenario(data, path)
    except (DilemmaError, PrerequisiteError) as error:
        raise RecordError(short(str(error))) from None
    if world == NOWHERE or world not in WORLDS or not scenario.build():
        raise RecordError("this game is played on arrays or in words: it has no land")
    seed = config.get("seed")
    if not isinstance(seed, int) or abs(seed) >= 1 << 63:
        raise RecordError(f"{path}: seed: {str(seed)[:40]!r} is not a whole number")
    notes = [UNRECORDED, LOOKS, *([PAPER] if world == "paper" else []), *_version_notes(scenario)]
    return RunLand(scenario, seed, _terrain(settings, scenario, world), notes)


def _terrain(settings: Mapping[str, Any], scenario: Scenario, world: str) -> str:
    """Return the terrain that the run had: its option, or what the scenario wants if the world has it."""
    named = str(settings.get("terrain", FLAT))
    if named != FLAT or SURVIVAL_TERRAIN not in capabilities(world):
        return named
    return scenario.spec.required_terrain


def _version_notes(scenario: Scenario) -> list[str]:
    try:
        now = load_scenario(scenario.spec.scenario).spec.version
    except (DilemmaError, PrerequisiteError):
        return []
    if now == scenario.spec.version:
        return []
    return [f"The run was played with version {scenario.spec.version} of the scenario; version {now} builds the land."]


class Lands:
    """Lands of the shown runs, each in a process of its own; close them at the end."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._open: dict[Path, RunLand] = {}
        self._reasons: dict[Path, str] = {}
        """Run -> reason why it has no land; empty if it has one."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None

    def describe(self, run: Path, *, build: bool) -> dict[str, Any]:
        """Return what the page needs to know about a run's land, and begin to build it if asked for.

        `able` is False for a run without land, and `why` is the reason.
        """
        land = self._peek(run)
        try:
            if build and (land is None or land.state == "failed"):
                land = self.open_land(run)
            if land is not None:
                return land.to_dict()
            if run not in self._reasons:
                self._reasons[run] = ""
                read_land(run)
        except RecordError as error:
            self._reasons[run] = str(error)
        reason = self._reasons[run]
        return {"able": not reason, "state": "asleep", "why": reason, "notes": [], "facts": {}}

    def _peek(self, run: Path) -> RunLand | None:
        with self._lock:
            return self._open.get(run)

    def open_land(self, run: Path) -> RunLand:
        """Return the land, which is being built if nobody has asked for it before. Raises RecordError."""
        with self._lock:
            found = self._open.pop(run, None)
            if found is None or found.state == "failed":
                found = read_land(run)
                asyncio.run_coroutine_threadsafe(self._build(found), self._running_loop())
            self._open[run] = found
            dropped = [self._open.pop(next(iter(self._open))) for _ in range(len(self._open) - MAX_LANDS)]
        for each in dropped:
            self._close_land(each)
        return found

    def survey(self, run: Path, part: SurveyPart, **fields: Any) -> Any:  # noqa: ANN401 - any JSON
        """Return a part of a built land. Raises RecordError."""
        land = self._peek(run)
        if land is None or land.world is None or land.state != "ready":
            raise RecordError("the land is not built yet")
        if part == "bodies":
            fields["players"] = list(land.scenario.spec.players)
        try:
            return self._wait(land.world.survey(part, **fields), ANSWER_S)
        except (BridgeError, TimeoutError) as error:
            raise RecordError(short(f"the land does not answer: {error}")) from None

    def columns(self, run: Path, places: Sequence[tuple[int, int]]) -> bytes:
        """Return columns of blocks, deflated (`engine/view/survey.js`). Raises RecordError."""
        text = self.survey(run, "columns", columns=[list(each) for each in places])
        try:
            return base64.b64decode(str(text), validate=True)
        except binascii.Error as error:
            raise RecordError(f"the land sent no columns: {error}") from None

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            lands, self._open = list(self._open.values()), {}
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is None or thread is None:
            return
        for each in lands:
            self._close_land(each, loop)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        """Return the event loop of the worlds. It has a thread of its own, which must outlive their processes."""
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="lands", daemon=True)
            self._thread.start()
        return self._loop

    def _wait(self, work: Coroutine[Any, Any, T], seconds: float) -> T:
        loop = self._loop
        if loop is None:
            work.close()
            raise TimeoutError("the viewer is ending")
        task = asyncio.run_coroutine_threadsafe(work, loop)
        try:
            return task.result(seconds)
        except TimeoutError:
            task.cancel()
            raise TimeoutError(f"no answer within {seconds:g} s") from None

    def _close_land(self, land: RunLand, loop: asyncio.AbstractEventLoop | None = None) -> None:
        land.state, land.error = "failed", "the land was closed: open it again"
        where = loop or self._loop
        if land.world is not None and where is not None:
            closing = land.world.__aexit__(None, None, None)
            asyncio.run_coroutine_threadsafe(closing, where).result(ANSWER_S)

    async def _build(self, land: RunLand) -> None:
        try:
            async with asyncio.timeout(BUILD_S):
                await _build_land(land)
            land.state = "ready"
        except TimeoutError:
            await _fail(land, f"it was not built within {BUILD_S:g} s")
        # A record is hostile input: a scenario's code may fail in any way on data that its model lets through.
        except Exception as error:  # noqa: BLE001
            await _fail(land, short(f"{type(error).__name__}: {error}"))


async def _build_land(land: RunLand) -> None:
    """Open the world, and set up the scenario in it as before an episode."""
    with tempfile.TemporaryDirectory(prefix="accord-land-") as folder:
        world = MockWorld(land.seed, Path(folder), threaded=False, terrain=land.terrain)
        await world.__aenter__()
        land.world = world
        await world.connect([*land.scenario.spec.players, land.scenario.spec.observer.name])
        await furnish_land(world, land)
        land.facts = await world.survey("facts")


async def furnish_land(world: MockWorld, land: RunLand) -> None:
    """Set up the scenario in an open world, whose players are connected: commands place them and search around them."""
    scenario, seed = land.scenario, land.seed
    await give(world, scenario.build())
    await give(world, scenario.place(seed))
    await scenario.settle_players(world, seed)
    await world.sleep(SETTLE_S)


@contextlib.asynccontextmanager
async def open_land(land: RunLand) -> AsyncIterator[MockWorld]:
    """Yield a land's world for one caller, and end its process. Raises RecordError."""
    try:
        async with asyncio.timeout(BUILD_S):
            await _build_land(land)
    except TimeoutError:
        await _fail(land, f"it was not built within {BUILD_S:g} s")
    # A record is hostile input: a scenario's code may fail in any way on data that its model lets through.
    except Exception as error:  # noqa: BLE001
        await _fail(land, short(f"{type(error).__name__}: {error}"))
    if land.world is None:
        raise RecordError(land.error)
    try:
        yield land.world
    finally:
        world, land.world = land.world, None
        await world.__aexit__(None, None, None)


async def _fail(land: RunLand, why: str) -> None:
    land.state, land.error = "failed", f"the land cannot be built: {why}"
    if land.world is not None:
        world, land.world = land.world, None
        await world.__aexit__(None, None, None)
