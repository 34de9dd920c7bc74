"""Spec of a grid game as a scenario: a game of `grid_games` by name, its variants and changes, also by condition.

Players, prices and duration follow from the game. A file names the game, its differences, and the texts for players.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal, Self

from pydantic import Field, field_serializer, field_validator, model_validator

from dilemmas.scenarios.fields import Frozen, Identifier, PlayerName, Slug
from dilemmas.scenarios.spec import ConditionSpec, PlayerSpec, ScenarioSpec
from grid_games import GridGame, current_name, load, recorded_name
from grid_games.rules import rules_of

STEP_S = 1.0
"""Seconds of game time that stand for a step."""


class GameSpec(Frozen):
    """Game that is played."""

    name: str
    """A game of `grid_games/data/games`."""
    variants: tuple[str, ...] = ()
    """Named variants of the game, applied in this order."""
    changes: dict[str, Any] = Field(default_factory=dict)
    """Keys of the game, such as `steps` or `settings`, that replace those of the variants."""

    @field_validator("name")
    @classmethod
    def _read_name(cls, name: str) -> str:
        """Accept names of version 0.1.0, which records hold."""
        return current_name(name)

    @field_serializer("name")
    def _write_name(self, name: str) -> str:
        """Write the name of version 0.1.0, so that records of that version can be resumed."""
        return recorded_name(name)


class GameChange(Frozen):
    """A condition's changes of the game."""

    variants: tuple[str, ...] = ()
    changes: dict[str, Any] = Field(default_factory=dict)


class GridCondition(ConditionSpec):
    """Condition of a grid game: its contract and its changes of the game."""

    contract: Literal["none", "given", "negotiated"] = "none"
    game: GameChange = GameChange()


class GridPlayer(PlayerSpec):
    """Player of a grid game."""

    prices: dict[Identifier, float] = Field(default_factory=dict)
    """Item -> value of a unit to the player: its preference times the objective value."""


class GridSpec(ScenarioSpec):
    """Model of a grid game as a scenario."""

    PRICED: ClassVar[bool] = False

    game: GameSpec
    # Narrower than in the base class, which is safe in a frozen spec.
    players: dict[PlayerName, GridPlayer] = Field(min_length=2)  # type: ignore[assignment]
    conditions: dict[Slug, GridCondition] = Field(min_length=1)  # type: ignore[assignment]

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, data: Any) -> Any:  # noqa: ANN401 - whatever was given
        """Fill in players, prices and the time limit from the game, if the file lacks them."""
        if not isinstance(data, dict) or not isinstance(data.get("game"), dict):
            return data
        game = _load(GameSpec.model_validate(data["game"]), GameChange())
        given = data.get("players") or {}
        if isinstance(given, dict) and (unknown := sorted(set(given) - set(game.names))):
            raise ValueError(f"players.{unknown[0]}: {game.name} has no such player; it has {', '.join(game.names)}")
        players = {
            name: {"spawn": [2 * place, 0, 0], "yaw": 0, "prices": prices, **given.get(name, {})}
            for place, (name, prices) in enumerate(prices_of(game).items())
        }
        end = {"time_limit_s": game.steps * STEP_S, **(data.get("end") or {})}
        return {**data, "players": players, "end": end}

    @model_validator(mode="after")
    def _playable(self) -> Self:
        """Check that the same players can play each condition's game."""
        for name in self.conditions:
            game = self.game_of(name)
            if game.names != tuple(self.players):
                raise ValueError(
                    f"conditions.{name}.game: is played by {', '.join(game.names)}, the others by "
                    f"{', '.join(self.players)}: write a variant of the scenario instead"
                )
            rules_of(game.rules).check(game)
        return self

    def game_of(self, condition: str) -> GridGame:
        """Return the game under a condition; an unknown condition changes nothing."""
        own = self.conditions.get(condition.partition("+")[0])
        return _load(self.game, GameChange() if own is None else own.game)

    def agent_options(self, condition: str) -> dict[str, Any]:
        """Return the condition's own `agents`."""
        own = self.conditions.get(condition.partition("+")[0])
        return dict(own.agents) if own else {}


def _load(spec: GameSpec, change: GameChange) -> GridGame:
    return load(spec.name, *spec.variants, *change.variants, **_merged(spec.changes, change.changes))


def _merged(base: dict[str, Any], top: dict[str, Any]) -> dict[str, Any]:
    """Merge two mappings, and mappings within a key, as files of games do."""
    both = {key: {**base[key], **top[key]} for key in base if isinstance(base[key], dict) and key in top}
    return {**base, **top, **both}


def prices_of(game: GridGame) -> dict[str, dict[str, float]]:
    """Return player -> resource -> value of one unit to the player."""
    return {name: _prices(game, agent) for agent, name in enumerate(game.names)}


def _prices(game: GridGame, agent: int) -> dict[str, float]:
    role = game.role_of(agent)
    return {each.name: float(role.preference.get(each.name, 1) * each.value) for each in game.resources}
