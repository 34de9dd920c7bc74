"""The player that does what pays it most, given what the contract pays and what it expects of the others.

It keeps a contract's plan when nobody would do better by breaking it (`Outlook.stable`); words alone do not bind it.
Without such a plan nobody knows what the others have in mind: it draws its part with the chances of the equilibrium of
players who reckon alike (`Outlook.mixed`), and may so end up where nobody wanted to be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from voyager_agents.agent import Action, Observation
from voyager_agents.facts import Commons, Facts, PublicGood, ScenarioFacts
from voyager_agents.reference.follower import follower
from voyager_agents.reference.foragers import greedy_harvester, quota_harvester
from voyager_agents.reference.games import ALTERNATE, CLEAN, GRAB, HARVEST, Outlook, game_of, jobs_of, planned
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
    """Return the player that does what a contract says in a dilemma of these facts."""
    if isinstance(facts, Commons):
        return quota_harvester
    return steward if isinstance(facts, PublicGood) else follower


def best_response(observation: Observation, state: PlayerState) -> tuple[Action, PlayerState]:
    """Keep a plan that holds by itself, and else draws its part. Raises PlayerError where no game is known."""
    facts, contract, me = observation.facts, observation.contract, observation.player
    if isinstance(facts, Commons):
        return (quota_harvester if leaves_enough(observation, state.seed) else greedy_harvester)(observation, state)
    profile, plan = planned(contract, facts)
    if profile is not None and Outlook(game_of(facts, plan), contract).stable(profile):
        return keeping(facts)(observation, state)
    part = Outlook(game_of(facts), contract).draw(me, state.seed, observation.episode)
    if isinstance(facts, PublicGood):
        return _STEWARDS[part](observation, state)
    if part == GRAB or not isinstance(facts, Facts):
        return greedy(observation, state)
    return _mines(facts, me, part), state


def leaves_enough(observation: Observation, seed: int) -> bool:
    """Return whether leaving enough on the trees of a commons is what it does, by the same reckoning."""
    facts, contract = observation.facts, observation.contract
    profile, plan = planned(contract, facts)
    if profile is not None and Outlook(game_of(facts, plan), contract).stable(profile):
        return True
    return Outlook(game_of(facts), contract).draw(observation.player, seed, observation.episode) == SUSTAIN


def _mines(facts: Facts, player: str, ore: str) -> Action:
    """Return the program that mines one kind of ore with the weakest tool that does and is there."""
    (_, job), *_ = jobs_of(facts, player, ore, None)
    lines = [*chest_lines(facts), *TAKE, *MINE_ALL]
    lines += [f"for (const tool of {literal(list(job.tools))}) {{"]
    lines += ["  const got = await take({ [tool]: 1 })", "  if ((got[tool] ?? 0) > 0) break", "}"]
    lines += [f"await mineAll({literal(block)}, {count})" for block, count in job.share.items()]
    thought = f"{player} goes for the {ore.replace('_', ' ')}"
    return Action(program(f"mines_{player}", thought, lines), thought)
