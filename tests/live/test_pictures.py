"""Pictures of ten scenes: the mock and the embedded world give the same bytes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, cast

import pytest

from bridge.pictures import PictureRequest, TakesPictures
from bridge.worlds import World, open_world

SCENES: dict[str, dict[str, Any]] = json.loads(
    Path(__file__).parents[1].joinpath("fixtures/pictures.json").read_text(encoding="utf-8")
)
CAMERA = "Lens"
FLAT = {name: scene for name, scene in SCENES.items() if scene["terrain"] == "flat"}
HILLS = {name: scene for name, scene in SCENES.items() if name not in FLAT}
STILL = ("tick freeze", "time set 1000", "weather clear", "kill @e[type=!player]", "kill @e[type=item]")
"""Commands that end what happened while the bots joined, which takes as long as it takes: animals leave drops."""
CLEAR = (
    "kill @e[type=!player]",
    "weather clear",
    "fill -24 -60 -12 24 -55 44 air",
    "fill -24 -54 -12 24 -49 44 air",
    "fill -24 -64 -12 24 -64 44 bedrock",
    "fill -24 -63 -12 24 -62 44 dirt",
    "fill -24 -61 -12 24 -61 44 grass_block",
)
"""Commands that make the ground of a flat scene anew; those that find nothing to do are refused."""


async def take_pictures(world_name: str, folder: Path, scenes: dict[str, dict[str, Any]]) -> dict[str, bytes]:
    """Build scenes one after the other in a world whose time stands still, and return the picture of each."""
    first = next(iter(scenes.values()))
    names = sorted({name for scene in scenes.values() for name in scene["players"]})
    async with open_world(world_name, seed=first["seed"], log_dir=folder, terrain=first["terrain"]) as world:
        await world.connect([CAMERA, *names])
        await world.commands(STILL)
        return {name: await _take_picture(world, scene, names) for name, scene in scenes.items()}


async def _take_picture(world: World, scene: dict[str, Any], names: list[str]) -> bytes:
    x, y, z, yaw, pitch = scene["camera"]
    if scene["terrain"] == "flat":
        await world.commands(CLEAR)
    away = {name: f"{20 + i} -60 -40 0 0" for i, name in enumerate(names)}
    places = away | {name: f"{place[0]} -60 {place[1]} {place[2]} 0" for name, place in scene["players"].items()}
    replies = await world.commands([*scene["commands"], *(f"tp {name} {place}" for name, place in places.items())])
    assert [reply for reply in replies if not isinstance(reply, str)] == []
    # A camera above the ground stands on blocks that are not drawn.
    around = f"{int(x // 1) - 1} {y - 1} {int(z // 1) - 1} {int(x // 1) + 1} {y - 1} {int(z // 1) + 1}"
    await world.commands([f"fill {around} barrier keep", f"tp {CAMERA} {x} {y} {z} {yaw} {pitch}"])
    return await cast(TakesPictures, world).picture(PictureRequest(CAMERA, 160, 90))


@pytest.mark.parametrize("scenes", [FLAT, HILLS], ids=["flat", "hills"])
async def test_scenes_have_the_same_bytes_on_mock_and_embedded(scenes: dict[str, Any], tmp_path: Path) -> None:
    mock, embedded = [await take_pictures(world, tmp_path, scenes) for world in ("mock", "embedded")]
    assert [name for name in scenes if mock[name] != embedded[name]] == []
    assert len(set(mock.values())) == len(scenes)
