"""result.json: schema, reader, and the status of several results together."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from common.plain_files import read_text
from dilemmas.errors import RecordError
from dilemmas.records.events import Status

SCHEMA = Path(__file__).parent / "result.schema.json"
"""JSON schema of result.json."""
_WORST_FIRST: tuple[Status, ...] = ("failed", "budget", "infrastructure", "complete")


def worst(statuses: Iterable[Status]) -> Status:
    """Return the worst of several statuses; `complete` only if all are."""
    present = set(statuses)
    return next(status for status in _WORST_FIRST if status in present)


def read_result(path: Path) -> dict[str, Any]:
    """Read a result.json.

    Raises:
        RecordError: The file is unreadable or no result; the message is one line.
    """
    try:
        result = finite_json(read_text(path))
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}; give the directory of a finished run") from None
    except RecursionError:
        raise RecordError(f"{path}: not a result (nested too deeply)") from None
    except ValueError as error:
        raise RecordError(f"{path}: not JSON ({error})") from None
    if not isinstance(result, dict):
        raise RecordError(f"{path}: holds {type(result).__name__}, not a result")
    return result


def finite_json(text: str) -> Any:  # noqa: ANN401 - JSON
    """Return the data of a JSON text. Raises ValueError for NaN and infinity, RecursionError for deep nesting."""
    return json.loads(text, parse_float=_finite, parse_constant=_finite)


def _finite(text: str) -> float:
    """Parse a number of the JSON text. Raises ValueError for NaN and infinity."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no finite number")
    return value
