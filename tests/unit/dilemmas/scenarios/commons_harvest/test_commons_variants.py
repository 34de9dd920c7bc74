"""Variants of Commons Harvest and its reference players: orderings of payoffs, each in every seed played."""

from __future__ import annotations

from itertools import takewhile
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.records.events import DeedSeen, StateSeen
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario

SEEDS = 2
LONG = 40.0
"""Seconds in which players who strip the trees have taken all apples."""


async def study(tmp_path: Path, scenario: str, kind: str, *conditions: str, **chosen: Any) -> StudyResult:  # noqa: ANN401
    """Return a study of the scenario with agents of one kind, except for players that `players` names."""
    agents = [name for name, player in load_scenario(scenario).spec.players.items() if player.bot is None]
    settings = {"runs": SEEDS, "time_limit_s": LONG} | chosen
    settings["players"] = dict.fromkeys(agents, kind) | chosen.get("players", {})
    found = await run_study(
        StudySettings(scenario, conditions or ("none",), world="mock", out=tmp_path / scenario / kind, **settings)
    )
    assert [result["reason"] for result in runs(found)] == [None] * len(runs(found))
    return found


def runs(found: StudyResult) -> list[dict[str, Any]]:
    return [run for result in found.results for run in result.get("runs", [result])]


def lives(found: StudyResult) -> list[float]:
    """Return the seconds with apples on trees."""
    return [run["game_s"] for run in runs(found)]


def each(found: StudyResult) -> list[float]:
    """Return the holdings of an agent, in each run."""
    return [fmean(run["players"][name]["reward"] for name in ("Laura", "Pedro")) for run in runs(found)]


def taken(found: StudyResult) -> list[float]:
    """Return the apples that an agent has taken in the first `LONG` seconds, in each run."""
    counts = []
    for seed in range(SEEDS):
        events = (line.event for line in read_events(found.directory / f"seed-{seed}" / "events.jsonl"))
        early = takewhile(lambda event: not isinstance(event, StateSeen) or event.t_s <= LONG, events)
        takes = [event.player for event in early if isinstance(event, DeedSeen) and event.deed == "take"]
        counts.append(fmean(map(takes.count, ("Laura", "Pedro"))))
    return counts


def stripped(found: StudyResult) -> list[float]:
    return [sum(run["measures"]["trees_depleted"].values()) for run in runs(found)]


@pytest.mark.parametrize(("scenario", "trees"), [("commons-harvest", 6), ("commons-harvest-single-tree", 1)])
async def test_the_field_lives_longer_and_all_have_more_if_all_leave_enough(
    scenario: str, trees: int, tmp_path: Path
) -> None:
    leave = await study(tmp_path, scenario, "sustainable-harvester", time_limit_s=2 * LONG)
    strip = await study(tmp_path, scenario, "greedy-harvester")
    assert (stripped(leave), stripped(strip)) == ([0] * SEEDS, [trees] * SEEDS)
    assert min(lives(leave)) == 2 * LONG
    assert max(lives(strip)) < LONG / 2
    assert min(run["welfare"] for run in runs(leave)) > max(run["welfare"] for run in runs(strip))
    if scenario == "commons-harvest":
        for kind, alone in (("sustainable-harvester", leave), ("greedy-harvester", strip)):
            await check_beside_aggressive_bots(kind, alone, tmp_path)


async def check_beside_aggressive_bots(kind: str, alone: StudyResult, tmp_path: Path) -> None:
    """Check that the field dies sooner beside aggressive bots, and that an agent has less."""
    beside = await study(tmp_path, "commons-harvest-bots", kind)
    assert stripped(beside) == [6] * SEEDS
    assert max(lives(beside)) < min(*lives(alone), LONG)
    assert fmean(each(beside)) < 0.85 * fmean(taken(alone))
    hits = [run["measures"]["hits"] for run in runs(beside)]
    assert all(hit["Bot1"] + hit["Bot2"] > 0 == hit["Laura"] + hit["Pedro"] for hit in hits)


async def test_only_a_player_known_to_be_selfish_is_hit_and_the_trees_are_saved(tmp_path: Path) -> None:
    chosen: dict[str, Any] = {"agents": "foragers", "players": {"Pedro": "greedy-harvester"}, "time_limit_s": LONG}
    guarded = await study(tmp_path, "commons-harvest-known-selfish", "warden", **chosen)
    free = await study(tmp_path, "commons-harvest-known-selfish", "sustainable-harvester", **chosen)
    for run in runs(guarded):
        on = {name: sum(run["measures"][f"hits_on_{name}"].values()) for name in ("laura", "pedro", "marta")}
        assert on["pedro"] >= 3
        assert on["laura"] == on["marta"] == 0
    assert max(stripped(guarded)) < min(stripped(free))


async def test_personalities_are_for_models_reference_players_do_the_same_under_each(tmp_path: Path) -> None:
    conditions = [name for name, each in load_scenario("commons-harvest").spec.conditions.items() if each.personality]
    assert len(conditions) == 4
    found = await study(tmp_path, "commons-harvest", "reference", "none", *conditions, runs=1, time_limit_s=6.0)
    deeds = [
        [
            line.event
            for line in read_events(found.directory / name / "events.jsonl")
            if isinstance(line.event, DeedSeen)
        ]
        for name in ("none", *conditions)
    ]
    assert len(deeds[0]) > 10
    assert all(others == deeds[0] for others in deeds[1:])


async def test_rewards_are_apples_and_the_log_alone_tells_whose(tmp_path: Path) -> None:
    for scenario, chosen in (("commons-harvest-bots", {}), ("commons-harvest-single-tree", {"agents": "foragers"})):
        found = await study(tmp_path, scenario, "greedy-harvester", runs=1, time_limit_s=12.0, **chosen)
        (run,) = found.results
        lines = read_events(found.directory / "events.jsonl")
        takes = [line.event.player for line in lines if isinstance(line.event, DeedSeen) and line.event.deed == "take"]
        assert takes
        assert {name: takes.count(name) for name in run["players"]} == {
            name: player["reward"] for name, player in run["players"].items()
        }
