"""Transcript of a run: what each player saw, thought, did and learned, step by step. Its text is untrusted."""

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
"""Kind of step -> its meaning. A new kind is one line here."""
Form = Literal["text", "code", "list"]


@dataclass(frozen=True)
class TranscriptCall:
    """Model call that led to a step."""

    player: str
    role: str
    number: int
    """Index of the call among those of the player and role, from 0, as in calls.jsonl."""
    model: str
    tokens: int
    usd: float | None
    """Price in dollars; None if unknown."""


@dataclass(frozen=True)
class StepPart:
    """Part of a step's text."""

    label: str
    """Heading such as `why`; empty for the step's own text."""
    text: str
    form: Form = "text"
    """Form of the text; `list` has one entry a line."""


@dataclass(frozen=True)
class TranscriptStep:
    """One step of one player."""

    player: str
    """Player of the step; empty for a step that concerns all players."""
    kind: str
    """One of KINDS."""
    title: str
    """Summary in one line."""
    parts: tuple[StepPart, ...] = ()
    calls: tuple[TranscriptCall, ...] = ()
    others: tuple[str, ...] = ()
    """Other players whom the step concerns, such as those who heard it."""
    trouble: bool = False
    """True if something went wrong in the step."""
    seq: int = 0
    """Sequence number of the step's line in events.jsonl; of several lines the last."""
    episode: int | None = None
    """Episode from 1; None before the first."""
    between: bool = False
    """True if the step lies after that episode, or before the first, rather than inside one."""
    attempt: int = 1
    """Attempt at the episode."""
    round: int | None = None
    """Round from 1; None without rounds."""
    t_s: float | None = None
    """Seconds of game time since the episode began, if known."""

    def concerns(self, player: str) -> bool:
        """Return whether the step belongs to the player's transcript."""
        return not self.player or player == self.player or player in self.others

    def texts(self) -> str:
        """Return title and parts as one list of texts."""
        return "\n".join((self.title, *(part.text for part in self.parts)))

    def to_dict(self) -> dict[str, Any]:
        """Return the step for JSON."""
        return {**asdict(self), "tokens": tokens(self), "usd": usd(self)}


@dataclass(frozen=True)
class StepFilter:
    """Selection of steps; empty collections and texts select all."""

    players: Collection[str] = ()
    kinds: Collection[str] = ()
    episodes: Collection[int] = ()
    text: str = ""
    """Text that must occur in the step, in any case."""

    def takes(self, step: TranscriptStep) -> bool:
        """Return whether the step is selected."""
        return (
            (not self.players or any(step.concerns(player) for player in self.players))
            and (not self.kinds or step.kind in self.kinds)
            and (not self.episodes or step.episode in self.episodes)
            and (not self.text or self.text.casefold() in step.texts().casefold())
        )


def tokens(step: TranscriptStep) -> int:
    """Return the tokens of all calls of the step."""
    return sum(call.tokens for call in step.calls)


def usd(step: TranscriptStep) -> float | None:
    """Return the price of all calls of the step, or None if any price is unknown."""
    prices = [call.usd for call in step.calls]
    known = [price for price in prices if price is not None]
    return round(sum(known), 8) if len(known) == len(prices) else None


def code_part(text: str, label: str = "") -> StepPart:
    """Return a part with a program's source."""
    return StepPart(label, text, "code")


def list_part(label: str, lines: Collection[str]) -> tuple[StepPart, ...]:
    """Return a part with a list, or nothing for an empty one."""
    return (StepPart(label, "\n".join(" ".join(line.split()) for line in lines), "list"),) if lines else ()


def text_part(label: str, text: str) -> tuple[StepPart, ...]:
    """Return a part with a text, or nothing for an empty one."""
    return (StepPart(label, text),) if text.strip() else ()


def cost(step: TranscriptStep) -> str:
    """Return the step's calls in words: models, tokens, price."""
    models = ", ".join(dict.fromkeys(call.model for call in step.calls))
    price = usd(step)
    paid = "price unknown" if price is None else dollars(price)
    several = f"{len(step.calls)} calls, " if len(step.calls) > 1 else ""
    return f"{models}: {several}{tokens(step):,} tokens, {paid}"
