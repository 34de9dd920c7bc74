"""Sentences for actions of players and entries of councils. Their text is untrusted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeGuard

from dilemmas.records import events as log

DEEDS: Mapping[str, str] = {
    "mineBlock": "mined {1} {0}",
    "getItemFromChest": "took {1} from the chest",
    "depositItemIntoChest": "put {1} into the chest",
    "checkItemInsideChest": "looked into the chest",
    "goTo": "went to {0}",
    "placeItem": "placed {0} at {1}",
    "equipItem": "took {0} in hand",
    "craftItem": "crafted {1} {0}",
    "smeltItem": "smelted {2} {0}",
    "killMob": "killed a {0}",
    "shoot": "shot at a {1}",
    "immobilize": "immobilized {0}",
    "collectDrops": "collected what lay about",
    "waitSignal": "waited for {0}",
    "exploreUntil": "explored",
}
"""Primitive -> pattern of its sentence; a number stands for an argument."""
UNTOLD = frozenset({"say", "sendSignal"})
"""Primitives whose effects have events of their own."""
_MISSING = {"waitSignal": ["a signal"], "mineBlock": ["a block", "1"], "craftItem": ["something", "1"]}
COUNCIL: Mapping[str, str] = {
    "council": "The council is made of {members}.",
    "agreement_proposed": "{proposer} proposes agreement {agreement}: {says}, for {rounds} rounds.",
    "agreement_accepted": "{player} accepts agreement {agreement}.",
    "agreement_made": "Agreement {agreement} binds {parties}: {says}.",
    "agreement_declined": "{player} declines agreement {agreement}.",
    "agreement_ended": "Agreement {agreement} ended: {why}.",
    "rule_proposed": "{proposer} moves {motion}: {says}.",
    "vote": "{player} votes {yes} on {motion}.",
    "rule_passed": "Rule {rule} is passed: {says}.",
    "rule_amended": "Rule {rule} is changed: {says}.",
    "rule_repealed": "Rule {rule} is repealed.",
    "rule_failed": "Motion {motion} failed: {why}.",
    "kept": "{player} kept {ground} {id}.",
    "broken": "{player} broke {ground} {id}.",
    "penalty": "{player} paid {paid} for a breach of rule {rule}.",
    "reward": "{payer} paid those who kept rule {rule}: {to}.",
    "judged": "A model judges the reputation of {player} at {score}: {why}.",
    "reputation": "{player} has a reputation of {score} now.",
    "refused": "What {player} wanted had no effect: {why}",
}
"""Kind of entry -> pattern of its sentence; other kinds have none."""
ACTS: Mapping[str, str] = {"ask": "{player} asks {to}: {text}", "answer": "{player} answers {to}: {text}"}
"""Acts with a sentence; other acts follow from their effects."""


class _Told(dict[str, str]):
    """Parts of a sentence; a missing part shows as a dash."""

    def __missing__(self, key: str) -> str:
        return "\N{EN DASH}"


def action_sentence(event: log.ActionEvent) -> str:
    """Return the action behind a successful call of a primitive: `mined 12 iron ore`."""
    extra = event.model_extra or {}
    arguments = extra.get("args") if isinstance(extra.get("args"), list) else []
    told = [_argument(each) for each in arguments or []]
    told += _MISSING.get(event.name, [])[len(told) :]
    pattern = DEEDS.get(event.name)
    if pattern is None:
        return " ".join([_spaced(event.name), *told])
    return pattern.format(*told, *["\N{EN DASH}"] * 3)


def failed_action_sentence(event: log.ActionEvent, why: str) -> str:
    """Return the attempted action, and the reason for its failure."""
    return f"tried to {_spaced(event.name)}: {why}"


def failure_reason(event: log.ActionEvent) -> str:
    """Return the reason for which the call failed, or an empty text."""
    error = (event.model_extra or {}).get("error")
    if event.ok is not False or not isinstance(error, Mapping):
        return ""
    return str(error.get("message") or error.get("name") or "failed")


def deed_sentence(event: log.DeedSeen) -> str:
    """Return the observed effect of a player's action on the commons."""
    if event.deed == "take":
        return f"took an apple of {event.tree or 'a tree'}"
    return f"hit {event.target}" if event.hit else f"struck at {event.target} and missed"


def council_sentence(entry: Mapping[str, Any]) -> str:
    """Return a council's entry as a sentence; empty for bookkeeping and for entries that another one repeats."""
    what = str(entry.get("what", ""))
    pattern = ACTS.get(str(entry.get("act", "")), "") if what == "act" else COUNCIL.get(what, "")
    if what == "deed":
        return _council_deed(entry)
    parts = _Told({key: _value_text(value).rstrip(".") for key, value in entry.items()})
    return pattern.format_map(parts)


def _council_deed(entry: Mapping[str, Any]) -> str:
    player, target = str(entry.get("player", "")), str(entry.get("target", ""))
    if entry.get("kind") == "take":
        return f"{player} took an apple of {entry.get('tree', '') or 'a tree'}; {entry.get('left', 0)} are left on it."
    return f"{player} hit {target}." if entry.get("hit") else f"{player} struck at {target} and missed."


def _value_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_value_text(each)}" for key, each in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_value_text(each) for each in value)
    return str(value)


def _argument(value: object) -> str:
    """Return an argument of a primitive in words: a place, items with their numbers, a name."""
    if isinstance(value, Mapping):
        return ", ".join(f"{_value_text(count)} {_spaced(str(item))}" for item, count in value.items()) or "nothing"
    if _is_place(value):
        return f"({', '.join(_value_text(part) for part in value)})"
    return _spaced(value) if isinstance(value, str) else _value_text(value)


def _is_place(value: object) -> TypeGuard[list[float]]:
    return isinstance(value, list) and len(value) == 3 and all(isinstance(part, int | float) for part in value)


def _spaced(name: str) -> str:
    """Return `getItemFromChest` and `iron_ore` as words."""
    apart = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name) if name.isalnum() else name
    return apart.replace("_", " ").strip()
