"""Trade: market days of a society, and acts on them. A scenario with a market adds the module (`modules: [trader]`).

The duty leads to the market in time for its day. Letters with questions of the market are answered by the rules of
`voyager_agents.reference.traders`.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from math import dist
from typing import Any

from voyager_agents.piano.module import Module, Result, SlotView, When
from voyager_agents.piano.slots import CivicDuty
from voyager_agents.realtime_agent import Act, Letter, PrimitiveCall
from voyager_agents.reference.traders import trade

MARKET = "market"
EARLY_S, SPEED, STAY_S = 15.0, 3.0, 20.0
"""Seconds before the day at which a trader wants to be there, its walking speed in blocks a second, and its stay."""
WITHIN = 4
"""Distance in blocks from the market's middle at which a trader stands."""


@dataclass(frozen=True)
class Trading:
    """State of a trader."""

    every_s: float = 0.0
    """Seconds from one market day to the next; 0 before it is known."""
    read: int = 0
    """Number of the last letter read."""
    answered: tuple[int, ...] = ()
    """Numbers of the answered letters."""

    def to_dict(self) -> dict[str, Any]:
        """Return the number of answers for the record."""
        return {"answers": len(self.answered)}


def rule(view: SlotView) -> Result:
    """Read letters, answer the market's questions, and determine the duty."""
    state: Trading = view["trading"]
    answers = []
    for letter in view["letters"]:
        if letter.number <= state.read:
            continue
        state = replace(_told(state, letter), read=letter.number)
        if _asks(letter) and letter.until_s is not None and view.now < letter.until_s:
            acts = trade(letter.data["facts"], person=view["persona"]["name"], seed=0, food=view["feel"].food)
            answers.append((letter.number, json.dumps({"reasoning": "by needs", "acts": acts})))
            state = replace(state, answered=(*state.answered, letter.number))
    return Result({"trading": state, "duty": _duty(state, view)}, answers=tuple(answers))


def _asks(letter: Letter) -> bool:
    return letter.kind == "question" and letter.data["part"] == MARKET


def _told(state: Trading, letter: Letter) -> Trading:
    if letter.kind != "institutions":
        return state
    for entry in letter.data["entries"]:
        if (entry["part"], entry["what"]) == (MARKET, "market_days"):
            state = replace(state, every_s=float(entry["data"]["every"] * letter.data["every_s"]))
    return state


def _duty(state: Trading, view: SlotView) -> CivicDuty | None:
    """Return the walk to the market when its day is near, and the stay there."""
    place = view["persona"].get("places", {}).get("square")
    if not state.every_s or place is None:
        return None
    day = max(1, -int(-(view.now - STAY_S) // state.every_s))
    opens = day * state.every_s
    way = dist(place, view["feel"].position) / SPEED + EARLY_S
    if view.now < opens - way:
        return None
    x, y, z = place
    act = Act(
        "go to the market to trade",
        (PrimitiveCall("goTo", ({"x": x, "y": y, "z": z}, WITHIN)),),
        pause_s=max(1.0, opens + STAY_S - view.now),
        limit_s=way + STAY_S + 60,
    )
    return CivicDuty(f"trade on market day {day}", "it is market day", act)


MODULE = Module(
    name="trader",
    reads=("persona", "letters", "trading", "feel"),
    writes=("trading", "duty"),
    when=When(every_s=1.0, changes=("letters",)),
    rule=rule,
    answers=True,
    slots={"trading": Trading},
    first={"trading": Trading()},
)
