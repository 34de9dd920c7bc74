"""Options of budget and limits, one group of a study's options (`accord.studies.option_groups`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated

from accord.studies.option_definitions import COUNT, SECONDS, Bounds, CommandOption
from common.answers.stand_ins import StandIn


@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """Limits of a study and of its runs."""

    budget: Annotated[
        Mapping[str, Mapping[str, float]],
        CommandOption(
            "--max-usd",
            "[NAME=]USD",
            "The most dollars. NAME= for one agent, each= for each; may be repeated.",
            repeated=True,
            more="Limits are for the whole command.",
        ),
        CommandOption("--max-tokens", "[NAME=]N", "The most tokens, likewise.", repeated=True),
        CommandOption("--max-calls", "[NAME=]N", "The most model calls, likewise.", repeated=True),
        CommandOption(
            "--max-wall", "[NAME=]S", "The most seconds for the study, or for one agent's calls.", repeated=True
        ),
    ] = field(default_factory=dict)
    """Measure -> scope -> cap for the whole study. Measures are usd, tokens, calls and wall (seconds); a scope is `all`
    (the sum over agents), `each` (every agent) or the name of an agent."""
    no_progress: Annotated[
        int | None,
        COUNT,
        CommandOption("--no-progress", "K", "Stop a run after K episodes without change."),
    ] = None
    """Number of consecutive episodes without a change of any inventory or reward after which a run stops."""
    time_limit_s: Annotated[
        float | None,
        SECONDS,
        CommandOption("--time-limit", "S", "The most game time for an episode.", "the scenario's"),
    ] = None
    """Maximum game time of an episode in seconds."""
    max_unreadable: Annotated[
        float,
        Bounds(0, 1),
        CommandOption(
            "--max-unreadable",
            "SHARE",
            "Largest share of a player's questions without an answer in a valid run.",
            more="[Invalid runs](results.md#invalid-runs).",
        ),
    ] = 0.1
    """Maximum share of a player's questions without a usable answer; a run above it is invalid."""
    on_unreadable: Annotated[
        StandIn | None,
        CommandOption(
            "--on-unreadable",
            "WHAT",
            "What a player without a usable answer does: idle, last, random or reference.",
            "random in repeated games, else idle",
            more="[More](models.md#without-a-usable-answer).",
        ),
    ] = None
    """Stand-in for a player without a usable answer (`common.answers.stand_ins`)."""
