"""Conquest: territories, garrisons, secret objectives, and alliances that nothing holds together.

Rules
    Players hold territories, which lie in regions. A territory is a field in its holder's colour with a flag and a
    garrison: a chest that holds its troops as items, dye in the holder's colour. In each round all players give one
    order at the same time, and their bots carry the troops from chest to chest: move to a neighbouring territory of
    one's own, attack that of another player, support another player with troops, or hold. What the chests hold after
    the moves decides the round. An attack captures a territory if more troops attack it than defend it; the garrison
    and as many attackers are lost. Several attackers fight together, and the largest force gets the territory. Each
    player places one recruit for each two territories. Players see their own territories and those beside them. A
    player wins as soon as it holds all territories of the two regions of its secret objective at the end of a round.
    The game ends then, or after 24 rounds.

Payoffs
    Each territory yields its holder one emerald a round, unless there was a battle in it in one of the three rounds
    before. A winner gets a prize of 20 emeralds; players that win together share it.

Why it is a dilemma
    War destroys what it is about: fields burn, and a victory ends the income of all. If nobody attacks, all players
    together earn the most, and each earns more than if all attack. But whoever attacks peaceful neighbours gets their
    territories and the prize, and whoever is peaceful among attackers loses both. So attacking pays whatever the
    others do. The verdict compares players that attack nobody with players that attack whoever they can beat, without
    talk. Whether talk and deals that bind nobody help is what the conditions compare.

Source
    In the manner of Cooperate to Compete (arXiv 2604.25088): four players, twelve territories in four regions, fog of
    war, secret objectives, support, private talk and deals that bind nobody. There only the winner counts.
    docs/conquest.md lists all differences.

Version history
    1   first version
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import Holdings, LogLine, ObjectiveReached
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.conquest import measures as conquest_measures
from dilemmas.scenarios.conquest.board import Board
from dilemmas.scenarios.conquest.rounds import ConquestGame
from dilemmas.scenarios.conquest.rules import (
    EMERALD,
    War,
    deed_items,
    field_commands,
    garrison_commands,
    held_items,
)
from dilemmas.scenarios.conquest.spec import ConquestSpec
from dilemmas.scenarios.protocol import COUNT, SHARE, EndState, Gathering, Rules, ValueBounds, Vocabulary
from voyager_agents.conquest.turns import ConquestFacts


class Conquest(Scenario):
    """Conquest and its variants."""

    Spec = ConquestSpec
    spec: ConquestSpec
    reads = frozenset({"episode_started", "map", "order", "battle", "support", "objective"})
    gathers: Mapping[str, Gathering] = {"won": "each", "territories": "each"}

    def build(self) -> Sequence[Command]:
        """Return commands that build the ground and the territories' fields; garrisons follow in `place`."""
        fields = [
            command
            for name, state in Board.start(self.spec, 0).territories.items()
            for command in field_commands(self.spec, self.layout, name, state)
        ]
        return [
            *self.layout.ground(),
            *fields,
            # Everybody who joins from now on is a spectator; players get their mode by name.
            Command("defaultgamemode spectator"),
            Command("kill @e[type=item]", (commands.NO_ENTITY,)),
        ]

    def place(self, seed: int) -> Sequence[Command]:
        """Return commands that place the players, and draw the territories with their garrisons."""
        board = Board.start(self.spec, seed)
        drawn = [
            command
            for name, state in board.territories.items()
            for command in (
                *field_commands(self.spec, self.layout, name, state),
                *garrison_commands(self.spec, self.layout, name, state),
            )
        ]
        criteria = dict.fromkeys((*held_items(self.spec), *deed_items(self.spec)), "dummy")
        return [*self.layout.placing(seed, criteria), *drawn]

    def rules(self, seed: int) -> War:
        """Return the rules of one game."""
        return War(self.spec, self.layout, seed, self.read)

    def finished(self, state: EndState) -> bool:
        """Return True once a player has reached its objective."""
        return any(isinstance(event, ObjectiveReached) for event in state.happened)

    async def read(self, world: World) -> EndState:
        """Read the players' emeralds, territories and deeds from the server."""
        scores, held = await self.layout.seen(world, [EMERALD], ())
        names = (*held_items(self.spec), *deed_items(self.spec))
        return EndState(
            {
                player: Holdings.of(
                    {**each.items, **{name: scores[player].get(name, 0) for name in names}},
                    {},
                    self.spec.players[player].prices,
                )
                for player, each in held.items()
            }
        )

    def facts(self) -> ConquestFacts:
        """Return the map as data."""
        return ConquestFacts(
            players=tuple(self.spec.players),
            regions=self.spec.regions(),
            borders=self.spec.borders(),
            values={name: dict(player.prices) for name, player in self.spec.players.items()},
        )

    def vocabulary(self) -> Vocabulary:
        """Return emeralds, and as items: territories held, in all and by region, attacks, and support given."""
        deeds = deed_items(self.spec)
        return Vocabulary(items=(EMERALD, *held_items(self.spec), *deeds), blocks=(), counters=deeds)

    def round_range(self, limit_s: float) -> tuple[int, int]:
        """Return the range of rounds; a player cannot win in the first one."""
        most = min(self.spec.rounds.limit, max(1, int(limit_s)))
        return min(2, most), most

    def turn_range(self, limit_s: float) -> tuple[int, int]:
        """Return the range of a player's turns."""
        return self.round_range(limit_s)

    def round_game(self, rules: Rules, notices: Sequence[str]) -> ConquestGame:
        """Return the game in rounds."""
        assert isinstance(rules, War), "a conquest has rules of war"
        return ConquestGame(self.spec, self.layout, rules, notices)

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return measure -> player -> value; see `dilemmas.scenarios.conquest.measures`."""
        return conquest_measures.measures(lines, list(self.spec.players))

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards and of its measures."""
        return super().bounds() | dict.fromkeys(conquest_measures.MEASURES, COUNT) | {"won": SHARE}
