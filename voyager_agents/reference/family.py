"""Families of reference players, which need no model: `reference`, `foragers`, `learned`, `program` and `climbers`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voyager_agents.commons_harvest import TAKES
from voyager_agents.context import AgentContext
from voyager_agents.family import Family

if TYPE_CHECKING:
    from voyager_agents.reference.climbers import Climber
    from voyager_agents.reference.file_player import FilePlayer
    from voyager_agents.reference.learned import LearnedForager
    from voyager_agents.reference.reference import ReferenceAgent
    from voyager_agents.reference.turn_takers import ReferenceTurnTaker

CLIMBER = "climber"
"""Only kind of climbers; the option `library` selects the skills."""


def make_reference_agents(contexts: Sequence[AgentContext]) -> list[ReferenceAgent]:
    """Create players that write programs, of the kind in each context."""
    from voyager_agents.reference.reference import ReferenceAgent

    return [ReferenceAgent(context.player, context.kind, seed=context.seed) for context in contexts]


def reference_kinds() -> Collection[str]:
    """Return the kinds of reference players, the default first; plugins add to them."""
    from voyager_agents.reference.reference import PLAYERS

    return PLAYERS


def make_foragers(contexts: Sequence[AgentContext]) -> list[ReferenceTurnTaker]:
    """Create players of Commons Harvest, of the kind in each context."""
    from voyager_agents.reference.turn_takers import ReferenceTurnTaker

    return [ReferenceTurnTaker(context.player, context.kind, seed=context.seed) for context in contexts]


def forager_kinds() -> Collection[str]:
    """Return the kinds of foragers, the default first."""
    from voyager_agents.reference.turn_takers import TURN_TAKERS

    return TURN_TAKERS


def make_learned_foragers(contexts: Sequence[AgentContext]) -> list[LearnedForager]:
    """Create players of Commons Harvest with the policy in the file of the option `file`."""
    from voyager_agents.reference.learned import LearnedForager, policy_path, read_policy

    paths = [policy_path(context.options) for context in contexts]
    policies = {path: read_policy(path) for path in dict.fromkeys(paths)}
    return [
        LearnedForager(context.player, policies[path], seed=context.seed)
        for context, path in zip(contexts, paths, strict=True)
    ]


def check_policy_option(options: Mapping[str, Any]) -> None:
    """Raise PlayerError for illegal options and an unusable file."""
    from voyager_agents.reference.learned import policy_path, read_policy

    read_policy(policy_path(options))


def policy_files(options: Mapping[str, Any]) -> Sequence[Path]:
    """Return the file of the policy."""
    from voyager_agents.reference.learned import FILE

    return [Path(str(options[FILE]))]


def make_program_players(contexts: Sequence[AgentContext]) -> list[FilePlayer]:
    """Create players that play the program in the file of the option `file`."""
    from voyager_agents.reference.file_player import FilePlayer, program_path

    return [FilePlayer(context.player, program_path(context.options)) for context in contexts]


def check_program_option(options: Mapping[str, Any]) -> None:
    """Raise PlayerError for illegal options and an unusable file."""
    from voyager_agents.reference.file_player import program_path, read_program

    read_program(program_path(options))


def program_files(options: Mapping[str, Any]) -> Sequence[Path]:
    """Return the file of the program."""
    from voyager_agents.reference.file_player import FILE

    return [Path(str(options[FILE]))]


def make_climbers(contexts: Sequence[AgentContext]) -> list[Climber]:
    """Create players of Voyager's benchmark."""
    from voyager_agents.reference.climbers import make_climber

    return [make_climber(context) for context in contexts]


def check_climber_options(options: Mapping[str, Any]) -> None:
    """Raise AgentError for illegal options."""
    from voyager_agents.reference.climbers import check_options

    check_options(options)


def climber_files(options: Mapping[str, Any]) -> Sequence[Path]:
    """Return the files of the skills that climbers use."""
    from voyager_agents.reference.climbers import files_of_options

    return files_of_options(options)


REFERENCE = Family("episodes", make_reference_agents, kinds=reference_kinds, keeps_programs=True)
FORAGERS = Family("rounds", make_foragers, takes=TAKES, kinds=forager_kinds)
LEARNED = Family(
    "rounds",
    make_learned_foragers,
    takes=TAKES,
    options=("file",),
    check=check_policy_option,
    files=policy_files,
    negotiates=False,
    by_file=True,
)
"""Players of Commons Harvest with a learned policy."""
PROGRAM = Family(
    "episodes",
    make_program_players,
    options=("file",),
    check=check_program_option,
    files=program_files,
    negotiates=False,
    keeps_programs=True,
    by_file=True,
)
"""Players whose program is a file."""
CLIMBERS = Family(
    "iterations",
    make_climbers,
    check=check_climber_options,
    files=climber_files,
    negotiates=False,
    kinds=lambda: (CLIMBER,),
)
