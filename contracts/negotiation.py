"""Negotiation over k rounds: one message a round, the players in turn, until all have accepted or the rounds are over.

The protocol, for two players and for more:

1. Players speak in the order of the table, from the one who opens; after the last comes the first.
2. A message proposes a contract or accepts one. Who proposes has accepted its own proposal.
3. Only the latest proposal stands. A new one voids every acceptance that there was.
4. An acceptance is for one named proposal, the one that stands; naming another one is a fault.
5. A contract is agreed as soon as every player has accepted the same proposal; after k rounds there is none.

Thoughts are kept in the record and shown to nobody. A malformed message, or a proposal of what the table's scope does
not allow, gets one correction that names the fault; a second one counts as no proposal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from contracts.errors import ContractFormatError, MessageError
from contracts.lifecycle import ContractState
from contracts.loading import contract_as_mapping
from contracts.messages import FORM, NegotiationMessage, parse_turn
from contracts.scopes import trespass
from contracts.terms import Contract, ContractScope

NO_PROPOSAL = "(no valid proposal)"
"""What the others see of a message that stayed malformed."""


@dataclass(frozen=True)
class Experience:
    """What came of the episode before, as everybody at the table knows it."""

    contract: Contract | None
    """Under which it was played; None for none."""
    rewards: Mapping[str, float]
    """Player -> emeralds earned, before transfers."""
    payoffs: Mapping[str, float]
    """Player -> emeralds after transfers."""
    critique: str = ""
    """What the judge said; empty without a contract."""
    kept: Mapping[str, bool] = field(default_factory=dict)
    """Duty -> whether it was kept, as the judge found."""
    stands: bool = False
    """Whether that contract goes on when nothing new is agreed."""


@dataclass(frozen=True)
class NegotiatorView:
    """All that a negotiator is shown."""

    me: str
    other: str
    """The other player; of several their names, joined by commas."""
    round: int
    """This round, from 1."""
    rounds: int
    history: tuple[tuple[str, str], ...]
    """(speaker, message) so far, without anybody's thoughts."""
    standing: Contract | None
    """The proposal that accepting would accept: the latest one, if it is another player's."""
    correction: str = ""
    """What was wrong with the message just tried; empty at the first try."""
    parties: tuple[str, ...] = ()
    """All players of the table; who is left out of a view made by hand is added."""
    standing_round: int | None = None
    """The round of that proposal, which is its name."""
    accepted: tuple[str, ...] = ()
    """Who has accepted it so far, its proposer first."""
    scope: ContractScope = ContractScope.BOTH
    """What a contract may do here."""
    greedy: bool = False
    """Whether this negotiator is to get all it can, and not only what serves its player."""
    before: Experience | None = None
    """The episode before; None at the first negotiation."""
    own_round: int = 0
    """How many rounds this player has spoken in before."""

    def __post_init__(self) -> None:
        if not self.parties:
            object.__setattr__(self, "parties", tuple(sorted({self.me, self.other})))


class Negotiator(Protocol):
    """A player at the negotiating table."""

    name: str

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Its turn, ready-made or as text in the form of `contracts.messages`."""


@dataclass(frozen=True)
class NegotiationRules:
    """How a negotiation is held."""

    rounds: int = 6
    """Messages at most, of all players together."""
    scope: ContractScope = ContractScope.BOTH
    opens: str | None = None
    """Who speaks first; None for the first named."""
    greedy: Collection[str] = ()
    """Who is told to get all it can."""
    before: Experience | None = None


@dataclass(frozen=True)
class NegotiationRound:
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
    of: int | None = None
    """The round of the proposal that it accepts."""


@dataclass(frozen=True)
class Negotiated:
    """How a negotiation ended."""

    state: ContractState
    """AGREED or FAILED."""
    contract: Contract | None
    transcript: tuple[NegotiationRound, ...] = field(default_factory=tuple)

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
                    "of": each.of,
                    "faults": list(each.faults),
                    "raw": list(each.raw),
                }
                for each in self.transcript
            ],
        }


async def negotiate(
    negotiators: Sequence[Negotiator], rounds: int | NegotiationRules = 6, *, name: str = "negotiated"
) -> Negotiated:
    """Lets two or more negotiators speak in turn, as the table says (or for so many rounds, the first named opens).

    The agreed contract is called `name`. Raises ContractFormatError for fewer than two different players, rounds below
    1, or an opener who is not at the table.
    """
    table = rounds if isinstance(rounds, NegotiationRules) else NegotiationRules(rounds)
    parties = tuple(each.name for each in negotiators)
    if len(parties) < 2 or len(set(parties)) != len(parties):
        raise ContractFormatError(f"negotiators: {list(parties)!r}: two or more different players are needed")
    if isinstance(table.rounds, bool) or not isinstance(table.rounds, int) or table.rounds < 1:
        raise ContractFormatError(f"rounds: {table.rounds!r}: a whole number from 1 is needed")
    for role in (*([] if table.opens is None else [table.opens]), *table.greedy):
        if role not in parties:
            raise ContractFormatError(f"negotiation: {role!r} is not at the table: choose from {', '.join(parties)}")
    first = 0 if table.opens is None else parties.index(table.opens)
    transcript: list[NegotiationRound] = []
    for number in range(1, table.rounds + 1):
        speaker = negotiators[(first + number - 1) % len(negotiators)]
        transcript.append(await _round(_view(speaker.name, number, parties, table, transcript), speaker, name))
        if (outcome := concluded(transcript, parties)).contract is not None:
            return outcome
    return concluded(transcript, parties)


def concluded(transcript: Sequence[NegotiationRound], parties: Sequence[str]) -> Negotiated:
    """What these rounds have come to: agreed as soon as all parties have accepted the latest proposal."""
    proposal, accepted = _standing(transcript)
    if proposal is not None and set(accepted) == set(parties):
        return Negotiated(ContractState.AGREED, proposal.proposal, tuple(transcript))
    return Negotiated(ContractState.FAILED, None, tuple(transcript))


def _standing(transcript: Sequence[NegotiationRound]) -> tuple[NegotiationRound | None, tuple[str, ...]]:
    """The latest proposal, and who has accepted it: its proposer, then whoever did so since."""
    made = [index for index, each in enumerate(transcript) if each.proposal is not None]
    if not made:
        return None, ()
    since = transcript[made[-1] + 1 :]
    accepted = dict.fromkeys([transcript[made[-1]].speaker, *(each.speaker for each in since if each.accepts)])
    return transcript[made[-1]], tuple(accepted)


def _view(
    me: str, number: int, parties: tuple[str, ...], table: NegotiationRules, transcript: Sequence[NegotiationRound]
) -> NegotiatorView:
    proposal, accepted = _standing(transcript)
    # What one has accepted already, one's own proposal included, cannot be accepted once more.
    open_to_me = proposal is not None and me not in accepted
    return NegotiatorView(
        me=me,
        other=", ".join(each for each in parties if each != me),
        round=number,
        rounds=table.rounds,
        history=tuple((each.speaker, each.message) for each in transcript),
        standing=proposal.proposal if proposal is not None and open_to_me else None,
        parties=parties,
        standing_round=proposal.round if proposal is not None and open_to_me else None,
        accepted=accepted if open_to_me else (),
        scope=table.scope,
        greedy=me in table.greedy,
        before=table.before,
        own_round=sum(each.speaker == me for each in transcript),
    )


async def _round(view: NegotiatorView, speaker: Negotiator, name: str) -> NegotiationRound:
    faults: list[MessageError] = []
    tries: list[str] = []
    while len(faults) < 2:
        answer: NegotiationMessage | str = ""
        try:
            answer = await speaker.speak(replace(view, correction=str(faults[-1]) if faults else ""))
            turn = _checked(answer, view, name)
        except MessageError as error:
            faults.append(error)
            tries.append(answer if isinstance(answer, str) else answer.message)
            continue
        codes = tuple(each.code for each in faults)
        of = view.standing_round if turn.accepts else None
        return NegotiationRound(
            view.round, view.me, turn.thought, turn.message, turn.proposal, turn.accepts, codes, tuple(tries), of
        )
    codes = tuple(each.code for each in faults)
    return NegotiationRound(view.round, view.me, "", NO_PROPOSAL, None, False, codes, tuple(tries))


def _checked(answer: NegotiationMessage | str, view: NegotiatorView, name: str) -> NegotiationMessage:
    turn = parse_turn(answer, view.parties, name) if isinstance(answer, str) else answer
    if turn.accepts and view.standing is None:
        raise MessageError("nothing-to-accept", f"there is no proposal of another player to accept: {FORM}")
    if turn.accepts and turn.of not in (None, view.standing_round):
        raise MessageError(
            "void-proposal", f"proposal {turn.of} does not stand: only number {view.standing_round} can be accepted"
        )
    if turn.proposal is None:
        return turn
    if set(turn.proposal.parties) != set(view.parties):
        raise MessageError("outsiders", f"a contract here is between {' and '.join(view.parties)} and nobody else")
    if beyond := trespass(turn.proposal, view.scope):
        raise MessageError(f"beyond-{view.scope}", f"the proposal cannot be made: {beyond}")
    return replace(turn, proposal=replace(turn.proposal, scope=view.scope))
