"""Kitchens on the mock world: soups are what the guests took, layouts divide the labour, and the log gives measures."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.transcript.reading import read_steps
from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.errors import SpecError
from dilemmas.minecraft.command_tree import is_command
from dilemmas.minecraft.layout import Cell
from dilemmas.records import events as log
from dilemmas.records.digest import digest
from dilemmas.records.record import read_events
from dilemmas.scenarios.kitchen.measures import ServiceHistory, service_history
from dilemmas.scenarios.kitchen.spec import KitchenSpec
from dilemmas.scenarios.registry import load_scenario
from voyager_agents.facts import KitchenFacts
from voyager_agents.reference.cooks import shared_jobs

LAYOUTS = ("kitchen", "kitchen-divided", "kitchen-line")
SHORT_S = 60.0


async def play(out: Path, scenario: str = "kitchen", **chosen: Any) -> StudyResult:  # noqa: ANN401 - any setting
    return await run_study(StudySettings(scenario, ("none",), world="mock", out=out, time_limit_s=SHORT_S, **chosen))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, StudyResult]:
    """A team in each layout, and a cook alone in the open one and the divided one."""
    out = tmp_path_factory.mktemp("kitchens")
    alone = {"Basil": "idle", "Clove": "solo-cook"}

    async def all_of_them() -> dict[str, StudyResult]:
        found = {name: await play(out / name, name) for name in LAYOUTS}
        found |= {f"{name} alone": await play(out / f"{name}-alone", name, players=alone) for name in LAYOUTS[:2]}
        return found

    return asyncio.run(all_of_them())


def events(found: StudyResult, *kinds: type) -> list[Any]:
    return [line.event for line in read_events(found.directory / "events.jsonl") if isinstance(line.event, kinds)]


def team(found: StudyResult) -> dict[str, Any]:
    result = json.loads((found.directory / "result.json").read_text(encoding="utf-8"))
    kitchen: dict[str, Any] = result["kitchen"]
    return kitchen


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_cook_earns_an_emerald_for_each_soup_that_the_guests_took(
    played: dict[str, StudyResult], layout: str
) -> None:
    found = played[layout]
    soups = sum(each.count for each in events(found, log.SoupServed))
    assert soups > 10
    assert soups == events(found, log.SoupServed)[-1].total == team(found)["soups"]
    assert {each["payoff"] for each in found.results[0]["players"].values()} == {soups}
    # What was served had been made: the server counts crafted stews and filled buckets.
    made = Counter[str]()
    for each in events(found, log.WorkDone):
        made[each.act] += each.count if each.act in ("craft", "fill") else 0
    assert min(made["craft"], made["fill"]) >= soups


def test_sharing_the_work_serves_more_than_one_cook_alone(played: dict[str, StudyResult]) -> None:
    assert team(played["kitchen"])["soups"] > 1.2 * team(played["kitchen alone"])["soups"] > 0


def test_what_the_guests_take_is_asked_by_vanilla_commands() -> None:
    taken = 'if data block 15 -60 5 Items[{Slot:0b,id:"minecraft:rabbit_stew",Count:1b}]'
    assert is_command(f"execute {taken} run item replace block 15 -60 5 container.0 with air")
    assert not is_command(f"execute {taken} run item replace block 15 -60 5 slot.0 with air")


def test_a_divided_kitchen_forces_coordination(played: dict[str, StudyResult]) -> None:
    assert team(played["kitchen-divided alone"])["soups"] == 0
    assert team(played["kitchen-divided"])["soups"] > 10


def test_measures_tell_who_did_what(played: dict[str, StudyResult]) -> None:
    one, line = team(played["kitchen alone"]), team(played["kitchen-line"])
    assert (one["handovers"], one["division_of_labour"]) == (0, 0)
    assert not any(one["work"]["Basil"].values())
    assert all(one["work"]["Clove"].values())
    assert line["division_of_labour"] > 0.7
    assert set(line["handovers_by_pair"]) == {"Basil to Clove", "Basil to Dill", "Clove to Dill", "Dill to Sorrel"}
    measures = played["kitchen-line"].results[0]["measures"]
    assert measures["specialisation"]["Basil"] == 1.0
    assert sum(measures["given"].values()) == sum(measures["got"].values()) == line["handovers"]
    assert played["kitchen alone"].results[0]["measures"]["idle_s"]["Basil"] == SHORT_S


def test_no_item_comes_from_nowhere_in_the_account_of_work(played: dict[str, StudyResult]) -> None:
    found = played["kitchen-divided"]
    taken, put = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    kinds = {name: each.kind for name, each in events(found, log.StationsSeen)[0].laid.items()}
    for each in events(found, log.WorkDone):
        if each.act == "take" and kinds[each.station] == "shelf":
            taken[each.station, each.item] += each.count
            assert taken[each.station, each.item] <= put[each.station, each.item]
        elif each.act == "put":
            put[each.station, each.item] += each.count
    assert taken


async def test_the_same_seed_gives_the_same_bytes(played: dict[str, StudyResult], tmp_path: Path) -> None:
    again = await play(tmp_path)
    logs = [each.directory / "events.jsonl" for each in (played["kitchen"], again)]
    assert digest(read_events(logs[0])) == digest(read_events(logs[1]))


def test_the_transcript_tells_of_soups(played: dict[str, StudyResult]) -> None:
    titles = [step.title for step in read_steps(played["kitchen"].directory)]
    assert any("served so far" in title for title in titles)


def reachable(spec: KitchenSpec, start: Cell) -> set[Cell]:
    """Return the cells of the floor that can be walked to from a cell."""
    stations = {cell for each in spec.world.stations.values() for cell in each.cells}
    floors = [box for box in spec.world.boxes if box.block == "smooth_stone"]
    walls = [box for box in spec.world.boxes if box.block == "bedrock"]

    def free(cell: Cell) -> bool:
        x, _, z = cell
        on_floor = any(b.start[0] <= x <= b.end[0] and b.start[2] <= z <= b.end[2] for b in floors)
        in_wall = any(b.start[0] <= x <= b.end[0] and b.start[2] <= z <= b.end[2] for b in walls)
        return on_floor and not in_wall and cell not in stations

    found, todo = {start}, [start]
    while todo:
        x, y, z = todo.pop()
        steps = [(x + 1, y, z), (x - 1, y, z), (x, y, z + 1), (x, y, z - 1)]
        new = [step for step in steps if step not in found and free(step)]
        found.update(new)
        todo += new
    return found


@pytest.mark.parametrize("layout", LAYOUTS)
def test_walls_part_the_rooms_as_the_file_says(layout: str) -> None:
    spec = load_scenario(layout).spec
    assert isinstance(spec, KitchenSpec)
    for player in spec.players.values():
        floor = reachable(spec, player.spawn)
        for station in spec.world.stations.values():
            x, _, z = station.at
            beside = any(abs(x - fx) + abs(z - fz) == 1 for fx, _, fz in floor)
            assert beside == (player.room in station.rooms), (player.room, station)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_job_has_a_cook_who_can_do_it(layout: str) -> None:
    facts = load_scenario(layout).facts()
    assert isinstance(facts, KitchenFacts)
    jobs = shared_jobs(facts)
    assert set(jobs) == {"fetch", "cook", "craft", "water", "serve"}
    assert set(jobs.values()) == set(facts.players)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("world: {stations: {counter: null}}", "there is no counter; add one"),
        ("world: {stations: {second: {kind: counter, at: [1, 0, 1], rooms: [kitchen]}}}", "a kitchen has one counter"),
        ("world: {stations: {shelf: {items: {bowl: 3}}}}", "only a pantry has a stock; this is a shelf"),
        ("world: {stations: {table: {to: [1, 0, 1]}}}", "a table is one block; only a well has several"),
        ("players: {Basil: {room: cellar}}", "'cellar' has no station; legal are kitchen"),
        ("recipe: {adds: [carrot, honey_bottle]}", "no pantry holds 'honey_bottle'; add it to a pantry's items"),
        ("world: {stations: {pantry: {items: {bucket: 640}}}}", "holds 51 stacks; a barrel holds 27"),
    ],
)
def test_a_wrong_kitchen_is_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "variant.yaml"
    path.write_text(f"extends: kitchen\nname: odd\n{text}\n")
    with pytest.raises(SpecError, match=words) as caught:
        load_scenario(str(path))
    assert "\n" not in str(caught.value)


def history(*told: log.Event) -> ServiceHistory:
    laid = {
        "pantry": log.StationLaid(kind="pantry", at=(0, 0, 0), rooms=["a"]),
        "shelf": log.StationLaid(kind="shelf", at=(1, 0, 0), rooms=["a"]),
        "stove": log.StationLaid(kind="stove", at=(2, 0, 0), rooms=["a"]),
        "counter": log.StationLaid(kind="counter", at=(3, 0, 0), rooms=["a"]),
    }
    needs = {"fetch": {"potato": 1}, "cook": {"potato": 1}, "serve": {"rabbit_stew": 1}}
    first = log.StationsSeen(t_s=0, holds={}, laid=laid, needs=needs)
    lines = [log.EpisodeStarted(attempt=1), first, *told]
    return service_history(log.LogLine(number, None, 0.0, 1, event) for number, event in enumerate(lines))


def work(player: str, act: str, item: str, station: str, count: int = 1, t_s: float = 1.0) -> log.WorkDone:
    return log.WorkDone.model_validate(
        {"t_s": t_s, "player": player, "act": act, "item": item, "station": station, "count": count}
    )


def test_hand_overs_follow_items_through_shelves_and_stoves() -> None:
    found = history(
        work("Ann", "put", "potato", "shelf", 2),
        work("Ann", "take", "potato", "shelf"),
        work("Ben", "take", "potato", "shelf"),
        work("Ben", "cook", "potato", "stove"),
        work("Ann", "take", "baked_potato", "stove"),
        # Nobody had put this one there.
        work("Ben", "take", "bowl", "shelf"),
    )
    assert found.handovers == {("Ann", "Ben"): 1, ("Ben", "Ann"): 1}


def test_division_of_labour_is_one_for_one_cook_a_kind_and_zero_for_equal_cooks() -> None:
    split = history(work("Ann", "take", "potato", "pantry", 4), work("Ben", "cook", "potato", "stove", 4))
    same = history(
        *(work(name, act, "potato", at) for name in ("Ann", "Ben")
          for act, at in (("take", "pantry"), ("cook", "stove")))
    )  # fmt: skip
    assert split.division(["Ann", "Ben"]) == pytest.approx(1)
    assert same.division(["Ann", "Ben"]) == pytest.approx(0)
    assert split.specialisation("Ann") == 1
    assert history().division(["Ann", "Ben"]) is None


def test_surplus_is_the_work_that_no_soup_needed() -> None:
    found = history(
        work("Ann", "take", "potato", "pantry", 3),
        work("Ben", "take", "potato", "pantry", 1),
        work("Ben", "cook", "potato", "stove", 1),
        # Coal is in no soup.
        work("Ben", "take", "coal", "pantry", 9),
        log.SoupServed(t_s=9, count=1, total=1),
    )
    assert found.surplus(["Ann", "Ben"]) == {"Ann": 2.25, "Ben": 0.75}
