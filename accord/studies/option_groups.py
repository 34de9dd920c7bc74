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

Reasoning = Literal["field", "none", "free"]
Answers = Literal["schema", "json", "words"]
Hosts = Literal["shared", "per-player"]
Embodied = Literal["off", "mirror"]


@dataclass(frozen=True)
class CommandOption:
    """Command line form of an option."""

    flag: str
    """Option with its dashes; aliases follow after commas."""
    metavar: str
    """Placeholder of the value in the help; empty for a switch."""
    help: str
    show_default: str | None = None
    """Text shown as the default; None for the default value itself."""
    repeated: bool = False
    """True if the option may be given several times, each with one entry of the value."""

    @property
    def parameter(self) -> str:
        """Name of the command's parameter."""
        return self.flag.split(",")[0].removeprefix("--").replace("-", "_")


@dataclass(frozen=True)
class Bounds:
    """Legal range of a number."""

    min: float | None = None
    max: float | None = None
    above: float | None = None
    """Exclusive minimum of a finite number."""

    def in_words(self, unit: str = "") -> str:
        """Return the range in words, with an optional unit."""
        if self.above is not None:
            return f"{unit or 'a number'} above {self.above:g}"
        return f"{self.min:g} or more" if self.max is None else f"{self.min:g} to {self.max:.0f}"


COUNT = Bounds(min=1)
SECONDS = Bounds(above=0)


def _active_plugins() -> tuple[str, ...]:
    """Return the folders of the plugins in use."""
    from common.plugins import active

    return tuple(str(folder) for folder in active())


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """Runs of a study."""

    runs: Annotated[
        int, Bounds(1, 1_000_000), CommandOption("--runs", "N", "Runs of each condition, with the seeds S, S + 1, ...")
    ] = 1
    """Runs per condition, with the seeds seed, seed + 1, ..."""
    jobs: Annotated[int, Bounds(1, 10_000), CommandOption("--jobs", "N", "Runs that are played side by side.")] = 1
    """Maximum number of concurrent runs, each in its own process and world. The record does not depend on it."""
    seed: Annotated[int, CommandOption("--seed", "S", "The seed of every random choice.")] = 0
    episodes: Annotated[
        int,
        COUNT,
        CommandOption("--episodes", "N", "Episodes of a run; players who keep programs that work may end it earlier."),
    ] = 1
    """Episodes per run; docs/cli.md lists what ends a run earlier."""
    vary: Annotated[
        Mapping[str, tuple[str, ...]],
        CommandOption(
            "--vary",
            "KEY=A,B",
            "Models or settings as conditions, e.g. temperature=0,0.7 (docs/models.md); may be repeated.",
            repeated=True,
        ),
    ] = field(default_factory=dict)
    """Factor -> values; the study plays every combination under every condition (`accord.studies.factors`)."""
    invalid: Annotated[
        Treatment,
        CommandOption(
            "--invalid",
            "HOW",
            "Runs that tell nothing about their players: apart, exclude or zero (docs/results.md).",
        ),
    ] = APART
    """Treatment of invalid runs in the results (`accord.analysis.validity`)."""


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
        ),
    ] = "embedded"
    """Name of a world (`bridge.worlds.WORLDS`); `none` for grid games."""
    embodied: Annotated[
        Embodied, CommandOption("--embodied", "MODE", "Show a game on arrays in a world too: off or mirror.")
    ] = "off"
    """Display of a game on arrays: none, or a world in which the players' bodies mirror their moves."""
    terrain: Annotated[str, CommandOption("--terrain", "LAND", "The land: flat, or survival land by seed.")] = "flat"
    """Terrain of the world (`bridge.worlds.TERRAINS`)."""
    bodies: Annotated[
        str | None,
        CommandOption(
            "--bodies",
            "KIND",
            "Players in the embedded server: mineflayer (clients) or engine (bodies).",
            "engine with more than 60 players",
        ),
    ] = None
    """Kind of the players' bodies in the world of a server (`bridge.worlds.BODIES`). None: bodies of the engine if the
    server supports them and there are more than `accord.studies.settings.MANY` players, else Mineflayer clients."""
    port: Annotated[
        int | None, Bounds(1, 65535), CommandOption("--port", "PORT", "The server's game port.", "a free one")
    ] = None


@dataclass(frozen=True, kw_only=True)
class PlayerOptions:
    """Agents and human players of a study."""

    players: Annotated[
        Mapping[str, str],
        CommandOption(
            "--player", "NAME=KIND", "A reference player, e.g. Gizmo=greedy; may be repeated.", repeated=True
        ),
        CommandOption(
            "--human",
            "NAME",
            "A person plays this player (docs/playing-along.md); may be repeated.",
            repeated=True,
        ),
    ] = field(default_factory=dict)
    """Player -> kind of reference player (`voyager_agents.reference.PLAYERS`) or family. Players without an entry use
    `agents`."""
    human_wait_s: Annotated[float, SECONDS, CommandOption("--human-wait", "S", "How long a person is waited for.")] = (
        600.0
    )
    """Wall time in seconds to wait for a human player to join, to come back or to answer."""
    agents: Annotated[
        str | None,
        CommandOption(
            "--agents",
            "A[,B]",
            "Who plays: one for all, or A,B,... one for each player (docs/models.md).",
            "paper with a model, reference without",
        ),
    ] = None
    """Family of the players that `players` does not name (`voyager_agents.registry.FAMILIES`), or kinds of agents
    separated by commas, one for all or one per player. `policy:FILE` is the family `policy` with its option `file`.
    None for the first family that fits the scenario and the models."""
    agents_options: Annotated[
        Mapping[str, str],
        CommandOption("--agents-option", "KEY=X", "An option of the agents' family; may be repeated.", repeated=True),
    ] = field(default_factory=dict)
    """Option of the agents' family -> value; overrides the scenario's options."""
    hosts: Annotated[
        Hosts,
        CommandOption(
            "--hosts", "HOW", "One process for all players' programs, or one per player: shared or per-player."
        ),
    ] = "shared"
    """Processes that run the players' programs: one shared by all, or one per player."""


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """Language models, their endpoints and their settings."""

    model: Annotated[str | None, CommandOption("--model", "openai/NAME", "The language model that plays.")] = None
    """Model of all roles, as `openai/NAME`; None for reference players."""
    models: Annotated[
        Mapping[str, str],
        CommandOption(
            "--model-for",
            "WHO=MODEL",
            "Another model for a role, a player, or PLAYER.ROLE; may be repeated.",
            repeated=True,
        ),
    ] = field(default_factory=dict)
    """`ROLE`, `PLAYER` or `PLAYER.ROLE` -> `openai/NAME`; overrides `model`. The most specific entry applies."""
    sampling: Annotated[
        Mapping[str, str],
        CommandOption(
            "--sampling",
            "[WHO.]KEY=X",
            "How models are asked, e.g. temperature=0 or critic.max_tokens=500; may be repeated.",
            "the parts' own",
            repeated=True,
        ),
    ] = field(default_factory=dict)
    """`[WHO.]KEY` -> value of a sampling parameter of the models (`voyager_agents.models.sampling`)."""
    prompts: Annotated[
        Path | None,
        CommandOption("--prompts", "FOLDER", "Your own prompts ('accord prompts export'), or compact for 4k models."),
    ] = None
    """Folder with the user's own prompts, or the name of a set that comes with Accord
    (`voyager_agents.prompts.folder`)."""
    reasoning: Annotated[
        Reasoning,
        CommandOption(
            "--reasoning",
            "HOW",
            "Where models reason: field (before the answer), none, or free (in words).",
        ),
    ] = "field"
    """Place of a model's reasoning in its typed answers (`common.answers.form`)."""
    answers: Annotated[
        Answers,
        CommandOption("--answers", "WAY", "The strictest way to ask for typed answers: schema, json or words."),
    ] = "schema"
    """Strictest way to ask an endpoint for the form of an answer; less strict ones follow where it refuses."""
    batch: Annotated[
        bool,
        CommandOption("--batch", "", "Ask through the provider's batch API: cheaper, answered within hours."),
    ] = False
    """Send calls through the provider's batch API (`voyager_agents.models.batch`)."""
    base_url: Annotated[
        str | None,
        CommandOption(
            "--base-url",
            "[MODEL=]URL",
            "An OpenAI-compatible endpoint; openai/NAME=URL for one model; may be repeated.",
            "OpenAI's",
            repeated=True,
        ),
    ] = None
    base_urls: Mapping[str, str] = field(default_factory=dict)
    """Spec of a model -> its endpoint; overrides `base_url`. Also given by `--base-url`."""
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
    """File with the API key; None for the key in the environment. Keys are never recorded."""
    api_key_files: Mapping[str, Path] = field(default_factory=dict)
    """Spec of a model -> file with its key; overrides `api_key_file`. Also given by `--api-key-file`."""
    think: Annotated[
        str | None,
        CommandOption(
            "--think",
            "GAME_S",
            "Game time of a model call: run (as it takes), pause (none), seconds, or ROLE=S. [default: run; mock 2]",
        ),
    ] = None
    """Game time that a model call takes (`dilemmas.modes.thinking`); None for the world's default."""
    prices: Annotated[
        Path | None, CommandOption("--prices", "FILE", "Model prices, like voyager_agents/models/prices.yaml.")
    ] = None
    """Price file whose entries override the built-in prices."""


@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """Limits of a study and of its runs."""

    budget: Annotated[
        Mapping[str, Mapping[str, float]],
        CommandOption(
            "--max-usd",
            "[NAME=]USD",
            "The most dollars. NAME= for one agent, each= for each; may be repeated.",
            repeated=True,
        ),
        CommandOption("--max-tokens", "[NAME=]N", "The most tokens, likewise.", repeated=True),
        CommandOption("--max-calls", "[NAME=]N", "The most model calls, likewise.", repeated=True),
        CommandOption(
            "--max-wall", "[NAME=]S", "The most seconds for the study, or for one agent's calls.", repeated=True
        ),
    ] = field(default_factory=dict)
    """Measure -> scope -> cap for the whole study. Measures are usd, tokens, calls and wall (seconds); a scope is `all`
    (the sum over agents), `each` (every agent) or the name of an agent."""
    no_progress: Annotated[
        int | None,
        COUNT,
        CommandOption("--no-progress", "K", "Stop a run after K episodes in a row that changed nothing."),
    ] = None
    """Number of consecutive episodes without a change of any inventory or reward after which a run stops; None for no
    limit."""
    time_limit_s: Annotated[
        float | None,
        SECONDS,
        CommandOption("--time-limit", "S", "The most game time for an episode.", "the scenario's"),
    ] = None
    """Maximum game time of an episode in seconds; None for the scenario's limit."""


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """Negotiation, repetition and judge of a game."""

    repeat: Annotated[
        int | None, COUNT, CommandOption("--repeat", "N", "Rounds of a repeated game.", "as the scenario's file says")
    ] = None
    """Rounds of a repeated game; None for the number in the scenario's file."""
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
    """Judges of conditions that name none: the judge whose verdict counts, and one whose verdict is only recorded
    (`dilemmas.scenarios.spec.JUDGES`). None: the language judge if there is a model for it, else the formal judge."""


@dataclass(frozen=True, kw_only=True)
class RecordOptions:
    """Record of a study."""

    out: Annotated[Path, CommandOption("--out", "FOLDER", "The folder for the record.")] = Path("runs")
    plugins: tuple[str, ...] = field(default_factory=_active_plugins)
    """Folders of plugins named by `--plugin`; installed plugins are discovered by their entry points."""


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
    "Record and output": RecordOptions,
}
"""Heading in the help of `accord run` -> group of options."""
