"""Commons Harvest in rounds: consequences of decisions, and the players' views of a round.

An apple counts when the server says that it was broken, an attack when the server says who was hit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import dist
from typing import Any

from bridge.types import PolicyResult
from bridge.worlds import World
from contracts.institutions.frame import Slot
from contracts.institutions.slots import ACTS, PRESENT, CivicOrder, WitnessedAct
from dilemmas.records.events import Decided, DeedSeen, Event, FieldStepped
from dilemmas.scenarios.commons_harvest.moves import failure, legality_fault, program, speech_of
from dilemmas.scenarios.commons_harvest.rules import APPLE, NEVER, Harvest
from dilemmas.scenarios.commons_harvest.spec import CommonsSpec
from dilemmas.scenarios.commons_harvest.view import FieldView, to_deed
from dilemmas.scenarios.protocol import EndState
from voyager_agents.commons_harvest import HarvestAct, HarvestDecision, HarvestTurn, Place

ROUND_S = 1.1
"""Minimum game time of a round.

Vanilla forgets after 5 s who attacked a player: a player that comes back after five rounds must not count as hit again.
"""
STAY = HarvestDecision("stay")


@dataclass
class Witnessed:
    """Events of the last round that players have yet to be told."""

    deeds: Mapping[str, tuple[HarvestAct, ...]] = field(default_factory=dict)
    events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    said: tuple[tuple[str, str], ...] = ()
    faults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class HarvestRound:
    """One round in play: decisions, and the state before anybody moved."""

    decisions: Mapping[str, HarvestDecision]
    moving: Mapping[str, HarvestDecision]
    """Legal decisions of the players in the field."""
    faults: Mapping[str, str]
    """Player -> reason why its decision has no effect; empty for an effective one."""
    at: Mapping[str, Place]
    last_apples: Mapping[str, Place | None]
    """Player -> nearest apple in its sight, if it is the last one of its tree."""
    out: Sequence[str]


class HarvestGame:
    """One attempt at Commons Harvest in rounds (a `dilemmas.scenarios.protocol.RoundGame`)."""

    round_s = ROUND_S

    def __init__(self, spec: CommonsSpec, rules: Harvest, told: Sequence[str]) -> None:
        """Start the game; all players read `told` before the first round."""
        self._spec = spec
        self._rules = rules
        self._view = FieldView(spec, rules)
        self._last = Witnessed(events=dict.fromkeys(spec.players, tuple(told)))
        self._round = HarvestRound({}, {}, {}, {}, {}, ())
        self._state: EndState | None = None
        self._seen: list[DeedSeen] = []
        self._stepped: FieldStepped | None = None
        self._busy: Counter[str] = Counter()
        """Player -> moves that an office takes from it."""
        self._acts = 0

    @property
    def move_s(self) -> float:
        """Maximum duration of a move, from the spec."""
        return self._spec.rounds.seconds

    @property
    def deeds(self) -> list[HarvestAct]:
        """Deeds of the last round, including attempts that hit nobody."""
        return [to_deed(deed) for deed in self._seen]

    def turn(self, player: str, number: int) -> HarvestTurn:
        """Return the player's view of the field, and the events that it witnessed in the last round."""
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
        """Return the moves of the players in the field. An illegal decision only carries out its speech."""
        players, orchard, out = tuple(self._spec.players), self._spec.world.field, self._rules.out
        faults = {name: each.fault or legality_fault(each, name, players, orchard) for name, each in decisions.items()}
        for name in [each for each in decisions if self._busy[each] and each not in out]:
            self._busy[name] -= 1
            faults[name] = "your office takes this move"
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

    def civic_slots(self, number: int) -> Mapping[Slot[Any], Any]:
        """Return the people that are not banished, and the acts of the round with their witnesses."""
        found = []
        for deed in self.deeds:
            self._acts += 1
            others = [name for name in self._spec.players if name != deed.player]
            seen = tuple(name for name in others if name == deed.target or self._view.sees(name, deed.at))
            found.append(WitnessedAct(self._acts, deed, seen))
        present = tuple(name for name in self._spec.players if name not in self._rules.banished)
        return {PRESENT: present, ACTS: tuple(found) if number else ()}

    def earned(self) -> Mapping[str, float]:
        """Return the apples of each player."""
        players = self._state.players if self._state else {}
        return {name: float(each.items.get(APPLE, 0)) for name, each in players.items()}

    async def carry_out(self, world: World, order: CivicOrder) -> None:
        """Hold or banish a player, or take moves from it."""
        if order.kind == "busy":
            self._busy[order.player] += order.steps
        else:
            await self._rules.hold(world, order.player, NEVER if order.kind == "banish" else order.steps)

    def after_step(self, number: int, state: EndState) -> list[Event]:
        """Return the events of a step, with the round's number on its deeds."""
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

    def after_programs(self, number: int, results: Mapping[str, PolicyResult]) -> list[Event]:
        """Return the attacks that hit nobody, and every decision with its consequence."""
        failed = {name: text for name, result in results.items() if (text := failure(result))}
        faults = {**self._round.faults, **failed}
        missed = self._missed(number)
        self._seen += missed
        self._last = self._witnessed(faults)
        return [*missed, *self._decided(number, faults)]

    def _missed(self, number: int) -> list[DeedSeen]:
        """Return the attempts to immobilize of which the server shows nothing."""
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
                    said=speech_of(decision),
                    why=decision.why,
                    fault=faults.get(name, ""),
                    stood_in="idle" if before.faults.get(name) else "",
                    out=name in before.out,
                    last_apple=last is not None,
                    closer=closer or (last is not None and last not in self._rules.apples and before.at[name] == last),
                )
            )
        return found

    def _witnessed(self, faults: Mapping[str, str]) -> Witnessed:
        """Collect the events that players will read before their next turns."""
        players = self._spec.players
        return Witnessed(
            deeds={name: self._view.deeds(name, self._seen) for name in players},
            events={name: self._view.events(name, self._stepped, self._round.out) for name in players},
            said=tuple((name, speech_of(each)) for name, each in self._round.moving.items() if speech_of(each)),
            faults=faults,
        )
