"""Rules of a repeated game in one attempt: read choices, count them, pay, and prepare the next stage."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from fractions import Fraction

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import Event, GameBegun, RoundPlayed
from dilemmas.scenarios.protocol import EndState, Rules
from dilemmas.scenarios.repeated_game.defaults import BLOCK
from dilemmas.scenarios.repeated_game.devices import Devices
from dilemmas.scenarios.repeated_game.spec import EXCHANGE_ROUNDS, RepeatedGameSpec
from voyager_agents.stage_games.laws import Roles, StageLaw, share
from voyager_agents.stage_games.match import PlayedRound, cooperation
from voyager_agents.stage_games.stand_ins import GameStandIns
from voyager_agents.stage_games.theory import selfish_total

ROUNDS_LEFT = "rounds_left"
"""Key of `EndState.world` that holds the number of rounds left."""
UNITS = "units"
"""Scoreboard objective with the accounts of players in a game that is not paid in emeralds."""
SETTLE_S = 0.15
"""Pause between two stages in rounds, in seconds of game time: servers report positions and blocks late."""
MAX_SCORE = 2**31 - 1
"""Highest score of the scoreboard."""
MIN_CHANGE = 64
"""Emeralds that are changed at once for a player that lacks single ones."""


class Dealer(Rules):
    """Dealer of one game. A stage is over when all have moved (in rounds) or when its time is over."""

    def __init__(
        self, spec: RepeatedGameSpec, devices: Devices, read: Callable[[World], Awaitable[EndState]], seed: int
    ) -> None:
        """Start a game; `read` is `Scenario.read`."""
        self._spec = spec
        self._devices = devices
        self._read = read
        self._emerald = share(spec.emerald)
        self.match = spec.match(seed)
        self.stood_in: Mapping[str, str] = {}
        """Player -> stand-in that chose for it in the last stage."""
        self._stand_ins = GameStandIns(self.match, spec.rules.default)
        self.in_rounds = False
        """True if each step is a stage in which players have moved; else a stage takes `stage_s`."""
        self._begun = False
        self._due = 0.0

    async def step(self, world: World, t_s: float) -> EndState:
        """Settle the stage that is over by `t_s`, if any, and read the state."""
        happened: list[Event] = []
        if not self._begun:
            self._begun = True
            self._due = self._stage_s
            happened.append(game_event(self._spec, self.match.last))
        elif not self.match.over and t_s >= self._due:
            # Stages follow the programs' clock; after a late step the next stage lasts at least half its time.
            self._due = max(self._due + self._stage_s, t_s + self._stage_s / 2)
            happened += await self._settle(world)
            if self.in_rounds and not self.match.over:
                await world.sleep(SETTLE_S)
        state = await self._read(world)
        left = 0 if self.match.over else self.match.last - len(self.match.history)
        return EndState(state.players, world={ROUNDS_LEFT: left}, happened=tuple(happened))

    @property
    def _stage_s(self) -> float:
        return 1.0 if self.in_rounds else self._spec.rules.stage_s

    async def _settle(self, world: World) -> list[Event]:
        match = self.match
        options = {player: match.options(player) for player in self._spec.players}
        picked, self.stood_in = self._stand_ins.fill(await self._devices.picked(world, options))
        law = match.law
        played = match.choose(picked, self.stood_in)
        counted = match.choices[-1] if played is None else played.choices[-1]
        # Contracts count what a player chose: the choice of a stand-in is not the player's.
        given = [
            Command(f"scoreboard players add {player} {choice_objective(option)} 1")
            for player, option in counted.items()
            if player not in self.stood_in
        ]
        given += self._devices.ready(list(self._spec.players))
        if played is None:
            await commands.give(world, given)
            return []
        if law.paid:
            await self._pay(world, played.payoffs, given)
        else:
            await commands.give(world, [*given, *unit_commands(match.law)])
        if law.paid and played.number % EXCHANGE_ROUNDS == 0:
            await self._exchange(world)
        if not self.in_rounds:
            await commands.ask(world, Command(f"say {round_announcement(played)}"))
        images = match.images() if law.scored else {}
        return [round_event(law, played, images, match.types[-1])]

    async def _pay(self, world: World, payoffs: Mapping[str, Fraction], also: list[Command]) -> None:
        """Pay a round in emeralds. Players that owe some were given enough at the start."""
        counts = {player: int(amount / self._emerald) for player, amount in payoffs.items()}
        owing = {player: -count for player, count in counts.items() if count < 0}
        if owing:
            await self._change(world, owing)
        paid = [
            Command(f"give {player} minecraft:emerald {count}")
            if count > 0
            else Command(f"clear {player} minecraft:emerald {-count}", (commands.NOTHING_HELD,))
            for player, count in counts.items()
            if count
        ]
        await commands.give(world, [*also, *paid])

    async def _change(self, world: World, owing: Mapping[str, int]) -> None:
        """Change blocks to emeralds for players that hold too few single ones for their debt."""
        held = await commands.held(world, list(self._spec.players), "emerald")
        given = []
        for player, owed in owing.items():
            short = owed - held.get(player, 0)
            if short > 0:
                blocks = -(-max(short, MIN_CHANGE) // BLOCK)
                given += await self._broken(world, player, blocks)
        await commands.give(world, given)

    async def _broken(self, world: World, player: str, blocks: int) -> list[Command]:
        """Return commands that change as many of `blocks` blocks as the player has."""
        have = (await commands.held(world, list(self._spec.players), "emerald_block")).get(player, 0)
        count = min(blocks, have)
        return exchange_commands(player, "emerald_block", count, "emerald", BLOCK * count) if count else []

    async def _exchange(self, world: World) -> None:
        """Change emeralds to blocks, so that they do not fill the players' inventories."""
        held = await commands.held(world, list(self._spec.players), "emerald")
        given = [
            command
            for player, count in held.items()
            if count >= BLOCK
            for command in exchange_commands(player, "emerald", count - count % BLOCK, "emerald_block", count // BLOCK)
        ]
        await commands.give(world, given)


def exchange_commands(player: str, item: str, count: int, other: str, number: int) -> list[Command]:
    """Return commands that take `count` of `item` from `player` and give `number` of `other`."""
    return [
        Command(f"clear {player} minecraft:{item} {count}", (commands.NOTHING_HELD,)),
        Command(f"give {player} minecraft:{other} {number}"),
    ]


def unit_commands(law: StageLaw) -> list[Command]:
    """Return commands that show on the scoreboard what players have, in whole units, rounded down."""
    held = {player: min(MAX_SCORE, int(law.held(player))) for player in law.players}
    return [Command(f"scoreboard players set {player} {UNITS} {amount}") for player, amount in held.items()]


def choice_objective(option: str) -> str:
    """Return the scoreboard objective that counts a player's choices of an option."""
    return f"chose_{option}"


def game_event(spec: RepeatedGameSpec, rounds: int) -> GameBegun:
    """Return the event of the game's start."""
    law = spec.law
    return GameBegun(
        form=law.form,
        stages=list(law.stages),
        options={player: _options(law, player) for player in law.players},
        best=float(law.best()),
        selfish=float(selfish_total(law)),
        start=float(spec.start * share(spec.emerald)),
        rounds=rounds,
        told=spec.repetition.told,
        theory=spec.theory,
    )


def _options(law: StageLaw, player: str) -> list[str]:
    """Return the options of the first stage in which the player has some."""
    found = (law.options(stage, player, roles) for roles in law.situations() for stage in range(len(law.stages)))
    return list(next((each for each in found if each), ()))


def round_event(
    law: StageLaw, played: PlayedRound, images: Mapping[str, int], types: Mapping[str, Fraction]
) -> RoundPlayed:
    """Return the event of a played round.

    Args:
        law: Law of the game.
        played: The round.
        images: Player -> image score after the round.
        types: Player -> private type in the round.
    """
    return RoundPlayed(
        round=played.number,
        roles={player: _role(played.roles, player) for player in law.players},
        choices=[dict(each) for each in played.choices],
        cooperation=cooperation(law, played),
        payoffs={player: float(amount) for player, amount in played.payoffs.items()},
        trembled=[dict(each) for each in played.trembled if any(played.trembled)],
        absent=[list(each) for each in played.stood_in if any(played.stood_in)],
        stood_in=[dict(each) for each in played.stood_in if any(played.stood_in)],
        images=dict(images),
        types={player: float(private) for player, private in types.items()},
        state={name: float(amount) for name, amount in law.state().items()},
        carried=dict(law.carried(played.choices)),
    )


def round_announcement(played: PlayedRound) -> str:
    """Return the round as one line of the game's chat."""
    told = [f"{player} {option}" for choices in played.choices for player, option in choices.items()]
    return f"round {played.number}: {', '.join(told)}"


def _role(roles: Roles, player: str) -> str:
    if player not in roles:
        return "waiting"
    role = roles[player]
    return f"{role.name} of {role.partner}" if role.name and role.partner else role.name
