"""Cache folders inside this Python installation, for font lists and compiled templates."""

from __future__ import annotations

import os
import sys
from pathlib import Path

MATPLOTLIB_FOLDER = "MPLCONFIGDIR"
"""Environment variable with matplotlib's folder; a user's own choice stays."""


def cache_folder(name: str) -> Path | None:
    """Return the folder `name` for cached files, or None where this Python is no writable virtual environment.

    A report then writes nothing outside its directory and the installation.
    """
    if sys.prefix == sys.base_prefix or not os.access(sys.prefix, os.W_OK):
        return None
    folder = Path(sys.prefix) / "cache" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def use_matplotlib_cache() -> None:
    """Let matplotlib, which reads this when it is imported, keep its list of fonts in a cache folder."""
    if (folder := cache_folder("matplotlib")) is not None:
        os.environ.setdefault(MATPLOTLIB_FOLDER, str(folder))
