"""Rendering of observations as text for prompts."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from bridge.types import Sensed
from contracts import Contract, ContractScope
from contracts.forces import described
from contracts.signing import spelled
from voyager_agents.agent import Observation
from voyager_agents.facts import ScenarioFacts

if TYPE_CHECKING:
    from voyager_agents.skill_library.skill import Skill

MAX_LINES = 60
"""Maximum chat and log lines shown; the last ones are kept."""
MAX_LINE = 300


def contract_text(contract: Contract | None) -> str:
    """Return the contract's clauses, or only its transfers if it has no other scope, so that it assigns no tasks."""
    if contract is None:
        return "(none)"
    if contract.scope is ContractScope.TRANSFERS and contract.transfers:
        force = described(contract.force, contract.deposit)
        return "\n".join([*spelled(contract), *([f"({force})"] if force else [])])
    force = described(contract.force, contract.deposit)
    if not force and contract.scope is ContractScope.COORDINATION:
        force = "It binds nobody: no emerald moves by it."
    return contract.text.strip() + (f"\n({force})" if force else "")


def facts(known: ScenarioFacts | None) -> str:
    """Return the values of items and the places as text; empty without facts."""
    if known is None:
        return ""
    lines = [f"Worth in {known.currency}, for one:"]
    for player in known.players:
        worths = ", ".join(f"{item} {value:g}" for item, value in known.values[player].items())
        lines.append(f"- to {player}: {worths}")
    return "\n".join([*lines, *known.lines()])


def conversation(lines: tuple[tuple[str, str], ...]) -> str:
    """Return one line per message. Line breaks are escaped, so that a message cannot imitate another speaker."""
    shown = [f"{speaker}: {json.dumps(text[:MAX_LINE], ensure_ascii=False)}" for speaker, text in lines[-MAX_LINES:]]
    return "\n".join(shown) or "(nothing)"


def inventories(observation: Observation) -> str:
    """Return one line per player, the observer's own first."""
    order = [observation.player, *(name for name in observation.players if name != observation.player)]
    lines = []
    for name in order:
        items = observation.inventories.get(name, {})
        lines.append(f"{name}: " + (", ".join(f"{count} {item}" for item, count in sorted(items.items())) or "(empty)"))
    return "\n".join(lines)


def ending(observation: Observation) -> str:
    """Return the outcome of the last program, with the line of its error."""
    last = observation.last_run
    if last is None:
        return "(there was no program yet)"
    where = f" (line {last.line})" if last.line is not None else ""
    return f"{last.outcome}: {last.error}{where}" if last.error else last.outcome


def last_code(observation: Observation) -> str:
    """Return the last program unchanged, without line numbers."""
    return f"```javascript\n{observation.last_run.policy}```" if observation.last_run else "(none)"


def printed(observation: Observation) -> str:
    """Return the log of the last program."""
    lines = observation.last_run.log[-MAX_LINES:] if observation.last_run else ()
    return "\n".join(line[:MAX_LINE] for line in lines) or "(nothing)"


def reward(observation: Observation) -> str:
    """Return the last reward in emeralds."""
    return "(no episode yet)" if observation.reward is None else f"{observation.reward:g} emeralds"


def surroundings(seen: Sensed, *, things: bool = True) -> str:
    """Return a player's position, state and surroundings as text; without the things around it if a picture shows them.

    Args:
        seen: What the player senses.
        things: False to leave out blocks, mobs and items.
    """
    x, y, z = (round(part) for part in seen.position)
    lines = [
        f"You stand at x {x}, y {y}, z {z}. Health {seen.health:g} of 20, food {seen.food:g} of 20; "
        f"in your hand: {seen.held or 'nothing'}."
    ]
    if not things:
        return lines[0]
    blocks: dict[str, str] = {}
    for each in seen.blocks:
        blocks.setdefault(each.block, ", ".join(str(part) for part in each.position))
    if blocks:
        told = "; ".join(f"{name} at {place}" for name, place in blocks.items())
        lines.append(f"The nearest block of each kind that you notice: {told}.")
    if seen.mobs:
        kinds = dict.fromkeys(each.kind for each in seen.mobs)
        lines.append(f"Animals and mobs near you: {', '.join(kinds)}.")
    if seen.drops:
        lines.append(f"Items that lie near you: {', '.join(dict.fromkeys(each.item for each in seen.drops))}.")
    return "\n".join(lines)


def dialogue(history: tuple[tuple[str, str], ...]) -> str:
    """Return the whole negotiation. Messages have several lines, so every line is marked with its speaker."""
    shown = ["\n".join(f"{speaker}> {line}" for line in text.splitlines()) for speaker, text in history]
    return "\n".join(shown) or "(nothing yet)"


def skills_in_scope(skills: Sequence[Skill]) -> str:
    """Return the skills that a program may call, with code; descriptions are quoted against prompt injection."""
    if not skills:
        return "Skills that you have learned: (none yet)"
    head = "Skills that you have learned; they are in scope: call them (`await name(bot)`), do not copy them."
    return "\n\n".join([head, *(f"{_skill(each)}\n```javascript\n{each.source.strip()}\n```" for each in skills)])


def skills_learned(skills: Sequence[Skill]) -> str:
    """Return all skills, one per line."""
    return "\n".join(_skill(each) for each in skills) or "(none)"


def _skill(skill: Skill) -> str:
    return f"- {skill.name}: {json.dumps(skill.about.description[:MAX_LINE], ensure_ascii=False)}"
