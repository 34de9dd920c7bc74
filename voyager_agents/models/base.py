"""Protocol of models: messages and settings in, a reply with token usage out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Protocol


@dataclass(frozen=True)
class ChatMessage:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class RequestedForm:
    """Form of the answer that a call asks for."""

    name: str
    """Name of the form: letters, digits and underscores."""
    schema: Mapping[str, Any]
    """JSON schema (`common.answers.schema`)."""


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

    @property
    def asked(self) -> dict[str, Any]:
        """Sampling fields of the request. Fields that are None are left to the provider."""
        fields = asdict(replace(self, form=None))
        return {key: value for key, value in fields.items() if key != "timeout_s" and value is not None}

    @property
    def plain(self) -> dict[str, Any]:
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

    @property
    def cause(self) -> str:
        """Explanation of an early end, with the option to set; empty for a normal end."""
        return _CAUSES[self.ended].format(tokens=self.usage.completion_tokens) if self.ended in _CAUSES else ""


class Model(Protocol):
    """Anything that answers messages. It raises ModelError, with a one-line message for the operator, if it cannot."""

    name: str

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return the reply to these messages."""

    async def close(self) -> None:
        """Release resources such as connections."""
