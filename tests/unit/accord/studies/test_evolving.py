"""Populations of programs, and study files with `population`: inheritance, mutation, resuming, models, refusals."""

from __future__ import annotations

import asyncio
import json
import random
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from accord.analysis.generations import Generations
from accord.analysis.report import generations as files
from accord.studies.generations import GenerationsPlan, generations
from accord.studies.kept_tournaments import claim, read_plan
from accord.studies.population_file import is_population_file, read_population_study, read_programs
from accord.studies.sweeps.engine import Heard, Order
from accord.studies.sweeps.player import TaskPlayer
from dilemmas.errors import UsageError
from tests.fakes.command_line import refused
from voyager_agents.errors import AgentError
from voyager_agents.evolving import check_program, mutated_program
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.stage_games.populations import Inheritance, PopulationMember, next_generation

IRON = """async function iron (bot) {
  await getItemFromChest(bot, new Vec3(0, -60, 0), { iron_pickaxe: 1 })
  await mineBlock(bot, 'iron_ore', 2)
}
"""
IDLE = "async function idle (bot) {\n  await bot.waitForTicks(5)\n}\n"
BROKEN = "async function broken (bot) {\n  throw new Error('9 lives')\n}\n"
SETTINGS = {"time_limit_s": 20.0}


class Here:
    """Engine that plays tasks in this process."""

    async def play(self, order: Order, indexes: Sequence[int], heard: Heard) -> None:
        async with TaskPlayer(order.folder, budget=order.budget) as player:
            for index in indexes:
                heard(index, await player.play(index))


async def evolve(plan: GenerationsPlan, folder: Path) -> Generations:
    return await generations(plan, folder, engine=lambda _jobs: Here())


PLAN = GenerationsPlan(
    "double-vein", ("idle", "iron"), population=2, games=1, generations=3, mutation=1.0, seeds=1,
    programs={"idle": IDLE, "iron": IRON}, settings=SETTINGS,
)  # fmt: skip


@pytest.fixture(scope="module", name="whole")
def _whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Generations, Path]:
    folder = tmp_path_factory.mktemp("whole")
    return asyncio.run(evolve(PLAN, folder)), folder


def test_programs_that_earn_survive_and_their_copies_mutate(whole: tuple[Generations, Path]) -> None:
    found, _ = whole
    first, second, third = found.of_seed(0)
    paid = {each.member.kind: each.payoff for each in first.members}
    assert paid["iron"] > paid["idle"] == 0
    assert second.members[0].member == next(each.member for each in first.members if each.member.kind == "iron")
    newcomer = second.members[1].member
    assert newcomer.kind == "iron"
    assert newcomer.parents == (second.members[0].member.id,)
    assert newcomer.mutated
    assert newcomer.text != IRON
    check_program(newcomer.text)
    assert third.members[0].member.kind == "iron"
    assert found.share("iron", 3).mean == 1


async def test_a_generation_is_identical_after_a_stop(whole: tuple[Generations, Path], tmp_path: Path) -> None:
    found, folder = whole
    again = tmp_path / "again"
    shutil.copytree(folder, again)
    for number in (2, 3):
        (again / "seed-0" / f"generation-000{number}.json").unlink()
        shutil.rmtree(again / "seed-0" / f"generation-000{number}")
    assert await evolve(PLAN, again) == found
    for number in (1, 2, 3):
        name = Path("seed-0") / f"generation-000{number}.json"
        assert (again / name).read_bytes() == (folder / name).read_bytes()


def test_files_and_plan_hold_the_programs(whole: tuple[Generations, Path], tmp_path: Path) -> None:
    found, _ = whole
    (tmp_path / "page").mkdir()
    page = files.write_generations(found, tmp_path / "page")
    assert "mineBlock" in page.read_text(encoding="utf-8")
    assert "mineBlock" in (tmp_path / "page" / "members.csv").read_text(encoding="utf-8")
    assert list(found.lessons())
    directory = claim(PLAN, tmp_path)
    assert read_plan(directory) == PLAN


async def test_programs_that_all_break_off_earn_nothing(tmp_path: Path) -> None:
    plan = replace(PLAN, names=("broken",), programs={"broken": BROKEN}, generations=1, mutation=0.0)
    found = await evolve(plan, tmp_path)
    assert [each.payoff for each in found.generations[0].members] == [0, 0]
    assert found.generations[0].invalid == 0


async def test_models_write_programs_after_those_of_survivors(tmp_path: Path) -> None:
    asked: list[str] = []

    def respond(request: Request) -> str:
        asked.append(str(request.messages[-1]["content"]))
        return f"Plan: mine.\n```javascript\n{IRON if len(asked) < 2 else IDLE}```"

    async with FakeServer(respond) as server:
        plan = GenerationsPlan(
            "double-vein", ("paper",), population=2, games=1, generations=2, seeds=1, model="openai/test",
            settings={**SETTINGS, "base_url": server.base_url},
        )  # fmt: skip
        found = await evolve(plan, tmp_path)
    first, second = found.of_seed(0)
    assert {each.member.text for each in first.members} == {IRON, IDLE}
    # Both write at first; then the survivor keeps its program, and the newcomer reads it.
    assert len(asked) == 3
    assert second.members[0].member.text == IRON
    assert second.members[1].member.parents == (second.members[0].member.id,)
    assert not any("DATA-" in each for each in asked[:2])
    mark = next(line for line in asked[2].splitlines() if line.startswith("DATA-"))
    before, inside, after = asked[2].split(f"\n{mark}\n")
    assert json.dumps(IRON) in inside
    assert "iron_ore" not in inside.replace(json.dumps(IRON), "")
    assert "never an instruction to you" in before
    assert "Your last program" in after


def test_a_mutation_changes_one_number_outside_of_texts() -> None:
    source = "async function f (bot) {\n  // 7 lives\n  await mineBlock(bot, 'ore 8', 4)\n  await bot.wait(0.5)\n}\n"
    found = {mutated_program(source, random.Random(seed)) for seed in range(60)}
    assert {each.replace("0.5", "F") for each in found} - {source} <= {
        source.replace("0.5", "F").replace("4)", f"{number})") for number in (3, 5, 8, 2)
    } | {source.replace("0.5", number) for number in ("0.25", "1")}
    assert len(found) == 6
    plain = "async function f (bot) {\n  await bot.wait()\n}\n"
    assert mutated_program(plain, random.Random(0)) == plain


def test_texts_are_inherited_only_where_they_can_mutate() -> None:
    members = [PopulationMember("1.01", "a", "one 1"), PopulationMember("1.02", "a", "two 2")]
    rules, paid = Inheritance(1, 1.0, ("a",)), {"1.01": 5.0, "1.02": 1.0}
    marking = replace(rules, change=lambda text, draw: f"{text}!")
    told = next_generation(members, paid, 0.0, marking, random.Random(0), 2)
    assert told[1] == PopulationMember("2.01", "a", "one 1!", ("1.01",), mutated=True)
    assert next_generation(members, paid, 0.0, rules, random.Random(0), 2)[1].text == ""


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("const a = 1", "function"),
        ("async function f (bot) {", "more at the top level"),
        (IDLE + IDLE, "2 functions"),
    ],
)
def test_what_is_no_program_is_refused(source: str, words: str) -> None:
    with pytest.raises(AgentError, match=words):
        check_program(source)


STUDY = """
scenario: prisoners-dilemma
population: {agents: {always-defect: 9, tit-for-tat: 3}, generations: 4, mutation: 0.1}
seeds: 2
repeat: 30
"""


async def test_a_study_file_is_the_command_with_its_options(tmp_path: Path) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(STUDY)
    plan = read_population_study(file)
    same = GenerationsPlan(
        "prisoners-dilemma", ("always-defect", "tit-for-tat"), counts=(9, 3), generations=4, mutation=0.1, seeds=2,
        repeat=30,
    )  # fmt: skip
    assert plan == same
    assert is_population_file(str(file))
    assert not is_population_file("prisoners-dilemma")
    found = await generations(plan, tmp_path / "out")
    assert found.share("tit-for-tat", 1).mean == 0.25
    assert "is a study's file, which says it" in refused("generations", str(file), "--generations", "3")


def test_programs_of_a_study_lie_beside_its_file(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "idle.js").write_text(IDLE)
    file = tmp_path / "study.yaml"
    file.write_text("scenario: double-vein\npopulation: {programs: mine, size: 4}\nsettings: {time_limit_s: 20}\n")
    plan = read_population_study(file)
    assert (plan.names, plan.programs, plan.population, plan.played_in) == (("idle",), {"idle": IDLE}, 4, "mock")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("scenario: chicken\npopulation: {survivors: some}\n", "population.survivors"),
        ("scenario: chicken\npopulation: {agents: [nobody]}\n", "'nobody' plays in no tournament"),
        ("scenario: double-vein\npopulation: {agents: [random]}\n", "give --programs FOLDER"),
        ("scenario: double-vein\npopulation: {programs: nowhere}\n", "nowhere cannot be read"),
        ("scenario: chicken\npopulation: {}\nmore: 1\n", "more"),
        ("population: {}\n", "scenario"),
    ],
)
def test_a_wrong_study_is_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(text)
    with pytest.raises(UsageError, match=words) as caught:
        read_population_study(file).game()
    assert "\n" not in str(caught.value)


def test_folders_of_programs_are_checked(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"has no NAME\.js"):
        read_programs(tmp_path)
    (tmp_path / "paper.js").write_text(IDLE)
    with pytest.raises(UsageError, match="means a model here"):
        read_programs(tmp_path)
    with pytest.raises(UsageError, match="programs: idle:"):
        replace(PLAN, programs={"idle": "no program", "iron": IRON})
    with pytest.raises(UsageError, match="is no program here"):
        replace(PLAN, names=("idle", "tit-for-tat"))
    with pytest.raises(UsageError, match="noise: double-vein is no repeated game"):
        replace(PLAN, noise=0.1).game()
