"""`accord view`: browser page over records, finished or in progress."""

from __future__ import annotations

import re
import webbrowser
from pathlib import Path
from typing import Annotated, Any

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
    video: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write one run as a video instead: .mp4, .webm (with ffmpeg) or .gif."),
    ] = None,
    begin_s: Annotated[
        float, typer.Option("--from", metavar="S", help="The video's first second of the record.")
    ] = 0.0,
    end_s: Annotated[
        float | None, typer.Option("--to", metavar="S", help="Its last second.", show_default="the end")
    ] = None,
    camera: Annotated[
        str, typer.Option(metavar="NAME|map|orbit", help="The video's camera: a player's eyes, or all.")
    ] = "map",
    size: Annotated[str, typer.Option(metavar="WxH", help="The video's size in pixels.")] = "640x360",
    fps: Annotated[float, typer.Option(help="Pictures per second of the video.")] = 20.0,
    speed: Annotated[float, typer.Option(help="Seconds of the record per second of the video.")] = 1.0,
    subtitles: Annotated[
        str | None,
        typer.Option(
            metavar="picture|vtt|srt|none",
            help="Where what is said is shown: in the video, in a WebVTT or SubRip file beside it, or nowhere.",
            show_default="picture",
        ),
    ] = None,
) -> int:
    """Show records in the browser: a map, what agents do, think and say, and all that models were asked."""
    from accord.viewer.run_catalog import RunCatalog

    paths = runs or [RUNS]
    if not runs and not RUNS.is_dir():
        raise UsageError("there is no runs/ here; give the directory of a run, e.g. accord view FOLDER")
    if export is not None:
        return _export(paths, export, max_mb, prompts=prompts)
    if video is not None:
        shown: dict[str, Any] = {"begin_s": begin_s, "end_s": end_s, "camera": camera}
        shown |= {} if subtitles is None else {"subtitles": subtitles}
        return _film(paths, video, size, fps=fps, speed=speed, **shown)
    if subtitles is not None:
        raise UsageError("--subtitles: there is no video; add --video FILE")
    from accord.viewer.server import Site
    from accord.viewer.serving import address, bind, serve

    catalog = RunCatalog(paths)
    opened = bind(port)
    site = Site(catalog)

    def ready() -> None:
        print_address(address(site, opened))
        if browse:
            webbrowser.open(address(site, opened))

    serve(site, [opened], ready)
    return DONE


def print_address(where: str) -> None:
    """Print the address of the page."""
    Console(stderr=True).print(Text(f"look at {where} (this machine only; Ctrl-C ends it)"), soft_wrap=True)


def _export(paths: list[Path], file: Path, max_mb: float, *, prompts: bool) -> int:
    from accord.viewer.export import export

    written = export(paths, file, int(max_mb * 1e6), prompts=prompts)
    write_out(f"{file}: {written.size / 1e6:.1f} MB{written.left_out}")
    return DONE


def _film(paths: list[Path], file: Path, size: str, **settings: Any) -> int:  # noqa: ANN401 - fields of FilmSettings
    import asyncio

    from accord.analysis.report.reader import find_runs
    from accord.viewer.video.filming import FilmSettings, film_run

    runs = find_runs(paths)
    if len(runs) != 1:
        raise UsageError(f"video: {len(runs)} runs are here: give the directory of one, such as {runs[0]}")
    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", size)
    if found is None:
        raise UsageError(f"video: size {size!r} is not WIDTHxHEIGHT: write e.g. --size 640x360")
    wanted = FilmSettings(width=int(found[1]), height=int(found[2]), **settings)
    console = Console(stderr=True)
    with console.status("building the land") as status:

        def report(done: int, of: int) -> None:
            status.update(f"picture {done:,} of {of:,}")

        film = asyncio.run(film_run(runs[0], file, wanted, report))
    if film.subtitles is not None:
        write_out(f"{film.subtitles}: {film.captions:,} utterances")
    write_out(f"{file}: {film.seconds:.1f} s, {film.frames:,} pictures, {file.stat().st_size / 1e6:.1f} MB")
    return DONE
