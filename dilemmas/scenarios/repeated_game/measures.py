"""What is measured in a repeated game, from the events of the last episode alone."""
from __future__ import annotations
from collections.abc import Iterable
from dilemmas.records.events import Line


def measures(lines: Iterable[Line]) -> dict[str, dict[str, float]]:
    """Later."""
    return {}
