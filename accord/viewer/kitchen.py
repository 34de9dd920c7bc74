"""Event handlers for kitchens: work of the cooks, and soups served."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from accord.viewer.scene_builder import SceneBuilder
from dilemmas.records.events import WorkDone

Data = Mapping[str, Any]


def work(data: Data, builder: SceneBuilder) -> None:
    """Handle a cook's work."""
    text = WorkDone.model_validate(data).text
    builder.put("decision", data["player"], {
        "doing": text, "why": "", "to": "", "purpose": "", "ref": builder.ref, "at": builder.now,
    })  # fmt: skip


def soup(data: Data, builder: SceneBuilder) -> None:
    """Handle soups that the guests took."""
    builder.add_mark("soup", f"soup {data['total']} served", "")
