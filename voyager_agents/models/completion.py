"""Strict parsing of an endpoint's JSON answers.

An endpoint may send an error, a web page or a stream with status 200, and its token counts may be nonsense. Each such
answer raises Malformed with the cause in one line.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from voyager_agents.models.base import Reply, ToolCall, Usage
from voyager_agents.models.retries import ErrorBody, Malformed, one_line

MAX_TOKENS = 1_000_000_000
"""Largest plausible token count of one call."""
MAX_NAME = 200
"""Maximum characters of the model name in an answer, and of the name and identifier of a tool call."""
MAX_TOOL_CALLS = 33
"""Maximum tool calls read from an answer."""
MAX_ARGUMENTS = 20_000
"""Maximum characters of a tool call's arguments; longer ones are cut, and therefore no JSON."""
_STREAM = "switch streaming off at the endpoint, or at the proxy before it"
_ENDS: Mapping[str, str] = {
    "length": "length",
    "max_tokens": "length",
    "content_filter": "filter",
    "safety": "filter",
    "refusal": "refusal",
}
"""`finish_reason` in lower case -> `Reply.ended`; any other reason is a normal end."""
_THOUGHTS = frozenset({"thinking", "reasoning", "reasoning_text", "summary_text"})
"""Types of content parts that hold reasoning, not the answer."""


def read_object(content: bytes, content_type: str) -> Mapping[str, Any]:
    """Return the JSON object of an answer with status 200. Raises Malformed."""
    start = content.lstrip()[:64]
    if "event-stream" in content_type or start.startswith((b"data:", b"event:")):
        raise Malformed("it answered a stream, although none was asked for", _STREAM)
    if start.startswith(b"<"):
        raise Malformed("it answered a web page, not JSON", "check --base-url, which usually ends with /v1")
    if not start:
        raise Malformed("the answer is empty")
    try:
        data = json.loads(content)
    except RecursionError:
        raise Malformed("the answer is nested too deeply") from None
    except ValueError as error:
        if str(error).startswith("Extra data"):
            raise Malformed("it answered several JSON texts, as a stream does", _STREAM) from None
        raise Malformed(f"the answer is not JSON ({one_line(str(error))})") from None
    if not isinstance(data, dict):
        raise Malformed(f"the answer is no JSON object ({one_line(str(data)[:60])})")
    _check_error(data)
    return data


def read_reply(data: Mapping[str, Any]) -> Reply:
    """Return the reply of a completion: its text, else the text of a refusal, else an empty text. Raises Malformed.

    A refusal, an empty answer or a malformed tool call is a valid reply: the caller checks its form.
    """
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        raise Malformed("the answer has no choices")
    message = choice.get("message")
    if not isinstance(message, dict):
        if "delta" in choice:
            raise Malformed("it answered a piece of a stream, although none was asked for", _STREAM)
        raise Malformed("the answer's choice has no message")
    text = _said(message.get("content"))
    refusal = message.get("refusal")
    ended = _ENDS.get(str(choice.get("finish_reason"))[:MAX_NAME].lower(), "")
    if not text and isinstance(refusal, str) and refusal:
        text, ended = refusal, ended or "refusal"
    calls, logprob = _tool_calls(message.get("tool_calls")), _mean_logprob(choice.get("logprobs"))
    return Reply(text, read_usage(data), read_name(data), ended=ended, calls=calls, logprob=logprob)


def read_usage(data: Mapping[str, Any]) -> Usage:
    """Return the token counts of an answer; 0 for missing counts. Raises Malformed for invalid counts."""
    usage = data.get("usage")
    if usage is None:
        return Usage()
    if not isinstance(usage, dict):
        raise Malformed(f"its usage is no object ({_shown(usage)})")
    details = usage.get("prompt_tokens_details")
    cached = _count("cached_tokens", details.get("cached_tokens")) if isinstance(details, dict) else 0
    prompt = _count("prompt_tokens", usage.get("prompt_tokens"))
    return Usage(prompt, _count("completion_tokens", usage.get("completion_tokens")), min(cached, prompt))


def read_name(data: Mapping[str, Any]) -> str:
    """Return the model name in an answer; empty if there is none."""
    name = data.get("model")
    return name[:MAX_NAME] if isinstance(name, str) else ""


def _mean_logprob(told: object) -> float | None:
    """Return the mean log-probability of the answer's tokens; None if there are none, or one of them is no number."""
    tokens = told.get("content") if isinstance(told, dict) else None
    if not isinstance(tokens, list) or not tokens:
        return None
    found = [each.get("logprob") if isinstance(each, dict) else None for each in tokens]
    known = [float(each) for each in found if isinstance(each, int | float) and not isinstance(each, bool)]
    mean = sum(known) / len(known) if len(known) == len(found) else math.nan
    return mean if math.isfinite(mean) else None


def _said(content: object) -> str:
    """Return the text of a message's content: a string, or the joined parts of a list without reasoning parts."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    texts = []
    for part in content:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict) and part.get("type") not in _THOUGHTS:
            text = part.get("text")
            # The assistants' API has {"text": {"value": ...}}.
            said = text.get("value") if isinstance(text, dict) else text
            texts.append(said if isinstance(said, str) else "")
    return "".join(texts)


def _tool_calls(told: object) -> tuple[ToolCall, ...]:
    """Return the calls in a message, bounded in number and length.

    A call of another form has an empty name, which no tool has: an unusable answer of the model, not of the endpoint.
    """
    return tuple(_tool_call(each) for each in told[:MAX_TOOL_CALLS]) if isinstance(told, list) else ()


def _tool_call(told: object) -> ToolCall:
    function = told.get("function") if isinstance(told, dict) else None
    if not isinstance(told, dict) or not isinstance(function, dict):
        return ToolCall("", "", "")
    name, arguments = function.get("name"), function.get("arguments")
    # Some endpoints send the arguments as an object instead of its text.
    text = json.dumps(arguments) if isinstance(arguments, dict) else arguments
    return ToolCall(_cut(told.get("id"), MAX_NAME), _cut(name, MAX_NAME), _cut(text, MAX_ARGUMENTS))


def _cut(value: object, most: int) -> str:
    return value[:most] if isinstance(value, str) else ""


def _count(name: str, value: object) -> int:
    """Return one token count. Raises Malformed if it is not a plausible count."""
    if value is None:
        return 0
    number = value if isinstance(value, int | float) and not isinstance(value, bool) else -1
    if 0 <= number <= MAX_TOKENS and number == int(number):
        return int(number)
    raise Malformed(f"its usage says {name}: {_shown(value)}, which is no count of tokens", "report it to the endpoint")


def _check_error(data: Mapping[str, Any]) -> None:
    """Raise ErrorBody for an error sent with status 200."""
    error = data.get("error")
    if data.get("object") == "error" and not error:
        error = data
    if not error or data.get("choices") or data.get("data"):
        return
    if not isinstance(error, dict):
        raise ErrorBody(_shown(error), None)
    message, code = error.get("message"), error.get("code")
    raise ErrorBody(
        _shown(message if isinstance(message, str) else error), code if isinstance(code, int | str) else None
    )


def _shown(value: object) -> str:
    return one_line(value if isinstance(value, str) else repr(value)[:400])
