"""The regions of a mock world: each a process with the whole land and its share of the players, all with one clock.

Who is in one region never meets who is in another. Players are dealt out in the order in which they connect, and stay
where they are. Regions let time pass at the same time, on as many cores as there are.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from bridge.mock.exchange import Exchange
from bridge.mock.process import MockProcess, error_of
from bridge.mock.region import Look, Region
from bridge.servers.refusals import is_refusal
from bridge.types import Sensed, Senses
from bridge.wire import Json

MOST_REGIONS = 16
_NOTHING_THERE = ("No entity was found", "Test failed")
"""Accepted, but another region may have found what was asked for."""

T = TypeVar("T")
Hear = Callable[[list[dict[str, Json]]], None]
RunEnded = Callable[[int, dict[str, Json]], None]


def check_regions(count: int) -> None:
    """Raises ValueError when there cannot be so many."""
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= MOST_REGIONS:
        raise ValueError(f"regions is {count!r}: give a number from 1 to {MOST_REGIONS}")


class Regions:
    """All of one world; `hear`, `run_ended` and `time_passed` as `Exchange` has them. Raises ValueError as above."""

    def __init__(
        self,
        count: int,
        settings: dict[str, Json],
        log_file: Path,
        hear: Hear,
        run_ended: RunEnded,
        time_passed: Callable[[int], None],
    ) -> None:
        check_regions(count)
        self._count = count
        self._settings = settings
        self._log_file = log_file
        self._told = (hear, run_ended, time_passed)
        self._homes: dict[str, Region] = {}
        """Player -> where it is, or was when it left."""
        self._make()

    def _make(self) -> None:
        self._exchange = Exchange(self._write, *self._told, error_of, self._count)
        self._all = [
            Region(number, MockProcess(self._settings, self._log_file, self._exchange, number), self._exchange)
            for number in range(self._count)
        ]
        self._homes.clear()

    @property
    def several(self) -> bool:
        """Whether there is more than one."""
        return self._count > 1

    @property
    def started(self) -> bool:
        """Whether there are processes."""
        return any(each.process.started for each in self._all)

    @property
    def pids(self) -> tuple[int, ...]:
        """Their process ids; raises HostError when the world is not open."""
        return tuple(each.process.pid for each in self._all)

    def check(self) -> None:
        """Raises HostError when the world is not open or lost."""
        for each in self._all:
            each.process.check()

    async def start(self) -> None:
        """Returns when all take requests; raises what starting raises, leaving nothing behind."""
        try:
            await _each(each.process.start() for each in self._all)
        except BaseException:
            await self.stop()
            raise

    async def stop(self) -> None:
        """End all processes; safe to call twice."""
        await _each(each.process.stop() for each in self._all)

    async def renew(self, seed: int) -> None:
        """Every region as a world with that seed begins."""
        answers = await answered([each.ask("renew", seed=seed) for each in self._all])
        self._exchange.rewind()
        if any(each["worn"] for each in answers):
            # A process holds a thread or memory of a program that cannot be freed.
            await self.stop()
            self._settings["seed"] = seed
            self._make()
            await self.start()
        self._homes.clear()
        for region in self._all:
            region.renew()

    async def commands(self, texts: Sequence[str]) -> list[str]:
        """Run in every region; each one's reply is that of the first region that found what it is about."""
        answers = await self.ask_all("commands", texts=list(texts))
        return answers[0] if len(answers) == 1 else [_best(each) for each in zip(*answers, strict=True)]

    async def connect(self, names: Sequence[str]) -> None:
        """Join each in its region: the next one in turn for who is new."""
        for name in names:
            self._homes.setdefault(name, self._all[len(self._homes) % self._count])
        await self.ask_shares("connect", names)

    def region_of(self, names: Iterable[str]) -> Region:
        """Where these players are; the first region for who was never there. Raises ValueError for several."""
        wanted = list(names)
        found = {self._home(name).number for name in wanted}
        if len(found) > 1:
            raise ValueError(
                f"policies of {', '.join(wanted)}: they are in different regions of the mock world; run those of each "
                "region by themselves, or play with regions=1"
            )
        return self._all[found.pop()]

    async def ask_all(self, verb: str, **fields: Json) -> list[Json]:
        """The same of every region, all at once; their answers in order."""
        return await answered([each.ask(verb, **fields) for each in self._all])

    async def ask_shares(self, verb: str, names: Sequence[str], **fields: Json) -> None:
        """Of each region for its own of those bots; of the first where there are none."""
        shares = self._shares(names) or [(self._all[0], [])]
        await answered([region.ask(verb, bots=share, **fields) for region, share in shares])

    async def speak(self, lines: Sequence[tuple[str, str, str | None]]) -> None:
        """Each line is said where its speaker is, and heard there."""
        said: dict[int, list[list[str | None]]] = {} if lines else {0: []}
        for line in lines:
            said.setdefault(self._home(line[0]).number, []).append(list(line))
        await answered([self._all[number].ask("speak", lines=said[number]) for number in sorted(said)])

    def foreseen(self, names: Sequence[str], senses: Senses) -> dict[str, Sensed] | None:
        """What they sense, where all of it came with the time that passed and nothing was asked since."""
        found = [region.found((share, senses)) for region, share in self._shares(names)]
        known = [each for each in found if each is not None]
        return _in_order(names, known) if known and len(known) == len(found) else None

    async def sense(self, names: Sequence[str], senses: Senses) -> dict[str, Sensed]:
        """What they sense now; whoever is not there is missing."""
        found: list[Mapping[str, Sensed]] = []
        left = self._shares(names) or [(self._all[0], [])]
        while left:
            asked = [region.ask("sense", **region.views.of(senses).fields(share)) for region, share in left]
            again = []
            for (region, share), news in zip(left, await answered(asked), strict=True):
                seen = region.views.of(senses).take(share, news)
                if seen is None:
                    again.append((region, share))
                else:
                    found.append(seen)
            left = again
        return _in_order(names, found)

    async def advance(self, until: int | None, look: Look | None) -> int:
        """Let time pass in all regions that are younger, at the same time; returns where the clock stands.

        `look`: who senses what as soon as that tick is reached.
        """
        shares = {} if look is None else {region.number: (share, look[1]) for region, share in self._shares(look[0])}
        asked = [each for each in self._all if self._exchange.lags(each.number, until)]
        values = await answered([each.advance(until, shares.get(each.number)) for each in asked])
        for region, value in zip(asked, values, strict=True):
            region.took(shares.get(region.number), value)
        return self._exchange.age

    def _write(self, region: int, lines: bytes) -> None:
        self._all[region].process.write(lines)

    def _home(self, name: str) -> Region:
        return self._homes.get(name, self._all[0])

    def _shares(self, names: Sequence[str]) -> list[tuple[Region, list[str]]]:
        """Each region that has some of those players, in order, with its own in the order in which they were named."""
        shares: dict[int, list[str]] = {}
        for name in names:
            shares.setdefault(self._home(name).number, []).append(name)
        return [(self._all[number], shares[number]) for number in sorted(shares)]


async def answered(answers: Sequence[asyncio.Future[T]]) -> list[T]:
    """All those answers, when all are there; raises the first one's error that is one."""
    if len(answers) > 1:
        try:
            await asyncio.wait(answers)
        except asyncio.CancelledError:
            for each in answers:
                each.cancel()
            raise
        for each in answers:
            each.exception()  # one error is told, all are seen
    return [await each for each in answers]


async def _each(works: Iterable[Coroutine[None, None, None]]) -> None:
    """All at once; when all are done, raises the first one's error that is one."""
    tasks = [asyncio.ensure_future(work) for work in works]
    await answered(tasks)


def _in_order(names: Sequence[str], found: Sequence[Mapping[str, Sensed]]) -> dict[str, Sensed]:
    if len(found) == 1:
        return dict(found[0])
    whole = {name: each for share in found for name, each in share.items()}
    return {name: whole[name] for name in names if name in whole}


def _best(replies: Sequence[str]) -> str:
    """The first that found something, else the first that did not refuse, else the first refusal."""
    return min(replies, key=_worth)


def _worth(reply: str) -> int:
    if is_refusal(reply):
        return 2
    return int(reply == "" or reply.startswith(_NOTHING_THERE))
