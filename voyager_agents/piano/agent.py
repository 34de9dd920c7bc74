"""Real-time PIANO agent: shared state, module scheduling and pending model calls."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from common.answers.fitting import ShrinkRule, drop_last, drop_oldest
from common.answers.reading import Strict
from voyager_agents.asking import Asker
from voyager_agents.errors import ReplyError, WiringError
from voyager_agents.piano.agent_skills import AgentSkills
from voyager_agents.piano.bottleneck import Waiting, gather, squeeze
from voyager_agents.piano.memory_index import MemoryIndex
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView
from voyager_agents.piano.rendering import plain
from voyager_agents.piano.schedule import Schedule
from voyager_agents.piano.settings import UNCHANGED, PianoSettings
from voyager_agents.piano.skipping import RecentAnswers, Sightings, in_sight, state_key
from voyager_agents.piano.slots import BodyAction, without_things
from voyager_agents.piano.state import SlotState
from voyager_agents.piano.tool_execution import MODULE as EXECUTION
from voyager_agents.piano.tool_execution import ToolExecution
from voyager_agents.piano.wiring import CONTROLLER, Wiring
from voyager_agents.prompts.fitting import ShownPrimitives, quote_values
from voyager_agents.prompts.folder import STANDARD, Prompts, catalog
from voyager_agents.realtime_agent import BEAT_S, Body, Clock, HeardWords
from voyager_agents.skill_library import Skill

RULES = (
    ShrinkRule("primitives", lambda docs: docs.shorter(last=1)),
    *(ShrinkRule(key, drop_oldest) for key in ("memories", "heard")),
    ShrinkRule("skills", drop_last),
    ShrinkRule("primitives", ShownPrimitives.shorter),
)
"""Rules that shorten a prompt: primitives that the decision does not need, then what was heard or remembered first."""
TOOLS_PROMPT = "skill_execution_tools"
"""Name of the prompt of skill execution by tool calls."""
PRIMITIVES = "primitives"
"""Value of a prompt with the documentation of primitives."""
_SENSES = frozenset({"feel", "sight"})
"""Slots that change at every beat. An agent with a module that watches one of them wakes at every beat."""
_NONE: frozenset[str] = frozenset()
MAX_DOZE_S = 60.0
"""Maximum game seconds between two turns."""
MAX_LETTERS = 100
"""Maximum number of kept letters; the oldest are dropped first."""


class PianoAgent:
    """Real-time agent (`voyager_agents.realtime_agent.LivingAgent`) made of PIANO modules.

    State and memories survive a restart of `live`.
    """

    def __init__(
        self,
        name: str,
        wiring: Wiring,
        settings: PianoSettings,
        *,
        persona: Mapping[str, Any],
        asker: Callable[[str], Asker | None],
        rules: Mapping[str, Any],
        seed: str,
        docs: str = "",
        prompts: Prompts = STANDARD,
        skills: AgentSkills | None = None,
        memory_index: MemoryIndex | None = None,
        by_calls: bool = False,
    ) -> None:
        """Create the agent.

        Args:
            name: The player's name.
            wiring: The agent's modules.
            settings: The agent's options.
            persona: The player's persona, including the places it knows.
            asker: Returns the access to a role's model; None makes the module follow its rule.
            rules: Numbers and tables of the modules' rules.
            seed: Seed of the agent's random numbers.
            docs: Documentation of the primitives.
            prompts: Prompts of the modules.
            skills: Skill library of the agent; None without one.
            memory_index: Embedding index for recall; None to recall by shared words.
            by_calls: True if skill execution makes tool calls, where it has a model.
        """
        self.name = name
        self.state = SlotState(wiring.types, wiring.writers, {**wiring.first, "persona": dict(persona)})
        chance = random.Random(f"{seed}:periods")
        self.schedule = Schedule(wiring.modules, partial(_any_beat, chance) if wiring.staggered else None)
        self._looks_on = any(_SENSES.intersection(module.when.changes) for module in wiring.modules)
        self._wiring = wiring
        self._settings = settings
        self._rules = rules
        self._seed = seed
        self._docs = docs
        self._askers = {module.name: asker(module.role) if module.role else None for module in wiring.modules}
        self._keep = frozenset(settings.keep_slots)
        self._calls: dict[str, asyncio.Task[None]] = {}
        self._answers = {module.name: RecentAnswers() for module in wiring.modules}
        self._sightings = Sightings()
        self._waiting: Waiting = ()
        """Values of the bottleneck's slots at the controller's last run."""
        self._seen_act = 0
        self._health = 20.0
        self._prompts = prompts
        self._skills = skills
        self._memory_index = memory_index
        self._preamble, _ = prompts.load("mind").fill({"name": name})
        acting = self._askers.get(EXECUTION) if by_calls else None
        self._tools = None if acting is None else ToolExecution(acting, docs)

    async def live(self, body: Body, clock: Clock) -> None:
        """Run turns until cancelled. A turn takes no game time."""
        try:
            while True:
                now = clock.now
                self._turn(body, clock, now)
                left = self.schedule.next_s(now, BEAT_S, self._calls) - now
                if self._calls or self._looks_on:
                    await clock.sleep(min(left, BEAT_S))
                else:
                    # Events of the body and heard words end a doze at the next beat.
                    await clock.doze(min(left, MAX_DOZE_S), self.name)
        finally:
            await self._break_off()
            accounts = {name: account.to_dict() for name, account in self.schedule.accounts.items()}
            body.note("lived", {"modules": accounts})

    async def keep(self) -> None:
        """Save the learned skills in the skill library."""
        if self._skills is not None:
            await self._skills.keep()

    def _turn(self, body: Body, clock: Clock, now: float) -> None:
        """Read the body's senses and run all due modules in order."""
        if self._calls:
            self._finish_calls()
        events = self._perceive(body, now)
        for module in self.schedule.turn(now, events, self._calls):
            self._run(module, body, clock, now, events)

    def _run(self, module: Module, body: Body, clock: Clock, now: float, events: frozenset[str]) -> None:
        view = self._view(module, now, events)
        if module.name == CONTROLLER:
            self._waiting = gather(self.state, self._wiring.gates)
        asker = self._askers[module.name]
        if self._tools is not None and module.name == EXECUTION:
            self._call_tools(self._tools, module, view, body, clock)
            return
        if asker is not None:
            assert module.ask is not None
            data = module.ask(self._told_view(module, view, asker))
            if data is not None:
                account, key = self.schedule.accounts[module.name], self._skip_key(module, now)
                if key is not None and self._answers_again(module, key, view, body, now):
                    account.skipped += 1
                    return
                account.calls += 1
                self._begin(module, self._ask(module, asker, data, body, clock, key))
                return
        if module.rule is not None and (asker is None or module.else_rule):
            if self._memory_index is not None and module.cue is not None:
                self._begin(module, self._recollect(module, body, clock, events))
            else:
                self._apply(module, module.rule(view), body, now)

    def _skip_key(self, module: Module, now: float) -> object:
        """Return the key of what the module would be told; None if its calls are never skipped."""
        if self._settings.skip != UNCHANGED or module.answers or module.draws:
            return None
        if (percepts := self.state.value("percepts")) is not None:
            self._sightings.see(in_sight(percepts), now)
        shown = [gate.slot for gate in self._wiring.gates] if module.name == CONTROLLER else ()
        return self._purpose(module, now), state_key(module, self.state, shown, self._sightings)

    def _answers_again(self, module: Module, key: object, view: SlotView, body: Body, now: float) -> bool:
        """Return True if an earlier answer holds: the last one, or one to an equal question, which is read again."""
        answers = self._answers[module.name]
        if answers.is_unchanged(key, now):
            return True
        if not module.repeats or (answer := answers.again(key, now)) is None:
            return False
        assert module.read is not None
        self._apply(module, module.read(view, answer), body, now)
        return True

    def _call_tools(self, tools: ToolExecution, module: Module, view: SlotView, body: Body, clock: Clock) -> None:
        """Ask the model for its next tool call, if the decision needs one."""
        assert module.ask is not None
        view = self._told_view(module, view, self._askers[module.name])
        data, decision = module.ask(view), self.state.value("decision")
        if data is not None and tools.is_due(decision):
            self.schedule.accounts[module.name].calls += 1
            self._begin(module, self._next_tool_call(tools, module, data, body, clock))

    async def _next_tool_call(
        self, tools: ToolExecution, module: Module, data: Mapping[str, Any], body: Body, clock: Clock
    ) -> None:
        """Ask the model for its next tool call, and let the body make it unless the decision has changed."""
        account, decision = self.schedule.accounts[module.name], self.state.value("decision")
        purpose = self._purpose(module, clock.now)
        found: Sequence[Skill] = ()
        if self._skills is not None and module.skills is not None and not tools.continues(decision):
            found = await self._skills.find(module.skills(self._view(module, clock.now, _NONE)))

        def question() -> tuple[str, str]:
            told = self._prompts.load(TOOLS_PROMPT).system
            shown = {key: value for key, value in data.items() if key != "primitives"}
            return f"{self._preamble}\n\n{told}", quote_values(shown)

        try:
            act = await tools.next_act(decision, body.feel().position, found, question)
        except ReplyError:
            account.unreadable += 1
            return
        if self._purpose(module, clock.now) != purpose:
            account.stale += 1
            tools.drop()
            body.note("stale", {"module": module.name, "reason": "what it was asked for is over"})
            return
        if act is not None:
            self._apply(module, Result(act=act[0]), body, clock.now)
            if body.doing is not None:
                tools.begin(act[1], body.doing)

    def _begin(self, module: Module, work: Coroutine[Any, Any, None]) -> None:
        """Start the module's work as a task. The module does not run again before the task ends."""
        self._calls[module.name] = asyncio.create_task(work, name=f"{self.name}: {module.name}")

    async def _recollect(self, module: Module, body: Body, clock: Clock, events: frozenset[str]) -> None:
        """Query the memory index and apply the module's rule to the result."""
        assert module.rule is not None
        view = await self._minding(module, self._view(module, clock.now, events))
        self._apply(module, module.rule(view), body, clock.now)

    async def _minding(self, module: Module, view: SlotView) -> SlotView:
        """Return the view with memory similarities from the index, if the module has a cue."""
        if self._memory_index is not None and module.cue is not None:
            view.likeness = await self._memory_index.likeness(*module.cue(view))
        return view

    def _told(self, module: Module) -> str:
        """Return the system instructions of the module's model."""
        told = self._prompts.load(module.prompt).system if module.prompt in catalog() else module.prompt
        shown = self._skills is not None and module.skills is not None
        return f"{told}\n\n{self._prompts.load('skill_library').system}" if shown else told

    async def _find_skills(self, module: Module, now: float) -> Mapping[str, Any]:
        """Return the skills to show in the module's prompt, as plain data."""
        if self._skills is None or module.skills is None:
            return {}
        found = await self._skills.find(module.skills(self._view(module, now, frozenset())))
        shown = [{"name": each.name, "description": each.about.description, "source": each.source} for each in found]
        return {"skills": shown}

    async def _ask(
        self, module: Module, asker: Asker, data: Mapping[str, Any], body: Body, clock: Clock, key: object
    ) -> None:
        """Ask the model, and apply the result of its answer.

        An applied answer is the last one to a question with this `key` (`_skip_key`).

        Without a usable answer nothing changes. An answer is dropped as stale if the call's purpose has changed.
        """
        assert module.read is not None
        read = module.read
        purpose, asked_s = self._purpose(module, clock.now), clock.now
        waiting = self._waiting
        shown: dict[str, Any] = {}
        if module.name == CONTROLLER:
            told = squeeze(waiting, without_things if asker.drawn else None)
            shown = {"bottleneck": {each.slot: each.text for each in told}}
        shown |= await self._find_skills(module, clock.now)

        def check(answer: Strict) -> None:
            if self._purpose(module, clock.now) == purpose:
                read(self._view(module, clock.now, _NONE), answer)

        form = module.answer_form(self._view(module, clock.now, _NONE))
        system = f"{self._preamble}\n\n{self._told(module)}"
        question = asker.fit({**data, **shown}, RULES, partial(_with_primitives, system), form)
        answer = await asker.ask(*question, form, check, part=module.name)
        account = self.schedule.accounts[module.name]
        account.unreadable += len(answer.faults)
        if self._purpose(module, clock.now) != purpose:
            account.stale += 1
            body.note("stale", {"module": module.name, "reason": "what it was asked for is over"})
            return
        if answer.value is None:
            return
        view = await self._minding(module, self._view(module, clock.now, _NONE))
        try:
            result = read(view, answer.value)
        except ReplyError as error:
            # The state changed while the memory index was searched.
            account.stale += 1
            body.note("stale", {"module": module.name, "reason": str(error)})
            return
        if module.name == CONTROLLER:
            self._waiting = waiting
        self._answers[module.name].keep(key, answer.value, asked_s)
        self._apply(module, result, body, clock.now)

    def _apply(self, module: Module, result: Result, body: Body, now: float) -> None:
        """Apply a result: write slots, start the act, speak, answer letters.

        Raises WiringError if the module has not declared `acts`, `speaks` or `answers`.
        """
        if result is NOTHING:
            return
        for slot, value in result.writes.items():
            self._write(module.name, slot, value, body, now)
        if result.act is not None:
            if not module.acts:
                raise WiringError(f"module {module.name} moves the body and has not declared `acts`")
            act = replace(result.act, by=module.name)
            doing = body.do(act if self._skills is None else self._skills.able(act))
            choice = self.state.value("decision")
            wanted = choice.doing if choice is not None else ""
            action = BodyAction(doing.number, doing.act.label, module.name, wanted, running=True, t_s=now)
            self._write("body", "action", action, body, now)
        if result.words is not None:
            if not module.speaks:
                raise WiringError(f"module {module.name} speaks and has not declared `speaks`")
            words = result.words
            if words.voice == "whisper":
                body.whisper(words.to, words.text)
            else:
                (body.shout if words.voice == "shout" else body.say)(words.text)
        if result.answers and not module.answers:
            raise WiringError(f"module {module.name} answers letters and has not declared `answers`")
        for number, text in result.answers:
            body.answer(number, text)

    def _write(self, writer: str, slot: str, value: Any, body: Body, now: float) -> None:  # noqa: ANN401 - of the slot
        before = self.state.value(slot)
        if not self.state.write(writer, slot, value, now):
            return
        self.schedule.changed(slot)
        if slot == "decision" and writer == CONTROLLER:
            passed = [each.to_dict() for each in squeeze(self._waiting)]
            body.note("choice", {"number": value.number, "choice": plain(value), "passed": passed})
        elif slot in self._keep:
            version = self.state.at(slot).version
            told = plain(_change(before, value))
            body.note("slot", {"slot": slot, "version": version, "writer": writer, "value": told})

    def _perceive(self, body: Body, now: float) -> frozenset[str]:
        """Write the body's senses into their slots, and return its events."""
        feel, heard = body.feel(), body.hear()
        self._put("feel", feel, now)
        self._put("sight", body.sense(), now)
        if heard or self.state.value("ears"):
            self._put("ears", tuple(heard), now)
        if letters := body.letters():
            self._put("letters", (*self.state.value("letters"), *letters)[-MAX_LETTERS:], now)
        events = _heard(heard) if heard else set()
        if feel.health < self._health:
            events.add("hurt")
        self._health = feel.health
        doing = body.doing
        if doing is not None and doing.outcome is not None and doing.number > self._seen_act:
            self._seen_act = doing.number
            action = self.state.value("action")
            if action is not None and action.number == doing.number:
                self._put("action", replace(action, running=False, t_s=now), now)
            self._put("outcome", doing.outcome, now)
            if self._skills is not None and action is not None:
                self._skills.learn(doing.act, doing.outcome, action.doing)
            events.add("act_ended")
        return frozenset(events) if events else _NONE

    def _put(self, slot: str, value: Any, now: float) -> None:  # noqa: ANN401 - of the slot
        if self.state.held[slot].value is not value and self.state.write("body", slot, value, now):
            self.schedule.changed(slot)

    def _purpose(self, module: Module, now: float) -> object:
        return None if module.purpose is None else module.purpose(self._view(module, now, frozenset()))

    def _view(self, module: Module, now: float, events: frozenset[str]) -> SlotView:
        runs = self.schedule.accounts[module.name].runs
        seed = f"{self._seed}:{module.name}:{runs}"
        skills = self._skills.skills if self._skills is not None else ()
        asks = self._askers[module.name] is not None
        return SlotView(
            self.state, module.reads, now, events, seed, self._rules, docs=self._docs, skills=skills, asks=asks
        )

    def _told_view(self, module: Module, view: SlotView, asker: Asker | None) -> SlotView:
        """Return the view for a prompt: without the things in sight if a picture shows them."""
        if asker is None or not asker.drawn or (percepts := view.get("percepts")) is None:
            return view
        told = self._view(module, view.now, view.events)
        told.show_instead("percepts", without_things(percepts))
        return told

    def _finish_calls(self) -> None:
        """Remove finished calls, and raise the exception of a failed one."""
        for name in [name for name, call in self._calls.items() if call.done()]:
            self._calls.pop(name).result()

    async def _break_off(self) -> None:
        """Cancel all pending calls and wait until they have ended."""
        calls = list(self._calls.values())
        self._calls.clear()
        for call in calls:
            call.cancel()
        if calls:
            await asyncio.wait(calls)


def _with_primitives(system: str, values: Mapping[str, Any]) -> tuple[str, str]:
    """Return system and user message of a question.

    The documentation of primitives stands in the system message, which stays equal from call to call, so that
    providers bill it as cached. The user message begins with a mark that follows from its content.
    """
    shown = {key: value for key, value in values.items() if key != PRIMITIVES}
    told = values.get(PRIMITIVES)
    return (f"{system}\n\n# {PRIMITIVES}\n\n{told}" if told is not None else system), quote_values(shown)


def _any_beat(chance: random.Random, every_s: float) -> float:
    """Return a random first due time within the period, on a beat, in seconds."""
    return BEAT_S * int(chance.random() * every_s / BEAT_S)


def _heard(heard: Sequence[HeardWords]) -> set[str]:
    return {"heard", "addressed"} if any(each.addressed for each in heard) else {"heard"}


def _change(before: Any, after: Any) -> Any:  # noqa: ANN401 - values of one slot
    """Return the new and changed entries of a mapping; any other value unchanged."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        return {key: value for key, value in after.items() if key not in before or before[key] != value}
    return after
