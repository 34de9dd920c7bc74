"""Embedding without a model, network or files: hashed words and character n-grams from scikit-learn.

The same text gives the same vector on every machine. Similarity is lexical, not semantic: "ore" is near "ores" and
"iron ore", but not near "rock".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import sklearn
from numpy.typing import NDArray
from sklearn.feature_extraction.text import HashingVectorizer

from voyager_agents.index.base import Vectors

HALF = 512
"""Dimensions for words, and as many for character n-grams."""
PIECES = 0.5
"""Weight of the n-grams relative to the words."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")


class HashingEmbedding:
    """Words and word pairs in one half of the vector, character n-grams of length 3 to 5 in the other."""

    model = "hashing/words-pieces-1"
    dimension = 2 * HALF

    def __init__(self) -> None:
        # Signs alternate by hash, so that words with colliding hashes do not look similar.
        shared = {"n_features": HALF, "alternate_sign": True, "norm": None, "dtype": np.float64}
        self._words = HashingVectorizer(analyzer="word", ngram_range=(1, 2), stop_words="english", **shared)
        self._pieces = HashingVectorizer(analyzer="char_wb", ngram_range=(3, 5), **shared)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text. A text without letters is similar to no other text."""
        plain = [_HUMP.sub(" ", text) for text in texts]
        # A fifth of the time of a short text would go into checks of the vectorizers' own parameters.
        with sklearn.config_context(skip_parameter_validation=True):
            words, pieces = (each.transform(plain).toarray() for each in (self._words, self._pieces))
        halves = [_unit_rows(words), PIECES * _unit_rows(pieces)]
        vectors = np.concatenate(halves, axis=1)
        vectors[~vectors.any(axis=1), 0] = 1.0
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)

    async def close(self) -> None:
        """Do nothing; the embedding holds no resources."""


def _unit_rows(counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the rows at length 1, and those without counts as they are.

    Squares of counts are whole numbers, so that every machine finds the same length, and scikit-learn's own
    normalization as well; that one takes twice as long for a single row.
    """
    lengths = np.sqrt(np.square(counts).sum(axis=1, keepdims=True))
    return counts / np.where(lengths == 0, 1.0, lengths)
