"""Face of an environment for TRL: a rollout function for `trl.GRPOTrainer` (extra `trl`), and its rewards.

TRL trains on one sequence per rollout. The first turn is the prompt. The learner's answers and the later turns follow
as one conversation, and `env_mask` is 1 for tokens that the learner sampled and 0 for those of the environment.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from accord.training.blocking import Environment
from accord.training.turns import Message, Rollout, Turn
from dilemmas.errors import UsageError

RolloutFunction = Callable[[list[Any], Any], dict[str, list[Any]]]
"""TRL's `RolloutFunc`: prompts and trainer -> `prompt_ids`, `completion_ids`, `logprobs`, `env_mask` and `payoff`."""


def seed_prompts(seeds: Sequence[int]) -> list[dict[str, str]]:
    """Return the rows of a training set for `datasets.Dataset.from_list`: each prompt names the seed of a rollout."""
    return [{"prompt": str(seed)} for seed in seeds]


def payoffs(payoff: Sequence[float], **_: object) -> list[float]:
    """Return the learner's payoffs as rewards, in emeralds: a reward function for the trainer."""
    return [float(each) for each in payoff]


def rollout_function(environment: Environment, *, max_tokens: int = 64, at_once: int = 16) -> RolloutFunction:
    """Return a rollout function that plays in the environment, for `GRPOTrainer(rollout_func=...)`.

    A rollout that is not complete has the reward NaN, which TRL leaves out.

    Args:
        environment: Environment with one learner.
        max_tokens: Maximum number of tokens of an answer.
        at_once: Maximum number of concurrent rollouts, which is the size of a batch of generation.

    Raises:
        UsageError: The environment has several learners, or `max_tokens` is not legal.
    """
    if len(environment.seats) != 1:
        raise UsageError(f"seats: {', '.join(environment.seats)} are learners; TRL trains one: name a single seat")
    if max_tokens < 1:
        raise UsageError(f"max_tokens: {max_tokens} is not legal; give 1 or more")

    def play(prompts: list[Any], trainer: Any) -> dict[str, list[Any]]:  # noqa: ANN401 - TRL's classes
        model = trainer.accelerator.unwrap_model(trainer.model)
        learner = ConversationLearner(model, trainer.processing_class, max_tokens, float(trainer.args.temperature))
        rollouts = environment.play_batches(learner.answer, [_seed(each) for each in prompts], at_once=at_once)
        played = [learner.conversation(rollout) for rollout in rollouts]
        seat = environment.seats[0]
        return {
            "prompt_ids": [each.ids[: each.prompt] for each in played],
            "completion_ids": [each.ids[each.prompt :] for each in played],
            "logprobs": [each.logprobs for each in played],
            "env_mask": [each.mask for each in played],
            "payoff": [each.rewards[seat] if each.status == "complete" else float("nan") for each in rollouts],
        }

    return play


@dataclass
class Conversation:
    """Tokens of one rollout as a trainer needs them."""

    messages: list[Message] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    prompt: int = 0
    """Number of tokens before the first answer."""
    mask: list[int] = field(default_factory=list)
    """For each token after the prompt, 1 if the learner sampled it, else 0."""
    logprobs: list[float] = field(default_factory=list)
    """For each token after the prompt, its log-probability when it was sampled; 0 for the environment's."""


class ConversationLearner:
    """Learner that holds one conversation per rollout, by a causal model of `transformers` and its tokenizer."""

    def __init__(self, model: Any, tokenizer: Any, max_tokens: int, temperature: float) -> None:  # noqa: ANN401
        """Sample answers of at most `max_tokens` tokens at a temperature."""
        self._model = model
        self._tokenizer = tokenizer
        self._max_tokens = max_tokens
        self._temperature = temperature
        self._conversations: dict[int, Conversation] = {}

    def conversation(self, rollout: Rollout) -> Conversation:
        """Return the conversation of a finished rollout. Raises UsageError if its learner was never asked."""
        if not rollout.steps:
            raise UsageError(f"rollout of seed {rollout.seed} ended without a turn: {rollout.reason or rollout.status}")
        return self._conversations[rollout.steps[0].turn.rollout]

    def answer(self, turns: list[Turn]) -> list[str]:
        """Answer one turn of each rollout."""
        asked = [self._asked(turn) for turn in turns]
        return [
            self._answered(each, ids, logprobs)
            for each, (ids, logprobs) in zip(asked, self._sampled([each.ids for each in asked]), strict=True)
        ]

    def _asked(self, turn: Turn) -> Conversation:
        """Append a turn to its conversation."""
        found = self._conversations.setdefault(turn.rollout, Conversation())
        if not found.messages:
            found.messages = [dict(each) for each in turn.messages]
            found.ids = self._tokens(self._text(found.messages, ask=True))
            found.prompt = len(found.ids)
            return found
        new = _new_messages(turn)
        answer = found.messages[-1]["content"]
        before = self._text(found.messages[:-1], ask=True) + answer
        whole = self._text([*found.messages, *new], ask=True)
        if not whole.startswith(before):
            raise ValueError("the chat template rewrites earlier messages when later ones follow: choose another")
        rest = whole[len(before) :]
        end = self._tokenizer.eos_token
        if found.ids[-1] == self._tokenizer.eos_token_id and rest.startswith(end):
            rest = rest[len(end) :]
        tokens = self._tokens(rest)
        found.messages += new
        found.ids += tokens
        found.mask += [0] * len(tokens)
        found.logprobs += [0.0] * len(tokens)
        return found

    def _answered(self, conversation: Conversation, ids: list[int], logprobs: list[float]) -> str:
        """Append sampled tokens to a conversation and return their text."""
        text: str = self._tokenizer.decode(ids, skip_special_tokens=True).strip()
        conversation.messages.append({"role": "assistant", "content": text})
        conversation.ids += ids
        conversation.mask += [1] * len(ids)
        conversation.logprobs += logprobs
        return text

    def _text(self, messages: Sequence[Message], *, ask: bool) -> str:
        return str(self._tokenizer.apply_chat_template(list(messages), add_generation_prompt=ask, tokenize=False))

    def _tokens(self, text: str) -> list[int]:
        return list(self._tokenizer(text, add_special_tokens=False)["input_ids"])

    def _sampled(self, rows: Sequence[list[int]]) -> list[tuple[list[int], list[float]]]:
        """Return a sampled continuation of each row: its tokens, to the end of the answer, and log-probabilities."""
        import torch

        longest, end = max(map(len, rows)), self._tokenizer.eos_token_id
        pad = self._tokenizer.pad_token_id if self._tokenizer.pad_token_id is not None else end
        ids = torch.tensor([[pad] * (longest - len(row)) + row for row in rows], device=self._model.device)
        seen = torch.tensor([[0] * (longest - len(row)) + [1] * len(row) for row in rows], device=self._model.device)
        training = self._model.training
        self._model.eval()
        try:
            with torch.no_grad():
                made = self._model.generate(
                    input_ids=ids,
                    attention_mask=seen,
                    max_new_tokens=self._max_tokens,
                    do_sample=True,
                    temperature=self._temperature,
                    top_k=0,
                    top_p=1.0,
                    pad_token_id=pad,
                    eos_token_id=end,
                    return_dict_in_generate=True,
                    output_scores=True,
                )
        finally:
            self._model.train(training)
        logs = torch.log_softmax(torch.stack(made.scores, dim=1).float(), dim=-1)
        found = []
        for place, row in enumerate(made.sequences[:, longest:].tolist()):
            length = row.index(end) + 1 if end in row else len(row)
            taken = row[:length]
            found.append((taken, [float(logs[place, step, token]) for step, token in enumerate(taken)]))
        return found


def _new_messages(turn: Turn) -> list[Message]:
    """Return a turn's messages that are not in the conversation yet: those after the learner's last answer."""
    mine = max((place for place, own in enumerate(turn.own) if own), default=-1)
    later = turn.messages[mine + 1 :]
    new = [dict(each) for each in later if each["role"] != "system"]
    return new or [dict(turn.messages[-1])]


def _seed(prompt: Any) -> int:  # noqa: ANN401 - a dataset's cell
    """Return the seed that a prompt names. Raises UsageError."""
    text = prompt[-1]["content"] if isinstance(prompt, list) else prompt
    try:
        return int(text)
    except (TypeError, ValueError):
        raise UsageError(f"prompt {text!r} names no seed: make the training set by seed_prompts") from None
