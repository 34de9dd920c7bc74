"""Traits of personas written by a model; all other attributes come from the seeded generator.

Without a usable answer, the personas of a batch keep their generated traits.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import bounded_schema, limit_values, list_schema
from common.untrusted_text import quote_document
from voyager_agents.asking import Asker
from voyager_agents.errors import BudgetExhausted, ReplyError
from voyager_agents.models import Settings
from voyager_agents.models.paying import PaidModels
from voyager_agents.personas.persona import Persona
from voyager_agents.prompts.folder import STANDARD, Prompts

BATCH = 10
"""Number of personas per model call."""
PERSONAS = "personas"
"""Name of the prompt, and of the calls' account in the budget."""
MAX_TRAIT = 400
"""Maximum length of a trait, in characters."""
TRAIT = "^You [A-Za-z ,.;'-]{3,120}$"
"""Pattern of a trait in the schema."""


class Described(Strict):
    """Traits of one persona in a model answer."""

    name: str = Field(max_length=16)
    traits: list[str] = Field(min_length=2, max_length=5)


class WrittenPeople(Strict):
    """Model answer for one batch of personas."""

    people: list[Described] = Field(max_length=BATCH)


def people_form(names: Sequence[str]) -> AnswerForm[WrittenPeople]:
    """Return the form of the traits of these people."""
    person = limit_values(bounded_schema(Described), {"name": names})
    person["properties"]["traits"]["items"] = {"type": "string", "pattern": TRAIT}
    example = {"people": [{"name": "...", "traits": ["You ...", "You ..."]}]}
    narrowed = {"people": list_schema(person, len(names), len(names))}
    return AnswerForm(PERSONAS, WrittenPeople, example, narrowed=narrowed)


@dataclass
class WrittenPersonas:
    """Result of `write_traits`: personas, cost and errors."""

    personas: list[Persona]
    calls: int = 0
    tokens: int = 0
    usd: float | None = 0.0
    """Cost in US dollars; None if a price is unknown."""
    answered: dict[str, int] = field(default_factory=dict)
    """Model of a cascade -> number of answers that are its own; empty for one model."""
    tabled: list[str] = field(default_factory=list)
    """Names of personas that kept their generated traits."""
    faults: list[str] = field(default_factory=list)
    """Errors of unusable answers and of an exhausted budget."""


async def write_traits(personas: Sequence[Persona], models: PaidModels, prompts: Prompts = STANDARD) -> WrittenPersonas:
    """Return the personas with traits written by a model.

    Args:
        personas: Personas with generated traits.
        models: The model to ask, or the cascade.
        prompts: Prompt templates.

    Raises:
        ModelError: The model failed.
    """
    found = WrittenPersonas([])
    asker = Asker(models.asked, PERSONAS, settings=Settings(temperature=1.0))
    for start in range(0, len(personas), BATCH):
        part = personas[start : start + BATCH]
        people = await _ask(part, asker, prompts.load(PERSONAS).system, found)
        found.personas += _described(part, people)
        found.tabled += [] if people is not None else [each.name for each in part]
    found.calls, found.tokens, found.usd, found.answered = models.calls, models.tokens, models.usd, models.answered
    return found


async def _ask(part: Sequence[Persona], asker: Asker, told: str, found: WrittenPersonas) -> WrittenPeople | None:
    """Ask the model for traits of a batch; return None if its answers are unusable or the budget is exhausted."""
    known = [
        {"name": each.name, "extroversion": each.extroversion, "kindness": each.kindness, "holds": each.inventory}
        for each in part
    ]
    names = [each.name for each in part]
    shown = quote_document({"people": known})
    try:
        answer = await asker.ask(told, shown, people_form(names), lambda people: _check(people, names))
    except BudgetExhausted as error:
        found.faults.append(str(error))
        return None
    found.faults += [each.text for each in answer.faults]
    return answer.value


def _check(answer: WrittenPeople, names: Sequence[str]) -> None:
    """Check names and traits of an answer; traits begin with "You". Raises ReplyError."""
    told = [each.name for each in answer.people]
    if told != list(names):
        raise ReplyError("form", f"the names are {', '.join(told)[:100]}, and {', '.join(names)} were asked for")
    for each in answer.people:
        for trait in each.traits:
            if not (trait.startswith("You") and trait.isprintable() and len(trait) <= MAX_TRAIT):
                raise ReplyError("form", f"{each.name}: {trait[:60]!r}: write one sentence that begins with You")


def _described(part: Sequence[Persona], people: WrittenPeople | None) -> list[Persona]:
    if people is None:
        return list(part)
    described = zip(part, people.people, strict=True)
    return [persona.model_copy(update={"traits": tuple(told.traits)}) for persona, told in described]
