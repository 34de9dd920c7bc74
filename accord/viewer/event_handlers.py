"""Kind of event -> what it changes in the scene, and the words, marks, acts and numbers that it adds.

A new kind of event is one function and one line in `MAKERS`. The fields come as plain JSON and may be anything: a maker
that finds other fields than it knows raises KeyError, TypeError, ValueError or AttributeError, and the line is skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from accord.analysis.report.blocks import colour_of
from accord.analysis.transcript.council import SILENT, entry_in_words
from accord.viewer import civic
from accord.viewer.scene import short
from accord.viewer.scene_builder import CallMark, SceneBuilder

Data = Mapping[str, Any]
Maker = Callable[[Data, SceneBuilder], None]
TOOLS = ("_pickaxe", "_axe", "_sword", "_shovel", "_hoe")
"""Ends of names of items whose taking is marked."""
OF_AN_EPISODE = (
    "at", "mob", "act", "last", "items", "pack", "tool", "held", "out", "cell", "world", "say", "program_end",
)  # fmt: skip
"""Sections that are empty when an episode begins."""
COUNCIL_MARKS = {
    "vote": "vote",
    "rule_passed": "vote",
    "rule_failed": "vote",
    "agreement_made": "agreed",
    "broken": "breach",
}
"""Entry of a council -> the mark that it leaves."""
MAX_SERIES = 24
"""Players whose own rewards are numbers; of more only the sum is."""


def _started(data: Data, desk: SceneBuilder) -> None:
    for key in ("scenario", "version", "condition", "world", "seed"):
        desk.put("run", key, data[key])
    for name, terms in data["players"].items():
        desk.put("player", name, {"author": terms["author"], "group": terms["group"], "prices": terms["prices"]})
    desk.put("run", "stage", "before the first episode")


def _ended(data: Data, desk: SceneBuilder) -> None:
    desk.put("run", "stage", f"ended: {short(data['status'])}")
    desk.put("run", "status", short(data["status"]))
    desk.mark("end" if data["status"] == "complete" else "error", f"{data['status']}: {data['reason'] or 'the end'}")


def _resumed(data: Data, desk: SceneBuilder) -> None:
    desk.mark("episode", "another process goes on with the run")


def _episode(data: Data, desk: SceneBuilder) -> None:
    for section in OF_AN_EPISODE:
        desk.scene.clear(desk.now, section)
    desk.since.clear()
    number = (desk.scene.get("run", "episode") or 0) + (data["attempt"] == 1)
    desk.put("run", "episode", number)
    again = f", attempt {data['attempt']}" if data["attempt"] > 1 else ""
    desk.put("run", "stage", f"episode {number}{again}")
    desk.mark("episode", f"episode {number}{again}")


def _episode_over(data: Data, desk: SceneBuilder) -> None:
    desk.put("run", "stage", f"after episode {desk.scene.get('run', 'episode')}: {short(data['reason'])}")
    for name, account in data["players"].items():
        desk.put("account", name, {key: account[key] for key in ("reward", "transfer", "payoff")})
    desk.number("welfare", sum(account["payoff"] for account in data["players"].values()))


def _broken(data: Data, desk: SceneBuilder) -> None:
    desk.mark("error", f"lost to infrastructure: {data['reason']}")


def _ground(data: Data, desk: SceneBuilder) -> None:
    desk.scene.clear(desk.now, "top")
    desk.put("run", "ground", desk.ref)
    desk.put("run", "origin", data["origin"])


def _ground_changed(data: Data, desk: SceneBuilder) -> None:
    for x, y, z, block in data["tops"]:
        name = short(str(block), 60)
        desk.put("top", f"{int(x)},{int(z)}", [name, colour_of(name) if name else "", int(y)])


def _places(data: Data, desk: SceneBuilder) -> None:
    for name, spot in data["at"].items():
        desk.put("at", name, [round(float(part), 1) for part in spot])
    for name in data.get("gone", ()):
        desk.put("at", name, None)


def _mobs(data: Data, desk: SceneBuilder) -> None:
    for number, (kind, spot) in data["at"].items():
        desk.put("mob", number, [short(kind, 40), *(round(float(part), 1) for part in spot)])
    for number in data["gone"]:
        desk.put("mob", number, None)


def _holdings(desk: SceneBuilder, name: str, held: Data) -> None:
    desk.put("items", name, held["items"])
    _note_tools(desk, name, held["items"])
    desk.put("mined", name, held["mined"] or None)
    desk.put("reward", name, held["reward"])


def _note_tools(desk: SceneBuilder, name: str, items: Data) -> None:
    for item in items:
        if item.endswith(TOOLS) and desk.put("tool", f"{name} {item}", value=True):
            desk.mark("tool", f"{name} has {item}", name)


def _state(data: Data, desk: SceneBuilder) -> None:
    for name, held in data["players"].items():
        _holdings(desk, name, held)
    for block, count in data.get("world", {}).items():
        desk.put("world", block, count)
        desk.number(f"world {block}", count)
    rewards = desk.scene.of("reward")
    if len(rewards) <= MAX_SERIES:
        for name in data["players"]:
            desk.number(f"reward {name}", rewards[name])
    desk.number("rewards", sum(rewards.values()))


def _end_state(data: Data, desk: SceneBuilder) -> None:
    _state({"players": data["players"]}, desk)


def _inventory(data: Data, desk: SceneBuilder) -> None:
    name, items = data["bot"], data["items"]
    if name not in desk.scene.of("player"):
        return
    _note_tools(desk, name, items)
    desk.put("pack", name, items)
    desk.put("held", name, data.get("held"))


def _policy(data: Data, desk: SceneBuilder) -> None:
    desk.put("program", data["player"], {"ref": desk.ref, "author": short(data["author"]), "at": desk.now})


def _policy_over(data: Data, desk: SceneBuilder) -> None:
    error = data["error"] or {}
    told = f"{error.get('name')}: {error.get('message')}" if error else ""
    desk.put(
        "program_end", data["player"], {"outcome": data["outcome"], "error": short(told), "line": error.get("line")}
    )
    desk.put("act", data["player"], None)
    if error:
        desk.mark("error", f"{data['player']}: {told}", data["player"])


def _action(data: Data, desk: SceneBuilder) -> None:
    label = f"{data['name']}({', '.join(short(each, 60) for each in data.get('args') or ())})"
    if not desk.lived:
        desk.put("last", data["bot"], {"text": short(label, 120), "ok": data.get("ok"), "at": desk.now})
        desk.did(data["bot"], None, label, data.get("ok"))


def _log(data: Data, desk: SceneBuilder) -> None:
    desk.put("printed", data["bot"], {"text": short(data["text"]), "level": data["level"], "at": desk.now})


def _chat(data: Data, desk: SceneBuilder) -> None:
    sender = data.get("from")
    if sender and not desk.lived:
        to = data.get("to") or ""
        desk.say("whisper" if to else "chat", sender, data["text"], to)


def _signal(data: Data, desk: SceneBuilder) -> None:
    desk.say("signal", data["from"], f"signals {data.get('name') or ''}", data.get("to") or "")


def _speech(data: Data, desk: SceneBuilder) -> None:
    desk.say(data["voice"], data["speaker"], data["text"], data["to"])
    desk.add("words said", 1)
    civic.heard(data, desk)


def _life(data: Data, desk: SceneBuilder) -> None:
    desk.lived = True
    desk.put("life", data["player"], "lives")


def _life_over(data: Data, desk: SceneBuilder) -> None:
    desk.put("life", data["player"], "begins again" if data["again"] else "out")
    desk.mark("error", f"{data['player']}'s agent ended: {data['error'] or 'it returned'}", data["player"])


def _choice(data: Data, desk: SceneBuilder) -> None:
    choice = data["choice"]
    told = {key: short(choice.get(key) or "") for key in ("doing", "why", "to", "purpose")}
    desk.put("decision", data["player"], {**told, "ref": desk.ref, "at": desk.now})
    desk.add("decisions", 1)


def _act(data: Data, desk: SceneBuilder) -> None:
    told: dict[str, Any] = {"text": short(data["label"], 120), "at": desk.now, "by": short(data["by"], 40)}
    if data["program"]:
        told["ref"] = desk.ref
        desk.put("program", data["player"], {"ref": desk.ref, "author": told["by"], "at": desk.now})
    desk.put("act", data["player"], told)


def _act_over(data: Data, desk: SceneBuilder) -> None:
    desk.put("act", data["player"], None)
    desk.did(data["player"], data["seconds"], data["label"], data["ended"] == "done")


def _slot(data: Data, desk: SceneBuilder) -> None:
    player, slot, value = data["player"], str(data["slot"]), data["value"]
    desk.put(f"slot {slot}", player, {"ref": desk.ref, "at": desk.now})
    if slot == "goal" and isinstance(value, dict):
        desk.put("goal", player, short(value.get("text") or ""))
        _role(desk, player, short(value.get("activity") or "", 40))


def _role(desk: SceneBuilder, player: str, role: str) -> None:
    """What it does for a living, and how many do."""
    had = desk.scene.get("role", player)
    if role and had != role:
        if had:
            desk.add(f"role {had}", -1)
        desk.put("role", player, role)
        desk.add(f"role {role}", 1)


def _mind(data: Data, desk: SceneBuilder) -> None:
    desk.mark("fault", f"{data['player']}, {data['module']}: {data['what']}: {data['reason']}", data["player"])


def _mind_step(data: Data, desk: SceneBuilder) -> None:
    step = data["step"]
    desk.put(f"mind {step['what']}", data["player"], {"ref": desk.ref, "at": desk.now})
    if step["what"] == "task":
        desk.put("goal", data["player"], short(step["text"]))
    if step["what"] == "planned":
        desk.put("goal", data["player"], short(step["goal"]))


def _shown(data: Data, desk: SceneBuilder) -> None:
    desk.put("shown", data["player"], {"ref": desk.ref, "at": desk.now})


def _critique(data: Data, desk: SceneBuilder) -> None:
    desk.put("critique", data["player"], {"text": short(data["text"]), "success": data["success"], "ref": desk.ref})


def _negotiation(data: Data, desk: SceneBuilder) -> None:
    desk.put("run", "stage", f"negotiation, turn {data['turn']}")
    desk.say("negotiation", data["speaker"], data["message"])
    if data["accepts"]:
        desk.mark("agreed", f"{data['speaker']} accepts", data["speaker"])


def _typed(data: Data, desk: SceneBuilder) -> None:
    desk.say("terms", "", data["sheet"] or data["fault"] or "the text was typed")


def _ratified(data: Data, desk: SceneBuilder) -> None:
    word = "ratifies" if data["ratified"] else "does not ratify"
    desk.say("terms", data["player"], f"{word} the terms. {data['reason']}")


def _contract(data: Data, desk: SceneBuilder) -> None:
    state = data["state"]
    if state == "none":
        return
    name = (data["contract"] or {}).get("name", "")
    desk.put("run", "contract", {"state": state, "ref": desk.ref, "name": short(name)})
    desk.mark("contract", f"contract {short(name)} {state}")
    desk.say("contract", "", f"contract {name}: {state}. {data['reason']}".strip())


def _verdict(data: Data, desk: SceneBuilder) -> None:
    desk.put("run", "verdict", {"ref": desk.ref, "readable": data["readable"]})
    desk.say("verdict", "", data["critique"] or "a verdict without reasons")
    desk.mark("verdict", f"judge {data['judge']}: {data['critique']}")
    for finding in data["findings"]:
        if finding.get("ok") is False:
            party = str(finding.get("party") or "")
            desk.mark("breach", f"{finding.get('subject')}: {finding.get('reason')}", party)


def _transfer(data: Data, desk: SceneBuilder) -> None:
    text = f"{data['payer']} pays {data['payee']} {data['amount']:g} ({data['term']})"
    desk.say("transfer", "", text)
    desk.mark("transfer", text, data["payer"])
    desk.add("emeralds moved", data["amount"])


def _call(data: Data, desk: SceneBuilder) -> None:
    if isinstance(data.get("number"), int) and abs(data["number"]) < 1 << 53:
        desk.rows.append(CallMark(str(data["player"]), str(data["purpose"]), data["number"], desk.now))
    desk.add("calls", 1)
    desk.add("tokens", data["tokens"])
    desk.add("usd", data["usd"] or 0.0)


def _planted(data: Data, desk: SceneBuilder) -> None:
    for cells in data["trees"].values():
        for x, z in cells:
            desk.put("cell", f"{int(x)},{int(z)}", "apple")


def _stepped(data: Data, desk: SceneBuilder) -> None:
    origin = desk.scene.get("run", "origin") or [0, 0, 0]
    for name, (x, z) in data["positions"].items():
        desk.put("at", name, [round(x + origin[0], 1), origin[1], round(z + origin[2], 1)])
    for name in [each for each in desk.scene.of("out") if each not in data["out"]]:
        desk.put("out", name, None)
    for name in data["out"]:
        desk.put("out", name, True)
    for x, z in data["grown"]:
        desk.put("cell", f"{int(x)},{int(z)}", "apple")
    for x, z in data.get("lost", ()):
        desk.put("cell", f"{int(x)},{int(z)}", None)
    desk.number("world apples", sum(data["apples"].values()))


def _deed(data: Data, desk: SceneBuilder) -> None:
    if data["deed"] == "take":
        x, z = data["at"]
        desk.put("cell", f"{int(x)},{int(z)}", None)
        desk.put("act", data["player"], {"text": f"takes an apple of {short(data['tree'], 40)}", "at": desk.now})
        return
    word = "hits" if data["hit"] else "attacks"
    desk.put("act", data["player"], {"text": f"{word} {short(data['target'], 40)}", "at": desk.now})
    desk.mark("attack", f"{data['player']} {word} {data['target']}", data["player"])


def _decision(data: Data, desk: SceneBuilder) -> None:
    player = data["player"]
    told = {"doing": short(data["move"]), "why": short(data["why"]), "to": short(data["target"]), "purpose": ""}
    desk.put("decision", player, {**told, "ref": desk.ref, "at": desk.now})
    if data["said"]:
        desk.say("say", player, data["said"])


def _option(data: Data, desk: SceneBuilder) -> None:
    told = {"doing": short(data["option"] or "nothing"), "why": short(data["why"]), "to": "", "purpose": ""}
    desk.put("decision", data["player"], {**told, "ref": desk.ref, "at": desk.now})


def _council(data: Data, desk: SceneBuilder) -> None:
    entry = data["entry"]
    what = str(entry.get("what"))
    if what in SILENT and what != "vote":
        return
    text = entry_in_words(entry)
    desk.say("council", "", text)
    if what in COUNCIL_MARKS:
        desk.mark(COUNCIL_MARKS[what], text, str(entry.get("player") or ""))


MAKERS: Mapping[str, Maker] = {
    "run_started": _started,
    "run_resumed": _resumed,
    "run_ended": _ended,
    "episode_started": _episode,
    "episode_ended": _episode_over,
    "infrastructure": _broken,
    "ground": _ground,
    "ground_changed": _ground_changed,
    "places": _places,
    "mobs": _mobs,
    "state": _state,
    "end_state": _end_state,
    "inventory": _inventory,
    "policy_written": _policy,
    "policy_ended": _policy_over,
    "action": _action,
    "log": _log,
    "chat": _chat,
    "signal": _signal,
    "speech": _speech,
    "life_began": _life,
    "life_ended": _life_over,
    "choice": _choice,
    "act_began": _act,
    "act_ended": _act_over,
    "slot": _slot,
    "mind": _mind,
    "mind_step": _mind_step,
    "shown": _shown,
    "critique": _critique,
    "negotiation": _negotiation,
    "terms_typed": _typed,
    "terms_ratified": _ratified,
    "contract": _contract,
    "verdict": _verdict,
    "transfer": _transfer,
    "model_call": _call,
    "field_planted": _planted,
    "field": _stepped,
    "deed": _deed,
    "decision": _decision,
    "council": _council,
    "letter": civic.letter,
    "assembly": civic.assembly,
    "season_opened": civic.season_opened,
    "tax": civic.tax,
    "season_closed": civic.season_closed,
    "people": civic.people,
    "person": civic.person,
    "option": _option,
}
"""Kind of event -> what becomes of it."""
CLOCKED = frozenset({"policies_started"})
"""Kinds without a maker that move the axis of time."""


def take(kind: str, data: Data, desk: SceneBuilder, ref: tuple[int, int]) -> bool:
    """Take the next line of a log; False for one with other fields than its kind has."""
    desk.begin(kind, data, ref)
    maker = MAKERS.get(kind)
    if maker is None:
        return True
    try:
        maker(data, desk)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError):
        return False
    return True
