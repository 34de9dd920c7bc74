"""Seals that distinguish this user's records from received or modified ones.

A record names endpoints, files and plugins, and a received one may name anything. The file with these names therefore
ends with a seal: a keyed hash of its text. The key never leaves this user's state folder, and a record without a valid
seal has no influence on this machine (`accord.studies.received`).
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
import tempfile
from functools import cache
from pathlib import Path

from common.errors import PrerequisiteError
from common.plain_files import read_bytes

KEY = "seal.key"
_BYTES = 32
_MARK = "# made here: "
"""Prefix of the last line of a sealed YAML file, which YAML reads as a comment."""


def seal_of(kind: str, *texts: str) -> str:
    """Return the seal of the texts as hexadecimal digits; empty if this user has no state folder for a key."""
    key = _key()
    if key is None:
        return ""
    whole = hmac.new(key, digestmod=hashlib.sha256)
    for text in (kind, *texts):
        data = text.encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()


def is_sealed(seal: object, kind: str, *texts: str) -> bool:
    """Return True if `seal` was made with this user's key for these texts."""
    made = seal_of(kind, *texts)
    return bool(made) and isinstance(seal, str) and hmac.compare_digest(made.encode(), seal.encode())


def sealed_yaml(text: str, kind: str, *more: str) -> str:
    """Return a YAML text with its seal as a final comment; `more` are texts of other files covered by the seal."""
    text = text if text.endswith("\n") else f"{text}\n"
    seal = seal_of(kind, text, *more)
    return f"{text}{_MARK}{seal}\n" if seal else text


def is_sealed_yaml(text: str, kind: str, *more: str) -> bool:
    """Return True if a YAML text ends with a valid seal of itself and `more`."""
    body, mark, seal = text.rpartition(_MARK)
    return bool(mark) and is_sealed(seal.removesuffix("\n"), kind, body, *more)


def _key() -> bytes | None:
    # Imported here because reading records needs no state folder.
    from bridge.servers.registry import state_folder

    try:
        return _kept_key(state_folder())
    except PrerequisiteError:
        return None


@cache
def _kept_key(folder: Path) -> bytes | None:
    """Return this user's key, created on first use; None if it can be neither read nor created."""
    path = folder / KEY
    with contextlib.suppress(OSError):
        if not path.exists():
            _make_key(path)
        key = read_bytes(path, _BYTES)
        return key if len(key) == _BYTES else None
    return None


def _make_key(path: Path) -> None:
    """Write a new key atomically. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(prefix=f".{KEY}.", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
        # Of concurrent processes the first one's key stays; in a folder without hard links, the last one's.
        with contextlib.suppress(FileExistsError):
            try:
                os.link(name, path)
            except PermissionError:
                os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)
