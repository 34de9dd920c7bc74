"""Measures of perception, from the log alone: estimates beside the truth, and regressions of estimates on truth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from dilemmas.records import events as log
from dilemmas.scenarios.societies.perceiving import PerceptionHistory, perception_history
from dilemmas.scenarios.societies.regression import Fit, fit

MIN_OBSERVERS = range(1, 12)
"""Minimum numbers of observers in the tables (Project Sid, tables 1 and 2)."""
FIGURE_MIN_OBSERVERS = 5
"""Minimum number of observers in figure 7."""
BINS = 10
"""Bins of the differences between the two directions of a pair."""


class EstimatePoint(NamedTuple):
    """One estimate beside the truth."""

    observer: str
    of: str
    t_s: float
    true: float
    felt: float


class TownReputation(NamedTuple):
    """A town's estimate of a person, beside the truth."""

    name: str
    true: float
    felt: float
    observers: int
    extroversion: float


def points(found: PerceptionHistory) -> list[EstimatePoint]:
    """Return every sample of every pair whose truth a script prescribes."""
    told = []
    for sample in found.samples:
        for (observer, other), felt in sample.pairs.items():
            if (true := found.true((observer, other), sample.t_s)) is not None:
                told.append(EstimatePoint(observer, other, sample.t_s, true, felt))
    return told


def final(found: PerceptionHistory) -> list[EstimatePoint]:
    """Return the last sample of each pair."""
    return [each for each in points(found) if each.t_s == found.samples[-1].t_s] if found.samples else []


def likeability(found: PerceptionHistory, name: str) -> float:
    """Return the true likeability: a model's score of the traits if it scored all people, else the persona's number."""
    assert found.truth is not None
    scored = set(found.truth.likeability) <= set(found.scores)
    return found.scores[name] if scored else found.truth.likeability[name]


def people(found: PerceptionHistory, perceived: Mapping[str, tuple[float, int]] | None = None) -> list[TownReputation]:
    """Return everybody with an observer, by the last sample or by the given one."""
    truth = found.truth
    if truth is None or not found.samples:
        return []
    seen = found.samples[-1].perceived if perceived is None else perceived
    return [
        TownReputation(name, likeability(found, name), *seen[name], truth.extroversion[name])
        for name in truth.likeability
        if name in seen
    ]


def table(everybody: Sequence[TownReputation]) -> dict[int, Fit | None]:
    """Return minimum number of observers -> regression of perceived on true likeability."""
    found = {}
    for least in MIN_OBSERVERS:
        enough = [each for each in everybody if each.observers >= least]
        found[least] = fit([each.true for each in enough], [each.felt for each in enough])
    return found


def accuracy(found: PerceptionHistory) -> list[tuple[float, Fit | None]]:
    """Return (second, regression of perceived on true likeability with at least five observers) of every sample."""
    told = []
    for sample in found.samples:
        everybody = [each for each in people(found, sample.perceived) if each.observers >= FIGURE_MIN_OBSERVERS]
        told.append((sample.t_s, fit([each.true for each in everybody], [each.felt for each in everybody])))
    return told


def degrees(found: PerceptionHistory) -> list[tuple[str, float, int]]:
    """Return (player, extroversion, number of acquaintances) of everybody."""
    truth = found.truth
    seen = found.samples[-1].perceived if found.samples else {}
    return [(name, share, seen.get(name, (0.0, 0))[1]) for name, share in truth.extroversion.items()] if truth else []


def differences(found: PerceptionHistory) -> list[float]:
    """Return the differences between the two directions of pairs that know each other."""
    felt = found.felt
    return [abs(value - felt[b, a]) for (a, b), value in felt.items() if a < b and (b, a) in felt]


def received(found: PerceptionHistory) -> list[tuple[EstimatePoint, int]]:
    """Return (last estimate of a guest, pieces of food that it received)."""
    got = found.food.received if found.food is not None else {}
    return [(each, got.get(each.of, 0)) for each in final(found)]


def fit_points(told: Sequence[EstimatePoint]) -> Fit | None:
    """Return the regression of estimates on the truth."""
    return fit([each.true for each in told], [each.felt for each in told])


def errors(told: Sequence[EstimatePoint]) -> dict[str, float | None]:
    """Return mean absolute error and mean error of the estimates."""
    off = [each.felt - each.true for each in told]
    return {
        "mean_absolute_error": sum(map(abs, off)) / len(off) if off else None,
        "mean_error": sum(off) / len(off) if off else None,
    }


def _fit_to_dict(found: Fit | None) -> dict[str, Any] | None:
    return None if found is None else found.to_dict()


def measures(lines: Iterable[log.LogLine]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value; a player without a value is left out."""
    found = perception_history(lines)
    return {} if found.truth is None else _BY_STUDY[found.truth.study][0](found)


def society(lines: Iterable[log.LogLine]) -> dict[str, Any]:
    """Return the measures of all together, for result.json; null if there was nothing to measure."""
    return society_of(perception_history(lines))


def society_of(found: PerceptionHistory) -> dict[str, Any]:
    """Return regressions with intervals, errors and curves, by the kind of experiment."""
    if found.truth is None:
        return {}
    told = {"study": found.truth.study, "speeches": found.speeches, "rated": found.rated}
    return {**told, **_BY_STUDY[found.truth.study][1](found)}


def _room_measures(found: PerceptionHistory) -> dict[str, dict[str, float]]:
    told = points(found)
    by_other = {each.of: [one for one in told if one.of == each.of] for each in told}
    whole = fit_points(told)
    return {
        "perceived": {name: sum(each.felt for each in own) / len(own) for name, own in by_other.items()},
        "felt": {name: sum(each.true for each in own) / len(own) for name, own in by_other.items()},
        "error": {name: errors(own)["mean_absolute_error"] or 0.0 for name, own in by_other.items()},
        **_of_judges(found, {"perception_r": whole.r if whole is not None else None}),
    }


def _of_judges(found: PerceptionHistory, values: Mapping[str, float | None]) -> dict[str, dict[str, float]]:
    """Return a measure of the judge alone; empty if the measure is not defined."""
    assert found.truth is not None
    return {name: {found.truth.judges[0]: value} for name, value in values.items() if value is not None}


def _room(found: PerceptionHistory) -> dict[str, Any]:
    told = points(found)
    others = dict.fromkeys(each.of for each in told)
    rows = [[each.of, each.t_s, each.true, each.felt] for each in told]
    return {
        **_one(told),
        "speakers": {name: _one([each for each in told if each.of == name]) for name in others},
        "curve": {"columns": ["speaker", "t_s", "true", "perceived"], "rows": rows},
    }


def _one(told: Sequence[EstimatePoint]) -> dict[str, Any]:
    line = fit_points(told)
    return {"perception": None if line is None else line.to_dict(independent=False), **errors(told)}


def _chef_measures(found: PerceptionHistory) -> dict[str, dict[str, float]]:
    told = received(found)
    by_felt, by_true = _served(told, lambda each: each.felt), _served(told, lambda each: each.true)
    seen = fit_points([each for each, _ in told])
    return {
        "perceived": {each.of: each.felt for each, _ in told},
        "felt": {each.of: each.true for each, _ in told},
        "food": {each.of: float(count) for each, count in told},
        **_of_judges(found, {
            "perception_r": None if seen is None else seen.r,
            "food_by_perceived_r": None if by_felt is None else by_felt.r,
            "food_by_felt_r": None if by_true is None else by_true.r,
        }),
    }  # fmt: skip


def _served(told: Sequence[tuple[EstimatePoint, int]], of: Callable[[EstimatePoint], float]) -> Fit | None:
    """Return the regression of food on sentiment."""
    return fit([of(each) for each, _ in told], [float(count) for _, count in told])


def _chef(found: PerceptionHistory) -> dict[str, Any]:
    told = received(found)
    shown = [each for each, _ in told]
    held = found.food.held if found.food is not None else {}
    judges = set(found.truth.judges) if found.truth is not None else set()
    gone = sum(found.first_food.get(name, 0) - held.get(name, 0) for name in judges)
    rows = [[each.of, each.true, each.felt, count] for each, count in told]
    return {
        "perception": _fit_to_dict(fit_points(shown)),
        **errors(shown),
        "food_by_perceived": _fit_to_dict(_served(told, lambda each: each.felt)),
        "food_by_felt": _fit_to_dict(_served(told, lambda each: each.true)),
        "given": gone,
        "received": sum(count for _, count in told),
        "guests": {"columns": ["guest", "true", "perceived", "food"], "rows": rows},
    }


def _town_measures(found: PerceptionHistory) -> dict[str, dict[str, float]]:
    everybody = people(found)
    return {
        "perceived_likeability": {each.name: each.felt for each in everybody},
        "likeability": {each.name: each.true for each in everybody},
        "observers": {each.name: float(each.observers) for each in everybody},
    }


def _town(found: PerceptionHistory) -> dict[str, Any]:
    everybody = people(found)
    told = [EstimatePoint("", each.name, found.until, each.true, each.felt) for each in everybody]
    known = degrees(found)
    apart = differences(found)
    counts = [0] * BINS
    for each in apart:
        counts[min(BINS - 1, int(each * BINS / 10))] += 1
    slopes = [[t_s, None if each is None else each.slope, None if each is None else each.n]
              for t_s, each in accuracy(found)]  # fmt: skip
    return {
        "people": len(known),
        "ties": len(found.felt),
        "perception": {str(least): _fit_to_dict(each) for least, each in table(everybody).items()},
        **errors(told),
        "slope_over_time": {"columns": ["t_s", "slope", "n"], "rows": slopes},
        "in_degree_by_extroversion": _fit_to_dict(fit([e for _, e, _ in known], [float(n) for _, _, n in known])),
        "pairs": len(apart),
        "mean_difference": sum(apart) / len(apart) if apart else None,
        "differences": counts,
    }


_Measures = Callable[[PerceptionHistory], dict[str, dict[str, float]]]
_BY_STUDY: Mapping[str, tuple[_Measures, Callable[[PerceptionHistory], dict[str, Any]]]] = {
    "room": (_room_measures, _room),
    "chef": (_chef_measures, _chef),
    "town": (_town_measures, _town),
}
"""Kind of experiment -> measures by player, and of all together."""
