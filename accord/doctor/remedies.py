"""Remedies for unusable answers, by what went wrong and what the endpoint said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.doctor.answers import Remedy, RoleAnswer, RoleRow
from accord.studies.option_groups import ModelOptions
from common.answers.reading import json_of
from voyager_agents.budget import CHARS_A_TOKEN
from voyager_agents.models import is_local

SLOW_S = 60.0
"""Answer time that causes a warning, in seconds; an attempt times out at 120 s."""
CUT = 0.5
"""A prompt was probably truncated if the endpoint counts less than this share of its estimated tokens."""
COMPACT = Path("compact")
_TOO_LONG = (
    "exceed_context_size", "exceeds the available context", "context length", "context_length", "context window",
    "maximum model length", "prompt is too long", "input token count", "too many tokens",
)  # fmt: skip
"""Words of refusals of a prompt that is longer than the context: llama.cpp, OpenAI, vLLM, and others, in lower case."""
_SERVER = "raise the server's context length: OLLAMA_CONTEXT_LENGTH, vllm --max-model-len, llama-server -c"
_PARAMETERS: Mapping[str, str] = {
    "max_tokens": "the model takes another name: --sampling max_tokens=default --sampling max_completion_tokens=N",
    "temperature": "leave it to the provider: --sampling temperature=default",
    "top_p": "leave it to the provider: --sampling top_p=default",
    "reasoning_effort": "leave it out: --sampling reasoning_effort=default",
    "seed": "leave it out: --sampling seed=default",
}
"""Word in an endpoint's refusal -> remedy."""


def is_too_long(error: str) -> bool:
    """Return True if an endpoint's error says that the prompt is longer than its context."""
    return "answered 400" in error and any(words in error.lower() for words in _TOO_LONG)


def remedy_of(row: RoleRow, spec: str, settings: ModelOptions) -> Remedy:
    """Return the change that mends a row of the table.

    Args:
        row: Row without a remedy.
        spec: Spec of its model.
        settings: Options of models, sampling and prompts.
    """
    answer, role = row.answer, row.question.role
    match answer.outcome:
        case "read":
            return _doubts(row, answer, spec)
        case "too long":
            context = _context(spec)
            if settings.prompts == COMPACT:
                return Remedy("larger context", context)
            return Remedy("--prompts compact", f"try --prompts compact, or {context}")
        case "no answer" | "not asked":
            refusal = answer.fault.partition("answered 400: ")[2]
            text = next((remedy for word, remedy in _PARAMETERS.items() if word in refusal), "")
            return Remedy("see below", text)
        case _ if row.with_schema is not None and row.without is not None and row.without.outcome == "read":
            return _words("it answers in form without a schema")
        case "cut-off":
            used = f"{answer.usage.completion_tokens} tokens were not enough"
            return Remedy("more tokens", f"{used}: raise --sampling {role}.max_tokens, or {_context(spec)}")
        case "refused":
            return Remedy("another model", "try another model, or your own words with --prompts")
        case _:
            return _unreadable(row, answer)


def _doubts(row: RoleRow, answer: RoleAnswer, spec: str) -> Remedy:
    """Return the remedy for an answer that was read, of a prompt that was truncated or after a long time."""
    asked = row.question.asked
    estimated = (len(asked.system) + len(asked.user)) // CHARS_A_TOKEN
    counted = answer.usage.prompt_tokens
    if counted and counted < CUT * estimated:
        told = f"the endpoint counts {counted} of about {estimated} prompt tokens"
        return Remedy("larger context", _context(spec), told)
    if answer.took_s > SLOW_S and not is_local(spec):
        return Remedy(
            "faster model", "a try ends after 120 s: use a smaller model or more hardware", f"{answer.took_s:.1f} s"
        )
    return Remedy()


def _unreadable(row: RoleRow, answer: RoleAnswer) -> Remedy:
    form = row.question.asked.settings.form
    if answer.way in ("schema", "plain-schema") and form is not None and not keeps_to(form.schema, answer.text):
        return _words("the endpoint takes the schema and does not keep to it")
    role = row.question.role
    return Remedy(
        "another model",
        f"try a larger model, a lower --sampling {role}.temperature, or your own words with --prompts",
    )


def _words(why: str) -> Remedy:
    return Remedy("--answers words", f"{why}: try --answers words, or another server")


def _context(spec: str) -> str:
    return "raise the engine's: --local context=N" if is_local(spec) else _SERVER


def keeps_to(schema: Mapping[str, Any], answer: str) -> bool:
    """Return True if an answer is a JSON object with the keys of the schema."""
    try:
        data = json_of(answer)
    except ValueError:
        return False
    shapes: Sequence[Mapping[str, Any]] = schema.get("anyOf", [schema])
    return isinstance(data, dict) and any(data.keys() == each["properties"].keys() for each in shapes)
