"""PPO for the grid games, in one file: masked actions, one network a role, a recurrent option, one thread, no GPU.

    python examples/ppo.py ada-contract --social alone --steps 600000 --save alone.npz
    python examples/ppo.py --play alone.npz
    python examples/ppo.py ada-contract --curriculum --steps 1500000 --save curriculum.npz
    python examples/ppo.py ada-social-structure --social learned --structure isolation --save isolation.npz
    accord run ada-contract --agents policy:alone.npz

`--social alone` and `together` train what is done after the talk: groups are given, nobody or everybody in one. The
talk is left out of training, and in play a rule holds it (`grid_games.policies.social`). With `learned` the network
does all. `--curriculum` trains in stages: in one group, in drawn groups, then the whole game (AdaSociety's appendix
D.1).
Needs the extra `learn` (torch); what it saves is plain arrays and plays without torch.
PPO: Schulman and others, arXiv 1707.06347; advantages: arXiv 1506.02438.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from common.errors import PolicyFileError
from common.policy_file import MANNERS, Network, Saved
from grid_games import Batch, FinishedEpisode, GameError, GridError, GridGame, load
from grid_games.curriculum import PAPER, CurriculumStage, curriculum, without_talk
from grid_games.learning_curves import CurvePoint, LearningCurve, curve_file, write_curves
from grid_games.measures import score
from grid_games.oracle import plan_of
from grid_games.policies import Learned
from grid_games.policies.inputs import inputs

PARTS = ("window", "inventory", "number", "left", "social", "rules")
MAX_SEEDS = 10_000
"""Seeds of training whose environments differ in every stage of a curriculum."""
LAST = 5
"""Rounds whose mean is the score that a stage reached."""
CHUNK = 32
"""Most steps through which a recurrent network learns at a time."""


@dataclass(frozen=True)
class Settings:
    """Settings of the training."""

    game: str = "ada-contract"
    variants: tuple[str, ...] = ()
    structure: str = ""
    """Social structure of `ada-social-structure`; empty for the game's own."""
    social: str = "alone"
    """One of `MANNERS`."""
    curriculum: Path | None = None
    """File of the stages of training; None to train on one game throughout."""
    steps: int = 600_000
    """Environment steps in all."""
    environments: int = 96
    seed: int = 0
    parts: tuple[str, ...] = PARTS
    hidden: tuple[int, ...] = (192, 96)
    memory: int = 0
    """Size of the recurrent layer; 0 for none."""
    rate: float = 3e-4
    discount: float = 0.99
    trace: float = 0.95
    clip: float = 0.2
    passes: int = 4
    minibatch: int = 2400
    entropy: float = 0.01
    value: float = 0.5
    gradient: float = 0.5
    """Longest gradient."""
    reward: float = 5.0
    """Divisor of rewards."""


def changes_of(structure: str) -> dict[str, object]:
    """Return the changes of a game that a social structure makes."""
    return {"settings": {"structure": structure}} if structure else {}


def whole_game(name: str, variants: Sequence[str], structure: str) -> GridGame:
    """Return the game, talk included."""
    return load(name, *variants, **changes_of(structure))


def game_of(settings: Settings) -> GridGame:
    """Return the game that is trained on: the whole, or what comes after its talk."""
    if settings.social == "learned":
        return whole_game(settings.game, settings.variants, settings.structure)
    try:
        return without_talk(settings.game, *settings.variants)
    except GameError as error:
        raise GridError(f"{error}; choose --social learned") from None


def stages_of(settings: Settings) -> tuple[CurriculumStage, ...]:
    """Return the stages of the training: those of its curriculum, or a single one."""
    if settings.curriculum is None:
        return (CurriculumStage("", game_of(settings), settings.steps),)
    if settings.social != "learned":
        raise GridError(f"a curriculum ends in the whole game; --social {settings.social} leaves its talk out")
    return curriculum(
        settings.game, *settings.variants, steps=settings.steps, environments=settings.environments,
        path=settings.curriculum, changes=changes_of(settings.structure),
    )  # fmt: skip


class Net(nn.Module):
    """Shared layers with tanh, perhaps a memory, then scores of the actions and the value."""

    def __init__(self, fed: int, actions: int, settings: Settings) -> None:
        super().__init__()
        sizes = (fed, *settings.hidden)
        self.dense = nn.ModuleList(nn.Linear(*pair) for pair in pairwise(sizes))
        self.gru = nn.GRU(sizes[-1], settings.memory) if settings.memory else None
        self.actor = nn.Linear(settings.memory or sizes[-1], actions)
        self.critic = nn.Linear(settings.memory or sizes[-1], 1)
        for layer in self.dense:
            nn.init.orthogonal_(layer.weight, 2**0.5)
        nn.init.orthogonal_(self.actor.weight, 0.01)
        nn.init.orthogonal_(self.critic.weight, 1.0)

    def forward(self, rows: Tensor, mask: Tensor, state: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Log-probabilities (t, n, A), values (t, n) and the last state (n, H), from (t, n, F), (t, n, A), (n, H)."""
        rows, state = self.act(rows, state)
        scores = self.actor(rows).masked_fill(~mask, -1e9)
        return scores.log_softmax(-1), self.critic(rows)[..., 0], state

    def act(self, rows: Tensor, state: Tensor) -> tuple[Tensor, Tensor]:
        """Return the last shared layer (t, n, H), and the state after the last step."""
        for layer in self.dense:
            rows = torch.tanh(layer(rows))
        if self.gru:
            rows, last = self.gru(rows, state[None])
            state = last[0]
        return rows, state

    def network(self) -> Network:
        """Return the same without the critic, over numpy."""

        def pair(layer: nn.Module) -> tuple[np.ndarray, np.ndarray]:
            return layer.weight.detach().numpy().copy(), layer.bias.detach().numpy().copy()

        gru = tuple(each.detach().numpy().copy() for each in self.gru.parameters()) if self.gru else None
        return Network(tuple(pair(layer) for layer in self.dense), pair(self.actor), gru)


@dataclass
class Rollout:
    """Trajectories of the agents of one network: (T, n, ...) each, n = environments * agents."""

    rows: list[Tensor] = field(default_factory=list)
    mask: list[Tensor] = field(default_factory=list)
    state: list[Tensor] = field(default_factory=list)
    acts: list[Tensor] = field(default_factory=list)
    chance: list[Tensor] = field(default_factory=list)
    """Log-probability of what was done."""
    value: list[Tensor] = field(default_factory=list)
    reward: list[Tensor] = field(default_factory=list)
    ended: list[Tensor] = field(default_factory=list)


class Trainer:
    """Networks, environments, and the loop over both."""

    learner = "PPO"
    """Name of the algorithm in learning curves."""
    network: type[Net] = Net

    def __init__(self, settings: Settings) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(settings.seed)
        self.settings, self.stages = settings, stages_of(settings)
        self._open(self.stages[0])
        self.actions = len(self.batch.actions) if settings.social == "learned" else self.batch.tables.social
        roles = sorted(set(self.game.players))
        self.agents = [np.flatnonzero(np.array(self.game.players) == role) for role in roles]
        fed = self.rows().shape[2]
        self.nets = [self.network(fed, self.actions, settings) for _ in roles]
        self.optimisers = [torch.optim.Adam(net.parameters(), settings.rate, eps=1e-5) for net in self.nets]
        self.states = self._fresh_states()
        self.steps = 0
        self.reached: dict[str, float] = {}
        """Score of the last rounds of each stage of the curriculum."""
        self.points: list[CurvePoint] = []
        self._unite(np.arange(settings.environments))

    def train(self, tell: Callable[[int, float], bool]) -> None:
        """Until all steps are done, or `tell(steps, score)` of the last round's episodes says so."""
        settings = self.settings
        total = plan_of(whole_game(settings.game, settings.variants, settings.structure)).total
        end = 0
        for number, stage in enumerate(self.stages):
            if number:
                self._open(stage)
                self.states = self._fresh_states()
            end, first = end + stage.steps, len(self.points)
            while self.steps < end or len(self.points) == first:
                self._round(total)
                if tell(self.steps, self.points[-1].score):
                    return
            if recent := [each.score for each in self.points[first:]][-LAST:]:
                self.reached[stage.name] = float(np.mean(recent))

    def _round(self, total: float) -> None:
        """Play whole episodes, learn from them, and note how they went."""
        rollouts, episodes = self.collect(self.game.steps)
        for number, rollout in enumerate(rollouts):
            self.learn(number, rollout)
        reached = float(np.mean([score(each.rewards, total) for each in episodes]))
        self.points.append(CurvePoint(self.steps, float(np.mean([each.rewards for each in episodes])), reached))

    def _open(self, stage: CurriculumStage) -> None:
        """Begin the episodes of a stage's game, on seeds that no other stage has."""
        self.game, size = stage.game, self.settings.environments
        first = (self.stages.index(stage) * MAX_SEEDS + self.settings.seed) * size
        self.batch = Batch(self.game, range(first, first + size), autoreset=True)

    def _fresh_states(self) -> list[Tensor]:
        return [torch.zeros(self.settings.environments * len(each), self.settings.memory) for each in self.agents]

    def rows(self) -> np.ndarray:
        """Return what the networks are fed, shape (B, N, F)."""
        return inputs(self.batch, self.settings.parts)

    def collect(self, steps: int) -> tuple[list[Rollout], list[FinishedEpisode]]:
        """Play so many steps; the last value closes each rollout."""
        rollouts, episodes = [Rollout() for _ in self.nets], list[FinishedEpisode]()
        for _ in range(steps):
            acts, seen = np.zeros((self.batch.size, self.batch.agents), np.intp), self.rows()
            for number, rollout in enumerate(rollouts):
                acts[:, self.agents[number]] = self._act(number, rollout, seen)
            step = self.batch.step(acts)
            for number, rollout in enumerate(rollouts):
                mine = self.agents[number]
                rewards = torch.as_tensor(step.rewards[:, mine].reshape(-1) / self.settings.reward)
                rollout.reward.append(rewards.float())
                over = torch.as_tensor(np.repeat(step.ended, len(mine)))
                rollout.ended.append(over)
                self.states[number] = self.states[number] * ~over[:, None]
            episodes += step.episodes
            self._unite(np.flatnonzero(step.ended))
        self.steps += steps * self.batch.size
        seen = self.rows()
        for number, rollout in enumerate(rollouts):
            rollout.value.append(self._look(number, seen)[3])
        return rollouts, episodes

    def learn(self, number: int, rollout: Rollout) -> None:
        """Several passes over what one network's agents did."""
        net, optimiser, settings = self.nets[number], self.optimisers[number], self.settings
        gain = advantages(rollout, settings)
        target = gain + torch.stack(rollout.value[:-1])
        parts = [torch.stack(each) for each in (rollout.rows, rollout.mask, rollout.acts, rollout.chance)]
        parts = [self._chunked(each) for each in (*parts, gain, target)]
        states = torch.stack(rollout.state[:: self.chunk]).flatten(0, 1)
        for chosen in minibatches(len(states), settings.minibatch // self.chunk, settings.passes):
            rows, mask, acts, before, gains, targets = (each[:, chosen] for each in parts)
            chances, value, _ = net(rows, mask, states[chosen])
            ratio = (chances.gather(-1, acts[..., None])[..., 0] - before).exp()
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            worst = torch.minimum(ratio * gains, ratio.clamp(1 - settings.clip, 1 + settings.clip) * gains)
            entropy = -(chances.exp() * chances).sum(-1).mean()
            loss = settings.value * (value - targets).square().mean() - worst.mean() - settings.entropy * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), settings.gradient)
            optimiser.step()

    def saved(self) -> Saved:
        """Return what was learned, to be written to a file."""
        seats = [next(n for n, mine in enumerate(self.agents) if agent in mine) for agent in range(self.game.agents)]
        settings = self.settings
        notes = {
            "steps": self.steps,
            "seed": settings.seed,
            "variants": list(settings.variants),
            "by": self.learner.lower(),
        }
        notes |= {"structure": settings.structure} if settings.structure else {}
        nets = tuple(net.network() for net in self.nets)
        return Saved(settings.game, settings.parts, tuple(seats), nets, settings.social, notes)

    def curve(self) -> LearningCurve:
        """Return the learning curve, named as the paper names its learners."""
        settings = self.settings
        learner = "CL" if settings.curriculum else ("Rec" if settings.memory else "") + self.learner
        game = "+".join((settings.game, *settings.variants))
        return LearningCurve(learner, game, settings.structure, settings.social, settings.seed, tuple(self.points))

    @property
    def chunk(self) -> int:
        """Steps that a network learns through at a time: a whole part of an episode, so that none ends inside."""
        if not self.settings.memory:
            return 1
        return max(each for each in range(1, CHUNK + 1) if self.game.steps % each == 0)

    def _chunked(self, steps: Tensor) -> Tensor:
        """(T, n, ...) as (chunk, T / chunk * n, ...)."""
        return steps.unflatten(0, (-1, self.chunk)).transpose(0, 1).flatten(1, 2)

    @torch.no_grad()
    def _look(self, number: int, seen: np.ndarray) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
        """Return inputs, mask, log-probabilities, values and the next state of one network's agents."""
        mine, batch = self.agents[number], self.batch
        rows = torch.from_numpy(seen[:, mine]).flatten(0, 1)
        mask = torch.from_numpy(batch.mask[:, mine, : self.actions].copy()).flatten(0, 1)
        chances, value, state = self.nets[number](rows[None], mask[None], self.states[number])
        return rows, mask, chances[0], value[0], state

    def _act(self, number: int, rollout: Rollout, seen: np.ndarray) -> np.ndarray:
        """(B, k) what one network's agents do now."""
        before = self.states[number]
        rows, mask, chances, value, self.states[number] = self._look(number, seen)
        acts = (chances - torch.empty_like(chances).exponential_().log()).argmax(-1)
        for kept, each in (
            (rollout.rows, rows), (rollout.mask, mask), (rollout.state, before), (rollout.acts, acts),
            (rollout.chance, chances.gather(-1, acts[:, None])[:, 0]), (rollout.value, value),
        ):  # fmt: skip
            kept.append(each)
        return acts.numpy().reshape(self.batch.size, -1)

    def _unite(self, environments: np.ndarray) -> None:
        """Put everybody into the first group, where that is what is trained."""
        if self.settings.social == "together" and environments.size:
            where, who = (each.reshape(-1) for each in np.meshgrid(environments, range(self.game.agents)))
            self.batch.rules.graph.join(where, who, np.zeros_like(where))


def advantages(rollout: Rollout, settings: Settings) -> Tensor:
    """(T, n) generalised advantages; an episode's end is its end, since the steps that are left are known."""
    gains, gain = [], torch.zeros_like(rollout.reward[0])
    for step in reversed(range(len(rollout.reward))):
        goes_on = ~rollout.ended[step] * settings.discount
        error = rollout.reward[step] + goes_on * rollout.value[step + 1] - rollout.value[step]
        gain = error + goes_on * settings.trace * gain
        gains.append(gain)
    return torch.stack(gains[::-1])


def minibatches(count: int, size: int, passes: int) -> Iterator[Tensor]:
    """Yield all of them in random order, several times."""
    for _ in range(passes):
        yield from torch.randperm(count).split(max(size, 1))


def play(saved: Saved, episodes: int = 20, seed: int = 0) -> float:
    """Return the mean score of whole episodes of the game that a policy was trained on, talk included."""
    game = whole_game(saved.game, saved.notes.get("variants", ()), saved.notes.get("structure", ""))
    batch, policy = Batch(game, range(10**6, 10**6 + episodes)), Learned(saved, seed)
    done: tuple[FinishedEpisode, ...] = ()
    while not done:
        done = batch.step(policy.act(batch)).episodes
    return float(np.mean([score(each.rewards, plan_of(game).total) for each in done]))


def arguments(given: Sequence[str] | None, about: str) -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("game", nargs="?", default=Settings.game)
    parser.add_argument("--variant", action="append", default=[])
    parser.add_argument("--structure", default="", help="social structure of ada-social-structure, such as isolation")
    parser.add_argument("--social", choices=MANNERS, default=Settings.social)
    parser.add_argument("--curriculum", type=Path, nargs="?", const=PAPER, metavar="FILE",
                        help="train in stages, the paper's or a file's; implies --social learned")  # fmt: skip
    parser.add_argument("--steps", type=int, default=Settings.steps, help="environment steps in all")
    parser.add_argument("--environments", type=int, default=Settings.environments)
    parser.add_argument("--memory", type=int, default=0, help="size of a recurrent layer; 0 for none")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save", type=Path, help="write the policy here, and its learning curve beside it")
    parser.add_argument("--play", type=Path, help="train nothing; play this policy and tell its score")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None, made: Callable[[Settings], Trainer] = Trainer, about: str = "") -> None:
    """Train and save, or play. Other learners of this form give their own class of trainers."""
    options = arguments(given, about or (__doc__ or "").splitlines()[0])
    if options.play:
        reached = play(Saved.read(options.play), seed=options.seed)
        sys.stdout.write(f"score {reached:.4f} of the oracle's, mean of 20 episodes\n")
        return
    names = ("game", "structure", "social", "curriculum", "steps", "environments", "memory", "seed")
    chosen = {name: getattr(options, name) for name in names} | ({"social": "learned"} if options.curriculum else {})
    trainer, began = made(Settings(**chosen, variants=tuple(options.variant))), time.process_time()

    def tell(steps: int, reached: float) -> bool:
        sys.stdout.write(f"{steps:>9} steps  score {reached:.4f}  {time.process_time() - began:6.1f} s\n")
        sys.stdout.flush()
        return False

    trainer.train(tell)
    if options.curriculum:
        for stage, reached in trainer.reached.items():
            sys.stdout.write(f"stage {stage}: score {reached:.4f}\n")
    if options.save:
        trainer.saved().write(options.save)
        write_curves(curve_file(options.save), [trainer.curve()])


def run(chosen: Callable[[], None]) -> None:
    """Run a learner's `main`; an error of the user's is one line."""
    try:
        chosen()
    except (GridError, PolicyFileError) as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    run(main)
