"""Building together on the mock world: known overlaps, contributions by the log, private parts, and wrong files."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.transcript.reading import read_steps
from accord.studies.estimate import expect
from accord.studies.shapley import ShapleyPlan, shapley
from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.errors import SpecError
from dilemmas.minecraft.command_tree import is_command
from dilemmas.modes.observation import observation
from dilemmas.records import events as log
from dilemmas.records.digest import digest
from dilemmas.records.record import read_events
from dilemmas.scenarios.build_together.measures import BuildingHistory, building_history
from dilemmas.scenarios.build_together.scenario import BuildTogether
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.sweep_engine import Here
from voyager_agents.facts import BuildFacts
from voyager_agents.models.fake_server import FakeServer

VARIANTS = ("build-together", "build-together-three", "build-together-four")
SEEDS = {"tower": 0, "arch": 1, "hut": 5}
"""Plan -> a seed that draws it."""


def scenario(name: str = "build-together", seed: int = 0) -> BuildTogether:
    found = load_scenario(name).drawn(seed)
    assert isinstance(found, BuildTogether)
    return found


async def play(out: Path, name: str = "build-together", **chosen: Any) -> StudyResult:  # noqa: ANN401 - any setting
    return await run_study(StudySettings(name, ("none",), world="mock", out=out, **chosen))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> dict[str, StudyResult]:
    """Builders of each plan, two, three and four of them, and other teams."""
    out = tmp_path_factory.mktemp("buildings")
    teams = {
        "alone": {"Basil": "builder", "Clove": "idle"},
        "lower": {"Basil": "builder", "Clove": "idle"},
        "upper": {"Basil": "idle", "Clove": "builder"},
        "told": {"Basil": "building-helper", "Clove": "plan-teller"},
        "told above": {"Basil": "plan-teller", "Clove": "building-helper"},
        "untold": {"Basil": "building-helper", "Clove": "idle"},
    }

    async def all_of_them() -> dict[str, StudyResult]:
        found = {plan: await play(out / plan, seed=seed) for plan, seed in SEEDS.items()}
        found |= {name: await play(out / name, name, seed=SEEDS["hut"]) for name in VARIANTS[1:]}
        for name, players in teams.items():
            seed = SEEDS["hut" if name == "alone" else "tower"]
            found[name] = await play(out / name.replace(" ", "-"), seed=seed, players=players)
        return found

    return asyncio.run(all_of_them())


def team(found: StudyResult) -> dict[str, Any]:
    result = json.loads((found.directory / "result.json").read_text(encoding="utf-8"))
    building: dict[str, Any] = result["build-together"]
    return building


def events(found: StudyResult, kind: type) -> list[Any]:
    return [line.event for line in read_events(found.directory / "events.jsonl") if isinstance(line.event, kind)]


@pytest.mark.parametrize("name", [*SEEDS, *VARIANTS[1:], "told", "told above"])
def test_teams_that_build_or_tell_all_parts_reach_the_whole_plan(played: dict[str, StudyResult], name: str) -> None:
    found, building = played[name].results[0], team(played[name])
    assert building["overlap"] == 1.0
    assert (building["wrong"], building["missing"], building["by_nobody"]) == (0, 0, 0)
    assert {each["payoff"] for each in found["players"].values()} == {100.0}
    assert found["end"] == "all_collected"
    assert sum(each["own"] + each["others"] for each in building["by_player"].values()) == building["blocks"]


@pytest.mark.parametrize("plan", SEEDS)
def test_builders_build_their_own_parts(played: dict[str, StudyResult], plan: str) -> None:
    building = team(played[plan])
    assert building["plan"] == plan
    for each in building["by_player"].values():
        assert each == {"part": each["part"], "own": each["part"], "others": 0, "placed": each["part"], "wasted": 0}


def test_one_builder_alone_reaches_its_part(played: dict[str, StudyResult]) -> None:
    for name, builder in (("alone", "Basil"), ("lower", "Basil")):
        building = team(played[name])
        part = building["by_player"][builder]["part"]
        assert building["right"] == part
        assert building["overlap"] == part / building["blocks"]
        measures = played[name].results[0]["measures"]
        assert measures["contribution"] == {"Basil": part / building["blocks"], "Clove": 0.0}
        payoffs = {each["payoff"] for each in played[name].results[0]["players"].values()}
        assert payoffs == {float(100 * part // building["blocks"])}


def test_an_upper_part_cannot_be_begun_without_the_lower_one(played: dict[str, StudyResult]) -> None:
    building = team(played["upper"])
    # The two blocks of the second layer that fall to the upper part stand on the first layer.
    assert (building["overlap"], building["right"]) == (0.0, 0)


def test_a_helper_builds_what_it_is_told_and_no_more(played: dict[str, StudyResult]) -> None:
    told, untold = team(played["told"]), team(played["untold"])
    assert told["by_player"]["Clove"]["placed"] == 0
    assert told["by_player"]["Basil"]["others"] == told["by_player"]["Clove"]["part"]
    assert played["told"].results[0]["measures"]["helped"]["Basil"] == told["by_player"]["Clove"]["part"]
    assert untold["by_player"]["Basil"]["others"] == 0
    assert untold["right"] == untold["by_player"]["Basil"]["part"]


LIES = """async function lie (bot) {
  const lines = ['tnt 0 -60 0', 'cobblestone 99999 -60 0, 0 -60, NaN NaN NaN, Infinity -60 0', '__proto__ 0 -60 0',
    'constructor -60 -60 -60; cobblestone ); while (true) {} //', 'cobblestone ' + '9'.repeat(230), '', '; ; , ,']
  for (const line of lines) {
    bot.chat('Missing: ' + line)
    bot.chat('What is missing of your part?')
    await bot.waitForTicks(60)
  }
}
"""


async def test_words_of_others_lead_a_helper_nowhere_but_to_blocks_of_the_chest_in_the_site(tmp_path: Path) -> None:
    (tmp_path / "lies.js").write_text(LIES, encoding="utf-8")
    players = {"Basil": "building-helper", "Clove": f"program:{tmp_path / 'lies.js'}"}
    found = await play(tmp_path / "run", seed=SEEDS["hut"], players=players)
    building = team(found)
    part = building["by_player"]["Basil"]["part"]
    assert building["by_player"]["Basil"] == {"part": part, "own": part, "others": 0, "placed": part, "wasted": 0}
    assert {event.player: event.outcome for event in events(found, log.PolicyEnded)} == {
        "Basil": "returned", "Clove": "returned",
    }  # fmt: skip


async def test_models_that_see_are_shown_their_own_parts_alone(tmp_path: Path) -> None:
    program = "```javascript\nasync function play (bot) {\n  await bot.waitForTicks(1)\n}\n```"
    told, shown = {}, {}
    for see in ("image", "both"):
        async with FakeServer(lambda request: "blue yellow red" if "stripes" in request.text else program) as server:
            await run_study(
                StudySettings("build-together", ("none",), world="mock", out=tmp_path / see, seed=SEEDS["hut"], see=see,
                              see_size="256x144", time_limit_s=2.0, model="openai/gpt-4o", base_url=server.base_url)
            )  # fmt: skip
            asked = [each for each in server.requests if "stripes" not in each.text]
        told[see] = [each.text for each in asked]
        shown[see] = [each.images for each in asked]
    assert {len(images) for images in shown["image"] + shown["both"]} == {2}
    drawn = {player: scenario(seed=SEEDS["hut"]).plan_picture(player, (256, 144))[0] for player in ("Basil", "Clove")}
    assert {images[1] for images in shown["image"]} == set(drawn.values())
    assert len(set(drawn.values())) == 2
    assert all("From the ground up" not in text and "A picture shows it" in text for text in told["image"])
    assert all("From the ground up" in text and "panel for each layer" in text for text in told["both"])
    for text, images in zip(told["both"], shown["both"], strict=True):
        player = next(name for name, picture in drawn.items() if picture == images[1])
        assert f"Another picture shows {player}'s part" in text


async def test_whoever_builds_the_lower_part_of_a_tower_adds_more(tmp_path: Path) -> None:
    plan = ShapleyPlan("build-together", absent="idle", seed=SEEDS["tower"], seeds=1)
    found = await shapley(plan, tmp_path, engine=lambda _jobs: Here())
    # Of 200 in all: the lower part alone pays both players 50, the upper one alone nothing.
    assert found.values == {"Basil": 150, "Clove": 50}


async def test_the_same_seed_gives_the_same_bytes(played: dict[str, StudyResult], tmp_path: Path) -> None:
    again = await play(tmp_path, seed=SEEDS["hut"])
    logs = [each.directory / "events.jsonl" for each in (played["hut"], again)]
    assert digest(read_events(logs[0])) == digest(read_events(logs[1]))


def test_the_transcript_tells_how_the_building_grows(played: dict[str, StudyResult]) -> None:
    titles = [step.title for step in read_steps(played["hut"].directory)]
    assert any("30 of the plan's 30 blocks stand, and 0 wrong ones" in title for title in titles)


@pytest.mark.parametrize("name", VARIANTS)
def test_the_seed_deals_each_block_to_one_player(name: str) -> None:
    plans, firsts = set(), set()
    for seed in range(20):
        spec = scenario(name, seed).spec
        dealt = [block for part in spec.draw.parts.values() for block in part]
        assert sorted(dealt) == sorted(spec.plan.blocks.items())
        sizes = [len(part) for part in spec.draw.parts.values()]
        assert min(sizes) >= len(dealt) // len(sizes) - 3
        plans.add(spec.draw.plan)
        firsts.add(
            next(player for player, part in spec.draw.parts.items() if next(iter(spec.plan.blocks)) in dict(part))
        )
        assert scenario(name, seed).spec.draw == spec.draw
    assert plans == set(SEEDS)
    assert firsts == set(load_scenario(name).spec.players)


def test_a_player_is_shown_its_own_part_alone() -> None:
    found = scenario(seed=SEEDS["hut"])
    shown = {name: observation(found, name, 1, None, None, "none") for name in found.spec.players}
    for name, seen in shown.items():
        assert isinstance(seen.facts, BuildFacts)
        assert set(seen.facts.parts) == {name}
        assert f"{len(found.spec.draw.parts[name])} of its 30 blocks" in seen.scenario
    assert "glass" in found.spec.plan.blocks.values()
    lines = {
        name: [line for line in seen.scenario.splitlines() if line.startswith("- at y")] for name, seen in shown.items()
    }
    assert not set(lines["Basil"]) & set(lines["Clove"])
    assert "- at y -60, as (x, z): cobblestone" in lines["Basil"][0]


def test_all_questions_are_vanilla_commands() -> None:
    assert is_command("execute if blocks -3 -60 -2 3 -57 0 -3 -60 -2 masked")
    assert is_command("execute if block -3 -60 -2 minecraft:oak_planks")
    assert all(is_command(each.text) for each in [*scenario().build(), *scenario().place(0)])


async def test_the_estimate_counts_the_parts_of_every_seed() -> None:
    settings = StudySettings("build-together", ("none",), world="mock", model="openai/any", runs=3)
    whole = (await expect(settings))["most"]["tokens"]
    alone = [(await expect(StudySettings(
        "build-together", ("none",), world="mock", model="openai/any", seed=seed
    )))["most"]["tokens"] for seed in range(3)]  # fmt: skip
    assert whole == sum(alone)
    assert len(set(alone)) > 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("plans: {hut: {cut: rows}}", "plans.hut.cut: 'rows' is not legal"),
        ("plans: {hut: {letters: {c: water}}}", "'water' is not an item"),
        ("plans: {hut: {layers: [[cccccccc]]}}", r"is \[8, 1, 1\] large; the site has \[7, 4, 3\]"),
        ("plans: {hut: {layers: [[ccc, cc]]}}", "layer 1 is not 2 rows of 3 letters"),
        ("plans: {hut: {layers: [[ccx]]}}", "layer 1 has 'x'; legal are"),
        ("plans: {hut: {layers: [[c..], [..c]]}}", r"the block at \[2, 1, 0\] hangs in the air"),
        ("plans: {hut: {layers: [['...']]}}", "no layer has a block; draw one"),
        ("plans: {hut: {layers: [['']]}}", "the first layer is empty"),
        ("plans: {hut: {layers: [[c]]}}", "fewer parts than the 2 players"),
        ("world: {chest: {items: {glass: 1}}}", "needs 2 glass; the chest holds 1"),
        ("world: {chest: {items: {dirt: 640, stone: 640, sand: 640}}}", "stacks; a chest holds 27"),
        ("world: {chest: {at: [0, 0, 0]}}", r"chest at \[0, 0, 0\] is inside it"),
        ("players: {Basil: {spawn: [0, 1, 0]}}", r"Basil at \[0, 1, 0\] is inside it"),
    ],
)
def test_a_wrong_plan_is_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "variant.yaml"
    path.write_text(f"extends: build-together\nname: odd\n{text}\n")
    with pytest.raises(SpecError, match=words) as caught:
        load_scenario(str(path))
    assert "\n" not in str(caught.value)


def history(*told: log.Event) -> BuildingHistory:
    plan = log.PlanDrawn(
        plan="wall", parts={"Ann": [(0, 0, 0, "stone"), (1, 0, 0, "stone")], "Ben": [(2, 0, 0, "stone")]}
    )
    return building_history(
        log.LogLine(number, None, 0.0, 1, event)
        for number, event in enumerate([plan, log.EpisodeStarted(attempt=1), *told])
    )


def changed(player: str, *cells: tuple[int, int, int, str]) -> log.GroundChanged:
    return log.GroundChanged(t_s=1.0, changed={player: list(cells)}, tops=[], left_out=0)


def test_a_block_counts_for_the_player_that_placed_it_last() -> None:
    found = history(
        changed("Ann", (0, 0, 0, "stone"), (2, 0, 0, "dirt"), (9, 0, 9, "stone")),
        changed("Ben", (0, 0, 0, "air")),
        changed("Ben", (0, 0, 0, "stone"), (2, 0, 0, "air")),
        changed("Ann", (2, 0, 0, "stone")),
        # Nobody placed the block at (1, 0, 0); one block is wrong.
        log.BuildingSeen(right=[(0, 0, 0), (1, 0, 0), (2, 0, 0)], filled=4, blocks=3),
    )
    assert found.built("Ann") == (0, 1)
    assert found.built("Ben") == (0, 1)
    assert found.placed == {"Ann": 4, "Ben": 1}
    assert found.overlap == 3 / 4


def test_a_new_attempt_begins_without_blocks() -> None:
    found = history(
        changed("Ann", (0, 0, 0, "stone")),
        log.BuildingSeen(right=[(0, 0, 0)], filled=1, blocks=3),
        log.EpisodeStarted(attempt=2),
    )
    assert (found.overlap, found.placed, len(found.owners)) == (0.0, {}, 3)
