"""Programs of realtime agents with a skill library: skills are recalled, called, and kept after the world's check."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudySettings, run_study
from dilemmas.records.digest import digest
from dilemmas.records.events import ActBegan, ActEnded, MindTold
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.life import ANSWERS, GameTimeModel, Life, respond, small_village
from voyager_agents.errors import SkillError, WiringError
from voyager_agents.index import open_embedding
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.piano.agent_skills import AgentSkills, check_library, given, open_agent_skills
from voyager_agents.piano.family import check_options
from voyager_agents.skill_library import Skill, SkillLibrary, newest
from voyager_agents.skill_library.skill import MARK
from voyager_agents.thought_events import SkillLearned, SkillsFound, Step, Unusable

CUT = "async function cutWheat(bot) {\n  await harvestCrop(bot, 'wheat')\n}\n"
BAKE = "async function bakeBread(bot) {\n  await cutWheat(bot)\n  await craftItem(bot, 'bread', 1)\n}\n"


async def folder_of(folder: Path, *sources: str) -> Path:
    """Return a library with these skills."""
    library = SkillLibrary(folder, open_embedding())
    for source in sources:
        name = source.split("(")[0].split()[-1]
        await library.add(Skill.made(source, name=name, version=1, description=f"{name} in the fields", task="Eat."))
    return folder


class Skilled:
    """Life whose skill execution gives the test's answers."""

    def __init__(self, record: Path, library: str, *answers: dict[str, Any], keep: bool) -> None:
        self.steps: list[Step] = []
        self._answers = iter(answers)
        self.skills: AgentSkills = open_agent_skills(
            library, record, open_embedding(), keep=keep, provenance={"player": "Ada"}, tell=self.steps.append
        )
        roles = ("controller", "skill_execution")
        self.life = Life(lambda role: self.model if role in roles else None, skills=self.skills)
        self.model = GameTimeModel(self.life.clock, 0.25, self._answer)

    def _answer(self, part: str) -> str:
        silent = {**ANSWERS["to decide"], "speak": False}
        return json.dumps(next(self._answers) if part == "to act" else silent)

    async def acts(self, count: int, **gained: int) -> list[Any]:
        """Live until `count` actions have ended successfully, each with the given gain."""
        while len(self.life.body.acts) < count:
            await self.life.pass_time(1)
            if (doing := self.life.body.doing) is not None and doing.outcome is None:
                self.life.body.end(gained=gained)
        await self.life.pass_time(0.5)
        return [act for _, act in self.life.body.acts]

    def told(self, kind: type[Any]) -> list[Any]:
        """Return the steps of a kind."""
        return [step for step in self.steps if isinstance(step, kind)]

    def shown(self, number: int) -> list[str]:
        """Return the names of skills in the data of question `number` to skill execution."""
        asked = [text for part, text in self.model.prompts if part == "to act"][number]
        return [each["name"] for each in json.loads(asked.split("\n", 1)[1].rsplit("\nDATA-", 1)[0])["skills"]]


def program(source: str, **gains: int) -> dict[str, Any]:
    return {"label": "get wheat", "program": source, "gains": gains}


async def test_skills_that_fit_are_shown_and_called_alone_or_from_a_program(tmp_path: Path) -> None:
    library = await folder_of(tmp_path / "library", CUT)
    own = "async function eat(bot) {\n  await cutWheat(bot)\n}\n"
    call = {"label": "cut", "calls": [{"name": "cutWheat", "args": []}]}
    living = Skilled(tmp_path / "Ada", str(library), call, program(own), keep=False)
    called, written, *_ = await living.acts(2)
    assert living.shown(0) == ["cutWheat"]
    assert called.program.startswith(CUT)
    assert "await cutWheat(bot)" in called.program.split(MARK)[1]
    assert written.program == f"{CUT}{MARK}\n{own}"
    assert living.told(SkillsFound)[0].skills[0].name == "cutWheat"
    assert not living.told(SkillLearned)
    await living.life.end()


async def test_a_program_that_brought_what_it_was_to_bring_becomes_a_skill_at_once_and_enters_the_library_at_the_end(
    tmp_path: Path,
) -> None:
    library = await folder_of(tmp_path / "library", CUT)
    living = Skilled(tmp_path / "Ada", str(library), program(BAKE, bread=1), program(BAKE, bread=1), keep=True)
    await living.acts(1, bread=1)
    (learned,) = living.told(SkillLearned)
    assert (learned.name, learned.version, learned.fault) == ("bakeBread", 1, "")
    await living.acts(2, bread=1)
    assert set(living.shown(1)) == {"bakeBread", "cutWheat"}
    assert len(living.told(SkillLearned)) == 1
    assert set(newest(library)) == {"cutWheat"}
    await living.life.end()
    kept = newest(library)
    assert kept["bakeBread"].source == BAKE
    assert kept["bakeBread"].about.goal == {"bread": 1}


@pytest.mark.parametrize(
    ("answer", "gained"),
    [
        (program(BAKE, bread=2), {"bread": 1}),
        (program(BAKE), {"bread": 1}),
        ({"label": "cut", "calls": [{"name": "harvestCrop", "args": ["wheat"]}], "gains": {"wheat": 1}}, {"wheat": 1}),
    ],
)
async def test_what_the_world_does_not_confirm_is_no_skill(
    tmp_path: Path, answer: dict[str, Any], gained: dict[str, int]
) -> None:
    living = Skilled(tmp_path / "Ada", "own", answer, keep=True)
    await living.acts(1, **gained)
    assert not living.told(SkillLearned)
    assert not living.skills.skills
    await living.life.end()


async def test_a_program_in_a_form_that_none_can_call_is_told_and_the_life_goes_on(tmp_path: Path) -> None:
    odd = program("const many = 2\n" + CUT, wheat=1)
    named = program(CUT.replace("cutWheat", "mineBlock"), wheat=1)
    living = Skilled(tmp_path / "Ada", "own", odd, named, keep=True)
    await living.acts(2, wheat=1)
    faults = [each.fault for each in living.told(SkillLearned)]
    assert "more at the top level" in faults[0]
    assert "the name is a primitive's" in faults[1]
    assert not living.skills.skills
    await living.life.end()


async def test_a_call_of_what_is_neither_primitive_nor_skill_is_unreadable(tmp_path: Path) -> None:
    call = {"label": "cut", "calls": [{"name": "cutWheat", "args": []}]}
    living = Skilled(tmp_path / "Ada", "own", call, call, keep=True)
    await living.life.pass_time(1.5)
    assert not living.life.body.acts
    told = [step for step in living.life.steps if isinstance(step, Unusable)]
    assert [step.why for step in told] == ["there is no primitive or skill 'cutWheat'"] * 2
    await living.life.end()


async def test_a_run_that_goes_on_begins_with_the_skills_that_it_had(tmp_path: Path) -> None:
    library = await folder_of(tmp_path / "library", CUT)
    assert set(given(str(library), tmp_path / "Ada")) == {"cutWheat"}
    await folder_of(library, BAKE)
    assert set(given(str(library), tmp_path / "Ada")) == {"cutWheat"}
    assert set(given(str(library), tmp_path / "Bea")) == {"bakeBread", "cutWheat"}
    own = await folder_of(tmp_path / "Eve", CUT)
    assert not given("own", own)
    assert not newest(own)


def test_a_library_that_is_none_is_told_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(SkillError, match="is no skill library: it has no folder 'skills'"):
        check_options({"library": str(tmp_path)})
    check_library(str(tmp_path), keep=True)
    with pytest.raises(WiringError, match="keep: there is no library to keep skills in"):
        check_options({"keep": "yes"})


TAKE = "async function takeBread(bot) {\n  await getItemFromChest(bot, new Vec3(%s), { %s: 1 })\n}\n"


async def test_villagers_learn_a_skill_and_call_it_and_a_study_repeats(tmp_path: Path) -> None:
    path = small_village(tmp_path, people=2, seconds=12)
    spec: Any = load_scenario(str(path)).spec
    chest = spec.world.chests[0]
    item = next(iter(chest.items))
    source = TAKE % (", ".join(str(part) for part in spec.absolute(chest.at)), item)

    def learning(request: Request) -> str:
        if "Your part is to act" not in request.messages[0]["content"]:
            return respond(request).replace('"speak": true', '"speak": false')
        if '"name": "takeBread"' in request.messages[1]["content"]:
            return json.dumps({"label": "take again", "calls": [{"name": "takeBread", "args": []}]})
        return json.dumps({"label": "take from the chest", "program": source, "gains": {item: 1}})

    found = []
    for number in range(2):
        async with FakeServer(learning) as server:
            settings = StudySettings(
                str(path), world="mock", contracts=("normal",), out=tmp_path / f"runs-{number}", model="openai/x",
                agents="piano", base_url=server.base_url, think="0.5", agents_options={"library": "own"},
            )  # fmt: skip
            found.append((await run_study(settings)).directory)
    lines = [line.event for line in read_events(found[0] / "events.jsonl")]
    learned = [each for each in lines if isinstance(each, MindTold) and isinstance(each.step, SkillLearned)]
    assert [each.step.name for each in learned] == ["takeBread"] * 2  # type: ignore[union-attr]
    again = [each for each in lines if isinstance(each, ActBegan) and each.label == "take again"]
    assert again
    assert all(each.program.startswith(source) for each in again)
    ends = [each for each in lines if isinstance(each, ActEnded) and each.label == "take again"]
    assert any(each.ended == "done" and each.gained == {item: 1} for each in ends)
    assert {path.name for path in found[0].rglob("skills/*.js")} == {"takeBread@1.js"}
    assert digest(read_events(found[0] / "events.jsonl")) == digest(read_events(found[1] / "events.jsonl"))
