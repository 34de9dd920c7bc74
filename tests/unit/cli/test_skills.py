"""`accord skills try`, with the mock world's real process."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from dilemmas.cli.app import app

MINE = 'async function mine (bot) { await mineBlock(bot, "iron_ore", 2); console.log("two") }'
FURNITURE = ["--command", "give Gizmo stone_pickaxe", "--command", "fill 6 -60 0 7 -60 0 iron_ore"]


def invoke(*arguments: str) -> tuple[int, str, Exception | None]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.exception if isinstance(result.exception, Exception) else None


def policy(folder: Path, text: str) -> str:
    file = folder / "policy.js"
    file.write_text(text)
    return str(file)


def test_a_policy_that_works_is_told_step_by_step(tmp_path: Path) -> None:
    code, out, _ = invoke("skills", "try", policy(tmp_path, MINE), "--world", "mock", *FURNITURE)
    assert code == 0
    assert 'mineBlock("iron_ore", 2)' in out
    assert "info: two" in out
    assert "has 2 raw_iron, 1 stone_pickaxe" in out
    assert out.splitlines()[-1].endswith("s of game time: +2 raw_iron")


def test_a_policy_that_throws_is_told_with_its_line(tmp_path: Path) -> None:
    code, out, _ = invoke("skills", "try", policy(tmp_path, MINE))
    assert code == 1
    assert "BlockNotFound" in out.splitlines()[-1]
    assert "(line 1)" in out.splitlines()[-1]


def test_for_programs(tmp_path: Path) -> None:
    code, out, _ = invoke("skills", "try", policy(tmp_path, MINE), "--json", *FURNITURE)
    found = json.loads(out)
    assert (code, found["outcome"], found["gained"]) == (0, "returned", {"raw_iron": 2})
    assert {"action", "log", "inventory"} <= {event["kind"] for event in found["events"]}


def test_a_time_limit_is_game_time(tmp_path: Path) -> None:
    endless = policy(tmp_path, "async function main (bot) { for (;;) await bot.waitForTicks(20) }")
    code, out, _ = invoke("skills", "try", endless, "--time-limit", "7", "--json")
    assert (code, json.loads(out)["outcome"], json.loads(out)["game_s"]) == (1, "timeout", 7.0)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nothing.js"], "error: nothing.js cannot be read (No such file or directory): give a JavaScript file"),
        (["{file}", "--time-limit", "0"], "error: --time-limit 0: give a number of seconds above 0"),
        (["{file}", "--world", "moon"], "error: unknown world 'moon': choose one of"),
        (
            ["{file}", "--command", "frobnicate"],
            "error: command 'frobnicate' was refused: Unknown or incomplete command",
        ),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, arguments: list[str], line: str) -> None:
    file = policy(tmp_path, MINE)
    result = CliRunner().invoke(app, ["skills", "try", *(each.replace("{file}", file) for each in arguments)])
    assert result.exit_code in (1, 2)
    assert result.stderr.replace("\n", " ").startswith(line)
