"""Rule-based model for generative agents, which computes each reply from its prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from voyager_agents.models import ChatMessage, Reply, Settings, Usage

Document = dict[str, Any]
_PART = re.compile(r"^# What to do now: (.+)$", re.MULTILINE)
SPARED = 2
"""Number of apples on a tree at or below which players that are not greedy leave it alone."""


def document(messages: Sequence[ChatMessage]) -> Document:
    """Return the data of a prompt, found between its marks as by a reader."""
    text = next(each.content for each in messages if each.role == "user")
    mark, _, rest = text.partition("\n")
    assert mark.startswith("DATA-")
    payload, end, _ = rest.partition(f"\n{mark}\n")
    assert end
    found: Document = json.loads(payload)
    return found


def part(messages: Sequence[ChatMessage]) -> str:
    """Return the part of the agent that asks."""
    found = _PART.search(messages[0].content)
    assert found is not None
    return found.group(1)


class Thinker:
    """Model that takes the nearest apple of a tree with more than two, or the nearest of all if it is greedy.

    At the council it proposes the terms that it keeps, accepts pending proposals, moves one rule and votes for every
    rule.
    `words` replaces the reply of a part.
    """

    def __init__(
        self, *, greedy: bool | str = False, words: Mapping[str, Callable[[Document], str]] | None = None
    ) -> None:
        """Create the model. `greedy` may be the name of the only greedy player."""
        self.name = "thinker"
        self.greedy = greedy
        self.words = dict(words or {})
        self.asked: list[tuple[str, Document]] = []
        self.systems: list[str] = []

    async def complete(self, messages: Sequence[ChatMessage], settings: Settings) -> Reply:
        """Return a reply of the form that the prompt asks for."""
        which, shown = part(messages), document(messages)
        self.asked.append((which, shown))
        self.systems.append(messages[0].content)
        if which in self.words:
            return Reply(self.words[which](shown), Usage(10, 5))
        return Reply(json.dumps(self.answer(messages)), Usage(10, 5))

    def answer(self, messages: Sequence[ChatMessage]) -> Document:
        """Return the answer of the rules."""
        which, shown = part(messages), document(messages)
        rules: dict[str, Callable[[Document], Document]] = {
            "perceive": perceive,
            "plan": plan,
            "reflect, first part": questions,
            "reflect, second part": insights,
            "understand": understand,
            "speak at the council": council,
            "act": self._act,
            "judge a reputation": reputation,
        }
        return rules[which](shown)

    async def close(self) -> None:
        """Do nothing."""

    def calls(self, which: str) -> list[Document]:
        """Return the data that a part has shown to the model."""
        return [shown for name, shown in self.asked if name == which]

    def _act(self, shown: Document) -> Document:
        known = {tree["tree"]: tree["apples_known"] for tree in shown["map"]["trees"]}
        greedy = self.greedy is True or self.greedy == shown["you"]["name"]
        here = shown["you"]["at"]
        for apple in shown["map"]["apples"]:
            if greedy or known[apple["tree"]] > SPARED:
                return move("go", apple["at"])
        far = re.findall(r"\d+", shown["legal"]["go, explore"])[2:]
        return move("explore", [(here[0] + 5) % (int(far[0]) + 1), (here[1] + 3) % (int(far[1]) + 1)])


def move(name: str, to: Sequence[int] | None = None, say: str = "") -> Document:
    """Return an answer for the act part."""
    cell = {"x": to[0], "z": to[1]} if to else None
    return {"reasoning": "by a rule", "move": name, "to": cell, "say": say}


def perceive(shown: Document) -> Document:
    new = shown["new_observations"]
    gone = any("gone" in text for text in new.values())
    return {"poignancy": [1 + len(text) % 10 for text in new.values()], "react": gone, "reason": "gone" if gone else ""}


def plan(shown: Document) -> Document:
    return {"reasoning": "r", "goal": f"eat since round {shown['round']}", "plan": "spare trees", "steps": ["go"]}


def questions(shown: Document) -> Document:
    return {"questions": [f"why {number}: {shown['observations'][0]['text']}?" for number in range(3)]}


def insights(shown: Document) -> Document:
    return {
        "insights": [
            {"insight": f"on {group['question']}", "evidence": [each["id"] for each in group["memories"][:2]]}
            for group in shown["groups"]
        ]
    }


def understand(shown: Document) -> Document:
    if shown["hypotheses"]:
        return {"hypotheses": [], "evidence": []}
    tests: list[Document] = [
        {"kind": "regrows", "apples": 1},
        {"kind": "stays_bare"},
        {"kind": "peaceful", "player": "Ann"},
    ]
    return {"hypotheses": [{"text": f"rule {each['kind']}", "test": each} for each in tests], "evidence": []}


def council(shown: Document) -> Document:
    """Accept and vote for everything pending, then propose to all others and move one rule."""
    me, state = shown["you"]["name"], shown["council"]
    others = [name for name in state["members"] if name != me]
    acts: list[Document] = [
        {"act": "accept", "agreement": each["agreement"]}
        for each in state["agreements"]
        if each["state"] == "proposed" and me in each["parties"] and me not in each["accepted"]
    ]
    acts += [
        {"act": "vote", "motion": each["motion"], "yes": True} for each in state["motions"] if me not in each["votes"]
    ]
    if not acts and me == min(state["members"]) and not state["agreements"]:
        term = {"kind": "leave", "tree": "*", "apples": SPARED}
        acts.append({"act": "propose", "to": others, "term": term, "rounds": 6})
        acts.append({"act": "ask", "to": others[0], "text": "will you spare the trees?"})
    if len(acts) < 4 and not state["rules"] and not state["motions"]:
        spare = {"kind": "leave", "tree": "*", "apples": SPARED}
        acts.append({"act": "rule", "term": spare, "penalty": 1, "reward": 1})
    return {"reasoning": "r", "acts": acts[:4]}


def reputation(shown: Document) -> Document:
    """Take a tenth for each apple that left a tree almost bare."""
    bare = sum(re.search(r": [01] are left", each["action"]) is not None for each in shown["actions"])
    return {"reasoning": f"{bare} of {len(shown['actions'])}", "score": max(0, 10 - bare)}


def open_thinker(name: str, *, base_url: str | None, api_key_file: Path | None) -> Thinker:
    """Return an opener of model specs for studies in tests; the model's name is that of the greedy player."""
    return Thinker(greedy=name)
