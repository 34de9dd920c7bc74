"""Options of a study, each defined once, in groups by topic.

The annotation of a field (`CommandOption`) defines the option of the command line; the parameters of `accord run` and
their help are generated from it. The name of the field is the keyword argument of `accord.run` and `accord.study`, and
the key in config.yaml and in a sweep's file. Its type and its `Bounds` define the legal values
(`accord.studies.option_checks`). `accord.studies.settings.StudySettings` inherits from all groups; a function that
needs some options takes the group that defines them.

`accord run --help` imports this module, so it imports nothing that is slow to import.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from accord.analysis.validity import APART, Treatment
from accord.studies.analysis_options import AnalysisOptions
from accord.studies.limit_options import LimitOptions
from accord.studies.option_definitions import COUNT, SECONDS, Bounds, CommandOption
from common.answers.reasoning import Reasoning

Answers = Literal["schema", "json", "words"]
Hosts = Literal["shared", "per-player"]
Embodied = Literal["off", "mirror"]
Acting = Literal["programs", "tools"]
Words = Literal["open", "quarantined"]
See = Literal["words", "image", "both"]
SeeDetail = Literal["low", "high", "auto"]
QUARANTINED: Words = "quarantined"


def _active_plugins() -> tuple[Path, ...]:
    """Return the folders of the plugins in use."""
    from common.plugins import active

    return active()


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """Runs of a study."""

    runs: Annotated[
        int, Bounds(1, 1_000_000), CommandOption("--runs", "N", "Runs of each condition, with the seeds S, S + 1, ...")
    ] = 1
    """Runs per condition, with the seeds `seed`, `seed + 1`, ..."""
    jobs: Annotated[
        int,
        Bounds(1, 10_000),
        CommandOption("--jobs", "N", "Runs that are played side by side.", more="Each in its own process and world."),
    ] = 1
    """Maximum number of concurrent runs, each in its own process and world. The record does not depend on it."""
    seed: Annotated[int, CommandOption("--seed", "S", "The seed of every random choice.")] = 0
    """Seed of all random choices."""
    episodes: Annotated[
        int,
        COUNT,
        CommandOption(
            "--episodes",
            "N",
            "Episodes of a run; players who keep programs that work may end it earlier.",
            more="[What ends a run earlier](#what-ends-a-run-early).",
        ),
    ] = 1
    """Episodes per run; docs/cli.md lists what ends a run earlier."""
    vary: Annotated[
        Mapping[str, tuple[str, ...]],
        CommandOption(
            "--vary",
            "KEY=A,B",
            "Models or settings as conditions, e.g. temperature=0,0.7 (docs/models.md); may be repeated.",
            repeated=True,
            more="They are crossed with the contracts ([more](models.md#models-settings-and-prompts-as-conditions)).",
        ),
    ] = field(default_factory=dict)
    """Factor -> values; the study plays every combination under every condition (docs/models.md)."""
    invalid: Annotated[
        Treatment,
        CommandOption(
            "--invalid",
            "HOW",
            "Runs that tell nothing about their players: apart, exclude or zero (docs/results.md).",
            more="[More](results.md#invalid-runs).",
        ),
    ] = APART
    """Treatment of runs that tell nothing about their players (docs/results.md)."""


@dataclass(frozen=True, kw_only=True)
class WorldOptions:
    """World of a study, and bodies of its players."""

    world: Annotated[
        str,
        CommandOption(
            "--world",
            "WORLD",
            "embedded, mock or paper; none for games on arrays.",
            "embedded; none for games on arrays",
            more="[Worlds](worlds.md), [games on arrays](grid-games.md).",
        ),
    ] = "embedded"
    """Name of the world: `embedded`, `mock` or `paper`; `none` for games on arrays."""
    embodied: Annotated[
        Embodied,
        CommandOption(
            "--embodied",
            "MODE",
            "Show a game on arrays in a world too: off or mirror.",
            more="[More](grid-games.md#in-a-world).",
        ),
    ] = "off"
    """`mirror` shows a game on arrays in a world, in which the players' bodies mirror their moves."""
    terrain: Annotated[
        str,
        CommandOption(
            "--terrain", "LAND", "The land: flat, or survival land by seed.", more="[More](terrain.md); not on Paper."
        ),
    ] = "flat"
    """Terrain of the world: `flat` or `survival`."""
    bodies: Annotated[
        str | None,
        CommandOption(
            "--bodies",
            "KIND",
            "Players in the embedded server: mineflayer (clients) or engine (bodies).",
            "engine with more than 60 players",
            more="[More](bodies.md).",
        ),
    ] = None
    """Bodies of players on the embedded server: `mineflayer` (network clients) or `engine` (entities in the server)."""
    port: Annotated[
        int | None, Bounds(1, 65535), CommandOption("--port", "PORT", "The server's game port.", "a free one")
    ] = None
    """Game port of the server."""


@dataclass(frozen=True, kw_only=True)
class PlayerOptions:
    """Agents and human players of a study."""

    players: Annotated[
        Mapping[str, str],
        CommandOption(
            "--player",
            "NAME=KIND",
            "A reference player, e.g. Gizmo=greedy; may be repeated.",
            repeated=True,
            more="Also `NAME=FAMILY` or `NAME=FAMILY:FILE`, for that player alone ([more](models.md#agents)).",
        ),
        CommandOption(
            "--human",
            "NAME",
            "A person plays this player (docs/playing-along.md); may be repeated.",
            repeated=True,
            more="On `embedded` and `paper`, or in a grid game ([more](playing-along.md)).",
        ),
    ] = field(default_factory=dict)
    """Player -> kind of reference player or family of agents, with a file that it plays by. Others use `agents`."""
    human_wait_s: Annotated[float, SECONDS, CommandOption("--human-wait", "S", "Wait for a person, in s.")] = 600.0
    """Wall time in seconds to wait for a human player to join, to come back or to answer."""
    consent: Annotated[
        str | None,
        CommandOption(
            "--consent",
            "FILE",
            "Markdown a person agrees to.",
            "none",
            more="[More](playing-along.md#consent-instructions-questionnaires).",
        ),
    ] = None
    """File of Markdown that a person agrees to, on its page, before it can enter the game."""
    instructions: Annotated[
        str | None, CommandOption("--instructions", "FILE", "Markdown a person reads first.", "none")
    ] = None
    """File of Markdown that a person reads, on its page, before it can enter the game."""
    questionnaire: Annotated[
        str | None,
        CommandOption(
            "--questionnaire",
            "FILE",
            "YAML of questions to people.",
            "none",
            more="[Form](playing-along.md#consent-instructions-questionnaires).",
        ),
    ] = None
    """File of YAML with questions to people before and after the game."""
    agents: Annotated[
        str | None,
        CommandOption(
            "--agents",
            "A[,B]",
            "Who plays: one for all, or A,B,... one for each player (docs/models.md).",
            "paper with a model, reference without",
            more=(
                "`paper` (multi-agent Voyager as the contracts paper has it), `voyager` (with curriculum and skill "
                "library), `generative` (in rounds), `piano` (agents that [live](societies.md)), or without a model "
                "`reference`, `foragers` and `dwellers`; [at a grid](grid-games.md#who-plays) `text`, `planner`, "
                "`random`, `greedy`, `oracle-plan`, `scripted-planner` and `policy:FILE`; in "
                "[repeated games](matrix-games.md) `strategies` and, with a model, `chooser`; or kinds of their agents "
                "([more](models.md#agents))."
            ),
        ),
    ] = None
    """Family of agents, or kinds of agents separated by commas: one for all players, or one per player.

    `FAMILY:FILE` is a family that plays by a file (`policy`, `learned`, `program`) with its option `file`.
    """
    agents_options: Annotated[
        Mapping[str, str],
        CommandOption(
            "--agents-option",
            "KEY=X",
            "An option of the agents' family; may be repeated.",
            repeated=True,
            more="[Families and their options](models.md#agents).",
        ),
    ] = field(default_factory=dict)
    """Option of the agents' family -> value; overrides the scenario's options."""
    act: Annotated[
        Acting,
        CommandOption(
            "--act",
            "HOW",
            "How models act: by programs, or by tools, called one by one.",
            more="[More](models.md#acting-by-tool-calls).",
        ),
    ] = "programs"
    """Way in which models act in the world: by programs, or by tool calls (`voyager_agents.tool_calls`)."""
    hosts: Annotated[
        Hosts,
        CommandOption(
            "--hosts",
            "HOW",
            "One process for all players' programs, or one per player: shared or per-player.",
            more="[More](safety.md#a-host-for-each-player); not on the mock world.",
        ),
    ] = "shared"
    """Processes that run the players' programs: one shared by all, or one per player."""
    adversaries: Annotated[
        Mapping[str, str],
        CommandOption(
            "--adversary",
            "NAME=KIND",
            "A player that works against the others, e.g. Glitch=free-rider; may be repeated.",
            repeated=True,
            more="[Kinds, and what they do](adversaries.md).",
        ),
    ] = field(default_factory=dict)
    """Player -> kind of adversary (`voyager_agents.adversaries.kinds`), or `none`."""
    words: Annotated[
        Words,
        CommandOption(
            "--words",
            "HOW",
            "What players say in the game: open, or quarantined (recorded, but no agent or judge sees it).",
            more="[More](adversaries.md#defences).",
        ),
    ] = "open"
    """`quarantined` keeps what players say in the game from all agents and judges."""


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """Language models, their endpoints and their settings."""

    model: Annotated[
        str | None,
        CommandOption(
            "--model",
            "MODEL",
            "The language model that plays: openai/NAME or local.",
            more="[More](models.md). `cascade:SMALL::LARGE` asks a [small model first](models.md#cascades). `local` "
            "and `local:FILE` are [computed here](local-model.md). `replay:RUN` gives the "
            "answers of a recorded run; no model is asked.",
        ),
    ] = None
    """Language model, such as `openai/NAME` or `local`. docs/models.md and docs/local-model.md list all forms."""
    models: Annotated[
        Mapping[str, str],
        CommandOption(
            "--model-for",
            "WHO=MODEL",
            "Another model for a role, a player, or PLAYER.ROLE; may be repeated.",
            repeated=True,
            more="WHO is e.g. `critic`, `Gizmo` or `Gizmo.critic`.",
        ),
    ] = field(default_factory=dict)
    """`ROLE`, `PLAYER` or `PLAYER.ROLE` -> model; overrides `model`. The most specific entry applies."""
    sampling: Annotated[
        Mapping[str, str],
        CommandOption(
            "--sampling",
            "[WHO.]KEY=X",
            "How models are asked, e.g. temperature=0 or critic.max_tokens=500; may be repeated.",
            "the parts' own",
            repeated=True,
            more="[All settings](models.md#who-has-which-model).",
        ),
    ] = field(default_factory=dict)
    """`[WHO.]KEY` -> value of a sampling parameter of the models (docs/models.md)."""
    see: Annotated[
        See,
        CommandOption(
            "--see",
            "WHAT",
            "What models are shown of the world: words, image, or both (docs/seeing.md).",
            more="[More](seeing.md).",
        ),
    ] = "words"
    """Form in which models see the world: `words`, `image` (a picture instead of words for what it shows) or `both`."""
    see_size: Annotated[
        str, CommandOption("--see-size", "WxH", "Width and height of the pictures that models see, in pixels.")
    ] = "512x288"
    """Size of the pictures that models see, in pixels, such as `512x288`."""
    see_detail: Annotated[
        SeeDetail,
        CommandOption("--see-detail", "HOW", "Detail in which a provider reads pictures: low, high or auto."),
    ] = "auto"
    """Detail in which a provider reads the pictures, where it has a choice; `low` costs least."""
    prompts: Annotated[
        Path | None,
        CommandOption(
            "--prompts",
            "FOLDER",
            "Your own prompts ('accord prompts export'), or compact for 4k models.",
            more="[More](models.md#your-own-prompts).",
        ),
    ] = None
    """Folder with custom prompts, or the name of a set that comes with Accord, such as `compact`."""
    reasoning: Annotated[
        Reasoning,
        CommandOption(
            "--reasoning",
            "HOW",
            "Where models reason: field (before the answer), none, or free (in words).",
            more="[More](models.md#forms-of-answers).",
        ),
    ] = "field"
    """Place of a model's reasoning in its typed answers: `field` (before the answer), `none`, or `free` (in words)."""
    answers: Annotated[
        Answers,
        CommandOption(
            "--answers",
            "WAY",
            "The strictest way to ask for typed answers: schema, json or words.",
            more="[More](models.md#forms-of-answers).",
        ),
    ] = "schema"
    """Strictest way to ask an endpoint for the form of an answer; less strict ones follow where it refuses."""
    batch: Annotated[
        bool,
        CommandOption(
            "--batch",
            "",
            "Ask through the provider's batch API: cheaper, answered within hours.",
            more="[More](models.md#batches).",
        ),
    ] = False
    """Send calls through the provider's batch API."""
    cache: Annotated[
        str,
        CommandOption(
            "--cache",
            "FILE",
            "A file with answers of earlier studies, which cost nothing again; or off.",
            more="[More](models.md#a-cache-of-answers).",
        ),
    ] = "off"
    """File with answers of earlier studies, which are repeated instead of asked for again; or `off`."""
    base_url: Annotated[
        str | None,
        CommandOption(
            "--base-url",
            "[MODEL=]URL",
            "An OpenAI-compatible endpoint; openai/NAME=URL for one model; may be repeated.",
            "OpenAI's",
            repeated=True,
            more="For example vLLM, Ollama or llama.cpp.",
        ),
    ] = None
    """OpenAI-compatible endpoint of all models."""
    base_urls: Mapping[str, str] = field(default_factory=dict)
    """Model -> its own endpoint; overrides `base_url`. Also given by `--base-url`."""
    api_key_file: Annotated[
        Path | None,
        CommandOption(
            "--api-key-file",
            "[MODEL=]FILE",
            "The file with the API key; openai/NAME=FILE for one model; may be repeated.",
            "the environment's key",
            repeated=True,
        ),
    ] = None
    """File with the API key. Keys are never recorded."""
    api_key_files: Mapping[str, Path] = field(default_factory=dict)
    """Model -> file with its key; overrides `api_key_file`. Also given by `--api-key-file`."""
    local: Annotated[
        Mapping[str, str],
        CommandOption(
            "--local",
            "KEY=N",
            "The engine of --model local: context, slots, threads or cache; may be repeated.",
            repeated=True,
            more="[More](local-model.md#options).",
        ),
    ] = field(default_factory=dict)
    """Option of the engine of local models (`context`, `slots`, `threads`, `cache`) -> value."""
    think: Annotated[
        str | None,
        CommandOption(
            "--think",
            "GAME_S",
            "Game time of a model call: run (as it takes), pause (none), seconds, or ROLE=S.",
            "run; mock 2",
            more="[More](models.md#while-models-think).",
        ),
    ] = None
    """Game time that a model call takes: `run`, `pause`, seconds, or `ROLE=SECONDS,...`."""
    prices: Annotated[
        Path | None, CommandOption("--prices", "FILE", "Model prices, like voyager_agents/models/prices.yaml.")
    ] = None
    """File of model prices, which override the built-in ones."""


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """Negotiation, repetition and judge of a game."""

    repeat: Annotated[
        int | None,
        COUNT,
        CommandOption(
            "--repeat",
            "N",
            "Rounds of a repeated game.",
            "as the scenario's file says",
            more="[Repeated games](matrix-games.md).",
        ),
    ] = None
    """Rounds of a repeated game."""
    rounds: Annotated[int, COUNT, CommandOption("--rounds", "N", "The most messages in a negotiation.")] = 6
    """Maximum number of messages in a negotiation."""
    judge: Annotated[
        str | None,
        CommandOption(
            "--judge",
            "WHICH",
            "formal, language, both (formal counts) or language-formal.",
            "language with a model, else formal",
        ),
    ] = None
    """Judge whose verdicts are applied: `formal`, `language`, `both` (formal counts) or `language-formal`."""


@dataclass(frozen=True, kw_only=True)
class RecordOptions:
    """Record of a study."""

    out: Annotated[Path, CommandOption("--out", "FOLDER", "The folder for the record.")] = Path("runs")
    """Folder for new records."""
    plugins: tuple[Path, ...] = field(default_factory=_active_plugins)
    """Folders of packages that add scenarios, agents and so on (docs/plugins.md). Installed ones need not be listed."""


@dataclass(frozen=True, kw_only=True)
class SeatingOptions(PlayerOptions, ModelOptions):
    """Players of a study and the models that they use."""


@dataclass(frozen=True, kw_only=True)
class RunOptions(PlanOptions, LimitOptions, GameOptions):
    """Length of runs, their negotiations and their limits."""


GROUPS: Mapping[str, type] = {
    "Study": PlanOptions,
    "World": WorldOptions,
    "Who plays": PlayerOptions,
    "Models": ModelOptions,
    "Budget and limits": LimitOptions,
    "Negotiation and judge": GameOptions,
    "Analysis": AnalysisOptions,
    "Record and output": RecordOptions,
}
"""Heading in the help of `accord run` -> group of options."""
