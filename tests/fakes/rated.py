"""Made-up records for raters, and scripted models that rate them."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from dilemmas.records import events as log
from dilemmas.records.events import LogLine
from voyager_agents.models import ChatMessage, Reply, Settings
from voyager_agents.models.fake_server import Request

PLANTED = {"dance": ("waltz", "ballroom"), "eco": ("compost", "recycling")}
"""Topic -> words that the scripted model looks for in goals."""


def write_record(folder: Path, events: Iterable[log.Event], seed: int = 0) -> Path:
    """Write the record of a finished run with these events of its attempt."""
    folder.mkdir(parents=True)
    began = log.RunStarted(
        run=folder.name, scenario="village", version=1, condition="normal", contract_kind="none", world="mock",
        seed=seed, players={},
    )  # fmt: skip
    told = [began, *events, log.RunEnded(status="complete", result={"players": {}})]
    lines = [LogLine(seq=n, tick=None, time=0.0, episode=1, event=event).to_json() for n, event in enumerate(told)]
    (folder / "events.jsonl").write_text("".join(f"{each}\n" for each in lines), encoding="utf-8")
    (folder / "config.yaml").write_text("settings: {}\n", encoding="utf-8")
    return folder


def respond(request: Request) -> str:
    """Return ratings that follow from the text and the seed alone, or the planted topics."""
    system, user = (each["content"] for each in request.messages[:2])
    seed, texts = request.body.get("seed", 0), user.split('"number": ')[1:]
    numbers = [zlib.crc32(f"{seed} {text.partition(',')[2]}".encode()) for text in texts]
    if "the role" in system:
        return json.dumps({"roles": [["farmer" if number % 2 else "miner"] for number in numbers]})
    if "words and deeds" in system:
        return json.dumps({"agree": [number % 2 == 0 for number in numbers]})
    if "sentiment towards" in system:
        return json.dumps({"scores": [number % 11 for number in numbers]})
    words = dict.fromkeys(word for each in PLANTED.values() for word in each if word in user)
    if "behavior analyst" in system:
        return json.dumps({"description": f"Goals about {' and '.join(words)}.", "periods": []})
    named = re.findall(r'"name": "(\w+)"', user)
    topics = [
        {"name": name, "about": f"All that is {name}.", "keywords": list(known)}
        for name, known in PLANTED.items()
        if name in named or words.keys() & {*known}
    ]
    return json.dumps({"topics": topics})


class Answers:
    """Model that gives these answers in turn and repeats the last one."""

    name = "fake"

    def __init__(self, *answers: Any) -> None:  # noqa: ANN401 - a text, plain data, or what it raises
        self._answers = list(answers)
        self.asked: list[Sequence[ChatMessage]] = []

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        self.asked.append(list(messages))
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return Reply(answer if isinstance(answer, str) else json.dumps(answer))

    async def close(self) -> None:
        """Do nothing."""
