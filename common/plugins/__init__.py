"""What others add to Accord: packages found by their entry points, or in a folder that is named (`--plugin PATH`).

Nothing here knows a dilemma: a room asks for the entries of its group by a `PluginTable`.
"""

from __future__ import annotations

from common.plugins.found import Plugin, PluginEntry, active, add, entries, forget, look_at, plugins_used
from common.plugins.table import PluginTable

__all__ = ["Plugin", "PluginEntry", "PluginTable", "active", "add", "entries", "forget", "look_at", "plugins_used"]
