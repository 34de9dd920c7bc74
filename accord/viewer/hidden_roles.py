"""Event handlers for games of hidden roles by words: secrets, clues, votes, guesses and outcomes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.viewer.scene import short
from accord.viewer.scene_builder import SceneBuilder

Data = Mapping[str, Any]
OUTCOMES = {
    "escaped": "{odd} was not accused",
    "guessed": "{odd} was accused, and named the word",
    "caught": "{odd} was caught",
}
"""Outcome of a game -> its words."""


def dealt(data: Data, builder: SceneBuilder) -> None:
    """Handle the start of a game."""
    other = f", with the word {data['odd_word']}" if data.get("odd_word") else ""
    text = f"game {data['game']}, {data['topic']}: the secret word is {data['word']}, unknown to {data['odd']}{other}"
    builder.add_words("game", "", text)


def said(data: Data, builder: SceneBuilder) -> None:
    """Handle a clue, a vote or a guess."""
    player, stage = data["player"], data["stage"]
    given = data.get(stage) or ""
    if stage == "clue" and given:
        builder.add_words("say", player, given)
    doing = short(data["fault"] or f"{stage}: {given}")
    told = {"doing": doing, "why": short(data["why"]), "to": "", "purpose": ""}
    builder.put("decision", player, {**told, "ref": builder.ref, "at": builder.now})


def revealed(data: Data, builder: SceneBuilder) -> None:
    """Handle the end of a game."""
    text = f"game {data['game']}: {OUTCOMES[data['outcome']].format(odd=data['odd'])}; the word was {data['word']}"
    builder.add_mark("vote", text, data["odd"])
    builder.add_words("game", "", text)
