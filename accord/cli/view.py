"""`accord view`: browser page over records, finished or in progress."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from accord.cli.error_handling import DONE, write_out
from dilemmas.errors import UsageError

RUNS = Path("runs")


def view(
    runs: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[RUN...]", help="Directories that 'accord run' wrote, or ones above them; or runs/."),
    ] = None,
    port: Annotated[int | None, typer.Option(help="The page's port on 127.0.0.1.", show_default="a free one")] = None,
    browse: Annotated[bool, typer.Option("--open", help="Open it in the browser.")] = False,
    export: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write one run as one HTML file instead, and serve nothing.")
    ] = None,
    max_mb: Annotated[float, typer.Option(help="The most that this file may have.")] = 20.0,
    prompts: Annotated[bool, typer.Option(help="With the prompts and answers of models in that file.")] = True,
) -> int:
    """Show records in the browser: a map, what agents do, think and say, and all that models were asked."""
    from accord.viewer.run_catalog import RunCatalog

    paths = runs or [RUNS]
    if not runs and not RUNS.is_dir():
        raise UsageError("there is no runs/ here; give the directory of a run, e.g. accord view FOLDER")
    if export is not None:
        return _export(paths, export, max_mb, prompts=prompts)
    from accord.viewer.server import Site
    from accord.viewer.serving import address, bind, serve

    catalog = RunCatalog(paths)
    opened = bind(port)
    site = Site(catalog)

    def ready() -> None:
        print_address(address(site, opened))
        if browse:
            webbrowser.open(address(site, opened))

    serve(site, opened, ready)
    return DONE


def print_address(where: str) -> None:
    """Print the address of the page."""
    Console(stderr=True).print(Text(f"look at {where} (this machine only; Ctrl-C ends it)"), soft_wrap=True)


def _export(paths: list[Path], file: Path, max_mb: float, *, prompts: bool) -> int:
    from accord.viewer.export import export

    written = export(paths, file, int(max_mb * 1e6), prompts=prompts)
    write_out(f"{file}: {written.size / 1e6:.1f} MB{written.left_out}")
    return DONE
