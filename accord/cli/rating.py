"""Ratings of finished records for `accord report --rater`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from accord.analysis.ratings import Rater, Subject
from accord.analysis.report.reader import find_runs
from accord.analysis.report.text import dollars
from accord.cli import option_values
from accord.cli.error_handling import say
from accord.studies.option_groups import SeatingOptions
from accord.studies.relabelling import OPTIONS, RaterUse, rate_records, raters_of
from dilemmas.errors import UsageError
from voyager_agents.errors import AgentError


def rate_runs(
    paths: Sequence[Path],
    models: Sequence[str],
    seeds: int,
    given: Mapping[str, Any],
    max_usd: Sequence[str] | None,
    of: Subject = "lives",
) -> tuple[Rater, ...]:
    """Rate all runs at or below the paths, print the cost to standard error, and return the raters.

    Args:
        paths: Directories of runs, or directories above them.
        models: Specs of the models.
        seeds: Number of seeds of each model.
        given: Endpoints, keys, sampling, prompts and prices, as fields of the options of models.
        max_usd: Values of `--max-usd`.
        of: What they read: lives or words.

    Raises:
        UsageError: A value is not legal, or a model cannot be used.
        RecordError: A record cannot be read.
    """
    raters = raters_of(models, seeds, of)
    caps = option_values.budget_caps(usd=max_usd)
    try:
        asyncio.run(rate_records(find_runs(paths), raters, SeatingOptions(**given), caps, _say_use))
    except AgentError as error:
        raise UsageError(f"{OPTIONS[of]}: {error}") from None
    return raters


def answered_by(answered: Mapping[str, int]) -> str:
    """Return which models of a cascade answered, to end a line about its use; empty without a cascade."""
    return "".join(f"; answers by {name}: {count}" for name, count in answered.items())


def _say_use(use: RaterUse) -> None:
    price = "price unknown" if use.usd is None else dollars(use.usd)
    made = f"{use.rater.name}: records rated: {use.rated}, rated before: {use.kept}"
    say(f"{made}; {use.calls} calls, {use.tokens} tokens, {price}{answered_by(use.answered)}", prefix="")
