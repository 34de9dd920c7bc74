"""Commons Harvest in rounds: what becomes of the players' decisions, and what each of them is told of a round.

An apple counts when the server says that it was broken, an attack when the server says who was hit.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import dist

from bridge.types import PolicyResult
from dilemmas.records.events import Decided, DeedSeen, Event, FieldStepped
from dilemmas.scenarios.commons_harvest.moves import failure, fault, program, said
from dilemmas.scenarios.commons_harvest.rules import APPLE, Harvest
from dilemmas.scenarios.commons_harvest.spec import CommonsSpec
from dilemmas.scenarios.commons_harvest.view import FieldView, deed_of
from dilemmas.scenarios.protocol import EndState
from voyager_agents.commons_harvest import HarvestAct, HarvestDecision, HarvestTurn, Place

ROUND_S = 1.1
"""Game time that a round takes at least. Vanilla forgets after 5 s who attacked a player: one that comes back after
five rounds must not be taken for one that was hit again."""
STAY = HarvestDecision("stay")


@dataclass
class Witnessed:
    """What the players have yet to be told of the last round."""

    deeds: Mapping[str, tuple[HarvestAct, ...]] = field(default_factory=dict)
    events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    said: tuple[tuple[str, str], ...] = ()
    faults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class HarvestRound:
    """One round while it is played: what was decided, and how things stood before anybody moved."""

    decisions: Mapping[str, HarvestDecision]
    moving: Mapping[str, HarvestDecision]
    """What those in the field do: their decisions, as far as they are legal."""
    faults: Mapping[str, str]
    """Player -> why its decision comes to nothing; empty text where it does not."""
    at: Mapping[str, Place]
    last_apples: Mapping[str, Place | None]
    """Player -> the nearest apple in its sight, if it is the last one of its tree."""
    out: Sequence[str]


class HarvestGame:
    """One attempt at Commons Harvest in rounds; see `dilemmas.scenarios.protocol.RoundGame`."""

    round_s = ROUND_S

    def __init__(self, spec: CommonsSpec, rules: Harvest, told: Sequence[str]) -> None:
        """`told` is what all are told before the first round."""
        self._spec = spec
        self._rules = rules
        self._view = FieldView(spec, rules)
        self._last = Witnessed(events=dict.fromkeys(spec.players, tuple(told)))
        self._round = HarvestRound({}, {}, {}, {}, {}, ())
        self._state: EndState | None = None
        self._seen: list[DeedSeen] = []
        self._stepped: FieldStepped | None = None

    @property
    def move_s(self) -> float:
        """As the spec says."""
        return self._spec.rounds.seconds

    @property
    def deeds(self) -> list[HarvestAct]:
        """The last round's, attempts that hit nobody included."""
        return [deed_of(deed) for deed in self._seen]

    def turn(self, player: str, number: int) -> HarvestTurn:
        """What the player sees of the field, and what it witnessed in the last round."""
        last = self._last
        held = self._state.players[player].items.get(APPLE, 0) if self._state else 0
        told = (last.faults[player],) if last.faults.get(player) else ()
        return HarvestTurn(
            player=player,
            players=tuple(self._spec.players),
            round=number,
            at=self._view.at(player),
            size=self._spec.world.field.size,
            seen=self._view.seen(player) if player not in self._rules.out else (),
            events=(*told, *last.events.get(player, ())),
            said=tuple(line for line in last.said if line[0] != player),
            deeds=last.deeds.get(player, ()),
            apples=float(held),
            out=player in self._rules.out,
        )

    def programs(self, number: int, decisions: Mapping[str, HarvestDecision]) -> dict[str, str]:
        """The moves of those who are in the field; who decided what is not legal says its words and stays."""
        players, orchard, out = tuple(self._spec.players), self._spec.world.field, self._rules.out
        faults = {name: each.fault or fault(each, name, players, orchard) for name, each in decisions.items()}
        moving = {
            name: replace(STAY, say=each.say) if faults[name] else each
            for name, each in decisions.items()
            if name not in out
        }
        at = {name: self._view.at(name) for name in decisions}
        last_apples = {name: self._view.last_apple(name) for name in decisions}
        self._round = HarvestRound(decisions, moving, faults, at, last_apples, out)
        programs = {name: program(each, orchard, self._spec.world.origin) for name, each in moving.items()}
        return {name: text for name, text in programs.items() if text is not None}

    def stepped(self, number: int, state: EndState) -> list[Event]:
        """What happened, with the round's number on its deeds."""
        self._state, self._seen, self._stepped = state, [], None
        shown: list[Event] = []
        for event in state.happened:
            if isinstance(event, DeedSeen):
                deed = event.model_copy(update={"round": number})
                self._seen.append(deed)
                shown.append(deed)
                continue
            self._stepped = event if isinstance(event, FieldStepped) else self._stepped
            shown.append(event)
        return shown

    def settled(self, number: int, results: Mapping[str, PolicyResult]) -> list[Event]:
        """The attacks that hit nobody, and every decision with what came of it."""
        failed = {name: text for name, result in results.items() if (text := failure(result))}
        faults = {**self._round.faults, **failed}
        missed = self._missed(number)
        self._seen += missed
        self._last = self._witnessed(faults)
        return [*missed, *self._decided(number, faults)]

    def _missed(self, number: int) -> list[DeedSeen]:
        """The attempts to immobilize that the server shows nothing of."""
        hits = {(deed.player, deed.target) for deed in self._seen if deed.hit}
        return [
            DeedSeen(
                step=number,
                round=number,
                deed="attack",
                player=name,
                at=decision.to or self._view.at(decision.target),
                target=decision.target,
                hit=False,
            )
            for name, decision in self._round.moving.items()
            if decision.move == "immobilize" and (name, decision.target) not in hits
        ]

    def _decided(self, number: int, faults: Mapping[str, str]) -> list[Decided]:
        before = self._round
        found = []
        for name, decision in before.decisions.items():
            last = before.last_apples[name] if name not in before.out else None
            closer = last is not None and dist(self._view.at(name), last) < dist(before.at[name], last)
            found.append(
                Decided(
                    round=number,
                    player=name,
                    at=before.at[name],
                    move=decision.move,
                    to=decision.to,
                    target=decision.target,
                    said=said(decision),
                    why=decision.why,
                    fault=faults.get(name, ""),
                    out=name in before.out,
                    last_apple=last is not None,
                    closer=closer or (last is not None and last not in self._rules.apples and before.at[name] == last),
                )
            )
        return found

    def _witnessed(self, faults: Mapping[str, str]) -> Witnessed:
        """What the players will be told before their next turns."""
        players = self._spec.players
        return Witnessed(
            deeds={name: self._view.deeds(name, self._seen) for name in players},
            events={name: self._view.events(name, self._stepped, self._round.out) for name in players},
            said=tuple((name, said(each)) for name, each in self._round.moving.items() if said(each)),
            faults=faults,
        )
