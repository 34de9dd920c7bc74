"""Fixtures and options of all tests."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from accord.analysis.report.style import Theme

# A shell that starts the tests in the background lets them ignore Ctrl-C, and all processes that they start would too.
signal.signal(signal.SIGINT, signal.default_int_handler)

UNIT = Path(__file__).parent / "unit"
STARTING = {
    "agents/test_index",
    "agents/test_models",
    "agents/test_reference_players",
    "agents/test_voyager_agent",
    "agents/test_voyager_study",
    "bridge/test_confinement",
    "bridge/test_fleet",
    "bridge/test_node",
    "bridge/test_orphans",
    "bridge/test_prerequisites",
    "bridge/test_supervisor",
    "cli/test_doctor",
    "cli/test_server_cli",
    "cli/test_signals",
    "cli/test_skills",
    "dilemmas/test_broken_text",
    "dilemmas/test_commons_contract",
    "dilemmas/test_commons_variants",
    "dilemmas/test_embodied",
    "dilemmas/test_estimate_bounds",
    "dilemmas/test_factors",
    "dilemmas/test_invalid_runs",
    "dilemmas/test_invariants",
    "dilemmas/test_jobs",
    "dilemmas/test_laboratory",
    "dilemmas/test_locking",
    "dilemmas/test_mirror",
    "dilemmas/test_real_model",
    "dilemmas/test_rounds",
    "dilemmas/test_thinking",
    "dilemmas/test_times",
    "generative/test_commons_harvest",
    "grid_games/test_determinism",
    "grid_games/test_learned",
    "grid_games/test_room",
    "mock/test_mock_world",
    "paper/test_attached",
    "paper/test_commands",
    "test_docs_snippets",
    "test_make",
    "view/test_steering",
}
"""Unit tests of which some start a process: Node, a server, workers."""
LONG = {
    "agents/test_curriculum",
    "agents/test_pooling",
    "agents/test_skill_library",
    "cli/test_bad_input",
    "cli/test_bad_scenarios",
    "cli/test_broken_records",
    "cli/test_commands",
    "dilemmas/test_budgets",
    "dilemmas/test_comparing",
    "dilemmas/test_hostile_study",
    "dilemmas/test_model_faults",
    "dilemmas/test_resume",
    "dilemmas/test_schelling",
    "grid_games/test_invariants",
    "report/test_page",
    "sweeps/test_sweeps",
}
"""Unit tests that take more than five seconds."""


@pytest.fixture(name="undrawn")
def _undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures of reports are made and not drawn, which takes most of the time: for tests that look at other things."""
    from accord.analysis.report import drawing

    def made(make: Callable[[], Figure], theme: Theme) -> str:
        with drawing.matplotlib.rc_context(drawing.style.settings(theme)):
            figure = make()
        assert figure.axes
        return '<svg xmlns="http://www.w3.org/2000/svg"></svg>'

    monkeypatch.setattr(drawing, "svg_of", made)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="only unit tests that start no process and take no time")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `--fast`, leave out the files that start processes or take long."""
    if not config.getoption("--fast") or collection_path.suffix != ".py":
        return None
    name = collection_path.relative_to(UNIT).with_suffix("").as_posix() if collection_path.is_relative_to(UNIT) else ""
    return True if name in STARTING | LONG else None
