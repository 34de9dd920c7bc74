"""Negotiation messages and the strict parser of their two written forms.

Language models are asked for one JSON object (`MessageAnswer`). People, scripted players and prompts of the paper write
the tagged form: `[thinking] ...` (hidden from all others), then `[message] ...`; the message holds either one proposal
between `[contract]` and `[contract end]`, or `[accept]`, which may name the round of the proposal that it accepts:
`[accept 3]`. A message in either form is read, wherever it comes from.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.reasoning import Reasoning
from common.answers.schema import text_schema
from common.answers.spoken import spoken
from contracts.errors import ContractFormatError, MessageError
from contracts.terms import MAX_TEXT, Contract

MAX_MESSAGE = 8000
"""Maximum characters of a message in the tagged form, thought included."""
_TAG = re.compile(r"\[\s*(thinking|message|contract\s+end|contract|accept(?:\s+\d{1,4})?)\s*\]", re.IGNORECASE)
FORM = (
    "write [thinking] and your thought, then [message] and your message; in the message either one proposal between "
    "[contract] and [contract end], or [accept] for the other player's last proposal, not both"
)
"""The tagged form in one line, for corrections."""
PROPOSING = "write the contract that you propose in `contract`"
PROPOSES = "Proposed contract:"
"""Line between words and contract of a proposal, as the other players read it."""
ACCEPTS = "(accepts the proposal)"
"""Line after the words of an acceptance."""


@dataclass(frozen=True)
class NegotiationMessage:
    """A player's turn: a hidden thought, the text for the other players, and its meaning."""

    thought: str
    message: str
    proposal: Contract | None = None
    accepts: bool = False
    of: int | None = None
    """Round of the accepted proposal, if the player names one."""

    def __post_init__(self) -> None:
        if (self.proposal is None) == (not self.accepts):
            raise MessageError(
                "neither" if self.proposal is None else "both", f"propose or accept, one of them: {FORM}"
            )


class MessageAnswer(Strict):
    """Message as one JSON object."""

    thinking: str = Field(max_length=2000)
    message: str = Field(max_length=2000)
    act: Literal["propose", "accept"]
    contract: str = Field(default="", max_length=2000)
    """The proposed contract; empty for an acceptance, or the accepted text."""


class TaggedAnswer(MessageAnswer):
    """Message in the tagged form; the message includes the contract and its tags."""

    of: int | None = None
    """Round of the accepted proposal, if the player names one."""


_SHORT = {"thinking": text_schema(800), "message": text_schema(500), "contract": text_schema(1200)}
"""Bounds in the schema, so that small models are not cut off; the parser takes longer texts."""


@dataclass(frozen=True)
class MessageForm(AnswerForm[MessageAnswer]):
    """Form of a message: one JSON object is asked for, and the tagged form is read, too."""

    def schema(self, reasoning: Reasoning = "field") -> dict[str, Any]:
        """Return the JSON schema: a proposal has a contract that is not empty, and an acceptance has none."""
        found = super().schema(reasoning)
        fields = found["properties"]
        offered = {"act": {"type": "string", "enum": ["propose"]}, "contract": {**fields["contract"], "minLength": 1}}
        accepted = {name: {"type": "string", "enum": [value]} for name, value in (("act", "accept"), ("contract", ""))}
        kinds = [offered] if self.choices else [offered, accepted]
        return {"anyOf": [{**found, "properties": {**fields, **kind}} for kind in kinds]}

    def parse(self, answer: str, reasoning: Reasoning = "field") -> MessageAnswer:
        """Return the message in an answer.

        Args:
            answer: The model's text.
            reasoning: Place of the reasoning that the question asked for.

        Raises:
            MessageError: The answer has tags and is malformed.
            ValueError: The answer has no tags and is no JSON object of the form.
        """
        text = spoken(answer)
        return _read_tags(text) if _TAG.match(text) else super().parse(answer, reasoning)


def message_form(*, can_accept: bool = True) -> MessageForm:
    """Return the form of a message; without a proposal to accept, the only legal act is to propose."""
    example = {
        "thinking": "<what you consider, for yourself alone>",
        "message": "<what the others read>",
        "act": "<propose or accept>" if can_accept else "propose",
        "contract": "<the contract that you propose>",
    }
    choices = {} if can_accept else {"act": ["propose"]}
    return MessageForm("message", MessageAnswer, example, reasoning="thinking", choices=choices, narrowed=_SHORT)


def parse_turn(raw: str, parties: tuple[str, ...], name: str) -> NegotiationMessage:
    """Parse a turn in one of both forms; a proposal becomes a contract called `name` with text and no typed terms.

    Raises MessageError with a code and a text that says what to change.
    """
    text = spoken(raw)
    if not text.startswith(("{", "```")):
        return read_turn(_read_tags(text), parties, name)
    try:
        answer = message_form().parse(text)
    except ValueError as error:
        raise MessageError("form", str(error)) from None
    return read_turn(answer, parties, name)


def read_turn(answer: MessageAnswer, parties: tuple[str, ...], name: str, standing: str = "") -> NegotiationMessage:
    """Return the turn that a well-formed message means.

    Args:
        answer: The message.
        parties: Parties of a proposal.
        name: Name of a proposed contract.
        standing: Text of the proposal that can be accepted; an acceptance may repeat it.

    Raises:
        MessageError: The message contradicts itself, or its contract is not usable.
    """
    if isinstance(answer, TaggedAnswer):
        if answer.act == "accept":
            return NegotiationMessage(answer.thinking, answer.message, accepts=True, of=answer.of)
        return NegotiationMessage(
            answer.thinking, answer.message, proposal=_proposal(answer.contract, parties, name, FORM)
        )
    for key, text in (("message", answer.message), ("contract", answer.contract)):
        if tag := _TAG.search(text):
            raise MessageError("tags", f"{key}: {tag[0]} has no meaning in a text: leave it out")
    contract = answer.contract.strip()
    if answer.act == "propose":
        message = f"{answer.message}\n{PROPOSES}\n{contract}".strip()
        return NegotiationMessage(answer.thinking, message, proposal=_proposal(contract, parties, name, PROPOSING))
    if contract and contract.split() != standing.split():
        raise MessageError("both", "you accept and write another contract: leave `contract` empty, or propose it")
    return NegotiationMessage(answer.thinking, f"{answer.message}\n{ACCEPTS}".strip(), accepts=True)


def _read_tags(raw: str) -> TaggedAnswer:
    """Return a message in the tagged form. Raises MessageError."""
    if len(raw) > MAX_MESSAGE:
        raise MessageError("too-long", f"your message has {len(raw)} characters: write at most {MAX_MESSAGE}")
    pieces = _split(raw)
    tags = [tag for tag, _ in pieces]
    if tags[:1] == [""] and pieces[0][1]:
        raise MessageError("text-before-tags", f"there is text before the first tag: {FORM}")
    tags = tags[1:]
    body = dict(pieces[1:])
    for tag in ("thinking", "message"):
        if tags.count(tag) > 1:
            raise MessageError("repeated-tag", f"[{tag}] is written {tags.count(tag)} times: {FORM}")
    if "message" not in tags:
        raise MessageError("no-message", f"there is no [message]: {FORM}")
    start = tags.index("message")
    if tags[:start] not in ([], ["thinking"]):
        raise MessageError("tag-order", f"[{tags[0]}] comes before [message]: {FORM}")
    message = raw[list(_TAG.finditer(raw))[start].end() :].strip()
    act, of = _meaning(tags[start + 1 :])
    # The tagged form has one limit for all of its parts, not the limits of the JSON form.
    return TaggedAnswer.model_construct(
        thinking=body.get("thinking", ""), message=message, act=act, contract=body.get("contract", ""), of=of
    )


def _split(raw: str) -> list[tuple[str, str]]:
    """Split a text into (tag, text after it) in order; the first entry has no tag."""
    found = list(_TAG.finditer(raw))
    pieces = [("", raw[: found[0].start()].strip() if found else raw.strip())]
    ends = [*(each.start() for each in found[1:]), len(raw)]
    for here, end in zip(found, ends, strict=False):
        pieces.append((" ".join(here.group(1).lower().split()), raw[here.end() : end].strip()))
    return pieces


def _meaning(tags: list[str]) -> tuple[Literal["propose", "accept"], int | None]:
    """Return the act that the tags after [message] stand for, and the number of an accepted proposal, if given."""
    match tags:
        case [tag] if tag.startswith("accept"):
            number = tag.removeprefix("accept").strip()
            return "accept", int(number) if number else None
        case ["contract", "contract end"]:
            return "propose", None
        case []:
            raise MessageError("neither", f"the message has neither a proposal nor [accept]: {FORM}")
        case ["contract"]:
            raise MessageError("open-contract", f"[contract] has no [contract end]: {FORM}")
    if any(tag.startswith("accept") for tag in tags) and "contract" in tags:
        raise MessageError("both", f"the message both proposes and accepts: {FORM}")
    raise MessageError("tags", f"the message has the tags {', '.join(f'[{tag}]' for tag in tags)}: {FORM}")


def _proposal(text: str, parties: tuple[str, ...], name: str, form: str) -> Contract:
    if not text:
        raise MessageError("empty-contract", f"the contract is empty: {form}")
    try:
        return Contract(name, text, parties)
    except ContractFormatError as error:
        raise MessageError("contract", f"the contract is not usable: {error} (at most {MAX_TEXT} characters)") from None
