"""TRL's rollout function: one sequence per rollout, with the mask of the learner's tokens. Skipped without `trl`."""

from __future__ import annotations

import importlib
import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import accord
from accord.training.trl_rollouts import ConversationLearner, payoffs, rollout_function, seed_prompts

GAME = "prisoners-dilemma"
ANSWER = json.dumps({"why": "", "choice": "cooperate"})


class CharTokenizer:
    """Tokenizer of characters: a token for each, and one for the end of an answer."""

    eos_token = "</s>"
    eos_token_id = 0
    pad_token_id = None

    def apply_chat_template(self, messages: list[Any], *, add_generation_prompt: bool, tokenize: bool) -> str:
        text = "".join(f"<s>{each['role']} {each['content']}</s>" for each in messages)
        return text + ("<s>assistant " if add_generation_prompt else "")

    def __call__(self, text: str, *, add_special_tokens: bool) -> dict[str, list[int]]:
        parts = text.split(self.eos_token)
        ids = [[ord(char) for char in part] for part in parts]
        return {"input_ids": [token for number, each in enumerate(ids) for token in ([0] if number else []) + each]}

    def decode(self, ids: list[int], *, skip_special_tokens: bool) -> str:
        return "".join(chr(token) for token in ids if token)


class Scripted(ConversationLearner):
    """Learner whose model always gives the same answer."""

    def _sampled(self, rows: Sequence[list[int]]) -> list[tuple[list[int], list[float]]]:
        ids = [*map(ord, ANSWER), 0]
        return [(ids, [-0.5] * len(ids)) for _ in rows]


@pytest.fixture
def game(tmp_path: Path) -> Iterator[accord.Environment]:
    with accord.env(GAME, partners="tit-for-tat", repeat=3, out=tmp_path) as made:
        yield made


def test_a_rollout_is_one_conversation_with_the_learners_tokens_masked(game: accord.Environment) -> None:
    learner = Scripted(None, CharTokenizer(), 64, 1.0)
    rollouts = game.play_batches(learner.answer, [4, 5], at_once=2)
    for rollout in rollouts:
        assert rollout.status == "complete"
        found = learner.conversation(rollout)
        rest = found.ids[found.prompt :]
        assert len(rest) == len(found.mask) == len(found.logprobs)
        sampled = [token for token, mine in zip(rest, found.mask, strict=True) if mine]
        assert sampled == [*map(ord, ANSWER), 0] * 3
        assert all((each == -0.5) == bool(mine) for each, mine in zip(found.logprobs, found.mask, strict=True))
        # The tokens are those of the conversation as the template renders it.
        tokenizer = CharTokenizer()
        whole = tokenizer.apply_chat_template(found.messages, add_generation_prompt=False, tokenize=False)
        assert found.ids == tokenizer(whole, add_special_tokens=False)["input_ids"]
        environment = [token for token, mine in zip(rest, found.mask, strict=True) if not mine]
        assert "Round 1: you cooperate" in tokenizer.decode(environment, skip_special_tokens=True)


def test_wrong_input_is_one_line(game: accord.Environment, tmp_path: Path) -> None:
    both = accord.env(GAME, seats="all", out=tmp_path)
    with pytest.raises(accord.UsageError, match="TRL trains one: name a single seat"):
        rollout_function(both)
    with pytest.raises(accord.UsageError, match="max_tokens: 0 is not legal"):
        rollout_function(game, max_tokens=0)
    trainer: Any = SimpleNamespace(
        accelerator=SimpleNamespace(unwrap_model=lambda model: model),
        model=None,
        processing_class=CharTokenizer(),
        args=SimpleNamespace(temperature=1.0),
    )
    with pytest.raises(accord.UsageError, match="prompt 'red' names no seed"):
        rollout_function(game)(["red"], trainer)


def local_model() -> tuple[Any, Any]:
    """Return the model of `make setup-local`, of which the last layer can learn, and its tokenizer."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[4] / "examples"))
    model, tokenizer = importlib.import_module("grpo").load(None)
    model.requires_grad_(False)
    model.model.layers[-1].requires_grad_(True)
    return model, tokenizer


def random_model() -> tuple[Any, Any]:
    model, tokenizer = importlib.import_module("tests.fakes.tiny_model").tiny_model()
    return model, tokenizer


LONG = pytest.mark.skipif(
    not os.environ.get("ACCORD_CI_LONG"),
    reason="THE LOCAL MODEL IS NOT TRAINED: set ACCORD_CI_LONG=1, as for .ci/run (4 minutes of a processor, 3 GB)",
)


@pytest.mark.filterwarnings("ignore")  # those of the libraries are theirs
@pytest.mark.parametrize(
    ("load", "tokens", "rounds", "steps"),
    [(random_model, 4, 3, 2), pytest.param(local_model, 24, 2, 1, marks=LONG)],
    ids=["random", "local"],
)
def test_a_trainer_of_trl_takes_steps_on_rollouts(
    load: Callable[[], tuple[Any, Any]], tokens: int, rounds: int, steps: int, tmp_path: Path
) -> None:
    """A small random network cannot answer in form: the game's rule chooses, and its payoffs are the rewards."""
    reason = "the TRL face is tested only where trl, torch and transformers are installed: pip install 'accord-mc[trl]'"
    torch = pytest.importorskip("torch", reason=reason)
    trl = pytest.importorskip("trl", reason=reason)
    pytest.importorskip("transformers", reason=reason)
    datasets = pytest.importorskip("datasets", reason=reason)

    model, tokenizer = load()
    before: list[Any] = []
    seen: list[dict[str, list[Any]]] = []
    game = accord.env(GAME, partners="tit-for-tat", repeat=rounds, out=tmp_path)
    inner = rollout_function(game, max_tokens=tokens)

    def trained() -> list[Any]:
        return [each.detach().clone() for each in trainer.model.parameters() if each.requires_grad]

    def spied(prompts: list[Any], trainer: object) -> dict[str, list[Any]]:
        before[:] = before or trained()
        seen.append(inner(prompts, trainer))
        # Different rewards, since equal ones of a group are no gradient.
        return {**seen[-1], "payoff": [float(place) for place in range(len(prompts))]}

    options = trl.GRPOConfig(
        output_dir=str(tmp_path / "trained"),
        per_device_train_batch_size=2,
        num_generations=2,
        max_steps=steps,
        learning_rate=1e-4,
        use_cpu=True,
        gradient_checkpointing=False,
        report_to=[],
        save_strategy="no",
        disable_tqdm=True,
        logging_strategy="no",
    )
    trainer = trl.GRPOTrainer(
        model=model,
        reward_funcs=payoffs,
        args=options,
        train_dataset=datasets.Dataset.from_list(seed_prompts(range(4))),
        processing_class=tokenizer,
        rollout_func=spied,
    )
    with game:
        trainer.train()
    assert len(seen) == steps
    assert not all(map(torch.equal, before, trained()))
    for each in seen:
        for mask, ids in zip(each["env_mask"], each["completion_ids"], strict=True):
            assert len(mask) == len(ids)
            assert 0 < sum(mask) < len(mask)
        assert all(math.isnan(amount) or amount >= 0 for amount in each["payoff"])
