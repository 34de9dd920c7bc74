"""Information that two series share: none on average if they are independent, and what they share if they are not."""

from __future__ import annotations

import random
from statistics import fmean

import pytest

from accord.analysis.words.information import SharedInformation, shared_information


def shared(seed: int, copied: float, rounds: int = 120, strata: int = 24) -> SharedInformation:
    """Return what two series of coins share, one of which copies the other in a share of the rounds."""
    draw = random.Random(seed)
    given = [draw.randrange(strata) for _ in range(rounds)]
    first = [draw.randrange(2) for _ in range(rounds)]
    second = [each if draw.random() < copied else draw.randrange(2) for each in first]
    return shared_information(first, second, given, seed)


def test_independent_series_share_nothing_on_average_however_small_the_strata() -> None:
    found = [shared(seed, 0) for seed in range(60)]
    corrected = [each.corrected for each in found if each.corrected is not None]
    assert len(corrected) == 60
    assert fmean(each.plain for each in found) > 0.1, "the plug-in estimate is too high"
    assert abs(fmean(corrected)) < 0.01
    assert min(corrected) < 0 < max(corrected), "nothing is cut off, which would lift the mean"


def test_copies_share_what_a_coin_holds() -> None:
    plain = shared(0, 1, rounds=2000, strata=2)
    assert plain.corrected == pytest.approx(1, abs=0.02)
    assert plain.p is not None
    assert plain.p < 0.01
    less = shared(0, 0.5, rounds=2000, strata=2)
    assert less.corrected == pytest.approx(0.19, abs=0.03), "1 bit less the entropy of a quarter"


def test_too_few_rounds_tell_nothing() -> None:
    found = shared(0, 1, rounds=20)
    assert found.corrected is found.p is None
    assert not found.enough
