"""Corpus of hostile records.

No command that opens one runs its code, sends a key, leaves its folder, hangs, fills the memory or ends in an internal
error.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pickle
import re
import resource
import shutil
import signal
import sqlite3
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure
from starlette.types import ASGIApp
from typer.testing import CliRunner

from accord.analysis.report import drawing, forked
from accord.analysis.report.section import SectionFigure
from accord.analysis.report.style import Theme
from accord.cli import app as command_line
from accord.cli.app import app
from accord.studies.kept_tournaments import claim
from accord.studies.study import StudySettings, run_study
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.table import write_table
from accord.studies.sweeps.task import play_task
from accord.studies.tournament import TournamentPlan
from accord.viewer import tailing
from accord.viewer.run_catalog import RunCatalog
from accord.viewer.server import Site, application
from common import plain_files
from common.plugins import forget
from dilemmas.errors import DilemmaError
from tests.fakes.figures import leave_undrawn
from tests.fakes.hostile_records import BOMB, SECRET, STUDIES, SWEEPS, TOURNAMENTS, Harm, snapshot, victim

LOADED = command_line.LazyCommands(command_line.COMMANDS)
"""All commands, built once for a thousand calls."""
LONGEST_S = 300
"""Time limit of one command in seconds; waiting for a pipe would take forever."""
QUESTIONS = (
    "reach", "words", "words?text=a&before=1e9", "marks", "marks?after=99999999999999999999", "figures", "calls",
    "calls?text=x", "calls?start=99999999999999999999", "sums", "deeds?player=A", "line?o=99999999999999999999&l=1",
    "line?o=0&l=99999999999999999999", "ground?o=0&l=10", "call?o=0&l=10", "chunk/0", "chunk/99999999999999999999",
    "chunk/0?after=99999999999999999999",
)  # fmt: skip
"""Addresses that the page requests about a run, and some that an attacker might."""


@pytest.fixture(scope="module", name="good")
def _good(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a valid record, interrupted so that it can be resumed."""
    settings = StudySettings(
        "ada-contract", world="none", agents="random", time_limit_s=4, out=tmp_path_factory.mktemp("good")
    )
    directory = asyncio.run(run_study(settings)).directory
    log = directory / "events.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-1]))
    # Imports of the commands come before memory is measured.
    with pytest.MonkeyPatch.context() as patch:
        leave_undrawn(patch)
        for words in (["report"], ["show", "--no-pager"], ["view", "--export", str(directory.parent / "page.html")]):
            copy = directory.parent / f"warm-{words[0]}"
            shutil.copytree(directory, copy)
            CliRunner().invoke(app, [words[0], str(copy), *words[1:]])
    return directory


@pytest.fixture(scope="module", name="drawings")
def _drawings() -> dict[bytes, Figure]:
    return {}


def drawn_once(draw: Callable[..., Figure], drawings: dict[bytes, Figure], place: str) -> Callable[..., Figure]:
    """Return `draw`, which keeps its figures in `drawings`.

    Most harms change nothing that a figure shows, and drawing took half of all time. Findings that differ in more than
    the place of the record are drawn.
    """

    def known(figure: SectionFigure[Any], findings: object, theme: Theme, *, in_rounds: bool) -> Figure:
        key = pickle.dumps((figure.draw, findings, theme, in_rounds))
        key = re.sub(re.escape(place.encode()) + rb"/\d+", b"", key)
        if key not in drawings:
            drawings[key] = draw(figure, findings, theme, in_rounds=in_rounds)
        return drawings[key]

    return known


@pytest.fixture(autouse=True)
def _quiet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawings: dict[bytes, Figure]) -> Iterator[None]:
    monkeypatch.setenv("ACCORD_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    # As on a busy machine; lines of the usual limit would take most of the time.
    monkeypatch.setattr(command_line, "LazyCommands", lambda _: LOADED)
    # One process, so that a figure drawn for one harm is known at the next.
    monkeypatch.setattr(forked, "can_fork", lambda: False)
    monkeypatch.setattr(drawing, "draw_figure", drawn_once(drawing.draw_figure, drawings, str(tmp_path)))
    for module, name in ((plain_files, "MAX_LINE"), (tailing, "MAX_LINE_BYTES")):
        monkeypatch.setattr(module, name, 4 << 20)
    yield
    forget()


@contextlib.contextmanager
def bounded() -> Iterator[None]:
    """Limit the time and memory of a command inside the block."""

    def late(_number: int, _frame: object) -> None:
        raise AssertionError(f"it did not end within {LONGEST_S} s")

    before, old = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, signal.signal(signal.SIGALRM, late)
    signal.alarm(LONGEST_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, old)
    more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert more << 10 < 0.75 * BOMB, f"it took {more >> 10} MB more"


def told(*arguments: str) -> str:
    """Return a command's output, which must not be an internal error."""
    with bounded():
        result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code in (0, 1, 2), result.output
    assert "internal error" not in result.stderr, result.stderr
    assert "Traceback" not in result.output
    if "error: " in result.stderr:
        # An earlier line may report the progress of a sweep.
        *_, last = lines = [line for line in result.stderr.splitlines() if line.strip()]
        assert [line for line in lines if line.startswith("error: ")] == [last], result.stderr
        assert len(result.stderr) < 2200
    return result.output


def looked_at(record: Path) -> str:
    """Return the answers of the page's server about a record; none has status 500."""
    found: list[str] = []
    with bounded():
        try:
            catalog = RunCatalog([record])
        except DilemmaError as error:
            return str(error)
        try:
            questions = ("runs", *(f"run/0/{each}" for each in QUESTIONS))
            for question, (status, body) in zip(questions, asked(catalog, *questions), strict=True):
                assert status in (200, 404), (question, body)
                found.append(body)
        finally:
            catalog.close()
    return "".join(found)


def asked(catalog: RunCatalog, *questions: str) -> list[tuple[int, str]]:
    """Return status and body of the page's server for each question, without a socket."""
    server = application(Site(catalog, token="secret"))

    async def answers() -> list[tuple[int, str]]:
        return [await answer(server, question) for question in questions]

    return asyncio.run(answers())


async def answer(server: ASGIApp, question: str) -> tuple[int, str]:
    """Send one request to the page's server."""
    path, _, query = f"/secret/api/{question}".partition("?")
    headers = [(b"host", b"127.0.0.1:1")]
    scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "GET", "path": path,
             "raw_path": path.encode(), "query_string": query.encode(), "root_path": "", "scheme": "http",
             "headers": headers, "server": ("127.0.0.1", 1), "client": ("127.0.0.1", 5)}  # fmt: skip
    sent: list[Any] = []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:  # noqa: ANN401
        sent.append(message)

    await server(scope, receive, send)
    return sent[0]["status"], b"".join(each.get("body", b"") for each in sent[1:]).decode("latin-1")


COMMANDS: Mapping[str, Callable[[Path, Path], str]] = {
    "resume": lambda record, out: told("resume", str(record), "--no-report"),
    "verify": lambda record, out: told("verify", str(record)),
    "verify --replay": lambda record, out: told("verify", str(record), "--replay"),
    "show": lambda record, out: told("show", str(record), "--calls", "--no-pager"),
    "show --json": lambda record, out: told("show", str(record), "--calls", "--json"),
    "report": lambda record, out: told("report", str(record)),
    "view": lambda record, out: looked_at(record),
    "view --export": lambda record, out: told("view", str(record), "--export", str(out / "page.html")),
    "export": lambda record, out: told("export", str(record), "--to", str(out / "bundle.zip")),
    "run replay": lambda record, out: told(
        "run", "prisoners-dilemma", "--model", f"replay:{record}", "--no-report", "--out", str(out), "--dry-run"
    ),
}
"""Command -> function that gives it a record."""


@pytest.mark.parametrize("harm", STUDIES)
def test_no_command_is_harmed_by(harm: str, good: Path, tmp_path: Path) -> None:
    unharmed(COMMANDS, STUDIES[harm], good, tmp_path)


def unharmed(commands: Mapping[str, Callable[[Path, Path], str]], harm: Harm, good: Path, tmp_path: Path) -> None:
    """Give each command a copy of a valid record with one harmful change."""
    for number, command in enumerate(commands.values()):
        place = tmp_path / str(number)
        place.mkdir()
        record, away, out = place / "record", victim(place / "away"), place / "out"
        shutil.copytree(good, record)
        out.mkdir()
        harm(record, away)
        before = snapshot(away)
        said = command(record, out)
        assert snapshot(away) == before, "a file outside of the record was changed"
        assert not (place / "ran").exists(), "code of the record was run"
        assert SECRET not in said
        assert not any(SECRET.encode() in data for data in written(out)), "a file outside of the record was packed"
        shutil.rmtree(place)


SWEEPING: Mapping[str, Callable[[Path, Path], str]] = {
    "sweep": lambda folder, out: told("sweep", str(folder), "--jobs", "1"),
    "sweep --dry-run": lambda folder, out: told("sweep", str(folder), "--dry-run"),
    "task": lambda folder, out: told("task", str(folder), "0"),
    "report": lambda folder, out: told("report", str(folder)),
    "view": lambda folder, out: looked_at(folder),
    "show": lambda folder, out: told("show", str(folder), "--no-pager"),
}
"""Command -> function that gives it a sweep."""


@pytest.fixture(scope="module", name="sweep")
def _sweep(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a played sweep of two runs."""
    place = tmp_path_factory.mktemp("sweep")
    settings = {"agents": "random", "time_limit_s": 3}
    data = {"name": "s", "scenarios": ["ada-contract"], "seeds": 2, "settings": settings}
    folder = SweepFolder.make(place / "s", data, place)
    for number in range(2):
        asyncio.run(play_task(folder, number))
    write_table(folder)
    return folder.path


@pytest.mark.parametrize("harm", SWEEPS)
def test_no_command_is_harmed_by_a_sweep_with(harm: str, sweep: Path, tmp_path: Path) -> None:
    unharmed(SWEEPING, SWEEPS[harm], sweep, tmp_path)


@pytest.mark.parametrize("harm", TOURNAMENTS)
def test_no_command_is_harmed_by_a_tournament_with(harm: str, tmp_path: Path) -> None:
    good = claim(TournamentPlan("prisoners-dilemma", ("always-defect", "always-cooperate"), seeds=2), tmp_path / "good")
    unharmed({"resume": lambda folder, out: told("resume", str(folder))}, TOURNAMENTS[harm], good, tmp_path)


def written(out: Path) -> Iterator[bytes]:
    """Yield everything that a command has written, unpacked."""
    for path in out.rglob("*"):
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                yield from (archive.read(name) for name in archive.namelist())
        elif path.is_file():
            yield path.read_bytes()


def test_the_good_record_is_fine(good: Path, tmp_path: Path) -> None:
    """Check the corpus's basis: the unchanged record can be resumed, verified and shown."""
    record = tmp_path / "record"
    shutil.copytree(good, record)
    assert CliRunner().invoke(app, ["resume", str(record), "--no-report"]).exit_code == 0
    for words in (["verify"], ["report"], ["show", "--no-pager"]):
        result = CliRunner().invoke(app, [words[0], str(record), *words[1:]])
        assert result.exit_code == 0, result.output
    assert '"skipped": 0' in json.dumps(json.loads(looked_at_reach(record)))


def looked_at_reach(record: Path) -> str:
    """Return the progress of the page's index of a record."""
    catalog = RunCatalog([record])
    try:
        return asked(catalog, "run/0/reach")[0][1]
    finally:
        catalog.close()


def test_a_linked_index_of_the_page_keeps_its_tables(good: Path, tmp_path: Path) -> None:
    record, database = tmp_path / "record", tmp_path / "mine.sqlite"
    shutil.copytree(good, record)
    with contextlib.closing(sqlite3.connect(database)) as connection:
        connection.execute("CREATE TABLE mine (x)")
    held = database.read_bytes()
    (record / "view.sqlite").symlink_to(database)
    assert '"chunks"' in looked_at(record)
    assert database.read_bytes() == held
    assert os.readlink(record / "view.sqlite") == str(database)
