"""Writer of a report's files: report.html, plots/*.svg, CSV tables, further pages, and figures for a paper."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from accord.analysis.ratings import Rater
from accord.analysis.report.comparison import Comparison, compare
from accord.analysis.report.forked import call_all
from accord.analysis.report.grid.findings import with_learning_curves
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.paper.settings import FigureSettings
from accord.analysis.report.reader import find_runs, read_runs
from accord.analysis.report.rendering import Dresses, render_page
from accord.analysis.report.section import TranscriptLinks
from accord.analysis.report.sections import FoundSection, found_sections
from accord.analysis.report.style import LIGHT, Theme, on_dark_ground
from accord.analysis.report.tables import run_tables
from accord.analysis.report.transcript_pages import write_transcripts
from accord.analysis.report.words.people import with_flags
from accord.analysis.report.worker_pool import WorkerPool, pool_for
from accord.analysis.report.written import WrittenReport
from accord.analysis.validity import Treatment
from accord.analysis.words.monitors import read_flag_files
from common.plain_files import make_folder
from dilemmas.errors import UsageError
from dilemmas.records.folders import check_places
from dilemmas.records.record import write_atomically

PLACES = ("plots", "minds", "figures", "lives")
"""Folders of a report."""
PHONE_IN = 4.3
"""Width of a figure on a page as narrow as a phone, in inches; letters stay readable."""
THEMES: Mapping[str, Theme] = {"light": LIGHT, "light-phone": replace(LIGHT, width=PHONE_IN)}
"""Dress -> theme of the dresses that are drawn."""
DRESSES = (*THEMES, *(dress.replace("light", "dark") for dress in THEMES))
"""All dresses of a figure: light and dark, each also as narrow as a phone."""


def write(
    paths: Sequence[Path],
    directory: Path,
    figures: FigureSettings | None = None,
    policy: Treatment | None = None,
    *,
    paired: bool = False,
    mixed: bool = False,
    learning_curves: Sequence[Path] = (),
    raters: Sequence[Rater] = (),
    flags: Sequence[Path] = (),
) -> WrittenReport:
    """Write a report; see `accord.analysis.report.write_report`.

    Args:
        paths: Directories of runs, or directories above them.
        directory: Folder of the report.
        figures: Figures for a paper, or None for none.
        policy: Treatment of invalid runs; None for that of their studies.
        paired: True for tests in pairs of equal seeds.
        mixed: True for tests by a mixed model.
        learning_curves: Files with learning curves.
        raters: Models whose kept ratings are used.
        flags: Files with flags of wrong utterances by people.

    Raises:
        UsageError: There is no run, the folder is not writable, or a file holds no learning curve of the runs' game.
        PrerequisiteError: A mixed model is asked for, and statsmodels is not installed.
        RecordError: A record cannot be read.
    """
    people = read_flag_files(flags)
    with pool_for(find_runs(paths)) as pool:
        runs = read_runs(paths, policy, pool, paired=paired, mixed=mixed, raters=raters)
        runs = with_flags(runs, people)
        comparison = with_learning_curves(compare(runs), learning_curves)
        try:
            return _write_files(comparison, runs, directory, figures, _begin_transcripts(runs, paths, directory, pool))
        except OSError as error:
            reason = (error.strerror or str(error)).lower()
            raise UsageError(f"cannot write the report to {directory}: {reason}; choose a folder with --out") from None


def _begin_transcripts(
    runs: Sequence[ReportedRun], paths: Sequence[Path], directory: Path, pool: WorkerPool
) -> Callable[[], tuple[TranscriptLinks, list[Path]]]:
    """Begin the transcripts' pages. Those of a crowd without a model would only repeat the pages of its lives."""
    # Files in these folders are removed or overwritten, and a link would lead outside the report.
    check_places(directory, PLACES)
    pairs = zip(runs, find_runs(paths), strict=True)
    shown = [(run, path) for run, path in pairs if run.spreading is None or run.calls]
    return write_transcripts([run for run, _ in shown], [path for _, path in shown], directory, pool)


def _write_files(
    comparison: Comparison,
    runs: Sequence[ReportedRun],
    directory: Path,
    figures: FigureSettings | None,
    minds: Callable[[], tuple[TranscriptLinks, list[Path]]],
) -> WrittenReport:
    written = cache(minds)
    found = found_sections(comparison)
    texts: dict[str, str | bytes] = dict(section_files(comparison, found, lambda: written()[0]))
    links, pages = written()
    texts.update(_paper_files(comparison, found, figures) if figures else {})
    for name, text in texts.items():
        make_folder((directory / name).parent, directory)
        write_atomically(directory / name, text, flush=False)
    for name, text in (page for each in found for page in each.section.pages(each.findings, links)):
        path = directory / name
        make_folder(path.parent, directory)
        # A crowd has a page for each agent, so pages are written without waiting for the disk.
        path.write_text(text, encoding="utf-8")
        pages.append(path)
    files = (*(directory / name for name in texts), *pages)
    return WrittenReport(files[0], comparison, files)


def _paper_files(comparison: Comparison, found: Sequence[FoundSection], figures: FigureSettings) -> Mapping[str, bytes]:
    # Imported here, because it loads matplotlib with the formats of papers, which few reports need.
    from accord.analysis.report.paper.figures import paper_files

    return paper_files(comparison, found, figures)


def section_files(
    comparison: Comparison, found: Sequence[FoundSection], links: Callable[[], TranscriptLinks]
) -> dict[str, str]:
    """Return the page, figures and tables of all sections: path relative to the report -> text.

    Args:
        comparison: The runs.
        found: The leading section, then its parts.
        links: Waits for the transcripts' pages; called after the figures are drawn.
    """
    drawn = _draw(found, in_rounds=comparison.in_rounds)
    files = {"report.html": render_page(comparison, found, drawn, links())}
    for dresses in drawn:
        files.update({f"plots/{name}.svg": svg for name, svg in dresses["light"].items()})
    files.update(run_tables(comparison))
    for each in found:
        files.update(each.section.tables(each.findings))
    return files


def _draw(found: Sequence[FoundSection], *, in_rounds: bool) -> list[Dresses]:
    """Return each section's figures in every dress; the dark ones take no second drawing."""
    shown = [each.figures() for each in found]
    if not any(shown):
        return [{dress: {} for dress in DRESSES} for _ in found]
    # Imported here, because it loads matplotlib.
    from accord.analysis.report.drawing import render

    drawn = iter(
        call_all(
            [
                partial(render, figure, each.findings, theme, in_rounds=in_rounds)
                for each, figures in zip(found, shown, strict=True)
                for theme in THEMES.values()
                for figure in figures.values()
            ]
        )
    )
    return [_with_dark({dress: {name: next(drawn) for name in figures} for dress in THEMES}) for figures in shown]


def _with_dark(light: Dresses) -> Dresses:
    """Return the light dresses of figures and the dark ones made from them."""
    dark = {
        dress.replace("light", "dark"): {name: on_dark_ground(svg) for name, svg in made.items()}
        for dress, made in light.items()
    }
    return {**light, **dark}
