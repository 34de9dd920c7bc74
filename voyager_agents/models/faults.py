"""Faults for the fake server: failed connections and malformed answers.

A connection fault ends when the call is repeated. A malformed answer comes from the model, and the next one may be
right.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

from voyager_agents.models.fake_server import FakeReply, Request, Responder


def _said(message: dict[str, object], finish: str) -> FakeReply:
    return FakeReply(body=json.dumps({"choices": [{"index": 0, "finish_reason": finish, "message": message}]}))


_CALL = {"id": "1", "type": "function", "function": {"name": "mine", "arguments": "{"}}
_GOOD = "async function mine(bot) {\n  await mineBlock(bot, 'iron_ore', 1)\n}\n"

TROUBLE: dict[str, FakeReply] = {
    "429": FakeReply("too many requests", status=429),
    "429 with a hint": FakeReply("too many requests", status=429, headers={"retry-after-ms": "5"}),
    "500": FakeReply("oops", status=500),
    "503": FakeReply("overloaded", status=503),
    "truncated": FakeReply("a long answer of which only the beginning comes", cut=180),
    "hung up": FakeReply(close=True),
    "wrong JSON": FakeReply(body='{"choices": ['),
    "no choices": FakeReply(body="{}"),
    "an error under 200": FakeReply(body='{"error": {"message": "the model is loading"}}'),
    "an overload under 200": FakeReply(body='{"error": {"message": "too many requests", "code": 429}}'),
    "a stream": FakeReply(
        body='data: {"choices": []}\n\ndata: [DONE]\n\n', headers={"content-type": "text/event-stream"}
    ),
    "a web page": FakeReply(body="<html></html>", headers={"content-type": "text/html"}),
    "no count of tokens": FakeReply(
        body='{"choices": [{"message": {"content": "hi"}}], "usage": {"prompt_tokens": NaN}}'
    ),
}
"""Name -> reply of a transient fault; repeating the call succeeds."""

WRONG: dict[str, FakeReply] = {
    "empty": FakeReply(""),
    "null": _said({"role": "assistant", "content": None}, "stop"),
    "refusal": _said({"role": "assistant", "content": None, "refusal": "I cannot help with that."}, "stop"),
    "tool call": _said({"role": "assistant", "content": None, "tool_calls": [_CALL]}, "tool_calls"),
    "prose": FakeReply("I would take the pickaxe and mine all of the iron."),
    "several blocks": FakeReply(f"First\n```js\n{_GOOD}```\nor\n```js\n{_GOOD}```\n"),
    "TypeScript": FakeReply("```typescript\nasync function mine(bot: Bot): Promise<void> {}\n```\n"),
    "no function": FakeReply("```javascript\nawait mineBlock(bot, 'iron_ore', 1)\n```\n"),
    "two functions": FakeReply(f"```javascript\n{_GOOD}{_GOOD.replace('mine(', 'dig(')}```\n"),
    "cut off": FakeReply(f"```javascript\n{_GOOD[:30]}"),
    "imports": FakeReply(f"```javascript\nimport {{ Vec3 }} from 'vec3'\n{_GOOD}```\n"),
    "default export": FakeReply(f"```javascript\nexport default {_GOOD}```\n"),
    "smart quotes": FakeReply(f"```javascript\n{_GOOD.replace(chr(39), chr(0x2019))}```\n"),
    "HTML escapes": FakeReply(f"```javascript\n{_GOOD.replace(chr(39), '&apos;')}```\n"),
    "thoughts without an end": _said({"role": "assistant", "content": f"<think>\n```js\n{_GOOD}```\n"}, "length"),
    "thoughts alone": _said({"role": "assistant", "content": "", "reasoning_content": "I would"}, "length"),
    "junk": FakeReply('{"transfers": "all", "success": "maybe"'),
}
"""Name -> reply without a usable program, review, message or verdict."""


class Faulty:
    """Responder that injects faults at random, from a seed, and otherwise delegates to `respond`."""

    def __init__(self, respond: Responder, faults: Sequence[FakeReply], *, share: float = 0.5, seed: int = 0) -> None:
        """Create a responder; `share` is the proportion of calls that get one of `faults`."""
        self.failed = 0
        """Number of injected faults."""
        self._respond = respond
        self._faults = list(faults)
        self._share = share
        self._draw = random.Random(f"faults:{seed}")

    def __call__(self, request: Request) -> FakeReply | str:
        """Return the answer to the request."""
        if self._draw.random() >= self._share:
            return self._respond(request)
        self.failed += 1
        return self._draw.choice(self._faults)
