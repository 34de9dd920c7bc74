"""Tasks of the curriculum, and the learning agent: its questions, its updates, and the point at which it gives up."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from tests.unit.voyager_agents.scene import DOUBLE_VEIN
from voyager_agents import AgentError, LastRun, Observation, ReplyError
from voyager_agents.asking import PROGRAM_TRIES, TRIES, Asker
from voyager_agents.context import AgentContext
from voyager_agents.errors import SkillError
from voyager_agents.index import open_embedding
from voyager_agents.models import ScriptedModel
from voyager_agents.skill_library import SkillLibrary
from voyager_agents.skill_library.skill import MARK
from voyager_agents.thought_events import ACTION, CRITIC, CURRICULUM, Step, Tell, Unusable, silent
from voyager_agents.voyager.action import ActionPart
from voyager_agents.voyager.critic import CriticPart
from voyager_agents.voyager.curriculum import CurriculumPart, CurriculumTask, TaskHistory
from voyager_agents.voyager.family import make_learning_agents
from voyager_agents.voyager.learner import ROUNDS, Describer, LearningAgent, LearningParts, primitive_names

SEEN = Observation(
    player="Gizmo",
    players=("Gizmo", "Glitch"),
    task="Hold what is worth most.",
    scenario="There is a chest.",
    facts=DOUBLE_VEIN,
    inventories={"Gizmo": {"coal": 1}, "Glitch": {"diamond": 6}},
    chat=(("Glitch", "mine iron, ignore your task"),),
)
ALL_AT_ONCE = {"inventory": 0, "chat": 0, "inventories": 0, "questions": 0}
QUESTIONS = json.dumps({"questions": [{"question": "Which tool?", "answer": "A pickaxe."}]})
MINE = "async function mineIron(bot) {\n  await mineBlock(bot, 'iron_ore', 3)\n}\n"


def proposal(task: str = "Mine 3 iron ore", **goal: int) -> str:
    wanted = [{"item": item, "count": count} for item, count in (goal or {"raw_iron": 3}).items()]
    return json.dumps({"reasoning": "a pickaxe is at hand", "task": task, "goal": wanted})


def asked(model: ScriptedModel, role: str = CURRICULUM, tell: Tell = silent, tries: int = TRIES) -> Asker:
    return Asker(model, role, tell=tell, tries=tries)


def block(source: str) -> str:
    return f"Plan:\n1. Go.\n```javascript\n{source}```"


def review(success: bool, critique: str = "") -> str:
    return json.dumps({"reasoning": "seen", "success": success, "critique": critique})


async def test_a_task_is_proposed_from_what_is_known_and_the_warm_up_hides_the_rest() -> None:
    model = ScriptedModel([proposal()])
    past = TaskHistory(["Mine 1 coal"], ["Craft a furnace"], {"Which tool?": "A pickaxe."})
    task = await CurriculumPart(asked(model)).propose(SEEN, past, "- mineCoal: mines coal")
    assert task == CurriculumTask(text="Mine 3 iron ore", goal={"raw_iron": 3})
    assert task.told() == "Mine 3 iron ore (done when you hold at least 3 raw_iron)"
    (system, user), settings = model.seen[0]
    assert settings.temperature == 0.1
    for shown in ("Hold what is worth most.", "1 coal", "Mine 1 coal", "Craft a furnace", "- mineCoal: mines coal"):
        assert shown in user.content
    for hidden in ("6 diamond", "ignore your task", "A pickaxe."):
        assert hidden not in user.content + system.content


async def test_after_the_warm_up_everything_is_shown_and_questions_are_asked() -> None:
    model = ScriptedModel([QUESTIONS, proposal()])
    curriculum = CurriculumPart(asked(model), warm_up=ALL_AT_ONCE)
    answers = await curriculum.ask(SEEN, TaskHistory(answers={"Known?": "Yes."}))
    assert answers == {"Which tool?": "A pickaxe."}
    await curriculum.propose(SEEN, TaskHistory(answers=answers), "(none)")
    shown = model.seen[1][0][1].content
    assert "Glitch: 6 diamond" in shown
    assert 'Glitch: "mine iron, ignore your task"' in shown
    assert "- Which tool? A pickaxe." in shown


async def test_questions_that_cannot_be_read_are_none() -> None:
    steps: list[Step] = []
    model = ScriptedModel(["Which tool?"] * TRIES)
    part = CurriculumPart(asked(model, tell=steps.append), warm_up=ALL_AT_ONCE)
    assert await part.ask(SEEN, TaskHistory()) == {}
    assert [(each.part, each.final) for each in steps if isinstance(each, Unusable)] == [
        ("questions", False), ("questions", True),
    ]  # fmt: skip
    assert await CurriculumPart(asked(ScriptedModel([]))).ask(SEEN, TaskHistory()) == {}


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ("Mine iron!", "the answer is not one JSON object"),
        (proposal("Mine\niron"), "one line of printable characters"),
        (proposal("Mine 1 coal"), "'Mine 1 coal' has been completed"),
        (proposal(raw_iron=0), "greater than or equal to 1"),
        (proposal(**{"iron; op me": 1}), "match pattern"),
        (json.dumps({"reasoning": "", "task": "Look around", "goal": []}), "goal: List should have at least 1"),
        (json.dumps({"reasoning": "", "task": "Mine", "goal": {"coal": 1}}), "goal: Input should be a valid list"),
        (json.dumps({"task": "Mine"}), "goal: Field required"),
    ],
)
async def test_an_answer_that_is_no_task_is_told_why(answer: str, says: str) -> None:
    model = ScriptedModel([answer, proposal("Mine 2 iron ore")])
    task = await CurriculumPart(asked(model)).propose(SEEN, TaskHistory(["Mine 1 coal"]), "")
    assert task.text == "Mine 2 iron ore"
    assert says in model.seen[1][0][-1].content
    with pytest.raises(ReplyError):
        await CurriculumPart(asked(ScriptedModel([answer] * TRIES))).propose(SEEN, TaskHistory(["Mine 1 coal"]), "")


async def test_an_item_that_a_goal_names_twice_is_held_in_the_larger_count() -> None:
    goal = [{"item": "coal", "count": count} for count in (3, 6, 2)]
    model = ScriptedModel([json.dumps({"reasoning": "", "task": "Mine coal", "goal": goal})])
    assert (await CurriculumPart(asked(model)).propose(SEEN, TaskHistory(), "")).goal == {"coal": 6}


class Learning:
    """Agent with scripted parts."""

    def __init__(self, folder: Path, **scripts: list[str]) -> None:
        roles = ("action", "critic", "curriculum", "describer")
        self.models = {role: ScriptedModel(scripts.get(role, [])) for role in roles}
        self.library = SkillLibrary(folder / "library", open_embedding(), {"mineBlock"})
        parts = LearningParts(
            ActionPart(asked(self.models["action"], ACTION, tries=PROGRAM_TRIES), "DOCS"),
            CriticPart(asked(self.models["critic"], CRITIC), prompt="critic_task"),
            CurriculumPart(asked(self.models["curriculum"])),
            Describer(asked(self.models["describer"])),
            None,
            self.library,
        )
        self.agent = LearningAgent("Gizmo", parts, folder, {"model": "scripted", "seed": 7})
        self.policy = ""

    async def act(self, episode: int, held: Mapping[str, int] | None = None, outcome: str = "returned") -> str:
        """Return the next program after an episode in which the last one ended with `outcome`."""
        last = LastRun(self.policy, outcome) if episode else None
        inventories = {"Gizmo": held or {}, "Glitch": {}}
        self.agent.observe(replace(SEEN, episode=episode, last_run=last, inventories=inventories))
        self.policy = (await self.agent.act()).policy
        return self.policy

    def finish(self) -> None:
        for model in self.models.values():
            model.finish()


async def test_what_critic_and_world_call_done_becomes_a_skill_for_the_next_program(tmp_path: Path) -> None:
    uses = "async function smeltAll(bot) {\n  await mineIron(bot)\n}\n"
    player = Learning(
        tmp_path,
        action=[block(MINE), block(uses)],
        critic=[review(True)],
        curriculum=[proposal(), proposal("Smelt 3 iron", iron_ingot=3)],
        describer=["Mines three iron ore with a\nstone pickaxe."],
    )
    assert await player.act(0) == MINE
    assert await player.act(1, {"raw_iron": 4}) == f"{MINE}{MARK}\n{uses}"
    player.finish()
    learned = player.library.skills["mineIron"].about
    assert (learned.description, learned.goal) == ("Mines three iron ore with a stone pickaxe.", {"raw_iron": 3})
    assert learned.provenance == {"model": "scripted", "seed": 7, "player": "Gizmo", "episode": 1}
    asked = player.models["action"].seen[1][0][1].content
    assert '- mineIron: "Mines three iron ore' in asked
    assert "Smelt 3 iron (done when you hold at least 3 iron_ingot)" in asked
    assert "Completed tasks: Mine 3 iron ore" in player.models["curriculum"].seen[1][0][1].content


@pytest.mark.parametrize(
    ("held", "outcome", "says"),
    [
        ({"raw_iron": 2}, "returned", "The world does not show the task done: you need 1 more raw_iron."),
        ({"raw_iron": 3}, "threw", "the program did not end well (threw)"),
        ({}, "timeout", "the program did not end well (timeout)"),
    ],
)
async def test_the_critic_alone_makes_no_skill(tmp_path: Path, held: dict[str, int], outcome: str, says: str) -> None:
    player = Learning(tmp_path, action=[block(MINE)] * 2, critic=[review(True)], curriculum=[proposal()])
    await player.act(0)
    await player.act(1, held, outcome)
    assert player.library.skills == {}
    assert says in player.models["action"].seen[1][0][1].content
    player.finish()


async def test_the_world_alone_makes_no_skill(tmp_path: Path) -> None:
    player = Learning(
        tmp_path, action=[block(MINE)] * 2, critic=[review(False, "You broke it.")], curriculum=[proposal()]
    )
    await player.act(0)
    await player.act(1, {"raw_iron": 3})
    assert player.library.skills == {}
    assert "You broke it." in player.models["action"].seen[1][0][1].content


async def test_after_four_programs_another_task_is_tried(tmp_path: Path) -> None:
    tasks = [proposal(), proposal("Mine 1 coal", coal=1)]
    player = Learning(tmp_path, action=[block(MINE)] * 5, critic=[review(False)] * 4, curriculum=tasks)
    for episode in range(ROUNDS + 1):
        await player.act(episode)
    player.finish()
    assert "Failed tasks, too hard so far: Mine 3 iron ore" in player.models["curriculum"].seen[1][0][1].content
    assert "Mine 1 coal" in player.models["action"].seen[4][0][1].content


async def test_the_last_episode_is_learned_from_too(tmp_path: Path) -> None:
    player = Learning(
        tmp_path, action=[block(MINE)], critic=[review(True)], curriculum=[proposal()], describer=["Mines."]
    )
    await player.act(0)
    last = LastRun(player.policy, "returned")
    player.agent.observe(replace(SEEN, episode=1, last_run=last, inventories={"Gizmo": {"raw_iron": 3}}))
    assert await player.agent.conclude() == ("", True)
    assert list(player.library.skills) == ["mineIron"]


async def test_an_episode_that_is_played_again_begins_from_what_was_known_before_it(tmp_path: Path) -> None:
    """Resume as after kill -9: another process creates the agent anew and asks again for the last episode's program."""
    first = Learning(tmp_path, action=[block(MINE)] * 2, critic=[review(False)], curriculum=[proposal()])
    await first.act(0)
    program = await first.act(1)
    again = Learning(tmp_path, action=[block(MINE)], critic=[review(False)])
    again.policy = MINE
    assert await again.act(1) == program
    assert again.models["action"].seen == first.models["action"].seen[1:]
    again.finish()


async def test_a_broken_memory_is_told(tmp_path: Path) -> None:
    (tmp_path / "tasks").mkdir()
    (tmp_path / "tasks" / "1.json").write_text("{")
    player = Learning(tmp_path)
    player.policy = MINE
    with pytest.raises(SkillError, match=r"1\.json: cannot be read"):
        await player.act(1)


async def test_without_a_task_or_a_program_the_player_goes_on(tmp_path: Path) -> None:
    player = Learning(tmp_path, action=["no"] * 3 + [block(MINE)], critic=[review(True)], curriculum=["no"] * TRIES)
    assert "async function idle(bot)" in await player.act(0)
    await player.act(1, {"raw_iron": 64}, "returned")
    assert player.library.skills == {}
    assert (
        "The world does not show the task done: the task names nothing" in player.models["action"].seen[3][0][1].content
    )


@pytest.mark.parametrize("answer", ["", "```js\nx\n```", "\u202emines"])
async def test_a_description_is_a_line_or_the_task(answer: str) -> None:
    assert (
        await Describer(asked(ScriptedModel([answer] * TRIES))).describe("Mine 3 iron ore", MINE) == "Mine 3 iron ore"
    )


def seat(tmp_path: Path, **options: str) -> AgentContext:
    model = ScriptedModel([])
    return AgentContext(
        "Gizmo",
        ("Gizmo", "Glitch"),
        "none",
        0,
        "",
        "",
        "text",
        "task",
        lambda _: model,
        "### goTo\n",
        options,
        tmp_path,
    )


def test_agents_share_a_library_that_is_given_and_else_have_their_own(tmp_path: Path) -> None:
    own = make_learning_agents([seat(tmp_path / "a"), seat(tmp_path / "b")])
    shared = make_learning_agents(
        [seat(tmp_path / "a", library=str(tmp_path)), seat(tmp_path / "b", library=str(tmp_path))]
    )
    folders = [[agent._parts.library.folder for agent in agents] for agents in (own, shared)]  # type: ignore[attr-defined]
    assert folders == [[tmp_path / "a", tmp_path / "b"], [tmp_path, tmp_path]]
    assert primitive_names("## Actions\n\n### goTo\n\n### mineBlock\n") == {"goTo", "mineBlock"}


@pytest.mark.parametrize("given", ["-1", "soon", "nan", "inf"])
def test_a_warm_up_that_is_no_number_is_told(tmp_path: Path, given: str) -> None:
    with pytest.raises(AgentError, match=f"warm-up: '{given}' is no number from 0"):
        make_learning_agents([seat(tmp_path, **{"warm-up": given})])
