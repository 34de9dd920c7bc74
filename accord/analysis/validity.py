"""Invalid runs, their treatment, and the quality of verdicts.

A run is invalid for one of three reasons. `verdict`: the judge's last verdict could not be read even after retries, so
nothing moved that perhaps should have. `programs`: every program of the last episode failed and nobody earned anything.
`answers`: a player's model left too many questions without a usable answer (`--max-unreadable`), so the player's
choices are largely those of a stand-in. Invalid runs are never averaged with the others unless asked for:

- `apart`: left out of the means; their own means stand beside them.
- `exclude`: left out of the means.
- `zero`: counted as they ended: nothing moved, nothing earned.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Treatment = Literal["apart", "exclude", "zero"]
APART: Treatment = "apart"
POLICIES: tuple[Treatment, ...] = ("apart", "exclude", "zero")
VERDICT, PROGRAMS, ANSWERS = "verdict", "programs", "answers"
WORDS = {
    VERDICT: "unreadable verdict",
    PROGRAMS: "programs that all broke off",
    ANSWERS: "player without enough usable answers",
}
"""Reason for which a run is invalid, in words."""


def invalid(result: Mapping[str, Any]) -> str:
    """Return the reason for which a run is invalid, a key of `WORDS`; empty for a valid run."""
    return str(result.get("invalid") or "")


def counts(result: Mapping[str, Any], policy: Treatment) -> bool:
    """Return whether the run is part of its condition's means."""
    if invalid(result):
        return policy == "zero"
    return bool(result["status"] == "complete")


@dataclass(frozen=True)
class Verdicts:
    """Quality of a model's verdicts. Formal judges do not count, since their verdicts cannot be wrong."""

    given: int = 0
    invalid: int = 0
    """Number of verdicts that were unreadable after every try."""
    asked_again: int = 0
    """Number of verdicts that needed more than one try, invalid ones included."""
    too_much: int = 0
    """Number of verdicts with a higher amount than due for a typed term."""
    too_little: int = 0

    def plus(self, other: Verdicts) -> Verdicts:
        """Return the sum of both."""
        pairs = zip(self._counts(), other._counts(), strict=True)
        return Verdicts(*(one + more for one, more in pairs))

    def _counts(self) -> tuple[int, ...]:
        return (self.given, self.invalid, self.asked_again, self.too_much, self.too_little)

    @classmethod
    def of(cls, verdict: Mapping[str, Any] | None) -> Verdicts:
        """Return the quality of a verdict given as plain data.

        A formal judge's verdict is replaced by the other judge's.
        """
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
    def from_dict(cls, data: Mapping[str, Any] | None) -> Verdicts:
        """Return the numbers that `to_dict` wrote."""
        return cls(**{key: int(value) for key, value in (data or {}).items()})

    def to_dict(self) -> dict[str, int]:
        """Return the numbers for result.json."""
        return dict(zip(("given", "invalid", "asked_again", "too_much", "too_little"), self._counts(), strict=True))


def together(each: Iterable[Verdicts]) -> Verdicts:
    """Return the sum of all."""
    found = Verdicts()
    for one in each:
        found = found.plus(one)
    return found
