"""Rules of a taxed village: those of the village, a storehouse that is refilled, seasons.

In a season all constituents' inventories and all community chests are read from the server at every step. At its end
the chests are emptied into a treasury that nobody can reach, so that they never fill up. Items that are put in while
they are emptied are paid as well: the chests are read once more, and only items that were read are ever removed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from bridge.worlds import World
from contracts.institutions.assembly import Summons
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import Layout
from dilemmas.records.events import Event, SeasonClosed, SeasonOpened, TaxMoved
from dilemmas.scenarios.protocol import EndState, Rules
from dilemmas.scenarios.taxation.chests import CommunityChests, Held, sum_contents
from dilemmas.scenarios.taxation.collector import Collector, Move
from dilemmas.scenarios.taxation.spec import TaxationSpec


class TaxedScenario(Protocol):
    """Parts of the scenario that the rules need."""

    spec: TaxationSpec

    @property
    def layout(self) -> Layout:
        """The scenario's layout."""

    def stock(self) -> Sequence[Command]:
        """Return commands that refill the market's chests."""


class Season:
    """One open season."""

    def __init__(self, number: int, spec: TaxationSpec, held: Held, at: Mapping[str, tuple[int, int, int]]) -> None:
        self.number = number
        self.held = {name: sum(items.values()) for name, items in held.items()}
        self.paid: dict[str, int] = dict.fromkeys(held, 0)
        self.times: dict[str, set[float]] = {name: set() for name in held}
        """Player -> times of its payments."""
        self.taken: dict[str, int] = {}
        self.present: set[str] = set()
        self.unattributed: dict[str, int] = {}
        self._spec = spec
        middle = {name: (x + 0.5, y + 0.5, z + 0.5) for name, (x, y, z) in at.items()}
        self._collector = Collector(middle, spec.rules.reach, spec.rules.settle_s)

    def add_state(
        self, t_s: float, chests: Held, held: Held, places: Mapping[str, tuple[float, float, float]]
    ) -> list[Event]:
        """Add the state of a step and return its payments.

        Args:
            t_s: Second of the step.
            chests: Chest -> item -> count.
            held: Constituent -> item -> count.
            places: Constituent -> position.
        """
        self.present |= {name for name, place in places.items() if self._collector.at_a_chest(place)}
        return self._book(self._collector.add_state(t_s, chests, held, places))

    def close_accounts(self) -> list[Event]:
        """Close the accounts and return the moves that nobody could be found for."""
        return self._book(self._collector.close_accounts())

    def state(self, player: str, here: bool) -> str:
        """Return the state of a constituent's duty."""
        if not here:
            return "gone"
        if self.paid[player] > 0:
            return "paid_again" if len(self.times[player]) > 1 else "paid"
        if not self.held[player]:
            return "nothing_held"
        return "present" if player in self.present else "absent"

    def _book(self, moves: Sequence[Move]) -> list[Event]:
        events: dict[tuple[float, str, str, bool], dict[str, int]] = {}
        for move in moves:
            items = events.setdefault((move.t_s, move.player, move.chest, move.taken), {})
            items[move.item] = items.get(move.item, 0) + move.count
            sign = -1 if move.taken else 1
            if move.player in self.paid:
                self.paid[move.player] += sign * move.count
                if not move.taken:
                    self.times[move.player].add(move.t_s)
            elif not move.player:
                self.unattributed[move.item] = self.unattributed.get(move.item, 0) + sign * move.count
        return [
            TaxMoved(t_s=t_s, season=self.number, player=player, chest=chest, items=items, taken=taken)
            for (t_s, player, chest, taken), items in events.items()
        ]


class TaxedLife(Rules):
    """Rules of one attempt."""

    def __init__(self, scenario: TaxedScenario, village: Rules) -> None:
        """Wrap `village`, the rules of the village."""
        self._scenario = scenario
        self._spec = scenario.spec
        self._village = village
        self._at = {name: scenario.layout.cell(each.at) for name, each in self._spec.world.community_chests.items()}
        self._chests = CommunityChests(self._at, self._spec.constituents)
        self._windows = self._spec.rules.seasons.windows()
        self._restocked = 0
        self._season: Season | None = None
        self._calls: list[Summons] = []
        self._schedule_told = False

    def announcements(self) -> Sequence[Summons]:
        """Return notices of seasons that start and end."""
        calls, self._calls = self._calls, []
        return calls

    async def step(self, world: World, t_s: float) -> EndState:
        """Apply all changes that are due."""
        await self._village.step(world, t_s)
        if not self._schedule_told:
            self._tell_schedule()
        if int(t_s / self._spec.rules.restock_s) > self._restocked:
            self._restocked = int(t_s / self._spec.rules.restock_s)
            await commands.give(world, self._scenario.stock())
        happened: list[Event] = []
        if self._season is not None:
            happened += await self._look(world, t_s)
        elif self._windows and t_s >= self._windows[0][0]:
            happened += await self._open(world, t_s)
        return EndState({}, happened=tuple(happened))

    async def _open(self, world: World, t_s: float) -> list[Event]:
        number = self._spec.rules.seasons.count - len(self._windows) + 1
        chests, held = await self._chests.read(world, people_first=True)
        self._season = Season(number, self._spec, held, self._at)
        self._season.add_state(t_s, chests, held, await self._places(world))
        closes = self._windows[0][1]
        self._announce_season("season_open", f"Tax season {number} is open until second {closes:g}.", number)
        return [SeasonOpened(t_s=t_s, season=number, closes_s=closes, held=held, chests=chests, at=dict(self._at))]

    async def _look(self, world: World, t_s: float) -> list[Event]:
        season = self._season
        assert season is not None
        chests, held = await self._chests.read(world)
        events = season.add_state(t_s, chests, held, await self._places(world))
        if t_s < self._windows[0][1]:
            return events
        return [*events, *await self._close(world, t_s, season)]

    async def _close(self, world: World, t_s: float, season: Season) -> list[Event]:
        """Empty the chests, and count what has come in until then as paid."""
        taken = await self._chests.empty(world)
        left, held = await self._chests.read(world)
        chests = sum_contents(taken, left)
        events = [*season.add_state(t_s, chests, held, await self._places(world)), *season.close_accounts()]
        self._season = None
        self._windows = self._windows[1:]
        self._announce_season("season_over", f"Tax season {season.number} is over.", season.number)
        closed = SeasonClosed(
            t_s=t_s,
            season=season.number,
            paid={name: max(0, count) for name, count in season.paid.items()},
            held=season.held,
            state={name: season.state(name, name in held) for name in season.paid},
            chests=chests,
            unattributed={item: count for item, count in season.unattributed.items() if count},
            balanced=not any(season.unattributed.values()),
        )
        return [*events, closed]

    async def _places(self, world: World) -> dict[str, tuple[float, float, float]]:
        """Return the positions of constituents."""
        places = await commands.positions(world, list(self._spec.players))
        return {name: places[name] for name in self._spec.constituents if name in places}

    def _tell_schedule(self) -> None:
        self._schedule_told = True
        seasons = self._spec.rules.seasons
        text = (
            f"Tax is due in {seasons.count} seasons, one every {seasons.every_s:g} seconds. A season is the last "
            f"{seasons.window_s:g} seconds of that time. Each of you goes to a community chest by itself."
        )
        everybody = tuple(self._spec.players)
        windows = [list(window) for window in self._windows]
        self._calls.append(Summons("seasons", everybody, text, {"windows": windows}))

    def _announce_season(self, kind: str, text: str, season: int) -> None:
        self._calls.append(Summons(kind, tuple(self._spec.players), text, {"season": season}))
