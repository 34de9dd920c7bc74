"""The constitution: rules for all members, moved and voted on by the members, with penalties and rewards.

A motion passes or fails as soon as its votes decide, and lapses after a number of rounds. A member that breaks a rule
pays the penalty to the other members in equal shares, at each breach. A rule runs in periods. At the end of a period a
member that kept the rule counts as having kept it once and is due the reward, which the members that broke the rule pay
in equal parts; these count as having broken it once. If no member broke the rule, no reward moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from contracts.errors import Refused
from contracts.institutions.accounts import Accounts
from contracts.institutions.acts import Amend, Repeal, Rule, Vote
from contracts.institutions.agreements import counted
from contracts.institutions.ballots import BallotChoice, outcome
from contracts.institutions.norms import Entry, Norm, ObservedAct, ReadNorm
from contracts.institutions.settings import InstitutionSettings


@dataclass
class LawInForce:
    """A rule in force."""

    id: str
    term: Norm
    penalty: int
    reward: int
    first: int
    """Round in which the current period began."""
    counts: dict[str, int] = field(default_factory=dict)
    """Count of each member's acts under the norm in this period."""
    broken: list[str] = field(default_factory=list)
    """Members that broke it in this period."""

    def to_dict(self) -> Entry:
        """Return the law as plain data for records and prompts."""
        terms = {"term": self.term.model_dump(), "says": self.term.says()}
        return {"rule": self.id, **terms, "penalty": self.penalty, "reward": self.reward}


@dataclass
class Motion:
    """A motion to add, end or change a rule."""

    id: str
    proposer: str
    repeals: bool
    law: LawInForce
    moved: int
    votes: dict[str, bool]
    amends: LawInForce | None = None
    """The rule that `law` would replace."""

    def to_dict(self) -> Entry:
        """Return the motion as plain data for records and prompts."""
        does = "repeal" if self.repeals else "pass" if self.amends is None else "amend"
        target = {} if self.amends is None else {"amends": self.amends.id}
        return {"motion": self.id, "does": does, "proposer": self.proposer, **self.law.to_dict(), **target}


class Constitution:
    """All motions and rules; each call returns the entries that follow. Methods raise Refused for an illegal act."""

    def __init__(
        self, members: Sequence[str], read: ReadNorm, settings: InstitutionSettings, accounts: Accounts
    ) -> None:
        self._members = tuple(members)
        self._read = read
        self._settings = settings
        self._accounts = accounts
        self._moved = 0
        self._made = 0
        self.motions: dict[str, Motion] = {}
        """Open motions by id."""
        self.laws: dict[str, LawInForce] = {}
        """Rules in force by id."""

    def move(self, round: int, player: str, act: Rule) -> list[Entry]:
        """Open a motion for a rule. Raises Refused for an illegal one."""
        law = self._law(round, act)
        known = [*self.laws.values(), *(each.law for each in self.motions.values())]
        if any(each.term == law.term for each in known):
            raise Refused("again", f"there is a rule or a motion that says: {law.term.says()}")
        if len(self.laws) >= self._settings.rules:
            raise Refused("many", f"{len(self.laws)} rules are in force: repeal one first")
        return self._open(round, Motion("", player, False, law, round, {}))

    def amend(self, round: int, player: str, act: Amend) -> list[Entry]:
        """Open a motion to replace norm, penalty and reward of a rule. Raises Refused for an illegal one."""
        old, law = self._in_force(act.rule), self._law(round, act)
        if (law.term, law.penalty, law.reward) == (old.term, old.penalty, old.reward):
            raise Refused("again", f"{act.rule} says that already")
        same = [each for each in self.motions.values() if each.amends is old and each.law.to_dict() == law.to_dict()]
        if same:
            raise Refused("again", f"there is a motion that says so: {same[0].id}")
        return self._open(round, Motion("", player, False, law, round, {}, amends=old))

    def repeal(self, round: int, player: str, act: Repeal) -> list[Entry]:
        """Open a motion to end a rule. Raises Refused for an illegal one."""
        law = self._in_force(act.rule)
        if any(each.repeals and each.law is law for each in self.motions.values()):
            raise Refused("again", f"there is a motion to end {act.rule}")
        return self._open(round, Motion("", player, True, law, round, {}))

    def vote(self, round: int, player: str, act: Vote) -> list[Entry]:
        """Add a vote, which is final. Raises Refused for an illegal one."""
        motion = self.motions.get(act.motion)
        if motion is None:
            legal = ", ".join(self.motions) or "none"
            raise Refused("motion", f"motion: {act.motion!r} is not open: open are {legal}")
        if player in motion.votes:
            raise Refused("again", f"you have voted on {act.motion} already")
        return self._cast(round, motion, player, act.yes)

    def _law(self, round: int, act: Rule | Amend) -> LawInForce:
        """Return the rule that an act asks for. Raises Refused."""
        term = self._read(act.term)
        most = self._settings.highest_penalty
        for name, value in (("penalty", act.penalty), ("reward", act.reward)):
            if not 0 <= value <= most:
                raise Refused(name, f"{name}: {value}: 0 to {most} {self._settings.unit} are legal")
        return LawInForce("", term, act.penalty, act.reward, round)

    def _in_force(self, rule: str) -> LawInForce:
        law = self.laws.get(rule)
        if law is None:
            legal = ", ".join(self.laws) or "none"
            raise Refused("rule", f"rule: {rule!r} is not in force: what is in force is {legal}")
        return law

    def judge(self, round: int, deeds: Sequence[ObservedAct]) -> list[Entry]:
        """Return penalties for these acts in order, then periods and motions that end with this round."""
        entries: list[Entry] = []
        for number, deed in enumerate(deeds):
            if deed.player not in self._members:
                continue
            for law in self.laws.values():
                law.counts[deed.player] = law.counts.get(deed.player, 0) + law.term.counts(deed)
                if law.term.binds(deed.player) and law.term.breaks(deed, law.counts[deed.player]):
                    entries += self._punish(round, law, deed.player, number)
        for law in list(self.laws.values()):
            if round - law.first + 1 >= self._settings.rule_period:
                entries += self._settle(round, law)
        for motion in list(self.motions.values()):
            if round - motion.moved >= self._settings.proposal_rounds:
                entries.append(self._drop(round, motion, "not decided in time"))
        return entries

    def close(self, round: int) -> list[Entry]:
        """End the game: settle the periods that ran long enough to count."""
        ripe = [law for law in self.laws.values() if round - law.first + 1 >= self._settings.agreement_rounds]
        entries = [entry for law in ripe for entry in self._settle(round, law)]
        return entries + [self._drop(round, motion, "game over") for motion in list(self.motions.values())]

    def _open(self, round: int, motion: Motion) -> list[Entry]:
        player = motion.proposer
        mine = [each for each in self.motions.values() if each.proposer == player]
        if len(mine) >= self._settings.open_proposals:
            raise Refused("many", f"{len(mine)} motions of yours are open: wait for votes")
        self._moved += 1
        motion.id = f"M{self._moved}"
        self.motions[motion.id] = motion
        entry: Entry = {"what": "rule_proposed", "round": round, **motion.to_dict()}
        return [entry, *self._cast(round, motion, player, True)]

    def _cast(self, round: int, motion: Motion, player: str, yes: bool) -> list[Entry]:
        motion.votes[player] = yes
        entry: Entry = {"what": "vote", "round": round, "motion": motion.id, "player": player, "yes": yes}
        return [entry, *self._decide(round, motion)]

    def _decide(self, round: int, motion: Motion) -> list[Entry]:
        said = {player: BallotChoice.YES if yes else BallotChoice.NO for player, yes in motion.votes.items()}
        passed = outcome(said, self._members, self._settings.voting)
        if passed is None:
            return []
        adds = not motion.repeals and motion.amends is None
        if passed and adds and len(self.laws) >= self._settings.rules:
            return [self._drop(round, motion, "too many rules in force")]
        if passed and motion.amends is not None and motion.amends.id not in self.laws:
            return [self._drop(round, motion, "the rule is not in force any more")]
        return [self._pass(round, motion) if passed else self._drop(round, motion, "voted down")]

    def _pass(self, round: int, motion: Motion) -> Entry:
        del self.motions[motion.id]
        law = motion.law
        if motion.repeals:
            # The period is not over: no member has kept the rule to its end, so nothing counts.
            del self.laws[law.id]
            return {"what": "rule_repealed", "round": round, "motion": motion.id, "rule": law.id}
        if motion.amends is not None:
            # The period ends unsettled: no member kept either law for a whole period.
            law.id, law.first = motion.amends.id, round
            self.laws[law.id] = law
            votes = dict(motion.votes)
            return {"what": "rule_amended", "round": round, "motion": motion.id, **law.to_dict(), "votes": votes}
        self._made += 1
        law.id, law.first = f"R{self._made}", round
        self.laws[law.id] = law
        return {
            "what": "rule_passed",
            "round": round,
            "motion": motion.id,
            **law.to_dict(),
            "votes": dict(motion.votes),
        }

    def _drop(self, round: int, motion: Motion, why: str) -> Entry:
        del self.motions[motion.id]
        return {"what": "rule_failed", "round": round, "motion": motion.id, "why": why, "votes": dict(motion.votes)}

    def _punish(self, round: int, law: LawInForce, player: str, number: int) -> list[Entry]:
        if player not in law.broken:
            law.broken.append(player)
        others = [name for name in self._members if name != player]
        shares = self._accounts.pay(law.id, player, others, Fraction(law.penalty))
        return [
            {
                "what": "penalty",
                "round": round,
                "rule": law.id,
                "player": player,
                "deed": number,
                "due": law.penalty,
                "paid": float(sum(shares.values(), Fraction(0))),
                "to": {name: float(share) for name, share in shares.items()},
            }
        ]

    def _settle(self, round: int, law: LawInForce) -> list[Entry]:
        """Settle the end of a period."""
        bound = [name for name in self._members if law.term.binds(name)]
        keepers = [name for name in bound if name not in law.broken]
        entries = [counted("kept", round, name, "rule", law.id) for name in keepers]
        for name in law.broken:
            entries.append(counted("broken", round, name, "rule", law.id))
            due = Fraction(law.reward * len(keepers), len(law.broken))
            shares = self._accounts.pay(law.id, name, keepers, due)
            if shares:
                paid = {payee: float(share) for payee, share in shares.items()}
                entries.append({"what": "reward", "round": round, "rule": law.id, "payer": name, "to": paid})
        law.first, law.counts, law.broken = round + 1, {}, []
        return entries
