"""Splits of a dataset by seed: all runs of one seed are in one split, so that no split knows another's worlds."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence

from dilemmas.errors import UsageError

WHOLE: Mapping[str, float] = {"train": 1.0}
"""One split for all."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,31}")


def parse_splits(text: str | None) -> Mapping[str, float]:
    """Return split -> share from a text such as `train=0.8,test=0.2`; None for one split. Raises UsageError."""
    if text is None:
        return WHOLE
    found: dict[str, float] = {}
    for each in text.split(","):
        name, _, share = each.partition("=")
        try:
            value = float(share)
        except ValueError:
            value = math.nan
        if not (_NAME.fullmatch(name) and 0 < value <= 1) or name in found:
            raise UsageError(
                f"split: {each!r} is not NAME=SHARE with a share above 0 and up to 1, each name once; "
                "write e.g. --split train=0.8,test=0.2"
            )
        found[name] = value
    if not math.isclose(sum(found.values()), 1, abs_tol=1e-6):
        raise UsageError(f"split: the shares of {text!r} add up to {sum(found.values()):g}; they have to add up to 1")
    return found


def split_of(seed: int, shares: Mapping[str, float]) -> str:
    """Return the split of a seed. It depends on the seed and the shares alone, not on the other runs.

    Args:
        seed: Seed of a run.
        shares: Split -> share of the seeds.
    """
    place = int.from_bytes(hashlib.sha256(f"accord split {seed}".encode()).digest()[:8], "big") / 2**64
    for name, share in shares.items():
        if place < share:
            return name
        place -= share
    return list(shares)[-1]


def check_splits(seeds: Sequence[int], shares: Mapping[str, float]) -> None:
    """Raise UsageError if a split would get no run."""
    for name in shares:
        if all(split_of(seed, shares) != name for seed in seeds):
            raise UsageError(
                f"split: none of the {len(set(seeds))} seeds falls into {name!r}; play more seeds, or raise its share"
            )
