"""A village under law, elections, treasury, guards, court and market on the mock world."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from math import dist
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.errors import UsageError
from dilemmas.records.events import EndStateRead, InstitutionActed, PlacesSeen
from dilemmas.records.record import read_events
from dilemmas.scenarios.institutions import governed, institutions_of
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.village.scenario import Village

PEOPLE, PURSE = 8, 10
AGAIN_S = 90.0
"""Game time that is played twice; by then people are charged, tried, sanctioned, elected, and have voted."""
PARTS = ("law", "elections", "treasury", "guards", "court")
JAIL, EXILE = (-6.5, -60, 8.5), (26.5, -60, 90.5)


def wood(folder: Path) -> Path:
    """Write a hamlet of woodcutters who live in the forest, where a law lets them fell little."""
    people = [
        {"name": f"Ada{number}", "spawn_location": {"x": -30.5 + number, "y": -60, "z": -11.5}, "trade": "wood"}
        for number in range(PEOPLE)
    ]
    for each in people:
        each.pop("trade")
    clause = {"term": {"kind": "limit", "block": "oak_log", "blocks": 2}, "fine": 2, "hold": 1, "banish_after": 2}
    spec = {
        "extends": "village",
        "name": "hamlet-law",
        "population": {"personas": people},
        "communities": {"normal": "To fell oaks."},
        "institutions": {
            "law": {"clauses": {"coal": None, "oaks": clause}, "session_every": 2},
            "elections": {"offices": {"watch": {"seats": 2, "term": 3}}},
            "treasury": {"every": 3},
            "guards": {"share": 0.5},
        },
        "end": {"time_limit_s": 170},
    }
    path = folder / "hamlet.yaml"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return path


async def live(folder: Path, path: Path, *parts: str, **chosen: Any) -> StudyResult:  # noqa: ANN401
    """Play the hamlet under some institutions."""
    vary = {f"institution.{part}": ("on",) for part in parts}
    return await run_study(
        StudySettings(str(path), world="mock", contracts=("normal",), out=folder, seed=1, vary=vary, **chosen)
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> list[StudyResult]:
    """Play the hamlet twice with one seed and all parts but the market, the second time its first part alone."""
    folder = tmp_path_factory.mktemp("law")
    path = wood(folder)

    async def play() -> list[StudyResult]:
        whole = await live(folder / "whole", path, *PARTS)
        return [whole, await live(folder / "again", path, *PARTS, time_limit_s=AGAIN_S)]

    return asyncio.run(play())


def told(found: StudyResult, *kinds: type[Any]) -> list[Any]:
    return [line.event for line in read_events(found.directory / "events.jsonl") if isinstance(line.event, kinds)]


def steps(found: StudyResult, what: str) -> list[InstitutionActed]:
    return [each for each in told(found, InstitutionActed) if each.what == what]


def places(found: StudyResult, who: str, since_s: float, until_s: float) -> list[Any]:
    """Return where somebody was, from a second on: its place then, and those to which it moved."""
    seen = [(each.t_s, each.at[who]) for each in told(found, PlacesSeen) if who in each.at]
    before = [at for t_s, at in seen if t_s <= since_s]
    return [before[-1], *(at for t_s, at in seen if since_s < t_s < until_s)]


def test_a_life_under_all_parts_gives_the_same_bytes_twice(played: list[StudyResult]) -> None:
    one, other = ((each.directory / "events.jsonl").read_bytes().splitlines() for each in played)
    same = next(number for number, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    events = [json.loads(line) for line in other[:same]]
    assert max(each["data"].get("t_s") or 0 for each in events) > AGAIN_S - 1
    acted = {each["data"]["what"] for each in events if each["kind"] == "institution"}
    assert {"elected", "charged", "tried", "sanctioned", "voted"} <= acted


def test_every_part_acts_and_each_step_says_who_and_why(played: list[StudyResult]) -> None:
    acted = Counter(each.part for each in told(played[0], InstitutionActed))
    assert set(acted) == set(PARTS)
    for what in ("elected", "breach", "charged", "tried", "sanctioned", "voted", "spending"):
        found = steps(played[0], what)
        assert found, what
        assert all(each.who and each.why for each in found), what


def test_breaches_are_those_that_the_server_counted(played: list[StudyResult]) -> None:
    broken = Counter(each.who for each in steps(played[0], "breach") if each.data["clause"] == "oaks")
    assert broken
    measures = json.loads((played[0].directory / "result.json").read_text("utf-8"))["measures"]
    assert measures["breaches"] == {
        name: float(sum(each.who == name for each in steps(played[0], "breach"))) for name in measures["breaches"]
    }


def test_fines_and_bribes_move_emeralds_in_the_world_and_none_appears_or_is_lost(played: list[StudyResult]) -> None:
    [end] = told(played[0], EndStateRead)
    held = {name: dict(each.items).get("emerald", 0) for name, each in end.players.items()}
    booked = dict.fromkeys(held, PURSE) | {"treasury": 0}
    for each in steps(played[0], "payment"):
        booked[each.who] -= each.data["paid"]
        booked[each.data["payee"]] += each.data["paid"]
    assert {**held, "treasury": booked["treasury"]} == booked
    assert sum(booked.values()) == PEOPLE * PURSE
    assert any(each.data["paid"] for each in steps(played[0], "payment"))


def test_the_held_stand_in_jail_and_the_banished_stay_in_exile(played: list[StudyResult]) -> None:
    sanctions = steps(played[0], "sanctioned")
    held = next(each for each in sanctions if each.data["held"])
    stays = places(played[0], held.who, held.t_s + 6, held.t_s + 28)
    assert all(dist(at, JAIL) < 2 or dist(at, EXILE) < 8 for at in stays)
    banished = next(each for each in sanctions if each.data["banished"])
    assert all(dist(at, EXILE) < 8 for at in places(played[0], banished.who, banished.t_s + 6, 1000))
    later = [each for each in steps(played[0], "voted") if each.t_s > banished.t_s + 30]
    assert all(banished.who not in each.data["votes"] for each in later)


def test_honest_people_keep_the_law_without_guards_and_a_fine_that_nobody_enforces_changes_nothing(
    tmp_path: Path,
) -> None:
    path = wood(tmp_path)
    law = asyncio.run(live(tmp_path / "law", path, "law", time_limit_s=110.0))
    assert not steps(law, "payment")
    guarded = asyncio.run(live(tmp_path / "guards", path, "law", "guards", time_limit_s=110.0))
    assert len(steps(guarded, "breach")) < len(steps(law, "breach"))


def test_parts_that_do_not_fit_a_village_are_refused_in_one_line() -> None:
    village = load_scenario("village")
    with pytest.raises(UsageError, match="guards reads law"):
        institutions_of(village, "normal", {"institution.guards": "on"})
    with pytest.raises(UsageError, match=r"constitution reads charter .* turn off constitution"):
        institutions_of(village, "normal", {"institution.constitution": "on"})
    with pytest.raises(UsageError, match="law and statute both write law"):
        institutions_of(village, "normal", {"institution.law": "on", "institution.statute": "on"})
    factors = {"institution.law": "on", "institution.law.clauses.coal.term.block": "bedrock"}
    with pytest.raises(UsageError, match="block: 'bedrock' is not here: use oak_log"):
        institutions_of(village, "normal", factors)


def test_a_village_without_institutions_is_built_as_before_and_people_under_them_know_how_to_live() -> None:
    village = load_scenario("village")
    assert governed(village, "normal", {}) is village
    under = governed(village, "normal", {"institution.law": "on", "institution.market": "on"})
    assert isinstance(under, Village)
    assert under.spec.agent_options("normal")["modules"] == ["trader", "polity"]
    built = {each.text for each in under.build()} - {each.text for each in village.build()}
    assert any("iron_bars" in text for text in built)
    assert sum("chest" in text for text in built) == 2
