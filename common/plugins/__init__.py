"""Plugins: packages found by their entry points or in a folder given by `--plugin PATH`.

Each package of Accord reads the entries of its group through a `PluginTable`.
"""

from __future__ import annotations

from common.plugins.found import Plugin, PluginEntry, active, add, entries, forget, look_at, plugins_used
from common.plugins.table import PluginTable

__all__ = ["Plugin", "PluginEntry", "PluginTable", "active", "add", "entries", "forget", "look_at", "plugins_used"]
