"""Playing a study with progress on a console, and writing its report, for `accord run`, `accord resume` and Python."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager, AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from accord.analysis.report import write_report

if TYPE_CHECKING:
    from rich.console import Console

    from accord.analysis.report.beside import ReportProcess
    from accord.analysis.report.paper.settings import FigureSettings
    from accord.analysis.report.written import WrittenReport
    from accord.studies.option_groups import PlanOptions
    from accord.studies.runner import Listen, Worlds
    from accord.studies.settings import StudySettings
    from accord.studies.status.study_progress import StudyProgress
    from accord.studies.study import Hold, StudyResult
    from dilemmas.people import HumanPlayers
    from dilemmas.records.progress_events import ProgressListener

    Start = Callable[[Listen, Hold | None, Worlds, ProgressListener], Coroutine[None, None, StudyResult]]
    """Function that starts or resumes a study.

    Its arguments are the listener for events, the function that keeps the world open after the last run, the factory
    of worlds, and the listener for progress events.
    """


class Controller(Protocol):
    """Remote control of a study, such as the page of `accord run --watch`."""

    def hearing(self) -> AbstractAsyncContextManager[None]:
        """Return a context in which requests to pause, continue or end the study are handled."""
        ...

    def steer(self, make: Worlds, end: Callable[[], object]) -> Worlds:
        """Return a factory of worlds that can be paused; `end` ends the study."""
        ...


def progress_of(settings: StudySettings, console: Console, *, announce: bool = False) -> StudyProgress:
    """Return the progress display of a study.

    Args:
        settings: Settings of the study, which determine its number of runs.
        console: The console to write to.
        announce: Whether to print the world's address even if `console` is not a terminal.
    """
    # Imported here, so that the process that writes the report is forked before.
    from accord.studies.conditions import expand
    from accord.studies.status.study_progress import StudyProgress
    from accord.studies.variants import variants

    runs = settings.runs * len(expand(settings.contracts)) * len(variants(settings))
    return StudyProgress(console, runs, announce=announce, jobs=min(runs, settings.jobs))


async def play(
    start: Start,
    settings: PlanOptions,
    progress: StudyProgress,
    *,
    hold: Hold | None = None,
    controller: Controller | None = None,
    end: Callable[[], object] | None = None,
) -> StudyResult:
    """Play a study, show its progress, and return its result.

    Args:
        start: Function that starts or resumes the study.
        settings: The study's settings.
        progress: Display of the study's progress.
        hold: Awaited after the last run, while the world is still up.
        controller: Remote control, which may pause the study and end it by `end`.
        end: Function that ends the study.
    """
    from bridge.servers.attached import open_running_or_new

    async with progress.beating(), nullcontext() if controller is None else controller.hearing():
        worlds: Worlds = open_running_or_new
        # With several jobs, worker processes open the worlds, where a controller cannot pause them.
        if controller is not None and end is not None and settings.jobs == 1:
            worlds = controller.steer(open_running_or_new, end)
        return await start(progress.hear, hold, worlds, progress.watch)


def report_process(settings: StudySettings) -> AbstractContextManager[ReportProcess | None]:
    """Return a context with a process that prepares to write the report while the study is played.

    The value is None for studies that may take long, during which the process would be idle for hours.
    """
    from accord.analysis.report.beside import ReportProcess
    from accord.analysis.report.forked import can_fork

    short = settings.virtual and settings.model is None and not settings.models and settings.jobs == 1
    return ReportProcess() if short and can_fork() else nullcontext()


def write_up(
    directory: Path,
    progress: StudyProgress,
    figures: FigureSettings | None = None,
    process: ReportProcess | None = None,
) -> WrittenReport:
    """Write the report of a study into its directory.

    Args:
        directory: Directory of the study.
        progress: Display of the study's progress.
        figures: Settings of figures for papers; None for none.
        process: Process prepared for writing the report, if any.

    Raises:
        UsageError: The directory is not writable.
        RecordError: A record in it cannot be read.
    """
    progress.note("writing the report")
    write = write_report if process is None else process.write
    return write([directory], directory, figures)


def starter(
    settings: StudySettings,
    placed: Callable[[Path], object] | None = None,
    seated: Callable[[HumanPlayers], object] | None = None,
) -> Start:
    """Return a function that starts a new study.

    Args:
        settings: Settings of the study.
        placed: Called with the record's directory once it exists.
        seated: Called with the human players, if there are any, before the first run.
    """

    async def start(listen: Listen, hold: Hold | None, worlds: Worlds, watch: ProgressListener) -> StudyResult:
        from accord.studies.study import run_study

        return await run_study(
            settings, listen=listen, hold=hold, worlds=worlds, watch=watch, placed=placed, seated=seated
        )

    return start
