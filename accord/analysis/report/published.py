"""Published results that the report shows beside its own, each with its source. Data only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class PublishedFigures:
    """Published results on a scenario."""

    source: str = ""
    prices: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Player -> item -> emeralds for which the results hold; empty for any."""
    optimum: float | None = None
    """Largest possible welfare, in emeralds."""
    gini: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Condition -> sample-corrected Gini coefficient, mean and spread as printed."""


SOURCE = "Yocum et al., Mitigating Generative Agent Social Dilemmas, Table 1: 5 runs with gpt-4-0613"

PUBLISHED: Mapping[str, PublishedFigures] = {
    "double-vein": PublishedFigures(
        source=SOURCE,
        prices={"Gizmo": {"raw_iron": 4, "diamond": 4}, "Glitch": {"raw_iron": 3, "diamond": 5}},
        optimum=78.0,
        gini={"none": (0.55, 0.14), "contract-1": (0.05, 0.02), "contract-2": (0.0, 0.0)},
    ),
    "cleanup": PublishedFigures(
        source=SOURCE,
        gini={"none": (0.66, 0.15), "contract-1": (0.10, 0.0), "contract-2": (0.0, 0.0)},
    ),
}
"""Scenario -> published results. 78 = 12 raw iron at 4 for Gizmo + 6 diamonds at 5 for Glitch."""
