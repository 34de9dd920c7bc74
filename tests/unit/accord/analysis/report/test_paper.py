"""Figures and tables for papers: formats, fonts, data, style, reproducible bytes, and LaTeX that compiles."""

from __future__ import annotations

import csv
import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from accord.analysis.report import read_comparison, write_report
from accord.analysis.report.paper import figures
from accord.analysis.report.paper.figures import paper_files
from accord.analysis.report.paper.latex import escaped
from accord.analysis.report.paper.settings import FORMATS, FigureSettings
from accord.analysis.report.sections import FoundSection, found_sections
from accord.cli.option_values import figure_settings as asked
from dilemmas.errors import UsageError
from dilemmas.records import events as log
from tests.unit.accord.analysis.report.latex import compile_example
from tests.unit.accord.analysis.report.synthetic import GREEDY, Story, write_run

ODD = r"50% \of{_a}^#~$&<x>--|'q`"
PLACES = (
    log.GroundLaid(origin=(0, 0, 0), corner=(-3, -3), blocks=["", "grass_block", "chest"],
                   rows=[[9, 1], [4, 1, 1, 2, 4, 1]]),
    log.PlacesSeen(t_s=0.0, at={"Gizmo": (0.5, -60, 0.5), "Glitch": (2.5, -60, 2.5)}),
    log.PlacesSeen(t_s=1.0, at={"Gizmo": (3.5, -60, 0.5), "Glitch": (2.5, -60, 4.5)}),
)  # fmt: skip


@pytest.fixture(scope="module", name="runs")
def _runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write two runs under each of two conditions, one of which has a name with characters special to TeX."""
    folder = tmp_path_factory.mktemp("runs")
    for seed in (0, 1):
        own = {"attacks": {"Gizmo": 4.0 + seed, "Glitch": 1.0}, "hits_on_gizmo": {"Glitch": 2.0}}
        plain = Story(condition="none", seed=seed, items=GREEDY, measures=own, world={"iron_ore": 12}, extra=PLACES)
        write_run(folder / f"none-{seed}", plain)
        write_run(
            folder / f"odd-{seed}", Story(condition=ODD, seed=seed, transfer=11 + seed, measures=own, extra=PLACES)
        )
    return folder


FIGURES = ("welfare", "resources", "world", "rewards", "measures", "hits", "places")
SHARED = ("welfare", "hits", "places")
"""Figures in all formats: curves with bars, a table of colours, and a map. The others are drawn as SVG alone."""


@pytest.fixture(scope="module", name="files")
def _files(runs: Path) -> Mapping[str, bytes]:
    every = figures.plots_of

    def drawn(shared: bool, *formats: str) -> dict[str, bytes]:
        def kept(found: Sequence[FoundSection]) -> dict[str, figures.Plot]:
            return {name: plot for name, plot in every(found).items() if (name in SHARED) is shared}

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(figures, "plots_of", kept)
            return files_of(runs, FigureSettings(formats=formats))

    return {**drawn(False, "svg"), **drawn(True, *FORMATS)}


def files_of(runs: Path, settings: FigureSettings) -> dict[str, bytes]:
    comparison = read_comparison([runs])
    return paper_files(comparison, found_sections(comparison), settings)


def test_every_figure_has_two_widths_in_every_format_and_its_data(files: Mapping[str, bytes]) -> None:
    names = {path.removeprefix("figures/") for path in files}
    forms = {name: FORMATS if name in SHARED else ("svg",) for name in FIGURES}
    expected = {f"{name}-{width}col.{form}" for name in FIGURES for width in (1, 2) for form in forms[name]}
    expected |= {f"{name}.csv" for name in FIGURES} | {"accord.mplstyle", "example.tex"}
    expected |= {f"tables/{name}.tex" for name in ("conditions", "payoffs", "measures", "differences")}
    assert names == expected
    assert all(files.values())


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw only two of the figures, for properties that all figures share."""
    every = figures.plots_of
    monkeypatch.setattr(
        figures, "plots_of", lambda found: {name: every(found)[name] for name in ("welfare", "rewards")}
    )


@pytest.mark.usefixtures("few")
def test_the_widths_are_those_that_are_asked_for(runs: Path, files: Mapping[str, bytes]) -> None:
    def inches(found: Mapping[str, bytes], columns: int) -> float:
        box = re.search(rb"/MediaBox \[ ?0 0 ([\d.]+)", found[f"figures/welfare-{columns}col.pdf"])
        assert box is not None
        return float(box[1]) / 72

    assert (inches(files, 1), inches(files, 2)) == (pytest.approx(3.35, abs=0.01), pytest.approx(7.0, abs=0.01))
    others = files_of(runs, FigureSettings(widths=(2.5, 6.0)))
    assert (inches(others, 1), inches(others, 2)) == (pytest.approx(2.5, abs=0.01), pytest.approx(6.0, abs=0.01))
    assert not any(path.endswith((".svg", ".png")) for path in others)


def test_text_is_text_in_embedded_fonts(files: Mapping[str, bytes]) -> None:
    for path, data in files.items():
        if path.endswith(".pdf"):
            assert b"/Type3" not in data, path
            assert data.count(b"/FontFile2") >= 1, path
            streams = b"".join(
                _inflated(each) for each in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", data, re.DOTALL)
            )
            assert b" Tf" in streams, path
            assert b"CreationDate" not in data, path
        if path.endswith(".svg"):
            assert b"<text" in data, path
            assert b"<dc:date>" not in data, path
    svg = files["figures/welfare-1col.svg"].decode()
    assert ">welfare (emeralds)</text>" in svg


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


def test_the_data_of_a_figure_are_what_it_shows(runs: Path, files: Mapping[str, bytes]) -> None:
    rows = list(csv.DictReader(files["figures/welfare.csv"].decode().splitlines()))
    ends = [row for row in rows if row["panel"] == "at the end" and row["series"] == "none"]
    comparison = read_comparison([runs])
    none = comparison.conditions[0]
    assert [float(row["y"]) for row in ends if row["shows"] == "run"] == list(none.samples["welfare", ""])
    (mean,) = [row for row in ends if row["shows"] == "mean"]
    assert (mean["x"], float(mean["y"])) == ("none", none.summaries["welfare", ""].mean)
    curve = [
        row for row in rows if row["panel"] == "over game time" and row["series"] == "none" and row["shows"] == "mean"
    ]
    # 11 states; the last one and the final truth fall on the same moment.
    assert [float(row["x"]) for row in curve] == [4.0 * step for step in range(11)]
    assert float(curve[-1]["y"]) == none.summaries["welfare", ""].mean
    ways = list(csv.DictReader(files["figures/places.csv"].decode().splitlines()))
    assert {(row["series"], row["x"], row["y"]) for row in ways if row["shows"].startswith("none-0 at 1")} == {
        ("Gizmo", "3.5", "0.5"), ("Glitch", "2.5", "4.5")
    }  # fmt: skip
    hits = list(csv.DictReader(files["figures/hits.csv"].decode().splitlines()))
    assert ("Glitch", "Gizmo", "2.0") in {(row["series"], row["x"], row["y"]) for row in hits}


def test_the_same_record_gives_the_same_bytes_in_another_process(
    runs: Path, files: Mapping[str, bytes], tmp_path: Path
) -> None:
    # All figures as SVG, because differences between processes arise in matplotlib's input. One as PDF for its writer.
    code = (
        "from pathlib import Path; from accord.analysis.report import read_comparison;"
        "from accord.analysis.report.paper import figures;"
        "from accord.analysis.report.sections import found_sections;"
        f"runs = read_comparison([Path({str(runs)!r})]); parts = found_sections(runs);"
        "found = figures.paper_files(runs, parts, figures.FigureSettings(formats=('svg',)));"
        "every = figures.plots_of(parts);"
        "figures.plots_of = lambda _: {'welfare': every['welfare']};"
        "found = {**figures.paper_files(runs, parts, figures.FigureSettings(formats=('pdf',))), **found};"
        f"paths = {{Path({str(tmp_path)!r}, name): data for name, data in found.items()}};"
        "[path.parent.mkdir(parents=True, exist_ok=True) for path in paths];"
        "[path.write_bytes(data) for path, data in paths.items()]"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONHASHSEED": "7"})
    again = {path for path in files if (tmp_path / path).exists()}
    left = {path for path in files if not path.endswith((".png", ".pdf"))}
    assert again == {*left, "figures/welfare-1col.pdf", "figures/welfare-2col.pdf"}
    # The example is about the figures that LaTeX reads: here, those that were drawn last.
    example = "figures/example.tex"
    assert set((tmp_path / example).read_bytes().splitlines()) < set(files[example].splitlines())
    for path in again - {example}:
        assert (tmp_path / path).read_bytes() == files[path], path


def test_tables_use_booktabs_and_names_are_escaped(files: Mapping[str, bytes]) -> None:
    for path in (each for each in files if "/tables/" in each):
        text = files[path].decode()
        begin = re.search(r"\\begin\{tabular\}\{@\{\}([lr]+)@\{\}\}", text)
        assert begin is not None, path
        assert [text.count(rule) for rule in (r"\toprule", r"\midrule", r"\bottomrule")] == [1, 1, 1], path
        rows = [line for line in text.splitlines() if line.endswith(r" \\")]
        assert rows
        for row in rows:
            assert len(re.findall(r"(?<!\\)&", row)) == len(begin[1]) - 1, row
        bare = re.sub(r"\\[%&_#${}]|\$[^$]*\$|\\[a-z]+|%[^\n]*\n", "", text, count=0)
        assert not re.search(r"[#^~]", bare), path
    assert escaped("--a---b") == "-{}-a-{}-{}-b"
    assert escaped(ODD) in files["figures/tables/conditions.tex"].decode()


@pytest.mark.usefixtures("few")
def test_a_style_replaces_ours(runs: Path, tmp_path: Path) -> None:
    style = tmp_path / "mine.mplstyle"
    style.write_text(
        "axes.prop_cycle: cycler('color', ['123456', 'abcdef'])\naxes.labelsize: 6.25\ntext.parse_math: True\n"
    )
    found = files_of(runs, FigureSettings(formats=("svg",), style=style))
    svg = found["figures/rewards-1col.svg"].decode()
    assert "#123456" in svg
    assert "#0072b2" not in svg
    assert "6.25px" in svg
    assert found["figures/accord.mplstyle"] == style.read_bytes()
    # Names come from records: a dollar sign in a name starts no formula, even if the style enables TeX.
    assert "$" in found["figures/welfare-1col.svg"].decode()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("axes.titlesise: 9\n", r"line 1: 'axes.titlesise' is no setting of matplotlib; did you mean 'axes.titlesize'"),
        ("\nnonsense\n", r"line 2: 'nonsense' is no setting of matplotlib"),
        ("font.size: big\n", r"mine.mplstyle: .*big"),
        ("font.family: No Such Font\n", r"font.family: 'No Such Font' is not on this machine; install it, or name"),
        ("text.usetex: True\n", r"text.usetex: True is not possible"),
    ],
)
def test_a_bad_style_is_an_error_in_one_line(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "mine.mplstyle").write_text(text)
    with pytest.raises(UsageError, match=said) as caught:
        FigureSettings(style=tmp_path / "mine.mplstyle")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (("pdf,doc", None, None), r"--figures 'doc': choose from pdf, svg, png"),
        ((None, Path("x"), None), r"--style and --widths are for --figures"),
        (("pdf", None, "3"), r"--widths '3' is not two widths in inches"),
        (("pdf", None, "3,400"), r"--widths 400: give inches from 1.5 to 20"),
        (("pdf", None, "3,nan"), r"--widths nan: give inches"),
        (("pdf", Path("/none/x.mplstyle"), None), r"--style /none/x.mplstyle: no such file or directory"),
    ],
)
def test_bad_options_are_errors_in_one_line(given: tuple[str | None, Path | None, str | None], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        asked(*given)


def test_without_the_option_there_are_no_figures(runs: Path, tmp_path: Path) -> None:
    assert asked(None, None, None) is None
    write_report([runs], tmp_path)
    assert not (tmp_path / "figures").exists()


@pytest.mark.skipif(
    shutil.which("pdflatex") is None, reason="no pdflatex here: apt-get install texlive-latex-recommended"
)
def test_the_example_compiles_in_two_columns(files: Mapping[str, bytes], tmp_path: Path) -> None:
    for path, data in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_bytes(data)
    compile_example(tmp_path / "figures", tmp_path)
