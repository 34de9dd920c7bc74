"""What scenarios in which agents live have in common, as code: how those who live there see, hear and amend, and, of a
society that is nothing else, how it begins and ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Protocol

from bridge.worlds import World
from contracts.institutions.assembly import Assembly
from dilemmas.minecraft import commands
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.layout import Layout
from dilemmas.records.events import Holdings
from dilemmas.scenarios.lived import LivedSpec, VoiceRanges
from dilemmas.scenarios.protocol import EndState, Rules, Vocabulary, within
from dilemmas.scenarios.spec import Observable, ScenarioSpec
from voyager_agents.facts import ScenarioFacts
from voyager_agents.realtime_agent import Voice

PERMITTED_OBSERVATIONS: frozenset[Observable] = frozenset({"scenario", "inventories", "chat"})
"""What people of a society may be shown; a variant may grant less, never more."""


class LivingSpec(Protocol):
    """How those who live somewhere see, hear and amend, as data: `LivedSpec` or `InLife`."""

    @property
    def sight(self) -> float:
        """How far bodies see, in blocks."""

    @property
    def interests(self) -> Sequence[str]:
        """The blocks that they notice."""

    @property
    def hearing(self) -> VoiceRanges:
        """How far words carry."""

    def assembly(self, condition: str) -> Assembly | None:
        """The assembly of one attempt under that condition; None where there is no constitution."""


class Inhabited:
    """What the mode of play asks a scenario in which agents live (`protocol.LivedScenario`, `protocol.Constituted`)."""

    @property
    def living(self) -> LivingSpec:
        """Where its spec says so."""
        raise NotImplementedError

    @property
    def inhabited(self) -> bool:
        """Whether its spec says who lives there."""
        return True

    @property
    def sight(self) -> float:
        """How far bodies see, in blocks."""
        return self.living.sight

    @property
    def interests(self) -> Sequence[str]:
        """The blocks that they notice."""
        return self.living.interests

    @property
    def reach(self) -> Mapping[Voice, float]:
        """Voice -> how far it carries, in blocks."""
        return self.living.hearing.reach()

    def assembly(self, condition: str) -> Assembly | None:
        """Where its people have a constitution."""
        return self.living.assembly(condition)


class Unpaid:
    """A scenario without payoffs and contracts: nothing happens by itself, and its mode of play ends it."""

    permitted: frozenset[Observable] = PERMITTED_OBSERVATIONS
    """What players may be shown; a variant may grant less, never more."""
    spec: ScenarioSpec

    def __init__(self, spec: ScenarioSpec, path: Path) -> None:
        within(self.permitted, spec, path)
        self.spec = spec
        self.path = path
        self.layout = Layout(spec)

    def rules(self, seed: int) -> Rules:
        """Nothing happens by itself."""
        return Quiet()

    def finished(self, state: EndState) -> bool:
        """Never by itself: its mode of play ends it."""
        return False

    async def read(self, world: World) -> EndState:
        """What everybody holds at the end, as the server tells it."""
        names = list(self.spec.players)
        held = await commands.together(commands.inventory(world, name) for name in names)
        return EndState({name: Holdings.of(items, {}, {}) for name, items in zip(names, held, strict=True)})

    def facts(self) -> ScenarioFacts | None:
        """Nothing to reason from: there are no payoffs."""
        return None

    def vocabulary(self) -> Vocabulary:
        """No contract is made here."""
        return Vocabulary(items=(), blocks=())


class LivedSociety(Inhabited, Unpaid):
    """A scenario that is lived and nothing else: only time ends it."""

    spec: LivedSpec

    @property
    def living(self) -> LivingSpec:
        """The whole spec is about it."""
        return self.spec

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


class Quiet:
    """Rules of a land where nothing happens by itself."""

    async def step(self, world: World, t_s: float) -> EndState:
        """Nothing is due."""
        return EndState({})
