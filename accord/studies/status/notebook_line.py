"""Progress line below a notebook's cell, updated while the study is played."""

from __future__ import annotations

import importlib
from typing import Any, Protocol


class Shows(Protocol):
    """IPython's `display`, which returns a handle with which the shown data can be changed."""

    def __call__(self, data: dict[str, str], *, raw: bool, display_id: bool) -> Any:  # noqa: ANN401 - IPython's handle
        """Show data by MIME type; `update(data, raw=True)` of the returned handle replaces it."""


class CellLine:
    """Line that is displayed once and then updated in place."""

    def __init__(self, display: Shows | None = None) -> None:
        """Use `display` to show the line; None for IPython's."""
        self._display = display
        self._handle: Any = None
        self._text = ""

    def show(self, text: str) -> None:
        """Replace the line's text."""
        if text == self._text:
            return
        self._text, data = text, {"text/plain": text}
        if self._handle is not None:
            self._handle.update(data, raw=True)
            return
        display = self._display or importlib.import_module("IPython.display").display
        self._handle = display(data, raw=True, display_id=True)
