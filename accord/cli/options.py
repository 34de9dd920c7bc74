"""The options of `accord run`, one type each: name, help and how they are read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from dilemmas.errors import UsageError

if TYPE_CHECKING:
    from accord.analysis.report.paper.settings import FigureSettings

STUDY, PLAYERS, MODELS, BUDGET = "Study", "Who plays", "Models", "Budget and limits"
WORLD, GAME, OUTPUT = "World", "Negotiation and judge", "Record and output"
"""Groups of options in a command's help."""
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
AnyWorld = Annotated[
    str | None,
    typer.Option(
        "--world",
        metavar="WORLD",
        help="embedded, mock or paper; none for games on arrays.",
        show_default="embedded; none for games on arrays",
        rich_help_panel=WORLD,
    ),
]
Embodied = Annotated[
    str,
    typer.Option(metavar="MODE", help="Show a game on arrays in a world too: off or mirror.", rich_help_panel=WORLD),
]
Terrain = Annotated[
    str, typer.Option(metavar="LAND", help="The land: flat, or survival land by seed.", rich_help_panel=WORLD)
]
Bodies = Annotated[
    str | None,
    typer.Option(
        metavar="KIND",
        help="Players in the embedded server: mineflayer (clients) or engine (bodies).",
        show_default="engine with more than 60 players",
        rich_help_panel=WORLD,
    ),
]
Runs = Annotated[
    int, typer.Option(metavar="N", help="Runs of each condition, with the seeds S, S + 1, ...", rich_help_panel=STUDY)
]
Jobs = Annotated[int, typer.Option(metavar="N", help="Runs that are played side by side.", rich_help_panel=STUDY)]
Seed = Annotated[int, typer.Option(metavar="S", help="The seed of every random choice.", rich_help_panel=STUDY)]
Episodes = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Episodes of a run; players who keep programs that work may end it earlier.",
        rich_help_panel=STUDY,
    ),
]
Players = Annotated[
    list[str] | None,
    typer.Option(
        metavar="NAME=KIND", help="A reference player, e.g. Gizmo=greedy; may be repeated.", rich_help_panel=PLAYERS
    ),
]
Humans = Annotated[
    list[str] | None,
    typer.Option(
        "--human",
        metavar="NAME",
        help="A person plays this player (docs/playing-along.md); may be repeated.",
        rich_help_panel=PLAYERS,
    ),
]
HumanWait = Annotated[
    float,
    typer.Option(metavar="S", help="How long a person is waited for.", rich_help_panel=PLAYERS),
]
Agents = Annotated[
    str | None,
    typer.Option(
        metavar="A[,B]",
        help="Who plays: one for all, or A,B,... one for each player (docs/models.md).",
        show_default="paper with a model, reference without",
        rich_help_panel=PLAYERS,
    ),
]
AgentsOption = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=X", help="An option of the agents' family; may be repeated.", rich_help_panel=PLAYERS),
]
Model = Annotated[
    str | None, typer.Option(metavar="openai/NAME", help="The language model that plays.", rich_help_panel=MODELS)
]
ModelFor = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WHO=MODEL",
        help="Another model for a role, a player, or PLAYER.ROLE; may be repeated.",
        rich_help_panel=MODELS,
    ),
]
SamplingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--sampling",
        metavar="[WHO.]KEY=X",
        help="How models are asked, e.g. temperature=0 or critic.max_tokens=500; may be repeated.",
        show_default="the parts' own",
        rich_help_panel=MODELS,
    ),
]
PromptsFolder = Annotated[
    Path | None,
    typer.Option(
        "--prompts", metavar="FOLDER", help="Your own prompts ('accord prompts export').", rich_help_panel=MODELS
    ),
]
Vary = Annotated[
    list[str] | None,
    typer.Option(
        metavar="KEY=A,B",
        help="Models or settings as conditions, e.g. temperature=0,0.7 (docs/models.md); may be repeated.",
        rich_help_panel=STUDY,
    ),
]
InvalidOption = Annotated[
    str,
    typer.Option(
        "--invalid",
        metavar="HOW",
        help="Runs that tell nothing about their players: apart, exclude or zero (docs/results.md).",
        rich_help_panel=STUDY,
    ),
]
BaseUrls = Annotated[
    list[str] | None,
    typer.Option(
        "--base-url",
        metavar="[MODEL=]URL",
        help="An OpenAI-compatible endpoint; openai/NAME=URL for one model; may be repeated.",
        show_default="OpenAI's",
        rich_help_panel=MODELS,
    ),
]
KeyFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--api-key-file",
        metavar="[MODEL=]FILE",
        help="The file with the API key; openai/NAME=FILE for one model; may be repeated.",
        show_default="the environment's key",
        rich_help_panel=MODELS,
    ),
]
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
MaxUsd = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]USD",
        help="The most dollars. NAME= for one agent, each= for each; may be repeated.",
        rich_help_panel=BUDGET,
    ),
]
MaxTokens = Annotated[
    list[str] | None, typer.Option(metavar="[NAME=]N", help="The most tokens, likewise.", rich_help_panel=BUDGET)
]
MaxCalls = Annotated[
    list[str] | None, typer.Option(metavar="[NAME=]N", help="The most model calls, likewise.", rich_help_panel=BUDGET)
]
MaxWall = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]S", help="The most seconds for the study, or for one agent's calls.", rich_help_panel=BUDGET
    ),
]
NoProgress = Annotated[
    int | None,
    typer.Option(
        metavar="K", help="Stop a run after K episodes in a row that changed nothing.", rich_help_panel=BUDGET
    ),
]
Prices = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Model prices, like voyager_agents/models/prices.yaml.", rich_help_panel=MODELS),
]
Thinking = Annotated[
    str | None,
    typer.Option(
        "--think",
        metavar="GAME_S",
        help="Game time of a model call: run (as it takes), pause (none), seconds, or ROLE=S. [default: run; mock 2]",
        rich_help_panel=MODELS,
    ),
]
Hosts = Annotated[
    str,
    typer.Option(
        "--hosts",
        metavar="HOW",
        help="One process for all players' programs, or one per player: shared or per-player.",
        rich_help_panel=PLAYERS,
    ),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show calls, tokens and price to expect; play nothing.", rich_help_panel=STUDY)
]
Allow = Annotated[
    list[str] | None,
    typer.Option(
        metavar="URL|PATH",
        help="An endpoint or a file that a record made elsewhere names, and that may be used; may be repeated.",
    ),
]
Rounds = Annotated[int, typer.Option(metavar="N", help="The most messages in a negotiation.", rich_help_panel=GAME)]
Repeat = Annotated[
    int | None,
    typer.Option(
        metavar="N", help="Rounds of a repeated game.", show_default="as the scenario's file says", rich_help_panel=GAME
    ),
]
Judge = Annotated[
    str | None,
    typer.Option(
        metavar="WHICH",
        help="formal, language, both (formal counts) or language-formal.",
        show_default="language with a model, else formal",
        rich_help_panel=GAME,
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(
        metavar="S", help="The most game time for an episode.", show_default="the scenario's", rich_help_panel=BUDGET
    ),
]
Out = Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for the record.", rich_help_panel=OUTPUT)]
Port = Annotated[
    int | None,
    typer.Option(metavar="PORT", help="The server's game port.", show_default="a free one", rich_help_panel=WORLD),
]
KeepOpen = Annotated[
    bool, typer.Option("--keep-open", help="Keep the world open after the study.", rich_help_panel=WORLD)
]
WatchIt = Annotated[
    bool, typer.Option("--watch", help="Show the study in the browser while it is played.", rich_help_panel=OUTPUT)
]
WatchPort = Annotated[
    int | None,
    typer.Option(metavar="PORT", help="The port of that page.", show_default="a free one", rich_help_panel=OUTPUT),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="For programs: result.json on standard output.", rich_help_panel=OUTPUT)
]
WithReport = Annotated[bool, typer.Option(help="Write report.html, plots and tables.", rich_help_panel=OUTPUT)]
Figures = Annotated[
    str | None,
    typer.Option(metavar="KINDS", help="Figures and LaTeX tables for a paper: pdf, svg, png.", rich_help_panel=OUTPUT),
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


def pairs(option: str, given: Sequence[str], example: str) -> dict[str, str]:
    """`NAME=VALUE` options as a mapping. Raises UsageError for what is not of that form, or given twice."""
    found: dict[str, str] = {}
    for text in given:
        name, sign, value = text.partition("=")
        if not (name and sign and value):
            raise UsageError(f"{option} {text!r} is not NAME=VALUE; write e.g. {option} {example}")
        if name in found:
            raise UsageError(f"{option} is given twice for {name!r}; give it once")
        found[name] = value
    return found


def seats(players: Sequence[str] | None, humans: Sequence[str] | None) -> dict[str, str]:
    """`--player` and `--human` options: player -> who plays it. Raises UsageError."""
    from voyager_agents.human.connection import HUMAN

    found = pairs("--player", players or (), "Gizmo=greedy")
    for name in humans or ():
        if found.setdefault(name, HUMAN) != HUMAN:
            raise UsageError(f"--human {name!r}: --player says that {found[name]!r} plays it; give one of them")
    return found


def factors(given: Sequence[str] | None) -> dict[str, tuple[str, ...]]:
    """`--vary` options: factor -> its values. Raises UsageError."""
    found = pairs("--vary", given or (), "temperature=0,0.7")
    return {key: tuple(value.strip() for value in values.split(",")) for key, values in found.items()}


def by_model(option: str, given: Sequence[str] | None) -> tuple[str | None, dict[str, str]]:
    """`[MODEL=]VALUE` options: the value of all models, and those of single ones. Raises UsageError."""
    usual: list[str] = []
    named: dict[str, str] = {}
    for text in given or ():
        spec, sign, value = text.partition("=")
        if not sign or "://" in spec or "/" not in spec:
            usual.append(text)
        elif not value or spec in named:
            raise UsageError(f"{option} {text!r}: give one value, once for each model")
        else:
            named[spec] = value
    if len(usual) > 1:
        raise UsageError(f"{option} is given twice for all models; write openai/NAME=... for one of them")
    return (usual[0] if usual else None), named


def endpoints(base_url: Sequence[str] | None, api_key_file: Sequence[str] | None) -> dict[str, Any]:
    """`--base-url` and `--api-key-file` as the settings have them. Raises UsageError."""
    url, urls = by_model("--base-url", base_url)
    file, files = by_model("--api-key-file", api_key_file)
    return {
        "base_url": url,
        "base_urls": urls,
        "api_key_file": None if file is None else Path(file),
        "api_key_files": {spec: Path(path) for spec, path in files.items()},
    }


def budget(**given: Sequence[str] | None) -> dict[str, dict[str, float]]:
    """`--max-...` options by measure, as `StudySettings.budget` has them. Raises UsageError."""
    from voyager_agents.budget import ALL, OPTIONS

    found: dict[str, dict[str, float]] = {}
    for measure, texts in given.items():
        for text in texts or ():
            scope, sign, number = text.rpartition("=")
            caps = found.setdefault(measure, {})
            if (scope or ALL) in caps:
                raise UsageError(f"{OPTIONS[measure]} {text!r}: this limit is given twice; give it once")
            caps[scope or ALL] = _number(OPTIONS[measure], text, number if scope or not sign else text)
    return found


def _number(option: str, text: str, number: str) -> float:
    try:
        return float(number)
    except ValueError:
        raise UsageError(f"{option} {text!r} is no limit; write e.g. {option} 5 or {option} Gizmo=2") from None


def world_of(name: str | None, scenario: str, embodied: str) -> str:
    """The world that is named, else the usual one of the scenario. Raises UsageError."""
    if name is None:
        from accord.studies.runner import usual_world
        from dilemmas.scenarios.registry import load_scenario

        return usual_world(load_scenario(scenario), embodied)
    check_world(name)
    return name


def check_world(name: str) -> None:
    """Whether there is a world of that name. Raises UsageError."""
    from bridge.worlds import WORLDS
    from voyager_agents.errors import did_you_mean

    if name not in WORLDS:
        raise UsageError(
            f"unknown world {name!r}{did_you_mean(name, WORLDS)}: choose one of {', '.join(sorted(WORLDS))}"
        )


def figures(formats: str | None, style: Path | None, widths: str | None) -> FigureSettings | None:
    """What `--figures`, `--style` and `--widths` ask for; None without `--figures`. Raises UsageError."""
    if formats is None:
        if style is not None or widths is not None:
            raise UsageError("--style and --widths are for --figures: add e.g. --figures pdf")
        return None
    from accord.analysis.report.paper.settings import WIDTHS, FigureSettings

    names = tuple(dict.fromkeys(name.strip() for name in formats.split(",")))
    return FigureSettings(names, style, _widths(widths) if widths is not None else WIDTHS)


def drawn(formats: str | None, style: Path | None, widths: str | None, *, report: bool) -> FigureSettings | None:
    """The same of a command that writes a report only where it is wanted. Raises UsageError."""
    if (found := figures(formats, style, widths)) is not None and not report:
        raise UsageError("--figures are a part of the report: leave out --no-report")
    return found


def _widths(text: str) -> tuple[float, float]:
    try:
        one, two = (float(part) for part in text.split(","))
    except ValueError:
        raise UsageError(f"--widths {text!r} is not two widths in inches; write e.g. --widths 3.35,7") from None
    return one, two
