"""Resources shared by all parts of a generative agent: model access, settings and three memories."""

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
    """Resources of one agent; its parts share no other state."""

    mind: Mind
    settings: GenerativeSettings
    memory: LongTermMemory
    short: ShortTermMemory
    space: SpatialMemory
    tell: Tell = field(default=silent)
    """Recorder of thought events, for the event log only."""
