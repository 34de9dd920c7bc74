"""Module rules of believers, with the numbers of `religion.yaml`."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import dist
from pathlib import Path
from typing import Any

from contracts.yaml12 import load_yaml
from voyager_agents.lexicon import DIRECT, INDIRECT, NONE, Lexicon
from voyager_agents.piano.bottleneck import SlotGate
from voyager_agents.piano.module import NOTHING, Module, Result, SlotView, Utterance, When
from voyager_agents.piano.rule_based.walking import flat, legs
from voyager_agents.piano.slots import BodyAction, ControllerDecision, Goal, Percepts, SpokenWords
from voyager_agents.realtime_agent import Act, HeardWords, PrimitiveCall

FILE = Path(__file__).with_name("religion.yaml")
BOTTLENECK = (SlotGate("goal", 60),)
"""Default bottleneck of a believer's controller."""
NUMBERS = ("adoption", "goals", "talk", "travel")
"""Numeric sections of the table, which a scenario may override (`assumptions`)."""
PRIEST = 3
"""Level of faith of priests, above the levels of `voyager_agents.lexicon`."""
EVERY_S = 15.0
"""Period of the controller, in seconds."""
STAYS, LEAVES = "stay", "travel"
"""Activities of believers."""
MAX_TRAVEL_S = 900.0
"""Time limit of a journey, in seconds."""


@dataclass(frozen=True)
class Beliefs:
    """Beliefs that an agent adopted from others."""

    level: int = NONE
    """Level of faith (`voyager_agents.lexicon`)."""
    topics: tuple[tuple[str, float], ...] = ()
    """Adopted topics as (topic, game time at which the interest ends, in seconds), latest last."""


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """Return the believers' lexicon of faith and topics."""
    table = load_yaml(FILE.read_text(encoding="utf-8"))
    topics = {name: each["words"] for name, each in table["topics"].items()}
    return Lexicon(table["faith"]["names"], table["faith"]["alludes"], topics)


def standing(view: SlotView) -> int:
    """Return the agent's effective level of faith: `PRIEST` for priests, else the adopted level."""
    beliefs: Beliefs = view["beliefs"]
    return PRIEST if view["persona"].get("role") == "priest" else beliefs.level


def adopt(view: SlotView) -> Result:
    """Update beliefs from heard words. Each utterance is an exposure that may change level and topics at random."""
    beliefs: Beliefs = view["beliefs"]
    persona, numbers, chance = view["persona"], view.rules["adoption"], view.chance
    level, topics = beliefs.level, tuple(each for each in beliefs.topics if each[1] > view.now)
    warmth = (0.5 + persona.get("kindness", 0.5)) ** numbers["steepness"]
    curiosity = 0.5 + persona.get("extroversion", 0.5)
    for heard in view["ears"]:
        level = max(level, _moved(heard, level, warmth, numbers, chance))
        for topic in lexicon().about(heard.text):
            if chance.random() < numbers["topic"] * curiosity:
                until = round(view.now + chance.expovariate(1 / numbers["topic_lasts_s"]), 3)
                topics = (*(each for each in topics if each[0] != topic), (topic, until))[-numbers["most"] :]
    return Result({"beliefs": Beliefs(level, topics)})


def _moved(heard: HeardWords, level: int, warmth: float, numbers: Mapping[str, float], chance: random.Random) -> int:
    """Return a listener's level of faith after the words."""
    shown = lexicon().level(heard.text)
    if shown == NONE or level == DIRECT:
        return level
    if shown == DIRECT and chance.random() < numbers["direct"] * warmth:
        return DIRECT
    return INDIRECT if chance.random() < numbers["theme" if shown == DIRECT else "echo"] * warmth else level


def want(view: SlotView) -> Result:
    """Choose a goal at random: the faith, an adopted topic, a topic of the agent's own, or daily work."""
    goal: Goal | None = view["goal"]
    numbers, chance, level = view.rules["goals"], view.chance, standing(view)
    if goal is not None and chance.random() < numbers["keep"]:
        return NOTHING
    if chance.random() < numbers["faith"][level]:
        kind = "goals" if level >= DIRECT else "themes"
        return Result({"goal": Goal(chance.choice(view.rules["faith"][kind]), "faith", view.now)})
    topic = _topic(view)
    known = view.rules["topics"][topic] if topic else view.rules["everyday"]
    return Result({"goal": Goal(chance.choice(known["goals"]), topic, view.now)})


def _topic(view: SlotView) -> str:
    """Return the topic of the next goal; empty for daily work."""
    beliefs: Beliefs = view["beliefs"]
    numbers, chance = view.rules["goals"], view.chance
    live = [name for name, until in beliefs.topics if until > view.now]
    if live and chance.random() < numbers["follow"]:
        return str(chance.choice(live))
    if chance.random() >= numbers["idea"]:
        return ""
    traits = " ".join(view["persona"]["traits"]).lower()
    own = [name for name, each in view.rules["topics"].items() if any(word in traits for word in each["traits"])]
    return str(chance.choice(own if own and chance.random() < numbers["own"] else list(view.rules["topics"])))


def decide(view: SlotView) -> Result:
    """Decide whether to stay or to travel, and whether to speak to players nearby."""
    before: ControllerDecision | None = view["decision"]
    action: BodyAction | None = view["action"]
    percepts: Percepts | None = view["percepts"] if view.at("percepts").version else None
    if percepts is None:
        return NOTHING
    away = before is not None and before.activity == LEAVES and action is not None and action.running
    doing = before.doing if before is not None and away else _journey(view, percepts)
    speaks = bool(percepts.players) and view.chance.random() < _eagerness(view)
    if before is not None and before.doing == doing and not speaks:
        return NOTHING
    goal: Goal | None = view["goal"]
    number = 1 if before is None else before.number + 1
    activity = doing.partition(" ")[0]
    why = goal.text if goal is not None else ""
    return Result({"decision": ControllerDecision(number, doing, activity, why, speaks, "", "", "", view.now)})


def _eagerness(view: SlotView) -> float:
    numbers = view.rules["talk"]
    if standing(view) == PRIEST:
        return float(numbers["priest"])
    usual = float(numbers["base"] + numbers["extroversion"] * view["persona"].get("extroversion", 0.5))
    return max(usual, float(numbers["convert"])) if standing(view) == DIRECT else usual


def _journey(view: SlotView, percepts: Percepts) -> str:
    """Return the next act, `stay PLACE` or `travel PLACE`, with a town or `home`."""
    towns: Mapping[str, Sequence[float]] = view["persona"].get("towns", {})
    here = town_at(percepts.at, towns)
    from_land = not view["persona"].get("town")
    numbers, chance = view.rules["travel"], view.chance
    if here and from_land:
        return f"{LEAVES} home" if chance.random() < EVERY_S / numbers["visit_s"] else f"{STAYS} {here}"
    mean_s = numbers["priest_s" if standing(view) == PRIEST else "land_s" if from_land else "town_s"]
    others = [name for name in towns if name != here]
    if not others or chance.random() >= EVERY_S / mean_s:
        return f"{STAYS} {here or 'home'}"
    near = min(others, key=lambda name: dist(flat(percepts.at), flat(towns[name])))
    nearest = from_land or chance.random() < numbers["nearest"]
    return f"{LEAVES} {near if nearest else chance.choice(others)}"


def town_at(at: Sequence[float], towns: Mapping[str, Sequence[float]]) -> str:
    """Return the name of the town that contains a position; empty outside of towns.

    Args:
        at: Position x, y, z.
        towns: Name -> (x, y, z of the centre, radius), in blocks.
    """
    for name, (x, _, z, radius) in towns.items():
        if dist(flat(at), (x, z)) <= radius:
            return name
    return ""


def move(view: SlotView) -> Result:
    """Return the decided walk: around the current place, or in legs to another place."""
    decision: ControllerDecision | None = view["decision"]
    action: BodyAction | None = view["action"]
    if decision is None or (action is not None and action.running and action.doing == decision.doing):
        return NOTHING
    percepts: Percepts = view["percepts"]
    numbers, chance, towns = view.rules["travel"], view.chance, view["persona"].get("towns", {})
    place = decision.doing.partition(" ")[2]
    home = view["persona"]["spawn_location"]
    x, y, z = towns[place][:3] if place in towns else (home["x"], home["y"], home["z"])
    travels = decision.activity == LEAVES
    if travels and action is not None and action.doing == decision.doing:
        return NOTHING
    reach = numbers["arrive"] if travels else numbers["town"] if place in towns else numbers["land"]
    end = (round(x + chance.uniform(-reach, reach)), round(z + chance.uniform(-reach, reach)))
    way = legs(flat(percepts.at), end, numbers["leg"])
    calls = tuple(PrimitiveCall("goTo", ({"x": i, "y": y, "z": k}, 2)) for i, k in way)
    pause = 1.0 if travels else chance.uniform(*numbers["stay_s"])
    return Result(act=Act(decision.doing, calls, pause_s=round(pause, 2), limit_s=MAX_TRAVEL_S))


def talk(view: SlotView) -> Result:
    """Speak about the faith, the goal's topic or daily life, if the decision says to speak."""
    decision: ControllerDecision | None = view["decision"]
    said: SpokenWords | None = view["said"]
    if decision is None or not decision.speak or (said is not None and said.choice >= decision.number):
        return NOTHING
    text = _words(view)
    return Result({"said": SpokenWords(text, "", "say", decision.number, view.now)}, words=Utterance(text))


def _words(view: SlotView) -> str:
    goal: Goal | None = view["goal"]
    numbers, chance, level = view.rules["talk"], view.chance, standing(view)
    if chance.random() < numbers["faith"][level]:
        named = level >= DIRECT and chance.random() < numbers["names_it"]
        text = str(chance.choice(view.rules["faith"]["says" if named else "hints"]))
        return text.replace("{topic}", _of_interest(view).capitalize())
    topic = goal.activity if goal is not None else ""
    known = topic if topic in view.rules["topics"] and chance.random() < numbers["topic"] else ""
    return str(chance.choice(view.rules["topics"][known]["says"] if known else view.rules["everyday"]["says"]))


def _of_interest(view: SlotView) -> str:
    """Return the topic that others mentioned last, for use in words about the faith; a random one without any."""
    for heard in reversed(view["hearing"]):
        if topics := lexicon().about(heard.text):
            return topics[0]
    return str(view.chance.choice(sorted(view.rules["topics"])))


ADOPTION = Module(
    name="adoption",
    reads=("persona", "ears", "beliefs"),
    writes=("beliefs",),
    when=When(events=("heard",)),
    rule=adopt,
    slots={"beliefs": Beliefs},
    first={"beliefs": Beliefs()},
)
"""Module that derives beliefs from heard words; beliefs change in no other way."""
_CHANGES: Mapping[str, Mapping[str, Any]] = {
    "perception": {"when": When(every_s=5.0, events=("heard",))},
    "goal_generation": {"rule": want, "reads": ("persona", "goal", "beliefs"), "when": When(every_s=60.0)},
    "controller": {
        "rule": decide,
        "reads": ("persona", "decision", "action", "percepts", "goal", "beliefs"),
        "when": When(every_s=EVERY_S, events=("act_ended",), least_s=2.0),
    },
    "talking": {"rule": talk, "reads": ("persona", "decision", "goal", "hearing", "said", "beliefs")},
    "skill_execution": {
        "rule": move,
        "reads": ("persona", "decision", "percepts", "action"),
        "when": When(changes=("decision",), events=("act_ended",)),
    },
}
"""Module -> fields that differ for believers. Standard modules that are missing here are left out."""


def adapt(modules: Mapping[str, Module]) -> dict[str, Module]:
    """Return the modules of believers, derived from the ten standard modules."""
    found = {name: replace(modules[name], role=None, **changes) for name, changes in _CHANGES.items()}
    return {"perception": found.pop("perception"), ADOPTION.name: ADOPTION, **found}
