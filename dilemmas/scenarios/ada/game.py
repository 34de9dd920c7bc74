"""AdaSociety's games as scenarios: played on arrays, in no world; `dilemmas.modes.grid` plays them.

Rewards are in the game's own value, which stands for emeralds: contracts move it, and the judge reads inventories.
`NAME.mined.EVENT` is how often a player has run an event, `NAME.items.RESOURCE` what it holds at the end.

Source of all of them
    AdaSociety (NeurIPS 2024 Datasets and Benchmarks, arXiv 2411.03865), sections 3 and 4, appendices A and C, tables
    4, 5 and 7. What the paper does not say (numbers of piles, lengths, view) is as in the authors' code; where they
    differ, the paper counts and the code is a condition or a variant.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from bridge.worlds import World
from dilemmas.minecraft.commands import Command
from dilemmas.records.events import LogLine
from dilemmas.scenarios.ada.measures import BOUNDS, COMPLETION, measures
from dilemmas.scenarios.ada.samples import sample_plans, sample_texts
from dilemmas.scenarios.ada.spec import GridSpec, prices_of
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import COUNT, EndState, Rules, ValueBounds, Vocabulary
from dilemmas.scenarios.spec import Observable
from grid_games import GridGame
from grid_games.text import common_rules
from voyager_agents.facts import GridFacts
from voyager_agents.grid import GridTexts, PlanTexts


class AdaGame(Scenario):
    """One of AdaSociety's games and its variants."""

    Spec = GridSpec
    spec: GridSpec
    permitted: ClassVar[frozenset[Observable]] = frozenset(
        {"scenario", "facts", "contract", "inventories", "reward", "judge_critique"}
    )
    """Parts of an observation that players may be shown before a game; in the game they see its own view."""
    stand_ins = ("idle", "random", "last")

    def grid_game(self, condition: str) -> GridGame:
        """Return the game that is played under a condition."""
        return self.spec.game_of(condition)

    def choice_range(self, limit_s: float) -> tuple[int, int]:
        """Return the minimum and maximum number of steps with a choice in a game with that time limit."""
        return choice_range(self.spec.game_of(""), int(limit_s))

    def build(self) -> Sequence[Command]:
        """Return no commands: the game is not in the world."""
        return []

    def place(self, seed: int) -> Sequence[Command]:
        """Return no commands: nobody is in the world."""
        return []

    def rules(self, seed: int) -> GridRules:
        """Return the seed of the game, whose rules are its own."""
        return GridRules(seed)

    def finished(self, state: EndState) -> bool:
        """Return False: the game ends at its last step."""
        return False

    async def read(self, world: World) -> EndState:
        """Return an empty state: the mode of play reads the game's arrays."""
        return EndState({})

    def facts(self) -> GridFacts:
        """Return the values of resources and the rules of the game that no condition changes."""
        return self.facts_under("")

    def facts_under(self, condition: str) -> GridFacts:
        """Return the values of resources and the rules of the game under that condition."""
        game = self.spec.game_of(condition)
        return GridFacts(game.names, prices_of(game), tuple(common_rules(game)))

    def sample_texts(self, player: str) -> GridTexts:
        """Return texts of a game that is played at random, for one player."""
        return sample_texts(self.spec.game_of(""), list(self.spec.players).index(player))

    def sample_plans(self, player: str) -> PlanTexts:
        """Return questions for a plan in a game that is played at random, for one player."""
        return sample_plans(self.spec.game_of(""), list(self.spec.players).index(player))

    def vocabulary(self) -> Vocabulary:
        """Return the game's resources as items and its events as blocks."""
        game = self.spec.game_of("")
        return Vocabulary(tuple(each.name for each in game.resources), tuple(each.name for each in game.recipes))

    def measures(self, lines: Iterable[LogLine]) -> dict[str, dict[str, float]]:
        """Return the paper's measures; see `dilemmas.scenarios.ada.measures`."""
        return measures(lines)

    def bounds(self) -> dict[str, ValueBounds]:
        """Return the bounds of its measures. Rewards may be negative: what an agent holds may lose in value."""
        events = self.vocabulary().blocks
        return BOUNDS | {f"{COMPLETION}{event}": COUNT for event in events}


class GridRules(Rules):
    """Seed of one attempt."""

    def __init__(self, seed: int) -> None:
        self.seed = seed

    async def step(self, world: World, t_s: float) -> EndState:
        """Return an empty state: nothing happens in the world."""
        return EndState({})


def choice_range(game: GridGame, limit: int) -> tuple[int, int]:
    """Return the minimum and maximum number of steps with several allowed actions, of at most `limit` steps.

    In Contract's first stage an agent has its own turns; in Negotiation's it may wait for others all the time.
    """
    steps, settings = min(game.steps, limit), game.settings
    if game.rules == "contract":
        stage = min(int(settings["rounds"]) * game.agents, steps)
        own = stage // game.agents
        return own + steps - stage, own + (stage % game.agents > 0) + steps - stage
    stage = min(int(settings.get("stage", 0)), steps)
    return steps - stage, steps
