"""The court: takes acts of members and the world's record and returns entries, without model, clock or chance.

The caller says how a mapping becomes a norm, how an act is written down, and what an act earns.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any, Generic, TypeVar

from contracts.errors import Refused
from contracts.institutions.accounts import Accounts
from contracts.institutions.acts import Accept, Amend, Decline, InstitutionAct, Propose, Repeal, Rule, Vote
from contracts.institutions.agreements import CouncilAgreements
from contracts.institutions.constitution import Constitution
from contracts.institutions.norms import Entry, ObservedAct, ReadNorm
from contracts.institutions.reputation import ReputationStanding
from contracts.institutions.settings import InstitutionSettings

D = TypeVar("D", bound=ObservedAct)


class Court(Generic[D]):
    """Agreements, rules, accounts and reputation of the members of one group."""

    def __init__(
        self,
        members: Sequence[str],
        read: ReadNorm,
        settings: InstitutionSettings,
        *,
        written: Callable[[D], Entry],
        earned: Callable[[D], int],
    ) -> None:
        """Create a court; `written` turns an act into plain JSON, `earned` returns what its player earns by it."""
        self.members = tuple(members)
        self.rules = settings
        self.accounts = Accounts(self.members)
        self.agreements = CouncilAgreements(self.members, read, settings)
        self.constitution = Constitution(self.members, read, settings, self.accounts)
        self.standings = dict.fromkeys(self.members, ReputationStanding())
        self.ratings: dict[str, float] = {}
        """Member -> reputation by a judge's last word; empty if reputation is counted."""
        self._written = written
        self._earned = earned
        self._handlers: dict[type[InstitutionAct], Callable[[int, str, Any], list[Entry]]] = {
            Propose: self.agreements.propose,
            Accept: self.agreements.accept,
            Decline: self.agreements.decline,
            Rule: self.constitution.move,
            Amend: self.constitution.amend,
            Repeal: self.constitution.repeal,
            Vote: self.constitution.vote,
        }

    def hear(self, round: int, player: str, act: InstitutionAct) -> list[Entry]:
        """Take an act of a member and return the entries that follow; an illegal act is refused and changes nothing."""
        entry: Entry = {"what": "act", "round": round, "player": player, **act.model_dump()}
        handler = self._handlers.get(type(act))
        if handler is None:
            return [entry]
        try:
            return [entry, *handler(round, player, act)]
        except Refused as error:
            return [entry, {"what": "refused", "round": round, "player": player, "act": act.act, "why": str(error)}]

    def judge(self, round: int, deeds: Sequence[D]) -> list[Entry]:
        """End a round: judge its acts and return the entries that follow."""
        told: list[Entry] = [{"what": "deed", "round": round, **self._written(deed)} for deed in deeds]
        for deed in deeds:
            if amount := self._earned(deed):
                self.accounts.earn(deed.player, amount)
        judged = [*self.agreements.judge(round, deeds), *self.constitution.judge(round, deeds)]
        return [*told, {"what": "round_over", "round": round}, *judged, *self._reputation(round, judged)]

    def close(self, round: int) -> list[Entry]:
        """End the game and return the last entries."""
        judged = [*self.agreements.close(round), *self.constitution.close(round)]
        return [{"what": "game_over", "round": round}, *judged, *self._reputation(round, judged)]

    def rate(self, round: int, player: str, score: float, why: str) -> list[Entry]:
        """Take a judge's score of a member's reputation and return the entries that follow.

        Args:
            round: The round before which it is judged.
            player: The member.
            score: The member's reputation from now on, 0 to 1.
            why: The judge's reason.
        """
        told: Entry = {"what": "judged", "round": round, "player": player, "score": score, "why": why}
        if self.ratings.get(player) == score:
            return [told]
        self.ratings[player] = score
        return [told, _standing(round, player, self.standings[player], score)]

    def _reputation(self, round: int, judged: Sequence[Entry]) -> list[Entry]:
        """Return the standings that these entries changed, where they are public."""
        before = dict(self.standings)
        for entry in judged:
            if entry["what"] in ("kept", "broken"):
                player = str(entry["player"])
                self.standings[player] = self.standings[player].after(str(entry["what"]))
        if not self.rules.reputation:
            return []
        return [
            _standing(round, name, standing, standing.score)
            for name, standing in self.standings.items()
            if standing != before[name]
        ]


def _standing(round: int, player: str, standing: ReputationStanding, score: float) -> Entry:
    return {"what": "reputation", "round": round, "player": player, **asdict(standing), "score": score}
