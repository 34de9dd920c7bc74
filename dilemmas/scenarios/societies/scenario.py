"""Base class of societies: scenarios in which agents live until the time limit."""

from __future__ import annotations

from collections.abc import Sequence

from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.scenarios.base import UnpaidScenario
from dilemmas.scenarios.protocol import LifeSpec
from dilemmas.scenarios.societies.spec import LivedSpec


class LivedSociety(UnpaidScenario):
    """A society that is only lived in: the time limit alone ends it."""

    spec: LivedSpec

    @property
    def living(self) -> LifeSpec:
        """The spec itself."""
        return self.spec

    def build(self) -> Sequence[Command]:
        """Return commands that build the spec's boxes and remove items that lie about."""
        return [
            *self.layout.ground(),
            Command("kill @e[type=item]", (commands.NO_ENTITY,)),
            Command("time set 1000"),
            # Everybody who joins from now on is a spectator; players get their mode by name.
            Command("defaultgamemode spectator"),
        ]
