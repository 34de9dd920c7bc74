"""Variants of a study: its settings with one value of each factor (`accord.studies.factors`)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from accord.studies.factors import label, parse_factor
from accord.studies.settings import StudySettings
from dilemmas.errors import UsageError
from dilemmas.scenarios.institutions import FACTOR
from voyager_agents.models.sampling import KEYS

REFERENCE = "none"
"""Value of the factor `model` for reference players, and of `adversary` for nobody."""

Change = Callable[[StudySettings, str, str], StudySettings]
"""Function that applies a factor: maps the settings, the part before the factor's name, and a value to new settings."""


@dataclass(frozen=True)
class Variant:
    """Settings of a study with one value of each factor."""

    settings: StudySettings
    factors: tuple[tuple[str, str], ...] = ()
    """Pairs of factor and value label, in the order in which the factors were given."""

    @property
    def suffix(self) -> str:
        """Suffix of conditions' names; empty without factors."""
        return "".join(f"+{factor}={value}" for factor, value in self.factors)


def variants(settings: StudySettings) -> list[Variant]:
    """Return a variant for every combination of values; the last factor changes fastest.

    Raises:
        UsageError: A value is not legal.
    """
    base = replace(settings, vary={})
    choices = [[(key, value) for value in values] for key, values in settings.vary.items()]
    return [_variant(base, combination) for combination in itertools.product(*choices)]


def _variant(base: StudySettings, combination: Sequence[tuple[str, str]]) -> Variant:
    settings = base
    for key, value in combination:
        name, who = parse_factor(key)
        settings = _CHANGES[name](settings, who, value)
    return Variant(settings, tuple((key, label(key, value)) for key, value in combination))


def _model(settings: StudySettings, who: str, value: str) -> StudySettings:
    if who:
        return replace(settings, models={**settings.models, who: value})
    return replace(settings, model=None if value == REFERENCE else value)


def _sampling(key: str) -> Change:
    def change(settings: StudySettings, who: str, value: str) -> StudySettings:
        name = f"{who}.{key}" if who else key
        return replace(settings, sampling={**settings.sampling, name: value})

    return change


def _player(settings: StudySettings, who: str, value: str) -> StudySettings:
    return replace(settings, players={**settings.players, who: value})


def _option(settings: StudySettings, who: str, value: str) -> StudySettings:
    return replace(settings, agents_options={**settings.agents_options, who: value})


def _prompts(settings: StudySettings, _who: str, value: str) -> StudySettings:
    return replace(settings, prompts=Path(value))


def _adversary(settings: StudySettings, _who: str, value: str) -> StudySettings:
    pairs = [] if value == REFERENCE else [part.partition(":") for part in value.split("+")]
    if not all(map(all, pairs)):
        raise UsageError(f"vary: adversary={value}: write none, or NAME:KIND such as Glitch:free-rider")
    return replace(settings, adversaries={**settings.adversaries, **{player: kind for player, _, kind in pairs}})


def _institution(settings: StudySettings, _who: str, _value: str) -> StudySettings:
    """Return the settings unchanged: a condition's name has its institutions (`dilemmas.scenarios.institutions`)."""
    return settings


def _text(name: str) -> Change:
    def change(settings: StudySettings, _who: str, value: str) -> StudySettings:
        changes: dict[str, Any] = {name: value}
        return replace(settings, **changes)

    return change


def _count(name: str) -> Change:
    def change(settings: StudySettings, _who: str, value: str) -> StudySettings:
        if not value.isdecimal():
            raise UsageError(f"vary: {name}={value}: {value!r} is not a whole number")
        changes: dict[str, Any] = {name: int(value)}
        return replace(settings, **changes)

    return change


_CHANGES: Mapping[str, Change] = {
    "model": _model,
    **{key: _sampling(key) for key in KEYS},
    "prompts": _prompts,
    "think": _text("think"),
    "agents": _text("agents"),
    "judge": _text("judge"),
    "reasoning": _text("reasoning"),
    "answers": _text("answers"),
    "hosts": _text("hosts"),
    "words": _text("words"),
    "see": _text("see"),
    "adversary": _adversary,
    "rounds": _count("rounds"),
    "episodes": _count("episodes"),
    "player": _player,
    "agents-option": _option,
    FACTOR: _institution,
}
