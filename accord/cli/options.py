"""Annotated types of options that several commands share.

Options of a study are defined in `accord.studies.option_groups`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from accord.cli.study_options import study_option
from accord.studies.option_groups import GROUPS

if TYPE_CHECKING:
    pass

STUDY, WORLD, _, MODELS, *_others, OUTPUT = GROUPS
"""Headings of option groups in a command's help."""
ScenarioName = Annotated[
    str, typer.Argument(metavar="SCENARIO", help="A name from 'accord scenarios', or a .yaml file.")
]
Contracts = Annotated[
    list[str] | None,
    typer.Option(
        "--contract",
        "--condition",
        metavar="NAME|FILE",
        help="A condition of the scenario, or a contract's YAML file (docs/contracts.md); may be repeated.",
        show_default="none",
        rich_help_panel=STUDY,
    ),
]
World = Annotated[str, typer.Option(metavar="WORLD", help="embedded, mock or paper.", rich_help_panel=WORLD)]
Terrain = Annotated[str, study_option("--terrain")]
Jobs = Annotated[int, study_option("--jobs")]
Seed = Annotated[int, study_option("--seed")]
AgentsOption = Annotated[list[str] | None, study_option("--agents-option")]
Model = Annotated[str | None, study_option("--model")]
ModelFor = Annotated[list[str] | None, study_option("--model-for")]
SamplingOption = Annotated[list[str] | None, study_option("--sampling")]
Agents = Annotated[str | None, study_option("--agents")]
ReasoningWay = Annotated[str, study_option("--reasoning")]
AnswersWay = Annotated[str, study_option("--answers")]
LocalOption = Annotated[list[str] | None, study_option("--local")]
PromptsFolder = Annotated[Path | None, study_option("--prompts")]
BaseUrls = Annotated[list[str] | None, study_option("--base-url")]
KeyFiles = Annotated[list[str] | None, study_option("--api-key-file")]
BaseUrl = Annotated[
    str | None,
    typer.Option(metavar="URL", help="An OpenAI-compatible endpoint (vLLM, Ollama, ...).", rich_help_panel=MODELS),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--api-key-file",
        metavar="FILE",
        help="The file that holds the API key.",
        show_default="the environment's key",
        rich_help_panel=MODELS,
    ),
]
MaxUsd = Annotated[list[str] | None, study_option("--max-usd")]
MaxTokens = Annotated[list[str] | None, study_option("--max-tokens")]
MaxCalls = Annotated[list[str] | None, study_option("--max-calls")]
MaxWall = Annotated[list[str] | None, study_option("--max-wall")]
Prices = Annotated[Path | None, study_option("--prices")]
DryRun = Annotated[
    bool,
    typer.Option(
        "--dry-run", help="Show calls, tokens and price to expect; play nothing. Needs no key.", rich_help_panel=STUDY
    ),
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        metavar="URL|PATH",
        help="An endpoint or a file that a record made elsewhere names, and that may be used (docs/safety.md); "
        "may be repeated.",
    ),
]
Repeat = Annotated[int | None, study_option("--repeat")]
TimeLimit = Annotated[float | None, study_option("--time-limit")]
Out = Annotated[Path, study_option("--out")]
KeepOpen = Annotated[
    bool,
    typer.Option(
        "--keep-open", help="Keep the world open after the study, until Enter or Ctrl-C.", rich_help_panel=WORLD
    ),
]
WatchIt = Annotated[
    bool,
    typer.Option(
        "--watch", help="Show the study in the browser while it is played (docs/viewing.md).", rich_help_panel=OUTPUT
    ),
]
WatchPort = Annotated[
    int | None,
    typer.Option(metavar="PORT", help="The port of that page.", show_default="a free one", rich_help_panel=OUTPUT),
]
Invite = Annotated[
    bool,
    typer.Option(
        "--invite",
        help="Offer people's pages to the local network.",
        rich_help_panel=OUTPUT,
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="For programs: result.json on standard output.", rich_help_panel=OUTPUT)
]
WithReport = Annotated[bool, typer.Option(help="Write report.html, plots and tables.", rich_help_panel=OUTPUT)]
Figures = Annotated[
    str | None,
    typer.Option(
        metavar="KINDS",
        help="Figures and LaTeX tables for a paper: pdf, svg, png (docs/results.md).",
        rich_help_panel=OUTPUT,
    ),
]
Style = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A matplotlib style file for the figures.", rich_help_panel=OUTPUT)
]
Widths = Annotated[
    str | None,
    typer.Option(
        metavar="ONE,TWO", help="Inches of one column and of two.", show_default="3.35,7", rich_help_panel=OUTPUT
    ),
]
