"""Personas whose traits a model has written; names, numbers, spawns and inventories are the seeded generator's.

Its answers are read strictly. Whom it could not be read for, after a second try, has the traits of the table of words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import Field

from common.untrusted_text import quote_document
from contracts.answers import Strict
from contracts.spoken import spoken
from voyager_agents.answers import json_answer, with_cause
from voyager_agents.budget import Budget
from voyager_agents.errors import BudgetExhausted, ReplyError
from voyager_agents.models import ChatMessage, Model, Reply, Settings
from voyager_agents.personas.persona import Persona
from voyager_agents.prompts.folder import STANDARD, Prompts

BATCH = 10
"""People that are asked for at once."""
TRIES = 2
ASKER = "personas"
"""Name under which the budget counts the calls."""


class Described(Strict):
    """One of them."""

    name: str = Field(max_length=16)
    traits: list[str] = Field(min_length=2, max_length=5)


class WrittenPeople(Strict):
    """An answer."""

    people: list[Described] = Field(max_length=BATCH)


@dataclass
class WrittenPersonas:
    """Result of writing traits."""

    personas: list[Persona]
    calls: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    """None where a price is not known."""
    tabled: list[str] = field(default_factory=list)
    """Names of those who have the traits of the table of words."""
    faults: list[str] = field(default_factory=list)
    """Faults of answers, or the reason for stopping."""


async def write_traits(
    personas: Sequence[Persona], model: Model, purse: Budget, prompts: Prompts = STANDARD
) -> WrittenPersonas:
    """Return the same people with traits that a model wrote.

    Args:
        personas: The people.
        model: The model to ask.
        purse: Budget of the calls.
        prompts: Prompts to ask with.

    Raises:
        ModelError: The model cannot be asked.
    """
    found = WrittenPersonas([])
    for start in range(0, len(personas), BATCH):
        part = personas[start : start + BATCH]
        people = await _ask(part, model, purse, prompts.load("personas").system, found)
        found.personas += _described(part, people)
        found.tabled += [] if people is not None else [each.name for each in part]
    return found


async def _ask(
    part: Sequence[Persona], model: Model, purse: Budget, told: str, found: WrittenPersonas
) -> WrittenPeople | None:
    """Ask the model for traits; return None if its answer cannot be read, or the budget is used up."""
    known = [
        {"name": each.name, "extroversion": each.extroversion, "kindness": each.kindness, "holds": each.inventory}
        for each in part
    ]
    messages = [ChatMessage("system", told), ChatMessage("user", quote_document({"people": known}))]
    for _ in range(TRIES):
        try:
            reply = await _paid(messages, model, purse, found)
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


async def _paid(messages: Sequence[ChatMessage], model: Model, purse: Budget, found: WrittenPersonas) -> Reply:
    """Return the reply, counted and paid."""
    ticket = await purse.ask(ASKER, model.name, sum(len(each.content) for each in messages))
    try:
        reply = await model.complete(messages, Settings(temperature=1.0))
    except BaseException:
        purse.done(ticket, None)
        raise
    usd = purse.done(ticket, reply.usage)
    found.calls += 1
    found.tokens += reply.usage.total
    found.usd = None if usd is None or found.usd is None else found.usd + usd
    return reply


def _fitting(answer: WrittenPeople, names: Sequence[str]) -> WrittenPeople:
    """Return the answer, if it is about these and its traits are sentences to them. Raises ReplyError."""
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
