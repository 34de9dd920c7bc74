"""Players of Voyager's benchmark without a model: one step of a climb or one library skill per iteration.

    without options    the steps of the reference climb (climb.js, steps.js) in order: a lower bound for models
    library=FOLDER     the library's skills, found by the words of the task, each called alone: the reference for
                       published skills without a model that adapts them

Both follow one list of tasks, from logs to a diamond pickaxe. A task is done if its item is held at the end of an
iteration. It is given up after four programs in a row without progress.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from bridge.error_mode import VOYAGER, with_error_mode
from voyager_agents.agent import Action, Observer
from voyager_agents.context import AgentContext
from voyager_agents.errors import AgentError, SkillError
from voyager_agents.skill_library.assembly import assemble
from voyager_agents.skill_library.library import newest
from voyager_agents.skill_library.skill import Skill
from voyager_agents.thought_events import TaskTaken, Tell, silent
from voyager_agents.voyager.code import Span, spans

TRIES = 4
"""Maximum programs in a row without progress on one task; as in Voyager."""
REST = "async function rest(bot) {\n  await bot.waitForTicks(20)\n}\n"
"""Program of a player with no tasks left."""
CHOICES = 3
"""Number of skills tried in turn for one task."""
_HERE = Path(__file__).parent
_WORDS = re.compile(r"[A-Z]?[a-z]+|[0-9]+")


@dataclass(frozen=True)
class ClimbTask:
    """An item to obtain."""

    item: str
    """Name of the item, or a regular expression for names."""
    words: str
    """Words that a suitable skill contains."""
    step: str = ""
    """Step of the climb for the item; empty if another step obtains it."""
    count: int = 1
    must: str = ""
    """Words that a suitable skill's name must contain; empty: all but the first of `words`."""

    def held(self, items: Mapping[str, int]) -> int:
        """Return the number of matching items held."""
        return sum(count for name, count in items.items() if re.fullmatch(self.item, name))


TASKS: tuple[ClimbTask, ...] = (
    ClimbTask(r"\w+_log", "mine wood log", count=5, must="log"),
    ClimbTask(r"\w+_planks", "craft wooden planks", count=4, must="planks"),
    ClimbTask("crafting_table", "craft crafting table"),
    ClimbTask("stick", "craft sticks", count=4),
    ClimbTask("wooden_pickaxe", "craft wooden pickaxe", "woodenPickaxe"),
    ClimbTask("cobblestone", "mine cobblestone", count=11),
    ClimbTask("stone_pickaxe", "craft stone pickaxe", "stonePickaxe"),
    ClimbTask("furnace", "craft furnace", "furnace"),
    ClimbTask("coal", "mine coal ore", count=3),
    ClimbTask("raw_iron", "mine iron ore", count=3),
    ClimbTask("iron_ingot", "smelt raw iron", count=3),
    ClimbTask("iron_pickaxe", "craft iron pickaxe", "ironPickaxe"),
    ClimbTask("diamond", "mine diamond", count=3),
    ClimbTask("diamond_pickaxe", "craft diamond pickaxe", "diamondPickaxe"),
    ClimbTask("raw_gold", "mine gold ore", count=2),
    ClimbTask("gold_ingot", "smelt raw gold", count=2),
    ClimbTask("golden_sword", "craft golden sword", "goldenSword"),
    ClimbTask("bucket", "craft bucket"),
    ClimbTask("lava_bucket", "collect lava bucket", "lavaBucket"),
    ClimbTask("redstone", "mine redstone"),
    ClimbTask("compass", "craft compass", "compass"),
)
"""Tasks in order."""
COMMON = 12
"""Number of tasks at the start that lead to iron, on which everything else depends."""
LEADING: Mapping[str, tuple[str, ...]] = {
    "diamond_pickaxe": ("diamond",),
    "golden_sword": ("raw_gold", "gold_ingot"),
    "lava_bucket": ("raw_iron", "iron_ingot", "bucket"),
    "compass": ("raw_iron", "iron_ingot", "redstone"),
}
"""Item -> items to obtain for it after iron."""


def tasks_for(condition: str) -> tuple[ClimbTask, ...]:
    """Return a condition's tasks: those that lead to the item in its name, else all."""
    item = condition.partition("+")[0].replace("-", "_")
    if item not in LEADING:
        return TASKS
    after = [task for task in TASKS[COMMON:] if task.item in (*LEADING[item], item)]
    return (*TASKS[:COMMON], *after)


class Climber(Observer):
    """An `Agent` that returns the next program for the first unfinished task."""

    def __init__(self, name: str, tasks: Sequence[ClimbTask], programs: TaskPrograms, tell: Tell = silent) -> None:
        """Create a climber; `programs` returns the programs to try for a task."""
        super().__init__(name)
        self._tell = tell
        self._programs = programs
        self._tasks = [task for task in tasks if programs.of(task)]
        self._done: list[ClimbTask] = []
        self._given_up: list[ClimbTask] = []
        self._tries, self._programs_run, self._most = 0, 0, 0
        self._now: ClimbTask | None = None

    async def act(self) -> Action:
        """Review the last program and return the next one."""
        held = self._seen().inventories.get(self.name, {})
        critique = self._look_back(held)
        for task in [each for each in self._tasks if each not in self._done and each.held(held) >= each.count]:
            self._done.append(task)
        left = [task for task in self._tasks if task not in (*self._done, *self._given_up)]
        if not left:
            self._now = None
            return Action(REST, "nothing more to do", critique)
        task = left[0]
        if task is not self._now:
            self._now, self._tries, self._programs_run, self._most = task, 0, 0, task.held(held)
        choices = self._programs.of(task)
        program = choices[self._programs_run % len(choices)]
        self._tell(
            TaskTaken(
                text=task.words, goal={}, attempt=self._tries + 1, attempts=TRIES, reasoning="",
                completed=len(self._done), given_up=len(self._given_up),
            )
        )  # fmt: skip
        self._programs_run += 1
        return Action(program, task.words, critique)

    def _look_back(self, held: Mapping[str, int]) -> str:
        """Return a critique of the last program; give up a task after several programs without progress."""
        task = self._now
        if task is None:
            return ""
        count = task.held(held)
        if count >= task.count:
            return ""
        if count > self._most:
            self._tries, self._most = 0, count
            return f"{count} of {task.count} {task.item}"
        self._tries += 1
        if self._tries >= TRIES:
            self._given_up.append(task)
        return f"no more {task.item} than before"


@dataclass
class TaskPrograms:
    """Programs for a task: skills of a library, or steps of the climb."""

    skills: Mapping[str, Skill] | None = None
    _known: dict[ClimbTask, list[str]] = field(default_factory=dict)

    def of(self, task: ClimbTask) -> list[str]:
        """Return programs, best first; empty for a task that other steps solve."""
        if task not in self._known:
            self._known[task] = _steps(task.step) if self.skills is None else _calls(task, self.skills)
        return self._known[task]


def _steps(name: str) -> list[str]:
    return [] if not name else [with_error_mode(_helpers() + _step_sources()[name], VOYAGER)]


@cache
def _helpers() -> str:
    """Return the code shared by all steps: the climb without its last function, and the helpers of steps.js."""
    climb, steps = (_read(name) for name in ("climb.js", "steps.js"))
    last, named = spans(climb)[-1], {task.step for task in TASKS}
    first = next(each for each in spans(steps) if each.name in named)
    return climb[: last.start] + steps[: first.start] + "\n"


@cache
def _step_sources() -> Mapping[str, str]:
    """Return name -> source of each step."""
    text = _read("steps.js")
    return {each.name: _source(text, each) for each in spans(text)}


def _source(text: str, span: Span) -> str:
    return text[span.start : span.end] + "\n"


def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


def _calls(task: ClimbTask, skills: Mapping[str, Skill]) -> list[str]:
    """Return programs that call one skill each: skills whose names match the task, best match first."""
    wanted, must = _words(task.words), _words(task.must or task.words.partition(" ")[2])
    named = [name for name in skills if must <= _words(name)]
    best = sorted(named, key=lambda name: (_unlike(wanted, skills[name]), name))
    return [assemble(f"async function tryOne(bot) {{\n  await {name}(bot)\n}}\n", skills) for name in best[:CHOICES]]


def _unlike(wanted: frozenset[str], skill: Skill) -> tuple[float, float]:
    """Return the distance of a skill from a task: by its name, then by its description."""
    name, about = _words(skill.name), _words(skill.about.description.lower())
    return (-len(wanted & name) / len(wanted | name), -len(wanted & about) / len(wanted))


def _words(text: str) -> frozenset[str]:
    """Return the words of a name or sentence, in the singular."""
    return frozenset(word.lower().removesuffix("s") for word in _WORDS.findall(text))


def check_options(options: Mapping[str, Any]) -> None:
    """Check that the options are legal. Raises AgentError."""
    unknown = [key for key in options if key != "library"]
    if unknown:
        raise AgentError(f"agents' option {unknown[0]!r} is not known: there is library=FOLDER")
    _library(options)


def files_of_options(options: Mapping[str, Any]) -> list[Path]:
    """Return the files of the skills in use."""
    return sorted((Path(options["library"]) / "skills").glob("*@*")) if "library" in options else []


def make_climber(context: AgentContext) -> Climber:
    """Create a climber.

    Raises:
        SkillError: The option `library` names no skill library.
    """
    programs = TaskPrograms(_library(context.options))
    return Climber(context.player, tasks_for(context.condition), programs, context.tell)


def _library(options: Mapping[str, Any]) -> Mapping[str, Skill] | None:
    if "library" not in options:
        return None
    folder = Path(str(options["library"]))
    skills = newest(folder)
    if not skills:
        raise SkillError(
            f"{folder}: is no skill library, or an empty one: make one of a published library with "
            f"'accord skills import FOLDER --into {folder}'"
        )
    return skills
