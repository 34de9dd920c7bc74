"""Deals among any players of a game, several at once, and the book of all that happened to them.

A deal goes offered -> agreed | declined | withdrawn | lapsed, and agreed -> ended. Deals are judged and booked in the
order in which they were agreed. The book is computed from its entries alone, so a log of the entries restores it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from contracts.errors import ContractFormatError, MessageError
from contracts.forces import Force
from contracts.loading import contract_as_mapping, load_contract
from contracts.terms import Contract

MAX_DEALS = 6
"""Maximum number of deals in force and open offers of one player at a time."""

DealState = Literal["offered", "agreed", "declined", "withdrawn", "lapsed", "ended"]
DealChange = Literal[
    "offered", "accepted", "agreed", "signed", "held", "declined", "withdrawn", "lapsed", "asked-to-end", "ended"
]
"""Entries of the book.

They are the states, an acceptance by one of several parties, the ratified terms, an episode or round for which the deal
has held, and a party's request to end it.
"""


@dataclass(frozen=True)
class DealEntry:
    """Change of one deal."""

    deal: int
    """Number of the deal, from 1."""
    change: DealChange
    by: str = ""
    """Player that caused the change; empty for the end of a talk or of the deal's time."""
    contract: Contract | None = None
    """The offered contract, for `offered`; with the ratified terms, for `signed`."""
    secret: bool = False
    """True if only the parties know of the deal, for `offered`."""
    lasts: int | None = None
    """Number of episodes or rounds that the deal lasts, for `offered`; None for no limit."""
    replaces: int | None = None
    """Deal in force that this one replaces once it is agreed, for `offered`."""
    reason: str = ""
    """Reason for the end, for `ended`."""

    def to_dict(self) -> dict[str, Any]:
        """Return the entry as plain data for JSON; fields without meaning for the change are left out."""
        found: dict[str, Any] = {"deal": self.deal, "change": self.change}
        if self.by:
            found["by"] = self.by
        if self.contract is not None:
            found["contract"] = contract_as_mapping(self.contract)
        if self.secret:
            found["secret"] = True
        more = {"lasts": self.lasts, "replaces": self.replaces, "reason": self.reason or None}
        return found | {key: value for key, value in more.items() if value is not None}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> DealEntry:
        """Return the entry of plain data. Raises ContractFormatError for an unusable contract."""
        contract = data.get("contract")
        return cls(**{**data, "contract": None if contract is None else load_contract(contract)})


@dataclass(frozen=True)
class Deal:
    """A deal between two or more players in its present state."""

    number: int
    contract: Contract
    proposer: str
    secret: bool = False
    lasts: int | None = None
    replaces: int | None = None
    state: DealState = "offered"
    accepted: tuple[str, ...] = ()
    """Parties that have accepted it, the proposer first."""
    ending: tuple[str, ...] = ()
    """Parties that have asked to end it."""
    age: int = 0
    """Number of episodes or rounds in which it has held."""

    @property
    def parties(self) -> tuple[str, ...]:
        """Parties of the contract."""
        return self.contract.parties

    def is_known_to(self, player: str) -> bool:
        """Return True if the player is a party, or the deal was announced."""
        return player in self.parties or (not self.secret and self.state in ("agreed", "ended"))


@dataclass
class DealBook:
    """All deals of a run, and the entries that led to them."""

    players: tuple[str, ...]
    entries: list[DealEntry] = field(default_factory=list)
    deals: dict[int, Deal] = field(default_factory=dict)
    order: list[int] = field(default_factory=list)
    """Numbers of the deals in the order in which they were agreed."""

    @classmethod
    def restore(cls, players: Sequence[str], entries: Iterable[DealEntry]) -> DealBook:
        """Return the book after these entries."""
        book = cls(tuple(players))
        for entry in entries:
            book._apply(entry)
        return book

    @property
    def in_force(self) -> tuple[Deal, ...]:
        """Deals in force, in the order in which they were agreed."""
        return tuple(self.deals[number] for number in self.order if self.deals[number].state == "agreed")

    def open_to(self, player: str) -> tuple[Deal, ...]:
        """Return the open offers that the player may accept or decline."""
        return tuple(
            deal
            for deal in self.deals.values()
            if deal.state == "offered" and player in deal.parties and player not in deal.accepted
        )

    def offers_of(self, player: str) -> tuple[Deal, ...]:
        """Return the open offers that the player may withdraw."""
        return tuple(deal for deal in self.deals.values() if deal.state == "offered" and deal.proposer == player)

    def deals_of(self, player: str) -> tuple[Deal, ...]:
        """Return the deals in force to which the player is a party, in order."""
        return tuple(deal for deal in self.in_force if player in deal.parties)

    def known_to(self, player: str) -> tuple[Deal, ...]:
        """Return the deals in force that the player knows, in order."""
        return tuple(deal for deal in self.in_force if deal.is_known_to(player))

    def offer(
        self, player: str, contract: Contract, *, secret: bool, lasts: int | None = None, replaces: int | None = None
    ) -> list[DealEntry]:
        """Offer a deal, which withdraws the player's earlier offer to the same parties.

        Args:
            player: The proposer.
            contract: Contract of the deal, between its parties.
            secret: True if only the parties will know of the deal.
            lasts: Number of episodes that it holds; None for no limit.
            replaces: Deal in force that it replaces once it is agreed; None for none.

        Raises:
            MessageError: A party has too many deals, or the replaced deal is not theirs.
        """
        earlier = [deal for deal in self.offers_of(player) if set(deal.parties) == set(contract.parties)]
        withdrawn = [DealEntry(deal.number, "withdrawn", player) for deal in earlier]
        for party in contract.parties:
            busy = [
                deal
                for deal in self.deals.values()
                if deal.state in ("offered", "agreed") and party in deal.parties and deal not in earlier
            ]
            if len(busy) >= MAX_DEALS:
                raise MessageError("too-many-deals", f"{party} has no room for another deal or offer ({MAX_DEALS})")
        if replaces is not None:
            old = self._in_state(replaces, "agreed", player)
            if set(old.parties) != set(contract.parties):
                raise MessageError(
                    "other-parties", f"deal {replaces} is between {', '.join(old.parties)}: its successor is, too"
                )
        number = len(self.deals) + 1
        named = replace(contract, name=f"deal-{number}")
        entry = DealEntry(number, "offered", player, named, secret, lasts, replaces)
        return self._add([*withdrawn, entry])

    def accept(self, player: str, number: int) -> list[DealEntry]:
        """Accept an offer; the last acceptance agrees it. Raises MessageError if it is not open to the player."""
        deal = self._in_state(number, "offered", player)
        if player in deal.accepted:
            raise MessageError("own-offer", f"you have accepted deal {number} already: the others have to answer")
        entries = [DealEntry(number, "accepted", player)]
        if set(deal.parties) == {*deal.accepted, player}:
            if deal.replaces is not None and self.deals[deal.replaces].state == "agreed":
                entries.append(DealEntry(deal.replaces, "ended", reason=f"replaced by deal {number}"))
            entries.append(DealEntry(number, "agreed", player))
        return self._add(entries)

    def decline(self, player: str, number: int) -> list[DealEntry]:
        """Decline an offer, which is then closed. Raises MessageError if it is not open to the player."""
        deal = self._in_state(number, "offered", player)
        if player == deal.proposer:
            raise MessageError("own-offer", f"deal {number} is your own offer: withdraw it instead")
        return self._add([DealEntry(number, "declined", player)])

    def withdraw(self, player: str, number: int) -> list[DealEntry]:
        """Withdraw an own offer. Raises MessageError if it is not an open offer of the player."""
        deal = self._in_state(number, "offered", player)
        if player != deal.proposer:
            raise MessageError("not-yours", f"deal {number} is {deal.proposer}'s offer: decline it instead")
        return self._add([DealEntry(number, "withdrawn", player)])

    def end(self, player: str, number: int) -> list[DealEntry]:
        """End a deal in force: at once if nothing enforces it, else once all parties have asked for it.

        Raises:
            MessageError: It is no deal in force of the player.
        """
        deal = self._in_state(number, "agreed", player)
        if player in deal.ending:
            raise MessageError(
                "asked-already", f"you have asked to end deal {number} already: the others have to agree"
            )
        entries = [DealEntry(number, "asked-to-end", player)]
        alone = deal.contract.force in (Force.CHEAP_TALK, Force.REPUTATION)
        if alone or set(deal.parties) == {*deal.ending, player}:
            reason = f"{player} left it" if alone else "all parties ended it"
            entries.append(DealEntry(number, "ended", player, reason=reason))
        return self._add(entries)

    def lapse(self) -> list[DealEntry]:
        """Close all open offers at the end of a talk."""
        offered = [deal.number for deal in self.deals.values() if deal.state == "offered"]
        return self._add([DealEntry(number, "lapsed") for number in offered])

    def grow_older(self) -> list[DealEntry]:
        """Count an episode or round for all deals in force, and end those whose time is over."""
        entries = []
        for deal in self.in_force:
            entries.append(DealEntry(deal.number, "held"))
            if deal.lasts is not None and deal.age + 1 >= deal.lasts:
                entries.append(DealEntry(deal.number, "ended", reason="its time is over"))
        return self._add(entries)

    def end_all(self, reason: str) -> list[DealEntry]:
        """End all deals in force."""
        return self._add([DealEntry(deal.number, "ended", reason=reason) for deal in self.in_force])

    def end_one(self, number: int, reason: str) -> list[DealEntry]:
        """End a deal in force."""
        return self._add([DealEntry(number, "ended", reason=reason)])

    def sign(self, number: int, contract: Contract | None) -> list[DealEntry]:
        """Replace a deal's contract by its ratified terms; without any the deal is ended."""
        if contract is None:
            return self.end_one(number, "its terms were not ratified")
        return self._add([DealEntry(number, "signed", contract=replace(contract, name=f"deal-{number}"))])

    def _in_state(self, number: int, state: DealState, player: str) -> Deal:
        """Return a deal of the player in that state. Raises MessageError."""
        deal = self.deals.get(number)
        # A player must not learn of others' deals by asking for numbers.
        if deal is None or player not in deal.parties or deal.state != state:
            mine = [each.number for each in self.deals.values() if each.state == state and player in each.parties]
            legal = ", ".join(map(str, mine)) or "none"
            what = "open offers" if state == "offered" else "deals in force"
            raise MessageError("no-such-deal", f"deal {number}: is not among your {what}: legal are {legal}")
        return deal

    def _add(self, entries: list[DealEntry]) -> list[DealEntry]:
        for entry in entries:
            self._apply(entry)
        return entries

    def _apply(self, entry: DealEntry) -> None:
        self.entries.append(entry)
        number = entry.deal
        match entry.change:
            case "offered":
                if entry.contract is None:
                    raise ContractFormatError(f"deal {number}: is offered without a contract")
                self.deals[number] = Deal(
                    number, entry.contract, entry.by, entry.secret, entry.lasts, entry.replaces, accepted=(entry.by,)
                )
            case "accepted":
                self._change(number, accepted=(*self.deals[number].accepted, entry.by))
            case "asked-to-end":
                self._change(number, ending=(*self.deals[number].ending, entry.by))
            case "signed":
                self._change(number, contract=entry.contract)
            case "held":
                self._change(number, age=self.deals[number].age + 1)
            case "agreed":
                self.order.append(number)
                self._change(number, state="agreed")
            case state:
                self._change(number, state=state)

    def _change(self, number: int, **changes: Any) -> None:  # noqa: ANN401 - fields of a deal
        self.deals[number] = replace(self.deals[number], **changes)
