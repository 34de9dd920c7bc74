"""Fixtures and options of all tests."""

from __future__ import annotations

import faulthandler
import gc
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from _pytest.faulthandler import fault_handler_stderr_fd_key as STDERR
from hypothesis import HealthCheck, settings

from common.gc_tuning import look_seldom
from common.plugins import forget
from tests.fakes.warm_hosts import HOSTS

# Assertions of the conformance suite show their values, as those in test files do.
pytest.register_assert_rewrite("tests.conformance")

# No test may depend on the machine's speed, property tests included.
settings.register_profile("accord", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("accord")

# A shell that starts the tests in the background lets them ignore Ctrl-C, and all processes that they start would too.
signal.signal(signal.SIGINT, signal.default_int_handler)

TESTS = Path(__file__).parent
UNIT = TESTS / "unit"
SLOW = frozenset((TESTS / "slow_files.txt").read_text(encoding="utf-8").split())
"""Files of unit tests that take more than two seconds or start many processes, without their suffix."""

WARM = (UNIT, TESTS / "real_model", TESTS / "live" / "test_cases.py", TESTS / "live" / "test_view_records.py")
"""Tests whose mock worlds may use one host after the other (tests/fakes/warm_hosts.py)."""
OWN = UNIT / "bridge"
"""Tests about the process of a world: each world starts its own."""


@pytest.fixture(scope="session", autouse=True)
def _hosts() -> Iterator[None]:
    with HOSTS.serving():
        yield


@pytest.fixture(scope="module", autouse=True)
def _warm_or_own(request: pytest.FixtureRequest) -> Iterator[None]:
    """Let the mock worlds of a module use hosts that wait, or a process for each."""
    warm = any(request.path.is_relative_to(each) for each in WARM) and not request.path.is_relative_to(OWN)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HOSTS, "used", warm)
        yield


@pytest.fixture(autouse=True)
def _no_plugins_stay() -> Iterator[None]:
    """Forget the plugins that a test has added: the record of every later study would name them."""
    yield
    forget()


def pytest_collection_finish() -> None:
    """Exempt the collected tests from garbage collection, which would go through all of them again and again."""
    look_seldom()
    gc.freeze()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--fast", action="store_true", help="leave out the files of slow_files.txt")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With `--fast`, leave out the slow files."""
    if not config.getoption("--fast") or not collection_path.is_relative_to(UNIT):
        return None
    return True if collection_path.relative_to(UNIT).with_suffix("").as_posix() in SLOW else None


TEARDOWN_LIMIT_S = 300
"""Maximum duration of a test's fixtures' ends, in seconds. pytest-timeout does not watch them after a failure."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Iterator[None]:
    """End the process with all its stacks if fixtures take too long to end; xdist names the test and goes on."""
    faulthandler.dump_traceback_later(TEARDOWN_LIMIT_S, file=item.config.stash[STDERR], exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


class Progress:
    """Reporter of failures as they happen, and of what was running when a run was ended.

    A run that is killed prints no summary.
    """

    def __init__(self, reporter: pytest.TerminalReporter) -> None:
        self.reporter = reporter
        self.running: dict[str, None] = {}

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.running[nodeid] = None

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self.running.pop(nodeid, None)

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            crash = getattr(report.longrepr, "reprcrash", None)
            message = crash.message.partition("\n")[0] if crash else ""
            self.reporter.write(f"\nFAILED in {report.when}: {report.nodeid}: {message}\n", red=True)

    def pytest_terminal_summary(self) -> None:
        for each in self.running:
            self.reporter.write_line(f"still running: {each}", yellow=True)


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """Watch progress in the process that tells it, and end there on SIGTERM as on Ctrl-C: with the summary."""
    reporter = config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Progress(reporter))
        signal.signal(signal.SIGTERM, signal.default_int_handler)
