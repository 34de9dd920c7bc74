"""An episode in rounds: all look, all decide at once, the decisions are carried out together, the rules step once.

A decision is a word; what comes of it is the world's: an apple counts when the server says that it was broken, an
attack when the server says who was hit. A decision that is not legal costs the turn, and its player is told why. What
infrastructure loses is never a decision: it breaks the episode, which is played again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import dist
from typing import Any, Protocol, runtime_checkable

from bridge.types import Limits, PolicyResult
from contracts.ledger import CENTS
from dilemmas.minecraft.telemetry import Telemetry
from dilemmas.modes.arena import Arena
from dilemmas.modes.episodes import Played, checked, holdings
from dilemmas.records.events import (
    CouncilEntry,
    Decided,
    DeedSeen,
    EndReason,
    EndStateRead,
    FieldStepped,
    PoliciesStarted,
    StateSeen,
)
from dilemmas.scenarios.commons_harvest.moves import failure, fault, program, said
from dilemmas.scenarios.commons_harvest.rules import APPLE, Harvest
from dilemmas.scenarios.commons_harvest.spec import CommonsSpec
from dilemmas.scenarios.commons_harvest.view import View, deed_of
from dilemmas.scenarios.protocol import EndState
from voyager_agents.rendering import contract_text
from voyager_agents.turns import Council, Decision, Place, Turn, TurnTaker

ROUND_S = 1.1
"""Game time that a round takes at least. Vanilla forgets after 5 s who attacked a player: one that comes back after
five rounds must not be taken for one that was hit again."""
STAY = Decision("stay")


@runtime_checkable
class HasCouncil(Protocol):
    """A turn-taker that meets others between the rounds; those of one council share it."""

    council: Council | None


@dataclass
class Witnessed:
    """What the players have yet to be told of the last round."""

    deeds: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    said: tuple[tuple[str, str], ...] = ()
    faults: dict[str, str] = field(default_factory=dict)


class Rounds:
    """One attempt at an episode; `play` once."""

    def __init__(self, spec: CommonsSpec, arena: Arena, telemetry: Telemetry, takers: Mapping[str, TurnTaker]) -> None:
        self._spec = spec
        self._arena = arena
        self._telemetry = telemetry
        self._takers = takers
        self._council = next((each.council for each in takers.values() if isinstance(each, HasCouncil)), None)
        rules = arena.rules
        assert isinstance(rules, Harvest), "a commons that is harvested has its own rules"
        self._rules = rules
        self._view = View(spec, rules)
        self._last = Witnessed(events=dict.fromkeys(takers, bound_by(spec, arena)))
        self._state: EndState | None = None

    async def play(self, limits: Limits) -> Played:
        """All rounds: as many as the spec has, at most one for each second of the time limit."""
        began = time.monotonic()
        world = self._arena.world
        start = await world.now()
        self._telemetry.begin([], start)
        self._arena.record.log(PoliciesStarted(players=list(self._takers)), start)
        await self._step(0)
        _, last = self._spec.expected_rounds(limits.wall_s)
        played, reason = 0, _end(self._over())
        while not self._over() and played < last:
            played += 1
            await self._round(played)
            reason = _end(self._over())
        self._log_council(self._council.close(played) if self._council else ())
        state = await self._arena.scenario.read(world)
        wall_s = time.monotonic() - began
        held = holdings(self._arena, state)
        self._arena.record.log(
            EndStateRead(t_s=float(played), players=held, chest=state.chest, reason=reason, wall_s=wall_s)
        )
        chat = tuple(self._telemetry.chat)
        bookings = bookings_of(self._council.transfers()) if self._council else ()
        return Played(reason, state, {}, chat, {}, float(played), wall_s, bookings)

    def _over(self) -> bool:
        return self._state is not None and self._arena.scenario.finished(self._state)

    async def _round(self, number: int) -> None:
        turns = {name: self._turn(name, number) for name in self._takers}
        async with self._arena.thinking():
            if self._council:
                self._log_council(await self._council.talk(turns))
            decisions = await self._decisions(turns, number)
        faults = {
            name: decision.fault or fault(decision, name, turns[name].players, self._spec.world.field)
            for name, decision in decisions.items()
        }
        moving = {
            name: replace(STAY, say=decision.say) if faults[name] else decision
            for name, decision in decisions.items()
            if name not in self._rules.out
        }
        before = {name: self._view.at(name) for name in decisions}
        last_apples = {name: self._view.last_apple(name) for name in decisions}
        out = self._rules.out
        results = await self._carry_out(moving)
        faults |= {name: text for name, result in results.items() if (text := failure(result))}
        deeds, stepped = await self._step(number)
        deeds += self._missed(number, moving, deeds)
        self._log_decisions(number, decisions, before, last_apples, faults, out)
        self._witness(moving, deeds, stepped, faults, out)
        if self._council:
            self._log_council(self._council.judge(number, [deed_of(deed) for deed in deeds]))

    def _turn(self, player: str, number: int) -> Turn:
        last = self._last
        held = self._state.players[player].items.get(APPLE, 0) if self._state else 0
        told = (last.faults[player],) if last.faults.get(player) else ()
        return Turn(
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

    async def _decisions(self, turns: Mapping[str, Turn], number: int) -> dict[str, Decision]:
        """Of all whose turn it is, all at once; a bot that moves in one of two rounds stays in the other."""
        due = [name for name in turns if number % self._spec.players[name].every == 0]
        answers = await asyncio.gather(*(self._takers[name].take(turns[name]) for name in due), return_exceptions=True)
        found: dict[str, Decision] = {}
        for name, answer in zip(due, answers, strict=True):
            if isinstance(answer, BaseException):
                raise answer
            found[name] = answer
        return found

    async def _carry_out(self, decisions: Mapping[str, Decision]) -> dict[str, PolicyResult]:
        """All moves at once, in the world; a round takes a second at least."""
        world, orchard = self._arena.world, self._spec.world.field
        began = await world.now()
        programs = {name: program(each, orchard, self._spec.world.origin) for name, each in decisions.items()}
        policies = {name: text for name, text in programs.items() if text is not None}
        results: dict[str, PolicyResult] = {}
        if policies:
            found = await world.run(policies, Limits(wall_s=self._spec.rounds.seconds))
            results = checked(found, policies)
        left = ROUND_S - (await world.now() - began) / 20
        if left > 0:
            await world.sleep(left)
        return results

    async def _step(self, number: int) -> tuple[list[DeedSeen], FieldStepped | None]:
        """The rules step once; returns what was done in the round, and the step."""
        record = self._arena.record
        state = await self._rules.step(self._arena.world, float(number))
        deeds: list[DeedSeen] = []
        stepped = None
        for event in state.happened:
            shown = event.model_copy(update={"round": number}) if isinstance(event, DeedSeen) else event
            record.log(shown)
            if isinstance(shown, DeedSeen):
                deeds.append(shown)
            stepped = shown if isinstance(shown, FieldStepped) else stepped
        if state != self._state:
            record.log(StateSeen(t_s=float(number), players=holdings(self._arena, state), world=state.world))
        self._state = state
        return deeds, stepped

    def _missed(self, number: int, decisions: Mapping[str, Decision], deeds: Sequence[DeedSeen]) -> list[DeedSeen]:
        """The attempts to immobilize that the server shows nothing of."""
        hits = {(deed.player, deed.target) for deed in deeds if deed.hit}
        found = []
        for name, decision in decisions.items():
            if decision.move == "immobilize" and (name, decision.target) not in hits:
                at = decision.to or self._view.at(decision.target)
                missed = DeedSeen(
                    step=number, round=number, deed="attack", player=name, at=at, target=decision.target, hit=False
                )
                self._arena.record.log(missed)
                found.append(missed)
        return found

    def _log_decisions(
        self,
        number: int,
        decisions: Mapping[str, Decision],
        before: Mapping[str, Place],
        last_apples: Mapping[str, Place | None],
        faults: Mapping[str, str],
        out: Sequence[str],
    ) -> None:
        for name, decision in decisions.items():
            last = last_apples[name] if name not in out else None
            closer = last is not None and dist(self._view.at(name), last) < dist(before[name], last)
            self._arena.record.log(
                Decided(
                    round=number,
                    player=name,
                    at=before[name],
                    move=decision.move,
                    to=decision.to,
                    target=decision.target,
                    said=said(decision),
                    why=decision.why,
                    fault=faults.get(name, ""),
                    out=name in out,
                    last_apple=last is not None,
                    closer=closer or (last is not None and last not in self._rules.apples and before[name] == last),
                )
            )

    def _witness(
        self,
        decisions: Mapping[str, Decision],
        deeds: Sequence[DeedSeen],
        stepped: FieldStepped | None,
        faults: dict[str, str],
        out: Sequence[str],
    ) -> None:
        """Keep what the players will be told before their next turns."""
        self._last = Witnessed(
            deeds={name: self._view.deeds(name, deeds) for name in self._takers},
            events={name: self._view.events(name, stepped, out) for name in self._takers},
            said=tuple((name, said(each)) for name, each in decisions.items() if said(each)),
            faults=faults,
        )

    def _log_council(self, entries: Iterable[Mapping[str, Any]]) -> None:
        for entry in entries:
            self._arena.record.log(CouncilEntry(entry=dict(entry)))


def bound_by(spec: CommonsSpec, arena: Arena) -> tuple[str, ...]:
    """The contract as the players are told of it before the first round; nothing without one, or where it is not
    theirs to see."""
    if arena.contract is None or "contract" not in spec.observables:
        return ()
    clauses = " ".join(contract_text(arena.contract).split())
    return (f"Before the game all agreed on this contract: {clauses}",)


def bookings_of(transfers: Mapping[str, float]) -> tuple[tuple[str, str, float], ...]:
    """(payer, payee, amount) that give each player what it is to receive less what it is to pay, in whole cents."""
    exact = {name: Fraction(round(Fraction(amount) * CENTS), CENTS) for name, amount in transfers.items()}
    owed = {name: -amount for name, amount in exact.items() if amount < 0}
    due = {name: amount for name, amount in exact.items() if amount > 0}
    found = []
    for payer in owed:
        for payee in due:
            amount = min(owed[payer], due[payee])
            if amount > 0:
                found.append((payer, payee, float(amount)))
                owed[payer] -= amount
                due[payee] -= amount
    return tuple(found)


def _end(over: bool) -> EndReason:
    return "all_collected" if over else "time_limit"
