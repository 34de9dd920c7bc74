"""Estimate of the model calls, tokens and dollars of an atlas before it starts.

Each meeting is estimated in each form of presentation on the first game, whose prompts are as long as those of the
others up to the names of options, and counted for all games and seeds.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from accord.analysis.atlas import Presentation
from accord.studies.atlas import AtlasMeeting, AtlasPlan, file_data, point
from accord.studies.atlas_stories import STORY_TRIES
from accord.studies.estimate import estimate, plain
from accord.studies.savings import Expected
from accord.studies.settings import StudySettings
from accord.studies.tournament import write_game
from dilemmas.errors import UsageError
from voyager_agents import ModelError, load_prices
from voyager_agents.asking import Asker
from voyager_agents.cost import CallCost, Sizing, corrected
from voyager_agents.registry import role_names
from voyager_agents.stage_games.written_stories import STORY, write_story

STORY_TOKENS = 300
"""Typical number of tokens in a story's answer."""


async def expect_atlas(plan: AtlasPlan) -> dict[str, Any]:
    """Return the estimate of an atlas as plain data, with prices (`accord.studies.estimate.plain`).

    Raises:
        UsageError: No model would be asked, or the settings are not legal.
    """
    if not plan.writer and not any(each.asks for each in plan.meetings):
        raise UsageError("no model would be asked: strategies cost nothing; name openai/NAME among --agents")
    try:
        prices = load_prices(plan.settings.get("prices"))
    except ModelError as error:
        raise UsageError(str(error)) from None
    found: dict[tuple[str, str], Expected] = {}
    with TemporaryDirectory() as folder:
        for settings, count in _samples(plan, Path(folder)):
            for each in await estimate(settings):
                asked = each.role, each.model
                before = found.setdefault(asked, Expected(*asked, CallCost(), CallCost()))
                least, most = each.least.times(count), each.most.times(count)
                found[asked] = replace(before, least=before.least.plus(least), most=before.most.plus(most))
    order = role_names()
    expected = sorted(found.values(), key=lambda each: order.index(each.role))
    return plain([*expected, *(await _stories(plan))], prices)


async def _stories(plan: AtlasPlan) -> list[Expected]:
    """Return the estimate of the stories that a model writes; empty without any."""
    if not plan.writer:
        return []
    sizing = Sizing("", STORY_TOKENS)
    await write_story(plan.chosen[0], Asker(sizing, STORY, tries=1))
    once, count = sizing.asked[0], len(plan.chosen)
    return [Expected(STORY, plan.writer, once.times(count), corrected(once, STORY_TRIES).times(count))]


def _samples(plan: AtlasPlan, folder: Path) -> Iterator[tuple[StudySettings, int]]:
    """Yield the settings of one game for each meeting and form, with the number of games like it."""
    players = tuple(plan.game().spec.players)
    forms: dict[Presentation, int] = {}
    for each in plan.presentations:
        alike = Presentation(min(each.labels, 1), each.story)
        forms[alike] = forms.get(alike, 0) + 1
    for number, (form, count) in enumerate(forms.items()):
        file = write_game(file_data(plan, plan.chosen[0], form), folder / f"form-{number}.yaml")
        for meeting in plan.meetings:
            if meeting.asks:
                yield _settings(plan, meeting, players, file), count * len(plan.chosen) * plan.seeds


def _settings(plan: AtlasPlan, meeting: AtlasMeeting, players: tuple[str, ...], file: Path) -> StudySettings:
    """Return the settings of one game of a meeting."""
    given: dict[str, Any] = dict(plan.settings)
    for key, value in point(plan, meeting, players).items():
        name, dot, rest = key.partition(".")
        if dot:
            given[name] = {**(given.get(name) or {}), rest: value}
        else:
            given[name] = value
    return StudySettings(str(file), ("none",), world=plan.played_in, **given)
