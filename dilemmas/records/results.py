"""What result.json holds, for one run, for several, and for several conditions."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dilemmas.analysis.figures import Key, figure_name, figures, series
from dilemmas.analysis.measures import gini, gini_plain, summarize, welfare
from dilemmas.analysis.statistics import contrasts
from dilemmas.errors import MeasureError, RecordError
from dilemmas.records.events import PlayerAccount, Status

SCHEMA = Path(__file__).parent / "result.schema.json"
"""JSON schema of result.json."""
_WORST_FIRST: tuple[Status, ...] = ("failed", "budget", "infrastructure", "complete")


def score(accounts: Mapping[str, PlayerAccount]) -> dict[str, Any]:
    """Players and measures of a finished run. An undefined Gini is null, with the reason in `gini_error`."""
    payoffs = [account.payoff for account in accounts.values()]
    scored: dict[str, Any] = {
        "players": {name: account.model_dump(mode="json") for name, account in accounts.items()},
        "welfare": welfare(payoffs),
    }
    try:
        return {**scored, "gini": gini(payoffs), "gini_plain": gini_plain(payoffs)}
    except MeasureError as error:
        return {**scored, "gini": None, "gini_plain": None, "gini_error": str(error)}


def unscored() -> dict[str, Any]:
    """What stands in the place of measures when no episode was finished."""
    return {"players": {}, "welfare": None, "gini": None, "gini_plain": None}


def combine(runs: Sequence[dict[str, Any]], seed: int) -> dict[str, Any]:
    """The result of several runs of one condition: the runs and a summary over the complete ones."""
    first = runs[0]
    complete = [run for run in runs if run["status"] == "complete"]
    head = {key: first[key] for key in ("scenario", "version", "world", "condition")}
    return {
        **head,
        "seeds": [run["seed"] for run in runs],
        "status": worst(run["status"] for run in runs),
        "runs": list(runs),
        "summary": {"complete": len(complete), **_summary(complete, seed)},
    }


def combine_conditions(results: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The result of several conditions."""
    first = next(iter(results.values()))
    return {
        "scenario": first["scenario"],
        "status": worst(result["status"] for result in results.values()),
        "conditions": dict(results),
        "comparisons": _comparisons(results),
    }


def _comparisons(results: Mapping[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Every pair of conditions that have two or more complete runs each, in every figure that is compared."""
    samples = {name: _figures(result.get("runs", ())) for name, result in results.items()}
    seed = next((result["seeds"][0] for result in results.values() if "seeds" in result), 0)
    return [each.plain() for each in contrasts(samples, seed)]


def _figures(runs: Sequence[dict[str, Any]]) -> dict[Key, list[float]]:
    """Each figure over the complete runs that have it."""
    return series(figures(run) for run in runs if run["status"] == "complete")


def worst(statuses: Iterable[Status]) -> Status:
    """The status of a whole: complete only when every part is."""
    present = set(statuses)
    return next(status for status in _WORST_FIRST if status in present)


def read_result(path: Path) -> dict[str, Any]:
    """A result.json. Raises RecordError in one line."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"), parse_float=_finite, parse_constant=_finite)
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}; give the directory of a finished run") from None
    except RecursionError:
        raise RecordError(f"{path}: not a result (nested too deeply)") from None
    except ValueError as error:
        raise RecordError(f"{path}: not JSON ({error})") from None
    if not isinstance(result, dict):
        raise RecordError(f"{path}: holds {type(result).__name__}, not a result")
    return result


def _finite(text: str) -> float:
    """A number as it stands there; one without bound is none."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no finite number")
    return value


def _summary(runs: Sequence[dict[str, Any]], seed: int) -> dict[str, Any]:
    return {figure_name(key): summarize(values, seed).plain() for key, values in _figures(runs).items()}
