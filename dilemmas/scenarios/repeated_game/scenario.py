"""A repeated game: a stage game that is given by its payoffs, chosen in the world, paid in emeralds, played again.

Rules
    Each player sits in a booth of its own with a row of devices: pressure plates, levers or chests. In each stage of a
    round all players who have a choice make it at the same time, by one of their devices. What counts is what the
    world shows when the stage is over; for who shows nothing a stand-in chooses. After the round everybody is paid, and
    sits in its booth again. There may be a known, an unknown or a random number of rounds, and hands may tremble. The
    file beside this module is the prisoner's dilemma; other tables and games are variants of a few lines.

Payoffs
    As the game's table or law says, in emeralds: with Axelrod's numbers 3 each for cooperation of both, 1 each for
    defection of both, 5 for the defector and 0 for the cooperator where they differ. Whoever can lose has enough at
    the start.

Why it is a dilemma
    In the prisoner's dilemma defection pays more whatever the other does, and both are worse off for it than if both
    had cooperated: greed and fear both say no. Repeated without a known end, cooperation can hold by reciprocity, if
    the future weighs enough; with a known end the last round has no future, and so, by backward induction, no round
    has. Variants are other games: in the stag hunt fear alone stands against cooperation, in chicken greed alone, in
    the battle of the sexes both want to meet and differ in where; public goods are the dilemma of many.

Source
    Rapoport and Chammah (1965) and Axelrod (1984) for the prisoner's dilemma; Macy and Flache (2002) for greed and
    fear; Ledyard (1995) and Fehr and Gaechter (2000) for public goods; Nowak and Sigmund (1998) for the donor game;
    Gueth, Schmittberger and Schwarze (1982) for the ultimatum game; Berg, Dickhaut and McCabe (1995) for trust.

Version history
    1   first version
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bridge.worlds import World
from common.answers.stand_ins import StandIn
from contracts import Contract
from contracts.institutions.frame import HostSlots, PartSettings
from contracts.institutions.game_devices import CHOICES
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import Holdings, LogLine
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.loader import explain_error
from dilemmas.scenarios.protocol import COUNT, EndState, Gathering, Rules, ValueBounds, Vocabulary
from dilemmas.scenarios.repeated_game import layout as places
from dilemmas.scenarios.repeated_game import measures as game_measures
from dilemmas.scenarios.repeated_game.dealer import ROUNDS_LEFT, UNITS, Dealer, choice_objective, unit_commands
from dilemmas.scenarios.repeated_game.defaults import BLOCK
from dilemmas.scenarios.repeated_game.devices import Devices
from dilemmas.scenarios.repeated_game.rounds import GameInRounds
from dilemmas.scenarios.repeated_game.spec import RepeatedGameSpec
from voyager_agents.facts import StageGame
from voyager_agents.stage_games.contracts import fining

PAID = ("emerald", "emerald_block")


class RepeatedGame(Scenario):
    """A repeated game and its variants."""

    Spec = RepeatedGameSpec
    civic_slots = HostSlots(fills=(CHOICES,), carries=())
    spec: RepeatedGameSpec
    reads = frozenset({"episode_started", "game_begun", "option", "round_played"})
    stand_ins = ("random", "last", "reference")
    gathers: Mapping[str, Gathering] = dict.fromkeys(game_measures.MEANS, "mean")

    def __init__(self, spec: RepeatedGameSpec, path: Path) -> None:
        super().__init__(spec, path)
        self.devices = Devices(spec)

    def build(self) -> Sequence[Command]:
        """Return commands that build booths and devices."""
        return [
            *self.layout.ground(),
            *self.devices.build(),
            # Everybody who joins from now on is a spectator; players get their mode by name.
            Command("defaultgamemode spectator"),
            Command("kill @e[type=item]", (commands.NO_ENTITY,)),
        ]

    def place(self, seed: int) -> Sequence[Command]:
        """Return commands that put players in their seats with their first emeralds, counts of choices at zero."""
        criteria = {choice_objective(option): "dummy" for option in self.spec.law.names()}
        given = []
        if not self.spec.law.paid:
            criteria[UNITS] = "dummy"
            given = unit_commands(self.spec.law)
        if self.spec.start:
            blocks, rest = divmod(self.spec.start, BLOCK)
            amounts = [(f"minecraft:{item}", count) for item, count in zip(PAID, (rest, blocks), strict=True) if count]
            given += [Command(f"give {name} {item} {count}") for name in self.spec.players for item, count in amounts]
        ready = self.devices.ready(list(self.spec.players))
        return [*self.layout.placing(seed, criteria), *given, *ready]

    def rules(self, seed: int) -> Dealer:
        """Return the dealer of one game, with the seed's chance."""
        return Dealer(self.spec, self.devices, self.read, seed)

    def finished(self, state: EndState) -> bool:
        """Return True after the last round."""
        return state.world.get(ROUNDS_LEFT) == 0

    async def read(self, world: World) -> EndState:
        """Read the players' holdings and counts of choices from the server."""
        scores, held = await self.layout.seen(world, PAID, ())
        counts = {name: choice_objective(name) for name in self.spec.law.names()}
        if not self.spec.law.paid:
            # A unit on account counts as an emerald that the player holds.
            counts["emerald"] = UNITS
        return EndState(
            {
                player: Holdings.of(
                    {**each.items, **{name: scores[player].get(objective, 0) for name, objective in counts.items()}},
                    {},
                    self.spec.players[player].prices,
                )
                for player, each in held.items()
            }
        )

    def facts(self) -> StageGame:
        """Return the game as data."""
        spec = self.spec
        count = spec.law.widest()
        return StageGame(
            players=tuple(spec.players),
            law=spec.law,
            repetition=spec.repetition,
            values={name: dict(player.prices) for name, player in spec.players.items()},
            by=spec.by,
            devices={name: tuple(self.devices.cell(name, number) for number in range(count)) for name in spec.players},
            seats={name: self.layout.cell(places.seat(spec.booth(name))) for name in spec.players},
            stage_s=spec.rules.stage_s,
        )

    def vocabulary(self) -> Vocabulary:
        """Return emeralds, and options as items: an option counts how often a player chose it."""
        options = tuple(self.spec.law.names())
        return Vocabulary(items=(*PAID, *options), blocks=(), counters=options)

    def draft_contract(self, condition: str) -> Contract | None:
        """Return the contract of a condition that has it made from the game, else None."""
        chosen = self.spec.conditions.get(condition)
        if chosen is None or not chosen.generated:
            return None
        return fining(self.spec.law, chosen.fine)

    def with_rounds(self, rounds: int) -> Mapping[str, Any]:
        """Return changes to `rounds` rounds, known or unknown as now; a random end gets a maximum."""
        given = self.spec.repeated
        key = "most" if given.random is not None else "unknown" if given.unknown is not None else "known"
        return {"repeated": {key: rounds}}

    def with_stand_in(self, stand_in: StandIn) -> Mapping[str, Any]:
        """Return the changes to the rules, which players read."""
        return {"rules": {"default": stand_in}}

    def round_range(self, limit_s: float) -> tuple[int, int]:
        """Return the range of stages of a game, at most one for each second of the time limit."""
        repetition, stages = self.spec.repetition, len(self.spec.law.stages)
        most = min(stages * repetition.rounds, max(1, int(limit_s)))
        ends_early = bool(repetition.stops or self.spec.law.state())
        return (min(stages, most) if ends_early else most), most

    def turn_range(self, limit_s: float) -> tuple[int, int]:
        """Return the range of a player's turns; at least 0 if chance or role may leave it without a choice."""
        least, most = self.round_range(limit_s)
        law = self.spec.law
        always = all(
            law.options(stage, player, roles)
            for roles in law.situations()
            for stage in range(len(law.stages))
            for player in law.players
        )
        return (least if always else 0), most

    def under(self, institutions: Mapping[str, PartSettings]) -> RepeatedGame:
        """Return the game with the device that these institutions name. Raises ValueError."""
        given = {name: each.model_dump(mode="json") for name, each in institutions.items()}
        if given == self.spec.institutions:
            return self
        data = self.spec.model_dump(mode="json", by_alias=True, exclude_unset=True, exclude={"text"})
        try:
            return RepeatedGame(RepeatedGameSpec.model_validate({**data, "institutions": given}), self.path)
        except ValidationError as error:
            raise ValueError(explain_error(error, RepeatedGameSpec)) from None

    def round_game(self, rules: Rules, notices: Sequence[str]) -> GameInRounds:
        """Return the game in rounds."""
        assert isinstance(rules, Dealer), "a repeated game has a dealer"
        return GameInRounds(self.spec, self.devices, rules, notices)

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return measure -> player -> value; see `dilemmas.scenarios.repeated_game.measures`."""
        return game_measures.measures(lines, self.spec.law)

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards, which may be negative if nobody pays them, and of measures."""
        return {
            **({"reward": COUNT} if self.spec.law.paid or self.spec.law.worst() >= 0 else {}),
            **game_measures.BOUNDS,
        }
