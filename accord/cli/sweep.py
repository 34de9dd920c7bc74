"""`accord sweep` and `accord task`: play many runs defined in one file, on this machine or on a cluster."""

from __future__ import annotations

import asyncio
import json
import signal
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from accord.cli import options
from accord.cli.error_handling import DONE, FAILED, say, write_out
from accord.studies.status.status_line import StatusLine
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.studies.sweeps.folder import SweepFolder
    from accord.studies.sweeps.sweep import SweepResult

File = Annotated[Path, typer.Argument(metavar="FILE", help="A sweep's YAML file, or the folder of one that was begun.")]
EngineName = Annotated[
    str, typer.Option(metavar="local|ray|slurm", help="What plays: this machine, a Ray cluster, or files for Slurm.")
]
Address = Annotated[str | None, typer.Option(metavar="ADDRESS", help="The Ray cluster; without it one starts here.")]
Scratch = Annotated[
    Path | None,
    typer.Option(metavar="FOLDER", help="A folder of the machine that plays, for runs in progress."),
]
JobsOrAll = Annotated[
    int | None, typer.Option(metavar="N", help="How many runs at a time.", show_default="one for each core")
]


def sweep(
    file: File,
    engine: EngineName = "local",
    jobs: JobsOrAll = None,
    address: Address = None,
    scratch: Scratch = None,
    out: options.Out = Path("runs"),
    max_usd: Annotated[float | None, typer.Option(metavar="USD", help="The most dollars of all runs together.")] = None,
    max_tokens: Annotated[float | None, typer.Option(metavar="N", help="The most tokens of all runs.")] = None,
    max_calls: Annotated[float | None, typer.Option(metavar="N", help="The most model calls of all runs.")] = None,
    hours: Annotated[float, typer.Option(help="Slurm: the time limit of one array element.")] = 4.0,
    allow: options.Allow = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be played, and play nothing.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: the outcome, as JSON.")] = False,
) -> int:
    """Play every run that FILE asks for; what has ended already is not played again."""
    from accord.studies.sweeps import slurm
    from accord.studies.sweeps.local import usual_jobs
    from accord.studies.sweeps.sweep import open_sweep, preview

    if jobs is not None and jobs < 1:
        raise UsageError(f"--jobs {jobs} is not legal; give 1 or more")
    if engine not in ("local", "ray", "slurm"):
        raise UsageError(f"--engine {engine!r} is not legal; choose one of local, ray, slurm")
    given = {"usd": max_usd, "tokens": max_tokens, "calls": max_calls}
    budget = {name: cap for name, cap in given.items() if cap is not None}
    _check(engine, address, budget)
    if dry_run:
        return _tell_plan(asyncio.run(preview(file, jobs or usual_jobs(), allow or ())), as_json=as_json)
    folder = open_sweep(file, out, allow or ())
    if engine == "slurm":
        script = slurm.write_job(folder, jobs=jobs or 100, hours=hours, scratch=scratch)
        return _tell_script(script, len(folder.tasks), as_json=as_json)
    made: dict[str, Any] = {"jobs": jobs or usual_jobs()} if engine == "local" else {"jobs": jobs, "address": address}
    result = asyncio.run(_play(folder, engine, made, scratch, budget, quiet=as_json))
    return _print_result(result, as_json=as_json)


def _check(engine: str, address: str | None, budget: dict[str, float]) -> None:
    """Check that the options fit the engine. Raises UsageError."""
    if address is not None and engine != "ray":
        raise UsageError(f"--address {address} is for --engine ray; leave one out")
    for measure, cap in budget.items():
        if not 0 < cap < float("inf"):
            raise UsageError(f"--max-{measure} {cap:g} is not legal; give a number above 0")
        if engine == "slurm":
            raise UsageError(f"--max-{measure} does not reach Slurm's jobs; write it as `budget` into the sweep's file")


def task(
    folder: Annotated[Path, typer.Argument(metavar="SWEEP", help="The folder that 'accord sweep' has written.")],
    index: Annotated[int, typer.Argument(metavar="INDEX", help="The task's number, from 0.")],
    every: Annotated[
        int | None, typer.Option(metavar="N", help="Play INDEX, INDEX + N, INDEX + 2 N, ... one after the other.")
    ] = None,
    scratch: Scratch = None,
    allow: options.Allow = None,
) -> int:
    """Play one task of a sweep, or every Nth: for schedulers of clusters. What has ended is not played again."""
    from accord.studies.sweeps.player import TaskPlayer

    if every is not None and every < 1:
        raise UsageError(f"--every {every} is not legal; give 1 or more")

    async def play() -> list[str]:
        current = asyncio.current_task()
        assert current is not None
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, current.cancel)
        async with TaskPlayer(folder, scratch, allowed=allow or ()) as player:
            outcomes: list[str] = []
            for each in range(index, len(player.folder.tasks), every) if every else [index]:
                outcomes.append(await player.play(each))
                if outcomes[-1] == "budget":
                    break
            return outcomes

    outcomes = asyncio.run(play())
    for outcome, count in Counter(outcomes).items():
        write_out(f"{outcome}: {count}")
    return DONE if set(outcomes) <= {"complete"} else FAILED


async def _play(
    folder: SweepFolder,
    engine: str,
    made: dict[str, Any],
    scratch: Path | None,
    budget: dict[str, float],
    *,
    quiet: bool,
) -> SweepResult:
    """Play the sweep with a progress bar and return it; SIGTERM cancels it as cleanly as Ctrl-C."""
    from accord.studies.sweeps.engine import open_engine
    from accord.studies.sweeps.sweep import run_sweep

    current = asyncio.current_task()
    assert current is not None
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, current.cancel)
    console = Console(stderr=True, quiet=quiet)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    done = sum(folder.is_done(each) for each in folder.tasks)
    # The progress bar needs a terminal; without one the status line is shown.
    line = StatusLine(Console(stderr=True, quiet=quiet or console.is_terminal), folder.spec.name)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        shown = bar.add_task(folder.spec.name, total=len(folder.tasks), completed=done)
        bad: Counter[str] = Counter()

        def heard(_: int, outcome: str) -> None:
            nonlocal done
            done += 1
            bad.update([] if outcome == "complete" else [outcome])
            told = ", ".join(f"{count} {name}" for name, count in bad.items())
            name = f"{folder.spec.name}{f' ({told})' if told else ''}"
            bar.update(shown, advance=1, description=name)
            line.update(f"{name}: {done} of {len(folder.tasks)} runs are over")

        line.update(f"{folder.spec.name}: {done} of {len(folder.tasks)} runs are over")
        async with line.shown():
            return await run_sweep(folder, open_engine(engine, **made), heard, scratch=scratch, budget=budget)


def _print_result(result: SweepResult, *, as_json: bool) -> int:
    if as_json:
        plain = {
            "folder": str(result.folder),
            "runs": dict(result.statuses),
            "files": [str(each) for each in result.tables],
        }
        write_out(json.dumps(plain, indent=2))
    else:
        told = ", ".join(f"{count} {status}" for status, count in sorted(result.statuses.items()))
        write_out(f"{result.folder}: {told}")
        write_out(f"Table: {', '.join(str(each) for each in result.tables)}")
        write_out(f"Report: accord report {result.folder}")
        if not result.complete:
            say(f"not all runs are complete; go on with: accord sweep {result.folder}", prefix="")
    return DONE if result.complete else FAILED


def _tell_plan(plan: dict[str, Any], *, as_json: bool) -> int:
    if as_json:
        write_out(json.dumps(plan, indent=2))
        return DONE
    write_out(f"{plan['name']}: {plan['told']}")
    for name in ("calls", "tokens", "usd"):
        least, most = plan[name]
        write_out(f"{name}: {least:,.4g} to {most:,.4g}" if most else f"{name}: 0")
    write_out(f"game hours: at most {plan['game_hours']:.2f}; on this machine: {plan['hours_told']}")
    return DONE


def _tell_script(script: Path, count: int, *, as_json: bool) -> int:
    if as_json:
        write_out(json.dumps({"script": str(script), "tasks": count}))
    else:
        write_out(f"{script}: plays {count} tasks; look at it, then: sbatch {script}")
        write_out(f"When it has ended: accord sweep {script.parent} (plays what is left, writes the table)")
    return DONE
