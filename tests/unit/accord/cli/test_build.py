"""`accord build`: scenarios' worlds on real embedded servers that stay up, and as function files."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from accord.cli.app import run
from accord.studies.runner import usual_world
from bridge.servers import registry
from bridge.worlds import NOWHERE
from dilemmas.minecraft.commands import Command
from dilemmas.minecraft.functions import function_text
from dilemmas.minecraft.visiting import LOADED, loading, visit
from dilemmas.scenarios.registry import load_scenario, scenario_names


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "state"))
    yield tmp_path / "state"
    assert run(["server", "down"]) == 0


def stands(capsys: pytest.CaptureFixture[str], at: str, block: str) -> bool:
    """Return True if the running server has this block at this position."""
    capsys.readouterr()
    run(["server", "command", f"execute if block {at} minecraft:{block}"])
    return "Test passed" in capsys.readouterr().out


def test_the_village_stands_for_whoever_joins(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    assert run(["build", "village", "--seed", "4", "--port", str(port), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    running = registry.find("embedded")
    assert running is not None
    assert (told["port"], told["started"], running.port, running.seed) == (port, True, port, 4)
    assert run(["build", "village", "--port", str(port)]) == 0
    assert "guests are in adventure mode (--gamemode)" in capsys.readouterr().out.replace("\n", " ")
    assert run(["build", "village", "--port", "1"]) == 1
    assert f"the embedded server that is up has port {port}" in capsys.readouterr().err
    for at, block in (("0 -60 0", "bell"), ("-33 -60 22", "diamond_ore"), ("-36 -60 -24", "oak_log"),
                      ("-6 -60 -19", "wheat[age=7]")):  # fmt: skip
        assert stands(capsys, at, block), (at, block)
    assert run(["server", "command", "data get block -7 -60 2 Items"]) == 0
    assert "stone_pickaxe" in capsys.readouterr().out
    assert run(["server", "command", "execute if entity @e[type=sheep]"]) == 0
    assert "count: 8" in capsys.readouterr().out


def without_world() -> list[str]:
    """Return the scenarios without anything to build, all of which are played without a world."""
    found = [name for name in scenario_names() if not load_scenario(name).build()]
    assert {usual_world(load_scenario(name), "off") for name in found} == {NOWHERE}
    return found


def test_every_scenario_is_built_on_the_server_that_is_up(capsys: pytest.CaptureFixture[str]) -> None:
    ports = []
    worldless = without_world()
    assert run(["build", worldless[0]]) == 2
    assert "there is nothing to build" in capsys.readouterr().err
    for name in sorted({*scenario_names()} - {*worldless}):
        assert run(["build", name, "--json"]) == 0, name
        ports.append(json.loads(capsys.readouterr().out)["port"])
    assert len(set(ports)) == 1
    assert run(["build", "double-vein", "--seed", "9"]) == 1
    assert "the embedded server that is up has seed 0" in capsys.readouterr().err


def test_a_function_file_has_the_very_commands(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    worldless = without_world()
    assert run(["build", worldless[0]]) == 2
    assert "there is nothing to build" in capsys.readouterr().err
    for name in sorted({*scenario_names()} - {*worldless}):
        file = tmp_path / f"{name}.mcfunction"
        assert run(["build", name, "--commands", str(file)]) == 0
        lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
        built = [each.text for each in load_scenario(name).build()]
        assert [line for line in lines if line in set(built)] == built
        assert not any(line.startswith("/") for line in lines)
        assert lines.count("defaultgamemode adventure") == 1
    assert registry.everything() == []
    capsys.readouterr()
    assert run(["build", "village", "--commands", "-", "--gamemode", "spectator"]) == 0
    assert "defaultgamemode spectator\n" in capsys.readouterr().out


def test_a_building_that_is_refused_leaves_no_server(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accord.cli.scenario_building.visit", lambda *_: [Command("fill nowhere")])
    assert run(["build", "village"]) == 1
    assert "fill nowhere" in capsys.readouterr().err
    assert registry.everything() == []


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["vilage"], 2, "did you mean 'village'?"),
        (["village", "--world", "mock"], 2, "nobody can walk around there; give embedded or paper"),
        (["village", "--world", "embeded"], 2, "did you mean 'embedded'?"),
        (["village", "--gamemode", "god"], 2, "'god' is not one of"),
        (["village", "--commands", "village.txt"], 2, "end with .mcfunction"),
        (["village", "--commands", "My Village.mcfunction"], 2, "small letters"),
        (["village", "--commands", "/nonexistent/village.mcfunction"], 2, "cannot be written"),
    ],
)
def test_wrong_input_is_one_line(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["build", *arguments]) == code
    error = capsys.readouterr().err
    assert said in error
    assert len(error.strip().splitlines()) == 1
    assert registry.everything() == []


def test_areas_hold_all_that_is_built_and_are_small_enough() -> None:
    building = [Command("fill -700 1 -20 900 1 30 minecraft:stone"), Command("setblock 5 60 400 minecraft:bell")]
    covered = set()
    for area in loading(building):
        x0, z0, x1, z1 = (int(part) // 16 for part in area.split())
        chunks = {(x, z) for x in range(x0, x1 + 1) for z in range(z0, z1 + 1)}
        assert len(chunks) <= LOADED
        assert not chunks & covered
        covered |= chunks
    assert {(x, z) for x in range(-44, 57) for z in range(-2, 26)} == covered
    assert loading([Command("time set 5")]) == []
    assert [each.text for each in visit([], (1, 2, 3), "survival")] == [
        "setworldspawn 1 2 3",
        "defaultgamemode survival",
    ]


def test_a_function_is_refused_what_vanilla_would_leave_out() -> None:
    with pytest.raises(ValueError, match="no single line"):
        function_text("x", [Command("say a\nop Eve")])
    with pytest.raises(ValueError, match="vanilla runs at most 65536"):
        function_text("x", [Command("say a")] * 65537)
    assert function_text("a\nb", [Command("/say hi")]) == "# a b\nsay hi\n"


def test_a_scenario_is_shown_as_a_picture_without_a_server(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "vein.png"
    assert run(["build", "double-vein", "--picture", str(file)]) == 0
    assert "1280 x 720 pixels, from above" in capsys.readouterr().out
    above = file.read_bytes()
    assert above.startswith(b"\x89PNG")
    assert run(["build", "double-vein", "--picture", str(file), "--camera", "Gizmo"]) == 0
    assert "through the eyes of Gizmo" in capsys.readouterr().out
    assert file.read_bytes() != above
    assert registry.find("embedded") is None


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (["--picture", "vein.png", "--camera", "Nobody"], "--camera Nobody: choose above or a player of the scenario"),
        (["--picture", "vein.jpg"], "give a name that ends with .png"),
        (["--camera", "Gizmo"], "add --picture FILE"),
        (["--picture", "absent/vein.png"], "cannot be written"),
    ],
)
def test_a_picture_that_cannot_be_taken_is_refused(
    options: list[str], why: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["build", "double-vein", *options]) == 2
    assert why in " ".join(capsys.readouterr().err.split())
