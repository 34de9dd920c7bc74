"""Record of a taxed society from its log, in one pass: seasons, laws, feedback, amendments, ballots, exposures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dilemmas.records import events as log
from dilemmas.records.positions import CurrentPositions
from voyager_agents.piano.rule_based.taxation.civics import counting

MAX_PLACES = 300
"""Maximum number of samples of positions that are kept."""
Spot = tuple[float, float]


KINDS = frozenset(
    {"episode_started", "assembly", "season_opened", "tax", "season_closed", "speech", "places"}
)  # fmt: skip
"""Kinds of events that a tax record uses."""


@dataclass(frozen=True)
class SeasonRecord:
    """One season."""

    number: int
    opens_s: float
    closes_s: float
    paid: Mapping[str, int]
    """Constituent -> its items in the chests."""
    held: Mapping[str, int]
    """Constituent -> items that it held when the season opened."""
    state: Mapping[str, str]
    balanced: bool
    counted: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """Constituent -> (paid, held) of the items and chests that the law names."""

    def kept(self, low: float, *, give: float = 2.0) -> Mapping[str, bool]:
        """Return constituent -> True if it paid the law's share, within a tolerance; without those who held nothing."""
        return {name: 100 * paid / held >= low - give for name, (paid, held) in self.counted.items() if held}

    @property
    def shares(self) -> Mapping[str, float]:
        """Return constituent -> share that it paid, in percent; without those who held nothing."""
        return {name: 100 * self.paid[name] / held for name, held in self.held.items() if held}

    @property
    def mean(self) -> float | None:
        """Return the mean share of all constituents in percent, or None if nobody held anything."""
        return sum(self.shares.values()) / len(self.shares) if self.shares else None


@dataclass
class TaxRecord:
    """Tax record of the last attempt."""

    voters: tuple[str, ...] = ()
    influencers: tuple[str, ...] = ()
    """Participants whose feedback was heard and who have no vote."""
    seasons: list[SeasonRecord] = field(default_factory=list)
    laws: list[tuple[float, Mapping[str, Any]]] = field(default_factory=list)
    """(seconds, entry) at the start and at the adoption."""
    feedback: dict[str, str] = field(default_factory=dict)
    amendments: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    """Identifier -> amendment, with its count once it is counted."""
    overruled: dict[str, str] = field(default_factory=dict)
    """Amendment that passed -> amendment of the same clause that became law."""
    ballots: dict[str, tuple[float, Mapping[str, str]]] = field(default_factory=dict)
    """Voter -> (seconds, amendment -> vote)."""
    spoilt: dict[str, str] = field(default_factory=dict)
    """Voter -> reason why its ballot was spoilt."""
    refused: list[Mapping[str, Any]] = field(default_factory=list)
    """Refused amendments, and the reasons."""
    asked_s: float | None = None
    """Second at which ballots were asked for."""
    heard: list[tuple[float, str, tuple[str, ...]]] = field(default_factory=list)
    """(seconds, influencer, hearers)."""
    chests: Mapping[str, Spot] = field(default_factory=dict)
    """Community chest -> (x, z)."""
    places: list[tuple[float, Mapping[str, Spot]]] = field(default_factory=list)
    """(seconds, constituent -> (x, z))."""
    _now: CurrentPositions = field(default_factory=CurrentPositions)
    _open: log.SeasonOpened | None = None
    _moved: list[log.TaxMoved] = field(default_factory=list)

    def add_event(self, event: log.Event) -> None:
        """Add an event of the log."""
        match event:
            case log.Speech():
                if event.speaker in self.influencers:
                    self.heard.append((event.t_s, event.speaker, tuple(event.hearers)))
            case log.EpisodeStarted():
                self.__dict__.update(TaxRecord().__dict__)
            case log.AssemblyEntry():
                self._assembly(event.t_s, event.entry)
            case log.SeasonOpened():
                self._open, self._moved = event, []
                self.chests = {name: (x, z) for name, (x, _, z) in event.at.items()}
            case log.TaxMoved():
                self._moved.append(event)
            case log.SeasonClosed() if self._open is not None:
                self.seasons.append(self._closed(self._open, event))
            case log.PlacesSeen():
                self._stand(event)
            case _:
                pass

    def _stand(self, event: log.PlacesSeen) -> None:
        self._now.apply(event)
        if self.voters and len(self.places) < MAX_PLACES:
            spots = {name: self._now.at[name] for name in self.voters if name in self._now.at}
            self.places.append((event.t_s, {name: (x, z) for name, (x, _, z) in spots.items()}))

    def _closed(self, opened: log.SeasonOpened, closed: log.SeasonClosed) -> SeasonRecord:
        terms = self.in_force(opened.t_s)["terms"] if self.laws else {}
        counts, where = terms.get("counts", ["everything"]), terms.get("where", list(opened.chests))
        paid = dict.fromkeys(opened.held, 0)
        for move in self._moved:
            if move.player in paid and move.chest in where:
                paid[move.player] += (-1 if move.taken else 1) * sum(counting(move.items, counts).values())
        counted = {
            name: (max(0, paid[name]), sum(counting(items, counts).values())) for name, items in opened.held.items()
        }
        return SeasonRecord(
            closed.season, opened.t_s, closed.t_s, closed.paid, closed.held, closed.state, closed.balanced, counted
        )

    def kept(self, *, after: bool) -> float | None:
        """Return the share of constituents and seasons of a part in which the law was kept, in percent."""
        found = [
            kept
            for season in self.part(after=after)
            if "rate" in (terms := self.in_force(season.opens_s)["terms"])
            for kept in season.kept(terms["rate"][0]).values()
        ]
        return 100 * sum(found) / len(found) if found else None

    def _assembly(self, t_s: float, entry: Mapping[str, Any]) -> None:
        match entry["what"]:
            case "roll":
                self.voters = tuple(entry["voters"])
                self.influencers = tuple(name for name in entry["heard"] if name not in self.voters)
            case "law":
                self.laws.append((t_s, entry))
            case "feedback":
                self.feedback[entry["member"]] = entry["text"]
            case "amendment" | "count":
                self.amendments[entry["amendment"]] = entry
            case "overruled":
                self.overruled[entry["amendment"]] = entry["by"]
            case "ballots_asked":
                self.asked_s = t_s
            case "ballot":
                self.ballots[entry["member"]] = (t_s, entry["votes"])
            case "ballot_spoilt":
                self.spoilt[entry["member"]] = entry["why"]
            case "refused" | "amendment_refused":
                self.refused.append(entry)

    @property
    def adopted_s(self) -> float | None:
        """Return the second at which the law was adopted or confirmed, or None."""
        return next((t_s for t_s, entry in self.laws if entry["when"] == "adoption"), None)

    def in_force(self, t_s: float) -> Mapping[str, Any]:
        """Return the law at a second: its terms and its text."""
        return [entry for since, entry in self.laws if since <= t_s][-1]

    def part(self, *, after: bool) -> Sequence[SeasonRecord]:
        """Return the seasons that ended before the adoption, or the later ones."""
        adopted = float("inf") if self.adopted_s is None else self.adopted_s
        return [season for season in self.seasons if (season.closes_s > adopted) == after]

    def paid(self, *, after: bool) -> float | None:
        """Return the mean tax over seasons of a part and constituents, in percent, or None without a season."""
        means = [season.mean for season in self.part(after=after) if season.mean is not None]
        return sum(means) / len(means) if means else None

    def paid_by(self, player: str, *, after: bool) -> float | None:
        """Return the mean tax of one constituent over seasons of a part, in percent, or None."""
        shares = [season.shares[player] for season in self.part(after=after) if player in season.shares]
        return sum(shares) / len(shares) if shares else None

    def exposure(self, player: str) -> int:
        """Return the number of speeches by influencers that a constituent heard before its vote.

        Without a vote, those before ballots were asked for count.
        """
        until = self.ballots[player][0] if player in self.ballots else self.asked_s
        until = float("inf") if until is None else until
        return sum(t_s < until and player in hearers for t_s, _, hearers in self.heard)

    def lean(self, player: str) -> float | None:
        """Return the lean of a ballot, averaged over its votes on the rate: 1 for more tax, -1 for less, or None."""
        found = []
        law = self.laws[0][1]["terms"].get("rate") if self.laws else None
        for name, vote in self.ballots.get(player, (0.0, {}))[1].items():
            amendment = self.amendments.get(name)
            if amendment is not None and amendment["clause"] == "rate" and law and vote in ("yes", "no"):
                more = sum(amendment["value"]) > sum(law)
                found.append(1.0 if more == (vote == "yes") else -1.0)
        return sum(found) / len(found) if found else None


def tax_record(lines: Iterable[log.LogLine]) -> TaxRecord:
    """Return the record of the last attempt in a log."""
    found = TaxRecord()
    for line in lines:
        found.add_event(line.event)
    return found
