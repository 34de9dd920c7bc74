"""Strict parsing of typed answers. An answer that is not exactly one legal action is refused with a one-line reason."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from grid_games.actions import GridAction
from grid_games.arrays import Flags
from grid_games.errors import AnswerError

LIMIT = 400
"""Maximum characters of an answer."""
MAX_WORD = 2**31 - 1
KEYS = {"pick": "resource", "dump": "resource", "join": "group", "claim": "share"} | dict.fromkeys(
    ("message", "share", "request"), "agent"
)
"""Kind of action -> key of its target; other kinds have none."""


@dataclass(frozen=True)
class GridAnswer:
    """The action that an answer names, and the words of its message, if any."""

    action: int
    words: tuple[int, ...] | None = None


def typed(action: GridAction) -> str:
    """Return the form of a typed answer for an action."""
    body = {"action": action.kind}
    return json.dumps(body if action.target is None else {**body, KEYS[action.kind]: action.target})


def legal(actions: Sequence[GridAction], mask: Flags) -> list[str]:
    """Return the legal answers under a mask (A,): one line for all actions without a target, then one line per kind."""
    allowed = [actions[number] for number in np.flatnonzero(mask).tolist()]
    targets: dict[str, list[str]] = {}
    for action in allowed:
        if action.target is not None:
            targets.setdefault(action.kind, []).append(json.dumps(action.target))
    plain = [json.dumps(action.kind) for action in allowed if action.target is None]
    lines = [f'{{"action": X}} with X one of {", ".join(plain)}'] if plain else []
    for kind, offered in targets.items():
        lines.append(f'{{"action": "{kind}", "{KEYS[kind]}": X}} with X one of {", ".join(offered)}')
    return lines


def parse(text: str, actions: Sequence[GridAction], mask: Flags, words: int = 0) -> GridAnswer:
    """Return the action named by a typed answer.

    Args:
        text: The answer.
        actions: All actions of the game.
        mask: (A,) legal actions.
        words: Number of integers in a message, `game.settings.get("words", 0)`.

    Raises:
        AnswerError: The answer names no legal action; the message is one line for its author.
    """
    body = _object(text)
    said = _words(body, words)
    kind = body.get("action")
    known = sorted({action.kind for action in actions})
    if not isinstance(kind, str) or kind not in known:
        raise AnswerError(f"action is {_shown(kind)}; it must be one of {', '.join(known)}")
    number = _number(body, kind, actions)
    if not mask[number]:
        allowed = [str(actions[each]) for each in np.flatnonzero(mask).tolist()]
        raise AnswerError(f"{actions[number]} has no effect now; choose one of: {', '.join(allowed) or 'nothing'}")
    return GridAnswer(number, said)


def _object(text: str) -> dict[str, Any]:
    """Return the JSON object in a text that contains nothing else."""
    if len(text) > LIMIT:
        raise AnswerError(f"the answer has {len(text)} characters; give one JSON object of at most {LIMIT}")
    try:
        body = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except (json.JSONDecodeError, RecursionError):
        raise AnswerError(f'the answer is {_shown(text)}; give one JSON object such as {{"action": "stay"}}') from None
    if not isinstance(body, dict):
        raise AnswerError(f'the answer is {_shown(body)}; give one JSON object such as {{"action": "stay"}}')
    return body


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    if twice := next((key for key in keys if keys.count(key) > 1), None):
        raise AnswerError(f"the key {_shown(twice)} stands twice; give each key once")
    return dict(pairs)


def _no_constant(name: str) -> None:
    raise AnswerError(f"{name} is no number; give numbers as digits")


def _number(body: dict[str, Any], kind: str, actions: Sequence[GridAction]) -> int:
    """Return the number of the action with this kind and target."""
    key = KEYS.get(kind)
    wanted = {"action", key} if key else {"action"}
    if unknown := sorted(set(body) - wanted):
        raise AnswerError(f"{kind} takes no {_shown(unknown[0])}; its keys are {', '.join(sorted(wanted))}")
    offered = {action.target: number for number, action in enumerate(actions) if action.kind == kind}
    if key is None:
        return offered[None]
    target = body.get(key)
    same = [each for each in offered if _same(each, target)]
    if not same:
        raise AnswerError(f"{key} of {kind} is {_shown(target)}; it must be one of {', '.join(map(str, offered))}")
    return offered[same[0]]


def _same(offered: str | int | float | None, given: object) -> bool:
    """Return True if the given target matches: strings exactly, numbers by value."""
    if isinstance(given, bool) or isinstance(offered, str) or offered is None:
        return type(given) is type(offered) and bool(given == offered)
    if isinstance(offered, int):
        return type(given) is int and given == offered
    return isinstance(given, int | float) and math.isclose(given, offered, abs_tol=1e-9)


def _words(body: dict[str, Any], count: int) -> tuple[int, ...] | None:
    """Remove the words of a message from the object, and return them."""
    if body.get("action") != "message" or "words" not in body:
        return None
    given = body.pop("words")
    fits = isinstance(given, list) and len(given) == count and all(type(each) is int for each in given)
    if not fits or not all(0 <= each <= MAX_WORD for each in given):
        raise AnswerError(f"words are {_shown(given)}; give {count} whole numbers from 0 to {MAX_WORD}")
    return tuple(given)


def _shown(value: object) -> str:
    """Return a value as one short line."""
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
