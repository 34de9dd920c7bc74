"""Trade: market days of a society, and acts on them. A scenario with a market adds the module (`modules: [trader]`).

The duty leads to the market in time for its day. A model, if present, answers the market's letters in the role
`citizen`; otherwise the rules of `voyager_agents.reference.traders` do. Without a readable answer of the model nothing
is answered, so that the market counts the answer as missing.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import dist
from typing import Any

from common.answers.form import AnswerForm
from contracts.institutions.marketplace import MAX_ACTS, TradeActs
from contracts.markets.forms import acts_schema
from voyager_agents.piano.module import Module, Result, SlotView, When
from voyager_agents.piano.open_letters import is_open, is_time_to_ask, letter_number
from voyager_agents.piano.rendering import plain
from voyager_agents.piano.rule_based.drives import goods
from voyager_agents.piano.slots import CivicDuty
from voyager_agents.realtime_agent import Act, Letter, PrimitiveCall
from voyager_agents.reference.traders import trade

MARKET = "market"
EARLY_S, SPEED, STAY_S = 15.0, 3.0, 20.0
"""Seconds before the day at which a trader wants to be there, its walking speed in blocks a second, and its stay."""
WITHIN = 4
"""Distance in blocks from the market's middle at which a trader stands."""
AGAIN_S = 6.0
"""Interval in seconds at which an unanswered question is put to the model again."""
MAX_NEWS = 8
"""Maximum number of the trader's own trades and refused acts in a prompt, the latest ones."""


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
    """Read letters, answer the market's questions (unless a model does), and determine the duty."""
    state: Trading = view["trading"]
    wanted = goods(view["drives"].levels) if view["drives"] is not None else {}
    answers = []
    for letter in view["letters"]:
        if letter.number <= state.read:
            continue
        state = replace(_told(state, letter), read=letter.number)
        if not view.asks and _waits(letter, state, view.now):
            facts, person, food = letter.data["facts"], view["persona"]["name"], view["feel"].food
            acts = trade(facts, person=person, seed=0, food=food, drives=wanted)
            answers.append((letter.number, json.dumps({"reasoning": "by needs", "acts": acts})))
            state = replace(state, answered=(*state.answered, letter.number))
    return Result({"trading": state, "errand": _duty(state, view)}, answers=tuple(answers))


def _waits(letter: Letter, state: Trading, now: float) -> bool:
    """Return True if the market waits for the answer to a letter."""
    return letter.kind == "question" and letter.data["part"] == MARKET and is_open(letter, state.answered, now)


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


def _waiting(view: SlotView) -> Letter | None:
    """Return the latest question of the market that still needs an answer; None without one."""
    state: Trading = view["trading"]
    return next((each for each in reversed(view["letters"]) if _waits(each, state, view.now)), None)


def form(view: SlotView) -> AnswerForm[TradeActs]:
    """Return the form of acts, whose schema offers those that are legal now."""
    letter = _waiting(view)
    schema = None if letter is None else acts_schema(letter.data["facts"], view["persona"]["name"], MAX_ACTS)
    example = {"reasoning": "<why>", "acts": [{"act": "..."}]}
    return AnswerForm("trader", TradeActs, example, reasoning="reasoning", narrowed={"acts": schema} if schema else {})


def purpose(view: SlotView) -> object:
    """Return the number of the letter to answer; None without one."""
    return letter_number(_waiting(view))


def ask(view: SlotView) -> Mapping[str, Any] | None:
    """Return the market's question with what the trader knows, every `AGAIN_S` seconds until it is answered."""
    letter = _waiting(view)
    if letter is None or not is_time_to_ask(letter, view.now, AGAIN_S):
        return None
    persona = view["persona"]
    return {
        "question": letter.text,
        **plain(dict(letter.data["facts"])),
        "your_food_level": view["feel"].food,
        "your_last_acts": _news(view),
        "traits": persona["traits"],
        "community_goal": persona["community_goal"],
        "memories": [memo.text for memo in view.get("recalled") or ()],
    }


def _news(view: SlotView) -> list[dict[str, Any]]:
    """Return the latest trades and refused acts of the trader, oldest first."""
    name = view["persona"]["name"]
    told = [
        {"what": entry["what"], "why": entry["why"], **entry["data"]}
        for letter in view["letters"]
        if letter.kind == "institutions"
        for entry in letter.data["entries"]
        if entry["part"] == MARKET
        and entry["what"] in ("trade", "refused", "undone")
        and name in (entry["who"], *(entry["data"].get(side) for side in ("buyer", "seller", "one", "other")))
    ]
    return [plain(each) for each in told[-MAX_NEWS:]]


def read(view: SlotView, answer: TradeActs) -> Result:
    """Return the model's acts as text. The market reads each of them strictly, and refuses what is not legal."""
    state, letter = view["trading"], _waiting(view)
    if letter is None:
        return Result()
    text = json.dumps(answer.model_dump(), ensure_ascii=False)
    answered = replace(state, answered=(*state.answered, letter.number))
    return Result({"trading": answered}, answers=((letter.number, text),))


MODULE = Module(
    name="trader",
    reads=("persona", "letters", "trading", "feel", "recalled", "drives"),
    writes=("trading", "errand"),
    when=When(every_s=1.0, changes=("letters",)),
    rule=rule,
    role="citizen",
    ask=ask,
    else_rule=True,
    form=form,
    read=read,
    purpose=purpose,
    prompt="trader",
    answers=True,
    slots={"trading": Trading},
    first={"trading": Trading()},
)
