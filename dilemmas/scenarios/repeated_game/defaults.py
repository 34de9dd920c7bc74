"""Defaults of a repeated game's file, most of which follow from the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from dilemmas.scenarios.repeated_game import layout
from dilemmas.scenarios.repeated_game.game_devices import with_device
from dilemmas.scenarios.repeated_game.games import GameSpec
from dilemmas.scenarios.repeated_game.parts import GameRules, RepeatedSpec
from dilemmas.scenarios.repeated_game.words import TASK, UNPAID_TASK, describe_game
from voyager_agents.stage_games.laws import StageLaw, share

DEFAULT_NAMES = ("Gizmo", "Glitch", "Sprocket", "Rivet", "Pixel", "Cog", "Widget", "Ratchet")
"""Default names of players."""
DEFAULT_COUNTS = {"public-goods": 4, "donor": 4, "donations": 4, "formula": 4}
"""Form -> default number of players, if it is not two; a game with roles has one player for each."""
BLOCK = 9
"""Emeralds in a block of emerald."""
GAMERULES = {
    "announceAdvancements": False,
    "doDaylightCycle": False,
    "doImmediateRespawn": True,
    "doMobSpawning": False,
    "doTileDrops": False,
    "doWeatherCycle": False,
    "keepInventory": True,
    "naturalRegeneration": True,
    "randomTickSpeed": 0,
    "spawnRadius": 0,
}
CONDITIONS = {
    "none": {"contract": "none", "about": "No contract."},
    "contract-1": {
        "contract": "given",
        "about": "Whoever does not cooperate pays the others, so much that cooperation is everybody's best choice.",
    },
    "negotiate": {
        "contract": "negotiated",
        "about": "The players negotiate a contract that all must accept, or play without one.",
    },
}
_GAMES: TypeAdapter[GameSpec] = TypeAdapter(GameSpec)


def with_defaults(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the file's data with all defaults. Raises ValueError."""
    if "text" in data:
        raise ValueError("text: follows from the game, so that players read what they are paid for; write a story")
    given = data.get("players") or {name: {} for name in DEFAULT_NAMES[: _usual_count(data["game"])]}
    worth = float(share(data.get("emerald", 1)))
    prices = {"emerald": worth, "emerald_block": BLOCK * worth}
    law, told = _law(data, tuple(given)), data.get("story", "")
    paid = law is None or law.paid
    if not paid:
        prices = {"emerald": 1.0}
    players = {
        name: {"spawn": layout.seat(place), "yaw": 0, "prices": prices, **(own or {})}
        for place, (name, own) in enumerate(given.items())
    }
    repeated = data.get("repeated") or {"known": 10}
    rules = {"step_s": 0.5, **(data.get("rules") or {})}
    middle = layout.STRIDE * len(players) // 2
    return {
        "version": 1,
        "task": TASK if paid else UNPAID_TASK,
        "needs": ["chests", "scoreboard", "spectators"] if data.get("by") == "chests" else ["scoreboard", "spectators"],
        "plays": ["rounds"] if law is not None and law.hides else ["rounds", "episodes"],
        "world": {"origin": [0, -60, 0], "boxes": layout.boxes(len(players)), "gamerules": GAMERULES},
        "observer": {"name": "Judy", "spawn": [middle, 8, 1]},
        "dilemma": {"cooperate": "always-cooperate", "defect": "always-defect"},
        "observables": ["scenario", "facts", "contract", "inventories", "chat", "last_run", "reward", "judge_critique"],
        "conditions": CONDITIONS if paid else {"none": CONDITIONS["none"]},
        **data,
        "players": players,
        "repeated": repeated,
        "rules": rules,
        "end": {**_end(law, repeated, rules), **(data.get("end") or {})},
        "text": "" if law is None else " ".join([told, *describe_game(law, repeated, rules, data)]).strip(),
    }


def _usual_count(game: Mapping[str, Any]) -> int:
    roles = game.get("roles")
    return len(roles) if isinstance(roles, Mapping) and roles else DEFAULT_COUNTS.get(game["form"], 2)


def _law(data: Mapping[str, Any], players: Sequence[str]) -> StageLaw | None:
    """Return the law of a file's data, or None for an illegal one, which the spec itself refuses."""
    try:
        law = _GAMES.validate_python(data["game"]).law(tuple(players))
        return with_device(law, data.get("institutions") or {})
    except ValueError:
        return None


def _end(law: StageLaw | None, repeated: Mapping[str, Any], rules: Mapping[str, Any]) -> dict[str, Any]:
    """Return the end of an episode: as late as that of the longest game, by programs or in rounds."""
    limit = 1.0
    try:
        stages = RepeatedSpec.model_validate(repeated).repetition().rounds * (1 if law is None else len(law.stages))
        limit = stages * GameRules.model_validate(rules).stage_s + 1
    except ValidationError:
        pass
    return {"time_limit_s": min(limit, 36_000.0), "all_collected": True, "policies_returned": True, "open_ended": True}
