"""Negotiation messages and the strict parser of messages written by language models.

A language model writes `[thinking] ...` (hidden from all others), then `[message] ...`; the message holds either one
proposal between `[contract]` and `[contract end]`, or `[accept]`, which may name the round of the proposal that it
accepts: `[accept 3]`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from common.answers.spoken import spoken
from contracts.errors import ContractFormatError, MessageError
from contracts.terms import MAX_TEXT, Contract

MAX_MESSAGE = 8000
"""Maximum characters of a message, thought included."""
_TAG = re.compile(r"\[\s*(thinking|message|contract\s+end|contract|accept(?:\s+\d{1,4})?)\s*\]", re.IGNORECASE)
FORM = (
    "write [thinking] and your thought, then [message] and your message; in the message either one proposal between "
    "[contract] and [contract end], or [accept] for the other player's last proposal, not both"
)
"""Form of a message in one line, for corrections."""


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


def parse_turn(raw: str, parties: tuple[str, ...], name: str) -> NegotiationMessage:
    """Parse the turn of a language model; a proposal becomes a contract called `name` with text and no typed terms.

    Raises MessageError with a code and a text that says what to change.
    """
    raw = spoken(raw)
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
    return _meaning(tags[start + 1 :], body, body.get("thinking", ""), message, parties, name)


def _split(raw: str) -> list[tuple[str, str]]:
    """Split a text into (tag, text after it) in order; the first entry has no tag."""
    found = list(_TAG.finditer(raw))
    pieces = [("", raw[: found[0].start()].strip() if found else raw.strip())]
    ends = [*(each.start() for each in found[1:]), len(raw)]
    for here, end in zip(found, ends, strict=False):
        pieces.append((" ".join(here.group(1).lower().split()), raw[here.end() : end].strip()))
    return pieces


def _meaning(
    tags: list[str], body: dict[str, str], thought: str, message: str, parties: tuple[str, ...], name: str
) -> NegotiationMessage:
    match tags:
        case [tag] if tag.startswith("accept"):
            number = tag.removeprefix("accept").strip()
            return NegotiationMessage(thought, message, accepts=True, of=int(number) if number else None)
        case ["contract", "contract end"]:
            return NegotiationMessage(thought, message, proposal=_proposal(body["contract"], parties, name))
        case []:
            raise MessageError("neither", f"the message has neither a proposal nor [accept]: {FORM}")
        case ["contract"]:
            raise MessageError("open-contract", f"[contract] has no [contract end]: {FORM}")
    if any(tag.startswith("accept") for tag in tags) and "contract" in tags:
        raise MessageError("both", f"the message both proposes and accepts: {FORM}")
    raise MessageError("tags", f"the message has the tags {', '.join(f'[{tag}]' for tag in tags)}: {FORM}")


def _proposal(text: str, parties: tuple[str, ...], name: str) -> Contract:
    if not text:
        raise MessageError("empty-contract", f"the contract is empty: {FORM}")
    try:
        return Contract(name, text, parties)
    except ContractFormatError as error:
        raise MessageError("contract", f"the contract is not usable: {error} (at most {MAX_TEXT} characters)") from None
