"""An embedding without model, network or files: hashed words and pieces of words, from scikit-learn.

The same text gives the same vector on every machine. It knows likeness of words, not of meaning: "ore" is near "ores"
and "iron ore", not near "rock".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer

from voyager_agents.index.base import Vectors

HALF = 512
"""Numbers for the words and as many for their pieces."""
PIECES = 0.5
"""Weight of the pieces beside the words."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|_")


class HashingEmbedding:
    """Words and pairs of words in one half of the vector, pieces of 3 to 5 letters in the other."""

    model = "hashing/words-pieces-1"
    dimension = 2 * HALF

    def __init__(self) -> None:
        # Signs alternate by hash: where two words fall on one number they do not add up to a likeness.
        shared = {"n_features": HALF, "alternate_sign": True, "norm": "l2", "dtype": np.float64}
        self._words = HashingVectorizer(analyzer="word", ngram_range=(1, 2), stop_words="english", **shared)
        self._pieces = HashingVectorizer(analyzer="char_wb", ngram_range=(3, 5), **shared)

    async def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one vector per text; a text without a letter is like no other text."""
        plain = [_HUMP.sub(" ", text) for text in texts]
        halves = [self._words.transform(plain).toarray(), PIECES * self._pieces.transform(plain).toarray()]
        vectors = np.concatenate(halves, axis=1)
        vectors[~vectors.any(axis=1), 0] = 1.0
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), dtype=np.float32)

    async def close(self) -> None:
        """Hold nothing."""
