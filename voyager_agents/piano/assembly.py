"""Construction of real-time agents from a run's context and options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from voyager_agents.context import AgentContext
from voyager_agents.index import Embedding, check_embedding, open_embedding, open_memory_index
from voyager_agents.piano.agent import PianoAgent
from voyager_agents.piano.agent_skills import AgentSkills, check_library, open_agent_skills
from voyager_agents.piano.kinds import ACTOR
from voyager_agents.piano.memory_index import MemoryIndex
from voyager_agents.piano.rule_based.assumptions import life_rules, rules
from voyager_agents.piano.settings import PianoSettings
from voyager_agents.piano.wiring import CONTROLLER, tables_of, wire

ACTS = {"tables": "companions", "without": ("social_awareness",)}
"""Options of an actor."""


def _assumed(file: Path, others: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """Return the table in the file, updated with the scenario's numbers."""
    table = rules(file)
    return {**table, **{part: {**table[part], **values} for part, values in others.items()}}


def _rules_of(
    persona: Mapping[str, Any],
    tables: Any,  # noqa: ANN401 - a package of the table
    settings: PianoSettings,
) -> Mapping[str, Any]:
    """Return the numbers and tables of the agent's rules."""
    if tables is not None:
        return _assumed(tables.FILE, persona.get("assumptions") or {})
    return life_rules(civic="office" in persona, driven="drives" in map(str, settings.modules))


def check_options(options: Mapping[str, Any]) -> None:
    """Check the options of an agent. Raises WiringError, SkillError, IndexUnusable or ModelError."""
    settings = PianoSettings.read(options)
    wire(settings)
    if settings.indexes:
        check_embedding(settings.embedding)
    if settings.library:
        check_library(settings.library, keep=settings.keep)


def files_of_options(options: Mapping[str, Any]) -> list[Path]:
    """Return the user's module files that the options name."""
    return [path for path in PianoSettings.read(options).modules if path.is_file()]


def make_agent(context: AgentContext) -> PianoAgent:
    """Create the agent of one context."""
    if context.kind == ACTOR:
        context = replace(context, options=ACTS, model=lambda _role: None)
    options = {**context.options, **({"baseline": True} if context.kind == "baseline" else {})}
    settings = PianoSettings.read(options)
    thinks = context.model(CONTROLLER) is not None
    tables = None if thinks else tables_of(settings)
    return PianoAgent(
        context.player,
        wire(settings, thinks=thinks),
        settings,
        persona=context.persona,
        asker=lambda role: None if context.model(role) is None else context.asker(role),
        by_calls=context.by_calls,
        rules=_rules_of(context.persona, tables, settings),
        seed=f"life:{context.seed}:{context.player}",
        docs=context.docs,
        prompts=context.prompts,
        skills=_skills(context, settings),
        memory_index=MemoryIndex(open_memory_index(_embedding(context, settings)))
        if settings.recall == "index"
        else None,
    )


def _embedding(context: AgentContext, settings: PianoSettings) -> Embedding:
    spec, base_url, key = settings.embedding, context.base_url, context.api_key_file
    return open_embedding(spec, base_url=base_url, api_key_file=key, through=context.embedder)


def _skills(context: AgentContext, settings: PianoSettings) -> AgentSkills | None:
    """Return the agent's skill library; None without a library, or without a model for skill execution."""
    model = context.model("skill_execution")
    if not settings.library or model is None:
        return None
    about: dict[str, str | int] = {"player": context.player, "model": model.name, "condition": context.condition}
    about["seed"] = context.seed
    finder = _embedding(context, settings)
    return open_agent_skills(
        settings.library, context.folder, finder, keep=settings.keep, provenance=about, tell=context.tell
    )
