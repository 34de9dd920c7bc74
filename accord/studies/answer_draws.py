"""Names of random draws: what a run's answers at a temperature above 0 belong to in the cache of answers.

Two runs that differ in anything that is played must not share random answers, or their results would depend on each
other unnoticed: the same prompt in two games of a tournament, or at two points of a sweep, is two draws. A study that
is repeated, or continued with more runs, asks for the same draws.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields

from accord.studies.limit_options import LimitOptions
from accord.studies.option_groups import GameOptions, PlanOptions, SeatingOptions, WorldOptions
from accord.studies.settings import plain_value
from dilemmas.scenarios.base import Scenario

NOT_PLAYED = frozenset(
    {
        "runs", "jobs", "seed", "vary", "invalid", "port", "human_wait_s", "budget", "max_unreadable", "prices",
        "cache", "batch", "base_url", "base_urls", "api_key_file", "api_key_files",
    }
)  # fmt: skip
"""Options that change nothing in a run, or that an answer's address has apart: the seed, and each model's endpoint."""
PLAYED = tuple(
    each.name
    for group in (PlanOptions, WorldOptions, SeatingOptions, LimitOptions, GameOptions)
    for each in fields(group)
    if each.name not in NOT_PLAYED
)
"""Options of which each value is played differently."""


def draw_of(settings: SeatingOptions, scenario: Scenario, run: tuple[str, int]) -> tuple[str | int, ...]:
    """Return the name of a run's random draws: equal for a run that is repeated, and for no other run.

    Args:
        settings: Settings of the run.
        scenario: The scenario, as it is played.
        run: Condition and seed.
    """
    played = {name: plain_value(getattr(settings, name)) for name in PLAYED if hasattr(settings, name)}
    told = json.dumps([scenario.spec.resolved(), played], sort_keys=True, default=str)
    return (scenario.spec.name, *run, hashlib.sha256(told.encode()).hexdigest()[:16])
