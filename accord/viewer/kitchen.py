"""Event handlers for kitchens: soups served."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.viewer.scene_builder import SceneBuilder


def soup(data: Mapping[str, Any], builder: SceneBuilder) -> None:
    """Handle soups that the guests took."""
    builder.add_mark("soup", f"{data['count']} served, {data['total']} in all")
