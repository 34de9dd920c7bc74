"""Sight of the models of a study: options, checks before the start, and pictures for estimates."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from accord.studies.models import model_for
from bridge.worlds import WORLDS, capabilities
from dilemmas.errors import UsageError
from dilemmas.modes.eyes import Eyes, SightOptions, can_be_seen, imagined_view
from voyager_agents.eyes import View
from voyager_agents.models.images import is_blind
from voyager_agents.models.vision_support import NO_IMAGES
from voyager_agents.registry import FAMILIES

if TYPE_CHECKING:
    from accord.studies.fitting import Assignment
    from accord.studies.option_groups import ModelOptions, WorldOptions
    from dilemmas.records.record import RunRecord
    from dilemmas.scenarios.base import Scenario

SEEING = ("see", "see_size", "see_detail")
"""Options of what models see."""
_SIZE = re.compile(r"(\d{1,5})x(\d{1,5})")
MIN_SIDE, MAX_SIDE, MAX_PIXELS = 16, 2048, 1920 * 1080
"""Legal sides and number of pixels of a picture (engine/view)."""


def sight_options(settings: ModelOptions) -> SightOptions:
    """Return what the models of a study are shown. Raises UsageError for an illegal size."""
    found = _SIZE.fullmatch(settings.see_size)
    width, height = map(int, found.groups()) if found else (0, 0)
    legal = all(MIN_SIDE <= side <= MAX_SIDE for side in (width, height)) and width * height <= MAX_PIXELS
    if not legal:
        raise UsageError(
            f"see size: {settings.see_size!r} is not legal; give e.g. 512x288: {MIN_SIDE} to {MAX_SIDE} pixels a side, "
            "at most 1920x1080 in all"
        )
    return SightOptions(settings.see, width, height, settings.see_detail)


def seers(settings: ModelOptions, places: Mapping[str, Assignment]) -> dict[str, dict[str, str]]:
    """Return player -> role that sees -> spec of its model; empty if models get words alone."""
    if settings.see == "words":
        return {}
    found = {
        player: {
            role: spec
            for role in FAMILIES[place.family].sees
            if (spec := model_for(settings, player, role)) is not None
        }
        for player, place in places.items()
    }
    return {player: roles for player, roles in found.items() if roles}


def eyes_of(settings: ModelOptions, places: Mapping[str, Assignment], record: RunRecord) -> Eyes:
    """Return the pictures of a run."""
    return Eyes(sight_options(settings), seers(settings, places), record)


async def imagined_look(
    settings: ModelOptions, player: str, place: Assignment, role: str, *, plan: str | None = None
) -> Sequence[View]:
    """Return the pictures of a role's question for an estimate, without content.

    Args:
        settings: Options of the study's models.
        player: Name of the player.
        place: Family and kind of its agent.
        role: Role that asks.
        plan: Caption of the picture of a plan that the player is shown too, or None.
    """
    spec = seers(settings, {player: place}).get(player, {}).get(role)
    if spec is None:
        return ()
    view = imagined_view(sight_options(settings), player, spec)
    return (view,) if plan is None else (view, replace(view, caption=plan))


def imagined_tokens(
    settings: ModelOptions, player: str, place: Assignment, role: str, *, plan: str | None = None
) -> int:
    """Return the estimated tokens of the pictures of a role's question.

    The arguments `settings`, `player`, `place`, `role` and `plan` are those of `imagined_look`.
    """
    one = Eyes(sight_options(settings), seers(settings, {player: place})).tokens(player, role)
    return one if plan is None else one * 2


def check_sight(
    settings: ModelOptions, world: WorldOptions, scenario: Scenario, places: Mapping[str, Assignment]
) -> None:
    """Check that there is something to see, a model that sees it, and none that cannot. Raises UsageError.

    Args:
        settings: Options of the study's models.
        world: World of the study.
        scenario: The scenario.
        places: Player -> family and kind of its agent.
    """
    if settings.see == "words":
        return
    found = seers(settings, places)
    if not found:
        able = ", ".join(name for name, family in FAMILIES.items() if family.sees)
        raise UsageError(
            f"see: no player's model looks at pictures; leave out --see, or give --model and one of {able}"
        )
    for player, roles in found.items():
        for role, spec in roles.items():
            if is_blind(spec):
                raise UsageError(f"see: model {spec} of {player}'s {role} takes no images: {NO_IMAGES}")
    if "grid-game" in scenario.abilities:
        return
    if world.world in WORLDS and not can_be_seen(capabilities(world.world)):
        raise UsageError(
            f"see: the world {world.world} takes no pictures; leave out --see, or choose --world embedded or mock"
        )
