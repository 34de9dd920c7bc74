"""Models behind an OpenAI-compatible endpoint, through the `openai` package's asynchronous client."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import openai
from openai.types.chat import ChatCompletion

from voyager_agents.errors import ModelError, QuotaExhausted
from voyager_agents.models.base import ChatMessage, Reply, Settings, Usage
from voyager_agents.models.switch import is_local, require_permission

KEY_VARIABLE = "OPENAI_API_KEY"
TRIES = 6
"""Calls at most for one completion when the provider is overloaded (429, 5xx)."""
NETWORK_TRIES = 2
"""Calls at most when nothing answers: a dead URL has to be told soon."""
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0
Sleep = Callable[[float], Awaitable[None]]


def open_openai(name: str, *, base_url: str | None, api_key_file: Path | None) -> OpenAIModel:
    """The model of that name; an endpoint on this machine needs no key. Raises ModelError."""
    _check_url(base_url)
    require_permission(base_url)
    return OpenAIModel(name, base_url=base_url, api_key=_key(base_url, api_key_file))


class OpenAIModel:
    """One model of one endpoint. Overload backs off and is tried again; everything else is told in one line."""

    def __init__(self, name: str, *, base_url: str | None, api_key: str, sleep: Sleep = asyncio.sleep) -> None:
        """`sleep` waits between tries; tests pass their own."""
        self.name = f"openai/{name}"
        self._name = name
        self._base_url = base_url
        self._sleep = sleep
        # Retries are ours: they have to know quota from overload and must be seen by the record.
        self._client = openai.AsyncOpenAI(api_key=api_key, base_url=base_url, max_retries=0)
        self._jitter = random.Random(f"backoff:{name}")

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """The reply. Raises ModelError, or QuotaExhausted when waiting would not help."""
        require_permission(self._base_url)
        for attempt in range(1, TRIES + 1):
            try:
                return _reply(await self._call(messages, settings), self.name)
            except openai.OpenAIError as error:
                if not self._again(error, attempt):
                    raise self._told(error, attempt, settings) from None
                await self._sleep(self._pause(error, attempt))
            except ValueError as error:
                raise ModelError(
                    f"model {self.name}: the answer is not JSON ({_line(str(error))}): check --base-url"
                ) from None
        raise ModelError(f"model {self.name}: {TRIES} tries were not enough")

    async def close(self) -> None:
        """Closes the connections."""
        await self._client.close()

    async def _call(self, messages: Sequence[ChatMessage], settings: Settings) -> ChatCompletion:
        extra: dict[str, Any] = {} if settings.max_tokens is None else {"max_tokens": settings.max_tokens}
        completion: ChatCompletion = await self._client.chat.completions.create(
            model=self._name,
            messages=[{"role": each.role, "content": each.content} for each in messages],  # type: ignore[misc]
            temperature=settings.temperature,
            timeout=settings.timeout_s,
            **extra,
        )
        return completion

    def _again(self, error: openai.OpenAIError, attempt: int) -> bool:
        if _is_quota(error):
            return False
        if isinstance(error, openai.APIStatusError):
            return attempt < TRIES and (error.status_code in (408, 409, 429) or error.status_code >= 500)
        return isinstance(error, openai.APIConnectionError) and attempt < NETWORK_TRIES

    def _pause(self, error: openai.OpenAIError, attempt: int) -> float:
        """The server's own hint, else twice as long each time, spread so that agents do not come back all at once."""
        if isinstance(error, openai.APIStatusError):
            hint = error.response.headers.get("retry-after", "")
            if hint.replace(".", "", 1).isdigit():
                return min(float(hint), LONGEST_PAUSE_S)
        return min(FIRST_PAUSE_S * 2.0 ** (attempt - 1), LONGEST_PAUSE_S) * self._jitter.uniform(0.75, 1.25)

    def _told(self, error: openai.OpenAIError, tries: int, settings: Settings) -> ModelError:
        """The error for the operator: what, where, and what to do."""
        where = self._base_url or "the OpenAI API"
        what = f"model {self.name} at {where}"
        if _is_quota(error):
            return QuotaExhausted(
                f"{what}: the quota is used up: raise the limit or change the key, then resume the run"
            )
        match error:
            case openai.APITimeoutError():
                return ModelError(
                    f"{what}: no answer within {settings.timeout_s:g} s, {tries} times: raise the time limit"
                )
            case openai.APIConnectionError():
                return ModelError(f"{what}: nothing answers there: check --base-url and that the server runs")
            case openai.AuthenticationError() | openai.PermissionDeniedError():
                return ModelError(
                    f"{what}: the key was refused ({error.status_code}): check {KEY_VARIABLE} or --api-key-file"
                )
            case openai.NotFoundError():
                return ModelError(f"{what}: no such model or path (404): check the model's name and --base-url")
            case openai.APIStatusError():
                return ModelError(f"{what}: answered {error.status_code} after {tries} tries: {_line(error.message)}")
        return ModelError(f"{what}: {_line(str(error))}")


def _reply(completion: ChatCompletion, name: str) -> Reply:
    """The text of a completion. Raises ModelError for an answer that has none (refusal, tool calls, wrong JSON)."""
    choices = getattr(completion, "choices", None)
    if not choices or getattr(choices[0], "message", None) is None:
        raise ModelError(f"model {name}: the answer has no choices: is this an OpenAI-compatible chat endpoint?")
    message = choices[0].message
    if not isinstance(message.content, str) or not message.content:
        refusal = getattr(message, "refusal", None)
        why = f"it refused: {_line(str(refusal))}" if refusal else f"finish reason {choices[0].finish_reason!r}"
        raise ModelError(f"model {name}: the answer has no text ({why}): choose a chat model without tools")
    return Reply(message.content, _usage(completion), str(completion.model or ""))


def _usage(completion: ChatCompletion) -> Usage:
    usage = completion.usage
    if usage is None:
        return Usage()
    details = usage.prompt_tokens_details
    return Usage(usage.prompt_tokens or 0, usage.completion_tokens or 0, (details and details.cached_tokens) or 0)


def _is_quota(error: openai.OpenAIError) -> bool:
    return isinstance(error, openai.APIStatusError) and error.code == "insufficient_quota"


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
