"""Human players of a study: checks, context of their agents, and their part in a run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Any, cast

from accord.studies.conditions import resolve
from accord.studies.fitting import fitting_families
from accord.studies.option_groups import PlayerOptions
from accord.studies.people_texts import TEXTS
from bridge.worlds import NO_WORLD, VIRTUAL_CLOCK, WORLDS, World, capabilities
from contracts import Contract
from dilemmas.errors import UsageError
from dilemmas.people import HumanPlayers, PageVenue, PeopledWorld
from dilemmas.people.forms import read_forms
from dilemmas.records.record import RunRecord
from dilemmas.scenarios.base import Scenario
from voyager_agents.agent import Observation
from voyager_agents.human.connection import HUMAN, IN_WORDS, IN_WORLD, ON_GRID, HumanContext
from voyager_agents.rendering import contract_text, facts

_PLAY = {"grid": ON_GRID, "rounds": IN_WORDS}
"""Mode of play -> kind of play of its people, if they play without a world."""


def check_mode(scenario: Scenario, mode: str) -> None:
    """Check that human players can play the scenario in a mode. Raises UsageError."""
    if not any(HUMAN in family.kind_names() for family in fitting_families(mode, scenario).values()):
        raise UsageError(
            f"human: {scenario.spec.name} is played in {mode}, where a person has no seat: choose a scenario such as "
            "double-vein, village, ada-contract or chameleon"
        )


def play_of(mode: str) -> str:
    """Return the kind of play of people in a mode."""
    return _PLAY.get(mode, IN_WORLD)


def check_people(humans: Sequence[str], mode: str, world: str, jobs: int) -> None:
    """Check that human players can play in this study.

    Args:
        humans: Names of the human players.
        mode: Mode of play.
        world: Name of the world.
        jobs: Number of concurrent runs.

    Raises:
        UsageError: The world or the number of jobs does not allow human players.
    """
    if not humans:
        return
    if play_of(mode) == IN_WORLD and world in WORLDS and {VIRTUAL_CLOCK, NO_WORLD} & capabilities(world):
        raise UsageError(
            f"human: nobody can join the world {world!r} with a Minecraft client: choose --world embedded or "
            "--world paper"
        )
    if jobs > 1:
        raise UsageError("human: a person plays one run at a time: leave out --jobs")


def check_pages(scenario: Scenario, humans: Sequence[str], mode: str, *, served: bool) -> None:
    """Check that human players who play on pages have some.

    Args:
        scenario: The scenario.
        humans: Names of the human players.
        mode: Mode of play.
        served: True if pages are served.

    Raises:
        UsageError: They have none.
    """
    if humans and play_of(mode) != IN_WORLD and not served:
        raise UsageError(
            f"human: {scenario.spec.name} is played on people's pages: add --watch or --invite to 'accord run'"
        )


def open_people(settings: PlayerOptions, scenario: Scenario, humans: Sequence[str], mode: str) -> HumanPlayers | None:
    """Return the human players of a study, or None without any.

    Args:
        settings: Options of the study's players.
        scenario: The scenario.
        humans: Names of the human players.
        mode: Mode of play.

    Raises:
        UsageError: A form cannot be read.
    """
    forms = read_forms(settings.consent, settings.instructions, settings.questionnaire)
    if not humans:
        return None
    people = HumanPlayers(humans, scenario.spec.observer.name, settings.human_wait_s, forms=forms)
    if play_of(mode) != IN_WORLD:
        PageVenue(people)
    return people


def peopled(world: World, people: HumanPlayers | None) -> World:
    """Return the world with the people that play in it."""
    if people is None or people.on_pages:
        return world
    return cast(World, PeopledWorld(world, people))


def check_forms(settings: PlayerOptions, humans: Sequence[str]) -> None:
    """Check the forms of a study. Raises UsageError."""
    given = {
        "--consent": settings.consent, "--instructions": settings.instructions,
        "--questionnaire": settings.questionnaire,
    }  # fmt: skip
    flag = next((flag for flag, path in given.items() if path is not None), None)
    if flag is not None and not humans:
        raise UsageError(f"{flag}: nobody reads it: name the person's player with --human NAME, or leave it out")
    read_forms(settings.consent, settings.instructions, settings.questionnaire)


def person_seat(people: HumanPlayers, player: str, scenario: Scenario, *, judged: bool) -> HumanContext:
    """Return the context of a human player's agent.

    Args:
        people: The human players.
        player: Name of the player.
        scenario: The scenario.
        judged: True if a language judge reads contracts.
    """
    ear = "" if people.on_pages else people.ear
    return HumanContext(people.sessions[player], ear, drafts_of(scenario), reads_text=judged)


def drafts_of(scenario: Scenario) -> dict[str, Contract]:
    """Return condition -> contract with typed terms, for the contracts of the scenario."""
    found = {name: resolve(scenario, name).contract for name in scenario.spec.conditions}
    return {name: contract for name, contract in found.items() if contract is not None and contract.typed}


class Hosting:
    """Services of a run for its human players: books, instructions and the start signal."""

    def __init__(self, people: HumanPlayers, scenario: Scenario, mode: str, record: RunRecord) -> None:
        self._people = people
        self._scenario = scenario
        self._texts = TEXTS[mode](scenario, people.ear)
        people.note = record.log
        people.welcome = self._texts.welcome

    async def unless_withdrawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Await `work`, and cancel it if a person withdraws. Raises PersonWithdrewError."""
        await self._people.unless_withdrawn(work)

    async def ask_afterwards(self) -> None:
        """Ask the questions after the game, if the study has any."""
        await self._people.ask_afterwards()

    async def gather(self, show: Callable[[str], Observation]) -> None:
        """Wait until all human players have joined, and hand out their books. Raises PrerequisiteError."""
        self._bind(show)
        await self._people.gather(list(self._scenario.spec.players))

    async def make_ready(self, show: Callable[[str], Observation], again: Callable[[], Awaitable[object]]) -> None:
        """Hand out books in the built scenario and wait until all say ready; `again` then resets the scenario."""
        self._bind(show)
        await self._people.wait_until_ready(again, lambda name: self._before(show(name)), self._texts.go)

    def _bind(self, show: Callable[[str], Observation]) -> None:
        for name in self._people.sessions:
            seen = show(name)
            books = {} if seen.contract is None else {"Contract": contract_text(seen.contract)}
            told = (seen.scenario, f"Your task: {seen.task}", facts(seen.facts))
            self._people.bind(name, books | {"The game": "\n\n".join(part.strip() for part in told if part)})

    def _before(self, seen: Observation) -> str:
        lines = [self._texts.beginning(seen.episode + 1)]
        if seen.reward is not None:
            lines.append(f"The last episode paid you {seen.reward:g} emeralds. {seen.judge_critique}".strip())
        lines.append(
            "There is no contract." if seen.contract is None else f"The contract:\n{contract_text(seen.contract)}"
        )
        return "\n".join([*lines, self._texts.ready])
