"""Messages of a talk, and the form in which language models write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import list_schema, text_schema
from contracts.errors import ContractFormatError, MessageError
from contracts.terms import Contract

TalkAct = Literal["say", "offer", "accept", "decline", "withdraw", "end", "pass"]
ANSWERS: tuple[TalkAct, ...] = ("accept", "decline", "withdraw", "end")
"""Acts that name a deal."""
MAX_OFFER = 600
"""Maximum characters of an offered contract's text."""


@dataclass(frozen=True)
class TalkMessage:
    """A player's message in a talk: a hidden thought, its audience, its words and its act."""

    act: TalkAct
    to: tuple[str, ...] = ()
    """Players that read it; empty for everybody. Acts on a deal reach its parties, whoever is named."""
    message: str = ""
    thought: str = ""
    deal: int = 0
    """Number of the deal that the act is about, for the acts in `ANSWERS`."""
    contract: Contract | None = None
    """The offered contract, between the speaker and `to`, for `offer`."""
    lasts: int | None = None
    """Number of episodes or rounds that an offered deal lasts; None for no limit."""
    replaces: int | None = None
    """Deal in force that an offer would replace."""


class TalkAnswer(Strict):
    """Message as one JSON object."""

    thinking: str = Field(max_length=2000)
    to: list[str] = Field(max_length=16)
    message: str = Field(max_length=2000)
    act: TalkAct
    deal: int = Field(ge=0, le=10_000)
    contract: str = Field(default="", max_length=MAX_OFFER)
    lasts: int = Field(default=0, ge=0, le=10_000)


def talk_form(
    others: Sequence[str], acts: Sequence[TalkAct], deals: Sequence[int], named: tuple[int, int]
) -> AnswerForm[TalkAnswer]:
    """Return the form of a message.

    Args:
        others: Players that can be named as the audience.
        acts: Acts that are legal now.
        deals: Numbers of deals that an act can be about.
        named: Minimum and maximum number of players named as the audience.
    """
    example = {
        "thinking": "<what you consider, for yourself alone>",
        "to": ["<names; [] for everybody>"],
        "message": "<what they read>",
        "act": "<one of the acts>",
        "deal": "<number of the deal that you accept, decline, withdraw, end or replace; else 0>",
        "contract": "<the deal that you offer, in numbered lines; else empty>",
        "lasts": "<for how many episodes or rounds it holds; 0 for no limit>",
    }
    narrowed: dict[str, Any] = {
        "thinking": text_schema(400),
        "to": list_schema({"type": "string", "enum": list(others)}, *named),
        "message": text_schema(400),
        "deal": {"type": "integer", "enum": [0, *deals]},
        "contract": text_schema(MAX_OFFER),
        "lasts": {"type": "integer", "enum": [0, 1, 2, 3, 5, 10]},
    }
    return AnswerForm("talk", TalkAnswer, example, reasoning="thinking", choices={"act": list(acts)}, narrowed=narrowed)


def read_talk(answer: TalkAnswer, speaker: str, players: Sequence[str]) -> TalkMessage:
    """Return the message of an answer.

    Args:
        answer: The answer.
        speaker: Its author.
        players: All players, in the scenario's order.

    Raises:
        MessageError: The answer contradicts itself, or its contract is not usable.
    """
    for name in answer.to:
        if name == speaker or name not in players:
            legal = ", ".join(each for each in players if each != speaker)
            raise MessageError("audience", f"to: {name!r} is nobody that you can write to: legal are {legal}")
    to = tuple(name for name in players if name in answer.to)
    text, words = answer.contract.strip(), answer.message.strip()
    if answer.act == "offer":
        if not text:
            raise MessageError("empty-contract", "you offer a deal: write its numbered lines in `contract`")
        parties = tuple(name for name in players if name == speaker or name in to) if to else tuple(players)
        try:
            contract = Contract("offer", text, parties)
        except ContractFormatError as error:
            raise MessageError("contract", f"the contract is not usable: {error}") from None
        return TalkMessage(
            "offer",
            to,
            words,
            answer.thinking,
            contract=contract,
            lasts=answer.lasts or None,
            replaces=answer.deal or None,
        )
    if answer.act in ANSWERS:
        if not answer.deal:
            raise MessageError("no-deal", f"you {answer.act} a deal: give its number in `deal`")
        return TalkMessage(answer.act, (), words, answer.thinking, deal=answer.deal)
    if answer.act == "say" and not words:
        raise MessageError("empty-message", "you say something: write it in `message`, or pass")
    return TalkMessage(answer.act, to, words if answer.act == "say" else "", answer.thinking)
