"""Check whether a model can play: one question per role with the real prompts, read like a study's answers.

Each role whose answer is data is asked twice, with the schema of its form in the request and without. No world is
started, and no question is repeated.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from accord.doctor.answers import UNANSWERED, Remedy, RoleAnswer, RoleRow
from accord.doctor.checks import DoctorCheck
from accord.doctor.questions import PLAYER, SEED, RoleQuestion
from accord.doctor.remedies import is_too_long, remedy_of
from accord.studies.models import model_for, sampling_of
from accord.studies.option_groups import ModelOptions
from contracts.errors import ContractError
from voyager_agents import Model, ModelError, Prices, ReplyError
from voyager_agents.asking import AskedPrompt, fault_of
from voyager_agents.errors import ImagesRefused, ToolsRefused
from voyager_agents.models import ChatMessage, Settings, Usage
from voyager_agents.models.cascade import CascadeSpec, is_cascade, stages_of
from voyager_agents.models.confidence import ask_confidence, take_confidence
from voyager_agents.models.images import is_blind
from voyager_agents.models.sampling import applied
from voyager_agents.models.tool_support import calls_tools
from voyager_agents.models.vision_support import sees_pictures
from voyager_agents.thought_events import ACTION

MAX_FAULT = 300
"""Maximum characters of a fault that are shown."""
Progress = Callable[[str], None]


@dataclass
class Endpoint:
    """A model and its behaviour so far."""

    spec: str
    model: Model
    answered: bool = False
    errors: list[str] = field(default_factory=list)

    @property
    def is_dead(self) -> bool:
        """True if the endpoint has never answered and gave the same error twice."""
        return not self.answered and len(self.errors) > 1 and self.errors[-1] == self.errors[-2]

    async def ask(self, asked: AskedPrompt, settings: Settings, *, stating: bool = False) -> RoleAnswer:
        """Return the model's answer to a question.

        Args:
            asked: The question.
            settings: Sampling settings, with or without the form of the answer.
            stating: True to ask for the confidence too, as the cascade of a study does.
        """
        if self.is_dead:
            return RoleAnswer("not asked", self.errors[-1])
        messages: Sequence[ChatMessage] = [ChatMessage("system", asked.system), ChatMessage("user", asked.user)]
        messages, sent = ask_confidence(messages, settings) if stating else (messages, settings)
        began = time.monotonic()
        try:
            reply = await self.model.complete(messages, sent)
        except ModelError as error:
            took_s = time.monotonic() - began
            if is_too_long(str(error)):
                return RoleAnswer("too long", str(error), took_s=took_s)
            self.errors.append(str(error))
            return RoleAnswer("no answer", str(error), took_s=took_s)
        self.answered, stated = True, None
        if stating:
            reply, confidence = take_confidence(reply, settings)
            stated = confidence is not None
        took_s = time.monotonic() - began
        answer = RoleAnswer("read", "", reply.form_support, reply.usage, took_s, reply.text, stated)
        try:
            asked.read(reply.text)
        except (ReplyError, ContractError, ValueError) as error:
            fault = fault_of(reply, error)
            return replace(answer, outcome=fault.kind, fault=" ".join(fault.text.split())[:MAX_FAULT])
        return answer


async def ask_roles(
    settings: ModelOptions, models: Mapping[str, Model], questions: Sequence[RoleQuestion], progress: Progress
) -> list[RoleRow]:
    """Return a row for every question, whatever failed before.

    Args:
        settings: Options of models and sampling.
        models: Spec -> opened model.
        questions: Questions to ask.
        progress: Is told what is asked.
    """
    endpoints = {spec: Endpoint(spec, model) for spec, model in models.items()}
    rows = []
    for number, question in enumerate(questions, 1):
        spec = model_for(settings, PLAYER, question.role)
        stages = () if spec is None else stages_of(spec)
        stating = spec is not None and is_cascade(spec) and CascadeSpec.parse(spec).rule == "confidence"
        for stage in stages:
            progress(f"{question.part}, {number} of {len(questions)}")
            rows.append(await _ask_role(settings, endpoints[stage], question, stating and stage != stages[-1]))
    return rows


async def _ask_role(settings: ModelOptions, endpoint: Endpoint, question: RoleQuestion, stating: bool) -> RoleRow:
    asked = question.asked
    sampling = applied(asked.settings, sampling_of(settings, PLAYER, question.role, SEED, endpoint.spec))
    first = await endpoint.ask(asked, sampling, stating=stating)
    with_schema, without = (first, None) if sampling.form is not None else (None, first)
    if first.way == "words":
        with_schema, without = None, first
    elif with_schema is not None and first.outcome != "too long":
        without = await endpoint.ask(asked, replace(sampling, form=None), stating=stating)
    row = RoleRow(question, endpoint.model.name, with_schema, without, Remedy())
    return replace(row, remedy=remedy_of(row, endpoint.spec, settings))


def row_checks(rows: Sequence[RoleRow]) -> list[DoctorCheck]:
    """Return one line for each fault and its remedy, with the parts that it concerns."""
    found: dict[tuple[str, str, str, str], list[str]] = {}
    for row in rows:
        answer = row.answer
        if answer.outcome == "read" and not row.remedy.text:
            continue
        state = "fail" if answer.outcome in UNANSWERED else "warn"
        told = ": ".join(each for each in (answer.outcome, answer.fault or row.remedy.reason) if each)
        found.setdefault((row.model, state, told, row.remedy.text), []).append(row.question.part)
    return [
        DoctorCheck(f"{', '.join(parts)}, {model}", "fail" if state == "fail" else "warn", told, remedy)
        for (model, state, told, remedy), parts in found.items()
    ]


def lacking_checks(lacking: Mapping[str, str]) -> list[DoctorCheck]:
    """Return one line for each family that lacks a package; `lacking` maps families to what they lack."""
    return [DoctorCheck(f"agents {family}", "warn", f"were not asked: {told}") for family, told in lacking.items()]


async def model_checks(
    settings: ModelOptions, models: Mapping[str, Model], rows: Sequence[RoleRow], prices: Prices
) -> list[DoctorCheck]:
    """Return checks that concern all roles: tokens, price, and of each endpoint its forms, limits, tools and sight.

    Args:
        settings: Options of models and sampling.
        models: Spec -> opened model.
        rows: Answers of all roles.
        prices: Known prices.
    """
    answers = [(row.model, answer) for row in rows for answer in (row.with_schema, row.without) if answer is not None]
    if not any(answer.outcome not in UNANSWERED for _, answer in answers):
        return []
    usages = [(name, answer.usage) for name, answer in answers]
    found = [_tokens([usage for _, usage in usages]), _price(usages, prices)]
    for spec, model in models.items():
        own = [answer for name, answer in answers if name == model.name and answer.outcome not in UNANSWERED]
        if own:
            found += [_forms(spec, own), *_confidence(spec, own), await _tokenizer(spec, model), _limits(spec, model)]
            found.append(await _tool_calls(settings, spec, model))
            found.append(await _sight(settings, spec, model))
    return found


def _tokens(usages: Sequence[Usage]) -> DoctorCheck:
    if not any(usage.total for usage in usages):
        remedy = "limits in tokens and dollars cannot hold: use --max-calls"
        return DoctorCheck("tokens", "warn", "the endpoint counts none", remedy)
    return DoctorCheck("tokens", "ok", f"{sum(usage.total for usage in usages):,} in all")


def _price(usages: Sequence[tuple[str, Usage]], prices: Prices) -> DoctorCheck:
    unknown = sorted({name for name, _ in usages if prices.of(name) is None})
    if unknown:
        return DoctorCheck(
            "price", "info", f"not known for {', '.join(unknown)}", "give --prices FILE to count dollars"
        )
    usd = sum(price.of(usage) for name, usage in usages if (price := prices.of(name)) is not None)
    return DoctorCheck("price", "info", f"{usd:.6f} USD for these questions; --dry-run says what a study costs")


def _forms(spec: str, answers: Sequence[RoleAnswer]) -> DoctorCheck:
    """Return how the endpoint was asked for forms."""
    ways = [answer.way for answer in answers if answer.way is not None]
    told = ", ".join(f"{way} {ways.count(way)}" for way in dict.fromkeys(ways))
    return DoctorCheck(f"ways of asking, {spec}", "info", told or "none was asked for")


def _confidence(spec: str, answers: Sequence[RoleAnswer]) -> list[DoctorCheck]:
    """Return how many answers state a confidence that can be read, if they were asked for one."""
    stated = [answer.stated for answer in answers if answer.stated is not None]
    if not stated:
        return []
    told = f"stated in {sum(stated)} of {len(stated)} answers"
    remedy = "" if all(stated) else "the other answers go on to the next stage: another rule may cost less"
    return [DoctorCheck(f"confidence, {spec}", "info", told, remedy)]


async def _tool_calls(settings: ModelOptions, spec: str, model: Model) -> DoctorCheck:
    """Return whether the model makes a tool call when it is asked for one."""
    try:
        made = await calls_tools(model, applied(Settings(), sampling_of(settings, PLAYER, ACTION, SEED)))
        told = "makes them: players can act by --act tools" if made else "makes none when it is asked for one"
    except ToolsRefused:
        told = "the endpoint takes no tools: players act by programs"
    except ModelError as error:
        told = f"not known: {error}"
    return DoctorCheck(f"tool calls, {spec}", "info", told)


async def _sight(settings: ModelOptions, spec: str, model: Model) -> DoctorCheck:
    """Return whether the model sees which colours a picture shows."""
    name = f"pictures, {spec}"
    if is_blind(spec):
        return DoctorCheck(name, "info", "takes none: players see by words")
    try:
        seen = await sees_pictures(model, applied(Settings(), sampling_of(settings, PLAYER, ACTION, SEED)))
        told = "sees them: players can see by --see" if seen else "named other colours than a picture shows"
    except ImagesRefused:
        told = "the endpoint takes none: players see by words"
    except ModelError as error:
        told = f"not known: {error}"
    return DoctorCheck(name, "info", told)


async def _tokenizer(spec: str, model: Model) -> DoctorCheck:
    count = getattr(model, "count_tokens", None)
    tokens = None if count is None else await count("one two three")
    told = "none: tokens of a prompt are estimated" if tokens is None else "counts the tokens of a prompt"
    return DoctorCheck(f"tokenizer, {spec}", "info", told)


def _limits(spec: str, model: Model) -> DoctorCheck:
    limits: Mapping[str, str] = getattr(model, "limits", {})
    told = ", ".join(f"{name.removeprefix('x-ratelimit-')} {value}" for name, value in sorted(limits.items()))
    return DoctorCheck(f"rate limits, {spec}", "info", told or "the endpoint reports none")
