"""Deduplicated prompts: text that recurs in many prompts, such as a game's rules, is stored once under its hash.

A message of a call is `{"role", "content"}`, or `{"role", "parts": [...]}`, with the fields of tools if it has any. In
`parts`, a list with one hash refers to a stored part, and a string stands for itself. `parts.jsonl` beside
`calls.jsonl` has one `{"part": hash, "text"}` per line, always before the first call that refers to it. A text is
stored when it occurs for the second time; a text that occurs once stays in its call.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

from common.plain_files import MAX_LINE, open_plain, plain_lines
from common.text import read_json

PARTS = "parts.jsonl"
MIN_PART = 80
"""Minimum characters of a part; a reference takes 38."""
MAX_SEEN = 200_000
"""Number of texts remembered as seen, in each of two generations."""
MAX_KNOWN = 16 << 20
"""Characters of parts remembered as written, in each of two generations."""
MAX_HELD = 8 << 20
"""Characters of parts that a reader caches."""
MAX_WHOLE = 64 << 20
"""Maximum characters of a reassembled message."""
PART_HEAD = re.compile(rb'\{"part": "([0-9a-f]{32})"')
"""Start of a line in parts.jsonl."""
K = TypeVar("K")


def part_hash(text: str) -> str:
    """Return the hash that names a part."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def pieces(text: str) -> list[str]:
    """Split text around long lines and after empty lines, so that editing one piece leaves the others unchanged."""
    found: list[str] = []
    short: list[str] = []
    *lines, last = text.split("\n")
    for line in lines:
        if len(line) >= MIN_PART:
            if short:
                found.append("".join(short))
                short = []
            found.append(f"{line}\n")
        else:
            short.append(f"{line}\n")
            if not line:
                found.append("".join(short))
                short = []
    if len(last) > MIN_PART:
        return [*found, "".join(short), last] if short else [*found, last]
    return [*found, "".join([*short, last])]


class _Recent(Generic[K]):
    """Cache of two generations: when the younger is full, it replaces the older."""

    def __init__(self, most: int) -> None:
        self._most = most
        self.young: dict[K, str] = {}
        """The younger generation; hot paths look here before they call `get`."""
        self._old: dict[K, str] = {}
        self._size = 0

    def get(self, key: K) -> str | None:
        found = self.young.get(key)
        if found is None and (found := self._old.get(key)) is not None:
            self.put(key, found, len(key) if isinstance(key, str) else 1)
        return found

    def put(self, key: K, value: str, size: int) -> None:
        if self._size >= self._most:
            self._old, self.young, self._size = self.young, {}, 0
        self.young[key] = value
        self._size += size


class PartsWriter:
    """Replaces recurring parts of prompts by references. Its memory is bounded; forgotten parts are written again."""

    def __init__(self) -> None:
        self._seen: _Recent[int] = _Recent(MAX_SEEN)
        """Salted hashes of this process, which an adversary cannot predict."""
        self._known: _Recent[str] = _Recent(MAX_KNOWN)

    def packed(self, entry: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
        """Return an entry of calls.jsonl with references, and the lines of parts.jsonl that must precede it."""
        new: list[str] = []
        messages = [self._message(each, new) for each in entry["messages"]]
        return {**entry, "messages": messages}, new

    def _message(self, message: Mapping[str, Any], new: list[str]) -> Mapping[str, Any]:
        text: str = message["content"]
        if len(text) < MIN_PART:
            return message
        if (whole := self._reference(text, new)) is not None:
            return _with_parts(message, [[whole]])
        parts: list[list[str] | str] = []
        for piece in pieces(text):
            name = self._reference(piece, new) if len(piece) >= MIN_PART and piece != text else None
            if name is not None:
                parts.append([name])
            elif parts and isinstance(parts[-1], str):
                parts[-1] += piece
            else:
                parts.append(piece)
        return message if len(parts) == 1 and isinstance(parts[0], str) else _with_parts(message, parts)

    def _reference(self, text: str, new: list[str]) -> str | None:
        """Return the name of a text seen before; None for a new one."""
        # Most lookups end in the younger generation; this runs for every line of every prompt.
        name = self._known.young.get(text) or self._known.get(text)
        if name is None:
            key = hash(text)
            if key not in self._seen.young and self._seen.get(key) is None:
                self._seen.put(key, "", 1)
                return None
            name = part_hash(text)
            self._known.put(text, name, len(text))
            new.append(json.dumps({"part": name, "text": text}, ensure_ascii=False))
        return name


def _with_parts(message: Mapping[str, Any], parts: Sequence[list[str] | str]) -> Mapping[str, Any]:
    """Return the message with these parts instead of its content."""
    return {"role": message["role"], "parts": parts, **_tool_fields(message, "content")}


def _tool_fields(message: Mapping[str, Any], text: str) -> dict[str, Any]:
    """Return the fields of a message besides its role and the field `text`."""
    return {key: value for key, value in message.items() if key not in ("role", text)}


class MessageParts:
    """Stored parts of a run, read on demand while the file may still grow."""

    def __init__(self, path: Path) -> None:
        """Open the run's parts.jsonl at `path`; the file is missing if the run has no references."""
        self._path = path
        self._places: dict[bytes, int] = {}
        """Hash -> offset of its line in bytes."""
        self._read = 0
        """Bytes of the file that are indexed."""
        self._held: dict[str, str] = {}
        self._size = 0

    def whole(self, entry: dict[str, Any]) -> dict[str, Any]:
        """Return an entry of calls.jsonl with reassembled messages. Raises ValueError if a part is missing."""
        messages = entry.get("messages")
        if not isinstance(messages, list) or not any(isinstance(each, dict) and "parts" in each for each in messages):
            return entry
        return {**entry, "messages": [self._whole(each) for each in messages]}

    def _whole(self, message: Any) -> Any:  # noqa: ANN401 - JSON
        if not isinstance(message, dict) or not isinstance(parts := message.get("parts"), list):
            return message
        texts: list[str] = []
        size = 0
        for each in parts:
            texts.append(self._text(each[0]) if isinstance(each, list) and each else str(each))
            size += len(texts[-1])
            if size > MAX_WHOLE:
                # A short line with many references to one long part would otherwise exhaust memory.
                raise ValueError(f"a prompt has more than {MAX_WHOLE >> 20} MB")
        return {"role": message.get("role"), "content": "".join(texts), **_tool_fields(message, "parts")}

    def _text(self, name: str) -> str:
        found = self._held.get(name)
        if found is None:
            found = self._fetch(name)
            if self._size > MAX_HELD:
                self._held, self._size = {}, 0
            self._held[name] = found
            self._size += len(found)
        return found

    def _fetch(self, name: str) -> str:
        key = bytes.fromhex(name)
        try:
            if key not in self._places:
                self._look()
            with open_plain(self._path) as file:
                file.seek(self._places[key])
                return str(read_json(file.readline(MAX_LINE).decode("utf-8"))["text"])
        except (OSError, KeyError, TypeError) as error:
            raise ValueError(f"part {name} of a prompt is not in {self._path} ({type(error).__name__})") from None

    def _look(self) -> None:
        """Index the parts written since the last call."""
        with open_plain(self._path) as file:
            file.seek(self._read)
            for raw in plain_lines(file):
                if not raw.endswith(b"\n"):
                    return
                if (head := PART_HEAD.match(raw)) is not None:
                    self._places[bytes.fromhex(head[1].decode())] = self._read
                self._read += len(raw)
