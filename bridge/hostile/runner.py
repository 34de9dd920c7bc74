"""Runner of the corpus: plays each attack through the whole stack and looks for harm from outside."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from bridge.errors import BridgeError
from bridge.hostile.arena import TrialArena
from bridge.hostile.canaries import Canaries
from bridge.hostile.corpus import Attack
from bridge.hostile.evidence import AttackAttempt, losses, of_attempt, of_time_alone, of_trial
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.types import Event, Limits, PolicyResult, ProgramOutcome
from bridge.worlds import MINEFLAYER
from common.errors import PrerequisiteError

LIMITS = Limits(wall_s=3.0, cpu_ms=2000, memory_mb=64)
"""Limits of each attack, short so that many fit into a minute; no defence depends on them."""
AT_ONCE = {"denial": 5, "memory": 4}
"""Class -> maximum concurrent attacks, so that one attack's load is not blamed on another."""
MAX_AT_ONCE = 10
STEPS, MORE_STEPS, MAX_STEPS_S = 4, 9, 2.0
"""Steps of the honest player: more beside attacks on others' time, and never up to its limit in seconds."""
MORE_LOOKS = 2
"""Repetitions of a trial whose only evidence are delays, which a busy machine may have caused."""
SETTLE_S = 0.15
"""Seconds for the last events of a trial to arrive."""

OpenWorld = Callable[[Path], EmbeddedWorld]


@dataclass(frozen=True)
class AttackVerdict:
    """Result of one attack."""

    attack: Attack
    state: Literal["blocked", "harmless", "breach"]
    """`blocked`: refused, stopped or killed; `harmless`: ran to its end without effect; `breach`: did harm."""
    outcome: str
    evidence: tuple[str, ...] = ()
    message: str = ""
    """Error message of the program."""


@dataclass(frozen=True)
class AttackReport:
    """Result of a run of the corpus."""

    verdicts: tuple[AttackVerdict, ...]
    seconds: float

    @property
    def breaches(self) -> tuple[AttackVerdict, ...]:
        """Verdicts of the attacks that did harm."""
        return tuple(verdict for verdict in self.verdicts if verdict.state == "breach")

    def by_class(self) -> dict[str, Counter[str]]:
        """Return the number of attacks by class and state."""
        counts: dict[str, Counter[str]] = {}
        for verdict in self.verdicts:
            counts.setdefault(verdict.attack.kind, Counter())[verdict.state] += 1
        return counts


def embedded(logs: Path, bodies: str = MINEFLAYER) -> EmbeddedWorld:
    """Return the world for the corpus; `bodies` is one of `bridge.worlds.BODIES`."""
    return EmbeddedWorld(seed=4, log_dir=logs, bodies=bodies)


async def run_corpus(
    attacks: Sequence[Attack],
    *,
    open_world: OpenWorld = embedded,
    on_verdict: Callable[[AttackVerdict], None] = lambda verdict: None,
) -> AttackReport:
    """Run all attacks, several at a time beside an honest player, and leave nothing behind.

    `open_world` creates the world, given a folder for logs. Raises BridgeError if the world cannot be started.
    """
    began = time.monotonic()
    verdicts: list[AttackVerdict] = []
    async with Canaries() as canaries:
        async with open_world(canaries.logs) as world:
            trials = _Trials(world, canaries, min(MAX_AT_ONCE, max(map(len, _batches(attacks)), default=0)))
            await trials.arena.open()
            for batch in _batches(attacks):
                for verdict in await trials.decide(batch):
                    verdicts.append(verdict)
                    on_verdict(verdict)
        told = canaries.told_in_logs()
    if told and verdicts:
        last = verdicts[-1]
        verdicts[-1] = replace(last, state="breach", evidence=(*last.evidence, *(f"{each} in a log" for each in told)))
    return AttackReport(tuple(verdicts), time.monotonic() - began)


def _batches(attacks: Sequence[Attack]) -> Iterator[list[Attack]]:
    """Yield batches of attacks of one class that may run at the same time."""
    for kind in dict.fromkeys(attack.kind for attack in attacks):
        own = [attack for attack in attacks if attack.kind == kind]
        size = AT_ONCE.get(kind, MAX_AT_ONCE)
        yield from (own[start : start + size] for start in range(0, len(own), size))


class _Trials:
    """Successive trials in one world."""

    def __init__(self, world: EmbeddedWorld, canaries: Canaries, seats: int) -> None:
        self._world = world
        self._canaries = canaries
        self.arena = TrialArena(world, seats)

    async def decide(self, batch: Sequence[Attack]) -> list[AttackVerdict]:
        """Return verdicts on a batch; harm without a known cause is sought again, one attack at a time."""
        verdicts, shared = await self._trial(batch)
        if not shared and not any(verdict.state == "breach" for verdict in verdicts):
            return verdicts
        if len(batch) == 1:
            verdict = _with(verdicts[0], shared)
            return [await self._alone(batch[0]) if of_time_alone(verdict.evidence) else verdict]
        alone = [await self._alone(attack) for attack in batch]
        if any(verdict.state == "breach" for verdict in alone) or not shared:
            return alone
        return await self._together(batch, alone, shared)

    async def _together(
        self, batch: Sequence[Attack], alone: list[AttackVerdict], shared: list[str]
    ) -> list[AttackVerdict]:
        """Return verdicts with the harm that no single attack repeated, except delays that do not recur."""
        looks = MORE_LOOKS
        while shared and of_time_alone(shared) and looks > 0:
            _, shared = await self._trial(batch)
            looks -= 1
        return [_with(alone[0], [f"together with others: {each}" for each in shared]), *alone[1:]]

    async def _alone(self, attack: Attack) -> AttackVerdict:
        """Return the verdict on one attack alone; delays count if they recur every time with the attack and not without
        it."""
        for _ in range(1 + MORE_LOOKS):
            (own,), shared = await self._trial([attack])
            verdict = _with(own, shared)
            if not verdict.evidence or not of_time_alone(verdict.evidence):
                return verdict
        _, busy = await self._trial([])
        return verdict if not busy else replace(verdict, state="harmless", evidence=())

    async def _trial(self, batch: Sequence[Attack]) -> tuple[list[AttackVerdict], list[str]]:
        """Play one trial and return the verdicts on each attack, and the harm done by any of them.

        A trial without attacks shows the machine's effect on the honest player.
        """
        arena = self.arena
        await arena.set_up()
        steps = MORE_STEPS if {attack.kind for attack in batch} & set(AT_ONCE) else STEPS
        attempts, programs = [], {arena.witness: arena.honest_program(steps, MAX_STEPS_S)}
        for attack, bot in zip(batch, arena.attackers, strict=False):
            marks = self._canaries.marks(arena.witness)
            attempts.append(AttackAttempt(attack, bot, str(marks["token"])))
            programs[bot] = attack.program(marks)
        pids = await arena.host_pids()
        async with _listening(self._world) as heard:
            limits = replace(LIMITS, wall_s=max([LIMITS.wall_s, *(attack.wall_s or 0 for attack in batch)]))
            results = await self._run(programs, limits)
            await asyncio.sleep(SETTLE_S)
            during = list(heard)
            shared = of_trial(during, results, arena.witness, self._canaries)
            shared += await asyncio.to_thread(self._canaries.touched, [*pids, *await arena.host_pids()])
            shared += await arena.harm(limits.wall_s)
            # On a busy machine the server sends a bot away only now, and `harm` has brought it back without a word.
            shared += losses(heard[len(during) :])
        limit = limits.wall_s * 1000
        return [
            _verdict(attempt, results[attempt.bot], of_attempt(attempt, during, results[attempt.bot], limit))
            for attempt in attempts
        ], shared

    async def _run(self, programs: dict[str, str], limits: Limits) -> dict[str, PolicyResult]:
        """Return the results of the programs; a failure of the whole bridge counts for each of them."""
        try:
            return await self._world.run(programs, limits)
        except (BridgeError, PrerequisiteError) as error:
            lost = PolicyResult("", ProgramOutcome.INFRASTRUCTURE)
            return {bot: replace(lost, bot=f"{bot} ({error})") for bot in programs}


@asynccontextmanager
async def _listening(world: EmbeddedWorld) -> AsyncIterator[list[Event]]:
    """Collect all events inside this context in a list."""
    heard: list[Event] = []
    listener = asyncio.create_task(_listen(world, heard))
    try:
        yield heard
    finally:
        listener.cancel()
        with suppress(asyncio.CancelledError):
            await listener


async def _listen(world: EmbeddedWorld, heard: list[Event]) -> None:
    async for event in world.events():
        heard.append(event)


def _verdict(attempt: AttackAttempt, result: PolicyResult, evidence: list[str]) -> AttackVerdict:
    if result.outcome is ProgramOutcome.INFRASTRUCTURE:
        evidence = [*evidence, "it passed for a failure of the machinery"]
    calm: Literal["blocked", "harmless"] = "harmless" if result.outcome is ProgramOutcome.RETURNED else "blocked"
    message = result.error.message if result.error else ""
    verdict = AttackVerdict(attempt.attack, calm, str(result.outcome), (), message)
    return _with(verdict, evidence)


def _with(verdict: AttackVerdict, evidence: Sequence[str]) -> AttackVerdict:
    """Return the verdict with more evidence; any evidence makes it a breach."""
    if not evidence:
        return verdict
    return replace(verdict, state="breach", evidence=(*verdict.evidence, *evidence))
