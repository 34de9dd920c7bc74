"""Pixels of PNG files, for tests of what a picture shows."""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

from common.png import png_size


def pixels(data: bytes) -> NDArray[np.uint8]:
    """Return the pixels of a PNG file of `encode_png`, shape (height, width, 3)."""
    width, height = png_size(data)
    length = int.from_bytes(data[33:37], "big")
    rows = np.frombuffer(zlib.decompress(data[41 : 41 + length]), np.uint8).reshape(height, 1 + width * 3)
    return rows[:, 1:].reshape(height, width, 3)
