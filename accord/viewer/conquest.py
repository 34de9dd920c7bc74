"""Event handlers for Conquest: orders, battles, support, and the end of a game."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from accord.viewer.scene import short
from accord.viewer.scene_builder import SceneBuilder
from voyager_agents.conquest.turns import Battle, ConquestOrder

Data = Mapping[str, Any]


def order(data: Data, builder: SceneBuilder) -> None:
    """Handle a player's order."""
    doing = ConquestOrder(data["act"], data["origin"], data["target"], data["troops"]).text
    told = {"doing": short(data["fault"] or doing), "why": short(data["why"]), "to": "", "purpose": ""}
    builder.put("decision", data["player"], {**told, "ref": builder.ref, "at": builder.now})


def battle(data: Data, builder: SceneBuilder) -> None:
    """Handle a battle."""
    text = Battle(**{each.name: data[each.name] for each in fields(Battle)}).text
    for name in data["attackers"]:
        builder.add_mark("attack", text, name)
    builder.add_words("battle", "", text)


def support(data: Data, builder: SceneBuilder) -> None:
    """Handle troops that became another player's."""
    builder.add_words(
        "battle", "", f"{data['player']} gives {data['receiver']} {data['troops']} troops in {data['at']}"
    )


def objective(data: Data, builder: SceneBuilder) -> None:
    """Handle the end of a game by an objective."""
    text = f"{' and '.join(data['players'])} reached the objective"
    for name in data["players"]:
        builder.add_mark("objective", text, name)
    builder.add_words("battle", "", text)
