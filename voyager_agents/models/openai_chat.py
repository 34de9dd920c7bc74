"""Models behind an OpenAI-compatible endpoint, through the `openai` package's asynchronous client."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion

from voyager_agents.errors import ModelError, QuotaExhausted
from voyager_agents.models.base import ChatMessage, Reply, Settings, Usage
from voyager_agents.models.gate import Gate
from voyager_agents.models.retries import PATIENCE_S, Malformed, Patience, is_overload, is_quota, reason, retrying
from voyager_agents.models.switch import is_local, require_permission
from voyager_agents.models.transport import http_client
from voyager_agents.models.watching import Asking, GaveUp, Queued, tell

LIMITS = "ratelimit"
"""What stands in the names of headers about rate limits."""
KEY_VARIABLE = "OPENAI_API_KEY"
Sleep = Callable[[float], Awaitable[None]]
T = TypeVar("T")


def open_openai(name: str, *, base_url: str | None, api_key_file: Path | None) -> OpenAIModel:
    """The model of that name; an endpoint on this machine needs no key. Raises ModelError."""
    _check_url(base_url)
    require_permission(base_url)
    return OpenAIModel(name, base_url=base_url, api_key=_key(base_url, api_key_file))


class OpenAIModel:
    """One model of one endpoint. Overload backs off and is tried again; everything else is told in one line."""

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None,
        api_key: str,
        sleep: Sleep = asyncio.sleep,
        patience_s: float = PATIENCE_S,
    ) -> None:
        """`sleep` waits between tries (tests pass their own), at most `patience_s` in all for one completion."""
        self.name = f"openai/{name}"
        self.gate = Gate()
        self._name = name
        self._base_url = base_url
        self._sleep = sleep
        self._patience_s = patience_s
        self.limits: dict[str, str] = {}
        """What the provider said last of its rate limits: header -> value; empty where it says nothing."""
        self._works = False
        # Retries are ours: they have to know quota from overload, and one agent's overload is news for all of them.
        self.client = openai.AsyncOpenAI(api_key=api_key, base_url=base_url, max_retries=0, http_client=http_client())
        self._jitter = random.Random(f"backoff:{name}")

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """The reply; empty when the model refused or said nothing. Raises ModelError, or QuotaExhausted when waiting
        would not help."""

        async def call() -> Reply:
            return _reply(await self._call(messages, settings))

        return await self.ask(call, settings.timeout_s)

    async def ask(self, call: Callable[[], Awaitable[T]], timeout_s: float) -> T:
        """What that call of `client` gives, through the gate and with patience. Raises as `complete` does.

        The call raises Malformed for an answer that is not what was asked for.
        """
        require_permission(self._base_url)
        patience = Patience(lambda: self._works, self._jitter, self._patience_s)
        while True:
            try:
                return await self._try(call)
            except (openai.OpenAIError, Malformed) as error:
                pause = patience.pause(error, timeout_s)
                if pause is None:
                    tell(GaveUp(self.name, reason(error, timeout_s)))
                    raise self._told(error, patience.tries, timeout_s) from None
                tell(retrying(self.name, error, timeout_s, pause, patience.tries))
            await self._sleep(pause)

    async def close(self) -> None:
        """Closes the connections."""
        await self.client.close()

    async def _try(self, call: Callable[[], Awaitable[T]]) -> T:
        if self.gate.full:
            tell(Queued(self.name, int(self.gate.limit)))
        mark = await self.gate.enter()
        tell(Asking(self.name))
        try:
            answer = await call()
        except openai.APIStatusError as error:
            if is_overload(error):
                self.gate.overloaded(mark)
            raise
        except ValueError as error:
            raise Malformed(f"the answer is not JSON ({_line(str(error))})") from None
        finally:
            self.gate.leave()
        self._works = True
        self.gate.answered()
        return answer

    async def _call(self, messages: Sequence[ChatMessage], settings: Settings) -> ChatCompletion:
        asked: dict[str, Any] = settings.asked
        answer = await self.client.chat.completions.with_raw_response.create(
            model=self._name,
            messages=[{"role": each.role, "content": each.content} for each in messages],  # type: ignore[misc]
            timeout=settings.timeout_s,
            **asked,
        )
        self.limits = {name.lower(): value for name, value in answer.headers.items() if LIMITS in name.lower()}
        completion: ChatCompletion = answer.parse()
        return completion

    def _told(self, error: Exception, tries: int, timeout_s: float) -> ModelError:
        """The error for the operator: what, where, and what to do."""
        where = self._base_url or "the OpenAI API"
        what = f"model {self.name} at {where}"
        if is_quota(error):
            return QuotaExhausted(
                f"{what}: the quota is used up: raise the limit or change the key, then resume the run"
            )
        match error:
            case Malformed():
                return ModelError(f"{what}: {error}, {tries} times: check --base-url, it has to be an OpenAI one")
            case openai.APITimeoutError():
                return ModelError(f"{what}: no answer within {timeout_s:g} s, {tries} times: raise the time limit")
            case openai.APIConnectionError():
                return ModelError(f"{what}: nothing answers there: check --base-url and that the server runs")
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return ModelError(
                    f"{what}: the key was refused ({error.status_code}): check {KEY_VARIABLE} or --api-key-file"
                )
            case openai.NotFoundError():
                return ModelError(f"{what}: no such model or path (404): check the model's name and --base-url")
            case openai.APIStatusError() if is_overload(error):
                return ModelError(
                    f"{what}: still answers {error.status_code} after {tries} tries: resume the run later"
                )
            case openai.APIStatusError():
                return ModelError(f"{what}: answered {error.status_code}: {_line(error.message)}")
        return ModelError(f"{what}: {_line(str(error))}")


def _reply(completion: ChatCompletion) -> Reply:
    """What a completion says: its text, else the words of a refusal, else nothing. Raises Malformed for no completion.

    A refusal, silence or an unasked-for tool call is the model's own answer: the part that asked deals with its form.
    """
    choices = getattr(completion, "choices", None)
    message = getattr(choices[0], "message", None) if isinstance(choices, list) and choices else None
    if message is None:
        raise Malformed("the answer has no choices")
    said = message.content if isinstance(message.content, str) else getattr(message, "refusal", None)
    return Reply(said if isinstance(said, str) else "", _usage(completion), str(completion.model or ""))


def _usage(completion: ChatCompletion) -> Usage:
    usage = completion.usage
    if usage is None:
        return Usage()
    details = usage.prompt_tokens_details
    return Usage(usage.prompt_tokens or 0, usage.completion_tokens or 0, (details and details.cached_tokens) or 0)


def _line(text: str) -> str:
    return " ".join(text.split())[:200] or "no reason given"


def _check_url(base_url: str | None) -> None:
    if base_url is None:
        return
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        usable = False
    if not usable:
        raise ModelError(f"base URL {base_url!r} is no http address: write e.g. http://127.0.0.1:8000/v1")


def _key(base_url: str | None, api_key_file: Path | None) -> str:
    if api_key_file is not None:
        return _usable(_read_key(api_key_file), f"key file {api_key_file}")
    key = os.environ.get(KEY_VARIABLE, "").strip()
    if key:
        return _usable(key, KEY_VARIABLE)
    if is_local(base_url):
        return "none-needed"
    raise ModelError(
        f"no API key: set {KEY_VARIABLE} or give --api-key-file (or --base-url of a server on this machine)"
    )


def _read_key(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"key file {path}: cannot be read ({type(error).__name__}): check --api-key-file") from None


def _usable(key: str, where: str) -> str:
    """The key, if it can stand in a header; the message never shows it."""
    if not key or len(key.split()) != 1 or not key.isascii() or not key.isprintable():
        raise ModelError(f"{where}: holds no key: put the key alone there, one line of plain characters")
    return key
