"""Axes of negotiation as conditions set them: channels, forces, judges, and what a contract may say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from common.plugins import entries
from contracts.terms import MAX_EMERALDS
from dilemmas.minecraft.layout import Cell
from dilemmas.scenarios.fields import Frozen, PlayerName

JUDGES = ("formal", "language", "both", "formal-language", "language-formal")
"""Legal values of `judge`. The first named judge counts, a second one only records; `both` is formal-language."""


def judge_name(name: str) -> str:
    """Return the name if it is one of Accord's judges or a plugin's. Raises ValueError."""
    legal = [*JUDGES, *entries("judges")]
    if name not in legal:
        raise ValueError(f"{name!r} is not legal; choose one of {', '.join(legal)}")
    return name


Judging = Annotated[str, AfterValidator(judge_name)]
"""A judge of `JUDGES` or of a plugin."""


def is_unset(value: object) -> bool:
    """Return True for a value that a resolved file omits, as files of earlier versions do."""
    return value is None or value is False


class ChannelSpec(Frozen):
    """Rule of all channels of one kind (`contracts.bargaining.channels.ChannelRule`)."""

    messages: int = Field(default=1, ge=1, le=20)
    """Maximum number of messages that a player sends on channels of this kind in a round of talk."""
    opens: tuple[PlayerName, ...] = ()
    """Players that may write first on such a channel; empty for all."""
    first: int = Field(default=1, ge=1)
    """First round of talk in which the channels are open."""
    last: int | None = Field(default=None, ge=1)
    """Last round of talk in which they are open; None for the last one of the talk."""


class ChannelsSpec(Frozen):
    """Channels of a talk; a kind without a rule does not exist."""

    public: ChannelSpec | None = None
    pairwise: ChannelSpec | None = None
    group: ChannelSpec | None = None
    carrier: Literal["out-of-band", "whisper", "letter", "meeting"] = "out-of-band"
    """Means by which messages travel."""
    reach: float = Field(default=8.0, gt=0, le=1000)
    """Distance that a whisper carries, or radius of the meeting's place, in blocks."""
    at: Cell | None = None
    """Place of the meeting."""

    @model_validator(mode="after")
    def _usable(self) -> Self:
        if self.public is self.pairwise is self.group is None:
            raise ValueError("has no channels; give a rule for public, pairwise or group")
        if (self.carrier == "meeting") != (self.at is not None):
            raise ValueError("a meeting, and nothing else, needs the place `at`")
        return self


PRIVATE = ChannelsSpec(public=ChannelSpec(), pairwise=ChannelSpec(messages=2))
"""Channels of the axis `private`."""
GROUPS = ChannelsSpec(public=ChannelSpec(), pairwise=ChannelSpec(messages=2), group=ChannelSpec())
"""Channels of the axis `groups`."""


class Axes(Frozen):
    """Axes of negotiation: origin and legal content of a contract. Every axis combines with every other."""

    scope: Literal["both", "coordination", "transfers"] = "both"
    """Roles and payments, or one of them alone."""
    rounds: int | None = Field(default=None, ge=1, le=1000)
    """Maximum number of messages of a negotiation; None for the study's number."""
    opens: str = "first"
    """First proposer: the first or the second player, the player that the seed names (`seed`), or a named player."""
    renegotiate: Literal["never", "stands", "lapses"] = "never"
    """Renegotiation after each episode, and whether the old contract stands or lapses without an agreement."""
    greedy: tuple[PlayerName, ...] = ()
    """Players that are told to get as much as they can out of the negotiation."""
    typed: bool | None = None
    """True if the agreed text is turned into terms that all ratify.

    None: only if a formal judge needs terms, or if an amount in the text cannot be read with certainty.
    """
    judge: Judging | None = None
    """Judge of the contract; None for the study's."""
    force: Literal["binding", "escrow", "reputation", "cheap-talk"] | None = Field(default=None, exclude_if=is_unset)
    """Means by which the agreement is enforced (`contracts.forces.Force`); None for the contract's own."""
    deposit: int | None = Field(default=None, ge=1, le=MAX_EMERALDS, exclude_if=is_unset)
    """Deposit of each party in escrow, in emeralds; None for the usual one."""
    channels: ChannelsSpec | None = Field(default=None, exclude_if=is_unset)
    """Channels on which any players bargain about several deals; None for one table of all players."""
    secret: bool = Field(default=False, exclude_if=is_unset)
    """True if only its parties know of a deal."""
    every: int | None = Field(default=None, ge=1, le=10_000, exclude_if=is_unset)
    """Talk again after each so many rounds or steps of an episode; None for talks before the game alone."""

    @property
    def bargained(self) -> list[str]:
        """Axes that are set and mean nothing without a negotiation."""
        keys = ("rounds", "opens", "renegotiate", "greedy", "typed", "channels", "secret", "every")
        return [key for key in keys if key in self.model_fields_set]

    @model_validator(mode="after")
    def _combines(self) -> Self:
        if self.deposit is not None and self.force != "escrow":
            raise ValueError("deposit: only the force escrow has deposits; add escrow")
        if self.secret and self.channels is None:
            raise ValueError("secret: at one table everybody knows the contract; add private or groups")
        if self.every is not None and self.channels is None:
            raise ValueError("every: players talk during a game on channels alone; add private or groups")
        return self

    def check_players(self, players: Iterable[str]) -> None:
        """Check that all names are players. Raises ValueError."""
        names = list(players)
        if self.opens not in ("first", "second", "seed", *names):
            raise ValueError(f"opens: {self.opens!r} is not legal; choose first, second, seed or {', '.join(names)}")
        for name in self.greedy:
            if name not in names:
                raise ValueError(f"greedy: {name!r} is not a player; choose from {', '.join(names)}")
        for kind in ("public", "pairwise", "group"):
            rule: ChannelSpec | None = getattr(self.channels, kind, None)
            for name in rule.opens if rule else ():
                if name not in names:
                    legal = ", ".join(names)
                    raise ValueError(f"channels.{kind}.opens: {name!r} is not a player; choose from {legal}")
