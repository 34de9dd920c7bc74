"""Cleanup under institutions: they act while programs run, hold players in the world, and repeat by the seed."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from contracts.errors import Refused
from contracts.institutions.slots import CivicOrder
from dilemmas.errors import UsageError
from dilemmas.records.events import EndStateRead, Event, InstitutionActed, StateSeen
from dilemmas.records.record import read_events
from dilemmas.scenarios.cleanup.scenario import GovernedGrowth
from dilemmas.scenarios.institutions import governed
from dilemmas.scenarios.registry import load_scenario
from voyager_agents.public_good_norms import (
    FAIR_SHARE,
    GroundsDeed,
    grounds_norm_forms,
    grounds_norm_schema,
    read_grounds_norm,
)

LAW, GUARDS = "institution.law", "institution.guards"
NOTHING = {"kind": "limit", "blocks": 0}
SETUPS: Mapping[str, Any] = {
    "free": {},
    "law": {"law": "on", "court": "on"},
    "banish": {
        "law": {"active": "on", "clauses": {"share": {"term": NOTHING, "fine": 1, "banish_after": 1}}},
        "guards": {"active": "on", "effort": 0},
    },
    "all": {
        "law": {"active": "on", "session_every": 3}, "guards": "on", "court": "on",
        "treasury": {"active": "on", "every": 4},
        "elections": {"active": "on", "offices": {
            "watch": {"powers": ["guard", "tax"], "term": 4}, "bench": {"powers": ["judge", "spend"], "term": 4},
        }},
    },
}  # fmt: skip
"""Setup -> its institutions, laid over those of the scenario."""
LIMIT_S = 30.0


def settings(out: Path, scenario: str = "cleanup", **chosen: Any) -> StudySettings:  # noqa: ANN401
    given = {"agents": "harvester", "players": {"Gizmo": "cleaner"}, "seed": 4, "world": "mock"} | chosen
    return StudySettings(scenario, ("none",), time_limit_s=LIMIT_S, out=out, **given)


def setup(name: str, folder: Path) -> StudySettings:
    condition = {"contract": "none", "about": "x", "institutions": SETUPS[name]}
    file = folder / f"{name}.yaml"
    file.write_text(json.dumps({"extends": "cleanup", "name": name, "conditions": {"none": condition}}))
    return settings(folder / "runs" / name, str(file))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, StudyResult]:
    """Play one episode under each of the institutions: Gizmo cleans, Glitch harvests."""
    folder = tmp_path_factory.mktemp("cleanup")

    async def play() -> dict[str, StudyResult]:
        return {name: await run_study(setup(name, folder)) for name in SETUPS}

    return asyncio.run(play())


def told(found: StudyResult, *kinds: type[Event]) -> list[Any]:
    return [line.event for line in read_events(found.directory / "events.jsonl") if isinstance(line.event, kinds)]


def steps(found: StudyResult, *whats: str) -> list[InstitutionActed]:
    return [event for event in told(found, InstitutionActed) if event.what in whats]


def test_a_law_that_nobody_enforces_is_broken_and_changes_nothing(played: dict[str, StudyResult]) -> None:
    [free], [law] = told(played["free"], EndStateRead), told(played["law"], EndStateRead)
    assert law.players == free.players
    breaches = steps(played["law"], "breach")
    # Three blocks are free, and Glitch clears none.
    assert len(breaches) == law.players["Glitch"].mined["red_mushroom_block"] - 3
    assert {event.who for event in breaches} == {"Glitch"}
    assert {event.t_s % 5 for event in breaches} == {0}
    assert {each["transfer"] for each in played["law"].results[0]["players"].values()} == {0}


def test_guards_banish_in_the_world_and_payments_sum_to_zero(played: dict[str, StudyResult]) -> None:
    [appointed] = steps(played["banish"], "appointed")
    assert appointed.who == "Gizmo"
    sanction = next(event for event in steps(played["banish"], "sanctioned") if event.data["banished"])
    assert sanction.who == "Glitch"
    after = [event for event in told(played["banish"], StateSeen) if event.t_s > sanction.t_s + 1]
    # The log has what changed: Gizmo goes on, and nothing of Glitch changes any more.
    assert any("Gizmo" in event.players for event in after)
    assert not any("Glitch" in event.players for event in after)
    [end], [free] = told(played["banish"], EndStateRead), told(played["free"], EndStateRead)
    assert end.players["Glitch"].mined["red_mushroom_block"] < free.players["Glitch"].mined["red_mushroom_block"]
    measures = played["banish"].results[0]["measures"]
    assert measures["sanctions"]["Glitch"] == len(steps(played["banish"], "sanctioned"))
    assert measures["breaches"] == {"Gizmo": 0, "Glitch": len(steps(played["banish"], "breach"))}
    assert not played["free"].results[0].get("measures")
    accounts = played["banish"].results[0]["players"].values()
    assert sum(each["transfer"] for each in accounts) == pytest.approx(0, abs=1e-9)


async def test_all_parts_act_and_the_same_seed_gives_the_same_bytes(
    played: dict[str, StudyResult], tmp_path: Path
) -> None:
    again = await run_study(setup("all", tmp_path))

    def lines(found: StudyResult) -> list[Any]:
        read = (found.directory / "events.jsonl").read_text(encoding="utf-8").splitlines()
        return [each["data"] for each in map(json.loads, read) if each["kind"] in ("institution", "end_state")]

    first = told(played["all"], InstitutionActed)
    assert {event.part for event in first} == {"law", "elections", "treasury", "guards", "court"}
    assert steps(played["all"], "voted", "no_motion", "refused")
    without_wall = [{key: value for key, value in each.items() if key != "wall_s"} for each in lines(again)]
    assert without_wall == [
        {key: value for key, value in each.items() if key != "wall_s"} for each in lines(played["all"])
    ]


@pytest.mark.parametrize(
    ("factors", "chosen", "words"),
    [
        ({LAW: "off", GUARDS: "on"}, {}, "guards reads law .* which nothing here writes"),
        ({"institution.law.clauses.x": "{term: {kind: leave}}", LAW: "on"}, {}, r"clauses\.x: term: kind: 'leave' is"),
        (
            {LAW: "on"},
            {"agents": "paper", "model": "openai/x", "players": {}},
            "agents of the family 'paper' write programs by a model and cannot be asked during an episode; choose",
        ),
        (
            {LAW: "on"},
            {"players": {"Gizmo": "human"}, "world": "embedded"},
            r"institutions ask the players \(law\), and a person cannot be asked in episodes; turn them off",
        ),
    ],
)
async def test_what_cannot_act_is_refused_before_the_start(
    factors: Mapping[str, str], chosen: Mapping[str, Any], words: str, tmp_path: Path
) -> None:
    vary = {name: (value,) for name, value in factors.items()}
    with pytest.raises(UsageError, match=words) as error:
        await run_study(settings(tmp_path / "runs", vary=vary, **chosen))
    assert "\n" not in str(error.value)
    assert not (tmp_path / "runs").exists()


def test_every_clause_follows_from_counted_blocks() -> None:
    def first_breach(term: Mapping[str, Any], *deeds: tuple[Any, int]) -> int | None:
        norm, count = read_grounds_norm(term), 0
        for place, (kind, waste) in enumerate(deeds):
            deed = GroundsDeed(kind, "Ann", waste)
            count += norm.counts(deed)
            if norm.breaks(deed, count):
                return place
        return None

    harvest, clear, litter = ("harvest", 9), ("clear", 9), ("litter", 9)
    assert first_breach(FAIR_SHARE, harvest, harvest, harvest, harvest) == 3
    assert first_breach(FAIR_SHARE, harvest, harvest, harvest, clear, harvest, harvest, harvest, harvest) == 7
    assert first_breach({"kind": "spare", "waste": 8}, clear, ("harvest", 8), harvest) == 2
    assert first_breach({"kind": "limit", "blocks": 1}, harvest, clear, harvest) == 2
    assert first_breach({"kind": "litter"}, harvest, clear, litter) == 2
    with pytest.raises(Refused, match="blocks"):
        read_grounds_norm({"kind": "limit", "blocks": -1})
    assert len(grounds_norm_forms().splitlines()) == len(grounds_norm_schema()["anyOf"]) == 4


def test_holds_add_up_and_end() -> None:
    scenario = governed(load_scenario("cleanup"), "none", {LAW: "on"})
    rules = scenario.rules(0)
    assert isinstance(rules, GovernedGrowth)
    assert load_scenario("cleanup").rules(0).civic_game is None
    sent: list[str] = []

    class Server:
        async def commands(self, texts: Sequence[str]) -> list[str]:
            sent.extend(texts)
            return [""] * len(texts)

    game = rules.civic_game

    async def hold() -> list[int]:
        world: Any = Server()
        await game.carry_out(world, CivicOrder("hold", "Glitch", 1, "x"))
        await game.carry_out(world, CivicOrder("hold", "Glitch", 1, "x"))
        counts = []
        for second in (4, 9, 10, 11):
            sent.clear()
            await game.look(world, second, {}, {}, 0)
            counts.append(len(sent))
        return counts

    # Two holds of a step of five seconds each.
    assert asyncio.run(hold()) == [1, 1, 0, 0]
