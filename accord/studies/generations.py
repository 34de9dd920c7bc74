"""Strategies over generations: a population plays a repeated game, the better part survives, and newcomers learn.

Each seed is one lineage of generations. Strategies alone are played by the game's payoff rule, without a world. Other
agents play in a world, each game as a run with a record. Models write a strategy before their first game, and read
those of the survivors. Every generation is a file, so that a lineage goes on where it was stopped.

After Vallinder and Hughes, Cultural Evolution of Cooperation among LLM Agents (arXiv 2412.10270).
"""

from __future__ import annotations

import asyncio
import json
import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property
from multiprocessing import get_context
from pathlib import Path
from statistics import fmean
from typing import Annotated, ClassVar

from pydantic import TypeAdapter, ValidationError

from accord.analysis.generations import Generation, Generations, PlayedMember
from accord.studies.generation_games import (
    BOOKS,
    GroupGame,
    GroupResult,
    budget_left,
    endowment,
    lowest_payoff,
    play_group_by_rule,
    play_group_in_world,
)
from accord.studies.option_definitions import Bounds
from accord.studies.sweeps.engine import Engine, Heard, open_engine
from accord.studies.sweeps.spec import Value
from accord.studies.tournament import CHOOSER, NO_WORLD, TournamentPlan, model_parameters, point_of
from common.plain_files import read_text
from common.plugins import active, add
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.record import to_json, write_atomically
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.repeated_game.scenario import RepeatedGame
from voyager_agents.errors import AgentError
from voyager_agents.evolving import check_program, mutated_program
from voyager_agents.models import KINDS, is_model
from voyager_agents.stage_games.options import MAX_ADVICE
from voyager_agents.stage_games.populations import (
    Inheritance,
    PopulationMember,
    first_generation,
    groups,
    next_generation,
    taught_by,
)

FOUR = ("always-cooperate", "always-defect", "tit-for-tat", "discriminator")
"""Default participants."""
PAIRED = 12
"""Default number of members in a game of two players."""
PAIRED_GAMES = 10
"""Default number of games of each member, if the population is larger than a game."""
MAX_MEMBERS = 1000
MAX_GENERATIONS = 10_000
HALF, NOBODY = "half", "none"
PROGRAMS, WRITER = "evolved", "paper"
"""Family of players with a given program, and family whose models write programs."""
KEPT = TypeAdapter(Generation)


@dataclass(frozen=True)
class GenerationsPlan(TournamentPlan):
    """Plan of generations, checked when created: an illegal value raises UsageError with a one-line message."""

    KIND: ClassVar[str] = "generations"
    TOLD: ClassVar[str] = "a study of generations"
    MIN_NAMES: ClassVar[int] = 1

    names: tuple[str, ...] = FOUR
    counts: tuple[int, ...] = ()
    """Members of each name in the first generation; empty for equal parts. A name with 0 is a mutant alone."""
    generations: Annotated[int, Bounds(1, MAX_GENERATIONS)] = 10
    population: Annotated[int | None, Bounds(2, MAX_MEMBERS)] = None
    """Number of members; None for the sum of `counts`, or for the players of the game, or 12 if it is for two."""
    survivors: str = HALF
    """Members that survive a generation: `half`, `none`, or a number."""
    mutation: Annotated[float, Bounds(0, 1)] = 0.0
    """Probability that a newcomer draws its strategy at random from all names."""
    games: Annotated[int | None, Bounds(1, MAX_MEMBERS)] = None
    """Games of each member in a generation; None for one if all play together, else 10."""
    seeds: Annotated[int, Bounds(1, 10_000)] = 5
    programs: Mapping[str, str] = field(default_factory=dict)
    """Name of a participant -> its program. With programs the population plays episodes in a world."""

    def __post_init__(self) -> None:
        super().__post_init__()
        for name, source in self.programs.items():
            try:
                check_program(source)
            except AgentError as error:
                raise UsageError(f"programs: {name}: {error}") from None
        if self.counts and (len(self.counts) != len(self.names) or min(self.counts) < 0 or not any(self.counts)):
            raise UsageError("agents: give each a number of members or none of them, as always-defect=11,tit-for-tat=1")
        if self.counts and self.population not in (None, sum(self.counts)):
            raise UsageError(f"population: {self.population} is not legal; --agents has {sum(self.counts)} members")
        if self.survivors not in (HALF, NOBODY) and not self.survivors.isdecimal():
            raise UsageError(f"survivors: {self.survivors!r} is not legal; give {HALF}, {NOBODY}, or a number")

    @property
    def _needs(self) -> str:
        return "a population needs one or more, as A,B,C"

    def _check_names(self) -> None:
        if not self.plays_programs:
            return super()._check_names()
        for name in self.names:
            if name not in self.programs and name != WRITER and not is_model(name):
                legal = ", ".join([*self.programs, WRITER, *(f"{kind}/NAME" for kind in KINDS)])
                raise UsageError(f"agents: {name!r} is no program here; choose from {legal}")
        return None

    @property
    def _others(self) -> list[str]:
        # Programs are played in a world, but ask no model.
        return [PROGRAMS if name in self.programs else name for name in super()._others]

    @property
    def plays_programs(self) -> bool:
        """True if members are programs, given or written by models."""
        return bool(self.programs) or WRITER in self.names

    def agent_of(self, kind: str) -> str:
        """Return the family or strategy that plays a kind of member."""
        if not self.plays_programs:
            return kind
        return PROGRAMS if kind in self.programs else WRITER

    def point(self, seats: Mapping[str, str]) -> dict[str, Value]:
        """Return the sweep's parameters for a game (player -> kind of member)."""
        if not self.plays_programs:
            return point_of(self, seats)
        models = {
            player: kind if is_model(kind) else self.model
            for player, kind in seats.items()
            if kind not in self.programs
        }
        agents = ",".join(self.agent_of(kind) for kind in seats.values())
        return {"agents": agents, **model_parameters(self, models)}

    def game(self) -> Scenario:  # type: ignore[override] # programs play other scenarios, too
        """Return the game of the population. Raises UsageError if the population cannot play it."""
        plain = load_scenario(self.scenario)
        if self.plays_programs:
            if "episodes" not in plain.spec.plays:
                raise UsageError(f"{self.scenario} is not played by programs; choose another scenario")
            if self.noise is not None and "repeats" not in plain.abilities:
                raise UsageError(f"noise: {self.scenario} is no repeated game; leave it out")
        elif not isinstance(plain, RepeatedGame):
            raise UsageError(
                f"{self.scenario} is no repeated game (docs/matrix-games.md): a population plays it by programs alone; "
                "give --programs FOLDER"
            )
        found = load_scenario(self.scenario, self.changes())
        size, players = self.size(found), len(found.spec.players)
        if size % players:
            raise UsageError(
                f"population: {size} members are no whole number of games of {players} players; give e.g. "
                f"{players * max(1, round(size / players))}"
            )
        if self.inheritance(size).survivors >= size:
            raise UsageError(f"survivors: {self.survivors} of {size} members leave no place for newcomers; give fewer")
        return found

    def size(self, game: Scenario) -> int:
        """Return the number of members."""
        players = len(game.spec.players)
        return sum(self.counts) or self.population or (players if players > 2 else PAIRED)

    def inheritance(self, size: int) -> Inheritance:
        """Return the rules of survival and learning in a population of this size."""
        kept = {HALF: size // 2, NOBODY: 0}.get(self.survivors)
        change = mutated_program if self.plays_programs else None
        return Inheritance(int(self.survivors) if kept is None else kept, self.mutation, self.names, change)

    def writes(self, kind: str) -> bool:
        """Return True if members of a kind write a strategy before their first game."""
        return kind in (CHOOSER, WRITER) or is_model(kind)

    def kinds(self, size: int) -> list[str]:
        """Return the kinds of the first generation."""
        counts = self.counts or [len(range(place, size, len(self.names))) for place in range(len(self.names))]
        return [name for name, count in zip(self.names, counts, strict=True) for _ in range(count)]


@dataclass(frozen=True)
class Lineage:
    """The generations of one seed."""

    plan: GenerationsPlan
    seed: int
    directory: Path
    """Directory of the study."""

    @cached_property
    def game(self) -> Scenario:
        """The game."""
        return self.plan.game()

    @cached_property
    def first(self) -> tuple[PopulationMember, ...]:
        """Members of the first generation."""
        found = first_generation(self.plan.kinds(self.plan.size(self.game)))
        return tuple(replace(each, text=self.plan.programs.get(each.kind, "")) for each in found)

    def next(self, played: Generation) -> tuple[PopulationMember, ...]:
        """Return the members of the generation after this one."""
        members, number = [each.member for each in played.members], played.number + 1
        found = next_generation(
            members,
            {each.member.id: each.payoff for each in played.members},
            endowment(self.game) + lowest_payoff(self.game),
            self.plan.inheritance(len(members)),
            random.Random(f"generation:{self.seed}:{number}"),
            number,
        )
        new = {each.id for each in found} - {each.id for each in members}
        # A newcomer that writes has no program before it has written one.
        found = tuple(
            replace(each, text="") if each.id in new and self.plan.writes(each.kind) else each for each in found
        )
        teachers = self.teachers(played, found)
        learners = {each.id for each in found if each.id in new and self.plan.writes(each.kind) and teachers}
        return tuple(taught_by(each, teachers) if each.id in learners else each for each in found)

    def teachers(self, played: Generation, members: Sequence[PopulationMember]) -> list[PopulationMember]:
        """Return those whose strategies newcomers read, best first: the survivors, or all if nobody survived.

        Args:
            played: The last generation.
            members: Members of the next one.
        """
        before = {each.member.id for each in played.members}
        ranked = [each.member for each in sorted(played.members, key=lambda each: -each.payoff)]
        kept = [each for each in members if each.id in before]
        return [each for each in kept or ranked if each.text][:MAX_ADVICE]

    def groups(
        self, number: int, members: Sequence[PopulationMember]
    ) -> Iterator[tuple[int, tuple[PopulationMember, ...]]]:
        """Yield the seed and the members of each game of a generation, by their seats."""
        players = len(self.game.spec.players)
        games = self.plan.games or (1 if players == len(members) else PAIRED_GAMES)
        draw = random.Random(f"groups:{self.seed}:{number}")
        for group in groups(members, players, games, draw):
            yield draw.getrandbits(31), group

    def path(self, number: int) -> Path:
        """Return the folder of a generation."""
        return self.directory / f"seed-{self.seed}" / f"generation-{number:04d}"

    def kept(self, number: int, members: Sequence[PopulationMember]) -> Generation | None:
        """Return a generation that was played before a stop; None if its file is missing or of other members."""
        try:
            found: Generation = KEPT.validate_python(json.loads(read_text(self._file(number))))
        except (OSError, ValueError, RecursionError, ValidationError):
            return None
        told = [replace(each.member, text="") for each in found.members]
        expected = [replace(each, text="") for each in members]
        same = (found.seed, found.number, told) == (self.seed, number, expected)
        return found if same and all(math.isfinite(each.payoff) for each in found.members) else None

    def keep(self, played: Generation) -> Generation:
        """Write the file of a generation, and return it as it is read. Raises RecordError."""
        text = to_json(KEPT.dump_python(played, mode="json"))
        try:
            self._file(played.number).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._file(played.number), text)
        except OSError as error:
            raise RecordError(
                f"cannot write to {self.directory}: {error.strerror}; make room, or choose another --out"
            ) from None
        return played

    def _file(self, number: int) -> Path:
        return self.path(number).with_suffix(".json")

    def result(self, number: int, members: Sequence[PopulationMember], results: Sequence[GroupResult]) -> Generation:
        """Return a generation from the results of its games."""
        endowed = endowment(self.game)
        found = []
        for member in members:
            own = [each for each in results if member.id in each.payoffs]
            rates = [rate for each in own if (rate := each.cooperation.get(member.id)) is not None]
            text = next((each.texts[member.id] for each in own if member.id in each.texts), member.text)
            fault = next((each.faults[member.id] for each in own if member.id in each.faults), "")
            paid = endowed + fmean(each.payoffs[member.id] for each in own)
            found.append(PlayedMember(replace(member, text=text), paid, fmean(rates) if rates else None, fault))
        return Generation(self.seed, number, tuple(found), sum(each.invalid for each in results))


async def generations(
    plan: GenerationsPlan,
    directory: Path,
    heard: Heard = lambda _number, _outcome: None,
    engine: Callable[[int], Engine] = lambda jobs: open_engine("local", jobs=jobs),
) -> Generations:
    """Play all generations of all seeds and return the result.

    Args:
        plan: The plan.
        directory: Directory for the generations and the records of games in a world.
        heard: Called with a number and the outcome of each ended game in a world, or of each ended generation.
        engine: Creates the engine for a number of concurrent games.

    Raises:
        UsageError: The plan cannot be played.
        DilemmaError: Games in a world were not played to their end.
    """
    game = plan.game()
    if plan.played_in == NO_WORLD:
        assert isinstance(game, RepeatedGame), "programs play in a world"
    lineages = [Lineage(plan, seed, directory) for seed in plan.all_seeds]
    if plan.played_in == NO_WORLD:
        found = await _by_rule(plan, lineages, heard)
    else:
        slots = asyncio.Semaphore(plan.jobs)
        playing = [asyncio.create_task(_in_world(each, slots, heard, engine)) for each in lineages]
        try:
            found = list(await asyncio.gather(*playing))
        finally:
            for task in playing:
                task.cancel()
            await asyncio.gather(*playing, return_exceptions=True)
    inheritance = plan.inheritance(plan.size(game))
    return Generations(
        game.spec.name,
        plan.names,
        plan.seed,
        tuple(each for lineage in found for each in lineage),
        inheritance.survivors,
        plan.mutation,
        plan.played_in,
        plan.plays_programs,
    )


async def _by_rule(plan: GenerationsPlan, lineages: Sequence[Lineage], heard: Heard) -> list[list[Generation]]:
    """Play strategies without a world, several lineages at a time with `jobs` above 1."""
    if plan.jobs == 1:
        found = []
        for each in lineages:
            found.append(play_lineage(each, heard))
            await asyncio.sleep(0)
        return found
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor(plan.jobs, get_context("spawn"), use_plugins, (active(),)) as pool:
        return list(await asyncio.gather(*(loop.run_in_executor(pool, play_lineage, each) for each in lineages)))


def use_plugins(folders: Sequence[Path]) -> None:
    """Use these plugins in a worker process."""
    for folder in folders:
        add(folder)


def play_lineage(lineage: Lineage, heard: Heard = lambda _number, _outcome: None) -> list[Generation]:
    """Play the generations of one seed without a world; those that were played before are read."""
    found: list[Generation] = []
    members = lineage.first
    assert isinstance(lineage.game, RepeatedGame), "programs play in a world"
    spec = lineage.game.spec
    for number in range(1, lineage.plan.generations + 1):
        played = lineage.kept(number, members)
        if played is None:
            results = [play_group_by_rule(spec, group, seed) for seed, group in lineage.groups(number, members)]
            played = lineage.keep(lineage.result(number, members, results))
        heard(number, "complete")
        found.append(played)
        members = lineage.next(played)
    return found


async def _in_world(
    lineage: Lineage, slots: asyncio.Semaphore, heard: Heard, engine: Callable[[int], Engine]
) -> list[Generation]:
    """Play the generations of one seed in a world; games that were played before are read."""
    found: list[Generation] = []
    members = lineage.first
    plan = lineage.plan
    for number in range(1, plan.generations + 1):
        played = lineage.kept(number, members)
        results: list[GroupResult] = []
        for seed, group in lineage.groups(number, members) if played is None else ():
            game = _group_game(lineage, found, members, results, (seed, group))
            async with slots:
                own = replace(
                    plan,
                    seed=seed,
                    seeds=1,
                    jobs=1,
                    budget=budget_left(plan.budget, lineage.directory.glob(BOOKS)),
                    settings=game.settings(plan.settings, list(lineage.game.spec.players)),
                )
                results.append(await play_group_in_world(own, lineage.game, game, lineage.directory, heard, engine))
        if played is None:
            played = lineage.keep(lineage.result(number, members, results))
        found.append(played)
        members = lineage.next(played)
    return found


def _group_game(
    lineage: Lineage,
    before: Sequence[Generation],
    members: Sequence[PopulationMember],
    results: Sequence[GroupResult],
    game: tuple[int, tuple[PopulationMember, ...]],
) -> GroupGame:
    """Return the next game of a generation.

    A strategy that was written in an earlier game of the generation holds in the later ones.

    Args:
        lineage: The lineage.
        before: The earlier generations.
        members: Members of the generation.
        results: Results of the earlier games of the generation.
        game: Seed and members of the game.
    """
    seed, group = game
    number = len(before) + 1
    written = {member: text for each in results for member, text in each.texts.items()}
    tried = {member for each in results for member in each.faults}
    seated = tuple(replace(each, text=written.get(each.id, each.text)) for each in group)
    writers = frozenset(
        each.id
        for each in seated
        if lineage.plan.writes(each.kind) and _is_new(each, number) and not each.text and each.id not in tried
    )
    advice = tuple(each.text for each in lineage.teachers(before[-1], members)) if before else ()
    folder = lineage.path(number) / f"game-{len(results) + 1}"
    return GroupGame(seed, seated, writers, advice, folder, lineage.plan.plays_programs)


def _is_new(member: PopulationMember, number: int) -> bool:
    """Return True for a member that plays for the first time in this generation."""
    return member.id.startswith(f"{number}.")
