"""Inputs of a seat's page: what a player's keys, mouse and windows can do, checked before anything acts on it.

The page is untrusted: it may send anything. An input names no player, since the seat's token does, and it can do only
what a Minecraft client lets a person do, or choose an action of a grid game.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from accord.analysis.report.text import visible

MAX_INPUTS = 40
"""Maximum number of inputs in a request."""
PER_S, BURST = 80.0, 160.0
"""Inputs that a seat may send per second on average, and at once."""
MAX_CHAT = 256
"""Maximum length of a chat line, as in the game."""
LAST_SLOT = 89
"""Last slot of the largest window, a double chest with the inventory."""
MAX_STEP = 1_000_000
"""Last step of the longest grid game."""
MAX_ACTION = 80
"""Maximum length of an action's name in a grid game, in characters."""
MAX_MESSAGE = 64
"""Maximum number of words of a message in a grid game."""
_COMMAND = re.compile(r"/(?:msg|tell|w) [A-Za-z0-9_]{1,16} \S.*")
Key = Literal["forward", "back", "left", "right", "jump", "sneak", "sprint"]


class InputRefused(Exception):
    """Inputs that a seat does not take; the text is one line."""


class _Input(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class HoldKeys(_Input):
    """Keys that are held."""

    do: Literal["keys"]
    keys: Annotated[list[Key], Field(max_length=7)]


class TurnHead(_Input):
    """Direction of the head, in degrees."""

    do: Literal["look"]
    yaw: Annotated[float, Field(ge=-360, le=360, allow_inf_nan=False)]
    pitch: Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False)]


class HoldButton(_Input):
    """A mouse button that is pressed or released."""

    do: Literal["dig", "use"]
    on: bool


class SelectSlot(_Input):
    """Slot of the hotbar that is taken into the hand."""

    do: Literal["slot"]
    slot: Annotated[int, Field(ge=0, le=8)]


class PressOnce(_Input):
    """Drop one of the held items, or close the window."""

    do: Literal["drop", "close"]


class ClickSlot(_Input):
    """A click in a window: button 0 or 1, mode 1 with Shift."""

    do: Literal["click"]
    slot: Annotated[int, Field(ge=-999, le=LAST_SLOT)]
    button: Literal[0, 1]
    mode: Literal[0, 1]


class SayInChat(_Input):
    """A line of the game's chat, or a whisper."""

    do: Literal["chat"]
    text: Annotated[str, Field(min_length=1, max_length=MAX_CHAT)]


class ChooseAction(_Input):
    """Action in a step of a grid game, and the words of its message, if any."""

    do: Literal["act"]
    step: Annotated[int, Field(ge=1, le=MAX_STEP)]
    action: Annotated[str, Field(min_length=1, max_length=MAX_ACTION)]
    words: Annotated[list[Annotated[int, Field(ge=0, lt=2**31)]], Field(max_length=MAX_MESSAGE)] = []


SeatInput = Annotated[
    HoldKeys | TurnHead | HoldButton | SelectSlot | PressOnce | ClickSlot | SayInChat,
    Field(discriminator="do"),
]
T = TypeVar("T")
_INPUTS: TypeAdapter[list[SeatInput]] = TypeAdapter(Annotated[list[SeatInput], Field(max_length=MAX_INPUTS)])
_CHOICE: TypeAdapter[list[ChooseAction]] = TypeAdapter(Annotated[list[ChooseAction], Field(min_length=1, max_length=1)])


def parse_inputs(given: object) -> list[dict[str, Any]]:
    """Return checked inputs of play in a world as plain data. Raises InputRefused."""
    inputs = _validated(_INPUTS, given)
    for each in inputs:
        if isinstance(each, SayInChat):
            _check_chat(each.text)
        elif isinstance(each, ClickSlot) and -999 < each.slot < 0:
            raise InputRefused(f"slot {each.slot} is not in a window: use 0 to {LAST_SLOT}, or -999 for outside")
    return [each.model_dump() for each in inputs]


def parse_choice(given: object) -> ChooseAction:
    """Return the one input of play on a grid. Raises InputRefused."""
    return _validated(_CHOICE, given)[0]


def _validated(inputs: TypeAdapter[T], given: object) -> T:
    try:
        return inputs.validate_python(given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])[:60]
        raise InputRefused(f"input {visible(place, 60)}: {visible(first['msg'], 160)}") from None


def _check_chat(text: str) -> None:
    # Lone surrogates cannot be sent, and a section sign would be a formatting code.
    if not text.strip() or visible(text, len(text)) != text or re.search(r"[\n\t\r\u00a7\ud800-\udfff]", text):
        raise InputRefused("a line has no control characters, direction marks or line breaks: write it plainly")
    if text.startswith("/") and not _COMMAND.fullmatch(text):
        raise InputRefused("a player has no commands but /msg NAME WORDS")


@dataclass
class InputLimiter:
    """Limit of a seat's inputs per second."""

    clock: Callable[[], float] = time.monotonic
    _left: float = BURST
    _since: float | None = field(default=None)

    def spend(self, count: int) -> None:
        """Count inputs. Raises InputRefused if there were too many in a short time."""
        now = self.clock()
        self._left = min(BURST, self._left + (now - (self._since if self._since is not None else now)) * PER_S)
        self._since = now
        if count > self._left:
            raise InputRefused("too many inputs at once: wait a moment")
        self._left -= count
