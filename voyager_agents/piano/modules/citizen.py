"""Citizenship: letters of institutions, the agent's opinion of the law, and the current civic duty.

The module is optional; a scenario with institutions adds it (`modules: [citizen]`). A model, if present, answers the
letters. Duties always follow from the law and the tax seasons, and the controller decides whether to fulfil them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import dist
from typing import Any

from pydantic import Field

from common.answers.form import AnswerForm
from common.answers.reading import Strict
from common.answers.schema import list_schema
from voyager_agents.piano.module import Module, Result, SlotView, When
from voyager_agents.piano.open_letters import is_open, is_time_to_ask, letter_number
from voyager_agents.piano.rendering import plain
from voyager_agents.piano.rule_based.taxation.civics import (
    Band,
    amendments_of,
    band_in,
    counting,
    due,
    moved,
    numbers_of,
    vote,
    wish,
)
from voyager_agents.piano.slots import CivicDuty
from voyager_agents.realtime_agent import Act, ActOutcome, HeardWords, Letter, PrimitiveCall

PAY, WAIT = "pay the tax of season {}{}", "wait at a community chest for season {}{}"
"""Templates of act labels; the placeholders are the season and a suffix for repeated tries."""
AGAIN_S = 15.0
"""Interval in seconds at which an unanswered letter is put to the model again."""
MAX_FEEDBACK = 400
"""Maximum length of feedback under a schema, in characters."""
ASKED = ("feedback", "amendments", "ballot")
"""Kinds of letters that need an answer."""


@dataclass(frozen=True)
class Civic:
    """State of a citizen: knowledge of the law, opinion of it, and progress of letters, taxes and arguments."""

    law: str = ""
    rate: Band = (0.0, 0.0)
    counts: tuple[str, ...] = ("everything",)
    where: tuple[str, ...] = ()
    """Community chests that the law names; empty for all."""
    windows: tuple[tuple[float, float], ...] = ()
    """Tax seasons as (opens, closes), in seconds of game time."""
    open: int = 0
    """Number of the open season; 0 for none."""
    paid: int = 0
    """Number of the last season in which the citizen paid; 0 for none."""
    opinion: float | None = None
    """Preferred tax rate, in percent; None before the law is known."""
    swayed: int = 0
    """Number of arguments considered so far."""
    heard_s: float = -1.0
    """Game time until which heard words have been processed, in seconds."""
    read: int = 0
    """Number of the last letter read."""
    answered: tuple[int, ...] = ()
    """Numbers of the answered letters."""
    chest: int = 0
    """Number of failed visits to chests in this season. It selects the next chest to try."""
    outcome: int = 0
    """Number of the last act whose outcome was processed."""
    firm: bool = False
    """True if arguments do not change the opinion."""
    argued: Mapping[str, float] = field(default_factory=dict)
    """Player -> game time at which an influencer last argued with it, in seconds."""
    until_s: float = 0.0
    """Game time until which an influencer keeps its current duty, in seconds."""
    stop: int = 0
    """Index of the place that an influencer visits next."""

    def to_dict(self) -> dict[str, Any]:
        """Return rate, opinion and payments for the record."""
        opinion = None if self.opinion is None else round(self.opinion, 2)
        return {"rate": list(self.rate), "opinion": opinion, "swayed": self.swayed, "paid": self.paid}


def rule(view: SlotView) -> Result:
    """Read letters, update the opinion, answer letters (unless a model does), and determine the current duty."""
    civic = _informed(view)
    answers = []
    for letter in () if view.asks else view["letters"]:
        if _waits(letter, civic, view.now):
            text = _answer(letter, civic, view)
            civic = replace(civic, answered=(*civic.answered, letter.number))
            if text is not None:
                answers.append((letter.number, text))
    civic, duty = _duty(civic, view)
    return Result({"civic": civic, "duty": duty}, answers=tuple(answers))


def _informed(view: SlotView) -> Civic:
    """Return the citizen's state after new letters, a new outcome and heard arguments."""
    civic: Civic = view["civic"]
    for letter in view["letters"]:
        if letter.number > civic.read:
            civic = replace(_told(civic, letter, view), read=letter.number)
    outcome: ActOutcome | None = view["outcome"]
    if outcome is not None and outcome.number > civic.outcome:
        civic = _after(replace(civic, outcome=outcome.number), outcome)
    return _persuaded(civic, view)


def _after(civic: Civic, outcome: ActOutcome) -> Civic:
    """Return the citizen's state after the outcome of a visit to a chest."""
    again = _again(civic.chest)
    if civic.open and outcome.label == PAY.format(civic.open, again) and outcome.ended == "done":
        return replace(civic, paid=civic.open)
    tried = outcome.label.startswith((PAY.format("", ""), WAIT.format("", "")))
    return replace(civic, chest=civic.chest + 1) if tried and outcome.ended == "failed" else civic


def _again(tries: int) -> str:
    return f" (try {tries + 1})" if tries else ""


def _told(civic: Civic, letter: Letter, view: SlotView) -> Civic:
    data = letter.data
    if letter.kind == "constitution":
        terms = data["terms"]
        low, high = terms.get("rate", (0.0, 0.0))
        counts, where = tuple(terms.get("counts", civic.counts)), tuple(terms.get("where", ()))
        opinion = civic.opinion
        if opinion is None:
            numbers = numbers_of(view["persona"], "opinion")
            opinion = (low + high) / 2 + numbers["spread"] * (2 * view.chance.random() - 1)
            civic = replace(civic, firm=view.chance.random() < numbers["firm"])
        return replace(civic, law=data["law"], rate=(low, high), opinion=opinion, counts=counts, where=where)
    if letter.kind == "seasons":
        return replace(civic, windows=tuple((low, high) for low, high in data["windows"]))
    if letter.kind == "season_open":
        return replace(civic, open=data["season"])
    return replace(civic, open=0, chest=0) if letter.kind == "season_over" else civic


def _persuaded(civic: Civic, view: SlotView) -> Civic:
    """Return the citizen's state after newly heard arguments.

    Only arguments of known players count, weighted by the sentiment towards the speaker.
    """
    if civic.opinion is None:
        return civic
    new: list[HeardWords] = [heard for heard in view["hearing"] if heard.t_s > civic.heard_s]
    if not new:
        return civic
    profiles = view.get("profiles") or {}
    opinion, swayed = civic.opinion, civic.swayed
    for heard in new:
        band, profile = band_in(heard.text), profiles.get(heard.speaker)
        open_minded = not civic.firm and view["persona"].get("office") == "constituent"
        if band is not None and profile is not None and open_minded:
            opinion = moved(opinion, band, profile.sentiment / 10, numbers_of(view["persona"], "opinion"))
            swayed += 1
    return replace(civic, opinion=opinion, swayed=swayed, heard_s=max(heard.t_s for heard in new))


def _waits(letter: Letter, civic: Civic, now: float) -> bool:
    return letter.kind in ASKED and is_open(letter, civic.answered, now)


def _answer(letter: Letter, civic: Civic, view: SlotView) -> str | None:
    """Return the rule-based answer to a letter; None to stay silent."""
    persona = view["persona"]
    wants = tuple(persona["wants"]) if persona.get("wants") else None
    opinion = civic.opinion if civic.opinion is not None else sum(civic.rate) / 2
    if letter.kind == "feedback":
        numbers = numbers_of(persona, "feedback")
        wanted = wants or wish(opinion, civic.rate, numbers)
        templates = numbers["content_says" if wanted is None else "wants_says"]
        text = str(view.chance.choice(templates))
        return text if wanted is None else text.format(low=f"{wanted[0]:g}", high=f"{wanted[1]:g}")
    if letter.kind == "amendments":
        return json.dumps({"amendments": amendments_of(letter.data["feedback"], civic.rate)})
    margin = numbers_of(persona, "ballot")["margin"]
    votes = {
        each["amendment"]: vote(opinion, civic.rate, (each["value"][0], each["value"][1]), margin)
        for each in letter.data["amendments"]
        if each["clause"] == "rate"
    }
    return json.dumps({"votes": votes})


def _duty(civic: Civic, view: SlotView) -> tuple[Civic, CivicDuty | None]:
    """Return the citizen's state and its current duty, by its office."""
    office = view["persona"].get("office")
    if office == "manager":
        return civic, CivicDuty("hold the office", "the election manager takes no other action")
    if office == "constituent":
        return civic, _tax(civic, view)
    if office == "influencer" and not view.asks:
        return _argument(civic, view)
    return civic, None


def _tax(civic: Civic, view: SlotView) -> CivicDuty | None:
    """Return the tax duty: to be at a chest when the season opens, and to pay while it is open; None without one."""
    season, opens, closes = _next_season(civic, view.now)
    if not season or civic.paid >= season:
        return None
    numbers, known = numbers_of(view["persona"], "pay"), view["persona"].get("chests", {})
    chests = [at for name, at in known.items() if name in civic.where or not civic.where]
    if not chests:
        return None
    feel = view["feel"]
    ranked = sorted(chests, key=lambda at: (dist(at, feel.position), at))
    chest = ranked[civic.chest % len(ranked)]
    law = f"the law says: {civic.law}"
    place = {"x": chest[0], "y": chest[1], "z": chest[2]}
    if civic.open == season and view.now < closes - numbers["last_s"]:
        items = due(counting(feel.items, civic.counts), civic.rate, _right(civic), numbers["noise"], view.chance)
        if not items:
            return None
        label = PAY.format(season, _again(civic.chest))
        calls = (PrimitiveCall("depositItemIntoChest", (place, items)),)
        return CivicDuty(label, law, Act(label, calls, limit_s=closes - view.now))
    way = dist(chest, feel.position) / numbers["speed"] + numbers["early_s"]
    if view.now < opens - way or view.now >= opens:
        return None
    label = WAIT.format(season, _again(civic.chest))
    return CivicDuty(
        label, law, Act(label, (PrimitiveCall("goTo", (place, numbers["wait_within"])),), pause_s=opens - view.now)
    )


def _right(civic: Civic) -> float:
    return civic.opinion if civic.opinion is not None else sum(civic.rate) / 2


def _next_season(civic: Civic, now: float) -> tuple[int, float, float]:
    """Return the open or next season as (number, opens, closes); number 0 if there is none."""
    for number, (opens, closes) in enumerate(civic.windows, 1):
        if now < closes:
            return number, opens, closes
    return 0, 0.0, 0.0


def _argument(civic: Civic, view: SlotView) -> tuple[Civic, CivicDuty | None]:
    """Return an influencer's state and duty: to approach players, and to argue with one after the other."""
    numbers = numbers_of(view["persona"], "influencers")
    duty: CivicDuty | None = view["duty"]
    if view.now < civic.until_s:
        return civic, duty
    feel, sight = view["feel"], view["sight"]
    low, high = view["persona"]["wants"]
    waiting = [each for each in sight.players if view.now - civic.argued.get(each.name, -1e9) >= numbers["again_s"]]
    if waiting:
        nearest = min(waiting, key=lambda each: (dist(each.position, feel.position), each.name))
        kind = "less" if high < sum(civic.rate) / 2 or low < sum(civic.rate) / 2 else "more"
        words = str(view.chance.choice(numbers["says"][kind]))
        words = words.format(name=nearest.name, low=f"{low:g}", high=f"{high:g}")
        x, y, z = nearest.position
        near = dist(nearest.position, feel.position) <= numbers["near"]
        walk = Act("go to somebody", (PrimitiveCall("goTo", ({"x": x, "y": y, "z": z}, 3)),), limit_s=20.0)
        if not near:
            return replace(civic, until_s=view.now + 2.0), CivicDuty(f"go to {nearest.name}", f"at {view.now:g}", walk)
        argued = {**civic.argued, nearest.name: view.now}
        because = f"the tax should be {low:g} to {high:g} percent; at {view.now:g}"
        return replace(civic, argued=argued, until_s=view.now + numbers["every_s"]), CivicDuty(
            f"argue with {nearest.name}", because, walk, words, nearest.name
        )
    places = [at for name, at in sorted(view["persona"]["places"].items())]
    x, y, z = places[civic.stop % len(places)]
    walk = Act("look for people", (PrimitiveCall("goTo", ({"x": x, "y": y, "z": z}, 4)),), limit_s=40.0)
    far = dist((x, z), (feel.position[0], feel.position[2]))
    civic = replace(civic, stop=civic.stop + 1, until_s=view.now + numbers["idle_s"] + far / 4)
    return civic, CivicDuty(f"look for people at {round(x)}, {round(z)}", f"at {view.now:g}", walk)


class LetterAnswer(Strict):
    """Answer schema: text for feedback, an object of the letter's form for other letters."""

    why: str = Field(max_length=300)
    answer: Any


def form(view: SlotView) -> AnswerForm[LetterAnswer]:
    """Return the form of an answer to the oldest letter that needs one."""
    letter = _waiting(view)
    narrowed = {} if letter is None else {"answer": _answer_schema(letter)}
    return AnswerForm("citizen", LetterAnswer, {"why": "...", "answer": "..."}, reasoning="why", narrowed=narrowed)


def _answer_schema(letter: Letter) -> dict[str, Any]:
    """Return the JSON schema of an answer to a letter."""
    if letter.kind == "feedback":
        return {"type": "string", "maxLength": MAX_FEEDBACK}
    if letter.kind == "ballot":
        ids = [each["amendment"] for each in letter.data["amendments"]]
        return _closed({"votes": _closed({each: {"type": "string", "enum": ["yes", "no", "abstain"]} for each in ids})})
    members = [each["member"] for each in letter.data["feedback"]]
    share = {"type": "number"}
    values = [share, list_schema(share, 2, 2), list_schema({"type": "string", "maxLength": 60}, 1, 8)]
    amendment = {
        "clause": {"type": "string", "enum": list(letter.data["clauses"])},
        "value": {"anyOf": values},
        "by": list_schema({"type": "string", **({"enum": members} if members else {"maxLength": 16})}, 0, 8),
    }
    return _closed({"amendments": list_schema(_closed(amendment), 0, 20)})


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _waiting(view: SlotView) -> Letter | None:
    """Return the oldest letter that still needs an answer; None without one."""
    civic: Civic = view["civic"]
    return next((each for each in view["letters"] if _waits(each, civic, view.now)), None)


def purpose(view: SlotView) -> object:
    """Return the number of the letter to answer; None without one."""
    return letter_number(_waiting(view))


def ask(view: SlotView) -> Mapping[str, Any] | None:
    """Return the letter with the agent's context, every `AGAIN_S` seconds until it is answered; None otherwise."""
    letter = _waiting(view)
    if letter is None or not is_time_to_ask(letter, view.now, AGAIN_S):
        return None
    persona = view["persona"]
    return {
        "letter": {"about": letter.kind, "says": letter.text, **plain(dict(letter.data))},
        "traits": persona["traits"],
        "community_goal": persona["community_goal"],
        "others": {name: plain(each) for name, each in (view.get("profiles") or {}).items()},
        "memories": [memo.text for memo in view["recalled"]],
    }


def read(view: SlotView, answer: LetterAnswer) -> Result:
    """Return the answer unchanged as text. The institution parses it strictly."""
    civic, letter = view["civic"], _waiting(view)
    if letter is None:
        return Result()
    text = answer.answer if isinstance(answer.answer, str) else json.dumps(answer.answer, ensure_ascii=False)
    return Result(
        {"civic": replace(civic, answered=(*civic.answered, letter.number))}, answers=((letter.number, text),)
    )


MODULE = Module(
    name="citizen",
    reads=("persona", "letters", "civic", "duty", "hearing", "feel", "sight", "outcome", "profiles", "recalled"),
    writes=("civic", "duty"),
    when=When(every_s=1.0, changes=("letters",), events=("act_ended",)),
    rule=rule,
    role="citizen",
    ask=ask,
    else_rule=True,
    form=form,
    read=read,
    purpose=purpose,
    prompt="citizen",
    answers=True,
    slots={"civic": Civic},
    first={"civic": Civic()},
)
