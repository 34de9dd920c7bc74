"""What endpoints and models do wrong, for the fake server: trouble on the way, and answers that are not what was asked.

Trouble on the way is over when the call is repeated. A wrong answer is the model's own, and the next one may be right.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence

from voyager_agents.models.fake_server import Answer, Request, Responder


def _said(message: dict[str, object], finish: str) -> Answer:
    return Answer(body=json.dumps({"choices": [{"index": 0, "finish_reason": finish, "message": message}]}))


_CALL = {"id": "1", "type": "function", "function": {"name": "mine", "arguments": "{"}}
_GOOD = "async function mine(bot) {\n  await mineBlock(bot, 'iron_ore', 1)\n}\n"

TROUBLE: dict[str, Answer] = {
    "429": Answer("too many requests", status=429),
    "429 with a hint": Answer("too many requests", status=429, headers={"retry-after-ms": "5"}),
    "500": Answer("oops", status=500),
    "503": Answer("overloaded", status=503),
    "truncated": Answer("a long answer of which only the beginning comes", cut=180),
    "hung up": Answer(close=True),
    "wrong JSON": Answer(body='{"choices": ['),
    "no choices": Answer(body="{}"),
}
"""By name; the same call again is answered well."""

WRONG: dict[str, Answer] = {
    "empty": Answer(""),
    "null": _said({"role": "assistant", "content": None}, "stop"),
    "refusal": _said({"role": "assistant", "content": None, "refusal": "I cannot help with that."}, "stop"),
    "tool call": _said({"role": "assistant", "content": None, "tool_calls": [_CALL]}, "tool_calls"),
    "prose": Answer("I would take the pickaxe and mine all of the iron."),
    "several blocks": Answer(f"First\n```js\n{_GOOD}```\nor\n```js\n{_GOOD}```\n"),
    "TypeScript": Answer("```typescript\nasync function mine(bot: Bot): Promise<void> {}\n```\n"),
    "no function": Answer("```javascript\nawait mineBlock(bot, 'iron_ore', 1)\n```\n"),
    "two functions": Answer(f"```javascript\n{_GOOD}{_GOOD.replace('mine(', 'dig(')}```\n"),
    "cut off": Answer(f"```javascript\n{_GOOD[:30]}"),
    "junk": Answer('{"transfers": "all", "success": "maybe"'),
}
"""By name; answers that are no program, no review, no message and no verdict."""


class Faulty:
    """A responder that fails now and then, by its seed, and otherwise lets `respond` answer."""

    def __init__(self, respond: Responder, faults: Sequence[Answer], *, share: float = 0.5, seed: int = 0) -> None:
        """`share` of the calls get one of `faults`."""
        self.failed = 0
        """Calls that were failed on purpose."""
        self._respond = respond
        self._faults = list(faults)
        self._share = share
        self._draw = random.Random(f"faults:{seed}")

    def __call__(self, request: Request) -> Answer | str:
        """The answer to that request."""
        if self._draw.random() >= self._share:
            return self._respond(request)
        self.failed += 1
        return self._draw.choice(self._faults)
