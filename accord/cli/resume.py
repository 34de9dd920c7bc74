"""`accord resume`: continue a study, tournament, atlas, generations or contributions after any stop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli import option_values, options
from accord.cli.run import Pages, play_beside
from common.plain_files import is_plain
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.cli.watch import Watching
    from accord.studies.launch import Start
    from accord.studies.runner import Listen, Worlds
    from accord.studies.study import Hold, StudyResult
    from dilemmas.records.progress_events import ProgressListener

Directory = Annotated[
    Path,
    typer.Argument(
        metavar="RUN",
        help="The directory that 'accord run', 'tournament', 'atlas', 'generations' or 'shapley' wrote.",
    ),
]


def resume(
    run: Directory,
    max_usd: options.MaxUsd = None,
    max_tokens: options.MaxTokens = None,
    max_calls: options.MaxCalls = None,
    max_wall: options.MaxWall = None,
    base_url: options.BaseUrls = None,
    api_key_file: options.KeyFiles = None,
    prices: options.Prices = None,
    allow: options.Allow = None,
    jobs: Annotated[
        int | None,
        typer.Option(metavar="N", help="How many runs to play side by side.", show_default="as it was begun"),
    ] = None,
    keep_open: options.KeepOpen = False,
    watch: options.WatchIt = False,
    watch_port: options.WatchPort = None,
    invite: options.Invite = False,
    as_json: options.AsJson = False,
    report: options.WithReport = True,
    figures: options.Figures = None,
    style: options.Style = None,
    widths: options.Widths = None,
) -> int:
    """Continue the study, tournament, atlas, generations or contributions in RUN where it stopped."""
    from accord.studies.kept_tournaments import is_tournament
    from accord.studies.league_file import LEAGUE
    from accord.studies.study import read_settings, resume_study

    if is_tournament(run):
        from accord.cli.atlas import PARTS as ATLAS
        from accord.cli.games_study import go_on
        from accord.cli.generations import PARTS as GENERATIONS
        from accord.cli.shapley import PARTS as SHAPLEY
        from accord.cli.tournament import PARTS as TOURNAMENT

        parts = {"tournament": TOURNAMENT, "atlas": ATLAS, "generations": GENERATIONS, "shapley": SHAPLEY}
        caps = {"usd": max_usd, "tokens": max_tokens, "calls": max_calls}
        refused = {
            "--max-wall": max_wall, "--base-url": base_url, "--api-key-file": api_key_file, "--prices": prices,
            "--keep-open": keep_open, "--figures": figures, "--style": style, "--widths": widths,
            "--no-report": not report, "--watch": watch, "--watch-port": watch_port, "--invite": invite,
        }  # fmt: skip
        return go_on(run, parts, caps, refused, jobs=jobs, as_json=as_json, allowed=allow or ())
    if is_plain(run / LEAGUE):
        raise UsageError(f"{run} is a league: go on with 'accord league FILE', where FILE is the league's own file")
    drawn = option_values.report_figures(figures, style, widths, report=report)
    settings = read_settings(
        run,
        budget=option_values.budget_caps(usd=max_usd, tokens=max_tokens, calls=max_calls, wall=max_wall),
        **option_values.endpoint_settings(base_url, api_key_file),
        prices=prices,
        jobs=jobs,
        allowed=allow or (),
    )

    def start_of(watching: Watching | None) -> Start:
        async def start(listen: Listen, hold: Hold | None, worlds: Worlds, watch: ProgressListener) -> StudyResult:
            placed, seated = (None, None) if watching is None else (watching.placed, watching.seated)
            return await resume_study(
                run, settings, listen=listen, hold=hold, worlds=worlds, watch=watch, placed=placed, seated=seated
            )

        return start

    pages = Pages(watch=watch, port=watch_port, invite=invite)
    return play_beside(pages, start_of, settings, report=report, keep_open=keep_open, as_json=as_json, figures=drawn)
