"""The spec of a grid game as a scenario: a game of `grid_games` by name, its variants and changes, by condition too.

Who plays, what a unit is worth to whom and how long it lasts follow from the game. So a file says only which game it
is, what differs from it, and in words what players have to know.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, model_validator

from dilemmas.scenarios.spec import ConditionSpec, Frozen, Identifier, PlayerName, PlayerSpec, ScenarioSpec, Slug
from grid_games import GridGame, load
from grid_games.rules import rules_of

STEP_S = 1.0
"""Seconds of game time that stand for a step."""


class GameSpec(Frozen):
    """Which game is played."""

    name: str
    """A game of `grid_games/data/games`."""
    variants: tuple[str, ...] = ()
    """Its named variants, laid over it in this order."""
    changes: dict[str, Any] = Field(default_factory=dict)
    """Keys of the game, such as `steps` or `settings`, laid over all that."""


class GameChange(Frozen):
    """What a condition changes in the game."""

    variants: tuple[str, ...] = ()
    changes: dict[str, Any] = Field(default_factory=dict)


class GridCondition(ConditionSpec):
    """A condition of a grid game: what contract there is, and how the game differs."""

    contract: Literal["none", "given", "negotiated"] = "none"
    game: GameChange = GameChange()


class GridPlayer(PlayerSpec):
    """A player of a grid game."""

    prices: dict[Identifier, float] = Field(default_factory=dict)
    """What a unit is worth to it: its preference times the objective value."""


class GridSpec(ScenarioSpec):
    """A grid game as a scenario, whole."""

    PRICED: ClassVar[bool] = False

    game: GameSpec
    # Narrower than in the base class; nobody writes to a frozen spec.
    players: dict[PlayerName, GridPlayer] = Field(min_length=2)  # type: ignore[assignment]
    conditions: dict[Slug, GridCondition] = Field(min_length=1)  # type: ignore[assignment]

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, data: Any) -> Any:  # noqa: ANN401 - whatever was given
        """Players and their prices, and the time limit, follow from the game where nothing else is said."""
        if not isinstance(data, dict) or not isinstance(data.get("game"), dict):
            return data
        game = _load(GameSpec.model_validate(data["game"]), GameChange())
        given = data.get("players") or {}
        if isinstance(given, dict) and (unknown := sorted(set(given) - set(names_of(game)))):
            raise ValueError(
                f"players.{unknown[0]}: {game.name} has no such player; it has {', '.join(names_of(game))}"
            )
        players = {
            name: {"spawn": [2 * place, 0, 0], "yaw": 0, "prices": _prices(game, place), **given.get(name, {})}
            for place, name in enumerate(names_of(game))
        }
        end = {"time_limit_s": game.steps * STEP_S, **(data.get("end") or {})}
        return {**data, "players": players, "end": end}

    @model_validator(mode="after")
    def _playable(self) -> Self:
        """Each condition's game can be played, by the same players."""
        for name in self.conditions:
            game = self.game_of(name)
            if names_of(game) != tuple(self.players):
                raise ValueError(
                    f"conditions.{name}.game: is played by {', '.join(names_of(game))}, the others by "
                    f"{', '.join(self.players)}: write a variant of the scenario instead"
                )
            rules_of(game.rules).check(game)
        return self

    def game_of(self, condition: str) -> GridGame:
        """The game under that condition; a condition that is not of this file changes nothing."""
        own = self.conditions.get(condition.partition("+")[0])
        return _load(self.game, GameChange() if own is None else own.game)

    def agent_options(self, condition: str) -> dict[str, Any]:
        """What the condition's own `agents` say."""
        own = self.conditions.get(condition.partition("+")[0])
        return dict(own.agents) if own else {}


def names_of(game: GridGame) -> tuple[str, ...]:
    """The players' names, in the order of the game: role and number."""
    return tuple(f"{game.role_of(agent).name}_{agent}" for agent in range(game.agents))


def _load(spec: GameSpec, change: GameChange) -> GridGame:
    return load(spec.name, *spec.variants, *change.variants, **_merged(spec.changes, change.changes))


def _merged(base: dict[str, Any], top: dict[str, Any]) -> dict[str, Any]:
    """Mappings within a key merge, as they do in the files of games."""
    both = {key: {**base[key], **top[key]} for key in base if isinstance(base[key], dict) and key in top}
    return {**base, **top, **both}


def _prices(game: GridGame, agent: int) -> dict[str, float]:
    role = game.role_of(agent)
    return {each.name: float(role.preference.get(each.name, 1) * each.value) for each in game.resources}
