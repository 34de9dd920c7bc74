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
    measures: Mapping[str, Mapping[str, tuple[float, float | None]]] = field(default_factory=dict)
    """Measure of `report.published_measures` -> condition -> value, and its spread if the paper prints one."""


SOURCE = "Yocum et al., Mitigating Generative Agent Social Dilemmas, Table 1: 5 runs with gpt-4-0613"

COMMONS = "Mosquera et al., Can LLM-augmented autonomous agents cooperate?, 10 runs with gpt-3.5 and gpt-4"


def _costs(**conditions: tuple[float, float, float, float]) -> Mapping[str, Mapping[str, tuple[float, float]]]:
    """Return the published costs of conditions, each given as (dollars, spread, minutes, spread) from table G2."""
    names = {name.replace("_", "-"): values for name, values in conditions.items()}
    return {
        "dollars": {name: values[:2] for name, values in names.items()},
        "minutes": {name: values[2:] for name, values in names.items()},
    }


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
    "commons-harvest": PublishedFigures(
        source=f"{COMMONS}, table G2",
        measures=_costs(
            none=(8.57, 0.93, 151.18, 17.04),
            cooperative=(7.00, 1.58, 119.50, 26.78),
            cooperative_defined=(15.63, 5.69, 212.60, 65.14),
            selfish=(8.60, 1.84, 127.63, 26.57),
            selfish_defined=(9.73, 1.59, 417.50, 65.57),
        ),
    ),
    "commons-harvest-single-tree": PublishedFigures(
        source=f"{COMMONS}, table G2",
        measures=_costs(
            none=(0.78, 0.28, 16.41, 6.94), cooperative=(0.78, 0.17, 13.93, 2.99), selfish=(0.83, 0.30, 13.72, 4.38)
        ),
    ),
    "commons-harvest-bots": PublishedFigures(
        source=f"{COMMONS}, table G2", measures=_costs(none=(1.88, 0.66, 27.86, 11.83))
    ),
    "commons-harvest-known-selfish": PublishedFigures(
        source=f"{COMMONS}, section 6.3 and table G2",
        measures={"share_of_hits_on_pedro": {"none": (0.86, None)}, **_costs(none=(10.05, 0.88, 151.93, 10.56))},
    ),
}
"""Scenario -> published results. 78 = 12 raw iron at 4 for Gizmo + 6 diamonds at 5 for Glitch."""
