"""Reading of a game's own elements: resources, events, fixed positions, temporary things, hunger and hostiles.

All are keys of a game's file (table 6 of AdaSociety, and its section 7), and every bad value gets one line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from grid_games.errors import GameError
from grid_games.spec import EventRecipe, Hostiles, Hunger, Places, Resource

Document = dict[str, Any]
MAX_AMOUNT = 1000
"""Maximum amount in a recipe, requirement or inventory."""
MAX_VALUE = 10**6
_NAME = re.compile(r"[a-z][a-z_]{0,23}")


def read_resource(game: str, name: object, body: object) -> Resource:
    """Return a resource of the key `own_resources`. Raises GameError."""
    where = f"own_resources of game {game}"
    fields = _fields(f"{where}, {name!r}", body, {"value"}, {"made", "requires"})
    value, made = fields["value"], fields.get("made", False)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise GameError(f"{where} name {name!r}; a name has 1 to 24 lower-case letters and underscores")
    if not _is_whole(value) or abs(value) > MAX_VALUE:
        raise GameError(f"{where}, {name}: value is {value!r}; give a whole number to {MAX_VALUE}")
    if not isinstance(made, bool):
        raise GameError(f"{where}, {name}: made is {made!r}; give true or false")
    return Resource(name, value, made, read_amounts(f"{where}, {name}: requires", fields.get("requires", {})))


def read_recipe(game: str, name: str, body: object) -> EventRecipe:
    """Return an event of the key `recipes`, laid over the world's. Raises GameError."""
    where = f"recipe {name} of game {game}"
    fields = _fields(where, body, {"consumes", "makes"}, {"requires"})
    return EventRecipe(name, **{key: read_amounts(f"{where}: {key}", amounts) for key, amounts in fields.items()})


def read_amounts(where: str, body: object, lowest: int = 1) -> dict[str, int]:
    """Return a mapping of resources to amounts. Raises GameError."""
    if not isinstance(body, Mapping):
        raise GameError(f"{where} is {body!r}; give {{RESOURCE: AMOUNT}}")
    for kind, amount in body.items():
        if not _is_whole(amount) or not lowest <= amount <= MAX_AMOUNT:
            raise GameError(f"{where} has {amount!r} {kind}; give a whole number from {lowest} to {MAX_AMOUNT}")
    return {str(kind): int(amount) for kind, amount in body.items()}


def read_places(game: str, body: object) -> Places:
    """Return the fixed positions of the key `places`. Raises GameError."""
    where = f"places of game {game}"
    fields = _fields(where, body, set(), {"blocks", "piles", "events", "players"})
    blocks = _cells(f"{where}: blocks", fields.pop("blocks", []))
    read: dict[str, dict[str, tuple[tuple[int, int], ...]]] = {}
    for key, named in fields.items():
        if not isinstance(named, Mapping):
            raise GameError(f"{where}: {key} are {named!r}; give {{NAME: [[ROW, COLUMN], ...]}}")
        read[key] = {str(name): _cells(f"{where}: {name}", cells) for name, cells in named.items()}
    return Places(blocks, **read)


def read_temporary(game: str, body: object) -> dict[str, tuple[int, int]]:
    """Return the spans of the key `temporary`. Raises GameError."""
    where = f"temporary of game {game}"
    if not isinstance(body, Mapping):
        raise GameError(f"{where} is {body!r}; give {{NAME: [FIRST, LAST]}}")
    for name, span in body.items():
        if not isinstance(span, list) or len(span) != 2 or not all(map(_is_whole, span)) or not 0 <= span[0] < span[1]:
            raise GameError(
                f"{where}: {name} is {span!r}; give [FIRST, LAST], the first step and the first one without"
            )
    return {str(name): (int(span[0]), int(span[1])) for name, span in body.items()}


def read_hunger(game: str, body: object) -> Hunger | None:
    """Return the key `hunger`. Raises GameError."""
    if body is None:
        return None
    where = f"hunger of game {game}"
    fields = _fields(where, body, {"food", "every", "loss"}, set())
    if not isinstance(fields["food"], list) or not all(isinstance(each, str) for each in fields["food"]):
        raise GameError(f"{where}: food is {fields['food']!r}; give a list of resources, eaten in this order")
    _whole(f"{where}: every", fields["every"], 1)
    return Hunger(tuple(fields["food"]), int(fields["every"]), _loss(where, fields["loss"]))


def read_hostiles(game: str, body: object) -> Hostiles | None:
    """Return the key `hostiles`. Raises GameError."""
    if body is None:
        return None
    where = f"hostiles of game {game}"
    fields = _fields(where, body, {"count", "loss"}, {"sight", "every", "feared"})
    numbers = {"count": 1, "sight": 3, "every": 2} | {
        key: fields[key] for key in fields if key not in ("loss", "feared")
    }
    for key, lowest in (("count", 1), ("sight", 0), ("every", 1)):
        _whole(f"{where}: {key}", numbers[key], lowest)
    feared = read_amounts(f"{where}: feared", fields.get("feared", {}))
    return Hostiles(loss=_loss(where, fields["loss"]), feared=feared, **numbers)


def _fields(where: str, body: object, needed: set[str], more: set[str]) -> Document:
    if not isinstance(body, Mapping):
        raise GameError(f"{where} is {body!r}; give a mapping with {', '.join(sorted(needed | more))}")
    if missing := sorted(needed - set(body)):
        raise GameError(f"{where} lacks {missing[0]!r}; its keys are {', '.join(sorted(needed | more))}")
    if unknown := sorted(map(str, set(body) - needed - more)):
        raise GameError(f"{where} has no key {unknown[0]!r}; keys are {', '.join(sorted(needed | more))}")
    return dict(body)


def _cells(where: str, cells: object) -> tuple[tuple[int, int], ...]:
    listed = isinstance(cells, list) and all(isinstance(each, list) and len(each) == 2 for each in cells)
    if not listed or not all(_is_whole(number) for each in cells for number in each):  # type: ignore[attr-defined]
        raise GameError(f"{where} are {cells!r}; give a list of [ROW, COLUMN]")
    return tuple((int(row), int(column)) for row, column in cells)  # type: ignore[attr-defined]


def _whole(where: str, number: object, lowest: int) -> None:
    if not _is_whole(number) or number < lowest or number > MAX_VALUE:  # type: ignore[operator]
        raise GameError(f"{where} is {number!r}; give a whole number from {lowest}")


def _loss(where: str, loss: object) -> float:
    if not isinstance(loss, int | float) or isinstance(loss, bool) or not 0 <= loss <= MAX_VALUE:
        raise GameError(f"{where}: loss is {loss!r}; give a number from 0 to {MAX_VALUE}")
    return float(loss)


def _is_whole(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool)
