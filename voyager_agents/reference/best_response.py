"""Best-response player: maximizes its own payoff, given the contract's payments and the others' expected play.

It keeps a contract's plan if no player gains by deviating (`Outlook.stable`); text alone does not bind it. Without such
a plan it draws its part from the mixed equilibrium of players who reason alike (`Outlook.mixed`), and may end in an
outcome that nobody wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from voyager_agents.agent import Action, Observation
from voyager_agents.facts import Commons, Facts, PublicGood, ScenarioFacts
from voyager_agents.reference.follower import follower
from voyager_agents.reference.foragers import greedy_harvester, quota_harvester
from voyager_agents.reference.games import (
    ALTERNATE,
    CLEAN,
    GRAB,
    HARVEST,
    Outlook,
    game_of,
    jobs_of,
    planned,
    reputation_stakes,
)
from voyager_agents.reference.greedy import PlayerState, greedy
from voyager_agents.reference.orchards import SUSTAIN
from voyager_agents.reference.policies import MINE_ALL, TAKE, chest_lines, literal, program
from voyager_agents.reference.stewards import alternator, cleaner, harvester, steward

_Player = Callable[[Observation, PlayerState], tuple[Action, PlayerState]]
_STEWARDS: Mapping[str, _Player] = {
    HARVEST: harvester,
    CLEAN: cleaner,
    ALTERNATE: alternator,
}


def keeping(facts: ScenarioFacts | None) -> _Player:
    """Return the player that fulfils a contract in a dilemma with these facts."""
    if isinstance(facts, Commons):
        return quota_harvester
    return steward if isinstance(facts, PublicGood) else follower


def best_response(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Return a program that keeps a stable plan or plays a drawn part. Raises PlayerError if there is no game."""
    facts, contract, me = observation.facts, observation.contract, observation.player
    if isinstance(facts, Commons):
        return (quota_harvester if leaves_enough(observation, state.seed) else greedy_harvester)(observation, state)
    profile, plan = planned(contract, facts)
    stakes = reputation_stakes(contract, facts, observation.remaining)
    if profile is not None and Outlook(game_of(facts, plan), contract, stakes).stable(profile):
        return keeping(facts)(observation, state)
    part = Outlook(game_of(facts), contract, stakes).draw(me, state.seed, observation.episode)
    if isinstance(facts, PublicGood):
        return _STEWARDS[part](observation, state)
    if part == GRAB or not isinstance(facts, Facts):
        return greedy(observation, state)
    return _mines(facts, me, part), state


def leaves_enough(observation: Observation, seed: int) -> bool:
    """Return True if the player leaves enough on the trees of a commons, by the same reasoning."""
    facts, contract = observation.facts, observation.contract
    profile, plan = planned(contract, facts)
    stakes = reputation_stakes(contract, facts, observation.remaining)
    if profile is not None and Outlook(game_of(facts, plan), contract, stakes).stable(profile):
        return True
    return Outlook(game_of(facts), contract, stakes).draw(observation.player, seed, observation.episode) == SUSTAIN


def _mines(facts: Facts, player: str, ore: str) -> Action:
    """Return a program that mines one kind of ore with the weakest suitable tool in the chest."""
    (_, job), *_ = jobs_of(facts, player, ore, None)
    lines = [*chest_lines(facts), *TAKE, *MINE_ALL]
    lines += [f"for (const tool of {literal(list(job.tools))}) {{"]
    lines += ["  const got = await take({ [tool]: 1 })", "  if ((got[tool] ?? 0) > 0) break", "}"]
    lines += [f"await mineAll({literal(block)}, {count})" for block, count in job.share.items()]
    thought = f"{player} goes for the {ore.replace('_', ' ')}"
    return Action(program(f"mines_{player}", thought, lines), thought)
