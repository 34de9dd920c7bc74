"""What a study varies beside its contracts: models, how they are asked, prompts and other settings, as conditions.

A factor is a setting by name, with its values: `model=openai/a,openai/b`, `critic.temperature=0,0.7`,
`prompts=stern,kind`. Every combination of values is a variant of the study's settings, and every condition is played
under every variant.
"""

from __future__ import annotations

import difflib
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from dilemmas.errors import UsageError
from voyager_agents.models.sampling import KEYS

if TYPE_CHECKING:
    from accord.studies.settings import StudySettings

NOBODY = "none"
"""The value of the factor `model` with which reference players play."""
_UNSAFE = re.compile(r"[^A-Za-z0-9._=+,-]")

Change = Callable[["StudySettings", str, str], "StudySettings"]
"""Settings, who or what the factor is for, and its value -> the settings with that value."""


@dataclass(frozen=True)
class Variant:
    """The settings of a study with one value of each factor."""

    settings: StudySettings
    factors: tuple[tuple[str, str], ...] = ()
    """(factor, value as it is named), in the order in which the factors were given."""

    @property
    def suffix(self) -> str:
        """What it adds to the names of conditions; empty where nothing is varied."""
        return "".join(f"+{factor}={value}" for factor, value in self.factors)


def variants(settings: StudySettings) -> list[Variant]:
    """Every combination of the factors' values, the last factor changing fastest. Raises UsageError."""
    base = replace(settings, vary={})
    choices = [[(key, value) for value in values] for key, values in settings.vary.items()]
    return [_variant(base, combination) for combination in itertools.product(*choices)]


def check(vary: Mapping[str, Sequence[str]]) -> None:
    """Whether these are factors. Raises UsageError."""
    for key, values in vary.items():
        _change(key)
        names = [label(key, value) for value in values]
        if not names or not all(names):
            raise UsageError(f"vary: {key} has an empty value; write e.g. --vary {key}=A,B")
        if len(set(names)) != len(names):
            raise UsageError(f"vary: {key}: {', '.join(names)}: a value is given twice; give each once")


def label(key: str, value: str) -> str:
    """What a value is called in the names of conditions: a folder of prompts by its own name, without its path."""
    return Path(value).absolute().name if key.rpartition(".")[2] == "prompts" else value


def folder_name(name: str) -> str:
    """A condition's name as a folder's."""
    return _UNSAFE.sub("-", name)


def _variant(base: StudySettings, combination: Sequence[tuple[str, str]]) -> Variant:
    settings = base
    for key, value in combination:
        change, who = _change(key)
        settings = change(settings, who, value)
    return Variant(settings, tuple((key, label(key, value)) for key, value in combination))


def _change(key: str) -> tuple[Change, str]:
    """What a factor changes, and for whom. Raises UsageError."""
    who, _, name = key.rpartition(".")
    change = _CHANGES.get(name)
    if change is None:
        close = difflib.get_close_matches(name, _CHANGES, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise UsageError(f"vary: {name!r} is no factor{hint}; legal are {FACTORS}")
    if name in _NAMED and not who:
        raise UsageError(f"vary: {name} needs a name before it: write e.g. --vary {_NAMED[name]}")
    if who and name in _PLAIN:
        raise UsageError(f"vary: {name} is for the whole study, not for {who!r}: write --vary {name}=...")
    return change, who


def _model(settings: StudySettings, who: str, value: str) -> StudySettings:
    if who:
        return replace(settings, models={**settings.models, who: value})
    return replace(settings, model=None if value == NOBODY else value)


def _sampling(key: str) -> Change:
    def change(settings: StudySettings, who: str, value: str) -> StudySettings:
        name = f"{who}.{key}" if who else key
        return replace(settings, sampling={**settings.sampling, name: value})

    return change


def _player(settings: StudySettings, who: str, value: str) -> StudySettings:
    return replace(settings, players={**settings.players, who: value})


def _option(settings: StudySettings, who: str, value: str) -> StudySettings:
    return replace(settings, agents_options={**settings.agents_options, who: value})


def _prompts(settings: StudySettings, who: str, value: str) -> StudySettings:
    return replace(settings, prompts=Path(value))


def _text(name: str) -> Change:
    def change(settings: StudySettings, who: str, value: str) -> StudySettings:
        changes = {name: value}
        return replace(settings, **changes)  # type: ignore[arg-type] # the settings say what is legal

    return change


def _count(name: str) -> Change:
    def change(settings: StudySettings, who: str, value: str) -> StudySettings:
        if not value.isdecimal():
            raise UsageError(f"vary: {name}={value}: {value!r} is not a whole number")
        changes = {name: int(value)}
        return replace(settings, **changes)  # type: ignore[arg-type] # the settings say what is legal

    return change


_CHANGES: Mapping[str, Change] = {
    "model": _model,
    **{key: _sampling(key) for key in KEYS},
    "prompts": _prompts,
    "think": _text("think"),
    "agents": _text("agents"),
    "judge": _text("judge"),
    "rounds": _count("rounds"),
    "episodes": _count("episodes"),
    "player": _player,
    "agents-option": _option,
}
_PLAIN = ("prompts", "think", "agents", "judge", "rounds", "episodes")
_NAMED = {"player": "Gizmo.player=greedy,follower", "agents-option": "reflect.agents-option=10,30"}
"""Factors that are nothing without a name -> an example."""
FACTORS = ", ".join([f"[WHO.]{name}" for name in ("model", *KEYS)] + [*_PLAIN, "PLAYER.player", "KEY.agents-option"])
"""All factors as they are written."""
