"""What scenarios in which agents live do alike: who sees and hears how far, who stands where, what is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from bridge.worlds import World
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import Layout
from dilemmas.records.events import Holdings
from dilemmas.scenarios.lived import LivedSpec
from dilemmas.scenarios.protocol import EndState, Rules, Vocabulary, within
from dilemmas.scenarios.spec import Observable
from voyager_agents.facts import Knowledge
from voyager_agents.living import Voice

PERMITTED_OBSERVATIONS: frozenset[Observable] = frozenset({"scenario", "inventories", "chat"})
"""What those who live may be shown; a variant may grant less, never more."""


class LivedIn:
    """A scenario without payoffs in which agents live; see `dilemmas.scenarios.protocol.Scenario`."""

    Spec: type[LivedSpec] = LivedSpec

    def __init__(self, spec: LivedSpec, path: Path) -> None:
        within(PERMITTED_OBSERVATIONS, spec, path)
        self.spec = spec
        self.path = path
        self.layout = Layout(spec)

    @property
    def sight(self) -> float:
        """How far they see."""
        return self.spec.sight

    @property
    def interests(self) -> Sequence[str]:
        """The blocks that they notice."""
        return self.spec.interests

    @property
    def reach(self) -> Mapping[Voice, float]:
        """How far words carry."""
        return self.spec.hearing.reach()

    def build(self) -> Sequence[Command]:
        """What stands there; what lies about is gone."""
        return [
            *self.layout.ground(),
            Command("kill @e[type=item]", (commands.NO_ENTITY,)),
            Command("time set 1000"),
            # Whoever joins from now on watches; the players are told their mode by name.
            Command("defaultgamemode spectator"),
        ]

    def place(self, seed: int) -> Sequence[Command]:
        """All at their spawns with what they bring."""
        return self.layout.placing(seed, {})

    def rules(self, seed: int) -> Rules:
        """Nothing happens by itself."""
        return Quiet()

    def finished(self, state: EndState) -> bool:
        """Never by itself: only time ends it."""
        return False

    async def read(self, world: World) -> EndState:
        """What everybody holds at the end, as the server tells it."""
        names = list(self.spec.players)
        held = await commands.together(commands.inventory(world, name) for name in names)
        return EndState({name: Holdings.of(items, {}, {}) for name, items in zip(names, held, strict=True)})

    def facts(self) -> Knowledge | None:
        """Nothing to reason from: there are no payoffs."""
        return None

    def vocabulary(self) -> Vocabulary:
        """No contract is made here."""
        return Vocabulary(items=(), blocks=())


class Quiet:
    """Rules of a land where nothing happens by itself."""

    async def step(self, world: World, t_s: float) -> EndState:
        """Nothing is due."""
        return EndState({})
