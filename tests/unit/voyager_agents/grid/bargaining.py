"""Fake models that negotiate before a grid game, and then play it by words."""

from __future__ import annotations

import json
from typing import Any
from zlib import crc32

from tests.unit.dilemmas.scenarios.ada.scene import legal
from voyager_agents.models.fake_server import Request

TERMS = "1. miner_2 pays carpenter_0 1 emerald."
DEAL = "1. miner_3 pays carpenter_1 1 emerald."


def system(request: Request) -> str:
    return str(request.messages[0]["content"])


def asked(request: Request) -> str:
    return str(request.messages[1]["content"])


def judged(request: Request) -> str:
    """Return a verdict that moves every fixed payment of the contract."""
    most = json.loads(asked(request).partition('"most": ')[2].partition("},\n")[0])
    moves = [{"clause": clause, **payment} for clause, payments in most.items() for payment in payments]
    return json.dumps({"findings": [], "transfers": moves, "critique": "It was due."})


def at_table(request: Request) -> str:
    """Negotiate at the table: the first player proposes, the others accept."""
    standing = asked(request).partition("The proposal that you can accept:\n")[2]
    blank = {"thinking": "a thought", "message": "Shall we?", "act": "propose", "contract": TERMS}
    return json.dumps(blank if standing.startswith("(none)") else blank | {"act": "accept", "contract": ""})


def in_talk(request: Request) -> str:
    """Talk: miner_3 offers a private deal, carpenter_1 accepts it, the others pass."""
    said = asked(request)
    blank: dict[str, Any] = {
        "thinking": "", "to": [], "message": "", "act": "pass", "deal": 0, "contract": "", "lasts": 0,
    }  # fmt: skip
    offered = "[offer deal" in said or not said.partition("Deals in force that you know:\n")[2].startswith("(none)")
    if "You bargain for miner_3;" in said and not offered:
        return json.dumps(blank | {"to": ["carpenter_1"], "message": "WHISPERED", "act": "offer", "contract": DEAL})
    if "You bargain for carpenter_1;" in said and "accept" in said.partition("Legal acts:")[2]:
        number = int(said.partition("Open offers to you:\nDeal ")[2].partition(" ")[0])
        return json.dumps(blank | {"act": "accept", "deal": number})
    return json.dumps(blank)


def answer(request: Request) -> str:
    """Return a usable answer to any question of a game with negotiation; nobody pays what it need not pay."""
    told = system(request)
    if told.startswith("You are the judge"):
        return judged(request)
    if told.startswith("You are a skilled negotiator"):
        return at_table(request)
    if told.startswith("You bargain"):
        return in_talk(request)
    if told.startswith("You decide"):
        return json.dumps({"reason": "nobody makes me", "pay": []})
    return work(request)


def work(request: Request) -> str:
    """Join the last group, then pick up what lies there, else go somewhere."""
    actions = legal(request)
    picks = [each for each in actions if each.startswith("pick")]
    moves = [each for each in actions if each in ("up", "down", "left", "right")]
    chosen = picks or moves or actions
    return json.dumps(
        {"why": "", "action": chosen[-1 if len(moves) < 2 else crc32(asked(request).encode()) % len(chosen)]}
    )
