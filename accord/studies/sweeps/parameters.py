"""Parameters of a sweep that change a file (`scenario.KEY`, `contract.KEY`) or a setting.

KEY is a path with dots, as in `contract.transfers.glitchs-share.amount`, or the name of a placeholder `${NAME}` in a
text.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping
from typing import Any

from accord.studies.sweeps.spec import MAPPINGS, Value
from dilemmas.errors import UsageError

_PLACE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")
"""Placeholder in a text that a parameter fills, as in `${share} * Gizmo.items.raw_iron`."""


def of_part(part: str, parameters: Mapping[str, Value]) -> dict[str, Value]:
    """Return the parameters of a part, such as `scenario`, with the part's name removed from their names."""
    prefix = f"{part}."
    return {name.removeprefix(prefix): value for name, value in parameters.items() if name.startswith(prefix)}


def of_settings(parameters: Mapping[str, Value], settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings overridden by the parameters that are settings or keys of settings."""
    found = {**settings, **{name: value for name, value in parameters.items() if "." not in name}}
    for part in MAPPINGS:
        if own := of_part(part, parameters):
            found[part] = {**found.get(part, {}), **{key: str(value) for key, value in own.items()}}
    return found


def changed(
    data: Mapping[str, Any], values: Mapping[str, Value], part: str, whole: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    """Return a copy of data with values set at keys and filled into placeholders. Raises UsageError.

    A key is a path with dots; in a list, the `id` or `name` of an entry or its index.

    Args:
        data: Data of a scenario or contract.
        values: Key -> value.
        part: Name of the data in messages.
        whole: Data with all legal keys, if `data` leaves out defaults.
    """
    found = copy.deepcopy(dict(data))
    legal = copy.deepcopy(dict(whole or data))
    places = _places(found)
    filled = {name: value for name, value in values.items() if name in places}
    if missing := sorted(places - set(filled)):
        raise UsageError(f"{part}: nothing is given for ${{{missing[0]}}}; add the parameter {part}.{missing[0]}")
    for name, value in values.items():
        if name not in filled:
            _set(found, legal, name, value, part)
    complete: dict[str, Any] = _fill(found, filled)
    return complete


def _places(data: object) -> set[str]:
    if isinstance(data, str):
        return set(_PLACE.findall(data))
    if isinstance(data, Mapping):
        return {name for value in data.values() for name in _places(value)}
    if isinstance(data, list):
        return {name for value in data for name in _places(value)}
    return set()


def _fill(data: Any, values: Mapping[str, Value]) -> Any:  # noqa: ANN401 - plain data of any shape
    if isinstance(data, str):
        return _PLACE.sub(lambda match: str(values[match[1]]), data)
    if isinstance(data, dict):
        return {key: _fill(value, values) for key, value in data.items()}
    return [_fill(value, values) for value in data] if isinstance(data, list) else data


def _set(data: dict[str, Any], legal: dict[str, Any], path: str, value: Value, part: str) -> None:
    *above, last = path.split(".")
    place: Any = data
    model: Any = legal
    for step in above:
        key = _key(model, step, path, part)
        model = model[key]
        if isinstance(place, dict) and place.get(key) is None:
            place[key] = {} if isinstance(model, dict) else copy.deepcopy(model)
        place = place[key]
    place[_key(model, last, path, part)] = value


def _key(place: object, step: str, path: str, part: str) -> Any:  # noqa: ANN401 - of a mapping or a list
    if isinstance(place, dict) and step in place:
        return step
    if isinstance(place, list):
        names = [str(each.get("id", each.get("name", number))) if isinstance(each, dict) else str(number)
                 for number, each in enumerate(place)]  # fmt: skip
        if step in names:
            return names.index(step)
        raise UsageError(f"parameter {part}.{path}: there is no {step!r}; choose from {', '.join(names)}")
    legal = ", ".join(map(str, place)) if isinstance(place, dict) else "nothing"
    raise UsageError(f"parameter {part}.{path}: there is no {step!r}; choose from {legal}")
