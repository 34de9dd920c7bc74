"""Resources of every part of a generative agent: its mind, its settings and its three memories."""

from __future__ import annotations

from dataclasses import dataclass, field

from voyager_agents.generative.asking import Mind
from voyager_agents.generative.long_term import LongTermMemory
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.generative.short_term import ShortTermMemory
from voyager_agents.generative.spatial import SpatialMemory
from voyager_agents.thought_events import Tell, silent


@dataclass(frozen=True)
class Kit:
    """One agent's own; parts share it and nothing else."""

    mind: Mind
    settings: GenerativeSettings
    memory: LongTermMemory
    short: ShortTermMemory
    space: SpatialMemory
    tell: Tell = field(default=silent)
    """Takes down what goes on in the mind, for the record alone."""
