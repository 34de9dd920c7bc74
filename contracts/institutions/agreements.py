"""Agreements between members: proposed, accepted by every party, then judged by the acts in the world's record.

An agreement takes the steps of any contract (`contracts.lifecycle`): proposed -> agreed (all accepted) -> judged and
settled at once (fulfilled, broken, or the game is over); or failed (declined, or lapsed). The first breach ends an
agreement for all parties: the breaker's promise counts as broken, the others are released without a count. A party that
abided to the end has kept its promise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from contracts.errors import Refused
from contracts.institutions.acts import Accept, Decline, Propose
from contracts.institutions.norms import Entry, Norm, ObservedAct, ReadNorm
from contracts.institutions.settings import InstitutionSettings
from contracts.lifecycle import ContractState


@dataclass
class MutualAgreement:
    """An agreement and its state."""

    id: str
    parties: tuple[str, ...]
    """All parties, the proposer first."""
    term: Norm
    rounds: int
    proposed: int
    """Round of the proposal."""
    accepted: list[str]
    state: ContractState = ContractState.PROPOSED
    first: int = 0
    until: int = 0
    """First and last round in which it binds; 0 before it is made."""
    counts: dict[str, int] = field(default_factory=dict)
    """Count of each party's acts under the norm while it binds."""

    @property
    def open(self) -> bool:
        """True while it is proposed or binding."""
        return self.state in (ContractState.PROPOSED, ContractState.AGREED)

    def to_dict(self) -> Entry:
        """Return the agreement as plain data for records and prompts."""
        return {
            "agreement": self.id,
            "parties": list(self.parties),
            "term": self.term.model_dump(),
            "says": self.term.says(),
            "rounds": self.rounds,
        }


class CouncilAgreements:
    """All agreements of a council; each call returns the entries of its record that follow.

    Methods raise Refused for an illegal act.
    """

    def __init__(self, members: Sequence[str], read: ReadNorm, settings: InstitutionSettings) -> None:
        self._members = tuple(members)
        self._read = read
        self._settings = settings
        self.all: dict[str, MutualAgreement] = {}

    def open(self) -> list[MutualAgreement]:
        """Return the agreements that are proposed or binding, oldest first."""
        return [each for each in self.all.values() if each.open]

    def propose(self, round: int, proposer: str, act: Propose) -> list[Entry]:
        """Add a proposal, which its proposer has accepted. Raises Refused for an illegal one."""
        parties = (proposer, *act.to)
        self._check_parties(proposer, act)
        term = self._read(act.term)
        least, most = self._settings.agreement_rounds, self._settings.longest_agreement
        if not least <= act.rounds <= most:
            raise Refused("rounds", f"rounds: {act.rounds}: an agreement binds for {least} to {most} rounds")
        if not any(term.binds(party) for party in parties):
            raise Refused("term", "term: it asks nothing of any party")
        for other in self.open():
            if other.term == term and set(other.parties) & set(parties):
                raise Refused("again", f"{other.id} says that already for {', '.join(other.parties)}")
        mine = [each for each in self.open() if each.state is ContractState.PROPOSED and each.parties[0] == proposer]
        if len(mine) >= self._settings.open_proposals:
            raise Refused("many", f"{len(mine)} proposals of yours are open: wait for answers")
        made = MutualAgreement(f"A{len(self.all) + 1}", parties, term, act.rounds, round, [proposer])
        self.all[made.id] = made
        return [{"what": "agreement_proposed", "round": round, "proposer": proposer, **made.to_dict()}]

    def accept(self, round: int, player: str, act: Accept) -> list[Entry]:
        """Add a party's consent; the last one makes the agreement binding from this round on."""
        found = self._awaiting(player, act.agreement)
        found.accepted.append(player)
        entries: list[Entry] = [{"what": "agreement_accepted", "round": round, "agreement": found.id, "player": player}]
        if set(found.accepted) == set(found.parties):
            found.state = found.state.to(ContractState.AGREED)
            found.first, found.until = round, round + found.rounds - 1
            found.counts = dict.fromkeys(found.parties, 0)
            entries.append(
                {
                    "what": "agreement_made",
                    "round": round,
                    **found.to_dict(),
                    "first": found.first,
                    "until": found.until,
                }
            )
        return entries

    def decline(self, round: int, player: str, act: Decline) -> list[Entry]:
        """Add a party's refusal, which ends the proposal."""
        found = self._awaiting(player, act.agreement)
        found.state = found.state.to(ContractState.FAILED)
        return [{"what": "agreement_declined", "round": round, "agreement": found.id, "player": player}]

    def judge(self, round: int, deeds: Sequence[ObservedAct]) -> list[Entry]:
        """Return breaches by these acts in order, then the agreements that end with this round."""
        entries: list[Entry] = []
        for number, deed in enumerate(deeds):
            for each in self._binding(deed.player):
                each.counts[deed.player] += each.term.counts(deed)
                if each.term.binds(deed.player) and each.term.breaks(deed, each.counts[deed.player]):
                    entries.append(counted("broken", round, deed.player, "agreement", each.id, number))
                    entries.append(self._end(each, round, "broken"))
        for each in self.open():
            if each.state is ContractState.AGREED and each.until <= round:
                entries += self._fulfil(each, round, "fulfilled")
            elif each.state is ContractState.PROPOSED and round - each.proposed >= self._settings.proposal_rounds:
                entries.append(self._end(each, round, "not accepted in time"))
        return entries

    def close(self, round: int) -> list[Entry]:
        """End the game: agreements that bound long enough count as kept by the parties that abided by them."""
        entries: list[Entry] = []
        for each in self.open():
            if each.state is ContractState.AGREED and round - each.first + 1 >= self._settings.agreement_rounds:
                entries += self._fulfil(each, round, "game over")
            else:
                entries.append(self._end(each, round, "game over"))
        return entries

    def _binding(self, player: str) -> list[MutualAgreement]:
        return [each for each in self.open() if each.state is ContractState.AGREED and player in each.parties]

    def _fulfil(self, agreement: MutualAgreement, round: int, why: str) -> list[Entry]:
        bound = [party for party in agreement.parties if agreement.term.binds(party)]
        kept = [counted("kept", round, party, "agreement", agreement.id) for party in bound]
        return [*kept, self._end(agreement, round, why)]

    @staticmethod
    def _end(agreement: MutualAgreement, round: int, why: str) -> Entry:
        """Judge and settle a binding agreement in one step, or fail a proposed one."""
        if agreement.state is ContractState.PROPOSED:
            agreement.state = agreement.state.to(ContractState.FAILED)
        else:
            agreement.state = agreement.state.to(ContractState.JUDGED).to(ContractState.SETTLED)
        return {"what": "agreement_ended", "round": round, "agreement": agreement.id, "why": why}

    def _check_parties(self, proposer: str, act: Propose) -> None:
        others = [name for name in self._members if name != proposer]
        for name in act.to:
            if name not in others:
                raise Refused("party", f"to: {name!r} cannot agree to anything here: name {', '.join(others)}")
        if len(set(act.to)) != len(act.to):
            raise Refused("party", f"to: {act.to!r}: name each once")

    def _awaiting(self, player: str, identifier: str) -> MutualAgreement:
        found = self.all.get(identifier)
        waiting = [each.id for each in self.open() if player in each.parties and player not in each.accepted]
        if found is None or found.id not in waiting:
            legal = ", ".join(waiting) or "none"
            raise Refused("agreement", f"agreement: {identifier!r} does not wait for you: what does is {legal}")
        return found


def counted(
    what: str, round: int, player: str, ground: Literal["agreement", "rule"], identifier: str, deed: int | None = None
) -> Entry:
    """Return an entry for a promise kept or broken, the only input of reputation.

    Args:
        what: `kept` or `broken`.
        round: The round.
        player: The member whose promise it is.
        ground: Kind of the promise.
        identifier: Id of the agreement or rule.
        deed: Index of the breaking act in the round, from 0.
    """
    entry: Entry = {"what": what, "round": round, "player": player, "ground": ground, "id": identifier}
    return entry if deed is None else {**entry, "deed": deed}
