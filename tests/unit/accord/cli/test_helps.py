"""The help of every command at 80 columns, and of `accord run` in groups."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from accord.cli import options
from accord.cli.app import COMMANDS, app
from accord.studies.option_groups import GROUPS

TEXT = 40
"""Minimum width of the descriptions' column, in characters."""


def help_of(name: str, monkeypatch: pytest.MonkeyPatch, width: int = 80) -> list[str]:
    monkeypatch.setenv("COLUMNS", str(width))
    result = CliRunner().invoke(app, [name, "--help"])
    assert result.exit_code == 0
    return result.stdout.splitlines()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_keeps_to_80_columns(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = help_of(name, monkeypatch)
    assert max(map(len, shown)) <= 80
    assert "…" not in "".join(shown)


def test_the_options_of_run_stand_in_groups_with_one_short_text_each(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = help_of("run", monkeypatch)
    assert len(shown) < 160
    heads = [line.strip("╭─╮ ") for line in shown if line.startswith("╭")]
    assert heads == ["Arguments", *GROUPS, "Options"]
    text = "\n".join(shown)
    for name in ("--contract, --condition", "--model MODEL", "--max-usd [NAME=]USD", "--report / --no-report"):
        assert f"│ {name}" in text
    # Descriptions take the larger part of each line, beside names and values.
    assert max(len(line) - line.index("  ", 2) - 4 for line in shown if line.startswith("│ --runs")) > TEXT
    models = text.split(f"─ {options.MODELS} ─")[1].split("╰")[0]
    assert all(f"│ {name} " in models for name in ("--model-for", "--sampling", "--base-url", "--think"))
