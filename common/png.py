"""PNG files with eight bits per channel (W3C, "Portable Network Graphics", third edition)."""

from __future__ import annotations

import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_HEAD = struct.Struct(">II5B")
_CHANNELS = 3


def encode_png(width: int, height: int, pixels: bytes) -> bytes:
    """Return a picture as the bytes of a PNG file.

    Args:
        width: Pixels of a row.
        height: Number of rows.
        pixels: Red, green and blue of each pixel, by rows.

    Raises:
        ValueError: The number of pixels is not that of the size.
    """
    stride = width * _CHANNELS
    if len(pixels) != stride * height:
        raise ValueError(f"{len(pixels)} bytes are no picture of {width} x {height} pixels")
    rows = b"".join(b"\0" + pixels[start : start + stride] for start in range(0, len(pixels), stride))
    head = _HEAD.pack(width, height, 8, 2, 0, 0, 0)
    return SIGNATURE + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows, 6)) + _chunk(b"IEND", b"")


def png_size(data: bytes) -> tuple[int, int]:
    """Return width and height of a PNG file in pixels. Raises ValueError if the bytes are none."""
    if not data.startswith(SIGNATURE) or data[12:16] != b"IHDR" or len(data) < 33:
        raise ValueError("the bytes are no PNG file")
    width, height, *_ = _HEAD.unpack_from(data, 16)
    return width, height


def _chunk(kind: bytes, data: bytes) -> bytes:
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
