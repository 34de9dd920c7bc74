"""Negotiation over k rounds: one message a round, the players in turn, until one accepts or the rounds are over.

Whoever accepts gets the last proposal of the other side. Thoughts are kept in the record and shown to nobody. A
malformed message gets one correction that names the fault; a second one counts as no proposal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from contracts.errors import ContractFormatError, MessageError
from contracts.lifecycle import ContractState
from contracts.loading import contract_as_mapping
from contracts.messages import FORM, Turn, parse_turn
from contracts.terms import Contract

NO_PROPOSAL = "(no valid proposal)"
"""What the other side sees of a message that stayed malformed."""


@dataclass(frozen=True)
class View:
    """All that a negotiator is shown."""

    me: str
    other: str
    round: int
    """This round, from 1."""
    rounds: int
    history: tuple[tuple[str, str], ...]
    """(speaker, message) so far, without anybody's thoughts."""
    standing: Contract | None
    """The other side's last proposal: what accepting would conclude."""
    correction: str = ""
    """What was wrong with the message just tried; empty at the first try."""


class Negotiator(Protocol):
    """A player at the negotiating table."""

    name: str

    async def speak(self, view: View) -> Turn | str:
        """Its turn, ready-made or as text in the form of `contracts.messages`."""


@dataclass(frozen=True)
class Entry:
    """One round as it is recorded."""

    round: int
    speaker: str
    thought: str
    message: str
    proposal: Contract | None
    accepts: bool
    faults: tuple[str, ...] = ()
    """Codes of what was wrong with each malformed try."""
    raw: tuple[str, ...] = ()
    """Malformed tries as they came."""


@dataclass(frozen=True)
class Outcome:
    """How a negotiation ended."""

    state: ContractState
    """AGREED or FAILED."""
    contract: Contract | None
    transcript: tuple[Entry, ...] = field(default_factory=tuple)

    def plain(self) -> dict[str, Any]:
        """For JSON records; thoughts included, so never for players."""
        return {
            "state": str(self.state),
            "contract": contract_as_mapping(self.contract) if self.contract else None,
            "transcript": [
                {
                    "round": each.round,
                    "speaker": each.speaker,
                    "thought": each.thought,
                    "message": each.message,
                    "proposal": contract_as_mapping(each.proposal) if each.proposal else None,
                    "accepts": each.accepts,
                    "faults": list(each.faults),
                    "raw": list(each.raw),
                }
                for each in self.transcript
            ],
        }


async def negotiate(negotiators: Sequence[Negotiator], rounds: int = 6, *, name: str = "negotiated") -> Outcome:
    """Lets two negotiators speak in turn for at most `rounds` messages; the first named opens.

    The agreed contract is called `name`. Raises ContractFormatError for other than two players or rounds below 1.
    """
    if len(negotiators) != 2 or negotiators[0].name == negotiators[1].name:
        raise ContractFormatError(
            f"negotiators: {[each.name for each in negotiators]!r}: two different players are needed"
        )
    if isinstance(rounds, bool) or not isinstance(rounds, int) or rounds < 1:
        raise ContractFormatError(f"rounds: {rounds!r}: a whole number from 1 is needed")
    transcript: list[Entry] = []
    for number in range(1, rounds + 1):
        speaker, listener = negotiators[(number - 1) % 2], negotiators[number % 2]
        entry = await _round(number, rounds, speaker, listener.name, transcript, name)
        transcript.append(entry)
        if entry.accepts:
            return Outcome(ContractState.AGREED, _standing(transcript, listener.name), tuple(transcript))
    return Outcome(ContractState.FAILED, None, tuple(transcript))


def _standing(transcript: Sequence[Entry], speaker: str) -> Contract | None:
    proposals = [each.proposal for each in transcript if each.speaker == speaker and each.proposal]
    return proposals[-1] if proposals else None


async def _round(
    number: int, rounds: int, speaker: Negotiator, other: str, transcript: Sequence[Entry], name: str
) -> Entry:
    standing = _standing(transcript, other)
    history = tuple((each.speaker, each.message) for each in transcript)
    # The order of the parties must not depend on whose turn it is.
    parties = (speaker.name, other) if number % 2 else (other, speaker.name)
    faults: list[MessageError] = []
    tries: list[str] = []
    while len(faults) < 2:
        correction = str(faults[-1]) if faults else ""
        answer = await speaker.speak(View(speaker.name, other, number, rounds, history, standing, correction))
        try:
            turn = _checked(answer, parties, standing, name)
        except MessageError as error:
            faults.append(error)
            tries.append(answer if isinstance(answer, str) else answer.message)
            continue
        codes = tuple(each.code for each in faults)
        return Entry(number, speaker.name, turn.thought, turn.message, turn.proposal, turn.accepts, codes, tuple(tries))
    codes = tuple(each.code for each in faults)
    return Entry(number, speaker.name, "", NO_PROPOSAL, None, False, codes, tuple(tries))


def _checked(answer: Turn | str, parties: tuple[str, ...], standing: Contract | None, name: str) -> Turn:
    turn = parse_turn(answer, parties, name) if isinstance(answer, str) else answer
    if turn.accepts and standing is None:
        raise MessageError("nothing-to-accept", f"the other player has no proposal to accept yet: {FORM}")
    if turn.proposal is not None and set(turn.proposal.parties) != set(parties):
        raise MessageError("outsiders", f"a contract here is between {' and '.join(parties)} and nobody else")
    return turn
