"""Talks and deals of a run, gathered from the events of its log."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from dilemmas.records import events as log

_NUMBER = re.compile(r"^\s*\d+[.)]\s", re.MULTILINE)
MAX_SAID = 200
"""Maximum number of messages of a run that are kept for the page; the log has all."""


@dataclass(frozen=True)
class DealMark:
    """Event in the life of a deal, in one period or in the talk before it."""

    period: int
    """Number of the period from one talk of the run to the next: an episode, or rounds of one."""
    what: str
    """offered | agreed | declined | withdrawn | lapsed | kept | broken | unread | ended"""
    told: str = ""
    """Breaches or the reason of an end, in words."""


@dataclass(frozen=True)
class ReportedDeal:
    """One deal and its life."""

    number: int
    parties: tuple[str, ...]
    by: str
    """Player that offered it."""
    text: str
    force: str
    deposit: int
    secret: bool
    replaces: int | None
    answered: bool
    """True if another party of it had offered a deal to the same players before, in the same talk."""
    marks: tuple[DealMark, ...] = ()

    @property
    def clauses(self) -> int:
        """Number of numbered lines of its text; a text without numbers is one clause."""
        return len(_NUMBER.findall(self.text)) or 1

    @property
    def agreed(self) -> bool:
        """True if all parties accepted it."""
        return any(mark.what == "agreed" for mark in self.marks)


@dataclass
class BargainRecord:
    """Messages, deals and deposits of a run, filled event by event."""

    messages: Counter[str] = field(default_factory=Counter)
    """Kind of channel -> number of messages; turns without a message are not counted."""
    said: list[tuple[int, log.TalkMessageSent]] = field(default_factory=list)
    """(period that follows, message), in order; at most `MAX_SAID`."""
    deals: dict[int, ReportedDeal] = field(default_factory=dict)
    promises: int = 0
    """Number of promises in deals that fell due."""
    breaches: int = 0
    deposited: dict[str, float] = field(default_factory=dict)
    """Player -> emeralds put in escrow, over all periods."""
    forfeited: dict[str, float] = field(default_factory=dict)
    """Player with a deposit -> emeralds of it that it lost."""
    _ended: int = 0
    """Number of periods that are over."""
    _is_settled: bool = False
    """True between the end of a period within an episode and the talk that follows it."""
    _before: BargainRecord | None = None
    """The record before the first attempt at the current episode, to which a broken attempt returns."""

    @property
    def any(self) -> bool:
        """True if players talked on channels."""
        return bool(self.said or self.deals)

    def add_event(self, event: object) -> None:
        """Handle the next event of the log."""
        if self._is_settled and _begins_talk(event):
            self._ended += 1
            self._is_settled = False
        match event:
            case log.EpisodeEnded():
                self._ended += 1
                self._is_settled = False
            case log.PeriodSettled():
                self._is_settled = True
            case log.TalkMessageSent() if event.act != "pass" or event.message:
                self.messages[event.channel] += 1
                if len(self.said) < MAX_SAID:
                    self.said.append((self._ended + 1, event))
            case log.DealChanged():
                self._change(event.entry)
            case log.EpisodeStarted() if event.attempt == 1:
                self._before = None
                self._before = deepcopy(self)
            case log.TalksVoided() if self._before is not None:
                vars(self).update(vars(deepcopy(self._before)), _before=self._before)
            case log.AgreementEnforced() if event.deal is not None:
                self._enforce(event, event.deal)
            case _:
                pass

    def _change(self, entry: Mapping[str, Any]) -> None:
        number, change = int(entry["deal"]), str(entry["change"])
        if change == "offered":
            self.deals[number] = self._offered(number, entry)
        if change in ("offered", "agreed", "declined", "withdrawn", "lapsed", "ended"):
            self._mark(number, change, str(entry.get("reason", "")))

    def _offered(self, number: int, entry: Mapping[str, Any]) -> ReportedDeal:
        contract, by = dict(entry.get("contract") or {}), str(entry.get("by", ""))
        parties = tuple(str(each) for each in contract.get("parties") or ())
        answered = any(
            set(each.parties) == set(parties) and each.by != by and each.marks[0].period == self._ended + 1
            for each in self.deals.values()
        )
        return ReportedDeal(
            number=number,
            parties=parties,
            by=by,
            text=str(contract.get("text", "")),
            force=str(contract.get("force", "binding")),
            deposit=int(contract.get("deposit") or 0),
            secret=bool(entry.get("secret")),
            replaces=entry.get("replaces"),
            answered=answered,
        )

    def _enforce(self, event: log.AgreementEnforced, deal: int) -> None:
        self.promises += sum(event.promises.values())
        self.breaches += len(event.breaches)
        for player, amount in event.deposited.items():
            self.deposited[player] = self.deposited.get(player, 0.0) + amount
            self.forfeited[player] = self.forfeited.get(player, 0.0) + event.forfeited.get(player, 0.0)
        if event.breaches:
            told = "; ".join(f"{each.party}: {each.term}" for each in event.breaches)
            self._mark(deal, "broken", told)
        elif event.unread:
            self._mark(deal, "unread", f"no readable decision of {', '.join(event.unread)}")
        else:
            self._mark(deal, "kept")

    def _mark(self, number: int, what: str, told: str = "") -> None:
        if (deal := self.deals.get(number)) is not None:
            mark = DealMark(self._ended + 1, what, told)
            self.deals[number] = replace(deal, marks=(*deal.marks, mark))


def _begins_talk(event: object) -> bool:
    """Return True for an event that only a talk has."""
    return isinstance(event, log.TalkMessageSent | log.TalkEnded)
