"""Parts of a generative agent; each part has a module of its own."""

from __future__ import annotations

from dataclasses import dataclass

from voyager_agents.generative.act import ActStage
from voyager_agents.generative.communication import Communication
from voyager_agents.generative.kit import Kit
from voyager_agents.generative.perceive import Perceive
from voyager_agents.generative.plan import PlanStage
from voyager_agents.generative.reflect import Reflect
from voyager_agents.generative.understanding import Understanding


@dataclass(frozen=True)
class GenerativeParts:
    """The parts of one agent."""

    perceive: Perceive
    plan: PlanStage
    reflect: Reflect
    act: ActStage
    understanding: Understanding | None
    """None if the module is disabled."""
    communication: Communication | None
    """Speaker at the council; None without a council."""


def standard_parts(kit: Kit) -> GenerativeParts:
    """Return the standard parts for the enabled modules."""
    return GenerativeParts(
        perceive=Perceive(kit),
        plan=PlanStage(kit),
        reflect=Reflect(kit),
        act=ActStage(kit),
        understanding=Understanding(kit) if "understanding" in kit.settings.modules else None,
        communication=Communication(kit) if kit.settings.meets else None,
    )
