"""Small perception experiments, and a model that infers feelings from words."""

from __future__ import annotations

import json
import re
from pathlib import Path

from dilemmas.scenarios.registry import spec_path
from tests.fakes.life import ANSWERS, module_of
from voyager_agents.models.fake_server import Request
from voyager_agents.piano.rule_based.assumptions import rules
from voyager_agents.piano.rule_based.perception import FILE
from voyager_agents.piano.rule_based.perception.feelings import shown_in

ROOM = """
parts:
  Lila: {part: speaker, acts: true, feelings: {Ava: [[50, 9], [55, 2], [105, 2], [110, 9]]}}
  Noah: {part: speaker, acts: true, feelings: {Ava: [[10, 1.5], [140, 8.5]]}}
  Ethan: {part: speaker, acts: true, feelings: {Ava: [[78, 8], [82, 2]]}}
assumptions: {speaking: {speaker_s: 4}, listening: {step: 0.5}}
end: {time_limit_s: 160}
"""
CHEF = """
assumptions: {giving: {first_s: 24, every_s: 5}, speaking: {hungry_s: 5, hungry: 1.0}}
end: {time_limit_s: 100}
"""
TOWN = """
population: {count: 12}
home: {at: [0, 0, 0], radius: 4}
places: {well: null, orchard: null, market: null, garden: null}
location_memories: []
ties: 1
assumptions: {speaking: {a_minute: 12, a_minute_extroversion: 8, near: 14}}
end: {time_limit_s: 45}
"""
SHORT = {"room": ROOM, "chef": CHEF, "town": TOWN}


def small(folder: Path, study: str, seconds: float | None = None) -> Path:
    """Write a short variant in which all players speak often."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"small_{study}.yaml"
    text = f"extends: {spec_path(f'perception-{study}')}\nname: small-{study}\n{SHORT[study]}"
    if seconds is not None:
        text = re.sub(r"time_limit_s: \d+", f"time_limit_s: {seconds:g}", text)
    path.write_text(text, encoding="utf-8")
    return path


def respond(request: Request) -> str:
    """Return a well-formed answer to any module; other players are judged by their words."""
    system, user = (each["content"] for each in request.messages[:2])
    table = rules(FILE)["shows"]
    if "Give\nfor each text the sentiment" in system:
        return json.dumps({"scores": [shown_in(text, table) for text in re.findall(r'"text": "([^"]*)"', user)]})
    part = module_of(request.messages)
    if part != "to understand":
        return json.dumps(ANSWERS[part])
    heard = re.findall(r'"speaker":\s*"(\w+)",\s*"text":\s*"([^"]*)"', user)
    people = {
        name: {"name": name, "summary": f"{name} said: {text}", "sentiment": shown_in(text, table), "activity": ""}
        for name, text in heard
    }
    return json.dumps({"people": list(people.values())})
