"""JSON schema of the acts that are legal for a person on a market day, for models that answer under a schema.

The market reads acts strictly whatever the schema says. Offers to barter have one item on each side here; the market
takes more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from common.answers.schema import integer_schema, list_schema, tagged_schema
from contracts.markets.acts import ACTS, FORMS

MAX_PRICE, MAX_COUNT = 999, 64
"""Highest price and number of items that the schema offers."""


def acts_schema(facts: Mapping[str, Any], person: str, most: int) -> dict[str, Any]:
    """Return the schema of a list of acts.

    Args:
        facts: Facts of the market's question (`contracts.institutions.marketplace`).
        person: Name of the person.
        most: Maximum number of acts.
    """
    held: Mapping[str, int] = facts["you_have"]
    money: str | None = facts["money"]
    own = [item for item in facts["items"] if held.get(item, 0) > 0]
    rich = money is not None and held.get(money, 0) > 0
    board, others = facts["market"], [name for name in facts["people"] if name != person]
    sellers = [each for each in board["prices"] if each["seller"] != person]
    offers = [each["offer"] for each in board["offers"] if each["by"] != person and each["to"] in ("", person)]
    traded = [*facts["items"], *([money] if money else [])]
    giving = [item for item in traded if held.get(item, 0) > 0]
    legal = {act for form in facts["forms"] for act in FORMS[form]}
    choices: dict[str, dict[str, Sequence[Any]]] = {
        "post": {"item": own},
        "buy": {"item": _distinct(sellers, "item") if rich else [], "seller": _distinct(sellers, "seller")},
        "bid": {"item": facts["items"] if rich else []},
        "ask": {"item": own},
        "swap": {"to": ["", *others] if giving else []},
        "take": {"offer": offers},
        "issue": {"to": others if facts["you_issue_it"] else []},
        "insure": {},
    }
    if facts["you_issue_it"]:
        legal.add("issue")
    if facts["pool"] and not facts["you_are_insured"] and held.get(str(money), 0) >= facts["pool"]["premium"]:
        legal.add("insure")
    fields = {
        "price": integer_schema(1, MAX_PRICE),
        "count": integer_schema(1, MAX_COUNT),
        "give": _bundle(giving, held),
        "want": _bundle(traded, {}),
    }
    found: list[dict[str, Any]] = []
    for name in ACTS:
        if name not in legal:
            continue
        price = {"price": integer_schema(1, held.get(str(money), 1))} if name in ("buy", "bid") and rich else {}
        found += tagged_schema({name: ACTS[name]}, "act", choices[name], {**fields, **price})["anyOf"]
    # On an empty board nobody has anything to withdraw, and small models withdraw what they have just ordered.
    if any(board.values()) or not found:
        found += tagged_schema({"withdraw": ACTS["withdraw"]}, "act", {}, {})["anyOf"]
    return list_schema({"anyOf": found}, 0, most)


def _distinct(entries: Sequence[Mapping[str, Any]], key: str) -> list[Any]:
    return list(dict.fromkeys(each[key] for each in entries))


def _bundle(items: Sequence[str], held: Mapping[str, int]) -> dict[str, Any]:
    """Return the schema of one item and its number, at most what is held."""
    return {
        "anyOf": [
            {
                "type": "object",
                "properties": {item: integer_schema(1, min(MAX_COUNT, held.get(item, MAX_COUNT)))},
                "required": [item],
                "additionalProperties": False,
            }
            for item in items
        ]
    }
