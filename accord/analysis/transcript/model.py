"""A transcript: what each player saw, thought, did and learned, step by step. Its text is hostile until it is shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from accord.analysis.report.text import dollars

KINDS: Mapping[str, str] = {
    "saw": "what a player was shown, and what it perceived",
    "recalled": "memories that were looked up, with their scores",
    "insight": "insights of a reflection, with the memories that they come from",
    "understood": "hypotheses about the rules of the world and of others",
    "plan": "a new plan: goal, how, next steps",
    "task": "the task that a curriculum set, and what it asked itself",
    "skills": "skills of the library that a program may call",
    "thought": "what a player thought before it acted or spoke",
    "wrote": "a program that it wrote",
    "decided": "a decision of a turn, with its reason",
    "said": "what it said, offered, accepted or voted, and what others said to it",
    "did": "what its body did and got in the world",
    "ended": "how a program or an episode ended for it",
    "critic": "its critic's review",
    "learned": "a skill that entered its library",
    "judged": "contracts, verdicts and transfers",
    "fault": "an answer of its model that was of no use",
    "call": "a call of a model that belongs to no other step",
    "lost": "an attempt that infrastructure broke",
}
"""Kind of step -> what it tells. A new kind is one line here."""
Form = Literal["text", "code", "list"]


@dataclass(frozen=True)
class TranscriptCall:
    """A call of a model that led to a step."""

    player: str
    role: str
    number: int
    """Which call of that player and role, from 0; its texts are in calls.jsonl under this number."""
    model: str
    tokens: int
    usd: float | None
    """None where no price is known."""


@dataclass(frozen=True)
class StepPart:
    """A piece of a step."""

    label: str
    """What it is, e.g. `why`; empty for the step's own text."""
    text: str
    form: Form = "text"
    """`list`: an entry a line."""


@dataclass(frozen=True)
class TranscriptStep:
    """One step of one player."""

    player: str
    """Whose; empty for one that concerns all alike."""
    kind: str
    """One of KINDS."""
    title: str
    """What happened, in one line."""
    parts: tuple[StepPart, ...] = ()
    calls: tuple[TranscriptCall, ...] = ()
    others: tuple[str, ...] = ()
    """Whom it concerns as well, e.g. those who heard it."""
    trouble: bool = False
    """Something went wrong in it."""
    seq: int = 0
    """The line of events.jsonl that it comes from; of several lines the last."""
    episode: int | None = None
    """From 1; None before the first one."""
    between: bool = False
    """It is no part of an episode: it comes after that one, or before the first."""
    attempt: int = 1
    """Of the episode."""
    round: int | None = None
    """From 1; None where nobody plays in rounds."""
    t_s: float | None = None
    """Seconds of game time since the episode began, where that is known."""

    def concerns(self, player: str) -> bool:
        """Whether it belongs into that player's transcript."""
        return not self.player or player == self.player or player in self.others

    def texts(self) -> str:
        """All its words, one after the other."""
        return "\n".join((self.title, *(part.text for part in self.parts)))

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return {**asdict(self), "tokens": tokens(self), "usd": usd(self)}


@dataclass(frozen=True)
class StepFilter:
    """Which steps are wanted; empty collections and texts want all."""

    players: Collection[str] = ()
    kinds: Collection[str] = ()
    episodes: Collection[int] = ()
    text: str = ""
    """Has to stand somewhere in the step; capitals do not matter."""

    def takes(self, step: TranscriptStep) -> bool:
        """Whether that step is wanted."""
        return (
            (not self.players or any(step.concerns(player) for player in self.players))
            and (not self.kinds or step.kind in self.kinds)
            and (not self.episodes or step.episode in self.episodes)
            and (not self.text or self.text.casefold() in step.texts().casefold())
        )


def tokens(step: TranscriptStep) -> int:
    """Of all its calls."""
    return sum(call.tokens for call in step.calls)


def usd(step: TranscriptStep) -> float | None:
    """The price of all its calls; None where one of them has none."""
    prices = [call.usd for call in step.calls]
    known = [price for price in prices if price is not None]
    return round(sum(known), 8) if len(known) == len(prices) else None


def code(text: str, label: str = "") -> StepPart:
    """A program."""
    return StepPart(label, text, "code")


def listed(label: str, lines: Collection[str]) -> tuple[StepPart, ...]:
    """A list; nothing where it is empty."""
    return (StepPart(label, "\n".join(" ".join(line.split()) for line in lines), "list"),) if lines else ()


def told(label: str, text: str) -> tuple[StepPart, ...]:
    """A text; nothing where it is empty."""
    return (StepPart(label, text),) if text.strip() else ()


def cost(step: TranscriptStep) -> str:
    """Its calls in words: models, tokens, price."""
    models = ", ".join(dict.fromkeys(call.model for call in step.calls))
    price = usd(step)
    paid = "price unknown" if price is None else dollars(price)
    several = f"{len(step.calls)} calls, " if len(step.calls) > 1 else ""
    return f"{models}: {several}{tokens(step):,} tokens, {paid}"
