"""Traits of personas written by a model; all other attributes come from the seeded generator.

Model answers are validated strictly. If an answer is unusable after a second call, the personas of that batch keep
their generated traits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import Field

from common.answers.reading import Strict
from common.answers.spoken import spoken
from common.untrusted_text import quote_document
from voyager_agents.answers import json_answer, with_cause
from voyager_agents.budget import Budget
from voyager_agents.errors import BudgetExhausted, ReplyError
from voyager_agents.models import ChatMessage, Model, Reply, Settings
from voyager_agents.personas.persona import Persona
from voyager_agents.prompts.folder import STANDARD, Prompts

BATCH = 10
"""Number of personas per model call."""
TRIES = 2
"""Maximum number of model calls per batch."""
ASKER = "personas"
"""Name of the calls' account in the budget."""


class Described(Strict):
    """Traits of one persona in a model answer."""

    name: str = Field(max_length=16)
    traits: list[str] = Field(min_length=2, max_length=5)


class WrittenPeople(Strict):
    """Model answer for one batch of personas."""

    people: list[Described] = Field(max_length=BATCH)


@dataclass
class WrittenPersonas:
    """Result of `write_traits`: personas, cost and errors."""

    personas: list[Persona]
    calls: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    """Cost in US dollars; None if a price is unknown."""
    tabled: list[str] = field(default_factory=list)
    """Names of personas that kept their generated traits."""
    faults: list[str] = field(default_factory=list)
    """Errors of unusable answers and of an exhausted budget."""


async def write_traits(
    personas: Sequence[Persona], model: Model, budget: Budget, prompts: Prompts = STANDARD
) -> WrittenPersonas:
    """Return the personas with traits written by a model.

    Args:
        personas: Personas with generated traits.
        model: The model to ask.
        budget: Budget that pays the calls.
        prompts: Prompt templates.

    Raises:
        ModelError: The model failed.
    """
    found = WrittenPersonas([])
    for start in range(0, len(personas), BATCH):
        part = personas[start : start + BATCH]
        people = await _ask(part, model, budget, prompts.load("personas").system, found)
        found.personas += _described(part, people)
        found.tabled += [] if people is not None else [each.name for each in part]
    return found


async def _ask(
    part: Sequence[Persona], model: Model, budget: Budget, told: str, found: WrittenPersonas
) -> WrittenPeople | None:
    """Ask the model for traits of a batch; return None if its answers are unusable or the budget is exhausted."""
    known = [
        {"name": each.name, "extroversion": each.extroversion, "kindness": each.kindness, "holds": each.inventory}
        for each in part
    ]
    messages = [ChatMessage("system", told), ChatMessage("user", quote_document({"people": known}))]
    for _ in range(TRIES):
        try:
            reply = await _paid(messages, model, budget, found)
            return _fitting(json_answer(reply.text, WrittenPeople, "form"), [each.name for each in part])
        except BudgetExhausted as error:
            found.faults.append(str(error))
            return None
        except ReplyError as error:
            fault = str(with_cause(error, reply))
            found.faults.append(fault)
            wrong = f"That answer cannot be used: {fault}. Answer again, in the form that was asked for."
            messages += [ChatMessage("assistant", spoken(reply.text)[:4000] or "(empty)"), ChatMessage("user", wrong)]
    return None


async def _paid(messages: Sequence[ChatMessage], model: Model, budget: Budget, found: WrittenPersonas) -> Reply:
    """Call the model, charge the budget, and add the usage to `found`."""
    ticket = await budget.ask(ASKER, model.name, sum(len(each.content) for each in messages))
    try:
        reply = await model.complete(messages, Settings(temperature=1.0))
    except BaseException:
        budget.done(ticket, None)
        raise
    usd = budget.done(ticket, reply.usage)
    found.calls += 1
    found.tokens += reply.usage.total
    found.usd = None if usd is None or found.usd is None else found.usd + usd
    return reply


def _fitting(answer: WrittenPeople, names: Sequence[str]) -> WrittenPeople:
    """Return the answer after checking its names and traits; traits begin with "You". Raises ReplyError."""
    told = [each.name for each in answer.people]
    if told != list(names):
        raise ReplyError("form", f"the names are {', '.join(told)[:100]}, and {', '.join(names)} were asked for")
    for each in answer.people:
        for trait in each.traits:
            if not (trait.startswith("You") and trait.isprintable() and len(trait) <= 400):
                raise ReplyError("form", f"{each.name}: {trait[:60]!r}: write one sentence that begins with You")
    return answer


def _described(part: Sequence[Persona], people: WrittenPeople | None) -> list[Persona]:
    if people is None:
        return list(part)
    described = zip(part, people.people, strict=True)
    return [persona.model_copy(update={"traits": tuple(told.traits)}) for persona, told in described]
