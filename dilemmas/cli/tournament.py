"""`accord tournament`: every two players of a repeated game meet, and a ranking with intervals."""

from __future__ import annotations

import asyncio
import json
import time
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from dilemmas.cli import options
from dilemmas.cli.boundary import DONE, write_out
from dilemmas.cli.cells import table, words

if TYPE_CHECKING:
    from dilemmas.analysis.tournament import Standing, Tournament

Players = Annotated[
    str | None,
    typer.Option(metavar="A,B,...", help="Who plays: strategies, or chooser.", show_default="ten strategies"),
]
Noise = Annotated[
    float | None,
    typer.Option(metavar="P", help="The chance that another option counts.", show_default="the scenario's"),
]
Cap = Annotated[float | None, typer.Option(metavar="N", help="The most of all games together.")]


def tournament(
    game: Annotated[str, typer.Argument(metavar="GAME", help="A repeated game of two players, or its YAML file.")],
    agents: Players = None,
    repeat: options.Repeat = None,
    noise: Noise = None,
    seeds: Annotated[int, typer.Option(help="Games of each pair, with the seeds SEED, SEED + 1, ...")] = 10,
    seed: options.Seed = 0,
    itself: Annotated[bool, typer.Option("--itself", help="Each also meets one of its own kind.")] = False,
    world: Annotated[
        str | None,
        typer.Option(help="The world to play in; none for the law alone.", show_default="none; mock with a model"),
    ] = None,
    jobs: options.Jobs = 1,
    model: options.Model = None,
    base_url: options.BaseUrl = None,
    api_key_file: options.KeyFile = None,
    max_usd: Cap = None,
    max_tokens: Cap = None,
    max_calls: Cap = None,
    out: options.Out = Path("runs"),
    as_json: Annotated[bool, typer.Option("--json", help="For programs: JSON on standard output.")] = False,
) -> int:
    """Let every two meet in GAME, and rank them by what a round brought them."""
    from dilemmas.analysis.report.tournament import write_tournament
    from dilemmas.running.tournament import Plan
    from dilemmas.running.tournament import tournament as play

    told: dict[str, Any] = {"base_url": base_url, "api_key_file": None if api_key_file is None else str(api_key_file)}
    caps = {"usd": max_usd, "tokens": max_tokens, "calls": max_calls}
    plan = Plan(
        game,
        repeat=repeat,
        noise=noise,
        seeds=seeds,
        seed=seed,
        itself=itself,
        world=world,
        jobs=jobs,
        model=model,
        settings={key: value for key, value in told.items() if value is not None},
        budget={key: value for key, value in caps.items() if value is not None},
        **({} if agents is None else {"names": tuple(part.strip() for part in agents.split(","))}),
    )
    name = plan.game().spec.name
    directory = out.expanduser() / f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime())}-{name}-tournament"
    with Console(stderr=True, quiet=as_json).status("playing") as status:
        done = iter(range(1, 1 << 30))
        found = asyncio.run(
            play(plan, directory, lambda _number, _outcome: status.update(f"{next(done)} games played"))
        )
    page = write_tournament(found, directory)
    if as_json:
        write_out(json.dumps(found.plain(), indent=2))
    else:
        console = Console()
        console.print(_table(found))
        console.print(words(found.sentence()), soft_wrap=True)
        console.print(words(f"Report: {page}"), soft_wrap=True)
    return DONE


def _table(found: Tournament) -> Table:
    """A line for each player; fits into 80 columns."""
    shown = table()
    for name in ("place", "player", "score", "95 % interval", "won", "coop.", "ahead"):
        shown.add_column(name, justify="left" if name in ("player", "ahead") else "right", no_wrap=True)
    for each, after in zip_longest(found.standings, found.standings[1:]):
        equal = after is not None and after.place == each.place
        shown.add_row(*_row(each, equal=equal))
    shown.caption_justify = "left"
    shown.caption = "score: what a round brought; coop.: cooperation, 0 to 1; ahead: of the next in the ranking"
    return shown


def _row(each: Standing, *, equal: bool) -> list[Text | str]:
    interval = each.score.ci95
    return [
        str(each.place),
        words(each.name),
        f"{each.score.mean:.3f}",
        "-" if interval is None else f"{interval[0]:.3f} .. {interval[1]:.3f}",
        f"{each.won}/{each.games}",
        "-" if each.cooperation is None else f"{each.cooperation:.2f}",
        "equal" if equal else {True: "surely", False: "open", None: "-"}[each.ahead],
    ]
