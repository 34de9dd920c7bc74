"""Small and hostile records for tests of the page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ATTACKS = (
    "<script>window.hacked=1</script>",
    '"><img src=x onerror="window.hacked=1">',
    "</script><script>window.hacked=1</script>",
    "<!--<script>",
    "javascript:window.hacked=1",
    "__proto__",
    "constructor",
    "\u202egnp.exe",
    "{{7*7}}",
    "' OR 1=1 --",
    "%_!",
)
"""Names and words with markup, control characters and other attacks."""


def line(seq: int, kind: str, episode: int | None = 1, **data: Any) -> str:  # noqa: ANN401 - fields of any event
    """Return a line of a log."""
    head = {"seq": seq, "kind": kind, "tick": None, "time": 0.0, "episode": episode, "data": data}
    return json.dumps(head, ensure_ascii=False) + "\n"


def started(players: list[str]) -> str:
    """Return the first line of a log."""
    terms = {name: {"prices": {"diamond": 5.0}, "author": "test", "group": ""} for name in players}
    return line(0, "run_started", None, run="", scenario="test", version=1, condition="none", contract_kind="none",
                world="mock", seed=0, players=terms)  # fmt: skip


def a_life(directory: Path, players: list[str], words: list[str], seconds: int = 20) -> Path:
    """Write a run in which the players walk, and say the words in turn."""
    directory.mkdir(parents=True, exist_ok=True)
    lines = [started(players), line(1, "episode_started", attempt=1), a_ground(2)]
    lines.append(line(3, "policies_started", players=players))
    lines += [line(4, "life_began", t_s=0.0, player=name, attempt=1) for name in players]
    for second in range(seconds):
        at = {name: [float(second), -60.0, float(number)] for number, name in enumerate(players)}
        lines.append(line(5, "places", t_s=float(second), at=at, gone=[]))
        name = players[second % len(players)]
        lines.append(said(second, name, words[second % len(words)], players))
    lines.append(line(6, "run_ended", None, status="complete", reason=None, result={}))
    (directory / "events.jsonl").write_text("".join(lines), encoding="utf-8")
    (directory / "calls.jsonl").write_text("".join(a_call(n, players[0], word) for n, word in enumerate(words)))
    return directory


def said(second: int, name: str, text: str, hearers: list[str]) -> str:
    """Return a line in which a player speaks."""
    return line(5, "speech", t_s=float(second), speaker=name, voice="say", text=text, to="", at=[0.0, 0.0, 0.0],
                hearers=hearers, choice=None, program=False)  # fmt: skip


def a_ground(seq: int) -> str:
    """Return a line with a small ground and a hill."""
    return line(seq, "ground", origin=[0, -60, 0], corner=[-4, -4], blocks=["", "grass_block", "stone"],
                rows=[[30, 1]] * 8 + [[10, 1, 10, 2, 10, 1]] * 4,
                heights=[[30, 0]] * 8 + [[10, 0, 10, 3, 10, 0]] * 4)  # fmt: skip


def a_call(number: int, player: str, text: str) -> str:
    """Return a line of calls.jsonl."""
    call = {"player": player, "role": "action", "number": number, "model": "openai/x", "episode": 1, "usd": 0.001,
            "messages": [{"role": "user", "content": text}], "reply": f"answer to {text}", "wall_ms": 12.5,
            "usage": {"prompt_tokens": 10, "completion_tokens": 5, "cached_tokens": 0}}  # fmt: skip
    return json.dumps(call, ensure_ascii=False) + "\n"
