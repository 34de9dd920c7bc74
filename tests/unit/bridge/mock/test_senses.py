"""Senses assembled from updates: unchanged parts keep their objects, and lost updates are requested again."""

from __future__ import annotations

from typing import Any

from bridge.mock.senses import MAX_VIEWS, Views
from bridge.types import NearPlayer, Sensed, Senses
from bridge.wire import sensed_of

SENSES = Senses(radius=8)
NAMES = ["Gizmo", "Glitch"]


def whole(name: str, **other: object) -> dict[str, Any]:
    """Return a bot's complete senses, as sent first."""
    said = {
        "name": name, "position": [0.5, -60, 0.5], "yaw": 0, "pitch": 0, "health": 20, "food": 20, "items": {"coal": 1},
        "held": None, "gamemode": "survival", "tick": 5, "players": [], "mobs": [], "drops": [], "blocks": [],
    }  # fmt: skip
    return said | other


def news(number: int, tick: int, *told: object) -> dict[str, Any]:
    return {"number": number, "tick": tick, "told": list(told)}


def test_what_is_not_said_has_not_changed() -> None:
    view = Views().of(SENSES)
    first = view.apply_changes(NAMES, news(1, 5, whole("Gizmo"), whole("Glitch")))
    moved = {"position": [1.5, -60, 0.5], "players": [[7, "Glitch", 0.5, -60, 0.5, 1, "stick"]], "held": "coal"}
    found = view.apply_changes(NAMES, news(2, 10, moved, 0))
    assert first is not None
    assert found == {
        "Gizmo": sensed_of(whole("Gizmo", tick=10, **moved)),
        "Glitch": sensed_of(whole("Glitch")),
    }
    # An unchanged bot is the identical object, which spares readers a comparison.
    assert found["Glitch"] is first["Glitch"]
    assert found["Gizmo"].players == (NearPlayer(7, "Glitch", (0.5, -60, 0.5), 1, "stick"),)
    later = view.apply_changes(NAMES, news(3, 15, 0, 0))
    assert later is not None
    assert max(each.tick for each in later.values()) == 15, "the look's own tick is told"
    # Earlier observations stay unchanged.
    assert first["Gizmo"] == sensed_of(whole("Gizmo"))
    assert view.fields(NAMES)["after"] == 3


def test_who_has_left_is_missing_and_comes_back_whole() -> None:
    view = Views().of(SENSES)
    view.apply_changes(NAMES, news(1, 5, whole("Gizmo"), whole("Glitch")))
    assert list(view.apply_changes(NAMES, news(2, 6, None, 0)) or {}) == ["Glitch"]
    back = view.apply_changes(NAMES, news(3, 7, whole("Gizmo", health=1, tick=7), 0))
    assert back is not None
    assert back["Gizmo"].health == 1
    assert isinstance(back["Glitch"], Sensed)


def test_after_news_that_were_lost_all_is_asked_for_again() -> None:
    view = Views().of(SENSES)
    view.apply_changes(NAMES, news(1, 5, whole("Gizmo"), whole("Glitch")))
    assert view.apply_changes(NAMES, news(3, 7, 0, 0)) is None
    assert view.fields(NAMES)["after"] == 0
    assert len(view.apply_changes(NAMES, news(1, 8, whole("Gizmo"), whole("Glitch"))) or {}) == len(NAMES)


def test_kinds_of_looks_are_bounded() -> None:
    views = Views()
    first = views.of(SENSES)
    assert views.of(Senses(radius=8)) is first
    for radius in range(1, MAX_VIEWS + 1):
        views.of(Senses(radius=radius + 8))
    assert views.of(SENSES) is not first
