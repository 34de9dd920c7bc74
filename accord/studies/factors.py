"""Factors of a study: options that it varies in addition to its contracts.

A factor has several values, as in `model=openai/a,openai/b`, `critic.temperature=0,0.7` or `prompts=stern,kind`.
`accord.studies.variants` makes the options of every combination of values.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from dilemmas.errors import UsageError
from dilemmas.scenarios.institutions import FACTOR, factor_change
from voyager_agents.models.sampling import KEYS

WHOLE_STUDY = (
    "prompts", "think", "agents", "judge", "rounds", "episodes", "reasoning", "answers", "hosts", "words", "adversary",
    "see",
)  # fmt: skip
"""Factors of the whole study, written without a prefix."""
NAMED = {"player": "Gizmo.player=greedy,follower", "agents-option": "reflect.agents-option=10,30"}
"""Factor that needs a prefix, such as a player's name -> example."""
_NAMES = ("model", *KEYS, *WHOLE_STUDY, *NAMED)
FACTORS = ", ".join(
    [f"[WHO.]{name}" for name in ("model", *KEYS)]
    + [*WHOLE_STUDY, "PLAYER.player", "KEY.agents-option", f"{FACTOR}.NAME"]
)
"""All factors as written on the command line, for messages."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._=+,-]")


def check_factors(vary: Mapping[str, Sequence[str]]) -> None:
    """Check names and values of factors.

    Raises:
        UsageError: A factor is unknown, has an empty value, or has a value twice.
    """
    for key, values in vary.items():
        name, part = parse_factor(key)
        for value in values if name == FACTOR else ():
            factor_change(part, value)
        labels = [label(key, value) for value in values]
        if not labels or not all(labels):
            raise UsageError(f"vary: {key} has an empty value; write e.g. --vary {key}=A,B")
        if len(set(labels)) != len(labels):
            raise UsageError(f"vary: {key}: {', '.join(labels)}: a value is given twice; give each once")


def parse_factor(key: str) -> tuple[str, str]:
    """Return a factor's name and the player, role or option before it ("" without one).

    A factor of institutions, such as `institution.court`, is returned as (`institution`, `court`).

    Raises:
        UsageError: There is no such factor, or the part before its name is missing or not allowed.
    """
    if key.startswith(f"{FACTOR}."):
        return FACTOR, key.removeprefix(f"{FACTOR}.")
    who, _, name = key.rpartition(".")
    if name not in _NAMES:
        close = difflib.get_close_matches(name, _NAMES, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise UsageError(f"vary: {name!r} is no factor{hint}; legal are {FACTORS}")
    if name in NAMED and not who:
        raise UsageError(f"vary: {name} needs a name before it: write e.g. --vary {NAMED[name]}")
    if who and name in WHOLE_STUDY:
        raise UsageError(f"vary: {name} is for the whole study, not for {who!r}: write --vary {name}=...")
    return name, who


def label(key: str, value: str) -> str:
    """Return a value's text in names of conditions: the name of a folder of prompts, else the value itself."""
    return Path(value).absolute().name if key.rpartition(".")[2] == "prompts" else value


def folder_name(name: str) -> str:
    """Return a condition's name with characters that are illegal in folder names replaced."""
    return _UNSAFE.sub("-", name)
