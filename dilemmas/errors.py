"""Errors of scenarios, modes and records, by audience.

- DilemmaError: base class
-   UsageError: wrong input; `str(error)` is one line that names the remedy (exit code 2)
-     SpecError: a scenario file that is unreadable or invalid
-   RecordError: a run directory that cannot be written or read
-   MeasureError: a measure that is undefined for these rewards (raised instead of returning NaN)

Errors of the bridge (`common.errors`) pass through. Only `accord.studies.run` turns an InfrastructureError into a
repeat of the episode.
"""

from __future__ import annotations


class DilemmaError(Exception):
    """Base class of all errors that `dilemmas` raises."""


class UsageError(DilemmaError):
    """Wrong input; the message is one line with the option, its value, the legal values and the remedy."""


class SpecError(UsageError):
    """An unreadable or invalid scenario file; the message names the file, key, value and legal values."""


class RecordError(DilemmaError):
    """A run directory that cannot be written or read."""


class MeasureError(DilemmaError):
    """A measure that is undefined for these rewards."""
