"""The options of `accord run`, one type each: name, help and how they are read."""

from __future__ import annotations

import difflib
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bridge.types import Address
from bridge.worlds import BODIES, TERRAINS, WORLDS
from bridge.worlds import World as WorldType
from dilemmas.errors import UsageError
from dilemmas.records.events import Line
from dilemmas.records.news import News
from voyager_agents.budget import ALL, OPTIONS
from voyager_agents.person import HUMAN

if TYPE_CHECKING:
    from dilemmas.analysis.report.paper.figures import FigureSettings
    from dilemmas.running.study import StudyResult

ScenarioName = Annotated[
    str, typer.Argument(metavar="SCENARIO", help="A name from 'accord scenarios', or a .yaml file.")
]
Contracts = Annotated[
    list[str] | None,
    typer.Option(
        "--contract",
        "--condition",
        metavar="CONDITION|FILE",
        help="A condition of the scenario (none, contract-1, negotiate, ...) or a contract's YAML file, with axes such "
        "as negotiate+transfers+k=2,4 (docs/contracts.md); may be repeated.",
        show_default="none",
    ),
]
World = Annotated[str, typer.Option(help="The world to play in.")]
AnyWorld = Annotated[
    str | None, typer.Option("--world", help="The world to play in.", show_default="embedded; none for games on arrays")
]
Embodied = Annotated[
    str,
    typer.Option(metavar="off|mirror", help="Whether a game on arrays is also shown in a world, where players walk."),
]
Terrain = Annotated[
    str, typer.Option(metavar="|".join(TERRAINS), help="The land: flat, or survival land by seed (embedded, mock).")
]
Bodies = Annotated[
    str | None,
    typer.Option(
        metavar="|".join(BODIES),
        help="How players are in the embedded server: each with a client of its own, or as bodies in the server.",
        show_default="engine with more than 60 players",
    ),
]
Runs = Annotated[int, typer.Option(help="Runs of each condition, with the seeds SEED, SEED + 1, ...")]
Jobs = Annotated[
    int, typer.Option(metavar="N", help="How many runs to play side by side, each in its own process and world.")
]
Seed = Annotated[int, typer.Option(help="The seed of every random choice.")]
Episodes = Annotated[
    int, typer.Option(help="Episodes of a run; players who keep programs that work may end it earlier.")
]
Players = Annotated[
    list[str] | None,
    typer.Option(metavar="NAME=KIND", help="Choose a reference player, e.g. Gizmo=greedy; may be repeated."),
]
Humans = Annotated[
    list[str] | None,
    typer.Option(
        "--human",
        metavar="NAME",
        help="Leave that player's seat to a person, who joins with a Minecraft client (docs/playing-along.md); may be "
        "repeated.",
    ),
]
HumanWait = Annotated[
    float,
    typer.Option(metavar="SECONDS", help="How long a person is waited for: to join, to come back, to say something."),
]
Agents = Annotated[
    str | None,
    typer.Option(
        metavar="FAMILY",
        help="The family of agents that plays; or kinds of agents: one for all, or one for each player: A,B.",
        show_default="paper with a model, reference without",
    ),
]
AgentsOption = Annotated[
    list[str] | None,
    typer.Option(metavar="KEY=VALUE", help="An option of the agents' family; may be repeated."),
]
Model = Annotated[str | None, typer.Option(metavar="openai/NAME", help="The language model that plays.")]
ModelFor = Annotated[
    list[str] | None,
    typer.Option(
        metavar="WHO=openai/NAME",
        help="Another model for a role (critic), a player (Gizmo) or a player's role (Gizmo.critic); may be repeated.",
    ),
]
SamplingOption = Annotated[
    list[str] | None,
    typer.Option(
        "--sampling",
        metavar="[WHO.]KEY=VALUE",
        help="How models are asked: temperature, top_p, max_tokens, max_completion_tokens, reasoning_effort or seed, "
        "of all or of a role, a player or a player's role, e.g. critic.temperature=0; may be repeated.",
        show_default="the parts' own",
    ),
]
PromptsFolder = Annotated[
    Path | None,
    typer.Option("--prompts", metavar="FOLDER", help="Your own prompts, as 'accord prompts export' writes them."),
]
Vary = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FACTOR=A,B",
        help="Play every condition with each of these values, e.g. model=openai/a,openai/b or temperature=0,0.7 "
        "(docs/models.md); may be repeated.",
    ),
]
InvalidOption = Annotated[
    str,
    typer.Option(
        "--invalid",
        metavar="apart|exclude|zero",
        help="Runs whose verdict cannot be read, or whose programs all broke off: shown apart, left out, or counted "
        "as they ended (nothing moved, nothing earned).",
    ),
]
_EACH_URL = "openai/NAME=URL for one model alone; may be repeated."
BaseUrls = Annotated[
    list[str] | None,
    typer.Option(
        "--base-url",
        metavar="[MODEL=]URL",
        help=f"An OpenAI-compatible endpoint (vLLM, Ollama, ...); {_EACH_URL}",
        show_default="OpenAI's",
    ),
]
KeyFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--api-key-file",
        metavar="[MODEL=]FILE",
        help="The file that holds the API key; openai/NAME=FILE for one model alone; may be repeated.",
        show_default="the environment's key",
    ),
]
BaseUrl = Annotated[str | None, typer.Option(metavar="URL", help="An OpenAI-compatible endpoint (vLLM, Ollama, ...).")]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--api-key-file", metavar="FILE", help="The file that holds the API key.", show_default="the environment's key"
    ),
]
_WHOSE = "together; NAME=.. for one agent, each=.. for each; may be repeated."
MaxUsd = Annotated[
    list[str] | None, typer.Option(metavar="[NAME=]USD", help=f"The most dollars that all agents may spend {_WHOSE}")
]
MaxTokens = Annotated[
    list[str] | None, typer.Option(metavar="[NAME=]N", help=f"The most tokens that all agents may use {_WHOSE}")
]
MaxCalls = Annotated[
    list[str] | None, typer.Option(metavar="[NAME=]N", help=f"The most model calls that all agents may make {_WHOSE}")
]
MaxWall = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[NAME=]SECONDS", help="The most seconds for the whole study, or for one agent's model calls."
    ),
]
NoProgress = Annotated[
    int | None,
    typer.Option(metavar="K", help="Stop a run after K episodes in a row that changed no inventory and no reward."),
]
Prices = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A file of model prices, like voyager_agents/models/prices.yaml."),
]
Thinking = Annotated[
    str | None,
    typer.Option(
        "--think",
        metavar="run|pause|SECONDS|ROLE=SECONDS,...",
        help="The game time that a model call costs: as long as it takes (run), none (pause), or a number of seconds. "
        "[default: run; on mock 2]",
    ),
]
Hosts = Annotated[
    str,
    typer.Option("--hosts", metavar="shared|per-player", help="Whether the players share a process or have one each."),
]
DryRun = Annotated[
    bool, typer.Option("--dry-run", help="Show the calls, tokens and price to expect, and play nothing.")
]
Listen = Callable[[Line], None]
Watch = Callable[[News], None]
Hold = Callable[[Address | None], Awaitable[None]]
Worlds = Callable[..., WorldType]
Study = Coroutine[None, None, "StudyResult"]
Start = Callable[[Listen, Hold | None, Worlds, Watch], Study]
"""Starts or resumes a study, given who listens, who holds the world open, how worlds are made, who hears the news."""
Rounds = Annotated[int, typer.Option(help="The most messages in a negotiation.")]
Repeat = Annotated[
    int | None, typer.Option(help="Rounds of a repeated game.", show_default="as the scenario's file says")
]
Judge = Annotated[
    str | None,
    typer.Option(
        metavar="WHICH",
        help="The judge: formal, language, both (formal counts, language only records) or language-formal.",
        show_default="language with a model, else formal",
    ),
]
TimeLimit = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="The most game time for an episode.", show_default="the scenario's"),
]
Out = Annotated[Path, typer.Option(metavar="FOLDER", help="The folder for the record.")]
Port = Annotated[int | None, typer.Option(help="The server's game port.", show_default="a free one")]
KeepOpen = Annotated[
    bool, typer.Option("--keep-open", help="Keep the world open after the study, to look around in it.")
]
WatchIt = Annotated[
    bool, typer.Option("--watch", help="Show the study in the browser while it is played (accord view, live).")
]
WatchPort = Annotated[int | None, typer.Option(help="The port of that page.", show_default="a free one")]
AsJson = Annotated[bool, typer.Option("--json", help="For programs: result.json on standard output.")]
WithReport = Annotated[bool, typer.Option(help="Write report.html, plots and tables.")]
Figures = Annotated[
    str | None,
    typer.Option(
        metavar="pdf,svg,png", help="Write figures and LaTeX tables for a paper into figures/, in these formats."
    ),
]
Style = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A matplotlib style file for these figures, over Accord's own.")
]
Widths = Annotated[
    str | None,
    typer.Option(metavar="ONE,TWO", help="Inches of one column and of two.", show_default="3.35,7"),
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
        from dilemmas.running.runner import usual_world
        from dilemmas.scenarios.registry import load_scenario

        return usual_world(load_scenario(scenario), embodied)
    check_world(name)
    return name


def check_world(name: str) -> None:
    """Whether there is a world of that name. Raises UsageError."""
    if name not in WORLDS:
        close = difflib.get_close_matches(name, WORLDS, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise UsageError(f"unknown world {name!r}{hint}: choose one of {', '.join(sorted(WORLDS))}")


def figures(formats: str | None, style: Path | None, widths: str | None) -> FigureSettings | None:
    """What `--figures`, `--style` and `--widths` ask for; None without `--figures`. Raises UsageError."""
    if formats is None:
        if style is not None or widths is not None:
            raise UsageError("--style and --widths are for --figures: add e.g. --figures pdf")
        return None
    from dilemmas.analysis.report.paper.figures import WIDTHS, FigureSettings

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
