"""The command line, as one that refuses."""

from __future__ import annotations

from typer.testing import CliRunner

from accord.cli.app import app


def refused(*arguments: str) -> str:
    """The one line with which these arguments are refused."""
    result = CliRunner().invoke(app, list(arguments))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    return result.stderr
