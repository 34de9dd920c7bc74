"""Event handlers for what is around players, and for their places: ground, blocks, weather, mobs, dropped items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.analysis.report.blocks import colour_of
from accord.viewer.scene import short
from accord.viewer.scene_builder import WEATHERS, BlockChange, SceneBuilder, changes_of, drops_of

Data = Mapping[str, Any]


def ground(data: Data, builder: SceneBuilder) -> None:
    """Handle the ground around the scenario at the start."""
    builder.scene.clear(builder.now, "top")
    builder.put("run", "ground", builder.ref)
    builder.put("run", "origin", data["origin"])


def ground_changed(data: Data, builder: SceneBuilder) -> None:
    """Handle blocks that players have mined and placed."""
    for x, y, z, block in data["tops"]:
        name = short(str(block), 60)
        builder.put("top", f"{int(x)},{int(z)}", [name, colour_of(name) if name else "", int(y)])
    for changes in changes_of(builder.now, data).values():
        builder.rows += changes
    if data["left_out"]:
        builder.put("run", "unseen", (builder.scene.get("run", "unseen") or 0) + int(data["left_out"]))


def weather(data: Data, builder: SceneBuilder) -> None:
    """Handle a change of the weather."""
    if data["weather"] in WEATHERS:
        builder.put("run", "weather", data["weather"])


def built(data: Data, builder: SceneBuilder) -> None:
    """Handle a world that was built: all changes of blocks before it are undone."""
    builder.rows.append(BlockChange(builder.now, 0, 0, 0, ""))


def places(data: Data, builder: SceneBuilder) -> None:
    """Handle the places of players."""
    for name, spot in data["at"].items():
        builder.put("at", name, [round(float(part), 1) for part in spot])
    for name in data.get("gone", ()):
        builder.put("at", name, None)


def mobs(data: Data, builder: SceneBuilder) -> None:
    """Handle the places of mobs."""
    for number, (kind, spot) in data["at"].items():
        builder.put("mob", number, [short(kind, 40), *(round(float(part), 1) for part in spot)])
    for number in data["gone"]:
        builder.put("mob", number, None)


def drops(data: Data, builder: SceneBuilder) -> None:
    """Handle items on the ground."""
    for number, drop in drops_of(data).items():
        builder.put("drop", number, None if drop is None else list(drop))
