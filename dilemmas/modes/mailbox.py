"""Letters between institutions and living agents, delivered anywhere, and the answers to them.

An assembly advances with game time at every beat. Its questions go out as letters, and each of its steps is recorded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from contracts.institutions.assembly import Assembly, Summons
from contracts.institutions.norms import Entry
from dilemmas.records.events import AssemblyEntry, Event, LetterSent
from voyager_agents.realtime_agent import Letter

MAX_ANSWER_CHARS = 20_000
"""Maximum number of characters read of an answer."""


class Addressee(Protocol):
    """Receiver of letters."""

    mailbox: list[Letter]
    """Unread letters."""


Hear = Callable[[float, str, int, str], list[Event]]
"""Function that takes the second, the player, the number of the letter and the text of an answer."""


class Mailbox:
    """Letters of one attempt. `advance`, `send` and `receive_answer` return events for the record."""

    def __init__(self, bodies: Mapping[str, Addressee], assembly: Assembly | None) -> None:
        self._bodies = bodies
        self._assembly = assembly
        self._sent: dict[int, Summons] = {}
        self.hears: dict[str, Hear] = {}
        """Kind of a letter -> handler of its answers; the assembly takes those of all other kinds."""

    @property
    def people(self) -> Sequence[str]:
        """Names of all addressees."""
        return list(self._bodies)

    @property
    def next_number(self) -> int:
        """Number of the next letter."""
        return len(self._sent) + 1

    def advance(self, t_s: float) -> list[Event]:
        """Advance the assembly to game time `t_s`."""
        if self._assembly is None:
            return []
        entries, calls = self._assembly.advance(t_s)
        return [*_noted(t_s, entries), *self.send(t_s, calls)]

    def send(self, t_s: float, calls: Sequence[Summons]) -> list[Event]:
        """Deliver the letters to addressees in the society."""
        found: list[Event] = []
        for call in calls:
            number = len(self._sent) + 1
            self._sent[number] = call
            letter = Letter(number, t_s, call.kind, call.text, call.data, call.until_s)
            to = [name for name in call.to if name in self._bodies]
            for name in to:
                self._bodies[name].mailbox.append(letter)
            sent = LetterSent(t_s=t_s, number=number, what=call.kind, to=to, text=call.text, until_s=call.until_s)
            found.append(sent)
        return found

    def receive_answer(self, t_s: float, player: str, number: int, text: str) -> list[Event]:
        """Handle an answer; answers to unknown letters, or to ones that want none, are refused.

        Args:
            t_s: Game time in seconds.
            player: Name of the player that answers.
            number: Number of the letter.
            text: Text of the answer.
        """
        call = self._sent.get(number)
        if call is not None and player in call.to and call.kind in self.hears:
            return self.hears[call.kind](t_s, player, number, text[: MAX_ANSWER_CHARS + 1])
        if self._assembly is None or call is None or player not in call.to or call.until_s is None:
            why = "there is no such letter, or it wants no answer"
            refused: Entry = {"what": "refused", "member": player, "kind": "", "why": why, "text": text[:300]}
            return _noted(t_s, [refused])
        return _noted(t_s, self._assembly.hear(player, call.kind, text[: MAX_ANSWER_CHARS + 1]))


def _noted(t_s: float, entries: Sequence[Entry]) -> list[Event]:
    return [AssemblyEntry(t_s=t_s, entry=entry) for entry in entries]
