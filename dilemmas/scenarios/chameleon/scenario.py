"""Games of hidden roles by words: Chameleon, and as variants Undercover and others. They need no world.

Rules
    All players see a card with a topic and some words. One word is the secret of all players but one. In turn each
    gives a clue, of which all read every word. Then all vote at once for who does not share the secret. If the player
    with the most votes is the right one, it may still guess the secret word. In Chameleon the odd player knows that it
    has no word; in Undercover it has a similar word, and nobody is told a role. A run has several games, in which each
    player is the odd one equally often, as the seed decides.

Payoffs
    In points: 2 for the odd player that is not accused, 1 if it is and names the word, else 2 for each of the others.

Source
    Chameleon and Undercover as in MAgIC (Xu et al., arXiv 2311.08562), whose measures are computed. Ours are the cards,
    the points, the tie that accuses nobody, and that a clue is one word by default and is never given twice.

Version history
    1   first version
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

from bridge.worlds import World
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import LogLine
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.chameleon import measures as word_measures
from dilemmas.scenarios.chameleon.rounds import GAMES_LEFT, HiddenRoleGame, Host
from dilemmas.scenarios.chameleon.spec import POINT, ChameleonSpec, stages_of
from dilemmas.scenarios.protocol import COUNT, SHARE, EndState, Gathering, Rules, ValueBounds, Vocabulary
from dilemmas.scenarios.spec import Observable
from voyager_agents.hidden_roles.turns import HiddenRoleFacts


class Chameleon(Scenario):
    """A game of hidden roles and its variants."""

    Spec = ChameleonSpec
    spec: ChameleonSpec
    permitted: ClassVar[frozenset[Observable]] = frozenset({"scenario", "facts"})
    reads = frozenset({"episode_started", "roles_dealt", "word_said", "roles_revealed"})
    gathers: Mapping[str, Gathering] = dict.fromkeys(word_measures.MEANS, "mean")

    def build(self) -> Sequence[Command]:
        """Return no commands: the game is not in the world."""
        return []

    def place(self, seed: int) -> Sequence[Command]:
        """Return no commands: nobody is in the world."""
        return []

    def rules(self, seed: int) -> Host:
        """Return the host of all games, with the seed's cards and roles."""
        return Host(self.spec, seed)

    def finished(self, state: EndState) -> bool:
        """Return True after the last game."""
        return state.world.get(GAMES_LEFT) == 0

    async def read(self, world: World) -> EndState:
        """Return an empty state: the host holds the points."""
        return EndState({})

    def facts(self) -> HiddenRoleFacts:
        """Return rules and cards as data."""
        spec = self.spec
        values = {name: dict(player.prices) for name, player in spec.players.items()}
        return HiddenRoleFacts(tuple(spec.players), spec.game.rules(), spec.game.deck(), values, spec.games)

    def vocabulary(self) -> Vocabulary:
        """Return points as items."""
        return Vocabulary((POINT,), ())

    def with_rounds(self, rounds: int) -> Mapping[str, Any]:
        """Return the changes to a number of games."""
        return {"games": rounds}

    def round_range(self, limit_s: float) -> tuple[int, int]:
        """Return the range of stages; an accused odd player guesses in one more."""
        most = stages_of(self.spec.game, len(self.spec.players))
        limit = max(1, int(limit_s))
        least = (most - self.spec.game.guess) * self.spec.games
        return min(least, limit), min(most * self.spec.games, limit)

    def turn_range(self, limit_s: float) -> tuple[int, int]:
        """Return the range of a player's turns: its clues and votes, and its guesses when it is the odd player."""
        spec = self.spec
        own = (spec.game.clue_rounds + 1) * spec.games
        odd = -(-spec.games // len(spec.players)) * spec.game.guess
        _, most = self.round_range(limit_s)
        whole = self.round_range(spec.end.time_limit_s)[1]
        return (own if most == whole else 0), min(own + odd, most)

    def round_game(self, rules: Rules, notices: Sequence[str]) -> HiddenRoleGame:
        """Return the games in rounds."""
        assert isinstance(rules, Host), "a game of hidden roles has a host"
        return HiddenRoleGame(rules, notices)

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return measure -> player -> value; see `dilemmas.scenarios.chameleon.measures`."""
        return word_measures.measures(lines, list(self.spec.players))

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of rewards and of its measures."""
        return (
            super().bounds()
            | dict.fromkeys((*word_measures.MEANS, "caught", "accused"), SHARE)
            | dict.fromkeys(("games", "faults"), COUNT)
        )
