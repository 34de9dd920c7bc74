"""What result.json holds, for one run, for several, and for several conditions."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from dilemmas.comparing import compare
from dilemmas.errors import MeasureError, RecordError
from dilemmas.events import PlayerAccount, Status
from dilemmas.measures import gini, gini_plain, summarize, welfare

SCHEMA = Path(__file__).parent / "result.schema.json"
"""JSON schema of result.json."""
SUMMARIZED = ("welfare", "gini", "gini_plain", "wall_s", "episode_wall_s", "game_s")
"""Measures of a run that `summary` covers; payoffs, rewards and transfers per player come on top."""
COMPARED = ("welfare", "gini")
"""Measures that conditions are compared in."""
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
    """Every pair of conditions that have two or more complete runs each, in every measure that is compared."""
    found = []
    for (one, first), (other, second) in itertools.combinations(results.items(), 2):
        for measure in COMPARED:
            left, right = _values(first, measure), _values(second, measure)
            if min(len(left), len(right)) >= 2:
                compared = compare(left, right, first["seeds"][0])
                found.append({"of": [one, other], "measure": measure, **compared.plain()})
    return found


def _values(result: Mapping[str, Any], measure: str) -> list[float]:
    """The measure of every complete run that has it."""
    runs = [run for run in result.get("runs", ()) if run["status"] == "complete"]
    return [run[measure] for run in runs if run[measure] is not None]


def worst(statuses: Iterable[Status]) -> Status:
    """The status of a whole: complete only when every part is."""
    present = set(statuses)
    return next(status for status in _WORST_FIRST if status in present)


def read_result(path: Path) -> dict[str, Any]:
    """A result.json. Raises RecordError in one line."""
    try:
        result = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}; give the directory of a finished run") from None
    except ValueError as error:
        raise RecordError(f"{path}: not JSON ({error})") from None
    if not isinstance(result, dict):
        raise RecordError(f"{path}: holds {type(result).__name__}, not a result")
    return result


def _summary(runs: Sequence[dict[str, Any]], seed: int) -> dict[str, Any]:
    series: dict[str, list[float]] = {
        measure: [run[measure] for run in runs if run[measure] is not None] for measure in SUMMARIZED
    }
    for player in runs[0]["players"] if runs else ():
        for part in ("reward", "transfer", "payoff"):
            series[f"{part}.{player}"] = [run["players"][player][part] for run in runs]
    return {measure: summarize(values, seed).plain() for measure, values in series.items() if values}
