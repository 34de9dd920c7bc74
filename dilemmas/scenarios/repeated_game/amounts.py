"""Types of numbers in a repeated game's file."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field

from voyager_agents.stage_games.laws import share


def check_number(number: Any) -> Any:  # noqa: ANN401 - whatever was given, as it was
    """Return the number as given. Raises ValueError if it is none."""
    try:
        share(number)
    except (ValueError, ZeroDivisionError):
        raise ValueError(f"{number!r} is no number; write e.g. 3, 0.5 or '1/3'") from None
    return number


def _ascending(numbers: tuple[int, ...]) -> tuple[int, ...]:
    if list(numbers) != sorted(set(numbers)):
        raise ValueError(f"{list(numbers)} is not ascending; write each number once, the least first")
    return numbers


Number = Annotated[int | float | str, AfterValidator(check_number)]
"""A number, or a fraction as text: 1/3."""
Levels = Annotated[
    tuple[Annotated[int, Field(ge=0)], ...], Field(min_length=2, max_length=9), AfterValidator(_ascending)
]
"""Whole emeralds to choose from, ascending."""
