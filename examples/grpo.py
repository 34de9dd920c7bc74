"""GRPO for a small language model in a matrix game, in one file: LoRA on its last layers, one thread, no GPU.

    python examples/grpo.py --seeds 0 1 2 --out trained
    python examples/grpo.py stag-hunt --partner tit-for-tat --rounds 4 --updates 60 --layers 4 --out trained

The model is the one of `--model local`, or `--model DIR`, a causal model of `transformers`. It answers in the form that
a turn asks for: the text of the form is given, and the model's own choice is which option stands in it. Each update
plays a group of rollouts against the frozen partner, and makes choices likelier that were followed by more emeralds
than in the group's mean. In the end the trained model meets partners and labels that it has not trained with.

Only the last layers learn. What the layers below make of a prompt stays as it is, so it is computed once per prompt,
and an update of 32 choices takes seconds.
Needs the extra `lora` (torch, transformers, peft, gguf).
GRPO: Shao and others, arXiv 2402.03300; LoRA: Hu and others, arXiv 2106.09685.
"""

from __future__ import annotations

import argparse
import csv
import json
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from peft import LoraConfig, get_peft_model
from torch import Tensor
from transformers import AutoModelForCausalLM, AutoTokenizer

# As a script this file's own folder comes first.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import accord
from accord.analysis.intervals import mean_interval
from voyager_agents.models.local.settings import weights

LABELS = Path(__file__).resolve().parent / "small_model"
HELD_OUT = (
    ("always-cooperate", None),
    ("always-defect", None),
    ("grim", None),
    ("win-stay-lose-shift", None),
    ("tit-for-tat", LABELS / "defect_first.yaml"),
    ("tit-for-tat", LABELS / "red_cooperates.yaml"),
    ("tit-for-tat", LABELS / "blue_cooperates.yaml"),
)
"""Partners and scenarios of the evaluation, besides those of the training; None for the training's scenario."""
ADAPTED = ("q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj")
"""Matrices of a layer that get adapters."""
FIRST_TEST_SEED = 1_000_000
"""First seed of the evaluation; no training gets there."""


@dataclass(frozen=True)
class Settings:
    """Settings of the training."""

    scenario: str = "prisoners-dilemma"
    partner: str = "tit-for-tat"
    rounds: int = 3
    updates: int = 30
    group: int = 16
    """Rollouts of an update, all of the same seed."""
    layers: int = 2
    """Last layers, which learn."""
    rank: int = 8
    rate: float = 4e-3
    temperature: float = 3.0
    """Temperature of the choices, in training and evaluation: at 1 this model never tries the other option."""
    entropy: float = 0.02
    gradient: float = 1.0
    """Longest gradient."""


class Chooser:
    """Language model that answers turns of a matrix game: it weighs the options where they stand in the answer."""

    def __init__(self, model: Any, tokenizer: Any, settings: Settings) -> None:  # noqa: ANN401 - a model of transformers
        self._tokenizer = tokenizer
        self._temperature = settings.temperature
        layers = model.config.num_hidden_layers
        if not 1 <= settings.layers <= layers:
            raise SystemExit(f"--layers {settings.layers} is not legal: the model has {layers}")
        lora = LoraConfig(
            r=settings.rank, lora_alpha=2 * settings.rank, target_modules=list(ADAPTED), task_type="CAUSAL_LM",
            layers_to_transform=list(range(layers - settings.layers, layers)),
        )  # fmt: skip
        self.model = get_peft_model(model, lora).eval()
        self._inner = self.model.get_base_model().model
        self._head = self.model.get_base_model().lm_head.weight
        self._frozen = self._inner.layers[: layers - settings.layers]
        self._learning = self._inner.layers[layers - settings.layers :]
        self._below: dict[str, tuple[Tensor, list[int]]] = {}
        """Prompt -> output of the frozen layers, and the token by which each option goes on."""
        self._chances: dict[str, Tensor] = {}
        """Prompt -> log-probabilities of its options, until the next update."""
        self.rng = np.random.default_rng(0)

    @property
    def parameters(self) -> list[Tensor]:
        """Parameters that learn."""
        return [each for each in self.model.parameters() if each.requires_grad]

    def updated(self) -> None:
        """Forget what was computed with the parameters before an update."""
        self._chances.clear()

    def reset(self, seed: int) -> None:
        """Start anew with random adapters that change nothing yet."""
        torch.manual_seed(seed)
        self.rng = np.random.default_rng(seed)
        for name, each in self.model.named_parameters():
            if "lora_A" in name:
                torch.nn.init.kaiming_uniform_(each, a=5**0.5)
            elif "lora_B" in name:
                torch.nn.init.zeros_(each)
        self.updated()

    def answer(self, turns: Sequence[accord.Turn]) -> list[str]:
        """Answer turns with options drawn by the model's probabilities."""
        found = []
        for turn in turns:
            names = options(turn)
            with torch.no_grad():
                chances = self.chances(turn).exp().numpy()
            found.append(answer_of(names[self.rng.choice(len(names), p=chances / chances.sum())]))
        return found

    def chances(self, turn: accord.Turn, *, learn: bool = False) -> Tensor:
        """Return the log-probabilities of a turn's options; with `learn`, through which gradients flow."""
        prompt = self._prompt(turn)
        if not learn and prompt in self._chances:
            return self._chances[prompt]
        if prompt not in self._below:
            with torch.no_grad():
                self._below[prompt] = self._look(prompt, options(turn))
        rows, tokens = self._below[prompt]
        rows = self._inner.norm(self._through(self._learning, rows)[:, -1])
        found = (self._head[tokens] @ rows[0] / self._temperature).log_softmax(-1)
        if not learn:
            self._chances[prompt] = found
        return found

    def _prompt(self, turn: accord.Turn) -> str:
        return str(self._tokenizer.apply_chat_template(list(turn.messages), add_generation_prompt=True, tokenize=False))

    def _look(self, prompt: str, names: Sequence[str]) -> tuple[Tensor, list[int]]:
        """Return the output of the frozen layers before an option begins, and the options' first tokens."""
        whole = [self._tokenizer(prompt + answer_of(name), add_special_tokens=False)["input_ids"] for name in names]
        shared = next(at for at, tokens in enumerate(zip(*whole, strict=False)) if len(set(tokens)) > 1)
        tokens = [each[shared] for each in whole]
        if len(set(tokens)) < len(names):
            raise SystemExit(f"the options {', '.join(names)} begin with the same token: rename them")
        return self._through(self._frozen, self._inner.embed_tokens(torch.tensor([whole[0][:shared]]))), tokens

    def _through(self, layers: Iterable[torch.nn.Module], rows: Tensor) -> Tensor:
        """Return the output (1, tokens, width) of some layers."""
        places = torch.arange(rows.shape[1])[None]
        turning = self._inner.rotary_emb(rows, places)
        for layer in layers:
            rows = layer(rows, position_ids=places, position_embeddings=turning)
        return rows


def tell(text: str) -> None:
    """Print a text at once."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def options(turn: accord.Turn) -> list[str]:
    """Return the options among which a turn asks to choose."""
    try:
        return list(turn.form["schema"]["properties"]["choice"]["enum"])  # type: ignore[index]
    except (KeyError, TypeError):
        raise SystemExit(f"a turn of {turn.seat} asks for no choice among options: train on a matrix game") from None


def answer_of(option: str) -> str:
    """Return the answer that chooses an option."""
    return json.dumps({"why": "", "choice": option})


def advantages(rollouts: Sequence[accord.Rollout], seat: str) -> list[list[float]]:
    """Return for each step of each rollout what follows it, beside the group's mean and in its standard deviations.

    The rewards after a step are its own and all later ones: what came before was not its doing.
    """
    paid = np.array([rollout.step_rewards(seat) for rollout in rollouts])
    later = paid[:, ::-1].cumsum(1)[:, ::-1]
    spread = later.std(0)
    return ((later - later.mean(0)) / np.where(spread > 0, spread, 1)).tolist()


def update(chooser: Chooser, optimizer: torch.optim.Optimizer, rollouts: Sequence[accord.Rollout], seat: str,
           settings: Settings) -> None:  # fmt: skip
    """Change the model by one group: each prompt is looked at once, however often it was met."""
    turns: dict[str, accord.Turn] = {}
    weight: defaultdict[str, Counter[str]] = defaultdict(Counter)
    met: Counter[str] = Counter()
    for rollout, gains in zip(rollouts, advantages(rollouts, seat), strict=True):
        for step, gain in zip(rollout.of(seat), gains, strict=True):
            key = json.dumps(step.turn.messages)
            turns[key] = step.turn
            weight[key][json.loads(step.text)["choice"]] += gain
            met[key] += 1
    optimizer.zero_grad()
    for key, turn in turns.items():
        logs = chooser.chances(turn, learn=True)
        gain = logs @ torch.tensor([weight[key][name] for name in options(turn)], dtype=logs.dtype)
        entropy = -(logs.exp() * logs).sum()
        (-(gain + settings.entropy * met[key] * entropy) / met.total()).backward()
    torch.nn.utils.clip_grad_norm_(chooser.parameters, settings.gradient)
    optimizer.step()
    chooser.updated()


def train(chooser: Chooser, environment: accord.Environment, seed: int, settings: Settings) -> list[float]:
    """Train on groups of rollouts, and return the mean payoff of a round in each group."""
    chooser.reset(seed)
    seat = environment.seats[0]
    optimizer = torch.optim.Adam(chooser.parameters, settings.rate)
    curve = []
    for number in range(settings.updates):
        rollouts = play(environment, chooser, [seed * settings.updates + number] * settings.group)
        update(chooser, optimizer, rollouts, seat, settings)
        curve.append(statistics.fmean(each.rewards[seat] for each in rollouts) / settings.rounds)
        tell(f"seed {seed}, update {number + 1}: {curve[-1]:.2f} a round")
    return curve


def play(environment: accord.Environment, chooser: Chooser, seeds: Sequence[int]) -> list[accord.Rollout]:
    """Play rollouts of these seeds. Raises SystemExit if one is not complete."""
    rollouts = environment.play_batches(chooser.answer, seeds, at_once=16)
    if failed := next((each for each in rollouts if each.status != "complete"), None):
        raise SystemExit(f"the rollout of seed {failed.seed} is {failed.status}: {failed.reason}")
    return rollouts


@dataclass(frozen=True)
class Meeting:
    """Evaluation of the model with one partner and one set of labels."""

    trained: str
    """Seed of the training; empty before any."""
    scenario: str
    partner: str
    payoffs: tuple[float, ...]
    """Mean payoff of a round, for each rollout."""
    cooperation: tuple[float, ...]
    """Share of rounds with cooperation, for each rollout."""


def evaluate(chooser: Chooser, trained: str, settings: Settings, rollouts: int,
             held_out: Sequence[tuple[str, Path | None]]) -> list[Meeting]:  # fmt: skip
    """Let the model meet the training's partner, then held-out partners and labels."""
    found = []
    for partner, file in ((settings.partner, None), *held_out):
        scenario = settings.scenario if file is None else str(file)
        with environment_of(scenario, partner, settings) as environment:
            seat = environment.seats[0]
            seeds = range(FIRST_TEST_SEED, FIRST_TEST_SEED + rollouts)
            played = play(environment, chooser, seeds)
        found.append(
            Meeting(
                trained, Path(scenario).stem, partner,
                tuple(each.rewards[seat] / settings.rounds for each in played),
                tuple(float(each.result["measures"]["cooperation"][seat]) for each in played),
            )
        )  # fmt: skip
    return found


def environment_of(scenario: str, partner: str, settings: Settings) -> accord.Environment:
    """Return an environment against one partner, without records."""
    return accord.env(scenario, partners=partner, repeat=settings.rounds, keep=False)


def interval(values: Sequence[float]) -> str:
    """Return the mean with its 95 % interval where there is one; nothing without a value."""
    if not values:
        return ""
    ends = mean_interval(values)
    return f"{statistics.fmean(values):.2f}" + (f" [{ends[0]:.2f}, {ends[1]:.2f}]" if ends else "")


def table(meetings: Sequence[Meeting]) -> str:
    """Return the means before training, over rollouts, and after it, over its seeds, with intervals from five on."""
    head = ("labels", "partner", "payoff before", "payoff after", "cooperation before", "cooperation after")
    rows = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    for key in dict.fromkeys((each.scenario, each.partner) for each in meetings):
        met = [each for each in meetings if (each.scenario, each.partner) == key]
        cells = []
        for name in ("payoffs", "cooperation"):
            cells.append(interval([value for each in met if not each.trained for value in getattr(each, name)]))
            cells.append(interval([statistics.fmean(getattr(each, name)) for each in met if each.trained]))
        rows.append(f"| {' | '.join((*key, *cells))} |")
    return "\n".join(rows)


def write(folder: Path, curves: Mapping[int, Sequence[float]], meetings: Sequence[Meeting]) -> None:
    """Write the learning curves with a drawing, and the evaluation."""
    import matplotlib.pyplot as plt

    with (folder / "curves.csv").open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened, lineterminator="\n")
        writer.writerow(("seed", "update", "payoff"))
        writer.writerows((seed, at, paid) for seed, curve in curves.items() for at, paid in enumerate(curve, start=1))
    with (folder / "evaluation.csv").open("w", encoding="utf-8", newline="") as opened:
        writer = csv.writer(opened, lineterminator="\n")
        writer.writerow(("trained", "labels", "partner", "rollout", "payoff", "cooperation"))
        for each in meetings:
            for place, (paid, share) in enumerate(zip(each.payoffs, each.cooperation, strict=True)):
                writer.writerow((each.trained, each.scenario, each.partner, place, paid, share))
    figure, axes = plt.subplots(figsize=(6, 3.5), layout="constrained")
    for seed, curve in curves.items():
        axes.plot(range(1, len(curve) + 1), curve, label=f"seed {seed}")
    axes.set(xlabel="update", ylabel="payoff of a round, mean of the group")
    axes.legend()
    figure.savefig(folder / "curves.svg", metadata={"Date": None})
    plt.close(figure)


def load(model: Path | None) -> tuple[Any, Any]:
    """Return a causal model and its tokenizer: those of a folder, or of the local model's GGUF file."""
    if model is not None:
        return AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32), AutoTokenizer.from_pretrained(model)
    file = weights(None)
    read = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name, dtype=torch.float32)
    # Its numbers are whole again, but trainers refuse what was read from a quantized file: a model of its own has them.
    plain = AutoModelForCausalLM.from_config(read.config, dtype=torch.float32)
    plain.load_state_dict(read.state_dict())
    return plain, AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name)


def parse(given: Sequence[str] | None) -> argparse.Namespace:
    """Return the command's arguments."""
    usual = Settings()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenario", nargs="?", default=usual.scenario, help="matrix game, or path of its YAML file")
    parser.add_argument("--partner", default=usual.partner, help="partner of the training")
    for name in ("rounds", "updates", "group", "layers", "rank"):
        parser.add_argument(f"--{name}", type=int, default=getattr(usual, name))
    for name in ("rate", "entropy", "temperature"):
        parser.add_argument(f"--{name}", type=float, default=getattr(usual, name))
    parser.add_argument("--seeds", type=int, nargs="+", default=[0], help="seeds of trainings, one after the other")
    parser.add_argument("--rollouts", type=int, default=20, help="rollouts of each meeting of the evaluation")
    parser.add_argument("--model", type=Path, help="folder of a causal model; the local model if not given")
    parser.add_argument("--out", type=Path, required=True, help="folder for curves, evaluation and adapters")
    return parser.parse_args(given)


def main(given: Sequence[str] | None = None) -> None:
    """Train with each seed, evaluate before and after, and write what was found."""
    args = parse(given)
    settings = Settings(**{name: value for name, value in vars(args).items() if name in Settings.__dataclass_fields__})
    args.out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    model, tokenizer = load(args.model)
    chooser = Chooser(model, tokenizer, settings)
    chooser.reset(args.seeds[0])
    meetings = evaluate(chooser, "", settings, args.rollouts, HELD_OUT)
    tell(table(meetings))
    curves = {}
    for seed in args.seeds:
        with environment_of(settings.scenario, settings.partner, settings) as environment:
            curves[seed] = train(chooser, environment, seed, settings)
        chooser.model.save_pretrained(args.out / f"adapter-{seed}")
        meetings += evaluate(chooser, str(seed), settings, args.rollouts, HELD_OUT)
        write(args.out, curves, meetings)
    tell(table(meetings))


if __name__ == "__main__":
    main()
