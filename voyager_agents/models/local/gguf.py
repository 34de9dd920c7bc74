"""Header of a GGUF file: what a model's memory and context follow from.

The form is that of ggml (`gguf.md` in its docs): magic, version, number of tensors, number of entries, then entries of
key, type and value, in little-endian numbers.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

MAGIC = b"GGUF"
MAX_ENTRIES = 10_000
MAX_TEXT = 1 << 20
"""Maximum bytes of a text that is read."""
_FORMS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""Type of a number -> its form for `struct`."""
_TEXT, _LIST = 8, 9
BYTES_OF_KV = 2
"""Bytes of one number in the cache of keys and values (16-bit floats)."""
COMPUTE_BYTES = 300 << 20
"""Memory of the engine beside weights and cache, measured with SmolLM2 at 8,192 tokens."""
Value = int | float | str | list[int] | None


class BrokenHeader(Exception):
    """A header that does not follow the form."""


@dataclass(frozen=True)
class ModelHeader:
    """Figures of a model from its GGUF file."""

    size: int
    """Bytes of the file."""
    trained_context: int
    """Tokens of context that the model was trained for; 0 if unknown."""
    kv_bytes: int
    """Bytes of cached keys and values for each token of context; 0 if unknown."""

    def memory(self, tokens: int) -> int:
        """Return the approximate memory for a context of this many tokens over all slots, in bytes."""
        return self.size + tokens * self.kv_bytes + COMPUTE_BYTES


def read_header(file: Path) -> ModelHeader | None:
    """Return the figures in the header of a GGUF file; None if it cannot be read: the engine then names the fault."""
    try:
        with file.open("rb") as opened:
            values = _values(opened)
        return _figures(values, file.stat().st_size)
    except (OSError, BrokenHeader, struct.error, UnicodeDecodeError, TypeError):
        return None


def _figures(values: dict[str, Value], size: int) -> ModelHeader:
    kind = values.get("general.architecture")

    def count(name: str, default: int = 0) -> int:
        value = values.get(f"{kind}.{name}", default)
        return max(value, default=0) if isinstance(value, list) else int(value or default)

    heads = count("attention.head_count")
    each = count("embedding_length") // heads if heads else 0
    lengths = count("attention.key_length", each) + count("attention.value_length", each)
    cached = count("block_count") * count("attention.head_count_kv", heads) * lengths * BYTES_OF_KV
    return ModelHeader(size, count("context_length"), cached)


def _values(file: BinaryIO) -> dict[str, Value]:
    """Return the entries before those of the tokenizer, which are long."""
    magic, version, _, entries = struct.unpack("<4sIQQ", file.read(24))
    if magic != MAGIC or version < 2 or entries > MAX_ENTRIES:
        raise BrokenHeader
    found: dict[str, Value] = {}
    for _ in range(entries):
        key = _text(file)
        if key.startswith("tokenizer."):
            break
        found[key] = _value(file, _number(file, "I"))
    return found


def _value(file: BinaryIO, kind: int) -> Value:
    if kind == _TEXT:
        return _text(file)
    if kind == _LIST:
        of, length = struct.unpack("<IQ", file.read(12))
        if length > MAX_ENTRIES:
            raise BrokenHeader
        items = [_value(file, of) for _ in range(length)]
        return [each for each in items if isinstance(each, int)]
    if kind not in _FORMS:
        raise BrokenHeader
    return _number(file, _FORMS[kind])


def _text(file: BinaryIO) -> str:
    length = _number(file, "Q")
    if length > MAX_TEXT:
        raise BrokenHeader
    return file.read(length).decode()


def _number(file: BinaryIO, form: str) -> int:
    value: int = struct.unpack(f"<{form}", file.read(struct.calcsize(f"<{form}")))[0]
    return value
