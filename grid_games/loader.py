"""Loading of games from the YAML files in `data/`, with named variants and further changes.

A game's file may name a task (`data/tasks/`) as its base; a variant is a mapping merged over both. Mappings are merged
recursively, and all other values are replaced.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from copy import deepcopy
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from grid_games import elements
from grid_games.errors import GameError
from grid_games.spec import EventRecipe, GridGame, GridRole, Pile, Resource, StartGroups

DATA = Path(__file__).parent / "data"
KEYS = {
    *("size", "blocks", "view", "full_map", "resources", "roles", "players", "piles", "events", "recipes"),
    *("rules", "settings", "steps", "groups", "start_groups", "social_actions"),
    *("own_resources", "places", "temporary", "hunger", "hostiles"),
}
REPLACED = {"players", "piles", "events"}
"""Keys whose mappings are replaced as a whole instead of merged."""

Document = dict[str, Any]


RECORDED_NAMES = {
    "ada-contract": "contract-easy",
    "ada-contract-hard": "contract-hard",
    "ada-exploration": "exploration",
    "ada-negotiation": "negotiation-easy",
    "ada-negotiation-hard": "negotiation-hard",
    "ada-social-structure": "social-structure",
}
"""Name of a game -> its name in records (its name in version 0.1.0)."""
_CURRENT_NAMES = {old: new for new, old in RECORDED_NAMES.items()}


def current_name(name: str) -> str:
    """Return a game's current name for its name in a record; variants (`NAME+VARIANT`) are kept."""
    game, plus, chosen = name.partition("+")
    return _CURRENT_NAMES.get(game, game) + plus + chosen


def recorded_name(name: str) -> str:
    """Return a game's name in records; variants (`NAME+VARIANT`) are kept."""
    game, plus, chosen = name.partition("+")
    return RECORDED_NAMES.get(game, game) + plus + chosen


def names() -> tuple[str, ...]:
    """Return the names of all games."""
    return tuple(sorted(path.stem for path in (DATA / "games").glob("*.yaml")))


def variants(name: str) -> tuple[str, ...]:
    """Return the names of a game's variants."""
    return tuple(sorted(_document(name)[1]))


def load(name: str, *chosen: str, **changes: object) -> GridGame:
    """Load a game.

    Args:
        name: Name of the game, such as `ada-contract`. Names of version 0.1.0 (`contract-easy`) are accepted with a
            warning.
        *chosen: Names of variants, merged over the game in this order.
        **changes: New values for keys of the game's file, such as `players={"explorer": 20}`.

    Raises:
        GameError: A game, variant or key is unknown, or the game is inconsistent.
    """
    if name in _CURRENT_NAMES:
        warnings.warn(f"game {name!r} is called {current_name(name)!r} now", FutureWarning, stacklevel=2)
        name = current_name(name)
    document, offered = _document(name)
    for variant in chosen:
        if variant not in offered:
            raise GameError(f"game {name} has no variant {variant!r}; it has {sorted(offered) or 'none'}")
        document = _laid_over(document, offered[variant])
    document = _laid_over(document, changes)
    if unknown := sorted(set(document) - KEYS):
        raise GameError(f"game {name} has no key {unknown[0]!r}; keys are {sorted(KEYS)}")
    return _game("+".join((name, *chosen)), document)


def structures() -> Document:
    """Return the predefined social structures: teams, structures and schedules."""
    return deepcopy(_parsed(DATA / "structures.yaml"))


@cache
def _parsed(path: Path) -> Document:
    return dict(yaml.safe_load(path.read_text(encoding="utf-8")))


def _document(name: str) -> tuple[Document, Document]:
    """Return the merged contents of a game's files, and its variants."""
    if name not in names():
        raise GameError(f"there is no game {name!r}; games are {', '.join(names())}")
    # Nothing below changes what these mappings hold, and a copy of it would take half of the time of a load.
    own = dict(_parsed(DATA / "games" / f"{name}.yaml"))
    task = dict(_parsed(DATA / "tasks" / f"{own.pop('task')}.yaml")) if "task" in own else {}
    offered = {**task.pop("variants", {}), **own.pop("variants", {})}
    return _laid_over(task, own), offered


def _laid_over(base: Mapping[str, Any], top: Mapping[str, Any]) -> Document:
    merged = dict(base)
    for key, value in top.items():
        old = merged.get(key)
        merges = isinstance(value, Mapping) and isinstance(old, Mapping) and key not in REPLACED
        merged[key] = _laid_over(old, value) if merges and isinstance(old, Mapping) else value
    return merged


def _game(name: str, document: Document) -> GridGame:
    missing = sorted({"size", "resources", "roles", "players", "rules", "steps"} - set(document))
    if missing:
        raise GameError(f"game {name} lacks {missing[0]!r}")
    recipes = _recipes(name, document)
    roles = tuple(_role(name, role, body or {}) for role, body in document["roles"].items())
    order = {role.name: index for index, role in enumerate(roles)}
    if unknown := sorted(set(document["players"]) - set(order)):
        raise GameError(f"players of game {name} name the role {unknown[0]!r}; roles are {sorted(order)}")
    players = tuple(order[role] for role, count in document["players"].items() for _ in range(count))
    height, width = document["size"]
    return GridGame(
        name=name,
        height=height,
        width=width,
        blocks=document.get("blocks", 0),
        view=document.get("view", 2),
        full_map=document.get("full_map", False),
        resources=_resources(name, document),
        recipes=recipes,
        events=tuple(document["events"][recipe.name] for recipe in recipes),
        roles=roles,
        players=players,
        piles=tuple(Pile(kind, count, amount) for kind, (count, amount) in document.get("piles", {}).items()),
        rules=document["rules"],
        settings=dict(document.get("settings", {})),
        steps=document["steps"],
        groups=document.get("groups", len(players)),
        start_groups=_start_groups(name, document.get("start_groups")),
        social_actions=_social_actions(name, document.get("social_actions", True)),
        places=elements.read_places(name, document.get("places", {})),
        temporary=elements.read_temporary(name, document.get("temporary", {})),
        hunger=elements.read_hunger(name, document.get("hunger")),
        hostiles=elements.read_hostiles(name, document.get("hostiles")),
    )


def _resources(name: str, document: Document) -> tuple[Resource, ...]:
    own = document.get("own_resources", {})
    if not isinstance(own, Mapping):
        raise GameError(f"own_resources of game {name} are {own!r}; give {{NAME: {{value: N}}}}")
    world = {kind: Resource(kind, **body) for kind, body in _parsed(DATA / "world.yaml")["resources"].items()}
    if known := sorted(set(world) & set(own)):
        raise GameError(f"own_resources of game {name} name {known[0]!r}, which there is; choose another name")
    if unknown := sorted(map(str, set(document["resources"]) - set(world))):
        raise GameError(f"game {name} names the resource {unknown[0]!r}; resources are {', '.join(world)}")
    chosen = [resource for kind, resource in world.items() if kind in document["resources"]]
    return (*chosen, *(elements.read_resource(name, kind, body) for kind, body in own.items()))


def _recipes(name: str, document: Document) -> tuple[EventRecipe, ...]:
    """Return the recipes of the game's events, in the order of the table, with the game's changes."""
    world = _laid_over(_parsed(DATA / "world.yaml")["recipes"], document.get("recipes", {}))
    wanted = document.setdefault("events", {})
    if unknown := sorted(set(wanted) - set(world)):
        raise GameError(f"game {name} names the event {unknown[0]!r}; events are {', '.join(world)}")
    return tuple(elements.read_recipe(name, event, body) for event, body in world.items() if event in wanted)


def _role(game: str, name: str, body: Document) -> GridRole:
    preference = {kind: Fraction(str(factor)) for kind, factor in body.get("preference", {}).items()}
    held = elements.read_amounts(f"inventory of role {name} of game {game}", body.get("inventory", {}), lowest=0)
    return GridRole(name, dict(body.get("capacity", {})), preference, held)


def _social_actions(name: str, body: object) -> bool:
    if not isinstance(body, bool):
        raise GameError(f"social_actions of game {name} are {body!r}; give true or false")
    return body


def _start_groups(name: str, body: object) -> StartGroups | None:
    """Return the groups at the start of an episode, from the key `start_groups`."""
    if body is None:
        return None
    where = f"start_groups of game {name}"
    known = {"group": int, "probability": list, "episodes": int}
    if not isinstance(body, Mapping) or not {"group", "probability"} <= set(body) <= set(known):
        raise GameError(f"{where} are {body!r}; give {{group: G, probability: [FIRST, LAST], episodes: N}}")
    for key, kind in known.items():
        if key in body and (not isinstance(body[key], kind) or isinstance(body[key], bool)):
            raise GameError(f"{where}: {key} is {body[key]!r}; give a {'list' if kind is list else 'whole number'}")
    chances = body["probability"]
    if len(chances) != 2 or not all(isinstance(each, int | float) and not isinstance(each, bool) for each in chances):
        raise GameError(f"{where}: probability is {chances!r}; give two numbers from 0 to 1")
    return StartGroups(body["group"], (float(chances[0]), float(chances[1])), body.get("episodes", 1))
