"""Writes a report's files: report.html, plots/*.svg, the tables of `accord.analysis.report.tables`, and, where
wanted, figures for a paper (`accord.analysis.report.paper`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

from markupsafe import Markup

from accord.analysis.report.comparison import Comparison, compare
from accord.analysis.report.drawing import render
from accord.analysis.report.helpers import Crew, crew_for
from accord.analysis.report.minds import Links, write_minds
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.page import page
from accord.analysis.report.paper.figures import FigureSettings, paper_files
from accord.analysis.report.perception.figures import FIGURES as PERCEPTION_FIGURES
from accord.analysis.report.perception.findings import Perceptions, perceptions_of
from accord.analysis.report.perception.pages import perception_page
from accord.analysis.report.perception.tables import perception_tables
from accord.analysis.report.plots import PLOTS
from accord.analysis.report.progress.chapter import progress_chapter
from accord.analysis.report.progress.figures import FIGURES as PROGRESS_FIGURES
from accord.analysis.report.progress.findings import progress_of
from accord.analysis.report.progress.tables import progress_tables
from accord.analysis.report.reader import find_runs, read_runs
from accord.analysis.report.society.figures import FIGURES
from accord.analysis.report.society.findings import Findings, findings
from accord.analysis.report.society.pages import life_pages, society_page
from accord.analysis.report.society.tables import society_tables
from accord.analysis.report.society.tax_figures import FIGURES as TAX_FIGURES
from accord.analysis.report.society.tax_figures import OF_LAWS
from accord.analysis.report.society.tax_page import law_chapter, tax_chapter
from accord.analysis.report.society.tax_tables import law_tables, tax_tables
from accord.analysis.report.society.taxes import lawful, taxes
from accord.analysis.report.style import LIGHT, Theme, on_dark_ground
from accord.analysis.report.tables import tables
from accord.analysis.report.towns.figures import FIGURES as TOWN_FIGURES
from accord.analysis.report.towns.findings import Towns, towns_of
from accord.analysis.report.towns.pages import life_pages as life_pages_of
from accord.analysis.report.towns.pages import towns_page
from accord.analysis.report.towns.tables import town_tables
from accord.analysis.report.trials.figures import FIGURES as TRIAL_FIGURES
from accord.analysis.report.trials.findings import Trials, trials_of
from accord.analysis.report.trials.page import trials_page
from accord.analysis.report.trials.tables import trial_tables
from accord.analysis.validity import Treatment
from common.plain_files import make_folder
from dilemmas.errors import UsageError
from dilemmas.records.folders import check_places
from dilemmas.records.record import write_atomically

PLACES = ("plots", "minds", "figures", "lives")
"""Folders of a report."""
Minds = Callable[[], Links]
"""Waits for the pages of minds: whose they are, by run."""
PHONE_IN = 4.3
"""Inches that a figure is wide where the page is as narrow as a phone: its letters can be read there."""


@dataclass(frozen=True)
class WrittenReport:
    """A written report."""

    html: Path
    comparison: Comparison
    files: tuple[Path, ...]
    """Everything that was written, the page first."""


def write(
    paths: Sequence[Path],
    directory: Path,
    figures: FigureSettings | None = None,
    policy: Treatment | None = None,
) -> WrittenReport:
    """What `accord.analysis.report.write_report` does."""
    with crew_for(find_runs(paths)) as crew:
        return _written(paths, directory, figures, policy, crew)


def _written(
    paths: Sequence[Path], directory: Path, figures: FigureSettings | None, policy: Treatment | None, crew: Crew
) -> WrittenReport:
    runs = read_runs(paths, policy, crew)
    comparison = compare(runs)
    towns = towns_of(comparison)
    try:
        # What stands in these folders is removed or written over, and a link there would lead elsewhere.
        check_places(directory, PLACES)
        # Helpers write these pages while this process draws.
        written = cache(_minds(runs, paths, directory, crew))
        texts: dict[str, str | bytes] = {
            **(_of_towns(towns) if towns is not None else _texts(comparison, lambda: written()[0]))
        }
        pages = written()[1]
        texts.update(paper_files(comparison, figures) if figures else {})
        for name, text in texts.items():
            make_folder((directory / name).parent, directory)
            write_atomically(directory / name, text)
        for name, text in life_pages_of(towns) if towns is not None else ():
            path = directory / name
            make_folder(path.parent, directory)
            # There may be a page for each of a crowd: none is worth waiting for the disk.
            path.write_text(text, encoding="utf-8")
            pages.append(path)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"cannot write the report to {directory}: {reason}; choose a folder with --out") from None
    files = (*(directory / name for name in texts), *pages)
    return WrittenReport(files[0], comparison, files)


def _minds(
    runs: Sequence[ReportedRun], paths: Sequence[Path], directory: Path, crew: Crew
) -> Callable[[], tuple[Links, list[Path]]]:
    """Pages of minds, begun; of a crowd without a model there is nothing in them that its lives' pages do not tell."""
    pairs = zip(runs, find_runs(paths), strict=True)
    shown = [(run, path) for run, path in pairs if run.spreading is None or run.calls]
    return write_minds([run for run, _ in shown], [path for _, path in shown], directory, crew)


def _texts(comparison: Comparison, minds: Minds) -> dict[str, str]:
    if (trials := trials_of(comparison)) is not None:
        return _of_trials(trials, minds)
    society = findings(comparison)
    if (perceptions := perceptions_of(comparison)) is not None:
        return _of_perceptions(perceptions, society, minds)
    if society is not None:
        return _of_society(society, minds)
    shown = {name: plot for name, plot in PLOTS.items() if plot.applies(comparison)}
    dresses = _dressed({name: partial(render, plot.draw, comparison) for name, plot in shown.items()})
    return {
        "report.html": page(comparison, dresses, minds()),
        **{f"plots/{name}.svg": svg for name, svg in dresses["light"].items()},
        **tables(comparison),
    }


def _of_towns(towns: Towns) -> dict[str, str]:
    """A society of towns' report: what spread there by words."""
    dresses = _dressed({name: partial(plot.svg, towns) for name, plot in TOWN_FIGURES.items()})
    return {
        "report.html": towns_page(towns, dresses),
        **{f"plots/{name}.svg": svg for name, svg in dresses["light"].items()},
        **tables(towns.comparison),
        **town_tables(towns),
    }


def _of_trials(found: Trials, minds: Minds) -> dict[str, str]:
    """The report of Voyager's benchmark: tools, items and map by iteration."""
    dresses = _dressed({name: partial(plot.svg, found) for name, plot in TRIAL_FIGURES.items()})
    return {
        "report.html": trials_page(found, dresses, minds()),
        **{f"plots/{name}.svg": svg for name, svg in dresses["light"].items()},
        **tables(found.comparison),
        **trial_tables(found),
    }


def _of_society(society: Findings, minds: Minds) -> dict[str, str]:
    """A society's report: nothing is earned there."""
    dresses = _dressed({name: partial(plot.svg, society) for name, plot in FIGURES.items()})
    chapter, more = _of_progress(society) or _of_taxes(society)
    return {
        "report.html": society_page(society, dresses, minds(), chapter),
        **{f"plots/{name}.svg": svg for name, svg in dresses["light"].items()},
        **tables(society.comparison),
        **society_tables(society),
        **more,
        **life_pages(society, minds()),
    }


def _of_progress(society: Findings) -> tuple[Markup, dict[str, str]] | None:
    """The chapter on what agents came by, and its figures and tables; None where that was not counted."""
    found = progress_of(society)
    if found is None:
        return None
    dresses = _dressed({name: partial(plot.svg, found) for name, plot in PROGRESS_FIGURES.items()})
    files = {f"plots/{name}.svg": svg for name, svg in dresses["light"].items()}
    return progress_chapter(found, dresses), {**files, **progress_tables(found)}


def _of_perceptions(found: Perceptions, society: Findings | None, minds: Minds) -> dict[str, str]:
    """The report of an experiment on perception: what is thought of others beside what is true."""
    dresses = _dressed({name: partial(plot.svg, found) for name, plot in PERCEPTION_FIGURES[found.study].items()})
    return {
        "report.html": perception_page(found, society, dresses),
        **{f"plots/{name}.svg": svg for name, svg in dresses["light"].items()},
        **tables(found.comparison),
        **perception_tables(found),
        **(life_pages(society, minds()) if society is not None else {}),
    }


def _of_taxes(society: Findings) -> tuple[Markup, dict[str, str]]:
    """The chapter on tax and law, and its figures and tables; of the law alone where nobody is taxed, and nothing where
    there is no law."""
    found = taxes(society)
    if found is None:
        return _of_law(society)
    dresses = _dressed({name: partial(plot.svg, found) for name, plot in TAX_FIGURES.items()})
    files = {f"plots/{name}.svg": svg for name, svg in dresses["light"].items()}
    return tax_chapter(found, dresses), {**files, **tax_tables(found)}


def _of_law(society: Findings) -> tuple[Markup, dict[str, str]]:
    """The chapter on a law that taxes nobody."""
    found = lawful(society)
    if found is None:
        return Markup(), {}
    voted = any(run.leans for each in found.societies for run in each.runs)
    shown = {name: TAX_FIGURES[name] for name in OF_LAWS if voted}
    dresses = _dressed({name: partial(plot.svg, found) for name, plot in shown.items()})
    files = {f"plots/{name}.svg": svg for name, svg in dresses["light"].items()}
    return law_chapter(found, dresses), {**files, **law_tables(found)}


def _dressed(makers: Mapping[str, Callable[[Theme], str]]) -> dict[str, dict[str, str]]:
    """Dress -> figure -> SVG text: light and dark, each also as narrow as a phone."""
    phone = replace(LIGHT, width=PHONE_IN)
    light = {
        dress: {name: make(theme) for name, make in makers.items()}
        for dress, theme in (("light", LIGHT), ("light-phone", phone))
    }
    dark = {
        dress.replace("light", "dark"): {name: on_dark_ground(svg) for name, svg in made.items()}
        for dress, made in light.items()
    }
    return {**light, **dark}
