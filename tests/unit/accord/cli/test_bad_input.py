"""Wrong input to the real study, refused before anything is started or written."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperOption
from typer.main import get_command

from accord.cli.app import app
from tests.fakes.command_line import refused

CONTRACT = "name: x\nparties: [Gizmo, Glitch]\ntext: pay\n"


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        ("run dubble-vein", ["unknown scenario 'dubble-vein'", "did you mean 'double-vein'?", "choose one of"]),
        ("run double-vein --contract contract1", ["unknown condition 'contract1'", "did you mean 'contract-1'?"]),
        ("run double-vein --contract nowhere.yaml", ["nowhere.yaml", "cannot be read", "give the path of a YAML file"]),
        ("run nowhere.yaml", ["nowhere.yaml"]),
        ("run double-vein --runs 0", ["runs: 0", "give 1 to 1000000"]),
        ("run double-vein --runs abc", ["'--runs'", "integer"]),
        ("run double-vein --seed 1.5", ["'--seed'", "integer"]),
        ("run double-vein --episodes -1", ["episodes: -1", "give 1 or more"]),
        ("run double-vein --port 70000", ["port: 70000", "give 1 to 65535"]),
        ("run double-vein --time-limit 0", ["time limit: 0", "seconds above 0"]),
        ("run double-vein --world moon", ["unknown world 'moon'", "choose one of"]),
        ("run double-vein --player Gizmo", ["--player 'Gizmo' is not NAME=VALUE", "Gizmo=greedy"]),
        ("run double-vein --player Ann=greedy", ["unknown player 'Ann'", "Gizmo, Glitch"]),
        ("run double-vein --player Gizmo=gredy", ["'gredy' for Gizmo (did you mean 'greedy'?)", "choose one of"]),
        ("run double-vein --player Gizo=greedy", ["unknown player 'Gizo' (did you mean 'Gizmo'?)"]),
        ("run double-vein --agents voyagr", ["unknown agents 'voyagr' (did you mean 'voyager'?)"]),
        ("schelling double-vein --defect gredy", ["'gredy' (did you mean 'greedy'?)"]),
        ("run double-vein --player Gizmo=evil", ["unknown reference player 'evil'", "choose one of"]),
        ("run double-vein --player Gizmo=greedy --player Gizmo=greedy", ["given twice for 'Gizmo'"]),
        ("run double-vein --model-for cook=openai/x", ["unknown role 'cook'", "action, critic, negotiator", "judge"]),
        ("run double-vein --contract none --contract none", ["given twice", "--runs"]),
        ("run double-vein --seed 0 --seed 1", ["--seed is given twice; give it once"]),
        ("run double-vein --seed=1 --seed 1", ["--seed is given twice"]),
        ("run double-vein --report --no-report", ["--report/--no-report is given twice"]),
        ("run double-vein --json --json", ["--json is given twice"]),
        ("run double-vein --fly", ["No such option: --fly", "(see 'accord run --help')"]),
        ("env double-vein", ["No such command 'double-vein'", "(see 'accord env --help')"]),
        ("run", ["Missing argument 'SCENARIO'"]),
        ("rnu", ["No such command 'rnu'", "Did you mean 'run'?", "(see 'accord --help')"]),
        ("report nowhere", ["no such run: nowhere", "give a directory that 'accord run' wrote"]),
    ],
)
def test_the_line_names_the_thing_and_what_is_legal(arguments: str, parts: list[str], tmp_path: Path) -> None:
    words = [*arguments.split(), *(["--out", str(tmp_path / "runs")] if arguments.startswith("run ") else [])]
    line = refused(*words)
    for part in parts:
        assert part in line
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("{", ["is not YAML", "line"]),
        ("just words", ["is not a mapping"]),
        (CONTRACT + "fine: 1\n", ["unknown key 'fine'", "legal keys are"]),
        (
            CONTRACT + "transfers: [{id: t, payer: Gizmo, payee: Glitch, amount: -3}]\n",
            ["amount", "-3", "is negative", "swap payer and payee"],
        ),
        (CONTRACT + "transfers: [{id: t, payer: Gizmo, payee: Glitch, amount: ten}]\n", ["amount", "ten"]),
        (CONTRACT, ["has text only", "--model"]),
    ],
)
def test_a_contract_file_that_is_wrong_is_refused(text: str, parts: list[str], tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(text)
    line = refused("run", "double-vein", "--contract", str(file), "--out", str(tmp_path / "runs"))
    for part in parts:
        assert part in line
    assert not (tmp_path / "runs").exists()


def test_a_scenario_file_that_is_wrong_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "variant.yaml"
    file.write_text("scenario: [")
    assert "variant.yaml" in refused("run", str(file))


def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    line = refused("run", "double-vein", "--out", str(tmp_path / "file"))
    assert "cannot write the run to" in line
    assert "choose another folder with --out" in line


@pytest.mark.parametrize("model", ["openai/gpt", "nobody/x", "gpt"])
def test_a_model_that_cannot_be_used_is_refused(model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    line = refused("run", "double-vein", "--model", model, "--out", str(tmp_path / "runs"))
    assert "OPENAI_API_KEY" in line or model in line
    assert not (tmp_path / "runs").exists()


def leaves(command: Any, path: str = "") -> dict[str, Any]:  # noqa: ANN401 - typer's own click has no public name
    """Return the commands of a group and its subgroups: words on the command line -> command."""
    if not hasattr(command, "commands"):
        return {path: command}
    return {key: each for name, one in command.commands.items() for key, each in leaves(one, f"{path} {name}").items()}


COMMANDS = leaves(get_command(app))
SINGLE = [
    (path.split(), option.opts[0], option.is_flag)
    for path, command in COMMANDS.items()
    for option in command.params
    if isinstance(option, TyperOption) and not option.multiple
]


@pytest.mark.parametrize(
    ("path", "option", "flag"), SINGLE, ids=[f"{' '.join(path)} {name}" for path, name, _ in SINGLE]
)
def test_an_option_that_is_given_twice_is_refused_in_every_command(path: list[str], option: str, flag: bool) -> None:
    once = [option] if flag else [option, "1"]
    assert "is given twice; give it once" in refused(*path, *once, *once)
