"""Minds whose modules do not fit together, refused in one line before anything starts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from voyager_agents.errors import WiringError
from voyager_agents.piano.settings import PianoSettings
from voyager_agents.piano.state import SlotState
from voyager_agents.piano.wiring import MODULES, wire

OWN = """
from voyager_agents.piano.module import Module, Result, When
MODULE = Module(name="{name}", reads={reads}, writes={writes}, when=When(every_s=5), rule=lambda view: Result({result}),
                slots={slots}, first={first})
"""


def own(folder: Path, **changed: str) -> str:
    usual = {"name": "mood", "reads": '("percepts",)', "writes": '("mood",)', "slots": '{"mood": str}'}
    path = folder / "own.py"
    path.write_text(OWN.format(**{**usual, "first": '{"mood": "calm"}', "result": '{"mood": "gay"}', **changed}))
    return str(path)


def refusal(**options: Any) -> str:  # noqa: ANN401 - options of any kind
    with pytest.raises(WiringError) as error:
        wire(PianoSettings.read(options))
    assert "\n" not in str(error.value)
    return str(error.value)


def test_all_ten_modules_fit_together() -> None:
    assert [module.name for module in wire(PianoSettings()).modules] == list(MODULES)
    assert len(MODULES) == 10


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"without": "social_awarenes"},
            "without: unknown module 'social_awarenes' (did you mean 'social_awareness'?)",
        ),
        ({"without": "controller"}, "without: nobody lives without controller"),
        ({"bottleneck": "goal=60,gaol=20"}, "bottleneck: there is no slot 'gaol'; choose from"),
        ({"bottleneck": "goal=60,goal=20"}, "bottleneck: 'goal' is named twice"),
        ({"bottleneck": ""}, "bottleneck: '' names no slot"),
        ({"bottleneck": "goal=much"}, "bottleneck: {'slot': 'goal', 'tokens': 'much'} is not legal"),
        ({"bottleneck": "goal=0"}, "bottleneck: goal=0: give 1 to"),
        ({"moods": "x"}, "'moods' is no option of agents that live"),
        ({"baseline": "perhaps"}, "baseline: 'perhaps' is not legal; choose yes, no or paper"),
        ({"modules": "nowhere.py"}, "modules: nowhere.py: is no Python file"),
    ],
)
def test_what_does_not_fit_is_told_in_one_line(options: dict[str, Any], told: str) -> None:
    assert told in refusal(**options)


def test_a_slot_has_one_writer(tmp_path: Path) -> None:
    path = own(tmp_path, writes='("goal",)', slots="{}", first="{}", result="{}")
    assert "the slot 'goal' has two writers: goal_generation and mood; give it one" in refusal(modules=path)
    assert wire(PianoSettings.read({"modules": path, "without": "goal_generation"})).writers["goal"] == "mood"


def test_a_module_of_ones_own_reads_and_writes_what_there_is(tmp_path: Path) -> None:
    wiring = wire(PianoSettings.read({"modules": own(tmp_path)}))
    assert wiring.modules[-1].name == "mood"
    assert wiring.first["mood"] == "calm"
    assert "module mood: there is no slot 'weather'" in refusal(modules=own(tmp_path, reads='("weather",)'))
    broken = tmp_path / "broken.py"
    broken.write_text("MODULE = 1 +")
    assert "cannot be loaded (SyntaxError" in refusal(modules=str(broken))


def test_ablations_take_modules_out_and_leave_what_they_wrote_empty() -> None:
    wiring = wire(PianoSettings.read({"without": ["social_awareness"]}))
    assert "social_awareness" not in [module.name for module in wiring.modules]
    assert "profiles" in wiring.types
    assert "profiles" not in wiring.writers
    bare = wire(PianoSettings.read({"baseline": "yes"}))
    assert [module.name for module in bare.modules] == ["perception", "memory", "controller", "skill_execution"]


def test_the_controller_of_the_papers_baseline_sees_its_memories_and_nothing_of_perception() -> None:
    wiring = wire(PianoSettings.read({"baseline": "paper"}))
    seen = {"percepts", "hearing"}
    reads = {module.name: seen & {*module.reads} for module in wiring.modules}
    assert reads == {
        "perception": {"hearing"}, "memory": {"hearing"}, "controller": set(), "skill_execution": {"percepts"},
    }  # fmt: skip
    assert not seen & {gate.slot for gate in wiring.gates}
    assert {"recalled", "working_memory"} <= {gate.slot for gate in wiring.gates}
    own = wire(PianoSettings.read({"baseline": "paper", "bottleneck": "percepts=50"}))
    assert [gate.slot for gate in own.gates] == ["percepts"], "a bottleneck of the user's is kept"


def test_without_the_broadcast_only_the_hands_know_the_decision() -> None:
    readers = [m.name for m in wire(PianoSettings.read({"broadcast": "no"})).modules if "decision" in m.reads]
    assert readers == ["controller", "skill_execution"]


def test_slots_are_typed_versioned_and_have_one_writer() -> None:
    state = SlotState({"goal": str}, {"goal": "will"}, {"goal": ""})
    assert not state.write("will", "goal", "", 1.0)
    assert state.write("will", "goal", "farm", 2.0)
    assert (state.at("goal").version, state.at("goal").t_s, state.at("goal").writer) == (1, 2.0, "will")
    for writer, slot, value in (("other", "goal", "x"), ("will", "gaol", "x"), ("will", "goal", 3)):
        with pytest.raises(WiringError):
            state.write(writer, slot, value, 3.0)
    assert state.value("goal") == "farm"
