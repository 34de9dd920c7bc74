"""Runs whose numbers tell nothing about the players, what becomes of them, and what verdicts were worth.

A run is invalid in two ways. `verdict`: the judge's last verdict could not be read, although it was asked for again, so
nothing moved that perhaps should have. `programs`: every program of the last episode broke off and nobody earned
anything. Such runs are never averaged with the others unless that is asked for:

- `apart`: they are no part of the figures; their own stand beside them.
- `exclude`: they are no part of the figures.
- `zero`: they count as they ended: nothing moved, nothing earned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Treatment = Literal["apart", "exclude", "zero"]
APART: Treatment = "apart"
POLICIES: tuple[Treatment, ...] = ("apart", "exclude", "zero")
VERDICT, PROGRAMS = "verdict", "programs"
WORDS = {VERDICT: "unreadable verdict", PROGRAMS: "programs that all broke off"}
"""Why a run is invalid, in words."""


def invalid(result: Mapping[str, Any]) -> str:
    """Why that run's figures tell nothing: `verdict` or `programs`; empty where they do."""
    return str(result.get("invalid") or "")


def counts(result: Mapping[str, Any], policy: Treatment) -> bool:
    """Whether that run's figures are among those of its condition."""
    if invalid(result):
        return policy == "zero"
    return bool(result["status"] == "complete")


@dataclass(frozen=True)
class Verdicts:
    """How a model's verdicts came out; those of formal judges are not counted, since nothing can be wrong with them."""

    given: int = 0
    invalid: int = 0
    """Could not be read, after every try."""
    asked_again: int = 0
    """Needed more than one try, the invalid ones among them."""
    too_much: int = 0
    """Wanted more for some typed term than is due."""
    too_little: int = 0

    def plus(self, other: Verdicts) -> Verdicts:
        """Both together."""
        pairs = zip(self._counts(), other._counts(), strict=True)
        return Verdicts(*(one + more for one, more in pairs))

    def _counts(self) -> tuple[int, ...]:
        return (self.given, self.invalid, self.asked_again, self.too_much, self.too_little)

    @classmethod
    def of(cls, verdict: Mapping[str, Any] | None) -> Verdicts:
        """One verdict as plain data; what counts of a panel is the judge that counts, else the one beside it."""
        if verdict is None or verdict.get("judge") == "formal":
            beside = (verdict or {}).get("beside")
            return cls() if beside is None else cls.of(beside)
        kinds = {each["kind"] for each in verdict.get("deviations") or ()}
        return cls(
            1,
            int(not verdict["readable"]),
            int(bool(verdict.get("faults"))),
            int("too much" in kinds),
            int("too little" in kinds),
        )

    @classmethod
    def read(cls, plain: Mapping[str, Any] | None) -> Verdicts:
        """From `plain`."""
        return cls(**{key: int(value) for key, value in (plain or {}).items()})

    @property
    def plain(self) -> dict[str, int]:
        """For result.json."""
        return dict(zip(("given", "invalid", "asked_again", "too_much", "too_little"), self._counts(), strict=True))


def together(each: Iterable[Verdicts]) -> Verdicts:
    """All of them."""
    found = Verdicts()
    for one in each:
        found = found.plus(one)
    return found
