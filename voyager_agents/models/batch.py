"""Calls through a provider's batch API: cheaper, answered within hours, for studies in which nobody waits in real time.

Calls collect until no new one has come for a moment, and are then sent as one batch. Batches are noted in a ledger
before they are awaited, so that a resumed study takes up the answers of batches that it has paid for.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from common.lines import read_lines
from voyager_agents.errors import ModelError
from voyager_agents.models.base import ChatMessage, Reply, Settings
from voyager_agents.models.completion import read_object, read_reply
from voyager_agents.models.openai_chat import OpenAIModel
from voyager_agents.models.retries import Malformed, one_line

ENDPOINT: Literal["/v1/chat/completions"] = "/v1/chat/completions"
QUIET_S = 2.0
"""Wall seconds without a new call after which the collected calls are sent."""
POLL_S = 30.0
"""Wall seconds between two questions for the state of a batch."""
REQUEST_S = 120.0
"""Time limit of one request to the batch API, in seconds."""
MAX_CALLS = 500
"""Maximum calls in one batch, so that its answers fit in memory."""
MAX_SENT = 3
"""Maximum batches that one call is sent in, after batches that ended without its answer."""
ENDED = frozenset({"completed", "failed", "expired", "cancelled"})
"""States in which a batch gets no more answers."""


@dataclass
class QueuedCall:
    """A call that waits for its answer."""

    id: str
    """Identifier in the batch: a hash of the request, and its number among equal requests."""
    body: Mapping[str, Any]
    answer: asyncio.Future[Mapping[str, Any]]
    sent: int = 0
    """Number of batches that the call was sent in."""


class BatchModel:
    """Model whose calls go through the batch API of an OpenAI-compatible provider."""

    def __init__(
        self,
        model: OpenAIModel,
        ledger: Path = Path("batches.jsonl"),
        *,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        quiet_s: float = QUIET_S,
    ) -> None:
        """Create the model.

        Args:
            model: Model of the endpoint; its client makes all requests.
            ledger: File with the batches of the study, which is appended to.
            sleep: Waits; tests pass their own.
            quiet_s: Wall seconds without a new call after which the collected calls are sent.
        """
        self.name = model.name
        self._model = model
        self.ledger = ledger
        self._sleep = sleep
        self._quiet_s = quiet_s
        self._queue: list[QueuedCall] = []
        self._seen: Counter[str] = Counter()
        self._sent: dict[str, str] | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._collects = False

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return the reply to these messages once its batch is answered; the time limit of a call does not apply.

        Raises:
            ModelError: The provider refused the call or the batch.
        """
        while True:
            way = self._model.forms.way(settings.form)
            line = await self._answer(self._model.request(messages, settings))
            status, body = _response(line)
            if status == 200:
                try:
                    return replace(read_reply(read_object(json.dumps(body).encode(), "")), form_support=way)
                except Malformed as error:
                    raise ModelError(f"model {self.name}, batch: {error}: {error.remedy}") from None
            told = one_line(json.dumps(line.get("error") or body))
            if not self._model.forms.refused(settings.form, way, status, told):
                raise ModelError(f"model {self.name}, batch: a call was answered {status}: {told}")

    async def close(self) -> None:
        """Stop waiting for batches, and close the connections. The provider goes on with batches that were sent."""
        for work in self._work:
            work.cancel()
        await asyncio.gather(*self._work, return_exceptions=True)
        await self._model.close()

    async def _answer(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        digest = hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()[:40]
        call = QueuedCall(f"{digest}-{self._seen[digest]}", body, asyncio.get_running_loop().create_future())
        self._seen[digest] += 1
        self._queue.append(call)
        if not self._collects:
            self._collects = True
            self._start(self._collect())
        return await call.answer

    def _start(self, work: Awaitable[None]) -> None:
        task = asyncio.ensure_future(work)
        self._work.add(task)
        task.add_done_callback(self._work.discard)

    async def _collect(self) -> None:
        """Wait until no new call has come for a moment, and start the batches of the collected calls."""
        count = -1
        while count != len(self._queue):
            count = len(self._queue)
            await self._sleep(self._quiet_s)
        calls, self._queue, self._collects = self._queue, [], False
        known: dict[str, list[QueuedCall]] = {}
        try:
            sent = self._batches()
        except ModelError as error:
            _fail(calls, error)
            return
        for call in calls:
            known.setdefault(sent.get(call.id, ""), []).append(call)
        new = known.pop("", [])
        for batch, waiting in known.items():
            self._start(self._await_batch(batch, waiting))
        for start in range(0, len(new), MAX_CALLS):
            self._start(self._send(new[start : start + MAX_CALLS]))

    async def _send(self, calls: Sequence[QueuedCall]) -> None:
        """Send the calls as one batch, note it in the ledger and wait for its answers."""
        try:
            batch = await self._submit(calls)
        except ModelError as error:
            _fail(calls, error)
            return
        await self._await_batch(batch, calls)

    async def _submit(self, calls: Sequence[QueuedCall]) -> str:
        rows = [{"custom_id": each.id, "method": "POST", "url": ENDPOINT, "body": each.body} for each in calls]
        content = "".join(json.dumps(row) + "\n" for row in rows).encode()
        client = self._model.client
        upload = partial(client.files.create, file=("calls.jsonl", content), purpose="batch")
        file = await self._model.ask(upload, REQUEST_S)
        create = partial(client.batches.create, input_file_id=file.id, endpoint=ENDPOINT, completion_window="24h")
        batch = await self._model.ask(create, REQUEST_S)
        sent = self._batches()
        try:
            with self.ledger.open("a", encoding="utf-8") as ledger:
                ledger.write(json.dumps({"batch": batch.id, "calls": [each.id for each in calls]}) + "\n")
        except OSError as error:
            raise ModelError(f"{self.ledger}: cannot be written ({error.strerror}): make room, then resume") from None
        for call in calls:
            call.sent += 1
            sent[call.id] = batch.id
        return batch.id

    async def _await_batch(self, batch: str, calls: Sequence[QueuedCall]) -> None:
        """Wait for the end of a batch, answer its calls, and send again those that it left without an answer."""
        try:
            found = await self._answers(batch)
        except ModelError as error:
            _fail(calls, error)
            return
        left = []
        for call in calls:
            if call.id in found:
                _resolve(call, found[call.id])
            elif call.sent >= MAX_SENT:
                _fail([call], ModelError(f"model {self.name}: batch {batch} ended without an answer: resume the study"))
            else:
                left.append(call)
        if left:
            await self._send(left)

    async def _answers(self, batch: str) -> Mapping[str, Mapping[str, Any]]:
        """Return the answers of a batch that has ended: id of the call -> line of the provider's files."""
        client = self._model.client
        while True:
            state = await self._model.ask(partial(client.batches.retrieve, batch), REQUEST_S)
            if state.status in ENDED:
                break
            await self._sleep(POLL_S)
        if state.status == "failed":
            why = one_line(str(state.errors.data[0].message)) if state.errors and state.errors.data else "no reason"
            raise ModelError(f"model {self.name}: batch {batch} failed: {why}")
        found: dict[str, Mapping[str, Any]] = {}
        for file in filter(None, (state.output_file_id, state.error_file_id)):
            content = await self._model.ask(partial(client.files.content, file), REQUEST_S)
            for line in content.text.splitlines():
                try:
                    row = json.loads(line)
                    found[str(row["custom_id"])] = row
                except (ValueError, KeyError, TypeError, RecursionError):
                    raise ModelError(f"model {self.name}: batch {batch} has an answer that is none") from None
        return found

    def _batches(self) -> dict[str, str]:
        """Return the id of each call that was sent -> its batch, read from the ledger once."""
        if self._sent is None:
            self._sent = {}
            try:
                for number, data, whole in read_lines(self.ledger) if self.ledger.exists() else ():
                    try:
                        row = json.loads(data)
                        self._sent |= dict.fromkeys(map(str, row["calls"]), str(row["batch"]))
                    except (ValueError, KeyError, TypeError, RecursionError):
                        if whole:
                            raise ModelError(f"{self.ledger}, line {number}: is no batch of a study") from None
            except OSError as error:
                raise ModelError(f"{self.ledger}: cannot be read ({error.strerror})") from None
        return self._sent


def _response(line: Mapping[str, Any]) -> tuple[int, Any]:
    """Return status and body of an answered call."""
    response = line.get("response")
    if not isinstance(response, dict):
        return 0, None
    status = response.get("status_code")
    return status if isinstance(status, int) else 0, response.get("body")


def _resolve(call: QueuedCall, line: Mapping[str, Any]) -> None:
    if not call.answer.done():
        call.answer.set_result(line)


def _fail(calls: Sequence[QueuedCall], error: ModelError) -> None:
    for call in calls:
        if not call.answer.done():
            call.answer.set_exception(error)
