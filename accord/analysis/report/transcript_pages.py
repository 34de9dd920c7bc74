"""Transcript pages of a report: one for each player of each run, written while the run's log is read.

A page has no scripts and no outside resources; CSS alone opens and closes steps and hides kinds of steps. Every word of
the record is escaped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from jinja2 import Environment

from accord.analysis.report.model import ReportedRun
from accord.analysis.report.section import TranscriptLinks
from accord.analysis.report.templating import environment
from accord.analysis.report.worker_pool import WorkerPool
from accord.analysis.transcript import KINDS, TranscriptStep, read_steps
from accord.analysis.transcript.model import cost

FOLDER = "minds"
MAX_STEPS = 5_000
"""Maximum number of a player's steps on its page; `accord show` shows the rest."""
MAX_PLAYERS = 64
"""Maximum number of players with a page in a run, in the run's order."""
FLUSH = 200
"""Number of steps that are held before they are written."""
QUIET = ("recalled", "skills", "call")
"""Kinds whose steps are collapsed at first, because they are long and seldom of interest."""


@dataclass
class _Page:
    """Page of a player while it is written."""

    path: Path
    head: str
    """HTML before its first step."""
    steps: int = 0
    left: int = 0
    """Number of steps that are not shown."""
    heading: tuple[int | None, bool, int] | None = None
    waiting: list[str] = field(default_factory=list)
    begun: bool = False

    def write(self) -> None:
        """Append pending steps to the draft of the page."""
        with self.draft.open("a" if self.begun else "w", encoding="utf-8") as file:
            file.writelines(([] if self.begun else [self.head]) + self.waiting)
        self.begun, self.waiting = True, []

    def finish(self, foot: str) -> None:
        """Complete the page and give it its name."""
        self.waiting.append(foot)
        self.write()
        self.draft.replace(self.path)

    @property
    def draft(self) -> Path:
        """Path of the page until it is complete."""
        return self.path.with_suffix(".draft")


def write_transcripts(
    runs: Sequence[ReportedRun], sources: Sequence[Path], directory: Path, pool: WorkerPool
) -> Callable[[], tuple[TranscriptLinks, list[Path]]]:
    """Begin to write the transcript pages of all runs below `directory`.

    Args:
        runs: The runs.
        sources: The runs' own directories, in the same order.
        directory: Folder of the report.
        pool: Executor of the work.

    Returns:
        A function that waits for the pages and returns their links and paths; it raises OSError.
    """
    for old in (directory / FOLDER).glob("run-*/*.html"):
        old.unlink()
    calls = [
        (_head_of(run), source, directory / FOLDER / f"run-{number}")
        for number, (run, source) in enumerate(zip(runs, sources, strict=True), 1)
    ]
    done = pool.begin(write_run, calls)

    def written() -> tuple[TranscriptLinks, list[Path]]:
        found = done()
        links = {
            run.name: [(player, path.relative_to(directory).as_posix()) for player, path in pages]
            for run, pages in zip(runs, found, strict=True)
        }
        return links, [path for pages in found for _, path in pages]

    return written


def _head_of(run: ReportedRun) -> ReportedRun:
    """Return the run reduced to the data in the head of its pages."""
    bare = dict.fromkeys(("lives", "taxes", "grid", "game", "spreading", "progress", "trial", "perceived"))
    return replace(run, talks=(), episodes=(), **bare)  # type: ignore[arg-type] # each of them may be missing


def write_run(run: ReportedRun, source: Path, folder: Path) -> list[tuple[str, Path]]:
    """Write the pages of one run; return (player, path) for each. Raises OSError."""
    templates = environment()
    pages = _pages(run, folder, templates)
    _fill(pages, source, run.name, templates)
    return [(player, page.path) for player, page in pages.items() if page.steps]


def _pages(run: ReportedRun, folder: Path, templates: Environment) -> dict[str, _Page]:
    """Return an empty page for each player, named by its index and the safe characters of its name."""
    players = run.players[:MAX_PLAYERS]
    paths = {
        player: folder / f"{number}-{re.sub(r'[^A-Za-z0-9_-]', '_', player)[:40]}.html"
        for number, player in enumerate(players, 1)
    }
    template = templates.get_template("minds_head.html.j2")
    others = [(player, path.name) for player, path in paths.items()]
    return {
        player: _Page(path, template.render(run=run, player=player, others=others, kinds=KINDS))
        for player, path in paths.items()
    }


def _fill(pages: Mapping[str, _Page], source: Path, name: str, templates: Environment) -> None:
    """Read the log once; add each step to the pages that it concerns."""
    module = templates.get_template("minds_step.html.j2").module
    for step in read_steps(source, players=pages):
        for player in dict.fromkeys((step.player, *step.others)) if step.player else pages:
            if (page := pages.get(player)) is not None:
                _add(page, player, step, module)
    for page in pages.values():
        if page.steps:
            page.finish(str(module.foot(page.left, name)))  # type: ignore[attr-defined] # a macro


def _add(page: _Page, player: str, step: TranscriptStep, module: object) -> None:
    if page.steps >= MAX_STEPS:
        page.left += 1
        return
    if not page.steps:
        page.path.parent.mkdir(parents=True, exist_ok=True)
    page.steps += 1
    heading = (step.episode, step.between, step.attempt)
    if heading != page.heading:
        page.waiting.append(str(module.heading(step, page.heading is not None)))  # type: ignore[attr-defined]
        page.heading = heading
    price = cost(step) if step.calls else ""
    page.waiting.append(str(module.step(step, player, price, step.kind in QUIET)))  # type: ignore[attr-defined]
    if len(page.waiting) >= FLUSH:
        page.write()
