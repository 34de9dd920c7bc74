"""Institutions in a society of living agents: they act at fixed intervals, ask people by letters, and their orders are
carried out in the world.

A step of the institutions takes game time, since people answer letters when they wake up. The next step waits for it.
A person that does not answer in time has not answered.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from common.answers.reading import Strict
from contracts.institutions.assembly import Summons
from contracts.institutions.frame import CivicQuestion
from contracts.institutions.norms import Entry
from contracts.institutions.slots import ORDERS
from dilemmas.modes.arena import Arena
from dilemmas.modes.mailbox import Mailbox
from dilemmas.records.events import Event, InstitutionActed
from dilemmas.scenarios.institutions import composed, institutions_of
from dilemmas.scenarios.protocol import CivicLife
from voyager_agents.realtime_agent import ANSWER_S

QUESTION, NEWS = "question", "institutions"
"""Kinds of letters: a question of an institution, and what institutions did."""


class LifeCivics:
    """Institutions of one attempt at a life."""

    def __init__(self, arena: Arena, mailbox: Mailbox, life: CivicLife | None, every_s: float) -> None:
        """Compose the condition's institutions.

        Args:
            arena: The arena.
            mailbox: Carrier of letters.
            life: World side of the institutions.
            every_s: Seconds from one step of the institutions to the next.
        """
        assert life is not None, "a scenario whose institutions act in lives has a world side"
        parts = institutions_of(arena.scenario, arena.condition, arena.factors)
        self._institutions = composed(arena.scenario, parts, arena.seed, life.ledger)
        self._mailbox = mailbox
        self._life = life
        self._every_s = every_s
        self._step = -1
        self._now = 0.0
        self._task: asyncio.Task[list[Entry]] | None = None
        self._waits: asyncio.Future[None] | None = None
        """Future of a step that waits for answers."""
        self._paused = asyncio.Event()
        self._until_s = 0.0
        self._asked: dict[int, CivicQuestion[Any]] = {}
        """Number of a letter -> its question, of the questions that are open."""
        self._answers: dict[int, Strict | None] = {}
        self._events: list[Event] = []
        mailbox.hears[QUESTION] = self._hear

    async def advance(self, t_s: float) -> list[Event]:
        """Go on with a step, or start one that is due, and return the events. Raises the error of a step.

        The step runs within this call until it ends or asks people, so that the world stands still meanwhile and a
        run on a virtual clock repeats.
        """
        self._now = t_s
        self._tell(await self._life.look(t_s))
        if self._waits is not None and (not self._asked or t_s >= self._until_s):
            self._asked.clear()
            waits, self._waits = self._waits, None
            waits.set_result(None)
            await self._run()
        elif self._task is None and t_s >= (self._step + 1) * self._every_s:
            self._step += 1
            self._task = asyncio.create_task(self._act(self._step), name=f"institutions {self._step}")
            await self._run()
        found, self._events = self._events, []
        return found

    def hear(self, events: Sequence[Event]) -> None:
        """Take in events of the scenario's rules and of its assembly."""
        self._life.hear(events)

    async def close(self) -> list[Event]:
        """Stop a step in progress, settle what is open, and return the last events."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])
        self._tell(await self._institutions.close(self._step, self._unasked))
        found, self._events = self._events, []
        return found

    async def _act(self, step: int) -> list[Entry]:
        """Let the institutions act once, carry out their orders, and return the entries."""
        await self._life.ledger.refresh()
        entries = await self._institutions.step(step, self._life.civic_slots(step), self._ask)
        for order in self._institutions.take(ORDERS):
            await self._life.carry_out(order)
        return entries

    async def _run(self) -> None:
        """Wait until the step has ended or asks people."""
        assert self._task is not None, "called with a step in progress"
        self._paused.clear()
        pause = asyncio.create_task(self._paused.wait())
        await asyncio.wait([self._task, pause], return_when=asyncio.FIRST_COMPLETED)
        pause.cancel()
        if self._task.done():
            task, self._task = self._task, None
            self._tell(task.result())

    async def _ask(self, questions: Sequence[CivicQuestion[Any]]) -> Sequence[Strict | None]:
        """Send questions as letters, and wait for the answers or the deadline."""
        numbers = []
        self._until_s, self._answers = self._now + ANSWER_S, {}
        for each in questions:
            data = {
                "part": each.part,
                "kind": each.kind,
                "facts": each.facts,
                # Whoever is asked by a form of its own says there why it chooses so.
                "form": {key: value for key, value in each.form.example.items() if key != each.form.reasoning},
                "schema": each.form.schema("none"),
            }
            number = self._mailbox.next_number
            call = Summons(QUESTION, (each.to,), each.text, data, self._until_s)
            self._events += self._mailbox.send(self._now, [call])
            self._asked[number] = each
            numbers.append(number)
        self._waits = asyncio.get_running_loop().create_future()
        self._paused.set()
        await self._waits
        return [self._answers.get(number) for number in numbers]

    async def _unasked(self, questions: Sequence[CivicQuestion[Any]]) -> Sequence[Strict | None]:
        """Return no answers: nobody lives any more."""
        return [None for _ in questions]

    def _hear(self, t_s: float, player: str, number: int, text: str) -> list[Event]:
        """Take an answer; an unreadable one counts as none."""
        question = self._asked.pop(number, None)
        if question is None:
            why = "it came too late, or was answered already"
            return [InstitutionActed(t_s=t_s, part="", what="refused", who=player, why=why)]
        try:
            self._answers[number] = question.form.parse(text)
        except ValueError as error:
            cut = {"text": text[:300]}
            return [
                InstitutionActed(t_s=t_s, part=question.part, what="unreadable", who=player, why=str(error), data=cut)
            ]
        return []

    def _tell(self, entries: Sequence[Entry]) -> None:
        """Note entries for the record, and send each person those that it may know."""
        self._events += [InstitutionActed(t_s=self._now, **each) for each in entries]
        common = [each for each in entries if "known_to" not in each]
        if common:
            everybody = tuple(self._mailbox.people)
            told = {"entries": common, "step": self._step, "every_s": self._every_s}
            self._events += self._mailbox.send(self._now, [Summons(NEWS, everybody, "News of the institutions.", told)])
        for name in self._mailbox.people:
            own = [each for each in entries if name in each.get("known_to", ())]
            if own:
                told = {"entries": own, "step": self._step, "every_s": self._every_s}
                self._events += self._mailbox.send(self._now, [Summons(NEWS, (name,), "News for you alone.", told)])
