"""Conditional mutual information of two discrete series given a third, corrected for chance, and its test.

Test: permutations of one series within the strata of the third; its null is that the two series are independent given
the strata, and that the values of a stratum are exchangeable. The p-value counts the observed order among the permuted
ones (Phipson and Smyth 2010). Estimator: plug-in entropies, less their mean over the permutations (as in the adjusted
mutual information of Vinh, Epps and Bailey 2010, JMLR 11: 2837-2854), which is 0 on average under the null. Small
strata make the plug-in estimate too high, and the jackknife does not help there.

One series has no interval: its observations depend on each other.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]

PERMUTATIONS, FIRST = 999, 199
"""Number of permutations of a single test, and of those after which a p-value above `CLEAR` is final."""
CLEAR = 0.1
MIN_INFORMATIVE = 30
"""Minimum number of observations in strata where both series vary. Below it nothing is tested."""


@dataclass(frozen=True)
class SharedInformation:
    """Conditional mutual information of two series, in bits for each observation."""

    n: int
    informative: int
    """Number of observations in strata in which both series vary; no other tells anything."""
    plain: float
    """Plug-in estimate, which is too high."""
    corrected: float | None = None
    """`plain` less its mean over permutations, which may be negative; None with too few observations."""
    p: float | None = None
    """p-value of the permutation test; None with too few observations."""

    @property
    def enough(self) -> bool:
        """True if there were enough observations for a test."""
        return self.p is not None


def codes(values: Sequence[Hashable]) -> Codes:
    """Return each value as the number of its first occurrence among the distinct ones."""
    import numpy as np

    known: dict[Hashable, int] = {}
    return np.array([known.setdefault(value, len(known)) for value in values], dtype=np.int64)


def shared_information(
    first: Sequence[Hashable], second: Sequence[Hashable], given: Sequence[Hashable], seed: int = 0, tests: int = 1
) -> SharedInformation:
    """Return the conditional mutual information of two series given a third.

    Args:
        first: Values of the first series.
        second: Values of the second series, at the same moments.
        given: Strata: what explains both.
        seed: Seed of the permutations; equal arguments give equal results.
        tests: Number of tests that the p-value will be corrected for, which needs as many times more permutations.
    """
    import numpy as np

    x, y, z = codes(first), codes(second), codes(given)
    n = len(x)
    if n == 0:
        return SharedInformation(0, 0, 0.0)
    plain = information(x, y, z)
    informative = informative_count(x, y, z)
    if informative < MIN_INFORMATIVE:
        return SharedInformation(n, informative, plain)
    generator = np.random.default_rng(seed)
    p, by_chance = permutation_test(lambda count: Permutations(y, z, generator, count).informations(x), plain, tests)
    return SharedInformation(n, informative, plain, plain - by_chance, p)


def informative_count(x: Codes, y: Codes, z: Codes) -> int:
    """Return the number of observations in strata in which both series vary."""
    import numpy as np

    count = 0
    for stratum in np.unique(z):
        inside = z == stratum
        if len(np.unique(x[inside])) > 1 and len(np.unique(y[inside])) > 1:
            count += int(inside.sum())
    return count


def permutation_test(
    draw: Callable[[int], NDArray[np.float64]], observed: float, tests: int = 1
) -> tuple[float, float]:
    """Return the p-value of a statistic, and its mean over the permutations.

    Clear cases stop early, which leaves p-values below `CLEAR` exact.

    Args:
        draw: Returns the statistic of so many permutations.
        observed: The statistic of the data.
        tests: Number of tests that the p-value will be corrected for.
    """
    at_least, drawn, total, wanted = 1, 0, 0.0, max(PERMUTATIONS, 40 * tests - 1)
    while drawn < wanted:
        count = min(FIRST if drawn == 0 else PERMUTATIONS, wanted - drawn)
        found = draw(count)
        at_least += int((found >= observed - 1e-9).sum())
        total += float(found.sum())
        drawn += count
        if drawn == FIRST and at_least > CLEAR * (FIRST + 1):
            break
    return at_least / (drawn + 1), total / drawn


class Permutations:
    """Permutations of one series within strata, against which any other series can be tested."""

    def __init__(self, y: Codes, z: Codes, generator: np.random.Generator, count: int) -> None:
        """Draw `count` permutations of `y` within the strata `z`."""
        import numpy as np

        self._order = np.argsort(z, kind="stable")
        self._z = z[self._order]
        self._high = int(y.max()) + 1
        # Random keys below 1 shuffle each stratum, and whole numbers keep the strata apart.
        keys = generator.random((count, len(y))) + self._z
        self._y = y[self._order][np.argsort(keys, axis=1)]
        self._yz_entropy = _entropy(z * self._high + y)

    def informations(self, x: Codes) -> NDArray[np.float64]:
        """Return the plug-in estimates of a series and each permutation, in bits."""
        import numpy as np

        n = len(x)
        xz = self._z * (int(x.max()) + 1) + x[self._order]
        _, packed = np.unique(xz, return_inverse=True)
        cells = (int(packed.max()) + 1) * self._high
        rows = np.arange(len(self._y))[:, None] * cells
        joint = packed[None, :] * self._high + self._y + rows
        counts = np.bincount(joint.ravel(), minlength=len(self._y) * cells).reshape(len(self._y), cells)
        entropy = np.log2(n) - (counts * np.log2(np.maximum(counts, 1))).sum(axis=1) / n
        found: NDArray[np.float64] = _entropy(xz) + self._yz_entropy - _entropy(self._z) - entropy
        return found


def information(x: Codes, y: Codes, z: Codes) -> float:
    """Return the plug-in estimate in bits."""
    wide, high = int(x.max()) + 1, int(y.max()) + 1
    xz, yz = z * wide + x, z * high + y
    xyz = xz * high + y
    return max(0.0, _entropy(xz) + _entropy(yz) - _entropy(z) - _entropy(xyz))


def _entropy(values: Codes) -> float:
    import numpy as np

    _, counts = np.unique(values, return_counts=True)
    shares = counts / len(values)
    return float(-(shares * np.log2(shares)).sum())
