"""The family: agents that live, with models for some, all or none of their modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from contracts.yaml12 import load_yaml
from voyager_agents.index import Embedding, check_embedding, open_embedding, open_memory_index
from voyager_agents.piano.agent import PianoAgent
from voyager_agents.piano.civics import with_trades
from voyager_agents.piano.lore import AgentSkills, check_library, open_lore
from voyager_agents.piano.memory_index import MemoryIndex
from voyager_agents.piano.settings import PianoSettings
from voyager_agents.piano.wiring import CONTROLLER, tables_of, wire
from voyager_agents.registry import AgentContext

ACTOR = "actor"
KINDS = ("dweller", "baseline", ACTOR)
"""Agents without a model: with all modules, with the paper's baseline alone, and those who play a part that a scenario
has written, whatever the condition is and whatever model plays the others."""
ACTS = {"tables": "companions", "without": ("social_awareness",)}
"""The options of an actor."""
RULES = Path(__file__).with_name("reference.yaml")


@cache
def rules(file: Path = RULES) -> Mapping[str, Any]:
    """Numbers and tables of modules without a model: assumptions, documented in the file."""
    data: Mapping[str, Any] = load_yaml(file.read_text(encoding="utf-8"))
    return data


@cache
def civic_rules() -> Mapping[str, Any]:
    """The same with trades, for those who hold an office or have a trade."""
    return with_trades(rules())


def _assumed(file: Path, others: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """The table in that file, with the scenario's own numbers over it."""
    table = rules(file)
    return {**table, **{part: {**table[part], **values} for part, values in others.items()}}


def _rules_of(persona: Mapping[str, Any], tables: Any) -> Mapping[str, Any]:  # noqa: ANN401 - a package of the table
    """The numbers of an agent without a model."""
    if tables is not None:
        return _assumed(tables.FILE, persona.get("assumptions") or {})
    return civic_rules() if "office" in persona else rules()


def check(options: Mapping[str, Any]) -> None:
    """Whether these options make an agent. Raises WiringError, SkillError, IndexUnusable, ModelError."""
    settings = PianoSettings.read(options)
    wire(settings)
    if settings.indexes:
        check_embedding(settings.embedding)
    if settings.library:
        check_library(settings.library, keep=settings.keep)


def files(options: Mapping[str, Any]) -> list[Path]:
    """The files with modules of the user's own that these options name."""
    return [path for path in PianoSettings.read(options).modules if path.is_file()]


def make(seats: Sequence[AgentContext]) -> list[PianoAgent]:
    """An agent for each seat."""
    return [_agent(seat) for seat in seats]


def _agent(seat: AgentContext) -> PianoAgent:
    if seat.kind == ACTOR:
        seat = replace(seat, options=ACTS, model=lambda _role: None)
    options = {**seat.options, **({"baseline": True} if seat.kind == "baseline" else {})}
    settings = PianoSettings.read(options)
    thinks = seat.model(CONTROLLER) is not None
    tables = None if thinks else tables_of(settings)
    return PianoAgent(
        seat.player,
        wire(settings, thinks=thinks),
        settings,
        seat.persona,
        seat.model,
        _rules_of(seat.persona, tables),
        seed=f"life:{seat.seed}:{seat.player}",
        docs=seat.docs,
        prompts=seat.prompts,
        lore=_lore(seat, settings),
        past=MemoryIndex(open_memory_index(_embedding(seat, settings))) if settings.recall == "index" else None,
    )


def _embedding(seat: AgentContext, settings: PianoSettings) -> Embedding:
    spec, base_url, key = settings.embedding, seat.base_url, seat.api_key_file
    return open_embedding(spec, base_url=base_url, api_key_file=key, through=seat.embedder)


def _lore(seat: AgentContext, settings: PianoSettings) -> AgentSkills | None:
    """What the agent knows to do; None without a library, or without a model to write programs."""
    model = seat.model("skill_execution")
    if not settings.library or model is None:
        return None
    about: dict[str, str | int] = {"player": seat.player, "model": model.name, "condition": seat.condition}
    about["seed"] = seat.seed
    finder = _embedding(seat, settings)
    return open_lore(settings.library, seat.folder, finder, keep=settings.keep, provenance=about, tell=seat.tell)
