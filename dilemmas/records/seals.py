"""Seals: how a record that was made here, by this user, is told from one that came from elsewhere.

A record names endpoints, files and plugins. In one that was received, or changed, somebody else may have written those
names. So the file that holds them ends with a seal: a keyed hash of its text. The key never leaves this user's state
folder, and a record without a valid seal decides nothing about this machine (`accord.studies.received`).
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
"""Begins the last line of a sealed YAML file, which is a comment to YAML."""


def seal_of(kind: str, *texts: str) -> str:
    """Return the seal of these texts as hexadecimal digits; empty where this user has no folder for a key."""
    key = _key()
    if key is None:
        return ""
    whole = hmac.new(key, digestmod=hashlib.sha256)
    for text in (kind, *texts):
        data = text.encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "big") + data)
    return whole.hexdigest()


def is_sealed(seal: object, kind: str, *texts: str) -> bool:
    """Return whether this user's key made that seal of these texts."""
    made = seal_of(kind, *texts)
    return bool(made) and isinstance(seal, str) and hmac.compare_digest(made.encode(), seal.encode())


def sealed_yaml(text: str, kind: str, *more: str) -> str:
    """Return a YAML text with its seal as a comment at its end; `more` are texts of other files that it vouches for."""
    text = text if text.endswith("\n") else f"{text}\n"
    seal = seal_of(kind, text, *more)
    return f"{text}{_MARK}{seal}\n" if seal else text


def is_sealed_yaml(text: str, kind: str, *more: str) -> bool:
    """Return whether a YAML text ends with a valid seal, of it and of `more`."""
    body, mark, seal = text.rpartition(_MARK)
    return bool(mark) and is_sealed(seal.removesuffix("\n"), kind, body, *more)


def _key() -> bytes | None:
    # Not at the top: reading records needs no state folder.
    from bridge.servers.registry import state_folder

    try:
        return _kept_key(state_folder())
    except PrerequisiteError:
        return None


@cache
def _kept_key(folder: Path) -> bytes | None:
    """Return this user's key, made where there is none; None where it can neither be read nor made."""
    path = folder / KEY
    with contextlib.suppress(OSError):
        if not path.exists():
            _make_key(path)
        key = read_bytes(path, _BYTES)
        return key if len(key) == _BYTES else None
    return None


def _make_key(path: Path) -> None:
    """Write a new key, whole from the moment at which it is there. Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    handle, name = tempfile.mkstemp(prefix=f".{KEY}.", dir=path.parent)
    try:
        with open(handle, "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
        # Of several processes at once the first one's key stays; a folder without links takes the last one's.
        with contextlib.suppress(FileExistsError):
            try:
                os.link(name, path)
            except PermissionError:
                os.replace(name, path)
    finally:
        Path(name).unlink(missing_ok=True)
