"""Body and clock without a world, and small villages, for tests of living agents."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from bridge.types import NearMob, Sensed
from voyager_agents.asking import Asker
from voyager_agents.models import ChatMessage, Model, Reply, Settings
from voyager_agents.models.fake_server import Request
from voyager_agents.piano.agent import PianoAgent
from voyager_agents.piano.agent_skills import AgentSkills
from voyager_agents.piano.memory_index import MemoryIndex
from voyager_agents.piano.rule_based.assumptions import rules
from voyager_agents.piano.settings import PianoSettings
from voyager_agents.piano.wiring import wire
from voyager_agents.realtime_agent import BEAT_S, Act, ActOutcome, HeardWords, Letter
from voyager_agents.thought_events import Step

PERSONA = {
    "name": "Ada",
    "traits": ["You like order."],
    "location_memories": [],
    "community_goal": "To make an efficient village.",
    "extroversion": 0.5,
    "places": {name: [10 * number, 64, 0] for number, name in enumerate(("square", "forest", "cave", "farmland"))},
}
ANSWERS: dict[str, dict[str, Any]] = {
    "memory": {"summary": "We farmed.", "importance": 4},
    "to compare": {"as_expected": True, "advice": "", "avoid": False},
    "to understand": {"people": []},
    "the social goal": {"goal": "You farm the fields so that the village has bread."},
    "planning": {"steps": ["Go to the fields.", "Harvest wheat."]},
    "to decide": {
        "doing": "farm wheat",
        "why": "bread",
        "speak": True,
        "to": "",
        "purpose": "tell",
        "expects": "wheat",
    },
    "to talk": {"text": "I farm wheat.", "voice": "say", "to": ""},
    "to answer": {"answer": "The law is good as it is."},
    "to act": {"label": "harvest wheat", "calls": [{"name": "goTo", "args": [{"x": 3, "y": -60, "z": -15}, 4]}]},
}
"""Name of a module's part in its prompt -> a well-formed answer."""


def module_of(messages: Sequence[Mapping[str, str]]) -> str:
    """Return the part that a prompt asks for."""
    system = messages[0]["content"]
    return next(part for part in ANSWERS if f"Your part is {part}" in system)


def respond(request: Request) -> str:
    """Return a well-formed answer to any module and to the rater: all agents fish, and words never match actions."""
    system, user = (each["content"] for each in request.messages[:2])
    if "You study a village" in system:
        count = user.count('"number": ')
        return json.dumps({"roles": [["fisher"]] * count} if "the role" in system else {"agree": [False] * count})
    return json.dumps(ANSWERS[module_of(request.messages)])


def sensed(**changed: Any) -> Sensed:  # noqa: ANN401 - fields of any kind
    """Return the senses of a body in a quiet place."""
    quiet = Sensed("Ada", (0.5, 64.0, 0.5), 0, 0, 20, 20, {}, None, "survival", 0, (), (), (), ())
    return quiet._replace(**changed)


def zombie(distance: float = 3.0) -> NearMob:
    """Return a zombie nearby."""
    return NearMob(7, "zombie", (distance, 64.0, 0.5), distance, hostile=True)


@dataclass
class StillDeed:
    """Action that runs until the test ends it."""

    number: int
    act: Act
    began_s: float
    outcome: ActOutcome | None = None


@dataclass
class StillBody:
    """Body whose senses the test sets, and which records the requested actions."""

    clock: ManualClock
    name: str = "Ada"
    felt: Sensed = field(default_factory=sensed)
    ears: list[HeardWords] = field(default_factory=list)
    doing: StillDeed | None = None
    acts: list[tuple[float, Act]] = field(default_factory=list)
    said: list[tuple[float, str, str]] = field(default_factory=list)
    notes: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    mailbox: list[Letter] = field(default_factory=list)
    answered: list[tuple[float, int, str]] = field(default_factory=list)

    def feel(self) -> Sensed:
        return self.felt

    def sense(self) -> Sensed:
        return self.felt

    def hear(self) -> list[HeardWords]:
        heard, self.ears = self.ears, []
        return heard

    def letters(self) -> list[Letter]:
        mailbox, self.mailbox = self.mailbox, []
        return mailbox

    def answer(self, number: int, text: str) -> None:
        self.answered.append((self.clock.now, number, text))

    def do(self, act: Act) -> StillDeed:
        self.acts.append((self.clock.now, act))
        self.doing = StillDeed(len(self.acts), act, self.clock.now)
        return self.doing

    def end(self, ended: Any = "done", error: str = "", gained: Mapping[str, int] | None = None) -> None:  # noqa: ANN401
        """End the current action."""
        deed = self.doing
        assert deed is not None
        times = deed.began_s, self.clock.now
        deed.outcome = ActOutcome(deed.number, deed.act.label, ended, error, *times, dict(gained or {}))

    async def stop(self) -> None:
        self.doing = None

    def say(self, text: str) -> Sequence[str]:
        self.said.append((self.clock.now, "say", text))
        return []

    def shout(self, text: str) -> Sequence[str]:
        self.said.append((self.clock.now, "shout", text))
        return []

    def whisper(self, to: str, text: str) -> Sequence[str]:
        self.said.append((self.clock.now, f"whisper to {to}", text))
        return []

    def note(self, kind: str, data: Mapping[str, Any]) -> None:
        self.notes.append((kind, dict(data)))


class ManualClock:
    """Clock that the test advances."""

    def __init__(self) -> None:
        self.now = 0.0
        self._sleepers: list[tuple[float, asyncio.Future[None]]] = []

    async def doze(self, seconds: float, name: str) -> None:
        await self.sleep(min(seconds, BEAT_S))

    async def sleep(self, seconds: float) -> None:
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, future))
        await future

    async def pass_time(self, seconds: float) -> None:
        """Advance the clock beat by beat."""
        for _ in range(round(seconds / BEAT_S)):
            await settle()
            self.now += BEAT_S
            due = [future for at, future in self._sleepers if at <= self.now + 1e-9]
            self._sleepers = [each for each in self._sleepers if each[0] > self.now + 1e-9]
            for future in due:
                if not future.done():
                    future.set_result(None)
            await settle()


async def settle() -> None:
    """Let all tasks that are ready run."""
    for _ in range(8):
        await asyncio.sleep(0)


class GameTimeModel:
    """Model that answers after a delay in game time and counts concurrent calls."""

    name = "fake"

    def __init__(self, clock: ManualClock, seconds: float, answer: Callable[[str], str] | None = None) -> None:
        self._clock = clock
        self._seconds = seconds
        self._answer = answer or (lambda part: json.dumps(ANSWERS[part]))
        self.asked: list[tuple[float, str]] = []
        self.prompts: list[tuple[str, str]] = []
        """(part, data) of every prompt."""

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        part = module_of([{"content": each.content} for each in messages])
        self.asked.append((self._clock.now, part))
        self.prompts.append((part, messages[1].content))
        await self._clock.sleep(self._seconds)
        return Reply(self._answer(part))

    async def close(self) -> None:
        """Do nothing."""


class Life:
    """One agent that lives on a manual clock."""

    def __init__(
        self,
        models: Callable[[str], Model | None] = lambda _: None,
        skills: AgentSkills | None = None,
        memory_index: MemoryIndex | None = None,
        **options: Any,  # noqa: ANN401 - options of any kind
    ) -> None:
        self._skills, self._memory_index = skills, memory_index
        self.clock = ManualClock()
        self.body = StillBody(self.clock)
        self._settings = PianoSettings.read(options)
        self._models = models
        self.steps: list[Step] = []
        """Steps that the agent's askers have told."""
        self._task: asyncio.Task[None] | None = None

    @cached_property
    def agent(self) -> PianoAgent:
        """The agent, created on first use because its models may need the clock."""
        settings = self._settings
        return PianoAgent(
            "Ada",
            wire(settings),
            settings,
            persona=PERSONA,
            asker=self._asker,
            rules=rules(),
            seed="test",
            skills=self._skills,
            memory_index=self._memory_index,
        )

    def _asker(self, role: str) -> Asker | None:
        model = self._models(role)
        return None if model is None else Asker(model, role, tell=self.steps.append)

    async def pass_time(self, seconds: float) -> None:
        """Let the agent live on for this time. Raises the agent's errors."""
        if self._task is None:
            self._task = asyncio.create_task(self.agent.live(self.body, self.clock))
        await self.clock.pass_time(seconds)
        if self._task.done():
            self._task.result()

    async def end(self) -> None:
        """End the agent's life."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            await self.agent.keep()


VILLAGE = Path(__file__).parents[2] / "dilemmas" / "scenarios" / "village" / "village.yaml"


def small_village(folder: Path, *, people: int = 6, seconds: float = 30, more: str = "") -> Path:
    """Write a variant of the village with few people and a short time."""
    path = folder / "small.yaml"
    path.write_text(
        f"extends: {VILLAGE}\nname: small-village\npopulation: {{count: {people}}}\n"
        f"end: {{time_limit_s: {seconds}}}\n{more}",
        encoding="utf-8",
    )
    return path
