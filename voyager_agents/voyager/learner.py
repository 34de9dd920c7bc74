"""The learning agent, in Voyager's configuration (its Figure 2 and the three sections on its components).

A curriculum proposes a task that is measurable in the inventory. The action part writes a program for it, which may
call skills learned earlier. After the episode both the critic and the world judge it. A program that both accept enters
the library; otherwise a new program is written, at most four per task, and then the next task is tried.
"""

from __future__ import annotations

import math
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from bridge.error_mode import ERROR_MODES, NAMED, VOYAGER, with_error_mode
from common.answers.spoken import spoken
from voyager_agents.agent import BY_CALLS, Action, LastRun, Observation
from voyager_agents.asking import Asker
from voyager_agents.context import AgentContext, require_model
from voyager_agents.errors import AgentError, ObservationError, ReplyError, SkillError
from voyager_agents.index import OFFLINE, Embedding, check_embedding, open_embedding
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.rendering import skills_in_scope, skills_learned
from voyager_agents.skill_library import Skill, SkillLibrary, assemble, newest, own_part
from voyager_agents.thought_events import (
    CRITIC,
    CURRICULUM,
    Questioned,
    Reviewed,
    SkillLearned,
    SkillsFound,
    SkillShown,
    TaskTaken,
    Tell,
    silent,
)
from voyager_agents.tool_calls.session import ToolSession
from voyager_agents.voyager.action import ActionPart
from voyager_agents.voyager.agent import IDLE, action_part, idle, negotiator_part, part_asker
from voyager_agents.voyager.code import sole_name
from voyager_agents.voyager.critic import CriticOpinion, CriticPart
from voyager_agents.voyager.curriculum import WARM_UP, CurriculumPart, CurriculumTask, TaskHistory
from voyager_agents.voyager.negotiator import ModelNegotiator, NegotiatorPart
from voyager_agents.voyager.tool_action import ToolActionPart

ROUNDS = 4
"""Maximum programs for one task."""
MAX_DESCRIPTION = 500
"""Maximum characters of a skill's description."""


class Describer:
    """Requests from a model the sentence by which a skill is found."""

    def __init__(self, asker: Asker, prompts: Prompts = STANDARD) -> None:
        self._asker = asker
        self._prompt = prompts.load("describe")

    async def describe(self, task: str, source: str) -> str:
        """Return the description; the task's text if no answer was a sentence."""
        system, user = self._prompt.fill({"task": task, "source": source})
        answer = await self._asker.ask_text(system, user, _sentence, part="describe")
        return task if answer.value is None else answer.value


def _sentence(text: str) -> str:
    """Return an answer as one line. Raises ReplyError if it is empty or has code in it."""
    line = " ".join(spoken(text).split())[:MAX_DESCRIPTION]
    if not line or not line.isprintable() or "```" in line:
        raise ReplyError("no-sentence", "give one sentence of printable characters, without code")
    return line


@dataclass(frozen=True)
class LearningParts:
    """Parts of a learning agent."""

    action: ActionPart | ToolActionPart
    critic: CriticPart
    curriculum: CurriculumPart
    describer: Describer
    negotiator: NegotiatorPart | None
    library: SkillLibrary
    primitives: str = NAMED
    """Error mode of the primitives in the agent's programs (`bridge.error_mode`)."""


class _State(BaseModel):
    """State of the agent between two episodes."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)
    task: CurriculumTask | None = None
    rounds: int = 0
    """Number of programs written for the task."""
    completed: list[str] = []
    failed: list[str] = []
    answers: dict[str, str] = {}

    @property
    def past(self) -> TaskHistory:
        return TaskHistory(self.completed, self.failed, self.answers)


@dataclass
class _Memory:
    """States in files, one per episode, so that a repeated episode starts from the state before it."""

    folder: Path
    _kept: dict[int, _State] = field(default_factory=dict)

    def before(self, episode: int) -> _State:
        """Return the state before an episode, counted from 0. Raises SkillError."""
        if episode <= 0 or (episode - 1) in self._kept:
            return self._kept.get(episode - 1, _State())
        path = self._path(episode - 1)
        try:
            return _State.model_validate_json(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return _State()
        except (OSError, ValidationError, UnicodeDecodeError) as error:
            raise SkillError(f"{path}: cannot be read ({type(error).__name__}): put it back, or run anew") from None

    def keep(self, episode: int, state: _State) -> None:
        """Save the state after the episode's program was written."""
        self._kept[episode] = state
        path = self._path(episode)
        path.parent.mkdir(parents=True, exist_ok=True)
        draft = path.with_suffix(".draft")
        draft.write_text(state.model_dump_json(indent=2), encoding="utf-8")
        draft.replace(path)

    def _path(self, episode: int) -> Path:
        return self.folder / "tasks" / f"{episode + 1}.json"


class LearningAgent(ModelNegotiator):
    """Agent that writes a program for every episode and keeps what it learned. Raises as `VoyagerAgent` does.

    An agent that acts by tool calls learns no skills, but calls those of its library.
    """

    def __init__(
        self,
        name: str,
        parts: LearningParts,
        folder: Path,
        provenance: dict[str, Any] | None = None,
        tell: Tell = silent,
        begin: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Create the agent.

        Args:
            name: The player's name.
            parts: The agent's parts.
            folder: Folder for the agent's files.
            provenance: Provenance of the skills that it learns.
            tell: Recorder of the agent's reasoning.
            begin: Resets the library to its state before the first episode.
        """
        super().__init__(name)
        self._begin = begin
        self._tell = tell
        self._parts = parts
        self._memory = _Memory(folder)
        self._provenance = provenance or {}
        self.by_calls = isinstance(parts.action, ToolActionPart)
        self._start: Callable[[], ToolSession] | None = None

    async def act(self) -> Action:
        """Review the last episode, find a task if there is none, and write the program for the next episode."""
        seen = self._seen()
        if seen.episode == 0 and self._begin is not None:
            await self._begin()
        await self._parts.library.open()
        state, review = await self._look_back(seen, self._memory.before(seen.episode))
        reasoning = ""
        if state.task is None:
            state, reasoning = await self._next_task(seen, state)
        state = state.model_copy(update={"rounds": state.rounds + 1})
        self._tell(_taken(state, reasoning))
        policy, thought, stood_in = await self._write(seen, state, review)
        self._memory.keep(seen.episode, state)
        if self.by_calls:
            return Action(BY_CALLS, "", review.text, review.success)
        program = assemble(policy, self._parts.library.skills)
        if self._parts.primitives != NAMED:
            program = with_error_mode(program, self._parts.primitives)
        return Action(program, thought, review.text, review.success, stood_in)

    def begin_calls(self) -> ToolSession:
        """Return the calls for the episode of the last `act`.

        Raises:
            ObservationError: `act` was not called, or the agent writes programs.
        """
        if self._start is None:
            raise ObservationError(f"{self.name}: act comes before begin_calls")
        return self._start()

    async def conclude(self) -> tuple[str, bool | None]:
        """Review the final episode, so that its skill is learned too."""
        seen = self._seen()
        await self._parts.library.open()
        _, review = await self._look_back(seen, self._memory.before(seen.episode))
        await self._parts.library.close()
        return review.text, review.success

    @property
    def negotiator(self) -> NegotiatorPart | None:
        """The negotiator part; None if the agent cannot negotiate."""
        return self._parts.negotiator

    async def _look_back(self, seen: Observation, state: _State) -> tuple[_State, CriticOpinion]:
        """Return the new state and the review of the last program; learn the skill if critic and world accept it."""
        task, last = state.task, seen.last_run
        if task is None or last is None:
            return state, CriticOpinion(None, "")
        review = await self._parts.critic.review(self._about(seen, task))
        why_not = _not_done(task, last, seen.inventories.get(self.name, {}))
        self._tell(Reviewed(review.success, review.text, review.reasoning, why_not if review.success else ""))
        if review.success and not why_not:
            if not self.by_calls:
                await self._learn(task, own_part(last), seen)
            done = {"task": None, "rounds": 0, "completed": [*state.completed, task.text]}
            return state.model_copy(update=done), review
        if review.success:
            review = replace(review, success=False, text=f"The world does not show the task done: {why_not}.")
        if state.rounds < ROUNDS:
            return state, review
        given_up = {"task": None, "rounds": 0, "failed": [*state.failed, task.text]}
        return state.model_copy(update=given_up), review

    async def _learn(self, task: CurriculumTask, last: LastRun, seen: Observation) -> None:
        """Save the program as a skill, unless other programs could not call it."""
        name = sole_name(last.policy)
        description = await self._parts.describer.describe(task.told(), last.policy)
        where = {**self._provenance, "player": self.name, "episode": seen.episode}
        about = {"description": description, "task": task.text, "goal": dict(task.goal), "provenance": where}
        try:
            learned = await self._parts.library.add(Skill.made(last.policy, name=name, version=1, **about))
        except SkillError as error:
            # The task still counts as done; only the form of the program prevents other programs from calling it.
            self._tell(SkillLearned(name, 0, description, task.text, str(error)))
            return
        self._tell(SkillLearned(name, learned.about.version, description, task.text))

    async def _next_task(self, seen: Observation, state: _State) -> tuple[_State, str]:
        """Return the state with a new task, and the reasoning; the scenario's task if the curriculum proposes none."""
        fresh = await self._parts.curriculum.ask(seen, state.past)
        if fresh:
            self._tell(Questioned(fresh))
        answers, reasoning = state.answers | fresh, ""
        state = state.model_copy(update={"answers": answers, "rounds": 0})
        skills = skills_learned(list(self._parts.library.skills.values()))
        try:
            task = await self._parts.curriculum.propose(seen, state.past, skills)
            reasoning = self._parts.curriculum.reasoning
        except ReplyError:
            task = CurriculumTask(text=" ".join(seen.task.split())[:500] or "Do as well as you can.")
        return state.model_copy(update={"task": task}), reasoning

    async def _write(self, seen: Observation, state: _State, review: CriticOpinion) -> tuple[str, str, str]:
        """Return the program, the thought about it, and the stand-in that wrote it; empty for the model's own."""
        assert state.task is not None
        found = await self._parts.library.find(state.task.told())
        shown = tuple(SkillShown(each.name, each.about.version, each.about.description) for each in found)
        self._tell(SkillsFound(state.task.told(), shown, len(self._parts.library.skills)))
        about, whole = self._about(seen, state.task), partial(assemble, skills=self._parts.library.skills)
        if isinstance(self._parts.action, ToolActionPart):
            self._start = partial(self._parts.action.begin, about, review.text, found, whole)
            return BY_CALLS, "", ""
        try:
            policy, thought = await self._parts.action.write(about, review.text, skills_in_scope(found), whole=whole)
        except ReplyError as error:
            return idle(error), f"no usable answer: {error}", IDLE
        return policy, thought, ""

    def _about(self, seen: Observation, task: CurriculumTask) -> Observation:
        """Return the observation with the episode's task added, and the last program without skills."""
        told = f"{task.told()}\nIt is a step towards your aim in the scenario: {seen.task}"
        return replace(seen, task=told, last_run=None if seen.last_run is None else own_part(seen.last_run))


def _taken(state: _State, reasoning: str) -> TaskTaken:
    """Return the event of the next episode's task, for the record."""
    assert state.task is not None
    return TaskTaken(
        text=state.task.text,
        goal=dict(state.task.goal),
        attempt=state.rounds,
        attempts=ROUNDS,
        reasoning=reasoning,
        completed=len(state.completed),
        given_up=len(state.failed),
    )


def _not_done(task: CurriculumTask, last: LastRun, held: Any) -> str:  # noqa: ANN401 - item -> count
    """Return the world's evidence that the task is not done; empty if it is done."""
    if last.outcome != "returned":
        return f"the program did not end well ({last.outcome})"
    if not task.goal:
        return "the task names nothing that it could show"
    missing = ", ".join(f"{count} more {item}" for item, count in sorted(task.missing(held).items()))
    return f"you need {missing}" if missing else ""


def check_options(options: Mapping[str, Any]) -> None:
    """Check the options' values and that the library's packages are installed. Raises AgentError."""
    warm_up(options)
    error_mode(options)
    if "library" in options and "learned" in options:
        raise AgentError("agents' options library and learned: the one lasts, the other is copied; give one of them")
    if "learned" in options and not newest(Path(str(options["learned"]))):
        raise AgentError(f"agents' option learned: {options['learned']!r} is no skill library with skills in it")
    check_embedding(str(options.get("embedding", OFFLINE)))


def make_learning_agent(context: AgentContext) -> LearningAgent:
    """Create the agent. Its library lies in the run's record, or with the option `library` in that lasting folder.

    Raises:
        ModelError: There is no model for the role `action`.
        IndexUnusable: The index of the library cannot be used (see `voyager_agents.index`).
        AgentError: The option `primitives` is given to an agent that acts by tool calls.
    """
    if context.by_calls and error_mode(context.options) != NAMED:
        raise AgentError("agents' option primitives: it is for programs; leave it out, or --act tools")
    folder = Path(context.options["library"]) if "library" in context.options else context.folder
    # Agents that share a folder open it separately, so that each player pays for its own embeddings.
    library = SkillLibrary(folder, _embedding(context), primitive_names(context.docs))
    about = {"model": require_model(context, "action").name, "condition": context.condition, "seed": context.seed}
    learned = Path(str(context.options["learned"])) if "learned" in context.options else None
    begin = None if "library" in context.options else partial(library.begin, learned)
    return LearningAgent(context.player, _parts(context, library), context.folder, about, context.tell, begin)


def files_of_options(options: Mapping[str, Any]) -> list[Path]:
    """Return the files of the skills that a player starts with."""
    return sorted((Path(str(options["learned"])) / "skills").glob("*@*")) if "learned" in options else []


def _parts(context: AgentContext, library: SkillLibrary) -> LearningParts:
    docs = ERROR_MODE_TEXTS[error_mode(context.options)] + context.docs
    curriculum = part_asker(context, CURRICULUM)
    return LearningParts(
        action_part(replace(context, docs=docs)),
        CriticPart(part_asker(context, CRITIC), prompt="critic_task", prompts=context.prompts),
        CurriculumPart(curriculum, warm_up=warm_up(context.options), prompts=context.prompts),
        Describer(curriculum, prompts=context.prompts),
        negotiator_part(context),
        library,
        error_mode(context.options),
    )


def _embedding(context: AgentContext) -> Embedding:
    spec = str(context.options.get("embedding", OFFLINE))
    return open_embedding(spec, base_url=context.base_url, api_key_file=context.api_key_file, through=context.embedder)


def warm_up(options: Mapping[str, Any]) -> dict[str, int]:
    """Return the curriculum's warm-up: Voyager's numbers times the option `warm-up`; 0 shows everything at once.

    Raises:
        AgentError: The option is not a number of at least 0.
    """
    given = options.get("warm-up", 1)
    try:
        times = float(given)
    except (TypeError, ValueError):
        times = -1.0
    if not 0 <= times < math.inf:
        raise AgentError(f"agents' option warm-up: {given!r} is no number from 0: write e.g. warm-up=0 or warm-up=1")
    return {what: round(number * times) for what, number in WARM_UP.items()}


ERROR_MODE_TEXTS = {
    NAMED: "",
    VOYAGER: (
        "A primitive that cannot do its work says so in the chat, and your program goes on after it: look at the "
        "inventory to see what came of it. craftItem and smeltItem go to a table or furnace within 32 blocks, or put "
        "down the one that you carry. bot.pathfinder digs and builds on its way, so mineBlock gets at ore inside of "
        "rock.\n\n"
    ),
}
"""Error mode -> introduction for models, placed before the primitives."""


def error_mode(options: Mapping[str, Any]) -> str:
    """Return the error mode of the primitives. Raises AgentError."""
    given = str(options.get("primitives", NAMED))
    if given not in ERROR_MODES:
        raise AgentError(f"agents' option primitives: {given!r} is not known: choose from {', '.join(ERROR_MODES)}")
    return given


def primitive_names(docs: str) -> frozenset[str]:
    """Return the functions described in the primitives' documentation; skills may not take these names."""
    return frozenset(re.findall(r"^### (\w+)$", docs, re.MULTILINE))
