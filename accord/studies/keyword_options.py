"""Keyword options of `accord.run` and `accord.study`, written by `python docs/options.py`.

The definitions are in `accord.studies.option_groups`. Type checkers and editors need the types as source text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from accord.studies.option_groups import Acting, Answers, Embodied, Hosts, See, SeeDetail, Words
from common.answers.reasoning import Reasoning
from common.answers.stand_ins import StandIn


class Options(TypedDict, total=False):
    """Keyword options of `run` and `study`, named like the options of `accord run` (docs/cli.md)."""

    episodes: int
    """Episodes per run; docs/cli.md lists what ends a run earlier.

    Default: `1`.
    """

    world: str
    """Name of the world: `embedded`, `mock` or `paper`; `none` for games on arrays.

    Default: embedded; none for games on arrays.
    """

    embodied: Embodied
    """`mirror` shows a game on arrays in a world, in which the players' bodies mirror their moves.

    Default: `off`.
    """

    terrain: str
    """Terrain of the world: `flat` or `survival`.

    Default: `flat`.
    """

    bodies: str
    """Bodies of players on the embedded server: `mineflayer` (network clients) or `engine` (entities in the server).

    Default: engine with more than 60 players.
    """

    port: int
    """Game port of the server.

    Default: a free one.
    """

    players: Mapping[str, str]
    """Player -> kind of reference player or family of agents, with a file that it plays by. Others use `agents`."""

    human_wait_s: float
    """Wall time in seconds to wait for a human player to join, to come back or to answer.

    Default: `600`.
    """

    consent: str
    """File of Markdown that a person agrees to, on its page, before it can enter the game.

    Default: none.
    """

    instructions: str
    """File of Markdown that a person reads, on its page, before it can enter the game.

    Default: none.
    """

    questionnaire: str
    """File of YAML with questions to people before and after the game.

    Default: none.
    """

    agents: str
    """Family of agents, or kinds of agents separated by commas: one for all players, or one per player.

    `FAMILY:FILE` is a family that plays by a file (`policy`, `learned`, `program`) with its option `file`.

    Default: paper with a model, reference without.
    """

    agents_options: Mapping[str, str]
    """Option of the agents' family -> value; overrides the scenario's options."""

    act: Acting
    """Way in which models act in the world: by programs, or by tool calls (`voyager_agents.tool_calls`).

    Default: `programs`.
    """

    hosts: Hosts
    """Processes that run the players' programs: one shared by all, or one per player.

    Default: `shared`.
    """

    adversaries: Mapping[str, str]
    """Player -> kind of adversary (`voyager_agents.adversaries.kinds`), or `none`."""

    words: Words
    """`quarantined` keeps what players say in the game from all agents and judges.

    Default: `open`.
    """

    model: str
    """Language model, such as `openai/NAME` or `local`. docs/models.md and docs/local-model.md list all forms."""

    models: Mapping[str, str]
    """`ROLE`, `PLAYER` or `PLAYER.ROLE` -> model; overrides `model`. The most specific entry applies."""

    sampling: Mapping[str, str]
    """`[WHO.]KEY` -> value of a sampling parameter of the models (docs/models.md).

    Default: the parts' own.
    """

    see: See
    """Form in which models see the world: `words`, `image` (a picture instead of words for what it shows) or `both`.

    Default: `words`.
    """

    see_size: str
    """Size of the pictures that models see, in pixels, such as `512x288`.

    Default: `512x288`.
    """

    see_detail: SeeDetail
    """Detail in which a provider reads the pictures, where it has a choice; `low` costs least.

    Default: `auto`.
    """

    prompts: str | Path
    """Folder with custom prompts, or the name of a set that comes with Accord, such as `compact`."""

    reasoning: Reasoning
    """Place of a model's reasoning in its typed answers: `field` (before the answer), `none`, or `free` (in words).

    Default: `field`.
    """

    answers: Answers
    """Strictest way to ask an endpoint for the form of an answer; less strict ones follow where it refuses.

    Default: `schema`.
    """

    batch: bool
    """Send calls through the provider's batch API.

    Default: `False`.
    """

    cache: str
    """File with answers of earlier studies, which are repeated instead of asked for again; or `off`.

    Default: `off`.
    """

    base_url: str
    """OpenAI-compatible endpoint of all models.

    Default: OpenAI's.
    """

    base_urls: Mapping[str, str]
    """Model -> its own endpoint; overrides `base_url`. Also given by `--base-url`."""

    api_key_file: str | Path
    """File with the API key. Keys are never recorded.

    Default: the environment's key.
    """

    api_key_files: Mapping[str, str | Path]
    """Model -> file with its key; overrides `api_key_file`. Also given by `--api-key-file`."""

    local: Mapping[str, str]
    """Option of the engine of local models (`context`, `slots`, `threads`, `cache`) -> value."""

    think: str
    """Game time that a model call takes: `run`, `pause`, seconds, or `ROLE=SECONDS,...`.

    Default: run; mock 2.
    """

    prices: str | Path
    """File of model prices, which override the built-in ones."""

    budget: Mapping[str, Mapping[str, float]]
    """Measure -> scope -> cap for the whole study. Measures are usd, tokens, calls and wall (seconds); a scope is `all`
    (the sum over agents), `each` (every agent) or the name of an agent.
    """

    no_progress: int
    """Number of consecutive episodes without a change of any inventory or reward after which a run stops."""

    time_limit_s: float
    """Maximum game time of an episode in seconds.

    Default: the scenario's.
    """

    max_unreadable: float
    """Maximum share of a player's questions without a usable answer; a run above it is invalid.

    Default: `0.1`.
    """

    on_unreadable: StandIn
    """Stand-in for a player without a usable answer (`common.answers.stand_ins`).

    Default: random in repeated games, else idle.
    """

    repeat: int
    """Rounds of a repeated game.

    Default: as the scenario's file says.
    """

    rounds: int
    """Maximum number of messages in a negotiation.

    Default: `6`.
    """

    judge: str
    """Judge whose verdicts are applied: `formal`, `language`, `both` (formal counts) or `language-formal`.

    Default: language with a model, else formal.
    """

    primary: Sequence[str]
    """Primary outcomes, by the names of result.json; others are exploratory.

    Default: `()`.
    """

    compare: Sequence[str]
    """Pairs of conditions (`A,B`) to be compared; others are exploratory.

    Default: `()`.
    """

    paired: bool
    """True to test runs in pairs of equal seeds; by default runs count as independent.

    Default: `False`.
    """

    mixed: bool
    """True to test runs with equal seeds by a mixed model, in place of the sign-flip test.

    Default: `False`.
    """

    out: str | Path
    """Folder for new records.

    Default: `runs`.
    """

    plugins: Sequence[str | Path]
    """Folders of packages that add scenarios, agents and so on (docs/plugins.md). Installed ones need not be listed."""
