"""Contents of result.json for one run, for several runs, and for several conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from accord.analysis.effects import Levels, effects
from accord.analysis.figures import Key, bounds, common_bounds, figure_name, figures, seeds_of, series
from accord.analysis.intervals import Interval
from accord.analysis.measures import gini, gini_plain, summarize, welfare
from accord.analysis.plan import AnalysisPlan
from accord.analysis.statistics import Contrast, contrasts
from accord.analysis.validity import APART, WORDS, Treatment, Verdicts, counts, invalid, together
from dilemmas.errors import MeasureError
from dilemmas.records.events import PlayerAccount
from dilemmas.records.results import worst


def score(accounts: Mapping[str, PlayerAccount]) -> dict[str, Any]:
    """Return players and measures of a finished run. An undefined Gini is null, with the reason in `gini_error`."""
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
    """Return the stand-in for measures when no episode was finished."""
    return {"players": {}, "welfare": None, "gini": None, "gini_plain": None}


def combine(
    runs: Sequence[dict[str, Any]],
    seed: int,
    policy: Treatment = APART,
    declared: Mapping[str, Interval] | None = None,
) -> dict[str, Any]:
    """Return the result of several runs of one condition: the runs, a summary over valid ones, and how invalid runs
    were treated.

    Args:
        runs: Results of the runs.
        seed: Seed of the intervals.
        policy: Treatment of invalid runs.
        declared: Measure -> declared bounds for one player, to which intervals are cut.
    """
    first = runs[0]
    complete = [run for run in runs if counts(run, policy)]
    head = {key: first[key] for key in ("scenario", "version", "world", "condition")}
    return {
        **head,
        "seeds": [run["seed"] for run in runs],
        "status": worst(run["status"] for run in runs),
        "runs": list(runs),
        "summary": {"complete": len(complete), **_summary(complete, seed, declared or {})},
        **_doubtful(runs, seed, policy, declared or {}),
    }


def _doubtful(
    runs: Sequence[dict[str, Any]], seed: int, policy: Treatment, declared: Mapping[str, Interval]
) -> dict[str, Any]:
    """Return `invalid` and `verdicts` of a condition, each only if there is something to report."""
    found: dict[str, Any] = {}
    if broken := [run for run in runs if invalid(run)]:
        reasons = Counter(invalid(run) for run in broken)
        found["invalid"] = {"policy": policy, "runs": len(broken), **{why: reasons[why] for why in WORDS}}
        if policy == APART:
            found["invalid"]["summary"] = _summary(broken, seed, declared)
    verdicts = together(Verdicts.from_dict(run.get("verdicts")) for run in runs)
    return found | ({"verdicts": verdicts.to_dict()} if verdicts.given else {})


def combine_conditions(
    results: Mapping[str, dict[str, Any]],
    policy: Treatment = APART,
    levels: Mapping[str, Levels] | None = None,
    plan: AnalysisPlan | None = None,
    declared: Mapping[str, Mapping[str, Interval]] | None = None,
) -> dict[str, Any]:
    """Return the result of several conditions.

    Args:
        results: Condition -> its result.
        policy: Treatment of invalid runs.
        levels: Condition -> its level of every factor.
        plan: The declared analysis.
        declared: Condition -> measure -> declared bounds for one player.
    """
    first = next(iter(results.values()))
    counted = {name: [run for run in result.get("runs", ()) if counts(run, policy)] for name, result in results.items()}
    samples = {name: _figures(runs) for name, runs in counted.items()}
    seeds = {name: seeds_of((run["seed"], figures(run)) for run in runs) for name, runs in counted.items()}
    seed = next((result["seeds"][0] for result in results.values() if "seeds" in result), 0)
    of = declared or {}
    within = common_bounds(bounds(run, of.get(name, {})) for name, runs in counted.items() for run in runs)
    crossed = effects(samples, {name: (levels or {}).get(name, {}) for name in samples}, seed, within)
    return {
        "scenario": first["scenario"],
        "status": worst(result["status"] for result in results.values()),
        "conditions": dict(results),
        "comparisons": _comparisons(results, contrasts(samples, seed, seeds, plan, within)),
        **({"effects": [each.to_dict() for each in crossed]} if crossed else {}),
    }


def _comparisons(results: Mapping[str, dict[str, Any]], compared: Sequence[Contrast]) -> list[dict[str, Any]]:
    """Return the comparison of every pair of conditions with two or more valid runs each, in every compared measure,
    with the number of invalid runs on each side."""
    broken = {name: result.get("invalid", {}).get("runs", 0) for name, result in results.items() if "runs" in result}
    return [each.to_dict() | _beside([broken[name] for name in each.of]) for each in compared]


def _beside(broken: list[int]) -> dict[str, list[int]]:
    return {"invalid": broken} if any(broken) else {}


def _figures(runs: Sequence[dict[str, Any]]) -> dict[Key, list[float]]:
    """Return each measure over the runs that have it."""
    return series(figures(run) for run in runs)


def _summary(runs: Sequence[dict[str, Any]], seed: int, declared: Mapping[str, Interval]) -> dict[str, Any]:
    within = common_bounds(bounds(run, declared) for run in runs)
    found = {key: summarize(values, seed).cut_to(within[key]) for key, values in _figures(runs).items()}
    return {figure_name(key): summary.to_dict() for key, summary in found.items()}
