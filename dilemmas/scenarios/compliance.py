"""Compliance with a law in words, clause by clause, from the log: what people did while a clause was in force.

A clause with a typed form is judged by the record, as during the game. For all others a rater reads what each person
did and said (`voyager_agents.compliance_rater`). An item is a clause and a person; its label is one of `VERDICTS`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from dilemmas.records import events as log
from dilemmas.records.events.base import EventPart, RecordModel

KEPT, BROKEN, NO_CASE = "kept", "broken", "no case"
VERDICTS = (KEPT, BROKEN, NO_CASE)
"""Labels: the person kept the clause, broke it, or had no occasion to do either."""
STATUTE = "statute"
"""The institution of laws in words."""
KINDS = frozenset({
    "run_started", "episode_started", "institution", "deed", "decision", "grounds_used", "chat", "act_ended", "speech",
})  # fmt: skip
"""Kinds of events that compliance is read from."""


class ClauseVerdict(EventPart):
    """A rater's label of one clause and person."""

    clause: str
    player: str
    verdict: Literal["kept", "broken", "no case"] | None
    """None without a usable answer."""


class ComplianceRated(RecordModel):
    """All that a model found about the clauses of a record. It is kept beside the record and is no event of a log."""

    kind: Literal["compliance_rated"] = "compliance_rated"
    verdicts: list[ClauseVerdict]
    fault: str = ""
    """Reason why the model could not be asked."""


@dataclass
class ClauseInForce:
    """A clause of a law in words, and the rounds in which it bound."""

    id: str
    text: str
    typed: bool
    since_s: float
    """Number of the round, or second, after which it binds."""
    until_s: float | None = None
    """Last round or second in which it binds; None for the end of the game."""

    def binds(self, t_s: float) -> bool:
        """Return True if the clause is in force at that time."""
        return self.since_s < t_s and (self.until_s is None or t_s <= self.until_s)


@dataclass
class ComplianceRecord:
    """Clauses of the law in words, and what people did, in the last attempt of a record."""

    players: tuple[str, ...] = ()
    clauses: dict[str, ClauseInForce] = field(default_factory=dict)
    acts: list[tuple[float, str, str]] = field(default_factory=list)
    """(time, player, act in words), oldest first."""
    broken: set[tuple[str, str]] = field(default_factory=set)
    """(clause, player) of the breaches in the record."""
    said: list[tuple[float, str, str]] = field(default_factory=list)
    """(second, player, chat or speech in words) of a game whose time is in seconds, oldest first."""
    unit: str = "round"
    """Unit of all times: `round`, or `second` where programs run or agents live."""

    def add_event(self, event: object) -> None:
        """Add an event of the log."""
        match event:
            case log.RunStarted():
                self.players = tuple(event.players)
            case log.EpisodeStarted():
                self.clauses, self.acts, self.broken, self.said, self.unit = {}, [], set(), [], "round"
            case log.InstitutionActed(part="statute", what="law_in_force"):
                self._read_law(event.t_s, event.data["clauses"])
            case log.InstitutionActed(part="statute", what="breach"):
                self.broken.add((str(event.data["clause"]), event.who))
            case _:
                self._add_act(event)

    def _add_act(self, event: object) -> None:
        """Add what a person did or said."""
        match event:
            case log.DeedSeen(round=int() as number):
                self.acts.append((float(number), event.player, _deed(event)))
            case log.GroundsUsed():
                self.unit = "second"
                self.acts.append((event.t_s, event.player, _use(event)))
            case log.ActEnded() if self.clauses:
                self.unit = "second"
                self.acts.append((event.t_s, event.player, _act(event)))
            case log.Speech() if self.clauses:
                self.said.append((event.t_s, event.speaker, f"says: {event.text}"))
            case log.ChatEvent() if event.sender in self.players:
                self.said.append((event.t_s or 0.0, str(event.sender), f"says: {event.text}"))
            case log.Decided() if event.said:
                self.acts.append((float(event.round), event.player, f"says: {event.said}"))
            case _:
                pass

    def _read_law(self, t_s: float, clauses: Sequence[Mapping[str, Any]]) -> None:
        now = {str(each["clause"]): each for each in clauses}
        for clause in self.clauses.values():
            if clause.id not in now and clause.until_s is None:
                clause.until_s = t_s
        for name, each in now.items():
            if name not in self.clauses:
                self.clauses[name] = ClauseInForce(name, str(each["text"]), bool(each["term"]), t_s)

    def acts_under(self, clause: ClauseInForce) -> list[tuple[float, str, str]]:
        """Return (time, player, act in words) while the clause was in force."""
        # In rounds, what players say is part of their decisions, and chat would repeat it.
        said = self.said if self.unit == "second" else []
        return [act for act in sorted([*self.acts, *said], key=lambda each: each[0]) if clause.binds(act[0])]

    def recorded(self) -> dict[tuple[str | float, ...], str]:
        """Return (clause, player) -> label of the clauses that have a typed form; whoever did not break one kept it."""
        return {
            (clause.id, player): BROKEN if (clause.id, player) in self.broken else KEPT
            for clause in self.clauses.values()
            if clause.typed
            for player in self.players
        }


def rated_labels(events: Sequence[object]) -> dict[tuple[str | float, ...], str | None]:
    """Return (clause, player) -> a rater's label, None without a usable answer.

    Args:
        events: Ratings of one record by one rater.
    """
    told = [each for each in events if isinstance(each, ComplianceRated)]
    return {(verdict.clause, verdict.player): verdict.verdict for each in told for verdict in each.verdicts}


def _use(event: log.GroundsUsed) -> str:
    verbs = {"harvest": "harvests", "clear": "clears away", "litter": "places"}
    waste = f"while there are {event.waste} blocks of waste"
    return f"{verbs[event.deed]} {event.count} blocks of {event.block} {waste}"


def _act(event: log.ActEnded) -> str:
    changes = [f"{'gains' if count > 0 else 'loses'} {abs(count)} {item}" for item, count in event.gained.items()]
    return "; ".join([f"{event.label} ({event.ended})", *changes])


def _deed(event: log.DeedSeen) -> str:
    if event.deed == "take":
        return f"takes an apple from {event.tree or 'a tree'}, which leaves {event.left} there"
    return f"attacks {event.target}, {'and hits' if event.hit else 'without a hit'}"
