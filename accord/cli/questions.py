"""`accord questions`: ask models about moments of finished records, with answers known from their logs."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from accord.cli import option_values, options
from accord.cli.error_handling import DONE, say, write_out
from accord.cli.table_cells import words
from accord.cli.tables import table
from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.analysis.questions.scoring import Answer, KindScore
    from accord.studies.moment_questions import AnswererUse

FILE = "questions.json"


def questions(
    runs: Annotated[
        list[Path], typer.Argument(metavar="RUN...", help="Directories that 'accord run' wrote, or ones above them.")
    ],
    model: Annotated[
        list[str] | None,
        typer.Option(
            "--model",
            metavar="MODEL",
            help="A model that is asked; may be repeated.",
            rich_help_panel=options.MODELS,
            show_default="the reference and random answers",
        ),
    ] = None,
    count: Annotated[int, typer.Option(metavar="N", help="Questions of each kind about each record.")] = 20,
    seed: Annotated[int, typer.Option(help="Seed of the questions, and of the models' sampling.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where to write questions, answers and scores.", show_default=f"RUN/{FILE}"),
    ] = None,
    base_url: options.BaseUrls = None,
    api_key_file: options.KeyFiles = None,
    sampling: options.SamplingOption = None,
    prompts: options.PromptsFolder = None,
    prices: options.Prices = None,
    max_usd: options.MaxUsd = None,
    as_json: Annotated[bool, typer.Option("--json", help="For programs: the scores, as JSON.")] = False,
) -> int:
    """Ask models about moments of RUN: who holds what, who knows what, what comes next; the log knows the answers."""
    from accord.analysis.questions.scoring import scores
    from accord.analysis.report.reader import find_runs
    from accord.studies.moment_questions import BUILT_IN, answer_without_model, ask_models, questions_about
    from accord.studies.option_groups import SeatingOptions
    from dilemmas.records.record import to_json, write_atomically
    from voyager_agents.errors import AgentError

    asked = questions_about(find_runs(runs), count, seed)
    answers: list[Answer] = []
    uses: list[AnswererUse] = []

    def tell_use(use: AnswererUse) -> None:
        uses.append(use)
        _say_use(use)

    if model:
        endpoints = option_values.endpoint_settings(base_url, api_key_file)
        sampled = option_values.name_value_pairs("--sampling", sampling or (), "temperature=0")
        settings = SeatingOptions(**endpoints, sampling=sampled, prompts=prompts, prices=prices)
        caps = option_values.budget_caps(usd=max_usd)
        try:
            answers = asyncio.run(ask_models(model, asked, settings, caps, seed, tell_use))
        except AgentError as error:
            raise UsageError(f"--model: {error}") from None
    else:
        answers = [answer for name in BUILT_IN for answer in answer_without_model(name, asked, seed)]
    found = scores(answers)
    path = out or runs[0] / FILE
    told = {"seed": seed, "scores": [each.to_dict() for each in found], "answers": [each.to_dict() for each in answers]}
    if cascades := {use.model: dict(use.answered) for use in uses if use.answered}:
        told["cascades"] = cascades
    try:
        write_atomically(path, to_json(told))
    except OSError as error:
        raise UsageError(f"--out {path}: cannot be written ({error.strerror})") from None
    if as_json:
        write_out(json.dumps({"file": str(path), "scores": told["scores"]}, indent=2))
        return DONE
    console = Console()
    _show(console, found)
    console.print(words(f"Questions and answers: {path}"), soft_wrap=True)
    return DONE


def _say_use(use: AnswererUse) -> None:
    from accord.analysis.report.text import dollars
    from accord.cli.rating import answered_by

    price = "price unknown" if use.usd is None else dollars(use.usd)
    say(f"{use.model}: {use.calls} calls, {use.tokens} tokens, {price}{answered_by(use.answered)}", prefix="")


def _show(console: Console, found: list[KindScore]) -> None:
    """Print the scores."""
    from accord.analysis.report.text import one_line

    shown = table("right: of the readable answers; intervals: over questions of this kind about these records")
    shown.add_column("answers by")
    shown.add_column("questions")
    for column in ("asked", "unreadable", "right", "95 % interval", "by chance"):
        shown.add_column(column, justify="right")
    for each in found:
        share = "-" if each.share is None else f"{100 * each.share:.0f} %"
        interval = "-" if each.ci95 is None else f"{100 * each.ci95[0]:.0f} .. {100 * each.ci95[1]:.0f} %"
        cells = [str(each.questions), str(each.unreadable), share, interval, f"{100 * each.chance:.0f} %"]
        shown.add_row(Text(one_line(each.answerer)), each.kind, *cells)
    console.print(shown)
