"""Check of options by the types and bounds of their definitions (`accord.studies.option_groups`).

All options are checked here, wherever they come from: the command line, Python, config.yaml, a sweep's file or a
tournament's plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from types import NoneType
from typing import TYPE_CHECKING, Annotated, Any, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, Strict, ValidationError, WrapValidator, create_model

from accord.studies.option_definitions import Bounds
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails

_STRICT = ConfigDict(strict=True, protected_namespaces=())
MAX_INT = 2**63 - 1
MAX_SHOWN = 80
"""Maximum number of characters of a value in a message."""
Whole = Annotated[int, Field(ge=-MAX_INT - 1, le=MAX_INT)]
AS_GIVEN = WrapValidator(lambda value, check: (check(value), value)[1])
"""Check of a number that keeps it as it is given: records and hashes tell 3 from 3.0."""
Number = Annotated[float, AS_GIVEN]
Scalar = str | Whole | float | bool | None
"""Scalar value in YAML, where texts may be written without quotes."""
CHECKED: Mapping[Any, Any] = {
    int: Whole,
    float: Number,
    Path: Annotated[Path, Strict(False)],
    tuple[str, ...]: Annotated[tuple[Annotated[str, Strict()], ...], Strict(False)],
    tuple[int, ...]: Annotated[tuple[Whole, ...], Strict(False)],
    tuple[Path, ...]: Annotated[tuple[Annotated[Path, Strict(False)], ...], Strict(False)],
    Mapping[str, str]: Annotated[dict[str, Scalar], Strict(False)],
    Mapping[str, float]: Annotated[dict[str, Number], Strict(False)],
    Mapping[str, Path]: Annotated[dict[str, Annotated[Path, Strict(False)]], Strict(False)],
    Mapping[str, tuple[str, ...]]: Annotated[dict[str, Annotated[tuple[Scalar, ...], Strict(False)]], Strict(False)],
    Mapping[str, Mapping[str, float]]: Annotated[dict[str, Annotated[dict[str, Number], Strict(False)]], Strict(False)],
}
"""Type of an option -> type that also accepts plain data, such as a text for a path; others accept themselves alone."""
BEYOND = ("greater_than", "greater_than_equal", "less_than", "less_than_equal")
"""Types of pydantic's errors for numbers outside of their bounds."""
WORDS = {
    "Input should be": "give",
    "Input is not a valid path for <class 'pathlib.Path'>": "give a path",
    "less than or equal to": "at most",
    "greater than or equal to": "at least",
    "a valid dictionary": "a mapping",
    "a valid integer": "a whole number",
    "a valid string": "a text",
    "a valid number": "a number",
    "a valid tuple": "a list",
}
"""Words of pydantic's messages -> words of Accord's."""


def check_values(options: type, values: Mapping[str, Any], where: str = "") -> dict[str, Any]:
    """Return values of options, with plain data converted to the options' types.

    Args:
        options: Dataclass that defines the options.
        values: Option -> value.
        where: Beginning of a message, if the values are those of a file.

    Raises:
        UsageError: A value is not legal; the message names the option, its value and what is legal.
    """
    try:
        checked = _model(options).model_validate(values)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False)[0]
    else:
        return {name: getattr(checked, name) for name in values}
    name, *rest = map(str, first["loc"])
    value = values[name]
    # A file has the option's own name; in other messages it is written in words.
    shown = name if where else name.removesuffix("_s").replace("_", " ")
    key = ".".join([shown, *(part for part in rest if part in _keys(value))])
    legal = _legal(_hints(options)[name], name, first)
    raise UsageError(f"{where}{key}: {_shown(value)} is not legal; {legal}")


def options_of_type(options: type, *types: object) -> tuple[str, ...]:
    """Return the names of the options that have one of these types, or None."""
    return tuple(name for name, hint in _hints(options).items() if _plain_type(hint) in types)


@cache
def _hints(options: type) -> Mapping[str, Any]:
    return get_type_hints(options, include_extras=True)


@cache
def _model(options: type) -> type[BaseModel]:
    """Return the model that checks the fields of a dataclass; each may be left out."""
    types = {name: (_checked_type(hint), None) for name, hint in _hints(options).items()}
    made: type[BaseModel] = create_model(f"Checked{options.__name__}", __config__=_STRICT, **types)  # type: ignore[call-overload] # of any fields
    return made


def _checked_type(hint: Any) -> Any:  # noqa: ANN401 - types of any kind
    """Return the type that checks an option."""
    if get_origin(hint) is Annotated:
        kind, *metadata = get_args(hint)
        return _checked_type(kind) if (bounds := _bounds(metadata)) is None else _bounded(kind, bounds)
    if NoneType in get_args(hint):
        return _checked_type(_without_none(hint)) | None
    return CHECKED.get(hint, hint)


def _plain_type(hint: Any) -> Any:  # noqa: ANN401 - types of any kind
    """Return a type without its metadata and without None."""
    kind = get_args(hint)[0] if get_origin(hint) is Annotated else hint
    return _without_none(kind) if NoneType in get_args(kind) else kind


def _bounded(kind: Any, bounds: Bounds) -> Any:  # noqa: ANN401 - types of any kind
    if NoneType in get_args(kind):
        return _bounded(_without_none(kind), bounds) | None
    if bounds.above is not None:
        return Annotated[kind, Field(gt=bounds.above, lt=float("inf")), AS_GIVEN]
    return Annotated[kind, Field(ge=bounds.min, le=MAX_INT if bounds.max is None else bounds.max), AS_GIVEN]


def _without_none(kind: Any) -> Any:  # noqa: ANN401 - types of any kind
    (only,) = (each for each in get_args(kind) if each is not NoneType)
    return only


def _bounds(metadata: Iterable[object]) -> Bounds | None:
    return next((each for each in metadata if isinstance(each, Bounds)), None)


def _legal(hint: Any, name: str, error: ErrorDetails) -> str:  # noqa: ANN401 - types of any kind
    """Return what is legal instead of a refused value, in the wording of Accord's messages."""
    metadata = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    if error["type"] == "literal_error":
        return f"choose one of {', '.join(get_args(_plain_type(hint)))}"
    bounds = _bounds(metadata)
    if (
        bounds is not None
        and error["type"] in BEYOND
        and not (bounds.max is None and error["type"] == "less_than_equal")
    ):
        return f"give {bounds.in_words('seconds' if name.endswith('_s') else '')}"
    message = error["msg"]
    for said, given in WORDS.items():
        message = message.replace(said, given, 1)
    return message


def _keys(value: object) -> set[str]:
    return {str(key) for key in value} if isinstance(value, Mapping) else set()


def _shown(value: object) -> str:
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        # Python refuses to convert integers of more than 4,300 digits to text.
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}..."
