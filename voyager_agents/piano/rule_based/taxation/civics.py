"""Opinions, votes and tax payments of rule-based citizens, as pure functions.

The numbers are assumptions, documented in `civics.yaml`.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from contracts.yaml12 import load_yaml

FILE = Path(__file__).with_name("civics.yaml")
TAXED = re.compile(r"\b(tax|taxes|percent|law)\b")
RANGE = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*(?:%|percent)?\s*(?:to|-|and)\s*(\d{1,3}(?:\.\d+)?)\s*(?:%|percent)")
SINGLE = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*(?:%|percent)")
TOOL = re.compile(r"_(pickaxe|axe|hoe|sword|shovel)$|^(shears|fishing_rod)$")
Band = tuple[float, float]


@cache
def civics() -> Mapping[str, Any]:
    """Return the tables of `civics.yaml`."""
    data: Mapping[str, Any] = load_yaml(FILE.read_text(encoding="utf-8"))
    return data


def numbers_of(persona: Mapping[str, Any], section: str) -> Mapping[str, Any]:
    """Return a section of the tables, updated with the scenario's values (`citizens:`)."""
    return {**civics()[section], **persona.get("citizens", {}).get(section, {})}


def trades() -> Sequence[str]:
    """Return the names of all trades."""
    return list(civics()["trades"])


def with_trades(rules: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the tables of `village.yaml` with the activities of further trades added."""
    activities = dict(rules["activities"])
    for name, trade in civics()["trades"].items():
        if trade:
            activities[name] = {"words": [name], **trade}
    return {**rules, "activities": activities}


def band_in(text: str) -> Band | None:
    """Return the range of tax rates that a text mentions, in percent (low, high); None without one."""
    said = text.lower()
    if not TAXED.search(said):
        return None
    if found := RANGE.search(said):
        low, high = sorted((float(found[1]), float(found[2])))
    elif found := SINGLE.search(said):
        low = high = float(found[1])
    else:
        return None
    return (low, high) if high <= 100 else None


def moved(opinion: float, band: Band, trust: float, numbers: Mapping[str, Any]) -> float:
    """Return the opinion after an argument for a tax rate (bounded confidence).

    Args:
        opinion: The opinion before, in percent.
        band: Range of rates that the argument supports, in percent.
        trust: Trust in the speaker, 0 to 1.
        numbers: `confidence`, the maximum distance at which an argument counts, in percentage points; and `step`, the
            share of the distance to move at full trust.
    """
    said = sum(band) / 2
    if abs(said - opinion) > numbers["confidence"]:
        return opinion
    return float(opinion + numbers["step"] * trust * (said - opinion))


def wish(opinion: float, law: Band, numbers: Mapping[str, Any]) -> Band | None:
    """Return the range of rates that a citizen asks for; None if the law is close enough to its opinion."""
    if abs(opinion - sum(law) / 2) <= numbers["content"]:
        return None
    width = float(numbers["band"])
    low = min(max(0.0, opinion // width * width), 100 - width)
    return low, low + width


def vote(opinion: float, law: Band, proposed: Band, margin: float) -> str:
    """Return `yes` if the proposal is closer to the opinion than the law, `no` if it is further away, else `abstain`.

    Args:
        opinion: The voter's preferred rate, in percent.
        law: Range of rates in force.
        proposed: Proposed range of rates.
        margin: Maximum difference of the two distances at which the voter abstains, in percentage points.
    """
    better = abs(sum(law) / 2 - opinion) - abs(sum(proposed) / 2 - opinion)
    return "abstain" if abs(better) <= margin else "yes" if better > 0 else "no"


def amendments_of(feedback: Sequence[Mapping[str, str]], law: Band) -> list[dict[str, Any]]:
    """Return an election manager's amendments: one for each range that the feedback asks for, most frequent first."""
    asked: dict[Band, list[str]] = {}
    for each in feedback:
        if (band := band_in(each["text"])) is not None and band != law:
            asked.setdefault(band, []).append(each["member"])
    ranked = sorted(asked.items(), key=lambda each: (-len(each[1]), each[0]))
    return [{"clause": "rate", "value": list(band), "by": members} for band, members in ranked]


def counting(items: Mapping[str, int], counts: Sequence[str]) -> dict[str, int]:
    """Return the taxable items by the kinds that a law names: `everything`, `food`, `materials`."""
    if "everything" in counts:
        return dict(items)
    kinds = {
        item: "food" if item in civics()["food"] else "tool" if TOOL.search(item) else "materials" for item in items
    }
    return {item: count for item, count in items.items() if kinds[item] in counts}


def due(items: Mapping[str, int], band: Band, opinion: float, noise: float, chance: random.Random) -> dict[str, int]:
    """Return the items to pay as tax: the most plentiful ones first, tools last.

    Args:
        items: Taxable items with their counts.
        band: Lowest and highest rate that the law allows, in percent.
        opinion: The payer's preferred rate, in percent.
        noise: Maximum relative deviation of the paid share.
        chance: Random number generator.
    """
    share = min(max(opinion, band[0]), band[1]) / 100 * (1 + noise * (2 * chance.random() - 1))
    left = round(sum(items.values()) * share)
    paid: dict[str, int] = {}
    for item, count in sorted(items.items(), key=lambda each: (bool(TOOL.search(each[0])), -each[1], each[0])):
        if left <= 0:
            break
        paid[item] = min(count, left)
        left -= paid[item]
    return paid
