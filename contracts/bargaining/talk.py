"""A talk: players write messages on channels in turn, and offer, accept, decline, withdraw and end deals.

In each round of talk every player has a turn, beginning with the opener. In its turn it sends messages until it passes,
or may send no more. The talk is over after its last round, or after a round in which everybody passed. Open offers then
lapse. A player sees the messages that reached it and the deals that it knows, and nothing else.

A malformed message gets one correction that names the fault. After a second one the turn is over, and no other player
sees any part of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from common.answers.faults import FaultKind
from contracts.bargaining.carriers import Carrier, OutOfBand
from contracts.bargaining.channels import ChannelKind, Channels, ChannelUse, members_of
from contracts.bargaining.deals import Deal, DealBook, DealEntry
from contracts.bargaining.merging import can_merge
from contracts.bargaining.messages import ANSWERS, TalkAct, TalkMessage
from contracts.enforcement import Breach
from contracts.errors import MessageError
from contracts.forces import Force, described
from contracts.negotiation import MESSAGE_TRIES, Experience
from contracts.scopes import trespass
from contracts.terms import ContractScope


@dataclass(frozen=True)
class TalkRules:
    """Rules of a talk."""

    channels: Channels
    rounds: int = 3
    """Maximum number of rounds of talk."""
    scope: ContractScope = ContractScope.BOTH
    force: Force = Force.BINDING
    deposit: int = 0
    """Deposit of each party in escrow, in emeralds."""
    secret: bool = False
    """True if only its parties know of a deal."""
    opens: str | None = None
    """Player whose turn is first; None for the first named player."""
    greedy: Collection[str] = ()
    """Players that are told to get as much as they can."""
    carrier: Carrier = field(default_factory=OutOfBand)
    remaining: int = 0
    """Number of episodes after the coming one."""
    every: int | None = None
    """Number of rounds of the game from one talk to the next; None for talks before the game alone."""
    before: Experience | None = None
    breaches: tuple[Breach, ...] = ()
    """Breaches that all players were told of."""

    @property
    def enforcement(self) -> str:
        """Sentences that tell players what makes deals kept, and when they are judged; empty for the usual rules."""
        told = [described(self.force, self.deposit)]
        if self.every is not None:
            told.append(
                f"Players talk again after each {self.every} rounds or steps of the game. Before that, the deals in "
                "force are judged and paid on what has happened since the last talk."
            )
        return " ".join(part for part in told if part)


@dataclass(frozen=True)
class TalkEntry:
    """A message in the record of a talk."""

    number: int
    """Number of the message in the run, from 1."""
    round: int
    speaker: str
    members: tuple[str, ...]
    """Players on the channel, the speaker included."""
    channel: ChannelKind
    act: TalkAct
    message: str
    thought: str = ""
    deal: int | None = None
    """Number of the deal that the act is about."""
    arrives: dict[str, int] = field(default_factory=dict)
    """Hearer -> round of talk in which the message reaches it; players whom it never reaches are left out."""
    faults: tuple[str, ...] = ()
    """Fault codes of the malformed tries."""
    fault_kinds: tuple[FaultKind, ...] = ()
    raw: tuple[str, ...] = ()
    """Raw texts of the malformed tries."""

    def is_seen_by(self, player: str, round: int) -> bool:
        """Return True if the player has the message in that round of talk."""
        return player == self.speaker or (player in self.arrives and self.arrives[player] <= round)


@dataclass(frozen=True)
class SeenMessage:
    """A message as its members see it."""

    round: int
    speaker: str
    to: tuple[str, ...]
    """The other members of the channel."""
    text: str
    deal: int | None = None
    act: TalkAct = "say"


@dataclass(frozen=True)
class TalkView:
    """Everything shown to a player in its turn."""

    me: str
    players: tuple[str, ...]
    round: int
    rounds: int
    rules: TalkRules
    messages: tuple[SeenMessage, ...]
    """Messages that the player sent or that reached it, in order."""
    offers: tuple[Deal, ...]
    """Open offers that it may accept or decline."""
    own_offers: tuple[Deal, ...]
    """Its own open offers."""
    deals: tuple[Deal, ...]
    """Deals in force that it knows, in the order in which they are judged."""
    left: dict[ChannelKind, int]
    """Kind of channel -> number of messages that it may still send in this round."""
    reachable: tuple[str, ...]
    """Players that a message reaches."""
    correction: str = ""
    """Fault of the message just tried; empty at the first try."""

    @property
    def others(self) -> tuple[str, ...]:
        """All other players."""
        return tuple(name for name in self.players if name != self.me)

    @property
    def own_deals(self) -> tuple[Deal, ...]:
        """Deals in force to which the player is a party."""
        return tuple(deal for deal in self.deals if self.me in deal.parties)

    @property
    def audience_sizes(self) -> tuple[int, int]:
        """Minimum and maximum number of players that a message names; a message that names none is for everybody."""
        count, sizes = len(self.others), set[int]()
        if "public" in self.left:
            sizes |= {0, count}
        if "pairwise" in self.left:
            sizes |= {1} if count > 1 else {0, 1}
        if "group" in self.left:
            sizes |= {*range(2, count)}
        return (min(sizes), max(sizes)) if sizes else (0, count)

    @property
    def greedy(self) -> bool:
        """True if the player is told to get as much as it can."""
        return self.me in self.rules.greedy

    @property
    def acts(self) -> tuple[TalkAct, ...]:
        """Acts that are legal now."""
        found: list[TalkAct] = ["pass"]
        if self.left and self.reachable:
            found += ["say", "offer"]
        if self.offers:
            found += ["accept", "decline"]
        if self.own_offers:
            found += ["withdraw"]
        if self.own_deals:
            found += ["end"]
        return tuple(found)


class Talker(Protocol):
    """A player's part in talks."""

    name: str

    async def talk(self, view: TalkView) -> TalkMessage:
        """Return the player's message. Raises MessageError for a malformed one."""


class TalkListener(Protocol):
    """Receiver of the record of a talk, in order."""

    def __call__(self, entry: TalkEntry | DealEntry) -> None:
        """Handle a message or a change of a deal."""


def ignore(entry: TalkEntry | DealEntry) -> None:
    """Do nothing."""


class TalkSession:
    """A talk of a run, which may go on between episodes or rounds of a game; its book of deals goes on with it."""

    def __init__(
        self, talkers: Sequence[Talker], book: DealBook | None = None, listener: TalkListener = ignore, said: int = 0
    ) -> None:
        """Create a talk.

        Args:
            talkers: The players in the scenario's order.
            book: Deals so far; None for none.
            listener: Receiver of the record.
            said: Number of messages in earlier talks of the run.
        """
        self._talkers = {each.name: each for each in talkers}
        self.players = tuple(self._talkers)
        self.book = book if book is not None else DealBook(self.players)
        self.entries: list[TalkEntry] = []
        self._listener = listener
        self._said = said

    async def hold(self, rules: TalkRules) -> None:
        """Hold the rounds of one talk. Messages of earlier talks are not shown again.

        Raises:
            ContractFormatError: The rules name a player that does not take part.
        """
        rules.channels.check_players(self.players)
        start = 0 if rules.opens is None else self.players.index(rules.opens)
        order = [*self.players[start:], *self.players[:start]]
        use = ChannelUse(rules.channels, self.players)
        since = len(self.entries)
        for number in range(1, rules.rounds + 1):
            acted = [await self._turn(name, number, rules, use, since) for name in order]
            if not any(acted) and not self._is_underway(since, number):
                break
        self._tell(self.book.lapse())

    def _is_underway(self, since: int, round: int) -> bool:
        """Return True if a message has yet to arrive."""
        return any(arrival > round for each in self.entries[since:] for arrival in each.arrives.values())

    async def _turn(self, name: str, number: int, rules: TalkRules, use: ChannelUse, since: int) -> bool:
        """Let a player send its messages of a round; return True if it did anything."""
        acted = False
        book = self.book
        answers = len(book.open_to(name)) + len(book.offers_of(name)) + len(book.deals_of(name))
        for _ in range(sum(use.left(name, number).values()) + answers):
            view = self._view(name, number, rules, use, since)
            if view.acts == ("pass",):
                break
            entry = await self._message(view, use)
            if entry is None or entry.act == "pass":
                break
            acted = True
        return acted

    def _view(self, name: str, number: int, rules: TalkRules, use: ChannelUse, since: int) -> TalkView:
        book, carrier = self.book, rules.carrier
        seen = [
            SeenMessage(
                each.round,
                each.speaker,
                tuple(m for m in each.members if m != each.speaker),
                each.message,
                each.deal,
                each.act,
            )
            for each in self.entries[since:]
            if each.act != "pass" and each.is_seen_by(name, number)
        ]
        arrived = {each.deal for each in seen if each.act == "offer"}
        return TalkView(
            me=name,
            players=self.players,
            round=number,
            rounds=rules.rounds,
            rules=rules,
            messages=tuple(seen),
            offers=tuple(deal for deal in book.open_to(name) if deal.number in arrived),
            own_offers=book.offers_of(name),
            deals=book.known_to(name),
            left=use.left(name, number),
            reachable=tuple(each for each in self.players if each != name and carrier.delay(name, each) is not None),
        )

    async def _message(self, view: TalkView, use: ChannelUse) -> TalkEntry | None:
        """Ask for a message and carry it out; return None if it stayed malformed."""
        faults: list[MessageError] = []
        tries: list[str] = []
        talker = self._talkers[view.me]
        while len(faults) < MESSAGE_TRIES:
            said: TalkMessage | None = None
            try:
                said = await talker.talk(replace(view, correction=str(faults[-1]) if faults else ""))
                entry, changes = self._carry_out(said, view, use)
            except MessageError as error:
                faults.append(error)
                tries.append(error.raw or (said.message if said else ""))
                continue
            self._keep(replace(entry, **_told(faults, tries)), changes)
            return entry
        self._said += 1
        nobody = TalkEntry(self._said, view.round, view.me, (view.me,), "group", "pass", "", **_told(faults, tries))
        self._keep(nobody, [])
        return None

    def _carry_out(self, said: TalkMessage, view: TalkView, use: ChannelUse) -> tuple[TalkEntry, list[DealEntry]]:
        """Return the message's entry and the changes of deals that it makes. Raises MessageError."""
        me, book = view.me, self.book
        if said.act not in view.acts:
            raise MessageError("act", f"you cannot {said.act} now: legal are {', '.join(view.acts)}")
        number: int | None = None
        changes: list[DealEntry] = []
        if said.act in ANSWERS:
            deal = book.deals.get(said.deal)
            open_now = {each.number for each in view.offers}
            if said.act in ("accept", "decline") and said.deal not in open_now:
                legal = ", ".join(map(str, sorted(open_now)))
                raise MessageError(
                    "no-such-deal", f"deal {said.deal}: is not among your open offers: legal are {legal}"
                )
            act = {"accept": book.accept, "decline": book.decline, "withdraw": book.withdraw, "end": book.end}[said.act]
            changes = act(me, said.deal)
            members = frozenset(deal.parties) if deal else frozenset({me})
            number = said.deal
        else:
            members = members_of(me, said.to, self.players)
            if said.act != "pass":
                if refusal := use.refusal(me, members, view.round):
                    raise MessageError("channel", refusal)
                self._check_reach(said, members, view)
            if said.act == "offer":
                changes = self._offer(said, members, view)
                number = changes[-1].deal
            if said.act != "pass":
                use.count(me, members, view.round)
        self._said += 1
        hearers = sorted(members - {me}, key=self.players.index)
        delays = {name: view.rules.carrier.delay(me, name) for name in hearers}
        arrives = {name: view.round + delay for name, delay in delays.items() if delay is not None}
        ordered = tuple(name for name in self.players if name in members)
        entry = TalkEntry(
            number=self._said,
            round=view.round,
            speaker=me,
            members=ordered if said.act != "pass" else (me,),
            channel=use.channels.kind(members, self.players),
            act=said.act,
            message=said.message,
            thought=said.thought,
            deal=number,
            arrives=arrives if said.act != "pass" else {},
        )
        return entry, changes

    def _check_reach(self, said: TalkMessage, members: frozenset[str], view: TalkView) -> None:
        """Check that the message reaches somebody, and an offer all its parties. Raises MessageError."""
        missing = [name for name in view.others if name in members and name not in view.reachable]
        if missing and (said.act == "offer" or len(missing) == len(members) - 1):
            legal = ", ".join(view.reachable) or "nobody"
            raise MessageError("out-of-reach", f"{', '.join(missing)} cannot hear you: within reach: {legal}")

    def _offer(self, said: TalkMessage, members: frozenset[str], view: TalkView) -> list[DealEntry]:
        rules = view.rules
        if said.contract is None or set(said.contract.parties) != members:
            raise MessageError("outsiders", "a deal is between you and those to whom you offer it, and nobody else")
        if beyond := trespass(said.contract, rules.scope):
            raise MessageError(f"beyond-{rules.scope}", f"the offer cannot be made: {beyond}")
        contract = replace(said.contract, scope=rules.scope, force=rules.force, deposit=rules.deposit)
        offered = Deal(len(self.book.deals) + 1, replace(contract, name="deal-0"), view.me)
        if full := [name for name in contract.parties if not can_merge([*self.book.deals_of(name), offered])]:
            raise MessageError("too-long", f"the deal is too long beside those that {full[0]} has: shorten it")
        return self.book.offer(view.me, contract, secret=rules.secret, lasts=said.lasts, replaces=said.replaces)

    def _keep(self, entry: TalkEntry, changes: list[DealEntry]) -> None:
        self.entries.append(entry)
        self._listener(entry)
        self._tell(changes)

    def _tell(self, changes: list[DealEntry]) -> None:
        for change in changes:
            self._listener(change)


def _told(faults: Sequence[MessageError], tries: Sequence[str]) -> dict[str, Any]:
    return {
        "faults": tuple(each.code for each in faults),
        "fault_kinds": tuple(each.kind for each in faults),
        "raw": tuple(tries),
    }
