"""Model `local`: an OpenAI-compatible client of an engine on this machine, started at the first call."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from voyager_agents.errors import ImagesRefused, ModelError
from voyager_agents.models.base import ChatMessage, Reply, Settings
from voyager_agents.models.form_support import FormNegotiation
from voyager_agents.models.local.settings import EngineOptions, EngineSpec, local_spec
from voyager_agents.models.local.shared_engine import EngineRecord, EngineUse
from voyager_agents.models.openai_chat import OpenAIModel
from voyager_agents.models.vision_support import NO_IMAGES

CALL_S = 3600.0
"""Maximum seconds of a call: it may wait for all calls of other processes, and a processor is slow."""
MAX_ANSWER = 1024
"""Maximum tokens of an answer where the settings name none: a small model may never end its text."""
MAX_FORM_ANSWER = 4096
"""The same for answers under a schema, whose bounds end them: 2,000 characters may take as many tokens and more."""
PATIENCE_S = 2.0
"""Maximum seconds of waiting for an engine that does not answer: it has ended."""
MAX_SEED = 1 << 31
"""Seeds above are taken modulo this number; the engine has 32 bits."""


def open_local(file: str | None, options: EngineOptions | None = None) -> LocalModel:
    """Return the model of a GGUF file, or of the installed weights for None. Raises ModelError as `local_spec`."""
    return LocalModel(local_spec(file, options))


class LocalModel:
    """Model of a GGUF file, computed on this machine."""

    def __init__(self, spec: EngineSpec) -> None:
        """Create the model; its engine starts at the first call."""
        self.name = f"local/{spec.file.stem}"
        self.spec = spec
        self.forms = FormNegotiation()
        """Ways of asking for forms of answers; the engine takes schemas."""
        self._use = EngineUse(spec)
        self._lock = asyncio.Lock()
        self._slots = asyncio.Semaphore(spec.options.slots)
        self._client: OpenAIModel | None = None

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return the reply. Raises ModelError if the engine does not start, ended, or refuses the request.

        The weights come without a projector of images, so that a message with one is refused.
        """
        if any(each.images for each in messages):
            raise ImagesRefused(f"model {self.name}: it takes no images: {NO_IMAGES}")
        client = await self.start()
        most = (
            settings.max_tokens or settings.max_completion_tokens or (MAX_FORM_ANSWER if settings.form else MAX_ANSWER)
        )
        asked = replace(
            settings,
            timeout_s=CALL_S,
            seed=(settings.seed or 0) % MAX_SEED,
            max_tokens=most,
            max_completion_tokens=None,
        )
        async with self._slots:
            try:
                return await client.complete(messages, asked)
            except ModelError as error:
                raise ModelError(self._told(str(error))) from None

    async def count_tokens(self, text: str) -> int | None:
        """Return the tokens of a text. Raises ModelError if the engine does not start."""
        return await (await self.start()).count_tokens(text)

    async def start(self) -> OpenAIModel:
        """Return the client of the running engine, started if necessary. Raises ModelError."""
        async with self._lock:
            if self._client is None:
                record = await self._acquire()
                self._client = OpenAIModel(
                    self.spec.file.stem, base_url=record.url, api_key=record.api_key, patience_s=PATIENCE_S
                )
                self._client.name, self._client.forms = self.name, self.forms
        return self._client

    async def close(self) -> None:
        """Close the connections and end the engine if nobody else uses it."""
        if self._client is not None:
            await self._client.close()
        await asyncio.to_thread(self._use.release)

    def _told(self, error: str) -> str:
        """Return the line for the operator: the client's, or that the engine ended."""
        record = self._use.record
        if "exceeds the available context size" in error:
            return f"{error}: give a larger --local context, or shorter prompts"
        if record is None or record.alive:
            return error
        why = self._use.fault() or "killed, perhaps for want of memory"
        return f"model {self.name}: its engine ended ({why}): go on with `accord resume`"

    async def _acquire(self) -> EngineRecord:
        try:
            return await asyncio.to_thread(self._use.acquire)
        except asyncio.CancelledError:
            self._use.cancel()
            raise
