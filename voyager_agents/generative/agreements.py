"""Agreements between members: proposed, accepted by every party, then held against the deeds that the world recorded.

proposed -> made (all accepted) -> ended (fulfilled, broken, or the game is over); or declined, or lapsed. The first
breach ends an agreement for all: the breaker's promise counts as broken, the others are free and nothing counts for
them. Each party whose promise held to the end has kept it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from voyager_agents.commons_harvest import Deed
from voyager_agents.errors import ReplyError
from voyager_agents.generative.acts import Accept, Decline, Propose
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.generative.terms import Scope, Term, read_term

Entry = dict[str, Any]
"""One line of a council's record: plain JSON, `what` names it, `round` says when."""


@dataclass
class Agreement:
    """One agreement and how far it has come."""

    id: str
    parties: tuple[str, ...]
    """The proposer first."""
    term: Term
    rounds: int
    proposed: int
    """The round."""
    accepted: list[str]
    state: Literal["proposed", "made", "over"] = "proposed"
    first: int = 0
    until: int = 0
    """The rounds that it binds in, both included; 0 before it is made."""
    taken: dict[str, int] = field(default_factory=dict)
    """Apples that each party took while it bound."""

    def plain(self) -> Entry:
        """For records and prompts."""
        return {
            "agreement": self.id,
            "parties": list(self.parties),
            "term": self.term.model_dump(),
            "says": self.term.says(),
            "rounds": self.rounds,
        }


class Agreements:
    """All agreements of a council; each call gives the entries that follow. Raises ReplyError for what is refused."""

    def __init__(self, members: Sequence[str], scope: Scope, settings: GenerativeSettings) -> None:
        self._members = tuple(members)
        self._scope = scope
        self._settings = settings
        self.all: dict[str, Agreement] = {}

    def open(self) -> list[Agreement]:
        """Those that are proposed or bind, oldest first."""
        return [each for each in self.all.values() if each.state != "over"]

    def propose(self, round: int, proposer: str, act: Propose) -> list[Entry]:
        """A proposal; its proposer has accepted it."""
        parties = (proposer, *act.to)
        self._check_parties(proposer, act)
        term = read_term(act.term, self._scope)
        least, most = self._settings.agreement_rounds, self._settings.longest_agreement
        if not least <= act.rounds <= most:
            raise ReplyError("rounds", f"rounds: {act.rounds}: an agreement binds for {least} to {most} rounds")
        if not any(term.binds(party) for party in parties):
            raise ReplyError("term", "term: it asks nothing of any party")
        for other in self.open():
            if other.term == term and set(other.parties) & set(parties):
                raise ReplyError("again", f"{other.id} says that already for {', '.join(other.parties)}")
        mine = [each for each in self.open() if each.state == "proposed" and each.parties[0] == proposer]
        if len(mine) >= self._settings.open_proposals:
            raise ReplyError("many", f"{len(mine)} proposals of yours are open: wait for answers")
        made = Agreement(f"A{len(self.all) + 1}", parties, term, act.rounds, round, [proposer])
        self.all[made.id] = made
        return [{"what": "agreement_proposed", "round": round, "proposer": proposer, **made.plain()}]

    def accept(self, round: int, player: str, act: Accept) -> list[Entry]:
        """A party's consent; the last one makes the agreement, which binds from this round on."""
        found = self._awaiting(player, act.agreement)
        found.accepted.append(player)
        entries: list[Entry] = [{"what": "agreement_accepted", "round": round, "agreement": found.id, "player": player}]
        if set(found.accepted) == set(found.parties):
            found.state, found.first, found.until = "made", round, round + found.rounds - 1
            found.taken = dict.fromkeys(found.parties, 0)
            entries.append(
                {"what": "agreement_made", "round": round, **found.plain(), "first": found.first, "until": found.until}
            )
        return entries

    def decline(self, round: int, player: str, act: Decline) -> list[Entry]:
        """A party's refusal."""
        found = self._awaiting(player, act.agreement)
        found.state = "over"
        return [{"what": "agreement_declined", "round": round, "agreement": found.id, "player": player}]

    def judge(self, round: int, deeds: Sequence[Deed]) -> list[Entry]:
        """Breaches by these deeds, in their order; then what ends with this round."""
        entries: list[Entry] = []
        for number, deed in enumerate(deeds):
            for each in self._binding(deed.player):
                each.taken[deed.player] += deed.kind == "take"
                if each.term.binds(deed.player) and each.term.breaks(deed, each.taken[deed.player]):
                    entries.append(counted("broken", round, deed.player, "agreement", each.id, number))
                    entries.append(self._end(each, round, "broken"))
        for each in self.open():
            if each.state == "made" and each.until <= round:
                entries += self._fulfil(each, round, "fulfilled")
            elif each.state == "proposed" and round - each.proposed >= self._settings.proposal_rounds:
                entries.append(self._end(each, round, "not accepted in time"))
        return entries

    def close(self, round: int) -> list[Entry]:
        """The game is over: who has kept an agreement so far has kept it, if it bound long enough to count."""
        entries: list[Entry] = []
        for each in self.open():
            if each.state == "made" and round - each.first + 1 >= self._settings.agreement_rounds:
                entries += self._fulfil(each, round, "game over")
            else:
                entries.append(self._end(each, round, "game over"))
        return entries

    def _binding(self, player: str) -> list[Agreement]:
        return [each for each in self.open() if each.state == "made" and player in each.parties]

    def _fulfil(self, agreement: Agreement, round: int, why: str) -> list[Entry]:
        bound = [party for party in agreement.parties if agreement.term.binds(party)]
        kept = [counted("kept", round, party, "agreement", agreement.id) for party in bound]
        return [*kept, self._end(agreement, round, why)]

    @staticmethod
    def _end(agreement: Agreement, round: int, why: str) -> Entry:
        agreement.state = "over"
        return {"what": "agreement_ended", "round": round, "agreement": agreement.id, "why": why}

    def _check_parties(self, proposer: str, act: Propose) -> None:
        others = [name for name in self._members if name != proposer]
        for name in act.to:
            if name not in others:
                raise ReplyError("party", f"to: {name!r} cannot agree to anything here: name {', '.join(others)}")
        if len(set(act.to)) != len(act.to):
            raise ReplyError("party", f"to: {act.to!r}: name each once")

    def _awaiting(self, player: str, identifier: str) -> Agreement:
        found = self.all.get(identifier)
        waiting = [each.id for each in self.open() if player in each.parties and player not in each.accepted]
        if found is None or found.id not in waiting:
            legal = ", ".join(waiting) or "none"
            raise ReplyError("agreement", f"agreement: {identifier!r} does not wait for you: what does is {legal}")
        return found


def counted(
    what: str, round: int, player: str, ground: Literal["agreement", "rule"], identifier: str, deed: int | None = None
) -> Entry:
    """A promise kept or broken: all that reputation is made of. `deed` is its number in the round, from 0."""
    entry: Entry = {"what": what, "round": round, "player": player, "ground": ground, "id": identifier}
    return entry if deed is None else {**entry, "deed": deed}
