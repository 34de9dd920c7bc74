"""Options of a study, defined once, in a group for each part that uses them.

A field says how the option is given on the command line (`CommandOption`), so that the parameters of `accord run` and
their help are made from it. Its Python name is the keyword of `accord.run` and `accord.study`, the key in config.yaml
and in a sweep's file. `accord.studies.settings.StudySettings` has all groups' fields, and checks their values.

This module is imported for `accord run --help`, and imports nothing that takes time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal

from accord.analysis.validity import APART, Treatment

Hosts = Literal["shared", "per-player"]


@dataclass(frozen=True)
class CommandOption:
    """Way in which an option is given on the command line."""

    flag: str
    """Name with its dashes; more names follow after commas."""
    metavar: str
    help: str
    show_default: str | None = None
    """Text shown as the default; None for the default itself."""
    repeated: bool = False
    """True if it may be given several times, with a part of the value each time."""

    @property
    def parameter(self) -> str:
        """Name of the command's parameter."""
        return self.flag.split(",")[0].removeprefix("--").replace("-", "_")


def _active_plugins() -> tuple[str, ...]:
    """Return the folders of the plugins in use."""
    from common.plugins import active

    return tuple(str(folder) for folder in active())


@dataclass(frozen=True, kw_only=True)
class PlanOptions:
    """Runs of a study."""

    runs: Annotated[int, CommandOption("--runs", "N", "Runs of each condition, with the seeds S, S + 1, ...")] = 1
    """Runs per condition, with the seeds seed, seed + 1, ..."""
    jobs: Annotated[int, CommandOption("--jobs", "N", "Runs that are played side by side.")] = 1
    """Maximum runs at a time, each in its own process and world. The record is the same with any number."""
    seed: Annotated[int, CommandOption("--seed", "S", "The seed of every random choice.")] = 0
    episodes: Annotated[
        int,
        CommandOption("--episodes", "N", "Episodes of a run; players who keep programs that work may end it earlier."),
    ] = 1
    """Episodes of a run; docs/cli.md says what ends a run earlier."""
    vary: Annotated[
        Mapping[str, tuple[str, ...]],
        CommandOption(
            "--vary",
            "KEY=A,B",
            "Models or settings as conditions, e.g. temperature=0,0.7 (docs/models.md); may be repeated.",
            repeated=True,
        ),
    ] = field(default_factory=dict)
    """Factor -> its values: what is varied beside the conditions (`accord.studies.factors`)."""
    invalid: Annotated[
        Treatment,
        CommandOption(
            "--invalid",
            "HOW",
            "Runs that tell nothing about their players: apart, exclude or zero (docs/results.md).",
        ),
    ] = APART
    """Treatment of runs that tell nothing about the players (`accord.analysis.validity`)."""


@dataclass(frozen=True, kw_only=True)
class WorldOptions:
    """World of a study, and bodies of the players in it."""

    world: Annotated[
        str,
        CommandOption(
            "--world",
            "WORLD",
            "embedded, mock or paper; none for games on arrays.",
            "embedded; none for games on arrays",
        ),
    ] = "embedded"
    """A world of `bridge.worlds.WORLDS`; `none` for games that are played on arrays."""
    embodied: Annotated[
        str, CommandOption("--embodied", "MODE", "Show a game on arrays in a world too: off or mirror.")
    ] = "off"
    """Display of a game on arrays in a world (`accord.studies.settings.EMBODIED`)."""
    terrain: Annotated[str, CommandOption("--terrain", "LAND", "The land: flat, or survival land by seed.")] = "flat"
    """Land of the world (`bridge.worlds.TERRAINS`)."""
    bodies: Annotated[
        str | None,
        CommandOption(
            "--bodies",
            "KIND",
            "Players in the embedded server: mineflayer (clients) or engine (bodies).",
            "engine with more than 60 players",
        ),
    ] = None
    """Kind of the players' bodies in a server's world (`bridge.worlds.BODIES`); None: bodies in the server where it can
    have them and there are more than `MANY` players, else clients."""
    port: Annotated[int | None, CommandOption("--port", "PORT", "The server's game port.", "a free one")] = None


@dataclass(frozen=True, kw_only=True)
class PlayerOptions:
    """Agents and people who play."""

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
    """Player -> kind of reference player (`voyager_agents.reference.PLAYERS`) or family, unless the default."""
    human_wait_s: Annotated[float, CommandOption("--human-wait", "S", "How long a person is waited for.")] = 600.0
    """Time to wait for a person who plays to join, come back or say something, in seconds of wall time."""
    agents: Annotated[
        str | None,
        CommandOption(
            "--agents",
            "A[,B]",
            "Who plays: one for all, or A,B,... one for each player (docs/models.md).",
            "paper with a model, reference without",
        ),
    ] = None
    """Family of all other players (`voyager_agents.registry.FAMILIES`); None for the first that fits. `policy:FILE` is
    the family `policy` with its option `file`. Kinds of agents with commas between them: one for each player."""
    agents_options: Annotated[
        Mapping[str, str],
        CommandOption("--agents-option", "KEY=X", "An option of the agents' family; may be repeated.", repeated=True),
    ] = field(default_factory=dict)
    """Option of the family -> value, over what the scenario sets."""
    hosts: Annotated[
        Hosts,
        CommandOption(
            "--hosts", "HOW", "One process for all players' programs, or one per player: shared or per-player."
        ),
    ] = "shared"
    """Processes of players' programs: shared, or one per player."""


@dataclass(frozen=True, kw_only=True)
class ModelOptions:
    """Models, and the ways in which they are asked."""

    model: Annotated[str | None, CommandOption("--model", "openai/NAME", "The language model that plays.")] = None
    """`openai/NAME` for all roles; None for reference players."""
    models: Annotated[
        Mapping[str, str],
        CommandOption(
            "--model-for",
            "WHO=MODEL",
            "Another model for a role, a player, or PLAYER.ROLE; may be repeated.",
            repeated=True,
        ),
    ] = field(default_factory=dict)
    """`ROLE`, `PLAYER` or `PLAYER.ROLE` -> `openai/NAME`, where it is not `model`; the narrower name counts."""
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
    """`[WHO.]KEY` -> value of the settings with which models are asked (`voyager_agents.models.sampling`)."""
    prompts: Annotated[
        Path | None, CommandOption("--prompts", "FOLDER", "Your own prompts ('accord prompts export').")
    ] = None
    """Folder with the user's own prompts (`voyager_agents.prompts.folder`)."""
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
    """Model's spec -> its endpoint, where it is not `base_url`; given by `--base-url`, too."""
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
    """File that holds the key; None for the environment's. Neither gets into a record."""
    api_key_files: Mapping[str, Path] = field(default_factory=dict)
    """Model's spec -> the file with its key, where it is not `api_key_file`; given by `--api-key-file`, too."""
    think: Annotated[
        str | None,
        CommandOption(
            "--think",
            "GAME_S",
            "Game time of a model call: run (as it takes), pause (none), seconds, or ROLE=S. [default: run; mock 2]",
        ),
    ] = None
    """Game time that thinking costs (`dilemmas.modes.thinking`); None for the world's default."""
    prices: Annotated[
        Path | None, CommandOption("--prices", "FILE", "Model prices, like voyager_agents/models/prices.yaml.")
    ] = None
    """Price file whose entries replace the known ones."""


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
    """Limits of the whole study: usd, tokens, calls or wall (seconds) -> `all` together, `each` agent, or an agent's
    name -> limit."""
    no_progress: Annotated[
        int | None,
        CommandOption("--no-progress", "K", "Stop a run after K episodes in a row that changed nothing."),
    ] = None
    """Episodes in a row without a change of any inventory or reward after which a run stops; None for no such limit."""
    time_limit_s: Annotated[
        float | None,
        CommandOption("--time-limit", "S", "The most game time for an episode.", "the scenario's"),
    ] = None
    """Maximum seconds of game time for an episode; None for the scenario's own limit."""


@dataclass(frozen=True, kw_only=True)
class GameOptions:
    """Negotiation, repetition and judge of a game."""

    repeat: Annotated[
        int | None, CommandOption("--repeat", "N", "Rounds of a repeated game.", "as the scenario's file says")
    ] = None
    """Rounds of a repeated game; None for the number in its file."""
    rounds: Annotated[int, CommandOption("--rounds", "N", "The most messages in a negotiation.")] = 6
    """Maximum messages in a negotiation."""
    judge: Annotated[
        str | None,
        CommandOption(
            "--judge",
            "WHICH",
            "formal, language, both (formal counts) or language-formal.",
            "language with a model, else formal",
        ),
    ] = None
    """Judges, the one that counts and the one that only records (`dilemmas.scenarios.spec.JUDGES`), where a condition
    does not say. None: the language judge where there is a model, else the formal one."""


@dataclass(frozen=True, kw_only=True)
class RecordOptions:
    """Record of a study."""

    out: Annotated[Path, CommandOption("--out", "FOLDER", "The folder for the record.")] = Path("runs")
    plugins: tuple[str, ...] = field(default_factory=_active_plugins)
    """Folders of plugins that were named (`--plugin`); installed ones are found by themselves."""


GROUPS: Mapping[str, type] = {
    "Study": PlanOptions,
    "World": WorldOptions,
    "Who plays": PlayerOptions,
    "Models": ModelOptions,
    "Budget and limits": LimitOptions,
    "Negotiation and judge": GameOptions,
    "Record and output": RecordOptions,
}
"""Heading in the help -> group."""
