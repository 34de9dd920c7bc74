"""`accord show`: print step by step what players of a run saw, thought, did and learned."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from accord.analysis.transcript import KINDS
from accord.cli.error_handling import DONE, write_out
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.analysis.transcript import CallTexts, StepFilter, TranscriptStep
    from dilemmas.records.events import RunStarted

HEAD = ("run_started", "players_placed")


def show(
    run: Annotated[
        Path, typer.Argument(metavar="RUN", help="A directory that 'accord run' wrote, or one run inside of it.")
    ],
    player: Annotated[
        list[str] | None, typer.Argument(metavar="PLAYER", help="Whose transcript; all players by default.")
    ] = None,
    episode: Annotated[list[int] | None, typer.Option(metavar="N", help="Only this episode; may be repeated.")] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help=f"Only steps of this kind ({', '.join(KINDS)}); may be repeated."),
    ] = None,
    text: Annotated[str, typer.Option(metavar="WORDS", help="Only steps in which these words stand.")] = "",
    calls: Annotated[bool, typer.Option("--calls", help="Show what models were asked and answered.")] = False,
    pager: Annotated[bool, typer.Option(help="In a terminal, show it in a pager ($PAGER, else less).")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: one step a line, as JSON.")] = False,
) -> int:
    """Show what the players of RUN saw, thought, did and learned, with model, tokens and price of each step."""
    from accord.analysis.report.reader import find_runs
    from accord.analysis.transcript import CallTexts, StepFilter, read_steps
    from accord.cli.pager import paged
    from accord.cli.steps import StepPrinter

    _check_episodes(episode or [])
    runs = find_runs([run])
    wanted = StepFilter(tuple(player or ()), _kinds(kind or []), tuple(episode or ()), text)
    starts = {each: _start(each) for each in runs}
    _check_players(wanted, [name for names in starts.values() for name in names[1]])
    if as_json:
        for each in runs:
            _as_json(each, wanted, calls=calls)
        return DONE
    with paged(Console(soft_wrap=True, highlight=False), wanted=pager) as console:
        for each in runs:
            texts = CallTexts(each / "calls.jsonl") if calls else None
            StepPrinter(console, starts[each][0], each, wanted, texts).all(read_steps(each, wanted))
    return DONE


def _as_json(run: Path, wanted: StepFilter, *, calls: bool) -> None:
    from accord.analysis.transcript import CallTexts, read_steps

    texts = CallTexts(run / "calls.jsonl") if calls else None
    for step in read_steps(run, wanted):
        plain = {"run": str(run), **step.to_dict()}
        if texts is not None:
            plain["calls"] = [{**known, "texts": found} for known, found in _with_texts(step, plain["calls"], texts)]
        write_out(json.dumps(plain, ensure_ascii=False))


def _with_texts(
    step: TranscriptStep, plain: list[dict[str, object]], texts: CallTexts
) -> Iterator[tuple[dict[str, object], object]]:
    for known, call in zip(plain, step.calls, strict=True):
        yield known, texts.of(call)


def _kinds(given: list[str]) -> tuple[str, ...]:
    for each in given:
        if each not in KINDS:
            raise UsageError(f"--kind {each!r} is no kind of step; choose from {', '.join(KINDS)}")
    return tuple(given)


def _check_episodes(given: list[int]) -> None:
    for each in given:
        if each < 1:
            raise UsageError(f"--episode {each} is no episode; they count from 1")


def _start(run: Path) -> tuple[RunStarted, tuple[str, ...]]:
    """Return the event that starts the run, and the names that can have steps: players and judge.

    Raises:
        UsageError: The run ended before it started.
    """
    from dilemmas.records.events import PlayersPlaced, RunStarted
    from dilemmas.records.record import read_events

    started: RunStarted | None = None
    lines = read_events(run / "events.jsonl", only=HEAD)
    for line in lines:
        if isinstance(line.event, RunStarted):
            started = line.event
        elif isinstance(line.event, PlayersPlaced) and started is not None:
            lines.close()
            return started, (*started.players, line.event.observer)
    if started is None:
        raise UsageError(f"{run}: that run ended before it began, so there is nothing to show")
    return started, tuple(started.players)


def _check_players(wanted: StepFilter, known: list[str]) -> None:
    for name in wanted.players:
        if name not in known:
            raise UsageError(f"{name!r} is no player of that run; choose from {', '.join(dict.fromkeys(known))}")
