"""`accord run`: play a scenario under one or several conditions, and write a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from accord.cli import option_values, options
from accord.cli.error_handling import DONE, FAILED, say, write_out
from accord.cli.study_options import settings_from, with_study_options
from common.gc_tuning import collection_paused
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from accord.analysis.report.paper.settings import FigureSettings
    from accord.analysis.report.written import WrittenReport
    from accord.cli.keep_open import KeepOpen
    from accord.cli.watch import Watching
    from accord.studies import launch
    from accord.studies.settings import StudySettings
    from accord.studies.status.study_progress import StudyProgress
    from accord.studies.study import StudyResult


@with_study_options
def run(
    scenario: options.ScenarioName,
    contract: options.Contracts = None,
    *,
    dry_run: options.DryRun = False,
    keep_open: options.KeepOpen = False,
    watch: options.WatchIt = False,
    watch_port: options.WatchPort = None,
    invite: options.Invite = False,
    as_json: options.AsJson = False,
    report: options.WithReport = True,
    figures: options.Figures = None,
    style: options.Style = None,
    widths: options.Widths = None,
    **given: Any,  # noqa: ANN401 - the types are those of the options of a study
) -> int:
    """Play a scenario under each contract in turn, on one server, and write a report."""
    drawn = option_values.report_figures(figures, style, widths, report=report)
    with collection_paused():
        settings = settings_from(scenario, tuple(contract or ("none",)), given)
        from accord.studies import launch
    if dry_run:
        return _estimate(settings, as_json=as_json)
    pages = Pages(watch=watch, port=watch_port, invite=invite)
    if not pages and (settings.consent or settings.instructions or settings.questionnaire):
        raise UsageError("--consent, --instructions and --questionnaire need a page: add --watch or --invite")

    def start_of(watching: Watching | None) -> launch.Start:
        if watching is None:
            return launch.starter(settings)
        return launch.starter(settings, watching.placed, watching.seated)

    return play_beside(pages, start_of, settings, report=report, keep_open=keep_open, as_json=as_json, figures=drawn)


@dataclass(frozen=True, kw_only=True)
class Pages:
    """Pages that are served while a study is played."""

    watch: bool
    """True for the page that shows the study."""
    port: int | None
    """Port of the pages; None for a free one."""
    invite: bool
    """True to serve people's pages to this machine's network."""

    def __bool__(self) -> bool:
        return self.watch or self.invite

    def check(self, settings: StudySettings) -> tuple[list[str], str]:
        """Return the names of the human players, who get pages of their own, and their kind of play.

        Raises UsageError.
        """
        people = _people_of(settings)
        if self.port is not None and not self:
            raise UsageError("--watch-port is for --watch: add it")
        if self.invite and not people:
            raise UsageError("--invite: nobody is invited: name the person's player with --human NAME")
        if not people:
            return [], ""
        from accord.studies.people import check_pages, play_of
        from accord.studies.players import mode_of
        from accord.studies.runner import StudyPlan

        # A study that is refused must not have given links to people.
        plan = StudyPlan.of(settings)
        mode = mode_of(plan.settings, plan.scenario).name
        check_pages(plan.scenario, people, mode, served=bool(self))
        return people, play_of(mode)


def play_beside(
    pages: Pages,
    start_of: Callable[[Watching | None], launch.Start],
    settings: StudySettings,
    **how: Any,  # noqa: ANN401 - arguments of `play`
) -> int:
    """Play a study beside its pages, print its result, and return the exit code.

    Args:
        pages: Pages to serve.
        start_of: Returns the function that starts or resumes the study, for its pages.
        settings: Settings of the study.
        how: Further arguments of `play`.

    Raises:
        UsageError: The study has no such pages, or they cannot be served.
    """
    people, kind = pages.check(settings)
    if not pages:
        return print_result(*play(start_of(None), settings, **how), as_json=how["as_json"])
    from accord.cli.watch import Watching

    with Watching(pages.port, people=people, invite=pages.invite, kind=kind) as watching:
        found = play(start_of(watching), settings, watching=watching, **how)
        code = print_result(*found, as_json=how["as_json"])
        watching.stay()
    return code


def _people_of(settings: StudySettings) -> list[str]:
    """Return the names of the human players. Raises UsageError."""
    from accord.studies.players import humans_of
    from dilemmas.scenarios.registry import load_repeated

    return humans_of(settings, load_repeated(settings.scenario, settings.repeat, settings.on_unreadable))


def print_result(result: StudyResult, written: WrittenReport | None, *, as_json: bool) -> int:
    """Print a study's result and return the exit code."""
    from rich.console import Console

    from accord.analysis.report import read_comparison
    from accord.cli.show import show_comparison

    if as_json:
        write_out((result.directory / "result.json").read_text(encoding="utf-8"))
    elif written is not None:
        show_comparison(Console(), written.comparison, "Report", written.html)
    else:
        show_comparison(Console(), read_comparison([result.directory]), "Record", result.directory)
    return _outcome(result)


def _estimate(settings: StudySettings, *, as_json: bool) -> int:
    """Print the expected calls, tokens and dollars of a study without starting it."""
    import asyncio
    import json

    from rich.console import Console

    from accord.cli.show import show_estimate
    from accord.studies.estimate import expect

    found = asyncio.run(expect(settings))
    if as_json:
        write_out(json.dumps(found, indent=2))
    else:
        show_estimate(Console(), found)
    return DONE


def play(
    start: launch.Start,
    settings: StudySettings,
    *,
    report: bool,
    keep_open: bool,
    as_json: bool,
    figures: FigureSettings | None = None,
    watching: Watching | None = None,
) -> tuple[StudyResult, WrittenReport | None]:
    """Play the study and, if `report` is set, write its report.

    Args:
        start: Function that starts or resumes the study.
        settings: Settings of the study.
        report: True to write a report.
        keep_open: True to keep the world open after the last run.
        as_json: True if standard output is for programs.
        figures: Settings of figures for papers.
        watching: The page that shows the study while it is played.

    Raises:
        UsageError: `keep_open` is set for a study with several jobs.
    """
    if keep_open and settings.jobs > 1:
        raise UsageError("--keep-open: with several jobs there is no one world to keep open; leave out --jobs")
    from accord.studies import launch

    # Forked before the imports of the play, so that it prepares meanwhile.
    with launch.report_process(settings) if report else nullcontext() as process:
        import asyncio

        from rich.console import Console
        from rich.text import Text

        from accord.cli.keep_open import KeepOpen

        errors = Console(stderr=True, quiet=as_json and not keep_open)
        with launch.progress_of(settings, errors, announce=keep_open) as progress:
            hold = KeepOpen(errors, progress) if keep_open else None
            if watching is not None:
                # Users who read the result by a program still need the address of the page.
                told = Console(stderr=True) if errors.quiet else errors
                told.print(Text(f"watch it at {watching.address} (this machine only)"), soft_wrap=True)
                watching.tell_seats = partial(_print_seats, told)
                watching.tell_seats(watching.seats)
            result = asyncio.run(_study(start, settings, progress, hold, watching))
            return result, launch.write_up(result.directory, progress, figures, process) if report else None


def _print_seats(console: Console, seats: Mapping[str, str]) -> None:
    """Print the addresses of people's pages."""
    from rich.text import Text

    for name, page in seats.items():
        console.print(Text(f"page of {name}, for this person alone: {page}"), soft_wrap=True)


async def _study(
    start: launch.Start,
    settings: StudySettings,
    progress: StudyProgress,
    hold: KeepOpen | None,
    watching: Watching | None,
) -> StudyResult:
    """Play the study; SIGTERM cancels it as cleanly as Ctrl-C."""
    import asyncio
    import signal

    from accord.studies import launch

    task = asyncio.current_task()
    assert task is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, task.cancel)
    return await launch.play(start, settings, progress, hold=hold, controller=watching, end=task.cancel)


def _outcome(result: StudyResult) -> int:
    """Return the exit code, and print a line to standard error for each incomplete run."""
    from rich.console import Console

    from accord.cli.show import show_cached, show_unpriced

    console = Console(stderr=True)
    show_unpriced(console, _each_run(result))
    show_cached(console, _each_run(result))
    for run_result in _each_run(result):
        if differs := (run_result.get("usage") or {}).get("differs"):
            place = f"{run_result['condition']}, seed {run_result['seed']}"
            say(f"{place}: {differs} prompts differ from the recorded ones; calls.jsonl has the diffs", prefix="")
        if run_result["status"] != "complete":
            place = f"{run_result['condition']}, seed {run_result['seed']}"
            say(f"{place}: {run_result['status']}: {run_result.get('reason') or 'see events.jsonl'}")
    return DONE if result.status == "complete" else FAILED


def _each_run(result: StudyResult) -> Iterator[dict[str, Any]]:
    for condition in result.results:
        yield from condition.get("runs", [condition])
