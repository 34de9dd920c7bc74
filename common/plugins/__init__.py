"""What others add to Accord: packages found by their entry points, or in a folder that is named (`--plugin PATH`).

Nothing here knows a dilemma: a room asks for the entries of its group by a `Table`.
"""

from __future__ import annotations

from common.plugins.found import Entry, Plugin, active, add, entries, forget, look_at, plugins_used
from common.plugins.table import Table

__all__ = ["Entry", "Plugin", "Table", "active", "add", "entries", "forget", "look_at", "plugins_used"]
