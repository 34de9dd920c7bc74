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


def a_talk(directory: Path) -> Path:
    """Write a run in which Ada and Bo agree on a secret deal, Cy hears public words alone, and Bo pays half."""
    directory.mkdir(parents=True, exist_ok=True)
    names = ["Ada", "Bo", "Cy"]
    contract = {"name": "deal-1", "text": "1. Bo pays Ada 2.\n2. Bo pays Ada 3.", "parties": ["Ada", "Bo"],
                "obligations": [], "transfers": [], "schedule": [], "force": "cheap-talk"}  # fmt: skip
    all_of_it = [
        started(names),
        a_message(1, "Ada", names, "public", "Hello all."),
        a_message(2, "Ada", ["Ada", "Bo"], "pairwise", "Only Bo."),
        a_message(3, "Bo", ["Ada", "Bo"], "pairwise", "I pay.", "offer", 1),
        line(4, "deal", None, entry={"deal": 1, "change": "offered", "by": "Bo", "contract": contract, "secret": True}),
        a_message(5, "Cy", ["Bo", "Cy"], "pairwise", "And me?"),
        a_message(6, "Ada", ["Ada", "Bo"], "pairwise", "", "accept", 1),
        line(7, "deal", None, entry={"deal": 1, "change": "accepted", "by": "Ada"}),
        line(8, "deal", None, entry={"deal": 1, "change": "agreed", "by": "Ada"}),
        line(9, "talk_ended", None, in_force=[1]),
        line(10, "episode_started", attempt=1),
        a_ground(11),
        line(12, "policies_started", players=names),
        line(13, "chat", **{"t_s": 5.1, "from": "Ada", "text": "Done.", "to": ""}),
        line(14, "verdict", judge="formal", readable=True, critique="Bo owes 5.", awards=[], findings=[], deal=1),
        line(15, "payment", player="Bo", due={"1": 2.0, "2": 3.0}, paid=["1"], deal=1, reason="", readable=True),
        line(16, "enforced", force="cheap-talk", deal=1, forfeited={},
             breaches=[{"party": "Bo", "term": "2", "kind": "payment", "reason": ""}]),
        line(17, "deal", entry={"deal": 1, "change": "held"}),
        line(18, "run_ended", None, status="complete", reason=None, result={}),
    ]  # fmt: skip
    (directory / "events.jsonl").write_text("".join(all_of_it), encoding="utf-8")
    return directory


def a_message(
    seq: int, speaker: str, members: list[str], channel: str, text: str, act: str = "say", deal: int | None = None
) -> str:
    """Return a line of a talk."""
    arrives = {name: 1 for name in members if name != speaker}
    return line(seq, "talk", None, number=seq, round=1, speaker=speaker, members=members, channel=channel, act=act,
                message=text, thought="", deal=deal, arrives=arrives)  # fmt: skip
