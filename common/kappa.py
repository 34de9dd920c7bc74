"""Cohen's kappa: agreement of two raters beyond chance."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence


def cohen_kappa(pairs: Sequence[tuple[Hashable, Hashable]]) -> float | None:
    """Return the kappa of two raters' categories (Cohen 1960).

    Args:
        pairs: (first rater's label, second rater's label) of each item.

    Returns:
        The kappa, or None if it is undefined: without items, or if both raters gave one and the same label to all.
    """
    if not pairs:
        return None
    first, second = Counter(one for one, _ in pairs), Counter(other for _, other in pairs)
    # Whole numbers, so that a kappa of 0 or 1 is exact.
    agreed = len(pairs) * sum(one == other for one, other in pairs)
    expected, most = sum(count * second[label] for label, count in first.items()), len(pairs) ** 2
    return None if expected == most else (agreed - expected) / (most - expected)


def weighted_kappa(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Return the kappa of two raters' scores, with disagreement weighted by its square (Cohen 1968).

    Args:
        pairs: (first rater's score, second rater's score) of each item.

    Returns:
        The kappa, or None as in `cohen_kappa`.
    """
    if len({score for pair in pairs for score in pair}) < 2:
        return None
    n = len(pairs)
    means = [math.fsum(pair[place] for pair in pairs) / n for place in (0, 1)]
    spread = [math.fsum((pair[place] - means[place]) * (pair[place] - means[place]) for pair in pairs) / n
              for place in (0, 1)]  # fmt: skip
    seen = math.fsum((one - other) * (one - other) for one, other in pairs) / n
    # Mean squared difference of a score of the first rater and any score of the second.
    expected = sum(spread) + (means[0] - means[1]) * (means[0] - means[1])
    found = 1 - seen / expected if expected else math.nan
    # Scores of a record that was received may be so large that their squares are infinite.
    return found if math.isfinite(found) else None
