"""Spec of a repeated game: a stage game, its number of rounds, and the devices by which players choose.

A file holds no more than that. Players, world, text and conditions follow from it unless the file gives them
(`defaults`), so that players read the game that they are paid for.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

from pydantic import Field, model_validator

from dilemmas.scenarios.fields import Slug
from dilemmas.scenarios.repeated_game import layout
from dilemmas.scenarios.repeated_game.amounts import Number
from dilemmas.scenarios.repeated_game.defaults import with_defaults
from dilemmas.scenarios.repeated_game.game_devices import with_device
from dilemmas.scenarios.repeated_game.games import FORMS, GameSpec, check_law
from dilemmas.scenarios.repeated_game.parts import Device, GameCondition, GameRules, RepeatedSpec
from dilemmas.scenarios.spec import ScenarioSpec
from voyager_agents.stage_games.laws import StageLaw, share
from voyager_agents.stage_games.match import RepeatedMatch, Repetition
from voyager_agents.stage_games.theory import theory
from voyager_agents.stage_games.turns import TAKES

EXCHANGE_ROUNDS = 20
"""Rounds after which emeralds are changed to blocks of emerald."""
MAX_POCKET_EMERALDS = 64 * 30
"""Emeralds that a player can get in those rounds: besides 30 slots of them it carries blocks and paper."""


class RepeatedGameSpec(ScenarioSpec):
    """Model of a repeated game's file."""

    TURNS: ClassVar[str] = TAKES
    DERIVED: ClassVar[frozenset[str]] = frozenset({"text"})

    game: GameSpec
    repeated: RepeatedSpec
    story: str = ""
    """Text that players read before the game itself."""
    by: Device = "plates"
    """Devices by which players choose."""
    emerald: Number = 1
    """Worth of one emerald, in units of the payoffs."""
    # Narrower than in the base class, which is safe in a frozen spec.
    rules: GameRules
    conditions: dict[Slug, GameCondition] = Field(min_length=1)  # type: ignore[assignment]

    @model_validator(mode="before")
    @classmethod
    def _filled(cls, data: Any) -> Any:  # noqa: ANN401 - whatever was given
        """Fill in defaults, which follow from the game."""
        if not isinstance(data, dict) or not isinstance(data.get("game"), dict):
            return data
        data = {**data, "game": {"form": "matrix", **data["game"]}}
        if data["game"]["form"] not in FORMS:
            raise ValueError(f"game.form: {data['game']['form']!r} is not legal; choose one of {', '.join(FORMS)}")
        return with_defaults(data)

    @model_validator(mode="after")
    def _playable(self) -> Self:
        emerald = share(self.emerald)
        if emerald <= 0:
            raise ValueError(f"emerald: {self.emerald} is not above 0")
        check_law(self.law, emerald)
        if self.law.widest() > layout.MAX_DEVICES:
            raise ValueError(
                f"game: {self.law.widest()} options at once; a booth has {layout.MAX_DEVICES} devices at most"
            )
        most = self.law.finest() / emerald
        if most * EXCHANGE_ROUNDS > MAX_POCKET_EMERALDS:
            raise ValueError(
                f"emerald: {self.emerald}: a round can bring {float(most):g} emeralds, and a player can carry "
                f"{MAX_POCKET_EMERALDS // EXCHANGE_ROUNDS} at most; let one be worth more"
            )
        return self

    @cached_property
    def law(self) -> StageLaw:
        """Law of one round. Raises ValueError."""
        return with_device(self.game.law(tuple(self.players)), self.institutions)

    @cached_property
    def theory(self) -> dict[str, Any]:
        """Solutions of one round, as the log of every run holds them (`stage_games.theory`)."""
        return theory(self.law)

    @property
    def repetition(self) -> Repetition:
        """Number of rounds, as data."""
        return self.repeated.repetition()

    def match(self, seed: int) -> RepeatedMatch:
        """Return a new match with the seed's chance."""
        return RepeatedMatch(self.law, self.repetition, seed, share(self.rules.noise))

    @property
    def start(self) -> int:
        """Emeralds of each player at the start: enough for the worst of all games, if payoffs are paid."""
        if not self.law.paid:
            return 0
        worst = min(Fraction(0), self.law.worst())
        return int(-worst * self.repetition.rounds / share(self.emerald))

    def agent_options(self, condition: str) -> dict[str, Any]:
        """Return the condition's options of choosers."""
        found = self.conditions.get(condition.partition("+")[0])
        return {} if found is None else dict(found.agents)

    def booth(self, player: str) -> int:
        """Return the number of a player's booth, from 0."""
        return list(self.players).index(player)

    def built(self) -> list[tuple[int, int, int]]:
        """Return the cells of the devices."""
        return [cell for booth in range(len(self.players)) for cell in layout.devices(booth, self.law.widest())]
