"""Negotiation over k rounds: one message a round, the players in turn, until all have accepted or the rounds are over.

The protocol, for two players and for more:

1. Players speak in a fixed order, beginning with the opener; after the last the first speaks again.
2. A message proposes a contract or accepts one. A proposer has accepted its own proposal.
3. Only the latest proposal can be accepted. A new proposal voids all acceptances.
4. An acceptance is for the latest proposal; naming another one is a fault.
5. A contract is agreed as soon as every player has accepted the same proposal; after k rounds there is none.

Thoughts are recorded and shown to no player. A malformed message, or a proposal beyond the scope of the negotiation,
gets one correction that names the fault; a second fault counts as no proposal.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from common.answers.faults import FaultKind
from contracts.enforcement import Breach
from contracts.errors import ContractFormatError, MessageError
from contracts.forces import Force
from contracts.lifecycle import ContractState
from contracts.loading import contract_as_mapping
from contracts.messages import FORM, NegotiationMessage, parse_turn
from contracts.scopes import trespass
from contracts.terms import Contract, ContractScope

MESSAGE_TRIES = 2
"""Maximum number of tries for one message."""
NO_PROPOSAL = "(no valid proposal)"
"""Text shown to the other players for a message that stayed malformed."""


@dataclass(frozen=True)
class Experience:
    """Outcome of the previous episode, or of the rounds since the last talk, known to all negotiators."""

    contract: Contract | None
    """Contract in force in that episode, or None."""
    rewards: Mapping[str, float]
    """Player -> emeralds earned, before transfers; empty if what players earn is hidden."""
    payoffs: Mapping[str, float]
    """Player -> emeralds after transfers."""
    critique: str = ""
    """The judge's text; empty without a contract."""
    kept: Mapping[str, bool] = field(default_factory=dict)
    """Duty -> True if the judge found it kept."""
    stands: bool = False
    """True if the contract continues unless a new one is agreed."""
    played: int = 0
    """Number of rounds played, in a talk between the rounds of a game; 0 after an episode."""


@dataclass(frozen=True)
class NegotiatorView:
    """Everything shown to a negotiator."""

    me: str
    other: str
    """Name of the other player, or names of several joined by commas."""
    round: int
    """Number of the round, from 1."""
    rounds: int
    history: tuple[tuple[str, str], ...]
    """(speaker, message) so far, without thoughts."""
    standing: Contract | None
    """The latest proposal if it is another player's, which an acceptance would accept."""
    correction: str = ""
    """Fault of the message just tried; empty at the first try."""
    parties: tuple[str, ...] = ()
    """All players; this player and the other are added if missing."""
    standing_round: int | None = None
    """Round of the latest proposal, which serves as its name."""
    accepted: tuple[str, ...] = ()
    """Players that have accepted the latest proposal, its proposer first."""
    scope: ContractScope = ContractScope.BOTH
    """Scope of legal contracts."""
    force: Force = Force.BINDING
    """Force of what is agreed."""
    deposit: int = 0
    """Deposit of each party in escrow, in emeralds."""
    remaining: int = 0
    """Number of episodes after the coming one."""
    breaches: tuple[Breach, ...] = ()
    """Breaches in earlier episodes that all players were told of."""
    greedy: bool = False
    """True if this negotiator is told to get as much as it can."""
    before: Experience | None = None
    """Outcome of the previous episode; None at the first negotiation."""
    own_round: int = 0
    """Number of rounds in which this player has already spoken."""

    def __post_init__(self) -> None:
        if not self.parties:
            object.__setattr__(self, "parties", tuple(sorted({self.me, self.other})))


class Negotiator(Protocol):
    """A player's part in negotiations."""

    name: str

    async def speak(self, view: NegotiatorView) -> NegotiationMessage | str:
        """Return the player's turn, as a message or as text in a form of `contracts.messages`. Raises MessageError."""


@dataclass(frozen=True)
class NegotiationRules:
    """Rules of a negotiation."""

    rounds: int = 6
    """Maximum messages of all players together."""
    scope: ContractScope = ContractScope.BOTH
    force: Force = Force.BINDING
    deposit: int = 0
    """Deposit of each party in escrow, in emeralds."""
    remaining: int = 0
    """Number of episodes after the coming one."""
    breaches: tuple[Breach, ...] = ()
    """Breaches in earlier episodes that all players were told of."""
    opens: str | None = None
    """First speaker; None for the first named player."""
    greedy: Collection[str] = ()
    """Negotiators that are told to get as much as they can."""
    before: Experience | None = None


@dataclass(frozen=True)
class NegotiationRound:
    """A round in the record of a negotiation."""

    round: int
    speaker: str
    thought: str
    message: str
    proposal: Contract | None
    accepts: bool
    faults: tuple[str, ...] = ()
    """Fault codes of the malformed tries."""
    raw: tuple[str, ...] = ()
    """Raw texts of the malformed tries."""
    of: int | None = None
    """Round of the proposal that it accepts."""
    fault_kinds: tuple[FaultKind, ...] = ()
    """Kinds of the faults of the malformed tries."""


@dataclass(frozen=True)
class Negotiated:
    """Result of a negotiation."""

    state: ContractState
    """AGREED or FAILED."""
    contract: Contract | None
    transcript: tuple[NegotiationRound, ...] = field(default_factory=tuple)

    def to_dict(self) -> dict[str, Any]:
        """Return the negotiation as plain data for records; it includes thoughts, so it is never shown to players."""
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
                    **({"fault_kinds": list(each.fault_kinds)} if each.fault_kinds else {}),
                }
                for each in self.transcript
            ],
        }


async def negotiate(
    negotiators: Sequence[Negotiator], rounds: int | NegotiationRules = 6, *, name: str = "negotiated"
) -> Negotiated:
    """Let two or more negotiators speak in turn until a contract is agreed or the rounds are over.

    Args:
        negotiators: The players in speaking order.
        rounds: The rules, or a number of rounds with the first player as opener.
        name: Name of the agreed contract.

    Raises:
        ContractFormatError: For fewer than two different players, rounds below 1, or an unknown opener.
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
    """Return the state after these rounds: agreed once all parties have accepted the latest proposal."""
    proposal, accepted = _standing(transcript)
    if proposal is not None and set(accepted) == set(parties):
        return Negotiated(ContractState.AGREED, proposal.proposal, tuple(transcript))
    return Negotiated(ContractState.FAILED, None, tuple(transcript))


def _standing(transcript: Sequence[NegotiationRound]) -> tuple[NegotiationRound | None, tuple[str, ...]]:
    """Return the latest proposal and the players that accepted it, its proposer first."""
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
    # A player cannot accept again what it has accepted, its own proposal included.
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
        force=table.force,
        deposit=table.deposit,
        remaining=table.remaining,
        breaches=table.breaches,
        greedy=me in table.greedy,
        before=table.before,
        own_round=sum(each.speaker == me for each in transcript),
    )


async def _round(view: NegotiatorView, speaker: Negotiator, name: str) -> NegotiationRound:
    faults: list[MessageError] = []
    tries: list[str] = []
    while len(faults) < MESSAGE_TRIES:
        answer: NegotiationMessage | str = ""
        try:
            answer = await speaker.speak(replace(view, correction=str(faults[-1]) if faults else ""))
            turn = _checked(answer, view, name)
        except MessageError as error:
            faults.append(error)
            tries.append(error.raw or (answer if isinstance(answer, str) else answer.message))
            continue
        of = view.standing_round if turn.accepts else None
        spoken = NegotiationRound(
            view.round, view.me, turn.thought, turn.message, turn.proposal, turn.accepts, raw=tuple(tries), of=of
        )
        break
    else:
        spoken = NegotiationRound(view.round, view.me, "", NO_PROPOSAL, None, False, raw=tuple(tries))
    return replace(spoken, faults=tuple(each.code for each in faults), fault_kinds=tuple(each.kind for each in faults))


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
    return replace(turn, proposal=replace(turn.proposal, scope=view.scope, force=view.force, deposit=view.deposit))
