"""Train a policy for the bots of Commons Harvest with the cross-entropy method, over NumPy alone.

    python examples/harvest_policy.py --save examples/harvest_bot.npz
    python examples/harvest_policy.py --play examples/harvest_bot.npz
    accord run commons-harvest-bots --world mock --agents foragers --player Bot1=learned --player Bot2=learned \
        --agents-option file=examples/harvest_bot.npz

Episodes are simulated: a move reaches its target within a round, and an attack hits. Growth, views and choices are
those of the scenario. The reward of a bot is its apples alone, as in Melting Pot; that it attacks is learned.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import dist
from pathlib import Path
from typing import Any, cast

import numpy as np

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from common.hooks import helper
from common.policy_file import Network, Saved
from dilemmas.scenarios.commons_harvest.rules import Harvest
from dilemmas.scenarios.commons_harvest.scenario import CommonsHarvest
from dilemmas.scenarios.commons_harvest.spec import CommonsSpec
from dilemmas.scenarios.commons_harvest.view import FieldView
from dilemmas.scenarios.registry import load_scenario
from voyager_agents.commons_harvest import HarvestDecision, HarvestTurn
from voyager_agents.errors import PlayerError
from voyager_agents.reference.learned import FEATURES, GAME, LearnedForager, choices_of, read_policy
from voyager_agents.reference.turn_takers import STAY, TURN_TAKERS, TurnPlayer, TurnTakerMemory

SCENARIO = "commons-harvest-bots"
OTHERS = ("sustainable-harvester", "greedy-harvester")
"""Players of the agents during training."""
Decide = Callable[[HarvestTurn], HarvestDecision]


@dataclass(frozen=True)
class Training:
    """Settings of the training."""

    generations: int = 14
    population: int = 24
    elite: int = 6
    episodes: int = 3
    """Episodes of each candidate; all candidates of a generation play the same seeds."""
    seed: int = 0


class SimulatedField(Harvest):
    """Rules of Commons Harvest without a world: places and apples change as decided."""

    def __init__(self, scenario: CommonsHarvest, seed: int) -> None:
        spec: CommonsSpec = scenario.spec
        super().__init__(spec, scenario.layout, seed)
        self.spec = spec
        self.at: dict[str, tuple[float, float]] = {
            name: (float(player.spawn[0]), float(player.spawn[2])) for name, player in spec.players.items()
        }
        self.back: dict[str, int] = {}
        """Player that is out -> step after which it comes back."""
        self.taken = dict.fromkeys(spec.players, 0)
        self.hits = dict.fromkeys(spec.players, 0)
        self._chance = random.Random(f"field:{seed}")

    @property
    def out(self) -> list[str]:
        """Players that are out."""
        return [*self.back]

    @property
    def positions(self) -> dict[str, tuple[float, float]]:
        """Player in the field -> its place."""
        return {name: at for name, at in self.at.items() if name not in self.back}

    def place(self, player: str) -> tuple[float, float]:
        """Return a player's place."""
        return self.at[player]

    @helper
    def play(self, decisions: dict[str, HarvestDecision]) -> None:
        """Carry out the decisions of a round and grow apples; the nearer player comes first."""
        targets = {name: each for name, each in decisions.items() if each.to is not None and name not in self.back}
        for name in sorted(targets, key=lambda each: (dist(self.at[each], cast("Any", targets[each].to)), each)):
            decision = targets[name]
            if name in self.back or decision.to is None:
                continue
            if decision.move == "immobilize":
                self._hit(name, decision.target)
                continue
            self.at[name] = (float(decision.to[0]), float(decision.to[1]))
            if decision.to in self.apples:
                self.apples.discard(decision.to)
                self.taken[name] += 1
        self.apples.update(self.drawn())
        self.steps += 1
        for name in [each for each, step in self.back.items() if step <= self.steps]:
            del self.back[name]
            spawn = self._chance.choice(self.spec.world.spawns)
            self.at[name] = (float(spawn[0]), float(spawn[2]))

    def _hit(self, name: str, target: str) -> None:
        if target not in self.back:
            self.at[name] = self.at[target]
            self.hits[name] += 1
            self.back[target] = self.steps + 1 + self.spec.rules.out_steps


def simulate(bots: Callable[[str, int], Decide], others: Sequence[str], seed: int) -> SimulatedField:
    """Return the field after an episode.

    Args:
        bots: Makes the player of a bot from its name and a seed.
        others: Kinds of the agents, in turn.
        seed: Seed of the episode.
    """
    scenario = load_scenario(SCENARIO)
    assert isinstance(scenario, CommonsHarvest), "the scenario is a commons"
    field = SimulatedField(scenario, seed)
    view, spec = FieldView(field.spec, field), field.spec
    agents = [name for name, player in spec.players.items() if player.bot is None]
    players: dict[str, Decide] = {
        name: scripted(TURN_TAKERS[others[agents.index(name) % len(others)]], seed)
        if name in agents
        else bots(name, seed)
        for name in spec.players
    }
    for number in range(1, spec.rounds.limit + 1):
        due = [name for name, player in spec.players.items() if number % player.every == 0 and name not in field.back]
        field.play({name: players[name](turn_of(view, field, name, number)) for name in due})
        if not field.apples:
            break
    return field


def turn_of(view: FieldView, field: SimulatedField, name: str, number: int) -> HarvestTurn:
    """Return a player's turn of a round."""
    return HarvestTurn(
        player=name,
        players=tuple(field.spec.players),
        round=number,
        at=view.at(name),
        size=field.spec.world.field.size,
        seen=view.seen(name),
        apples=float(field.taken[name]),
    )


def scripted(player: TurnPlayer, seed: int) -> Decide:
    """Return a reference player with its memory."""
    memory = TurnTakerMemory(seed)

    def decide(turn: HarvestTurn) -> HarvestDecision:
        nonlocal memory
        decision, memory = player(turn, memory)
        return decision

    return decide


def at_random(name: str, seed: int) -> Decide:
    """Return a player that takes any choice by chance."""
    chance, memory = random.Random(f"random:{seed}:{name}"), TurnTakerMemory(seed)

    def decide(turn: HarvestTurn) -> HarvestDecision:
        nonlocal memory
        choices, memory = choices_of(turn, memory)
        return STAY if turn.out else chance.choice(choices)

    return decide


def following(policy: Saved) -> Callable[[str, int], Decide]:
    """Return a maker of players that follow a policy."""
    return lambda name, seed: LearnedForager(name, policy, seed=seed).decide


def saved(weights: np.ndarray, notes: dict[str, Any]) -> Saved:
    """Return a policy with these weights of the features."""
    layer = (weights.astype(np.float32)[None], np.zeros(1, np.float32))
    return Saved(GAME, tuple(FEATURES), (0,), (Network((), layer),), "learned", notes)


def outcome(bots: Callable[[str, int], Decide], seeds: Sequence[int], others: Sequence[str]) -> tuple[float, float]:
    """Return apples and hits of a bot, mean over bots and episodes."""
    fields = [simulate(bots, others, seed) for seed in seeds]
    names = [name for name, player in fields[0].spec.players.items() if player.bot is not None]
    count = len(fields) * len(names)
    return (
        sum(field.taken[name] for field in fields for name in names) / count,
        sum(field.hits[name] for field in fields for name in names) / count,
    )


def train(training: Training, tell: Callable[[str], object]) -> Saved:
    """Return the policy of the last generation's mean.

    Args:
        training: Settings of the training.
        tell: Reports each generation.
    """
    dice = np.random.default_rng(training.seed)
    mean, spread = np.zeros(len(FEATURES)), np.ones(len(FEATURES))
    for generation in range(training.generations):
        seeds = [int(each) for each in dice.integers(1 << 31, size=training.episodes)]
        candidates = mean + spread * dice.standard_normal((training.population, len(FEATURES)))
        rewards = np.array([outcome(following(saved(each, {})), seeds, OTHERS)[0] for each in candidates])
        best = candidates[np.argsort(-rewards, kind="stable")[: training.elite]]
        mean, spread = best.mean(axis=0), best.std(axis=0) + 0.05
        tell(f"generation {generation + 1:>2}  reward {rewards.mean():6.2f}  best {rewards.max():6.2f}\n")
    notes = {
        "by": "cross-entropy method", "seed": training.seed, "generations": training.generations,
        "population": training.population, "episodes": training.episodes, "beside": list(OTHERS),
    }  # fmt: skip
    return saved(mean, notes)


def main(given: Sequence[str] | None = None) -> None:
    """Train and save, or play."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--generations", type=int, default=Training.generations)
    parser.add_argument("--population", type=int, default=Training.population)
    parser.add_argument("--episodes", type=int, default=Training.episodes)
    parser.add_argument("--seed", type=int, default=Training.seed)
    parser.add_argument("--save", type=Path, help="write the policy here")
    parser.add_argument("--play", type=Path, help="train nothing; compare this policy with random choices")
    options = parser.parse_args(given)
    if options.play:
        seeds = range(options.seed, options.seed + 10)
        for name, bots in (("policy", following(read_policy(options.play))), ("random", at_random)):
            apples, hits = outcome(bots, seeds, OTHERS)
            sys.stdout.write(f"{name}: {apples:.1f} apples and {hits:.1f} hits of a bot, mean of 10 episodes\n")
        return
    chosen = {name: getattr(options, name) for name in ("generations", "population", "episodes", "seed")}
    policy = train(Training(**chosen), sys.stdout.write)
    if options.save:
        policy.write(options.save)


if __name__ == "__main__":
    try:
        main()
    except PlayerError as error:
        raise SystemExit(str(error)) from None
