"""Families of reference players, which need no model: `reference`, `foragers`, `learned`, `evolved`, `program`,
`climbers` and `bystanders`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from voyager_agents.commons_harvest import TAKES
from voyager_agents.context import AgentContext
from voyager_agents.family import Family

if TYPE_CHECKING:
    from voyager_agents.reference.climbers import Climber
    from voyager_agents.reference.evolved import EvolvedPlayer
    from voyager_agents.reference.file_player import FilePlayer
    from voyager_agents.reference.learned import LearnedForager
    from voyager_agents.reference.living_bystander import LivingBystander
    from voyager_agents.reference.living_outsiders import LivingRandom
    from voyager_agents.reference.reference import ReferenceAgent
    from voyager_agents.reference.turn_takers import ReferenceTurnTaker

IDLE, RANDOM, SABOTEUR = "idle", "random", "saboteur"
"""Only kind of bystanders in mode `life`."""
HEIR = "heir"
"""Only kind of players with inherited programs."""
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


def make_bystanders(contexts: Sequence[AgentContext]) -> list[LivingBystander | LivingRandom]:
    """Create living players that do nothing."""
    from voyager_agents.reference.living_bystander import LivingBystander
    from voyager_agents.reference.living_outsiders import LivingRandom, LivingSaboteur

    outsiders = {RANDOM: LivingRandom, SABOTEUR: LivingSaboteur}
    return [
        outsiders[context.kind](context.player, context.seed)
        if context.kind in outsiders
        else LivingBystander(context.player)
        for context in contexts
    ]


def accept_any_options(options: Mapping[str, Any]) -> None:
    """Accept all options, which are for the other players of the run."""


def make_evolved_players(contexts: Sequence[AgentContext]) -> list[EvolvedPlayer]:
    """Create players with the programs that they inherited. Raises PlayerError for a player without one."""
    from voyager_agents.errors import PlayerError
    from voyager_agents.evolving import inherited_programs
    from voyager_agents.reference.evolved import EvolvedPlayer

    found = []
    for context in contexts:
        own = inherited_programs(context.options).own
        if context.player not in own:
            raise PlayerError(f"{context.player} inherits no program: accord generations gives each player one")
        found.append(EvolvedPlayer(context.player, own[context.player]))
    return found


def evolved_kinds() -> Collection[str]:
    """Return the only kind of players with inherited programs."""
    return (HEIR,)


def check_inherited_programs(options: Mapping[str, Any]) -> None:
    """Raise AgentError for illegal options."""
    from voyager_agents.evolving import inherited_programs
    from voyager_agents.family import check_names

    check_names(options, ("population",))
    inherited_programs(options)


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
LIVING_BYSTANDERS = Family(
    "life",
    make_bystanders,
    check=accept_any_options,
    negotiates=False,
    kinds=lambda: (IDLE, RANDOM, SABOTEUR),
)
"""Living players that take no part, as stand-ins for absent players, act at random, or destroy."""
EVOLVED = Family(
    "episodes",
    make_evolved_players,
    options=("population",),
    check=check_inherited_programs,
    kinds=evolved_kinds,
    negotiates=False,
    keeps_programs=True,
)
"""Players with programs of a population, which `accord generations` gives them."""
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
