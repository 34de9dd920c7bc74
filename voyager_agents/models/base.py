"""Protocol of models: messages and settings in, a reply with token usage out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Protocol, Self, get_args

from voyager_agents.models.images import ModelImage


@dataclass(frozen=True)
class ToolCall:
    """A model's call of a tool."""

    id: str
    """Identifier, which the message with the call's result repeats."""
    name: str
    arguments: str
    """Arguments as the model wrote them: a JSON object, unless the model erred."""


NO_PARAMETERS: Mapping[str, Any] = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
"""Schema of a tool without arguments."""


@dataclass(frozen=True)
class ModelTool:
    """A function that a model may call instead of writing text."""

    name: str
    """Name of the tool: letters, digits and underscores."""
    description: str
    parameters: Mapping[str, Any]
    """JSON schema of the arguments, an object."""

    def to_dict(self) -> dict[str, Any]:
        """Tool as a request for a completion holds it."""
        about = {"name": self.name, "description": self.description, "parameters": dict(self.parameters)}
        return {"type": "function", "function": about}

    @property
    def size(self) -> int:
        """Characters of the tool, which estimates of tokens start from."""
        return len(json.dumps(self.to_dict()))


@dataclass(frozen=True)
class ChatMessage:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls: tuple[ToolCall, ...] = ()
    """Calls of tools in an assistant's message."""
    tool_call_id: str = ""
    """Call whose result a message of the role `tool` holds."""
    images: tuple[ModelImage, ...] = ()
    """Images of a user's message, after its text."""

    def to_dict(self) -> dict[str, Any]:
        """Message as a dict for records; the fields of tools and images only if set."""
        found: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.tool_calls:
            found["tool_calls"] = [asdict(call) for call in self.tool_calls]
        if self.tool_call_id:
            found["tool_call_id"] = self.tool_call_id
        if self.images:
            found["images"] = [image.to_dict() for image in self.images]
        return found

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> Self:
        """Return the message of a dict by `plain`. Raises TypeError or KeyError for any other dict."""
        calls = tuple(ToolCall(**call) for call in plain.get("tool_calls", ()))
        images = tuple(ModelImage.from_dict(image) for image in plain.get("images", ()))
        return cls(plain["role"], plain["content"], calls, plain.get("tool_call_id", ""), images)

    @property
    def size(self) -> int:
        """Characters of the message, which estimates of tokens start from; images count by their estimated tokens."""
        calls = sum(len(call.name) + len(call.arguments) for call in self.tool_calls)
        return len(self.content) + calls + sum(image.size for image in self.images)


@dataclass(frozen=True)
class RequestedForm:
    """Form of the answer that a call asks for."""

    name: str
    """Name of the form: letters, digits and underscores."""
    schema: Mapping[str, Any]
    """JSON schema (`common.answers.schema`)."""


_NOT_SAMPLING = ("timeout_s", "form", "tools")


@dataclass(frozen=True)
class Settings:
    """Sampling settings of a call."""

    temperature: float | None = 0.1
    """The study uses 0.1 for action, critic and judge, 0.7 for the negotiator. None: the provider's default."""
    max_tokens: int | None = None
    timeout_s: float = 120.0
    """Time limit of one attempt, in seconds of wall time."""
    top_p: float | None = None
    max_completion_tokens: int | None = None
    """Token limit that some providers' newer models take instead of `max_tokens`; it includes reasoning tokens."""
    reasoning_effort: str | None = None
    """Reasoning effort, in the provider's vocabulary."""
    seed: int | None = None
    """Seed passed to the provider."""
    form: RequestedForm | None = None
    """Form of the answer, sent as `response_format` where the endpoint takes it; None for free text."""
    tools: tuple[ModelTool, ...] = ()
    """Tools that the model may call."""
    logprobs: bool | None = None
    """True to ask for the log-probabilities of the answer's tokens."""

    @property
    def asked(self) -> dict[str, Any]:
        """Sampling fields of the request. Fields that are None are left to the provider."""
        fields = asdict(replace(self, form=None, tools=()))
        return {key: value for key, value in fields.items() if key not in _NOT_SAMPLING and value is not None}

    def to_dict(self) -> dict[str, Any]:
        """Settings as a dict for records: the three oldest fields always, the newer ones only if set."""
        first = {"temperature": self.temperature, "max_tokens": self.max_tokens, "timeout_s": self.timeout_s}
        return {**first, **self.asked}


@dataclass(frozen=True)
class Usage:
    """Token counts of one call as the provider reports them; 0 if it reports none."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Part of `prompt_tokens` that the provider had cached and charges less for."""

    @property
    def total(self) -> int:
        """Sum of prompt and completion tokens."""
        return self.prompt_tokens + self.completion_tokens


FormSupport = Literal["schema", "plain-schema", "json", "words"]
"""Ways to ask for a form, the strictest first: JSON schema, schema without bounds, JSON mode, words in the prompt."""

_CAUSES = {
    "length": (
        "the answer was cut off at the limit of tokens, after {tokens} (finish_reason: length); answer more briefly, "
        "or raise --sampling max_tokens or the server's context length"
    ),
    "filter": "the provider's filter withheld the answer (finish_reason: content_filter)",
    "refusal": "the model refused to answer (message.refusal)",
}


FollowUpReason = Literal["", "unreadable", "unsure", "sample"]
"""Reason of a cascade's call after another: that answer was unreadable or unsure, or this is its second sample."""
_REASONS: tuple[FollowUpReason, ...] = get_args(FollowUpReason)


@dataclass(frozen=True)
class Reply:
    """A model's answer."""

    text: str
    usage: Usage = Usage()
    model: str = ""
    """Model name that the provider returned."""
    differs: str = ""
    """For a replayed answer: diff between the recorded prompt and this one; empty if they are equal."""
    ended: str = ""
    """Reason of an early end: `length` (token limit), `filter` or `refusal`; empty for a normal end."""
    form_support: FormSupport | None = None
    """Way in which the form was asked of the endpoint; None for free text and for models that are no endpoint."""
    calls: tuple[ToolCall, ...] = ()
    """Calls of tools; empty if the model called none."""
    cached: bool = False
    """True for an answer from a cache (`voyager_agents.models.answer_cache`): no model was asked."""
    logprob: float | None = None
    """Mean log-probability of the answer's tokens; None if the endpoint tells none."""
    followed: FollowUpReason | None = None
    """For a replayed answer of a cascade: reason of the call that followed it, empty without one; None for others."""

    @property
    def cause(self) -> str:
        """Explanation of an early end, with the option to set; empty for a normal end."""
        return _CAUSES[self.ended].format(tokens=self.usage.completion_tokens) if self.ended in _CAUSES else ""


@dataclass(frozen=True)
class CascadeStep:
    """Place of a call in a cascade (`voyager_agents.models.cascade`)."""

    stage: int
    """Number of the stage, from 1."""
    why: FollowUpReason = ""
    """Reason of a call after another; empty for the first call to a question."""
    after: int | None = None
    """Number of the call whose answer was not enough; None for the first call to a question."""
    fault: str = ""
    """Fault of that answer."""
    confidence: bool = False
    """True if the answer had to state its confidence."""

    def to_dict(self) -> dict[str, Any]:
        """Step as a line of calls.jsonl holds it."""
        return {key: value for key, value in asdict(self).items() if value not in ("", None) and value is not False}

    @classmethod
    def from_dict(cls, told: Mapping[str, Any]) -> CascadeStep:
        """Return the step that `to_dict` wrote. Raises KeyError, TypeError or ValueError."""
        after, why = told.get("after"), _REASONS[_REASONS.index(told.get("why", ""))]
        confidence = told.get("confidence") is True
        return cls(int(told["stage"]), why, None if after is None else int(after), confidence=confidence)


class Model(Protocol):
    """Anything that answers messages. It raises ModelError, with a one-line message for the operator, if it cannot."""

    name: str

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return the reply to these messages."""

    async def close(self) -> None:
        """Release resources such as connections."""
