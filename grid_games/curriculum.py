"""Curricula: the stages of a training, each a game of its own with the same observations and actions.

The stages are data (`data/curriculum.yaml`, after AdaSociety's appendix D.1, or a file of the same form). Environments
need nothing else: agents are put into groups by the game's key `start_groups`, drawn from the environment's seed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from grid_games.errors import GameError
from grid_games.loader import DATA, load
from grid_games.rules import rules_of
from grid_games.spec import GridGame

PAPER = DATA / "curriculum.yaml"
MAX_BYTES = 1 << 16
"""Maximum size of a curriculum's file."""
_KEYS = {"share", "talk", "start_groups"}


@dataclass(frozen=True)
class CurriculumStage:
    """One stage of a training."""

    name: str
    game: GridGame
    steps: int
    """Environment steps of the stage."""


def without_talk(name: str, *variants: str, **changes: object) -> GridGame:
    """Return a game without the steps in which agents only choose groups or bargain.

    Raises:
        GameError: The game has no such steps.
    """
    whole = load(name, *variants, **changes)
    rules = rules_of(whole.rules)
    if not rules.talk_setting:
        raise GameError(f"game {whole.name} has no talk to leave out")
    settings = {**whole.settings, rules.talk_setting: 0}
    steps = whole.steps - rules.talk_steps(whole)
    return load(name, *variants, **{**changes, "settings": settings, "steps": steps})


def without_social_actions(name: str, *variants: str, **changes: object) -> GridGame:
    """Return a game without its talk, or, if social actions are possible in every step, without these."""
    if rules_of(load(name, *variants, **changes).rules).talk_setting:
        return without_talk(name, *variants, **changes)
    return load(name, *variants, **{**changes, "social_actions": False})


def curriculum(
    name: str,
    *variants: str,
    steps: int,
    environments: int,
    path: Path = PAPER,
    changes: Mapping[str, Any] | None = None,
) -> tuple[CurriculumStage, ...]:
    """Return the stages of a training.

    Args:
        name: Name of the game.
        *variants: Names of its variants.
        steps: Environment steps of the whole training.
        environments: Number of environments that are stepped together; the probabilities of a stage fall over the
            episodes that each of them plays in it.
        path: File of the curriculum.
        changes: Changes of the game, as `load` takes them.

    Raises:
        GameError: The file is no curriculum.
    """
    if steps < 1 or environments < 1:
        raise GameError(f"a curriculum of {steps} steps in {environments} environments is none; give at least 1")
    stages = _stages(path)
    total = sum(float(body["share"]) for body in stages.values())
    made: list[CurriculumStage] = []
    for stage, body in stages.items():
        part = max(1, round(steps * float(body["share"]) / total))
        wanted = dict(changes or {})
        make = load if body.get("talk", True) else without_social_actions
        if "start_groups" in body:
            episodes = max(1, part // (environments * make(name, *variants, **wanted).steps))
            wanted |= {"start_groups": {"episodes": episodes, **_start(f"stage {stage!r} of curriculum {path}", body)}}
        made.append(CurriculumStage(stage, make(name, *variants, **wanted), part))
    return tuple(made)


def _stages(path: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the checked contents of a curriculum's file."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise GameError(f"curriculum {path} is larger than {MAX_BYTES >> 10} kB; give a list of stages")
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError, RecursionError) as error:
        raise GameError(f"curriculum {path} cannot be read ({type(error).__name__}); give a file of stages") from None
    stages = document.get("stages") if isinstance(document, dict) else None
    if not isinstance(stages, dict) or not stages:
        raise GameError(f"curriculum {path} has no stages; it takes `stages:` with NAME: {{share, talk, start_groups}}")
    for name, body in stages.items():
        _check_stage(f"stage {name!r} of curriculum {path}", body)
    return stages


def _check_stage(where: str, body: object) -> None:
    if not isinstance(body, dict) or "share" not in body:
        raise GameError(f"{where} lacks its share of the steps; a stage has the keys {', '.join(sorted(_KEYS))}")
    if unknown := sorted(map(str, set(body) - _KEYS)):
        raise GameError(f"{where} has no key {unknown[0]!r}; keys are {', '.join(sorted(_KEYS))}")
    share = body["share"]
    if not isinstance(share, int | float) or isinstance(share, bool) or not 0 < share < 1e6:
        raise GameError(f"{where}: share is {share!r}; give a number above 0")
    if not isinstance(body.get("talk", True), bool):
        raise GameError(f"{where}: talk is {body['talk']!r}; give true or false")


def _start(where: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
    start = body["start_groups"]
    if not isinstance(start, dict):
        raise GameError(f"start_groups of {where} are {start!r}; give {{group: G, probability: [FIRST, LAST]}}")
    return start


def stage_names(stages: Sequence[CurriculumStage]) -> tuple[str, ...]:
    """Return the names of the stages, in order."""
    return tuple(each.name for each in stages)
