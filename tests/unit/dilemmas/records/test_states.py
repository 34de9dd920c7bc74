"""States in the log: only changes are written, and full states are restored from them."""

from __future__ import annotations

import random

import pytest

from accord.analysis.measures import PlayerSample, curves
from dilemmas.records.events import EndStateRead, EpisodeStarted, Event, Holdings, LogLine, StateSeen
from dilemmas.records.states import StateChanges, WholeStates

NAMES = [f"P{number}" for number in range(5)]


def held(count: int) -> Holdings:
    return Holdings.of({"raw_iron": count}, {"iron_ore": count}, {"raw_iron": 4})


def wander(seed: str) -> list[StateSeen]:
    """Return full states; consecutive ones differ in some players and blocks, or not at all."""
    draw = random.Random(seed)
    players, world = {name: held(0) for name in NAMES}, {"slime_block": 9, "moss_block": 4}
    found = []
    for step in range(50):
        players |= {name: held(draw.randint(0, 2)) for name in NAMES if draw.random() < 0.2}
        world |= {block: draw.randint(0, 3) for block in world if draw.random() < 0.3}
        found.append(StateSeen(t_s=float(step), players=dict(players), world=dict(world)))
    return found


@pytest.mark.parametrize("seed", ["one", "two", "three"])
def test_states_written_as_changes_are_restored(seed: str) -> None:
    whole = wander(seed)
    changes, states = StateChanges(), WholeStates()
    written = [changes.event(each.t_s, each.players, each.world) for each in whole]
    assert [states.full_state_of(each) for each in written] == whole
    assert sum(len(each.players) for each in written) < sum(len(each.players) for each in whole) / 2
    # Older logs with full states read the same way.
    assert [WholeStates().full_state_of(each) for each in whole] == whole


def test_only_what_changed_is_written() -> None:
    changes = StateChanges()
    first = changes.event(0.0, {"Gizmo": held(0), "Glitch": held(0)}, {"slime_block": 2, "moss_block": 1})
    assert (set(first.players), set(first.world)) == ({"Gizmo", "Glitch"}, {"slime_block", "moss_block"})
    assert changes.event(1.0, {"Gizmo": held(1), "Glitch": held(0)}, {"slime_block": 2, "moss_block": 1}) == StateSeen(
        t_s=1.0, players={"Gizmo": held(1)}
    )
    same = {"Gizmo": held(1), "Glitch": held(0)}
    assert changes.event(2.0, same, {"moss_block": 1}) == StateSeen(t_s=2.0, players={}, world={"slime_block": 0})
    assert changes.event(3.0, same, {"moss_block": 1}) == StateSeen(t_s=3.0, players={})
    with pytest.raises(ValueError, match="state at 4 s: 'Glitch' is missing"):
        changes.event(4.0, {"Gizmo": held(1)}, {})


def test_an_attempt_carries_nothing_from_the_one_before() -> None:
    states = WholeStates()
    states.full_state_of(StateSeen(t_s=0.0, players={"Gizmo": held(3)}, world={"moss_block": 1}))
    assert states.full_state_of(EpisodeStarted(attempt=2)) is None
    assert states.full_state_of(StateSeen(t_s=0.0, players={"Glitch": held(1)})) == StateSeen(
        t_s=0.0, players={"Glitch": held(1)}
    )


def test_curves_have_every_player_at_every_state() -> None:
    events: list[Event] = [
        EpisodeStarted(attempt=1),
        StateSeen(t_s=0.0, players={"Gizmo": held(7)}),
        EpisodeStarted(attempt=2),
        StateSeen(t_s=0.0, players={"Gizmo": held(0), "Glitch": held(0)}),
        StateSeen(t_s=1.0, players={"Glitch": held(2)}),
        EndStateRead(t_s=2.0, players={"Gizmo": held(1), "Glitch": held(2)}, chest={}),
    ]
    found = curves((LogLine(number, None, 0.0, 1, each) for number, each in enumerate(events)), 1)
    assert found == {
        "Gizmo": [PlayerSample(0.0, {}, 0.0), PlayerSample(1.0, {}, 0.0), PlayerSample(2.0, {"raw_iron": 1}, 4.0)],
        "Glitch": [
            PlayerSample(0.0, {}, 0.0),
            PlayerSample(1.0, {"raw_iron": 2}, 8.0),
            PlayerSample(2.0, {"raw_iron": 2}, 8.0),
        ],
    }
