"""Check whether a model can play: one question per role with the real prompts, parsed like a study's answers.

Each line reports the form of the answer, its time, tokens and price, and the remedy for a problem. No world is started,
and no question is repeated.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.doctor.checks import DoctorCheck
from accord.studies.models import model_for, sampling_of
from accord.studies.option_groups import ModelOptions
from common.answers.spoken import spoken
from contracts import Evidence, MessageError, NegotiatorView, library_contract
from contracts.judges.formal import assess
from dilemmas.scenarios.observables import initial_observables
from dilemmas.scenarios.registry import load_scenario
from dilemmas.skills.docs import skill_docs
from voyager_agents import Model, ModelError, Observation, Prices, ReplyError, language_judge
from voyager_agents.agent import LastRun
from voyager_agents.asking import Asker
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.errors import AgentError
from voyager_agents.generative.act import act_form
from voyager_agents.generative.asking import Mind
from voyager_agents.models import ChatMessage, Reply, Settings, Usage
from voyager_agents.models.sampling import applied
from voyager_agents.prompts.folder import STANDARD, Prompts
from voyager_agents.roles import NEGOTIATOR
from voyager_agents.thought_events import ACTION, CRITIC, CURRICULUM
from voyager_agents.voyager.action import ActionPart
from voyager_agents.voyager.critic import CriticPart
from voyager_agents.voyager.curriculum import CurriculumPart, TaskHistory
from voyager_agents.voyager.negotiator import NegotiatorPart

SCENARIO = "double-vein"
PLAYER, OTHER = "Gizmo", "Glitch"
SEED = 0
SLOW_S = 60.0
"""Answer time that causes a warning, in seconds; an attempt times out at 120 s."""
CUT = 0.5
"""A prompt was probably truncated if the endpoint counts less than this share of its estimated tokens."""
_FORM = "try a larger model, a lower --sampling {role}.temperature, or your own words with --prompts"
_CONTEXT = "raise the server's context length: OLLAMA_CONTEXT_LENGTH, vllm --max-model-len, llama-server -c"
_PARAMETERS: Mapping[str, str] = {
    "max_tokens": "the model takes another name: --sampling max_tokens=default --sampling max_completion_tokens=N",
    "temperature": "leave it to the provider: --sampling temperature=default",
    "top_p": "leave it to the provider: --sampling top_p=default",
    "reasoning_effort": "leave it out: --sampling reasoning_effort=default",
    "seed": "leave it out: --sampling seed=default",
    "context": _CONTEXT,
}
"""Word in an endpoint's refusal -> remedy."""


class SecondQuestion(AgentError):
    """The first answer was unusable, and a second question is not asked."""


@dataclass
class SingleQuestionModel:
    """Model wrapper that answers one question, keeps the answer, and refuses a second question."""

    model: Model
    sampling: Mapping[str, Any]
    name: str = ""
    chars: int = 0
    reply: Reply | None = None
    took_s: float = 0.0

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return the model's reply. Raises SecondQuestion after the first one."""
        if self.reply is not None:
            raise SecondQuestion("; ".join(each.content for each in messages[-1:]))
        self.chars = sum(len(each.content) for each in messages)
        began = time.monotonic()
        self.reply = await self.model.complete(messages, applied(settings, self.sampling))
        self.took_s = time.monotonic() - began
        return self.reply

    async def close(self) -> None:
        """Do nothing: the caller owns the model."""


@dataclass
class ModelChecks:
    """Results of all questions."""

    checks: list[DoctorCheck] = field(default_factory=list)
    usages: list[Usage] = field(default_factory=list)
    usd: float = 0.0


Ask = Callable[[SingleQuestionModel, Prompts], Awaitable[str]]
"""Asks a question and returns a summary. Raises ReplyError, MessageError or SecondQuestion for unusable answers."""


async def examine_model(
    settings: ModelOptions, models: Mapping[str, Model], prices: Prices, prompts: Prompts = STANDARD
) -> list[DoctorCheck]:
    """Return one check per role, and checks that concern all roles. The first model without an answer ends the check.

    Args:
        settings: Options of models and sampling.
        models: Spec -> opened model.
        prices: Known prices.
        prompts: Prompts to use.
    """
    found = ModelChecks()
    for role, ask in QUESTIONS.items():
        spec = model_for(settings, PLAYER, role)
        if spec is None:
            continue
        once = SingleQuestionModel(models[spec], sampling_of(settings, PLAYER, role, SEED), spec)
        try:
            found.checks.append(await _question(role, ask, once, prompts, prices, found))
        except ModelError as error:
            return [*found.checks, DoctorCheck(f"{role}, {spec}", "fail", str(error), _remedy(str(error)))]
    return [*found.checks, _tokens(found.usages), *_price(found, models, prices), *_limits(models)]


async def _question(
    role: str, ask: Ask, once: SingleQuestionModel, prompts: Prompts, prices: Prices, found: ModelChecks
) -> DoctorCheck:
    fault, told = "", ""
    try:
        told = await ask(once, prompts)
    except (ReplyError, MessageError, SecondQuestion) as error:
        fault = " ".join(str(error).split())
    assert once.reply is not None
    usage = once.reply.usage
    found.usages.append(usage)
    price = prices.of(once.name)
    found.usd += 0.0 if price is None else price.of(usage)
    figures = f"{once.took_s:.1f} s, {usage.prompt_tokens} + {usage.completion_tokens} tokens"
    name = f"{role}, {once.name}"
    if fault:
        empty = not spoken(once.reply.text)
        cut = once.reply.ended == "length" or (empty and usage.completion_tokens)
        remedy = f"raise --sampling {role}.max_tokens" if cut else _FORM.format(role=role)
        what = "an empty answer" if empty else "no usable answer"
        return DoctorCheck(name, "warn", f"{what} ({fault[:300]}), {figures}", remedy)
    if usage.prompt_tokens and usage.prompt_tokens < CUT * once.chars / CHARS_A_TOKEN:
        about = once.chars // CHARS_A_TOKEN
        return DoctorCheck(
            name, "warn", f"{told}; the endpoint counts {usage.prompt_tokens} of about {about} prompt tokens", _CONTEXT
        )
    if once.took_s > SLOW_S:
        return DoctorCheck(
            name, "warn", f"{told}, {figures}", "a try ends after 120 s: use a smaller model or more hardware"
        )
    return DoctorCheck(name, "ok", f"{told}, {figures}")


def _remedy(error: str) -> str:
    """Return the remedy for an endpoint's refusal; empty if the refusal states it."""
    refusal = error.partition("answered 400: ")[2]
    return next((remedy for word, remedy in _PARAMETERS.items() if word in refusal), "")


def _tokens(usages: Sequence[Usage]) -> DoctorCheck:
    if not any(usage.total for usage in usages):
        remedy = "limits in tokens and dollars cannot hold: use --max-calls"
        return DoctorCheck("tokens", "warn", "the endpoint counts none", remedy)
    return DoctorCheck("tokens", "ok", f"{sum(usage.total for usage in usages)} in all")


def _price(found: ModelChecks, models: Mapping[str, Model], prices: Prices) -> list[DoctorCheck]:
    unknown = [spec for spec in models if prices.of(spec) is None]
    if unknown:
        return [
            DoctorCheck("price", "info", f"not known for {', '.join(unknown)}", "give --prices FILE to count dollars")
        ]
    return [DoctorCheck("price", "info", f"{found.usd:.6f} USD for these questions; --dry-run says what a study costs")]


def _limits(models: Mapping[str, Model]) -> list[DoctorCheck]:
    checks = []
    for spec, model in models.items():
        limits: Mapping[str, str] = getattr(model, "limits", {})
        told = ", ".join(f"{name.removeprefix('x-ratelimit-')} {value}" for name, value in sorted(limits.items()))
        checks.append(DoctorCheck(f"rate limits, {spec}", "info", told or "the endpoint reports none"))
    return checks


def _seen(*, played: bool = False) -> Observation:
    """Return a player's observation of Double-Vein with contract 1, before the first episode or after a failed one."""
    scenario = load_scenario(SCENARIO)
    spec = scenario.spec
    past = LastRun("async function play(bot) {}\n", "threw", "Error: no path to the target", 1) if played else None
    return Observation(
        player=PLAYER, players=tuple(spec.players), task=spec.task, scenario=spec.text, facts=scenario.facts(),
        contract=library_contract("double_vein_1"), last_run=past, reward=0.0 if played else None,
    )  # fmt: skip


async def _action(once: SingleQuestionModel, prompts: Prompts) -> str:
    policy, _ = await ActionPart(Asker(once, ACTION), skill_docs(), prompts=prompts).write(_seen(), "")
    return f"a program of {len(policy.splitlines())} lines"


async def _critic(once: SingleQuestionModel, prompts: Prompts) -> str:
    review = await CriticPart(Asker(once, CRITIC), prompts=prompts).review(_seen(played=True))
    if review.success is None:
        raise ReplyError("no-critique", review.reasoning)
    return "a review as JSON"


async def _curriculum(once: SingleQuestionModel, prompts: Prompts) -> str:
    task = await CurriculumPart(Asker(once, CURRICULUM), prompts=prompts).propose(_seen(), TaskHistory(), "")
    return f"a task as JSON ({task.text[:60]!r})"


async def _negotiator(once: SingleQuestionModel, prompts: Prompts) -> str:
    view = NegotiatorView(PLAYER, OTHER, 1, 6, (), None)
    asker = Asker(once, NEGOTIATOR, tries=1)
    said = await NegotiatorPart(asker, asker, prompts=prompts).speak(_seen(), view)
    return "a message with a proposal" if said.proposal is not None else "a message"


async def _judge(once: SingleQuestionModel, prompts: Prompts) -> str:
    contract = library_contract("double_vein_1")
    evidence = Evidence(initial_observables(load_scenario(SCENARIO)), (), {})
    verdict = await language_judge(once, prompts=prompts).judge(contract, evidence)
    kept = assess(contract, evidence.observables)
    alike = {each.term: each.amount for each in verdict.awards} == {each.term: each.amount for each in kept.awards}
    return f"a verdict as JSON, {'as' if alike and not verdict.deviations else 'not as'} the terms say"


async def _mind(once: SingleQuestionModel, prompts: Prompts) -> str:
    mind = Mind(Asker(once, "mind"), PLAYER, "A field of trees with apples; an apple is worth 1.", "", prompts=prompts)
    document = {"round": 1, "at": [4, 4], "legal": {"stay": True, "go": [[4, 5], [5, 4]]}}
    chosen = await mind.ask("act", document, act_form((9, 9)))
    return f"a decision as JSON ({chosen.move[:30]!r})"


QUESTIONS: Mapping[str, Ask] = {
    "action": _action,
    "critic": _critic,
    "curriculum": _curriculum,
    "negotiator": _negotiator,
    "judge": _judge,
    "mind": _mind,
}
"""Role -> its question."""
