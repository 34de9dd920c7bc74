"""Compliance checks of scenarios."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from accord.compliance.finding import ComplianceFinding, require, run_check
from accord.compliance.plays import Plays, check_accounts, check_ended, check_same_bytes, play
from accord.studies.conditions import resolve
from accord.studies.schelling import SchellingPlan, schelling
from bridge.worlds import open_world
from dilemmas.minecraft import commands
from dilemmas.minecraft.command_tree import is_command
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.protocol import EndState
from dilemmas.scenarios.registry import abstract_of, load_scenario
from voyager_agents import PLAYERS
from voyager_agents.facts import Facts
from voyager_agents.registry import is_kind

SECONDS = 24.0
"""Maximum game time of an episode here, in seconds; everything is built, used and judged in it."""
HEADINGS = ("Rules", "Payoffs", "Why it is a dilemma", "Source", "Version history")
"""Required headings of the abstract, which is the docstring of the dilemma's module."""
MIN_REASON_WORDS = 30
"""Minimum number of words under "Why it is a dilemma"."""
TEXTS = ("text", "task", "about", "common_knowledge", "personalities", "conditions")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w])")


async def check_scenario(name: str, out: Path, *, played: bool = True) -> AsyncIterator[ComplianceFinding]:
    """Yield the findings for a scenario.

    Args:
        name: Name of the scenario.
        out: Folder for records of what is played.
        played: Include the checks that play the scenario.
    """
    thing = f"scenario {name}"
    loaded: list[Scenario] = []
    yield await run_check(thing, "can be read", lambda: loaded.append(load_scenario(name)))
    if not loaded:
        return
    scenario = loaded[0]
    for check, ask in STATIC.items():
        yield await run_check(thing, check, lambda ask=ask: ask(scenario))  # type: ignore[misc]
    if not played:
        return
    if scenario.build():
        yield await run_check(thing, "cleans up", lambda: check_clean(scenario, out))
    plays: list[Plays] = []

    async def playing() -> str:
        plays.append(await play(name, SECONDS, out))
        return check_ended(plays[0])

    yield await run_check(thing, "every condition is played to its end", playing)
    if plays:
        for finding in (
            run_check(thing, "the same seed gives the same bytes", lambda: check_same_bytes(plays[0])),
            run_check(thing, "the log alone gives the result", lambda: check_payoffs(scenario, plays[0])),
            run_check(thing, "acts by vanilla commands", plays[0].commands.check),
        ):
            yield await finding
    if scenario.spec.dilemma is not None:
        yield await run_check(thing, "a Schelling diagram gives a verdict", lambda: check_verdict(name, out))


def check_payoffs(scenario: Scenario, plays: Plays) -> None:
    """Check that the log alone yields the payoffs, in scenarios that have any. Raises NotMet."""
    if scenario.spec.PRICED:
        check_accounts(plays)


def check_abstract(scenario: Scenario) -> None:
    """Check that the abstract describes the scenario and has the required headings. Raises NotMet."""
    abstract = abstract_of(scenario.spec.scenario)
    require(abstract.strip(), "the module of its class has no docstring: it is the scenario's abstract")
    if not scenario.spec.PRICED or scenario.spec.scenario != scenario.spec.name:
        # A variant shares its base's rules.
        return
    parts: dict[str, list[str]] = {}
    for line in abstract.splitlines()[1:]:
        if line and not line.startswith(" "):
            parts[line.split(" (")[0]] = []
        elif line and parts:
            parts[list(parts)[-1]].append(line)
    given = ", ".join(parts) or "none"
    require(tuple(parts) == HEADINGS, f"the abstract's headings are {given}; give {', '.join(HEADINGS)}")
    empty = [heading for heading, lines in parts.items() if not lines]
    require(not empty, f"the abstract says nothing under {', '.join(empty)}")
    why = len(" ".join(parts["Why it is a dilemma"]).split())
    require(
        why >= MIN_REASON_WORDS,
        f"the abstract says in {why} words why it is a dilemma; give {MIN_REASON_WORDS} or more",
    )
    version = scenario.spec.version
    history = "\n".join(parts["Version history"])
    line = f"    {version}   "
    require(line in history, f"the abstract's history has no line for version {version}, such as '{line}First.'")


def check_roles(scenario: Scenario) -> None:
    """Check that players can earn rewards by two different strategies. Raises NotMet."""
    spec = scenario.spec
    for key in ("about", "text"):
        require(getattr(spec, key).strip(), f"{key}: is empty")
    if not spec.PRICED:
        return
    require(spec.observer.name not in spec.players, "the observer is a player")
    for name, player in spec.players.items():
        require(any(price > 0 for price in player.prices.values()), f"{name} can earn nothing: give it a price above 0")
    assert spec.dilemma is not None, "a priced scenario has a dilemma"
    pair = (spec.dilemma.cooperate, spec.dilemma.defect)
    require(all(map(is_kind, pair)), f"dilemma: {', '.join(pair)}: choose from {', '.join(PLAYERS)}")
    require(pair[0] != pair[1], "dilemma: who cooperates and who defects is the same")


def check_conditions(scenario: Scenario) -> None:
    """Check that every condition has the contract it names, between these players. Raises NotMet and UsageError."""
    if scenario.spec.PRICED:
        require("none" in scenario.spec.conditions, "there is no condition 'none' to compare with")
    for name, about in scenario.spec.conditions.items():
        condition = resolve(scenario, name)
        require(about.about.strip(), f"conditions.{name}.about: is empty")
        require((condition.contract is not None) is (about.contract == "given"), f"conditions.{name}: has no contract")
        if condition.contract is not None:
            parties = set(condition.contract.parties)
            require(parties == set(scenario.spec.players), f"conditions.{name}: binds {', '.join(sorted(parties))}")


def check_build(scenario: Scenario) -> str:
    """Check that the building commands are vanilla's and repeatable. Raises NotMet."""
    issued = [command.text for command in (*scenario.build(), *scenario.place(0), *scenario.place(1))]
    for text in issued:
        require(is_command(text), f"{text!r} is no command of vanilla 1.20.4")
    require(
        [each.text for each in scenario.build()] == [each.text for each in scenario.build()],
        "build() differs from call to call",
    )
    for seed in (0, 1):
        one, other = ([each.text for each in scenario.place(seed)] for _ in range(2))
        require(one == other, f"place({seed}) differs from call to call: chance comes from the seed alone")
    return f"{len(issued)} commands"


def check_shown(scenario: Scenario) -> None:
    """Check that players see only permitted observables. Raises NotMet."""
    permitted = scenario.permitted
    beyond = sorted(set(scenario.spec.observables) - permitted)
    require(not beyond, f"observables: {', '.join(beyond)} may not be shown; legal are {', '.join(sorted(permitted))}")


def check_text(scenario: Scenario) -> None:
    """Check that all numbers in the text are the scenario's, and that it states the amounts of ore. Raises NotMet."""
    spec = scenario.spec
    said = " ".join((spec.text, spec.task, spec.common_knowledge))
    told = {float(number) for number in _NUMBER.findall(said)}
    resolved = {key: value for key, value in spec.resolved().items() if key not in TEXTS}
    known = _numbers(resolved)
    # The text may state shares as percentages.
    strange = sorted(number for number in told - known if not any(abs(number / 100 - each) < 1e-12 for each in known))
    require(not strange, f"the text says {strange[0]:g}, which is no number of the scenario's" if strange else "")
    facts = scenario.facts()
    for ore in facts.ores if isinstance(facts, Facts) else ():
        require(float(ore.count) in told, f"there are {ore.count} {ore.block}, which the text does not say")


async def check_clean(scenario: Scenario, out: Path) -> None:
    """Check that building anew removes everything from before. Raises NotMet."""
    players = list(scenario.spec.players)

    async def anew() -> EndState:
        await commands.give(world, scenario.place(0))
        await commands.give(world, scenario.build())
        await commands.give(world, scenario.place(0))
        await world.sleep(1)
        return await scenario.read(world)

    async with open_world("mock", seed=0, log_dir=out / "logs") as world:
        await world.connect([*players, scenario.spec.observer.name])
        before = await anew()
        for player, spec in scenario.spec.players.items():
            item = next(iter(spec.prices), "dirt")
            await world.command(f"give {player} minecraft:{item} 3")
        for x, y, z in scenario.spec.built()[:8]:
            ox, oy, oz = scenario.spec.world.origin
            await world.command(f"fill {ox + x} {oy + y} {oz + z} {ox + x} {oy + y} {oz + z} minecraft:air")
        await world.sleep(1)
        after = await anew()
        require(
            after == before, "the rebuilt world differs from the first one: items or blocks of an earlier run remain"
        )


async def check_verdict(name: str, out: Path, seeds: int = 1) -> str:
    """Check that the two strategies can be played against each other, and return the verdict. Raises NotMet."""
    diagram = await schelling(SchellingPlan(name, seeds=seeds, out=out / "schelling"))
    require(diagram.margins, "there are no margins")
    return diagram.sentence()


STATIC = {
    "says what it is and why": check_abstract,
    "players can earn, in two ways": check_roles,
    "every condition has its contract": check_conditions,
    "is built by vanilla commands": check_build,
    "shows what is permitted": check_shown,
    "the text matches the facts": check_text,
}
"""Checks that play nothing."""


def _numbers(data: Any) -> set[float]:  # noqa: ANN401 - plain data
    """Return every number in the data, and the length of each list and mapping."""
    if isinstance(data, bool):
        return set()
    if isinstance(data, int | float):
        return {float(data)}
    if isinstance(data, Mapping | list | tuple):
        inner = data.values() if isinstance(data, Mapping) else data
        return {float(len(data))}.union(*(_numbers(each) for each in inner))
    return set()
