"""Protocol of models: messages and settings in, a reply with its usage out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol


@dataclass(frozen=True)
class ChatMessage:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Settings:
    """Settings of a call."""

    temperature: float | None = 0.1
    """The study's: 0.1 for action, critic and judge, 0.7 for the negotiator. None: the provider's own."""
    max_tokens: int | None = None
    timeout_s: float = 120.0
    """Time limit of one try, in seconds of wall time."""
    top_p: float | None = None
    max_completion_tokens: int | None = None
    """Token limit that newer models of some providers take instead of `max_tokens`; reasoning counts."""
    reasoning_effort: str | None = None
    """Reasoning effort: a word of the provider's."""
    seed: int | None = None
    """The provider's."""

    @property
    def asked(self) -> dict[str, Any]:
        """Return the request's fields beside its messages; fields that are None are left to the provider."""
        return {key: value for key, value in asdict(self).items() if key != "timeout_s" and value is not None}

    @property
    def plain(self) -> dict[str, Any]:
        """For a record; of what came later than the first three only what is set."""
        first = {"temperature": self.temperature, "max_tokens": self.max_tokens, "timeout_s": self.timeout_s}
        return {**first, **self.asked}


@dataclass(frozen=True)
class Usage:
    """Tokens of one call, as the provider counted them; 0 where it does not say."""

    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    """Prompt tokens, of those above, that the provider had seen before and charges less for."""

    @property
    def total(self) -> int:
        """Both together."""
        return self.prompt_tokens + self.completion_tokens


_CAUSES = {
    "length": (
        "the answer was cut off at the limit of tokens, after {tokens} (finish_reason: length); answer more briefly, "
        "or raise --sampling max_tokens or the server's context length"
    ),
    "filter": "the provider's filter withheld the answer (finish_reason: content_filter)",
}


@dataclass(frozen=True)
class Reply:
    """Answer of a model."""

    text: str
    usage: Usage = Usage()
    model: str = ""
    """The name under which the provider answered."""
    differs: str = ""
    """For a replayed answer: difference of the prompt from the recorded one, as a diff; empty when equal."""
    ended: str = ""
    """Reason of an end that was not the model's own: `length` (limit of tokens) or `filter`; empty for a usual end."""

    @property
    def cause(self) -> str:
        """Explanation of an early end and the option to set; empty for a usual end."""
        return _CAUSES[self.ended].format(tokens=self.usage.completion_tokens) if self.ended in _CAUSES else ""


class Model(Protocol):
    """Anything that answers messages. Raises ModelError, one line for the operator, when it cannot."""

    name: str

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return the reply to these messages."""

    async def close(self) -> None:
        """Give back what it holds, such as connections."""
