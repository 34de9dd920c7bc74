"""A line below a notebook's cell that says how far a study is, and changes while it is played."""

from __future__ import annotations

import importlib
from typing import Any, Protocol


class Shows(Protocol):
    """IPython's `display`, and what it gives for a display that can be changed."""

    def __call__(self, data: dict[str, str], *, raw: bool, display_id: bool) -> Any:  # noqa: ANN401 - IPython's handle
        """Show the data of these MIME types; the answer's `update(data, raw=True)` shows others in its place."""


class CellLine:
    """One line; it takes no more room however often it changes."""

    def __init__(self, display: Shows | None = None) -> None:
        """`display` is IPython's where nothing else is given; it is there wherever a notebook is."""
        self._display = display
        self._handle: Any = None
        self._text = ""

    def show(self, text: str) -> None:
        """Put this text in the line's place."""
        if text == self._text:
            return
        self._text, data = text, {"text/plain": text}
        if self._handle is not None:
            self._handle.update(data, raw=True)
            return
        display = self._display or importlib.import_module("IPython.display").display
        self._handle = display(data, raw=True, display_id=True)
