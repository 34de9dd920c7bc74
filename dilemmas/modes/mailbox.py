"""Letters between institutions and those who live: they reach everybody wherever it is, and answers come back.

An assembly is told the time at every beat; what it asks goes out as letters, and every step of it into the record.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from contracts.institutions.assembly import Assembly, Summons
from contracts.institutions.norms import Entry
from dilemmas.records.events import AssemblyEntry, Event, LetterSent
from voyager_agents.realtime_agent import Letter

MOST_ANSWER = 20_000
"""Characters of an answer that are read."""


class Addressee(Protocol):
    """Who gets letters."""

    post: list[Letter]
    """Letters that it has not looked at."""


class Post:
    """The letters of one attempt. All methods return events for the record."""

    def __init__(self, bodies: Mapping[str, Addressee], assembly: Assembly | None) -> None:
        self._bodies = bodies
        self._assembly = assembly
        self._sent: dict[int, Summons] = {}

    def advance(self, t_s: float) -> list[Event]:
        """What the assembly does now."""
        if self._assembly is None:
            return []
        entries, calls = self._assembly.advance(t_s)
        return [*_noted(t_s, entries), *self.send(t_s, calls)]

    def send(self, t_s: float, calls: Sequence[Summons]) -> list[Event]:
        """Letters to whom they are for; who is not in the society gets none."""
        found: list[Event] = []
        for call in calls:
            number = len(self._sent) + 1
            self._sent[number] = call
            letter = Letter(number, t_s, call.kind, call.text, call.data, call.until_s)
            to = [name for name in call.to if name in self._bodies]
            for name in to:
                self._bodies[name].post.append(letter)
            sent = LetterSent(t_s=t_s, number=number, what=call.kind, to=to, text=call.text, until_s=call.until_s)
            found.append(sent)
        return found

    def answered(self, t_s: float, player: str, number: int, text: str) -> list[Event]:
        """An answer; one to a letter that it did not get, or that wants none, is refused."""
        call = self._sent.get(number)
        if self._assembly is None or call is None or player not in call.to or call.until_s is None:
            why = "there is no such letter, or it wants no answer"
            refused: Entry = {"what": "refused", "member": player, "kind": "", "why": why, "text": text[:300]}
            return _noted(t_s, [refused])
        return _noted(t_s, self._assembly.hear(player, call.kind, text[: MOST_ANSWER + 1]))


def _noted(t_s: float, entries: Sequence[Entry]) -> list[Event]:
    return [AssemblyEntry(t_s=t_s, entry=entry) for entry in entries]
