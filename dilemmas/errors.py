"""Errors of the studies, by audience.

DilemmaError
    UsageError      wrong input; `str(error)` is one line that says what to do (exit code 2)
        SpecError       a scenario file that cannot be read or is not legal
    RecordError     the run directory cannot be written or read
    MeasureError    a figure that is not defined for these rewards (never NaN instead)

Errors of the bridge (`bridge.errors`) pass through; `accord.studies.run` alone turns an InfrastructureError into a
repeat of the episode.
"""

from __future__ import annotations


class DilemmaError(Exception):
    """Base of everything that this package raises."""


class UsageError(DilemmaError):
    """Wrong input; the text is one line that names the thing, its value, what is legal and what to do."""


class SpecError(UsageError):
    """A scenario file that cannot be read or is not legal; names file, key, value and the legal set."""


class RecordError(DilemmaError):
    """The run directory cannot be written or read."""


class MeasureError(DilemmaError):
    """A measure that these rewards do not define."""
