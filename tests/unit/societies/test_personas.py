"""Personas: the paper's form, from files and from a seed; what is wrong is told in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dilemmas.cli.app import run
from voyager_agents.errors import PersonaError
from voyager_agents.personas import Spot, generate, load_personas

PAPER = {
    "name": "Loyd",
    "traits": ["You are independent and prefer to work solo."],
    "location_memories": ["The square is at 630, 64, 428."],
    "spawn_location": {"x": 640.5, "y": 64.5, "z": 420.5},
    "inventory": {"diamond": 16},
    "community_goal": "To survive.",
}


def test_a_persona_of_the_paper_is_read_from_yaml_and_json(tmp_path: Path) -> None:
    (tmp_path / "one.json").write_text(json.dumps(PAPER))
    (tmp_path / "more.yaml").write_text("- {name: Ada, spawn_location: {x: 1, y: 64, z: -1}}\n")
    loyd, ada = load_personas([tmp_path / "one.json", tmp_path / "more.yaml"])
    assert {key: loyd.plain()[key] for key in PAPER} == PAPER
    assert loyd.spawn_location.cell == (640, 64, 420)
    assert ada.inventory == {}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"spawn_location": None}, "spawn_location"),
        ({"name": "A name that is too long"}, "name"),
        ({"inventory": {"diamond": 0}}, "inventory.diamond"),
        ({"kindness": 2}, "kindness"),
        ({"mood": 1}, "mood: is not a known key; legal are name, traits"),
    ],
)
def test_what_is_no_persona_is_told_with_file_and_key(tmp_path: Path, change: dict[str, object], told: str) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({**PAPER, **change}))
    with pytest.raises(PersonaError) as error:
        load_personas([path])
    assert told in str(error.value)
    assert str(path) in str(error.value)
    assert "\n" not in str(error.value)


def test_without_a_spawn_there_is_no_persona(tmp_path: Path) -> None:
    path = tmp_path / "bad.json"
    path.write_text(json.dumps({key: value for key, value in PAPER.items() if key != "spawn_location"}))
    with pytest.raises(PersonaError, match=r"\('Loyd'\): spawn_location: is missing; write spawn_location: \{x: "):
        load_personas([path])


def test_five_hundred_follow_from_their_seed_and_differ() -> None:
    spawns = [Spot(x=0.5, y=64, z=0.5)]
    made = generate(500, 3, spawns, inventories=True)
    assert made == generate(500, 3, spawns, inventories=True)
    assert made[:30] == generate(30, 3, spawns, inventories=True)
    assert made != generate(500, 4, spawns, inventories=True)
    assert len({each.name for each in made}) == 500
    assert len({each.traits for each in made}) > 200
    assert all(2 <= len(each.inventory) <= 4 and len(each.traits) == 4 for each in made)
    assert min(each.extroversion for each in made) < 0.05
    assert max(each.extroversion for each in made) > 0.95


def test_the_command_makes_shows_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "people.yaml"
    assert run(["personas", "--count", "4", "--seed", "2", "--at", "1,64,2", "--out", str(out)]) == 0
    assert "4 personas" in capsys.readouterr().out
    assert run(["personas", str(out), "--json"]) == 0
    names = [each["name"] for each in json.loads(capsys.readouterr().out)]
    assert names == [each.name for each in load_personas([out])]
    assert run(["personas", "village"]) == 0
    assert "independent" in capsys.readouterr().out
    for arguments, told in (
        (["personas", "double-vein"], "nobody lives there"),
        (["personas", "--count", "0"], "count is 0"),
        (["personas", "--at", "here"], "is no place: give X,Y,Z"),
    ):
        assert run(arguments) == 2
        said = capsys.readouterr().err
        assert told in said
        assert said.count("\n") == 1
