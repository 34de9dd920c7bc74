"""Measures of trials, from events alone; and players without a model, from observations alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from dilemmas.records import events as log
from dilemmas.records.events import Event, LogLine
from dilemmas.scenarios.voyager_progress.measures import measures, run_trials, trial_data
from voyager_agents.agent import Observation
from voyager_agents.errors import AgentError
from voyager_agents.reference import climbers
from voyager_agents.reference.climbers import TASKS, TRIES, Climber, TaskPrograms, check_options, tasks_for
from voyager_agents.skill_library.skill import Skill
from voyager_agents.voyager.code import spans


def began(number: int, t_s: float) -> Event:
    return log.ActBegan(t_s=t_s, player="Nova", number=number, label="", program="-", by="iteration")


def ended(number: int, how: str, t_s: float) -> Event:
    return log.ActEnded.model_validate(
        {"t_s": t_s, "player": "Nova", "number": number, "label": "", "ended": how, "error": "", "seconds": 1.0,
         "gained": {}}
    )  # fmt: skip


def held(t_s: float, **items: int) -> Event:
    return log.InventoryEvent(bot="Nova", items=items, held=None, t_s=t_s)


def places(t_s: float, x: float, z: float) -> Event:
    return log.PlacesSeen(t_s=t_s, at={"Nova": (x, 64.0, z)})


def lines(events: Iterable[Event]) -> list[LogLine]:
    return [LogLine(number, None, 0.0, 1, event) for number, event in enumerate(events)]


ATTEMPT = [
    log.EpisodeStarted(attempt=1),
    log.PoliciesStarted(players=["Nova"]),
    began(1, 0.0), places(0.0, 0.0, 0.0), held(1.0, oak_log=1), places(1.0, 3.0, 4.0), ended(1, "done", 2.0),
    began(2, 4.0), held(5.0, oak_planks=4), held(6.0, wooden_pickaxe=1), places(6.0, 3.0, 20.0),
    ended(2, "failed", 7.0),
    # What came after the program's end belongs to it still.
    held(7.5, apple=1),
    # Who dies stands elsewhere at once: no step.
    began(3, 9.0), log.BotEvent(bot="Nova", state="died"), places(9.0, 300.0, 20.0), ended(3, "late", 10.0),
]  # fmt: skip


def test_items_count_in_the_iteration_in_which_they_were_held_first() -> None:
    found = run_trials(lines(ATTEMPT))
    table = measures(found, ["Nova"], {})
    assert {name: each["Nova"] for name, each in table.items()} == {
        "unique_items": 4, "iterations": 3, "wooden_tool_iterations": 2, "wooden_tool_s": 6.0, "distance_blocks": 21.0,
        "reach_blocks": 300.7, "chunks_seen": 3, "programs_failed": 2, "deaths": 1,
    }  # fmt: skip
    own = trial_data(found)["Nova"]
    assert own["items_by_iteration"] == [1, 4, 4]
    assert own["first"]["apple"] == {"iteration": 2, "t_s": 7.5}
    assert own["covered"][1] == {"iteration": 2, "distance_blocks": 21.0, "chunks": 2}


def test_an_attempt_that_was_broken_off_counts_for_nothing() -> None:
    again = [log.EpisodeStarted(attempt=2), log.PoliciesStarted(players=["Nova"]), began(1, 0.0), held(1.0, dirt=1)]
    assert list(run_trials(lines([*ATTEMPT, *again])).players["Nova"].firsts) == ["dirt"]


def test_a_goal_is_reached_when_all_its_items_were_held() -> None:
    found = run_trials(lines([log_start("stone"), *ATTEMPT]))
    goals = {"stone": {"oak_log": 1, "wooden_pickaxe": 1}, "other": {"dirt": 1}}
    assert measures(found, ["Nova"], goals)["goal_iterations"] == {"Nova": 2}
    assert "goal_iterations" not in measures(found, ["Nova"], {"stone": {"dirt": 1}})


def log_start(condition: str) -> Event:
    return log.RunStarted(
        run="r", scenario="voyager-zero-shot", version=1, condition=condition, contract_kind="none", world="mock",
        seed=0, players={},
    )  # fmt: skip


async def climbed(player: Climber, inventories: Iterable[dict[str, int]]) -> list[tuple[str, str]]:
    """Return the (task, program) that a player writes after each of these inventories."""
    found = []
    for number, items in enumerate(inventories):
        player.observe(Observation("Nova", ("Nova",), episode=number, inventories={"Nova": items}))
        action = await player.act()
        found.append((action.thought, action.policy))
    return found


async def test_steps_follow_one_another_and_one_that_brings_nothing_is_given_up() -> None:
    player = Climber("Nova", tasks_for("golden-sword"), TaskPrograms())
    held: list[dict[str, int]] = [{}, {"wooden_pickaxe": 1}, *[{"wooden_pickaxe": 1}] * TRIES, {"furnace": 1}]
    told = [task for task, _ in await climbed(player, held)]
    stone = "craft stone pickaxe"
    assert told == ["craft wooden pickaxe", *[stone] * TRIES, "craft furnace", "craft iron pickaxe"]
    rest = await climbed(player, [{"iron_pickaxe": 1}, {"golden_sword": 1}])
    assert [task for task, _ in rest] == ["craft golden sword", "nothing more to do"]


async def test_a_step_is_the_climb_s_helpers_and_one_function() -> None:
    ((_, program),) = await climbed(Climber("Nova", TASKS, TaskPrograms()), [{}])
    assert program.endswith("// primitives: voyager\n")
    assert "async function climb (" not in program
    assert program.count("async function woodenPickaxe (bot)") == 1
    assert "async function compass" not in program
    for task in TASKS:
        assert len(TaskPrograms().of(task)) == (1 if task.step else 0)


def test_all_that_a_step_calls_is_in_its_program() -> None:
    """The linter takes names in steps.js as given by climb.js, and shared code of steps stands before the first one."""
    here = Path(climbers.__file__).parent
    climb, steps = ((here / name).read_text("utf-8") for name in ("climb.js", "steps.js"))
    given = re.findall(r"/\* global (.*) \*/", steps)[0].split(", ")
    there = {each.name for each in spans(climb)[:-1]} | set(re.findall(r"^const (\w+)", climb, re.MULTILINE))
    assert set(given) <= there
    assert spans(climb)[-1].name == "climb"
    order = [each.name in {task.step for task in TASKS} for each in spans(steps)]
    assert order == sorted(order)


def skill(name: str, body: str = "") -> Skill:
    source = f"async function {name}(bot) {{\n  {body}\n}}\n"
    return Skill.made(source, name=name, version=1, description=f"It is called {name}.", task="x")


async def test_skills_of_a_library_are_found_by_what_their_names_say() -> None:
    names = ("craftWoodenPickaxe", "craftWoodenAxe", "mineWoodLog", "mineFiveWoodLogs", "eatBread")
    library = {name: skill(name) for name in names}
    library["craftWoodenPickaxe"] = skill("craftWoodenPickaxe", "await mineWoodLog(bot)")
    player = Climber("Nova", TASKS, TaskPrograms(library))
    wood, more, last = await climbed(player, [{}, {"birch_log": 2}, {"birch_log": 5, "oak_planks": 9}])
    assert "await mineWoodLog(bot)" in wood[1]
    assert "await mineFiveWoodLogs(bot)" in more[1]
    assert last[0] == "craft wooden pickaxe"
    # A skill brings those that it calls.
    assert "async function mineWoodLog(bot)" in last[1]
    assert last[1].endswith("  await craftWoodenPickaxe(bot)\n}\n")


def test_options_without_meaning_are_refused(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="'libary' is not known: there is library=FOLDER"):
        check_options({"libary": "x"})
    with pytest.raises(AgentError, match="is no skill library, or an empty one"):
        check_options({"library": str(tmp_path)})
    assert climbers.files_of_options({}) == []
