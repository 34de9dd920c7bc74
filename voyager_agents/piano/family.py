"""The family: agents that live, with models for some, all or none of their modules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from contracts.yaml12 import load_yaml
from voyager_agents.piano.agent import PianoAgent
from voyager_agents.piano.settings import PianoSettings
from voyager_agents.piano.wiring import CONTROLLER, tables_of, wire
from voyager_agents.registry import Seat

KINDS = ("dweller", "baseline")
"""Agents without a model: with all modules, and with the paper's baseline alone."""
RULES = Path(__file__).with_name("reference.yaml")


@cache
def rules(file: Path = RULES) -> Mapping[str, Any]:
    """Numbers and tables of modules without a model: assumptions, documented in the file."""
    data: Mapping[str, Any] = load_yaml(file.read_text(encoding="utf-8"))
    return data


def _assumed(file: Path, others: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """The table in that file, with the scenario's own numbers over it."""
    table = rules(file)
    return {**table, **{part: {**table[part], **values} for part, values in others.items()}}


def check(options: Mapping[str, Any]) -> None:
    """Whether these options make an agent. Raises WiringError."""
    wire(PianoSettings.read(options))


def make(seats: Sequence[Seat]) -> list[PianoAgent]:
    """An agent for each seat."""
    return [_agent(seat) for seat in seats]


def _agent(seat: Seat) -> PianoAgent:
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
        rules() if tables is None else _assumed(tables.FILE, seat.persona.get("assumptions") or {}),
        seed=f"life:{seat.seed}:{seat.player}",
        docs=seat.docs,
        prompts=seat.prompts,
    )
