"""Command lines that are refused."""

from __future__ import annotations

from typer.testing import CliRunner

from accord.cli.app import app


def refused(*arguments: str) -> str:
    """Return the single line with which the arguments are refused."""
    result = CliRunner().invoke(app, list(arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    return result.stderr
