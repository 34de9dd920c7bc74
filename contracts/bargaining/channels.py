"""Channels of a talk as data: who may write to whom, how often and when.

A message on a channel reaches its members and nobody else. A channel is known by its members: all players (`public`),
two (`pairwise`), or any other number (`group`).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Literal

from contracts.errors import ContractFormatError

ChannelKind = Literal["public", "pairwise", "group"]
KINDS: tuple[ChannelKind, ...] = ("public", "pairwise", "group")


@dataclass(frozen=True)
class ChannelRule:
    """Rule of all channels of one kind."""

    messages: int = 1
    """Maximum number of messages that a player sends on channels of this kind in a round of talk."""
    opens: tuple[str, ...] = ()
    """Players that may write first on such a channel; every member may answer. Empty for all players."""
    first: int = 1
    """First round of talk in which the channels are open."""
    last: int | None = None
    """Last round of talk in which they are open; None for the last round of the talk."""

    def __post_init__(self) -> None:
        for key, value in (("messages", self.messages), ("first", self.first), ("last", self.last)):
            if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
                raise ContractFormatError(f"channels: {key}: {value!r}: a whole number from 1 is needed")
        if self.last is not None and self.last < self.first:
            raise ContractFormatError(f"channels: last: {self.last} is before the first round {self.first}")

    def is_open(self, round: int) -> bool:
        """Return True if the channels are open in that round of talk."""
        return self.first <= round and (self.last is None or round <= self.last)


@dataclass(frozen=True)
class Channels:
    """Channels of a talk; a kind without a rule does not exist."""

    public: ChannelRule | None = None
    pairwise: ChannelRule | None = None
    group: ChannelRule | None = None

    def __post_init__(self) -> None:
        if not any(self.rule(kind) for kind in KINDS):
            raise ContractFormatError(f"channels: there are none: give a rule for one of {', '.join(KINDS)}")

    def rule(self, kind: ChannelKind) -> ChannelRule | None:
        """Return the rule of a kind of channel, or None if there are no such channels."""
        match kind:
            case "public":
                return self.public
            case "pairwise":
                return self.pairwise
            case "group":
                return self.group

    def kind(self, members: Collection[str], players: Collection[str]) -> ChannelKind:
        """Return the kind of the channel between these members; in a game of two, public and pairwise are one."""
        if len(members) == len(players) and (self.public is not None or len(players) != 2):
            return "public"
        return "pairwise" if len(members) == 2 else "group"

    def existing(self, players: Sequence[str]) -> tuple[ChannelKind, ...]:
        """Return the kinds of channels with a rule that some of these players can have among them."""
        possible = {self.kind(players[:size], players) for size in range(2, len(players) + 1)}
        return tuple(kind for kind in KINDS if kind in possible and self.rule(kind) is not None)

    def check_players(self, players: Collection[str]) -> None:
        """Check that the players named by the rules take part. Raises ContractFormatError."""
        for kind in KINDS:
            for name in rule.opens if (rule := self.rule(kind)) else ():
                if name not in players:
                    legal = ", ".join(players)
                    raise ContractFormatError(f"channels: {kind}: opens: {name!r} is no player: choose from {legal}")


@dataclass
class ChannelUse:
    """Use of the channels in a talk so far."""

    channels: Channels
    players: tuple[str, ...]
    _opened: set[frozenset[str]] = field(default_factory=set)
    _sent: dict[tuple[int, str, ChannelKind], int] = field(default_factory=dict)

    def refusal(self, speaker: str, members: frozenset[str], round: int) -> str:
        """Return why the speaker cannot write to these members now, or an empty text if it can."""
        kind = self.channels.kind(members, self.players)
        rule = self.channels.rule(kind)
        if rule is None:
            legal = ", ".join(self.channels.existing(self.players))
            return f"there are no {kind} channels here: legal are {legal}"
        if not rule.is_open(round):
            until = f" to {rule.last}" if rule.last else " on"
            return f"{kind} channels are open in rounds {rule.first}{until}, and this is round {round}"
        if rule.opens and speaker not in rule.opens and members not in self._opened:
            return f"only {', '.join(rule.opens)} may open a {kind} channel; you may answer on one that is open"
        if self._sent.get((round, speaker, kind), 0) >= rule.messages:
            return f"you have sent all messages of this round on {kind} channels ({rule.messages})"
        return ""

    def count(self, speaker: str, members: frozenset[str], round: int) -> None:
        """Count a message."""
        key = (round, speaker, self.channels.kind(members, self.players))
        self._sent[key] = self._sent.get(key, 0) + 1
        self._opened.add(members)

    def left(self, speaker: str, round: int) -> dict[ChannelKind, int]:
        """Return kind of channel -> messages that the speaker may still send in this round.

        Kinds that are closed, that cannot exist among so few players, or on which the speaker may open no channel and
        has none to answer on, are left out.
        """
        found = {}
        for kind in self.channels.existing(self.players):
            rule = self.channels.rule(kind)
            if rule is not None and rule.is_open(round) and self._may_write(speaker, kind, rule):
                rest = rule.messages - self._sent.get((round, speaker, kind), 0)
                if rest > 0:
                    found[kind] = rest
        return found

    def _may_write(self, speaker: str, kind: ChannelKind, rule: ChannelRule) -> bool:
        """Return True if the speaker may open a channel of this kind, or is on one that is open."""
        if not rule.opens or speaker in rule.opens:
            return True
        return any(speaker in each and self.channels.kind(each, self.players) == kind for each in self._opened)


def members_of(speaker: str, to: Sequence[str], players: Sequence[str]) -> frozenset[str]:
    """Return the members of the channel from a speaker to these players; nobody named means everybody."""
    return frozenset(players) if not to else frozenset({speaker, *to})
