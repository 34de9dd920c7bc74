"""Legibility of the item tree's labels."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any, cast

import matplotlib
import pytest

from accord.analysis.report.drawing import lay_out
from accord.analysis.report.progress.figures import draw_tree
from accord.analysis.report.progress.findings import ProgressFindings, ProgressGroup, ProgressRun
from accord.analysis.report.style import LIGHT, settings
from dilemmas.scenarios.progression.measures import ItemProgress
from dilemmas.scenarios.progression.tree import depths


def reached(of_a_layer: int) -> list[str]:
    """Return `of_a_layer` items of each layer, those with the shortest names, which have the narrowest columns."""
    layers: dict[int, list[str]] = {}
    for item, layer in depths().items():
        layers.setdefault(layer, []).append(item)
    return [
        item for items in layers.values() for item in sorted(items, key=lambda each: (len(each), each))[:of_a_layer]
    ]


@pytest.mark.parametrize("of_a_layer", [1, 30, 45])
def test_heads_of_layers_and_names_of_items_do_not_overlap(of_a_layer: int) -> None:
    progress = ItemProgress(firsts={"Amos": dict.fromkeys(reached(of_a_layer), 1.0)}, until=60.0)
    climb = ProgressRun(cast("Any", SimpleNamespace(seed=0)), progress)
    with matplotlib.rc_context(cast("Any", settings(LIGHT))):
        figure = draw_tree(ProgressFindings((ProgressGroup("full", (climb,)),), by_rule=True), LIGHT)
        lay_out(figure)
        texts = [(text.get_text(), text.get_window_extent()) for text in figure.axes[0].texts]
    heads = [each for each in texts if ": " in each[0]]
    assert len(heads) == len(set(depths().values()))
    assert [(a, b) for (a, one), (b, other) in combinations(heads, 2) if one.overlaps(other)] == []
    rows: dict[int, list[tuple[str, Any]]] = {}
    for name, box in texts:
        rows.setdefault(round(box.y0), []).append((name, box))
    for row in rows.values():
        assert [(a, b) for (a, one), (b, other) in combinations(row, 2) if one.overlaps(other)] == []
