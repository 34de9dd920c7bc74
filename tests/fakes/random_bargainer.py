"""Fake model that bargains at random, and marks each of its words with those who may read it."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any
from zlib import crc32

from voyager_agents.models.fake_server import FakeReply, Request

_MARK = re.compile(r"mark-([A-Za-z0-9_.]+)-\d")
_BARGAINS = re.compile(r"You (?:bargain|decide|sign) for (?!one of )([^\s;.]+)|Your name is ([^\s.]+)\.")
_NUMBERS = re.compile(r"^Deal (\d+) between ([^:]+?)(?:, for \d+ episodes or rounds)?:$", re.MULTILINE)
BLANK = {"thinking": "", "to": [], "message": "", "act": "pass", "deal": 0, "contract": "", "lasts": 0}


def audiences(text: str) -> Iterator[set[str]]:
    """Yield the players who may read each marked word of a text."""
    for names in _MARK.findall(text):
        yield set(names.split("."))


def asked_player(request: Request) -> str:
    """Return the player for whom a model is asked; empty for the judge and the typist."""
    found = _BARGAINS.search("\n".join(str(each["content"]) for each in request.messages))
    return "" if found is None else found[1] or found[2]


class RandomBargainer:
    """Responder whose answers depend on its seed and the request alone."""

    def __init__(self, seed: int, players: Sequence[str], action: dict[str, Any]) -> None:
        """Create a responder.

        Args:
            seed: Seed of all answers.
            players: The players, in the scenario's order.
            action: Answer to every other question, such as an order of the game.
        """
        self._seed = seed
        self._players = players
        self._action = action

    def __call__(self, request: Request) -> FakeReply | str:
        """Answer a request."""
        system, user = (str(each["content"]) for each in request.messages[:2])
        dice = random.Random(f"{self._seed}:{crc32((system + user).encode())}")
        if dice.random() < 0.05:
            return f"no answer, {self._marked([asked_player(request) or 'nobody'], dice)}"
        if "Open offers to you" in user:
            return json.dumps(self._talk(asked_player(request), user, dice))
        if "Payments that" in user:
            terms = re.findall(r"^- (\S+): [\d.]+ emeralds to", user, re.MULTILINE)
            return json.dumps({"reason": "", "pay": [term for term in terms if dice.random() < 0.6]})
        if system.startswith("You sign"):
            return json.dumps({"reason": "", "ratify": dice.random() < 0.9})
        if system.startswith("You turn a contract"):
            return json.dumps(self._terms(user, dice))
        return json.dumps(self._action)

    def _marked(self, names: Sequence[str], dice: random.Random) -> str:
        """Return a word marked with those who may read it."""
        return f"mark-{'.'.join(name for name in self._players if name in names)}-{dice.randrange(10**9)}"

    def _talk(self, me: str, user: str, dice: random.Random) -> dict[str, Any]:
        answer = BLANK | {"thinking": self._marked([me], dice)}
        acts = user.partition("Legal acts: ")[2].partition(".")[0].split(", ")
        usual = [each for each in acts if each == "accept"] or [each for each in acts if each in ("say", "offer")]
        act = dice.choice(usual if usual and dice.random() < 0.8 else acts)
        others = [name for name in self._players if name != me]
        to = dice.sample(others, dice.randint(1, len(others)))
        members = [me, *to]
        if act == "say":
            return answer | {"act": act, "to": to, "message": self._marked(members, dice)}
        if act == "offer":
            payer, payee = dice.sample(members, 2)
            word = self._marked(members, dice)
            share = dice.randint(5, 95)
            text = (
                f"1. {payer} pays {payee} {share} % of what {payer} earned.\n2. {payee} keeps {word} and its emeralds."
            )
            offer = {"act": act, "to": to, "message": word, "contract": text, "lasts": dice.choice([0, 0, 1])}
            return answer | offer
        if act == "withdraw":
            mine = re.findall(rf"^{re.escape(me)} to [^>]* \[offer deal (\d+)\]>", user, re.MULTILINE)
            return answer | {"act": act, "deal": int(dice.choice(mine))}
        if act in ("accept", "decline", "end"):
            open_offers = user.partition("Open offers to you:\n")[2].partition("\nWhat was said")[0]
            in_force = user.partition("Deals in force that you know:\n")[2].partition("\nOpen offers")[0]
            number, parties = dice.choice(_NUMBERS.findall(in_force if act == "end" else open_offers))
            return answer | {"act": act, "deal": int(number), "message": self._marked(parties.split(", "), dice)}
        return answer

    def _terms(self, user: str, dice: random.Random) -> dict[str, Any]:
        """Return random terms for a deal's text: a share of the reward if an obligation was met."""
        found = re.search(r"1\W+(\w+) pays (\w+) (\d+) %", user)
        if found is None:
            return {"obligations": [], "transfers": []}
        payer, payee, share = found.groups()
        seen = sorted(set(re.findall(rf"{payee}\.items\.\w+", user)))
        condition = f"{dice.choice(seen)} >= {dice.randint(0, 6)}"
        if dice.random() < 0.1:
            condition = f"1 / {payee}.reward > 0.2"
        return {
            "obligations": [{"id": "payee-keeps", "clause": "2", "party": payee, "condition": condition}],
            "transfers": [
                {
                    "id": "payer-pays", "clause": "1", "payer": payer, "payee": payee,
                    "amount": f"0.{int(share):02d} * {payer}.reward / 7",
                    "condition": dice.choice(["True", 'met("payee-keeps")']),
                }
            ],
        }  # fmt: skip
