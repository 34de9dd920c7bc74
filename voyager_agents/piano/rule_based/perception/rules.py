"""Module rules of companions, with the numbers of `perception.yaml`.

A companion may have a part (`persona["part"]`): a speaker or a listener in a room, a chef who gives food away, or a
hungry guest. Without a part it lives in a town. Its feelings for others come from a script (`persona["feelings"]`) or
from its kindness. Its opinions of others come from their words and gifts, judged by social awareness.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import exp
from pathlib import Path
from typing import Any

from bridge.types import NearPlayer
from voyager_agents.piano.bottleneck import SlotGate
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, Utterance, When
from voyager_agents.piano.modules.social_awareness import latest
from voyager_agents.piano.rule_based.perception.feelings import (
    MAX_SENTIMENT,
    NEUTRAL,
    shown_in,
    summary_of,
    towards,
    within,
    words_for,
)
from voyager_agents.piano.rule_based.walking import flat, legs
from voyager_agents.piano.slots import BodyAction, ControllerDecision, Percepts, Profile, SpokenWords
from voyager_agents.realtime_agent import Act, HeardWords, PrimitiveCall

FILE = Path(__file__).with_name("perception.yaml")
BOTTLENECK = (SlotGate("persona", 60),)
"""Default bottleneck of a companion's controller."""
NUMBERS = ("impressions", "listening", "speaking", "giving", "going")
"""Numeric sections of the table, which a scenario may override (`assumptions`)."""
SPEAKER, LISTENER, CHEF, GUEST = "speaker", "listener", "chef", "guest"
GIVES, EATS, STAYS, LEAVES = "give", "eat", "stay", "travel"
"""Activities of companions."""
EVERY_S = 3.0
"""Period of the controller, in seconds."""
GIFT_S = 12.0
"""Maximum time between a gift and the words that announce it, in seconds."""
MAX_WALK_S = 300.0
"""Time limit of a walk, in seconds."""


def meet(view: SlotView) -> Result:
    """Assign a random first impression to every player newly heard or seen nearby."""
    known: Mapping[str, float] = view["impressions"]
    numbers = view.rules["impressions"]
    names = [heard.speaker for heard in view["ears"]]
    if view.at("percepts").version:
        names += [each.name for each in view["percepts"].players if each.distance <= numbers["near"]]
    new = [name for name in dict.fromkeys(names) if name not in known]
    if not new:
        return NOTHING
    made = {name: round(within(view.chance.gauss(numbers["mean"], numbers["spread"])), 3) for name in new}
    return Result({"impressions": {**known, **made}})


def judge(view: SlotView) -> Result:
    """Update opinions: new words move the sentiment towards the sentiment that they show; a gift raises it."""
    profiles: dict[str, Profile] = dict(view["profiles"])
    last = max((each.t_s for each in profiles.values()), default=-1.0)
    new = [heard for heard in view["hearing"] if heard.t_s > last]
    for heard in new:
        felt = opinion(view, profiles, heard.speaker)
        profiles[heard.speaker] = _profile(view, heard.speaker, _moved(view, felt, heard), heard.t_s, "heard")
    writes: dict[str, Any] = {}
    held = _food(view)
    if held != view["larder"]:
        writes["larder"] = held
        giver = _giver(view) if held > view["larder"] >= 0 else ""
        if giver:
            felt = opinion(view, profiles, giver)
            felt += view.rules["listening"]["gift"] * (MAX_SENTIMENT - felt)
            profiles[giver] = _profile(view, giver, felt, max(view.now, last), "given")
    if new or profiles != view["profiles"]:
        writes["profiles"] = latest(profiles)
    return Result(writes) if writes else NOTHING


def opinion(view: SlotView, profiles: Mapping[str, Profile], name: str) -> float:
    """Return the sentiment towards a player: from its profile, else the first impression, else neutral."""
    if name in profiles:
        return profiles[name].sentiment
    impressions: Mapping[str, float] = view["impressions"]
    return impressions.get(name, NEUTRAL)


def _moved(view: SlotView, felt: float, heard: HeardWords) -> float:
    numbers = view.rules["listening"]
    shown = within(shown_in(heard.text, view.rules["shows"]) + view.chance.gauss(0, numbers["noise"]))
    return felt + float(numbers["step" if heard.addressed else "overheard"]) * (shown - felt)


def _profile(view: SlotView, name: str, felt: float, t_s: float, source: str) -> Profile:
    return Profile(summary_of(felt, name, view.rules["thinks"]), round(within(felt), 3), "", t_s, source)


def _food(view: SlotView) -> int:
    """Return the number of held food items; -1 before the first percepts."""
    if not view.at("percepts").version:
        return -1
    items: Mapping[str, int] = view["percepts"].items
    return sum(items.get(food, 0) for food in view.rules["giving"]["foods"])


def _giver(view: SlotView) -> str:
    """Return the player who last announced a gift to the agent within `GIFT_S`; empty for none."""
    for heard in reversed(view["hearing"]):
        if heard.addressed and "for you" in heard.text and view.now - heard.t_s <= GIFT_S:
            return str(heard.speaker)
    return ""


def decide(view: SlotView) -> Result:
    """Decide by the companion's part; without one, by the rules of town life."""
    before: ControllerDecision | None = view["decision"]
    if not view.at("percepts").version:
        return NOTHING
    part = view["persona"].get("part", "")
    made = {SPEAKER: _speaks, LISTENER: _listens, CHEF: _gives, GUEST: _waits}.get(part, _lives)(view, before)
    if made is None:
        return NOTHING
    doing, to = made
    if before is not None and before.doing == doing and not to:
        return NOTHING
    number = 1 if before is None else before.number + 1
    activity = doing.partition(" ")[0]
    purpose = "to show what I feel" if to else ""
    return Result({"decision": ControllerDecision(number, doing, activity, "", bool(to), to, purpose, "", view.now)})


def _since(view: SlotView, before: ControllerDecision | None, every_s: float) -> bool:
    """Return whether the last decision is at least `every_s` old, with 0.5 s of tolerance for the schedule's grain."""
    return before is None or view.now - before.t_s >= every_s - 0.5


def _speaks(view: SlotView, before: ControllerDecision | None) -> tuple[str, str] | None:
    """Return a speaker's decision: to address a random player of its script, at random intervals."""
    others = sorted(view["persona"].get("feelings", {}))
    if not others or not _since(view, before, view.rules["speaking"]["speaker_s"] * view.chance.uniform(0.8, 1.2)):
        return None
    return f"{STAYS} here", view.chance.choice(others)


def _listens(view: SlotView, before: ControllerDecision | None) -> tuple[str, str] | None:
    """Return a listener's decision: to stay without speaking."""
    return f"{STAYS} here", ""


def _gives(view: SlotView, before: ControllerDecision | None) -> tuple[str, str] | None:
    """Return a chef's decision: to give one food item to a player nearby, chosen by weight of sentiment.

    Without social awareness all players have the same weight.
    """
    numbers, chance, seen = view.rules["giving"], view.chance, view["percepts"]
    near = [each.name for each in seen.players]
    left = [food for food in numbers["foods"] if seen.items.get(food)]
    waits = numbers["first_s"] if before is None or before.activity != GIVES else numbers["every_s"]
    since = 0.0 if before is None or before.activity != GIVES else before.t_s
    if not near or not left or view.now - since < waits:
        return None if before is not None else (f"{STAYS} here", "")
    profiles: Mapping[str, Profile] = view.get("profiles") or {}
    felt = [profiles[name].sentiment if name in profiles else NEUTRAL for name in near]
    weights = [exp(numbers["weight"] * (each - NEUTRAL)) for each in felt]
    to = chance.choices(near, weights)[0]
    return f"{GIVES} {chance.choice(left)} to {to}", to


def _waits(view: SlotView, before: ControllerDecision | None) -> tuple[str, str] | None:
    """Return a guest's decision: to eat held food when hungry, or to tell a chef nearby its feelings."""
    numbers, seen = view.rules["speaking"], view["percepts"]
    if seen.food < view.rules["giving"]["eat_below"] and _food(view) > 0:
        return (f"{EATS} at {view.now:.0f}", "") if _since(view, before, 4.0) else None
    if not _since(view, before, numbers["hungry_s"] * view.chance.uniform(0.8, 1.2)):
        return None
    near = [each.name for each in seen.players if each.distance <= 2 * numbers["near"]]
    wanted = [name for name in view["persona"].get("feelings", {}) if name in near]
    return f"{STAYS} here", wanted[0] if wanted and view.chance.random() < numbers["hungry"] else ""


def _lives(view: SlotView, before: ControllerDecision | None) -> tuple[str, str] | None:
    """Return a town dweller's decision: to stay or to travel, and the player nearby to address, if any."""
    action: BodyAction | None = view["action"]
    numbers, chance = view.rules["speaking"], view.chance
    away = before is not None and before.activity == LEAVES and action is not None and action.running
    doing = before.doing if before is not None and away else _journey(view, before)
    near: Sequence[NearPlayer] = [each for each in view["percepts"].players if each.distance <= numbers["near"]]
    often = numbers["a_minute"] + numbers["a_minute_extroversion"] * view["persona"].get("extroversion", 0.5)
    eager = often * EVERY_S / 60
    return doing, _chosen(view, near) if near and chance.random() < eager else ""


def _chosen(view: SlotView, near: Sequence[NearPlayer]) -> str:
    """Return a random player nearby, with a preference for liked ones."""
    profiles: Mapping[str, Profile] = view.get("profiles") or {}
    weight = view.rules["speaking"]["likes"]
    weights = [exp(weight * (opinion(view, profiles, each.name) - NEUTRAL)) for each in near]
    return view.chance.choices(near, weights)[0].name


def _journey(view: SlotView, before: ControllerDecision | None) -> str:
    """Return `stay PLACE` or `travel PLACE`, with a known meeting place or `home`."""
    numbers, chance, persona = view.rules["going"], view.chance, view["persona"]
    here = before.doing.partition(" ")[2] if before is not None else "home"
    if chance.random() >= EVERY_S / numbers["every_s"]:
        return f"{STAYS} {here}"
    meets = numbers["meet_base"] + numbers["meet_extroversion"] * persona.get("extroversion", 0.5)
    places = sorted(persona.get("places", {}))
    place = chance.choice(places) if places and chance.random() < meets else "home"
    return f"{STAYS} {here}" if place == here else f"{LEAVES} {place}"


def talk(view: SlotView) -> Result:
    """Tell the decision's addressee the agent's feeling for it; with a gift, name the item."""
    decision: ControllerDecision | None = view["decision"]
    said: SpokenWords | None = view["said"]
    if decision is None or not decision.speak or (said is not None and said.choice >= decision.number):
        return NOTHING
    persona, numbers, to = view["persona"], view.rules["speaking"], decision.to
    if decision.activity == GIVES:
        item = decision.doing.split(" ")[1].replace("_", " ")
        text = str(view.chance.choice(view.rules["giving"]["says"])).replace("{name}", to).replace("{item}", item)
    else:
        felt = towards(persona, to, opinion(view, view.get("profiles") or {}, to), numbers["answers"], view.now)
        shown = within(felt + view.chance.gauss(0, numbers["noise"]))
        text = words_for(shown, to, view.rules["says"], view.chance)
    return Result({"said": SpokenWords(text, to, "say", decision.number, view.now)}, words=Utterance(text))


def move(view: SlotView) -> Result:
    """Return the decided act: giving, eating or a walk."""
    decision: ControllerDecision | None = view["decision"]
    action: BodyAction | None = view["action"]
    if decision is None or (action is not None and action.doing == decision.doing and action.running):
        return NOTHING
    if decision.activity in (GIVES, EATS):
        once = action is not None and action.doing == decision.doing
        return NOTHING if once else Result(act=_hands(view, decision))
    if view["persona"].get("part"):
        return NOTHING
    return _walk(view, decision, action)


def _hands(view: SlotView, decision: ControllerDecision) -> Act:
    if decision.activity == EATS:
        held = view["percepts"].items
        food = next(each for each in view.rules["giving"]["foods"] if held.get(each))
        return Act("eat", (PrimitiveCall("eatFood", (food,)),))
    item = decision.doing.split(" ")[1]
    return Act(decision.doing, (PrimitiveCall("giveItem", (decision.to, item, 1)),), limit_s=30.0)


def _walk(view: SlotView, decision: ControllerDecision, action: BodyAction | None) -> Result:
    """Return a walk in legs to another place, or a short walk around the current place."""
    seen: Percepts = view["percepts"]
    numbers, chance, persona = view.rules["going"], view.chance, view["persona"]
    travels, place = decision.activity == LEAVES, decision.doing.partition(" ")[2]
    if travels and action is not None and action.doing == decision.doing:
        return NOTHING
    home = persona["spawn_location"]
    x, y, z = persona.get("places", {}).get(place) or (home["x"], home["y"], home["z"])
    reach = numbers["arrive"]
    end = (round(x + chance.uniform(-reach, reach)), round(z + chance.uniform(-reach, reach)))
    way = legs(flat(seen.at), end, numbers["leg"])
    calls = tuple(PrimitiveCall("goTo", ({"x": i, "y": y, "z": k}, 2)) for i, k in way)
    pause = 1.0 if travels else chance.uniform(*numbers["stay_s"])
    return Result(act=Act(decision.doing, calls, pause_s=round(pause, 2), limit_s=MAX_WALK_S))


IMPRESSIONS = Module(
    name="impressions",
    reads=("persona", "ears", "percepts", "impressions"),
    writes=("impressions",),
    when=When(changes=("percepts",), events=("heard",), least_s=1.0),
    rule=meet,
    slots={"impressions": Mapping},
    first={"impressions": {}},
)
"""Module for first impressions, separate from social awareness so that they remain when that is left out."""
_CHANGES: Mapping[str, Mapping[str, Any]] = {
    "perception": {"when": When(every_s=3.0, events=("heard",))},
    "social_awareness": {
        "rule": judge,
        "reads": ("persona", "hearing", "percepts", "profiles", "impressions", "larder"),
        "writes": ("profiles", "larder"),
        "when": When(changes=("hearing",), every_s=6.0, least_s=3.0),
        "slots": {"larder": int},
        "first": {"larder": -1},
    },
    "controller": {
        "rule": decide,
        "reads": ("persona", "decision", "action", "percepts", "profiles", "impressions"),
        "when": When(every_s=EVERY_S, events=("act_ended",), least_s=2.0),
    },
    "talking": {"rule": talk, "reads": ("persona", "decision", "said", "profiles", "impressions")},
    "skill_execution": {
        "rule": move,
        "reads": ("persona", "decision", "percepts", "action"),
        "when": When(changes=("decision",), events=("act_ended",)),
    },
}
"""Module -> fields that differ for companions. Standard modules that are missing here are left out."""


def adapt(modules: Mapping[str, Module]) -> dict[str, Module]:
    """Return the modules of companions, derived from the ten standard modules."""
    found = {name: replace(modules[name], role=None, **changes) for name, changes in _CHANGES.items()}
    return {"perception": found.pop("perception"), IMPRESSIONS.name: IMPRESSIONS, **found}
