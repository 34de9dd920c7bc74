"""Personas in the format of the Project Sid paper, loaded from files or generated from a seed."""

from __future__ import annotations

from voyager_agents.personas.generator import generate
from voyager_agents.personas.persona import Persona, Spot, load_personas, read_personas

__all__ = ["Persona", "Spot", "generate", "load_personas", "read_personas"]
