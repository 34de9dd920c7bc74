"""Turns and rollouts as a trainer sees them: plain data, the same in Python, between processes and over HTTP."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from voyager_agents.models import ChatMessage
from voyager_agents.models.learner import LearnerCall

Message = dict[str, Any]
"""Message of a chat: `role`, `content`, and the fields of tools and images if it has any."""


@dataclass(frozen=True)
class Turn:
    """One question to a learner: the messages of a model call, answered by a text."""

    number: int
    """Number of the turn in its rollout, from 0, over all learners."""
    seat: str
    """Player whose learner is asked."""
    role: str
    """Role of the model, such as `player`, `action` or `critic`."""
    messages: tuple[Message, ...]
    """Messages of the call, in order."""
    own: tuple[bool, ...]
    """For each message, True if it is an earlier answer of this learner."""
    form: Mapping[str, Any] | None = None
    """Form that the answer should have: its `name` and its JSON `schema`; None for free text."""
    tools: tuple[Mapping[str, Any], ...] = ()
    """Tools that the learner may call."""
    reward: float = 0.0
    """Emeralds that the seat was paid since its previous turn: for a round of a repeated game, else for an episode."""
    rollout: int = field(default=0, compare=False)
    """Number of the rollout in its environment, from 0."""

    def to_dict(self) -> dict[str, Any]:
        """Turn as JSON data."""
        return asdict(self)

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any]) -> Turn:
        """Return the turn of a dict by `to_dict`."""
        told = {**plain, **{name: tuple(plain[name]) for name in ("messages", "own", "tools")}}
        return cls(**told)


@dataclass(frozen=True)
class Step:
    """A turn with its answer."""

    turn: Turn
    text: str
    calls: tuple[Mapping[str, Any], ...] = ()
    """Calls of tools in the answer."""

    @property
    def conversation(self) -> list[Message]:
        """Messages of the turn, and the answer as the last one."""
        answer: Message = {"role": "assistant", "content": self.text}
        return [*self.turn.messages, answer | ({"tool_calls": list(self.calls)} if self.calls else {})]

    @property
    def own(self) -> list[bool]:
        """For each message of the conversation, True if the learner wrote it."""
        return [*self.turn.own, True]


@dataclass(frozen=True)
class Rollout:
    """One finished run with its learners' turns and all players' rewards."""

    seed: int
    status: str
    """Status of the run: `complete`, or the kind of its failure (docs/results.md)."""
    reason: str | None
    """Reason for which the run is not complete; None for a complete run."""
    rewards: Mapping[str, float]
    """Player -> payoff of the whole run, in emeralds: reward and transfers. Empty if the run is not scored."""
    episodes: tuple[Mapping[str, float], ...]
    """Player -> payoff, for each episode in order."""
    path: Path | None
    """Directory of the record; None if records are not kept."""
    result: Mapping[str, Any] = field(default_factory=dict)
    """Content of the run's result.json; empty if the run could not be recorded."""
    steps: tuple[Step, ...] = ()
    """Turns of all learners with their answers, in the order of the answers."""

    def of(self, seat: str) -> tuple[Step, ...]:
        """Return the steps of one learner."""
        return tuple(step for step in self.steps if step.turn.seat == seat)

    def step_rewards(self, seat: str) -> tuple[float, ...]:
        """Return the emeralds that were paid after each step of one learner, to its next turn or the end.

        Their sum is the seat's payoff.
        """
        paid = [step.turn.reward for step in self.of(seat)]
        return (*paid[1:], self.rewards.get(seat, 0.0) - sum(paid)) if paid else ()

    def to_dict(self) -> dict[str, Any]:
        """Rollout as JSON data, without its steps."""
        return {
            "seed": self.seed,
            "status": self.status,
            "reason": self.reason,
            "rewards": dict(self.rewards),
            "episodes": [dict(each) for each in self.episodes],
            "path": None if self.path is None else str(self.path),
            "result": dict(self.result),
        }

    @classmethod
    def from_dict(cls, plain: Mapping[str, Any], steps: Sequence[Step] = ()) -> Rollout:
        """Return the rollout of a dict by `to_dict`."""
        path = None if plain["path"] is None else Path(plain["path"])
        return cls(**{**plain, "path": path, "episodes": tuple(plain["episodes"]), "steps": tuple(steps)})


class Answers:
    """A learner's earlier answers, by which its own messages in later turns are recognized."""

    def __init__(self) -> None:
        self._given: dict[str, set[str]] = {}

    def add(self, seat: str, text: str) -> None:
        """Remember an answer."""
        self._given.setdefault(seat, set()).add(text.strip())

    def own(self, seat: str, messages: Sequence[ChatMessage]) -> tuple[bool, ...]:
        """Return for each message whether it is an answer of this seat."""
        given = self._given.get(seat, set())
        return tuple(each.role == "assistant" and each.content.strip() in given for each in messages)


def turn_of(number: int, call: LearnerCall, answers: Answers, reward: float) -> Turn:
    """Return the turn of a learner's model call.

    Args:
        number: Number of the turn.
        call: The call.
        answers: Earlier answers.
        reward: Emeralds paid to the seat since its previous turn.
    """
    form = call.settings.form
    return Turn(
        number=number,
        seat=call.player,
        role=call.role,
        messages=tuple(_message(each) for each in call.messages),
        own=answers.own(call.player, call.messages),
        form=None if form is None else {"name": form.name, "schema": dict(form.schema)},
        tools=tuple(each.to_dict() for each in call.settings.tools),
        reward=reward,
    )


def _message(message: ChatMessage) -> Message:
    """Return a message as a dict, its images with their data."""
    found = message.to_dict()
    if message.images:
        found["images"] = [{**image.to_dict(), "url": image.url} for image in message.images]
    return found


def token_mask(
    encode: Callable[[Sequence[Message]], Sequence[int]], messages: Sequence[Message], own: Sequence[bool]
) -> Iterator[bool]:
    """Yield for each token of a conversation whether it belongs to a message of the learner's own.

    A template that rewrites earlier messages when later ones follow has no such mask.

    Args:
        encode: Returns the tokens of the first messages of a conversation, such as a tokenizer's `apply_chat_template`.
        messages: Messages of the conversation.
        own: For each message, True if it is the learner's own.

    Raises:
        ValueError: The tokens of the first messages are not the first tokens of more messages.
    """
    before: list[int] = []
    for number, mine in enumerate(own, start=1):
        tokens = list(encode(messages[:number]))
        if tokens[: len(before)] != before:
            raise ValueError(f"the template rewrites earlier messages at message {number}: mask its turns one by one")
        yield from (mine for _ in tokens[len(before) :])
        before = tokens
