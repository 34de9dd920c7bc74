"""Lines of `events.jsonl`: an event with its position and time, and the conversion of the bridge's reports."""

from __future__ import annotations

import contextlib
import json
import marshal
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, get_args

from pydantic_core import from_json

from dilemmas.records.events.bargaining import BargainingEvent
from dilemmas.records.events.base import EventModel, Json
from dilemmas.records.events.bots import TELEMETRY_KINDS, TelemetryEvent, UnknownTelemetry
from dilemmas.records.events.building import BuildingEvent
from dilemmas.records.events.civic import CivicEvent
from dilemmas.records.events.commons import CommonsEvent
from dilemmas.records.events.conquest import ConquestEvent
from dilemmas.records.events.contract import AgreementEvent
from dilemmas.records.events.episode import PlayEvent
from dilemmas.records.events.feelings import FeelingEvent
from dilemmas.records.events.games import GameEvent
from dilemmas.records.events.grid import GridEvent
from dilemmas.records.events.hidden_roles import HiddenRoleEvent
from dilemmas.records.events.kitchen import KitchenEvent
from dilemmas.records.events.life import LifeEvent
from dilemmas.records.events.minds import MindEvent
from dilemmas.records.events.people import PeopleEvent
from dilemmas.records.events.pictures import PictureEvent
from dilemmas.records.events.places import PlaceEvent
from dilemmas.records.events.run import RunEvent

if TYPE_CHECKING:
    # A type checker goes through all classes of a union at each isinstance: this one doubles the time of mypy.
    Event = EventModel
else:
    Event = (
        RunEvent
        | AgreementEvent
        | BargainingEvent
        | PlayEvent
        | PictureEvent
        | PlaceEvent
        | BuildingEvent
        | CommonsEvent
        | ConquestEvent
        | GameEvent
        | GridEvent
        | KitchenEvent
        | HiddenRoleEvent
        | LifeEvent
        | MindEvent
        | PeopleEvent
        | CivicEvent
        | FeelingEvent
        | TelemetryEvent
    )
"""Any event of a run."""

_PLUS, _MINUS = b"\0\0\0\0\0\0\xf0\x7f", b"\0\0\0\0\0\0\xf0\xff"
"""Infinities as `marshal` writes them, which checks all numbers of a line in a microsecond."""
_NEITHER = b"\0\0\0\0\0\0\xf8"
"""NaN of either sign as `marshal` writes it."""
_SHAPES = bytes(ord("0") if each in b"0123456789" else ord("e") if each in b"eE" else 0 for each in range(256))
"""Translation table that keeps only digits (as `0`) and exponents (as `e`)."""
_MANY = b"0" * 300
"""Minimum number of digits of an integer that may overflow to infinity."""
_HEAD = re.compile(
    rb'\{"seq": (\d{1,18}), "kind": "(\w+)", "tick": (null|-?\d{1,18}), "time": (-?\d{1,18}(?:\.\d{1,18})?), '
    rb'"episode": (null|\d{1,18}), "data": (?=\{)'
)
"""A line's own fields as `to_json` writes them."""
_written = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


@dataclass(frozen=True)
class LogLine:
    """One line of `events.jsonl`."""

    seq: int
    """Number of the line, from 0 without gaps."""
    tick: int | None
    """Age of the world in ticks, if known."""
    time: float
    """Seconds since 1970, UTC."""
    episode: int | None
    """Number of the episode, from 1; None outside episodes."""
    event: Event

    @property
    def kind(self) -> str:
        """The event's kind."""
        return self.event.kind

    def to_json(self) -> str:
        """Return the line without its newline."""
        data = self.event.model_dump(mode="json", by_alias=True, exclude={"kind"})
        head = {"seq": self.seq, "kind": self.kind, "tick": self.tick, "time": self.time, "episode": self.episode}
        return _written({**head, "data": data})

    @classmethod
    def from_json(cls, text: str) -> LogLine:
        """Parse a line.

        Raises:
            ValueError: The text is no event line (also raised as a pydantic or JSON error).
        """
        try:
            raw = _loads(text)
            event = _CLASSES[raw["kind"]].model_validate({"kind": raw["kind"], **raw["data"]})
            return cls(int(raw["seq"]), raw["tick"], float(raw["time"]), raw["episode"], event)
        except (KeyError, TypeError, OverflowError) as error:
            raise ValueError(f"a key is missing or wrong: {error}") from None

    @classmethod
    def read(cls, raw: bytes) -> LogLine:
        """Parse a raw line quickly. Raises ValueError if it is no event line.

        Nearly all lines have the form of `to_json` and are validated while they are parsed. `from_json` decides about
        all other lines and every doubtful one.
        """
        head = _HEAD.match(raw)
        if head is not None and (check := _check_of(head[2])) is not None and raw.endswith(b"}}"):
            with contextlib.suppress(ValueError):
                event = check(raw[head.end() : -1])
                if _is_plain(raw) or _is_bounded(event):
                    seq, _, tick, time, episode = head.groups()
                    found = cls.__new__(cls)
                    # A frozen dataclass sets fields one by one, which takes as long as validating the line.
                    found.__dict__.update(
                        seq=int(seq),
                        tick=None if tick == b"null" else int(tick),
                        time=float(time),
                        episode=None if episode == b"null" else int(episode),
                        event=event,
                    )
                    return found
        return cls.from_json(raw.decode("utf-8"))


def _kinds(union: Any) -> Iterator[type[EventModel]]:  # noqa: ANN401 - a type
    """Yield the classes of a union of unions."""
    for each in get_args(union):
        if isinstance(each, type) and issubclass(each, EventModel):
            yield each
        else:
            yield from _kinds(each)


_CLASSES: dict[str, type[Any]] = {each.model_fields["kind"].default: each for each in _kinds(Event)}
"""Kind -> class of the event."""


@cache
def _check_of(kind: bytes) -> Callable[[bytes], Any] | None:
    """Return the validator of the event's data, which is built now; None for an unknown kind."""
    found = _CLASSES.get(kind.decode())
    if found is None:
        return None
    found.model_rebuild()
    check: Callable[[bytes], Any] = found.__pydantic_validator__.validate_json
    return check


def _is_plain(raw: bytes) -> bool:
    """Return True if the text rules out non-finite numbers; texts within it may cause a False."""
    shapes = raw.translate(_SHAPES)
    return not (b"0e" in shapes or _MANY in shapes or b"NaN" in raw or b"Infinity" in raw)


def _is_bounded(event: EventModel) -> bool:
    """Return True if all numbers are finite, since the fast parser accepts others; False if in doubt."""
    try:
        held = marshal.dumps((event.__dict__, event.__pydantic_extra__))
    except ValueError:
        # Nested models cannot be marshalled.
        return False
    return _PLUS not in held and _MINUS not in held and _NEITHER not in held


def _loads(text: str) -> Any:  # noqa: ANN401 - JSON
    """Parse JSON, quickly if possible; the exact parser decides about everything that the fast one may get wrong."""
    with contextlib.suppress(ValueError):
        found = from_json(text, allow_inf_nan=False, cache_strings="keys")
        # The fast parser turns 1e999 and integers of 400 digits into infinity.
        held = marshal.dumps(found)
        if _PLUS not in held and _MINUS not in held:
            return found
    return json.loads(text, parse_float=_finite, parse_constant=_finite)


def _finite(text: str) -> float:
    """Parse a number of the JSON text. Raises ValueError for NaN and infinity."""
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is no finite number")
    return value


def telemetry(kind: str, data: Json, t_s: float | None) -> Event:
    """Return the event for a report of the bridge; unknown reports become `UnknownTelemetry`.

    Args:
        kind: Kind of the report.
        data: Fields of the report.
        t_s: Game time in seconds, if known.
    """
    if kind in TELEMETRY_KINDS:
        try:
            found: Event = _CLASSES[kind].model_validate({**data, "kind": kind, "t_s": t_s})
            return found
        except ValueError:
            # Reports in a newer bridge's shape are kept below.
            pass
    return UnknownTelemetry(original={"kind": kind, **data}, t_s=t_s)
