"""Models behind an OpenAI-compatible endpoint, called with the asynchronous client of the `openai` package."""

from __future__ import annotations

import asyncio
import os
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlsplit

import httpx2
import openai

from voyager_agents.errors import ImagesRefused, ModelError, QuotaExhausted, ToolsRefused
from voyager_agents.models.base import ChatMessage, FormSupport, Reply, Settings
from voyager_agents.models.completion import read_object, read_reply
from voyager_agents.models.form_support import FormNegotiation, FormRefused, response_format
from voyager_agents.models.gate import CallLimiter
from voyager_agents.models.retries import (
    PATIENCE_S,
    ErrorBody,
    Malformed,
    Patience,
    is_overload,
    is_quota,
    one_line,
    reason,
    retrying,
    status_of,
)
from voyager_agents.models.switch import is_local, require_permission
from voyager_agents.models.tool_support import NO_TOOLS, refuses_tools
from voyager_agents.models.transport import MAX_BODY, BadResponse, http_client
from voyager_agents.models.vision_support import NO_IMAGES, refuses_images
from voyager_agents.models.watching import Asking, GaveUp, Queued, tell

LIMITS = "ratelimit"
"""Substring in the names of rate-limit headers."""
MAX_LIMITS, MAX_LIMIT = 20, 100
"""Maximum number of rate-limit headers kept, and of characters in each."""
KEY_VARIABLE = "OPENAI_API_KEY"
Sleep = Callable[[float], Awaitable[None]]
T = TypeVar("T")


def open_openai(name: str, *, base_url: str | None, api_key_file: Path | None, max_body: int = MAX_BODY) -> OpenAIModel:
    """Open a model of an OpenAI-compatible endpoint; a local endpoint needs no key.

    Args:
        name: The provider's name of the model.
        base_url: The endpoint; None for the provider's default.
        api_key_file: File with the key.
        max_body: Maximum size of an answer, in bytes.

    Raises:
        ModelError: There is no key, or the base URL is unusable.
    """
    _check_url(base_url)
    require_permission(base_url)
    return OpenAIModel(name, base_url=base_url, api_key=_key(base_url, api_key_file), max_body=max_body)


class OpenAIModel:
    """One model of one endpoint. Overload is retried with backoff; any other failure raises a one-line error."""

    def __init__(
        self,
        name: str,
        *,
        base_url: str | None,
        api_key: str,
        sleep: Sleep = asyncio.sleep,
        patience_s: float = PATIENCE_S,
        max_body: int = MAX_BODY,
        answers: FormSupport = "schema",
    ) -> None:
        """Create the client.

        Args:
            name: The provider's name of the model.
            base_url: The endpoint; None for the provider's default.
            api_key: The key.
            sleep: Waits between tries; tests pass their own.
            patience_s: Maximum seconds of waiting for one completion.
            max_body: Maximum size of an answer, in bytes.
            answers: Strictest way to ask for forms of answers.
        """
        self.name = f"openai/{name}"
        self.gate = CallLimiter()
        self._name = name
        self._base_url = base_url
        self._sleep = sleep
        self._patience_s = patience_s
        self.limits: dict[str, str] = {}
        """The provider's latest rate-limit headers: name -> value; empty if it sends none."""
        self.forms = FormNegotiation(answers)
        self._works = False
        # Our own retries tell a used-up quota from overload, and share one agent's overload with all others.
        self.client = openai.AsyncOpenAI(
            api_key=api_key, base_url=base_url, max_retries=0, http_client=http_client(max_body)
        )
        self._jitter = random.Random(f"backoff:{name}")

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return the reply; its text is empty if the model refused or was silent.

        Raises:
            QuotaExhausted: The provider's quota is used up.
            ModelError: The call failed for any other reason.
        """

        while True:
            try:
                return await self.ask(partial(self._call, messages, settings), settings.timeout_s)
            except FormRefused:
                continue

    async def ask(self, call: Callable[[], Awaitable[T]], timeout_s: float) -> T:
        """Run a call of `client` through the limiter, with retries, and return its result. Raises as `complete` does.

        The call raises Malformed for an unexpected answer.
        """
        require_permission(self._base_url)
        patience = Patience(lambda: self._works, self._jitter, self._patience_s)
        while True:
            try:
                return await self._try(call, timeout_s)
            except (openai.OpenAIError, Malformed) as error:
                pause = patience.pause(error, timeout_s)
                if pause is None:
                    tell(GaveUp(self.name, reason(error, timeout_s)))
                    raise self._told(error, patience.tries, timeout_s) from None
                tell(retrying(self.name, error, timeout_s, pause, patience.tries))
            await self._sleep(pause)

    async def count_tokens(self, text: str) -> int | None:
        """Return the tokens of a text by the endpoint's tokenizer (llama.cpp, vLLM); None if it tells none."""
        url = str(self.client.base_url).rstrip("/").removesuffix("/v1") + "/tokenize"
        body = {"model": self._name, "content": text, "prompt": text}
        try:
            answer = await self.client.post(url, body=body, cast_to=dict[str, Any])
        except openai.OpenAIError:
            return None
        tokens, count = answer.get("tokens"), answer.get("count")
        return len(tokens) if isinstance(tokens, list) else count if isinstance(count, int) else None

    async def close(self) -> None:
        """Close the connections."""
        await self.client.close()

    async def _try(self, call: Callable[[], Awaitable[T]], timeout_s: float) -> T:
        if self.gate.full:
            tell(Queued(self.name, int(self.gate.limit)))
        mark = await self.gate.enter()
        tell(Asking(self.name))
        try:
            # The client's own timeout applies to each chunk of an answer.
            async with asyncio.timeout(timeout_s):
                answer = await call()
        except (openai.APIStatusError, ErrorBody) as error:
            if is_overload(error):
                self.gate.overloaded(mark)
            raise
        except openai.APIConnectionError as error:
            if isinstance(error.__cause__, BadResponse):
                raise Malformed(one_line(str(error.__cause__))) from None
            raise
        except TimeoutError:
            raise openai.APITimeoutError(httpx2.Request("POST", self.client.base_url)) from None
        finally:
            self.gate.leave()
        self._works = True
        self.gate.answered()
        return answer

    def request(self, messages: Sequence[ChatMessage], settings: Settings) -> dict[str, Any]:
        """Return the body of a request for a completion, with the form asked for in the way that the endpoint takes."""
        return {
            "model": self._name,
            "messages": [_message(each) for each in messages],
            **settings.asked,
            **({"tools": [each.to_dict() for each in settings.tools]} if settings.tools else {}),
            **response_format(settings.form, self.forms.way(settings.form)),
        }

    async def _call(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        way = self.forms.way(settings.form)
        try:
            body = self.request(messages, settings)
            # The client walks through its typed parameters at each call: a third of its work for a few messages.
            untyped = {key: body.pop(key) for key in ("messages", "response_format", "tools") if key in body}
            answer = await self.client.chat.completions.with_raw_response.create(
                messages=(), **body, extra_body=untyped, timeout=settings.timeout_s
            )
        except openai.APIStatusError as error:
            if self.forms.refused(settings.form, way, error.status_code, str(error)):
                raise FormRefused from None
            if settings.tools and refuses_tools(error.status_code, str(error)):
                raise ToolsRefused(
                    f"{self._where}: it takes no tools ({one_line(error.message)}): {NO_TOOLS}"
                ) from None
            if any(each.images for each in messages) and refuses_images(error.status_code, str(error)):
                raise ImagesRefused(
                    f"{self._where}: it takes no images ({one_line(error.message)}): {NO_IMAGES}"
                ) from None
            raise
        told = [(name.lower(), value[:MAX_LIMIT]) for name, value in answer.headers.items() if LIMITS in name.lower()]
        self.limits = dict(told[:MAX_LIMITS])
        reply = read_reply(read_object(answer.content, answer.headers.get("content-type", "")))
        return replace(reply, form_support=way, calls=reply.calls if settings.tools else ())

    @property
    def _where(self) -> str:
        """Model and endpoint, for messages."""
        return f"model {self.name} at {self._base_url or 'the OpenAI API'}"

    def _told(self, error: Exception, tries: int, timeout_s: float) -> ModelError:
        """Return the error for the operator: the fault, the endpoint and the fix."""
        what = self._where
        if is_quota(error):
            return QuotaExhausted(
                f"{what}: the quota is used up: raise the limit or change the key, then resume the run"
            )
        if is_overload(error):
            return ModelError(f"{what}: still answers {status_of(error)} after {tries} tries: resume the run later")
        match error:
            case Malformed():
                return ModelError(f"{what}: {error}{f', {tries} times' if tries > 1 else ''}: {error.remedy}")
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
            case openai.APIStatusError() if 300 <= error.status_code < 400:
                to = one_line(error.response.headers.get("location", "nowhere"))
                return ModelError(
                    f"{what}: answered {error.status_code}, which leads to {to}: prompts and keys go only to the "
                    "address that is named; name the right one with --base-url"
                )
            case openai.APIStatusError():
                return ModelError(f"{what}: answered {error.status_code}: {one_line(error.message)}")
        return ModelError(f"{what}: {one_line(str(error))}")


def _message(message: ChatMessage) -> dict[str, Any]:
    """Return a message as a request for a completion holds it."""
    found: dict[str, Any] = {"role": message.role, "content": _content(message)}
    if message.tool_calls:
        found["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.tool_call_id:
        found["tool_call_id"] = message.tool_call_id
    return found


def _content(message: ChatMessage) -> str | list[dict[str, Any]]:
    """Return the text of a message, or its parts if it has images. Providers and local servers share this form."""
    if not message.images:
        return message.content
    images = [{"type": "image_url", "image_url": {"url": each.url, "detail": each.detail}} for each in message.images]
    return [{"type": "text", "text": message.content}, *images]


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
    """Return the key if it is a legal header value. The error never shows it."""
    if not key or len(key.split()) != 1 or not key.isascii() or not key.isprintable():
        raise ModelError(f"{where}: holds no key: put the key alone there, one line of plain characters")
    return key
