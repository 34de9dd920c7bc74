"""Reference traders on a market day: they sell what they have more of than they need, and buy what they lack.

Needs follow from the world: everybody needs food, the more the hungrier it is, and materials for work. All numbers are
assumptions, as those of all reference people are; they are no findings about people or language models.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import ceil, floor
from typing import Any

FOODS = ("bread", "potato", "carrot", "apple", "cooked_beef", "cooked_porkchop", "cooked_mutton")
WORTH: Mapping[str, float] = {
    "bread": 3, "potato": 2, "carrot": 2, "apple": 2, "oak_log": 2, "cobblestone": 1, "coal": 3, "raw_iron": 4,
    "white_wool": 2,
}  # fmt: skip
"""Item -> worth in money of one that is needed; others are worth 1."""
NEED: Mapping[str, int] = {
    "bread": 4, "potato": 2, "carrot": 2, "oak_log": 4, "cobblestone": 8, "coal": 2, "raw_iron": 2, "white_wool": 2,
}  # fmt: skip
"""Item -> number that a person needs; others are not needed."""
SPARE = 0.3
"""Worth of an item beyond need, as a share of one that is needed."""
TASTE = (0.6, 1.4)
"""Range of a person's own factor for the worth of an item."""
HUNGRY_BELOW = 16
"""Food level from which on food is worth more: up to twice as much with an empty stomach."""
MARGIN = 0.3
"""Largest share of its worth by which a trader opens above or below it; it gives way from round to round."""
ISSUE = 5
"""Money that an office issues on a market day."""
MAX_ITEMS = 2
"""Number of items that a trader offers and asks for in one round."""


def worth(
    item: str, held: int, *, person: str, seed: int, food: float = 20, drives: Mapping[str, float] | None = None
) -> float:
    """Return what one more of an item is worth to a person, in money.

    Args:
        item: The item.
        held: Number that the person has.
        person: Its name; each has tastes of its own.
        seed: Seed of the tastes.
        food: The person's food level, 0 to 20.
        drives: Item -> share by which the person's drives raise its worth.
    """
    taste = random.Random(f"taste:{seed}:{person}:{item}").uniform(*TASTE)
    hunger = 1 + max(0.0, HUNGRY_BELOW - food) / HUNGRY_BELOW if item in FOODS else 1.0
    driven = 1 + (drives or {}).get(item, 0.0)
    return WORTH.get(item, 1) * taste * driven * (hunger if held < NEED.get(item, 0) else SPARE)


def trade(
    facts: Mapping[str, Any],
    *,
    person: str,
    seed: int,
    food: float = 20,
    drives: Mapping[str, float] | None = None,
) -> list[dict[str, Any]]:
    """Return the acts of a person in one round of a market day.

    Args:
        facts: Facts of the question (`contracts.institutions.marketplace`).
        person: Name of the person.
        seed: Seed of its tastes.
        food: Its food level, 0 to 20.
        drives: Item -> share by which its drives raise the item's worth.
    """
    held: Mapping[str, int] = facts["you_have"]
    values = {
        item: (
            worth(item, held.get(item, 0), person=person, seed=seed, food=food, drives=drives),
            worth(item, held.get(item, 0) - 1, person=person, seed=seed, food=food, drives=drives),
        )
        for item in facts["items"]
    }
    gains = {item: more for item, (more, _) in values.items() if held.get(item, 0) < NEED.get(item, 0)}
    spare = [item for item in facts["items"] if held.get(item, 0) > NEED.get(item, 0)]
    wanted = sorted(gains, key=lambda item: (-gains[item], item))[:MAX_ITEMS]
    spare = sorted(spare, key=lambda item: (NEED.get(item, 0) - held[item], item))[:MAX_ITEMS]
    if facts["money"] is None:
        return _swaps(facts, person, spare, wanted, values)
    share = MARGIN * (1 - facts["round"] / facts["rounds"])
    issued = [*_issued(facts, person), *_insured(facts)]
    if "auction" in facts["forms"]:
        # Fewer orders beside other acts: no more than four count in one answer.
        wanted = wanted[: max(0, MAX_ITEMS - len(issued))]
        return [*issued, *_asks(held, spare, values, share), *_bids(held, facts["money"], wanted, values, share)]
    if "stalls" in facts["forms"]:
        return [*issued, *_at_stalls(facts, person, spare, wanted[: max(0, MAX_ITEMS - len(issued))], values, share)]
    return [*issued, *_swaps(facts, person, spare, wanted, values)]


def _issued(facts: Mapping[str, Any], person: str) -> list[dict[str, Any]]:
    """Return the money that an honest office issues: once a day, to somebody else at the market in turn."""
    others = [name for name in facts["people"] if name != person]
    if not facts["you_issue_it"] or facts["round"] > 1 or not others:
        return []
    return [{"act": "issue", "to": others[facts["day"] % len(others)], "count": ISSUE}]


def _insured(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the premium of a person that has too little food, and money to spare."""
    pool, held = facts["pool"], facts["you_have"]
    still_to_come = facts["rounds"] - facts["round"]
    if pool is None or facts["you_are_insured"] or still_to_come > 0:
        return []
    has_food = sum(held.get(item, 0) for item in FOODS) >= NEED["bread"]
    return [] if has_food or held.get(facts["money"], 0) < 2 * pool["premium"] else [{"act": "insure"}]


Values = Mapping[str, tuple[float, float]]
"""Item -> worth of one more, and of the last one."""


def _asks(held: Mapping[str, int], spare: Sequence[str], values: Values, share: float) -> list[dict[str, Any]]:
    return [
        {
            "act": "ask",
            "item": item,
            "price": max(1, ceil(values[item][1] * (1 + share))),
            "count": held[item] - NEED.get(item, 0),
        }
        for item in spare
    ]


def _bids(
    held: Mapping[str, int], money: str, wanted: Sequence[str], values: Values, share: float
) -> list[dict[str, Any]]:
    left, acts = held.get(money, 0), []
    for item in wanted:
        price = floor(values[item][0] * (1 - share))
        count = min(NEED[item] - held.get(item, 0), left // price if price else 0)
        if count > 0:
            left -= price * count
            acts.append({"act": "bid", "item": item, "price": price, "count": count})
    return acts


def _at_stalls(
    facts: Mapping[str, Any], person: str, spare: Sequence[str], wanted: Sequence[str], values: Values, share: float
) -> list[dict[str, Any]]:
    held, left, acts = facts["you_have"], facts["you_have"].get(facts["money"], 0), []
    for item in wanted:
        best = min(
            (each for each in facts["market"]["prices"] if each["item"] == item and each["seller"] != person),
            key=lambda each: (each["price"], each["seller"]),
            default=None,
        )
        if best is None or best["price"] > values[item][0]:
            continue
        count = min(NEED[item] - held.get(item, 0), left // best["price"])
        if count > 0:
            left -= best["price"] * count
            acts.append({"act": "buy", "seller": best["seller"], "item": item, "price": best["price"], "count": count})
    posts = [{**each, "act": "post"} for each in _asks(held, spare, values, share)]
    return [*acts, *posts]


def _swaps(
    facts: Mapping[str, Any], person: str, spare: Sequence[str], wanted: Sequence[str], values: Values
) -> list[dict[str, Any]]:
    held = facts["you_have"]
    for offer in facts["market"]["offers"]:
        if offer["by"] == person or offer["to"] not in ("", person):
            continue
        [(gets, got)], [(gives, given)] = list(offer["give"].items())[:1], list(offer["want"].items())[:1]
        good = gets in wanted and gives in spare and got * values[gets][0] >= given * values[gives][1]
        if good and held[gives] - NEED.get(gives, 0) >= given:
            return [{"act": "take", "offer": offer["offer"]}]
    if not spare or not wanted or any(each["by"] == person for each in facts["market"]["offers"]):
        return []
    give, want = spare[0], wanted[0]
    count = max(1, floor(values[want][0] / values[give][1]))
    give_count = min(count, held[give] - NEED.get(give, 0))
    return [{"act": "swap", "give": {give: give_count}, "want": {want: 1}, "to": ""}]
