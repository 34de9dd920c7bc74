"""Every model call of a run is written down and counted, whoever makes it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from dilemmas.events import ModelCalled
from dilemmas.record import RunRecord
from voyager_agents import Model, Settings
from voyager_agents.models import ChatMessage, Reply


@dataclass
class Meter:
    """What the models of a run have used so far."""

    calls: int = 0
    tokens: int = 0

    def plain(self) -> dict[str, Any]:
        """For result.json; `usd` is null when calls were made, since providers do not tell their prices."""
        return {"calls": self.calls, "tokens": self.tokens, "usd": None if self.calls else 0.0}


class MeteredModel:
    """A model as one role of one player uses it: the same answers, and a line in calls.jsonl for each."""

    def __init__(self, model: Model, player: str, role: str, record: RunRecord, meter: Meter) -> None:
        self.name = model.name
        self._model = model
        self._player = player
        self._role = role
        self._record = record
        self._meter = meter

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """The model's reply. Raises what the model raises; a call that failed is not counted."""
        began = time.monotonic()
        reply = await self._model.complete(messages, settings)
        self._meter.calls += 1
        self._meter.tokens += reply.usage.total
        self._record.call(
            {
                "player": self._player,
                "role": self._role,
                "model": self.name,
                "episode": self._record.episode,
                "settings": asdict(settings),
                "messages": [asdict(message) for message in messages],
                "reply": reply.text,
                "usage": asdict(reply.usage),
                "wall_ms": round((time.monotonic() - began) * 1000, 1),
            }
        )
        self._record.log(
            ModelCalled(player=self._player, purpose=self._role, model=self.name, tokens=reply.usage.total)
        )
        return reply

    async def close(self) -> None:
        """Nothing: the model is shared, and the study closes it."""
