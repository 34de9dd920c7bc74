"""A study with its progress and its report: what `accord run`, `accord resume` and `accord.study` have in common."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from accord.analysis.report import write_report
from accord.cli import options
from accord.cli.progress import StudyProgress
from accord.studies.conditions import expand
from accord.studies.factors import variants
from accord.studies.settings import StudySettings

if TYPE_CHECKING:
    from accord.analysis.report.paper.figures import FigureSettings
    from accord.analysis.report.writer import WrittenReport
    from accord.cli.watch import Watching
    from accord.studies.study import StudyResult


def progress_of(settings: StudySettings, console: Console, *, announce: bool = False) -> StudyProgress:
    """What tells on `console` how far that study is; `announce`: its address also where all else is quiet."""
    runs = settings.runs * len(expand(settings.contracts)) * len(variants(settings))
    return StudyProgress(console, runs, announce=announce, jobs=min(runs, settings.jobs))


async def play(
    start: options.Start,
    settings: StudySettings,
    progress: StudyProgress,
    *,
    hold: options.Hold | None = None,
    watching: Watching | None = None,
    end: Callable[[], object] | None = None,
) -> StudyResult:
    """Start the study, and tell how far it is. A page that is `watching` may pause the study and, by `end`, end it.

    Raises what the study raises.
    """
    from bridge.servers.attached import open_running_or_new

    async with progress.beating(), nullcontext() if watching is None else watching.hearing():
        worlds: options.Worlds = open_running_or_new
        # Workers of several jobs open their worlds themselves; nobody steers those.
        if watching is not None and end is not None and settings.jobs == 1:
            worlds = watching.steer(open_running_or_new, end)
        return await start(progress.hear, hold, worlds, progress.watch)


def write_up(directory: Path, progress: StudyProgress, figures: FigureSettings | None = None) -> WrittenReport:
    """Write the report of the study in that directory into it. Raises as `write_report`."""
    progress.note("writing the report")
    return write_report([directory], directory, figures)


def study(settings: StudySettings, placed: Callable[[Path], object] | None = None) -> options.Start:
    """What starts that study; `placed` is told where its record is."""

    def start(
        listen: options.Listen, hold: options.Hold | None, worlds: options.Worlds, watch: options.Watch
    ) -> options.Study:
        from accord.studies.study import run_study

        return run_study(settings, listen=listen, hold=hold, worlds=worlds, watch=watch, placed=placed)

    return start
