"""Table of event handlers: kind of event -> changes of the scene, and words, marks, acts and numbers for the index.

A new kind of event is one function and one line in `EVENT_HANDLERS`. Fields arrive as plain JSON with any content. A
handler raises KeyError, TypeError, ValueError or AttributeError for unexpected fields, and the line is skipped.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from accord.analysis.transcript.council import SILENT, entry_in_words
from accord.viewer import bargaining, civic, conquest, hidden_roles, kitchen, surroundings
from accord.viewer.scene import short
from accord.viewer.scene_builder import CallMark, SceneBuilder

Data = Mapping[str, Any]
EventHandler = Callable[[Data, SceneBuilder], None]
TOOLS = ("_pickaxe", "_axe", "_sword", "_shovel", "_hoe")
"""Suffixes of items whose acquisition is marked."""
EPISODE_SECTIONS = (
    "at", "mob", "drop", "act", "last", "items", "pack", "tool", "held", "out", "cell", "world", "say", "program_end",
    "institution",
)  # fmt: skip
"""Sections that are cleared when an episode starts."""
COUNCIL_MARKS = {
    "vote": "vote",
    "rule_passed": "vote",
    "rule_failed": "vote",
    "agreement_made": "agreed",
    "broken": "breach",
}
"""Entry of a council -> kind of its mark."""
MAX_SERIES = 24
"""Maximum number of players with reward curves of their own; larger runs show only the sum."""


def _started(data: Data, builder: SceneBuilder) -> None:
    for key in ("scenario", "version", "condition", "world", "seed"):
        builder.put("run", key, data[key])
    for name, terms in data["players"].items():
        builder.put("player", name, {"author": terms["author"], "group": terms["group"], "prices": terms["prices"]})
    builder.put("run", "stage", "before the first episode")


def _ended(data: Data, builder: SceneBuilder) -> None:
    builder.put("run", "stage", f"ended: {short(data['status'])}")
    builder.put("run", "status", short(data["status"]))
    builder.add_mark(
        "end" if data["status"] == "complete" else "error", f"{data['status']}: {data['reason'] or 'the end'}"
    )


def _resumed(data: Data, builder: SceneBuilder) -> None:
    builder.add_mark("episode", "another process goes on with the run")


def _episode(data: Data, builder: SceneBuilder) -> None:
    for section in EPISODE_SECTIONS:
        builder.scene.clear(builder.now, section)
    builder.since.clear()
    bargaining.begin_attempt(builder)
    builder.put("run", "began", builder.now)
    number = (builder.scene.get("run", "episode") or 0) + (data["attempt"] == 1)
    builder.put("run", "episode", number)
    again = f", attempt {data['attempt']}" if data["attempt"] > 1 else ""
    builder.put("run", "stage", f"episode {number}{again}")
    builder.add_mark("episode", f"episode {number}{again}")


def _episode_over(data: Data, builder: SceneBuilder) -> None:
    builder.put("run", "stage", f"after episode {builder.scene.get('run', 'episode')}: {short(data['reason'])}")
    for name, account in data["players"].items():
        builder.put("account", name, {key: account[key] for key in ("reward", "transfer", "payoff")})
    builder.set_number("welfare", sum(account["payoff"] for account in data["players"].values()))
    bargaining.end_episode(builder)


def _episode_broken(data: Data, builder: SceneBuilder) -> None:
    builder.add_mark("error", f"lost to infrastructure: {data['reason']}")


def _holdings(builder: SceneBuilder, name: str, held: Data) -> None:
    builder.put("items", name, held["items"])
    _note_tools(builder, name, held["items"])
    builder.put("mined", name, held["mined"] or None)
    builder.put("reward", name, held["reward"])


def _note_tools(builder: SceneBuilder, name: str, items: Data) -> None:
    for item in items:
        if item.endswith(TOOLS) and builder.put("tool", f"{name} {item}", value=True):
            builder.add_mark("tool", f"{name} has {item}", name)


def _state(data: Data, builder: SceneBuilder) -> None:
    for name, held in data["players"].items():
        _holdings(builder, name, held)
    for block, count in data.get("world", {}).items():
        builder.put("world", block, count)
        builder.set_number(f"world {block}", count)
    rewards = builder.scene.of("reward")
    if len(rewards) <= MAX_SERIES:
        for name in data["players"]:
            builder.set_number(f"reward {name}", rewards[name])
    builder.set_number("rewards", sum(rewards.values()))


def _end_state(data: Data, builder: SceneBuilder) -> None:
    _state({"players": data["players"]}, builder)


def _inventory(data: Data, builder: SceneBuilder) -> None:
    name, items = data["bot"], data["items"]
    if name not in builder.scene.of("player"):
        return
    _note_tools(builder, name, items)
    builder.put("pack", name, items)
    builder.put("held", name, data.get("held"))


def _policy(data: Data, builder: SceneBuilder) -> None:
    builder.put("program", data["player"], {"ref": builder.ref, "author": short(data["author"]), "at": builder.now})


def _policy_over(data: Data, builder: SceneBuilder) -> None:
    error = data["error"] or {}
    told = f"{error.get('name')}: {error.get('message')}" if error else ""
    builder.put(
        "program_end", data["player"], {"outcome": data["outcome"], "error": short(told), "line": error.get("line")}
    )
    builder.put("act", data["player"], None)
    if error:
        builder.add_mark("error", f"{data['player']}: {told}", data["player"])


def _action(data: Data, builder: SceneBuilder) -> None:
    label = f"{data['name']}({', '.join(short(each, 60) for each in data.get('args') or ())})"
    if not builder.lived:
        builder.put("last", data["bot"], {"text": short(label, 120), "ok": data.get("ok"), "at": builder.now})
        builder.add_act(data["bot"], None, label, data.get("ok"))


def _log(data: Data, builder: SceneBuilder) -> None:
    builder.put("printed", data["bot"], {"text": short(data["text"]), "level": data["level"], "at": builder.now})


def _chat(data: Data, builder: SceneBuilder) -> None:
    sender = data.get("from")
    if sender and not builder.lived:
        to = data.get("to") or ""
        builder.add_words("whisper" if to else "chat", sender, data["text"], to)


def _signal(data: Data, builder: SceneBuilder) -> None:
    builder.add_words("signal", data["from"], f"signals {data.get('name') or ''}", data.get("to") or "")


def _speech(data: Data, builder: SceneBuilder) -> None:
    builder.add_words(data["voice"], data["speaker"], data["text"], data["to"])
    builder.add_to_number("words said", 1)
    civic.heard(data, builder)


def _life(data: Data, builder: SceneBuilder) -> None:
    builder.lived = True
    builder.put("life", data["player"], "lives")


def _life_over(data: Data, builder: SceneBuilder) -> None:
    builder.put("life", data["player"], "begins again" if data["again"] else "out")
    builder.add_mark("error", f"{data['player']}'s agent ended: {data['error'] or 'it returned'}", data["player"])


def _choice(data: Data, builder: SceneBuilder) -> None:
    choice = data["choice"]
    told = {key: short(choice.get(key) or "") for key in ("doing", "why", "to", "purpose")}
    builder.put("decision", data["player"], {**told, "ref": builder.ref, "at": builder.now})
    builder.add_to_number("decisions", 1)


def _act(data: Data, builder: SceneBuilder) -> None:
    told: dict[str, Any] = {"text": short(data["label"], 120), "at": builder.now, "by": short(data["by"], 40)}
    if data["program"]:
        told["ref"] = builder.ref
        builder.put("program", data["player"], {"ref": builder.ref, "author": told["by"], "at": builder.now})
    builder.put("act", data["player"], told)


def _act_over(data: Data, builder: SceneBuilder) -> None:
    builder.put("act", data["player"], None)
    builder.add_act(data["player"], data["seconds"], data["label"], data["ended"] == "done")


def _slot(data: Data, builder: SceneBuilder) -> None:
    player, slot, value = data["player"], str(data["slot"]), data["value"]
    builder.put(f"slot {slot}", player, {"ref": builder.ref, "at": builder.now})
    if slot == "goal" and isinstance(value, dict):
        builder.put("goal", player, short(value.get("text") or ""))
        _role(builder, player, short(value.get("activity") or "", 40))
    if slot == "drives" and isinstance(value, dict):
        _drives(builder, player, value)


def _drives(builder: SceneBuilder, player: str, value: Data) -> None:
    """Set a player's drives, the strongest first, and draw the mean of each drive over all players."""
    levels = {short(name, 40): float(level) for name, level in value["levels"].items()}
    pressing = short(value.get("pressing") or "", 40)
    builder.put("drives", player, {"levels": levels, "pressing": pressing})
    known = [held["levels"] for held in builder.scene.of("drives").values()]
    for name in levels:
        found = [each[name] for each in known if name in each]
        builder.set_number(f"drive {name}", sum(found) / len(found))


def _role(builder: SceneBuilder, player: str, role: str) -> None:
    """Set a player's role, and count the players per role."""
    had = builder.scene.get("role", player)
    if role and had != role:
        if had:
            builder.add_to_number(f"role {had}", -1)
        builder.put("role", player, role)
        builder.add_to_number(f"role {role}", 1)


def _mind(data: Data, builder: SceneBuilder) -> None:
    builder.add_mark("fault", f"{data['player']}, {data['module']}: {data['what']}: {data['reason']}", data["player"])


def _mind_step(data: Data, builder: SceneBuilder) -> None:
    step = data["step"]
    builder.put(f"mind {step['what']}", data["player"], {"ref": builder.ref, "at": builder.now})
    if step["what"] == "task":
        builder.put("goal", data["player"], short(step["text"]))
    if step["what"] == "planned":
        builder.put("goal", data["player"], short(step["goal"]))
    if step["what"] == "unusable" and step["final"]:
        kind = step.get("kind", "unreadable")
        builder.add_mark("fault", f"{data['player']}, {step['part']}: {kind} answer: {step['why']}", data["player"])


def _shown(data: Data, builder: SceneBuilder) -> None:
    builder.put("shown", data["player"], {"ref": builder.ref, "at": builder.now})


def _critique(data: Data, builder: SceneBuilder) -> None:
    builder.put(
        "critique", data["player"], {"text": short(data["text"]), "success": data["success"], "ref": builder.ref}
    )


def _negotiation(data: Data, builder: SceneBuilder) -> None:
    builder.put("run", "stage", f"negotiation, turn {data['turn']}")
    builder.add_words("negotiation", data["speaker"], data["message"])
    if data["accepts"]:
        builder.add_mark("agreed", f"{data['speaker']} accepts", data["speaker"])


def _typed(data: Data, builder: SceneBuilder) -> None:
    builder.add_words("terms", "", data["sheet"] or data["fault"] or "the text was typed")


def _ratified(data: Data, builder: SceneBuilder) -> None:
    word = "ratifies" if data["ratified"] else "does not ratify"
    builder.add_words("terms", data["player"], f"{word} the terms. {data['reason']}")


def _contract(data: Data, builder: SceneBuilder) -> None:
    state = data["state"]
    if state == "none":
        return
    name = (data["contract"] or {}).get("name", "")
    builder.put("run", "contract", {"state": state, "ref": builder.ref, "name": short(name)})
    builder.add_mark("contract", f"contract {short(name)} {state}")
    builder.add_words("contract", "", f"contract {name}: {state}. {data['reason']}".strip())


def _verdict(data: Data, builder: SceneBuilder) -> None:
    if data.get("deal") is None:
        builder.put("run", "verdict", {"ref": builder.ref, "readable": data["readable"]})
    bargaining.verdict(data, builder)
    builder.add_words("verdict", "", data["critique"] or "a verdict without reasons")
    builder.add_mark("verdict", f"judge {data['judge']}: {data['critique']}")
    for finding in data["findings"]:
        if finding.get("ok") is False:
            party = str(finding.get("party") or "")
            builder.add_mark("breach", f"{finding.get('subject')}: {finding.get('reason')}", party)


def _transfer(data: Data, builder: SceneBuilder) -> None:
    text = f"{data['payer']} pays {data['payee']} {data['amount']:g} ({data['term']})"
    builder.add_words("transfer", "", text)
    builder.add_mark("transfer", text, data["payer"])
    builder.add_to_number("emeralds moved", data["amount"])


def _call(data: Data, builder: SceneBuilder) -> None:
    if isinstance(data.get("number"), int) and abs(data["number"]) < 1 << 53:
        builder.rows.append(CallMark(str(data["player"]), str(data["purpose"]), data["number"], builder.now))
    builder.add_to_number("calls", 1)
    builder.add_to_number("tokens", data["tokens"])
    builder.add_to_number("usd", data["usd"] or 0.0)


def _planted(data: Data, builder: SceneBuilder) -> None:
    for cells in data["trees"].values():
        for x, z in cells:
            builder.put("cell", f"{int(x)},{int(z)}", "apple")


def _stepped(data: Data, builder: SceneBuilder) -> None:
    origin = builder.scene.get("run", "origin") or [0, 0, 0]
    for name, (x, z) in data["positions"].items():
        builder.put("at", name, [round(x + origin[0], 1), origin[1], round(z + origin[2], 1)])
    for name in [each for each in builder.scene.of("out") if each not in data["out"]]:
        builder.put("out", name, None)
    for name in data["out"]:
        builder.put("out", name, True)
    for x, z in data["grown"]:
        builder.put("cell", f"{int(x)},{int(z)}", "apple")
    for x, z in data.get("lost", ()):
        builder.put("cell", f"{int(x)},{int(z)}", None)
    builder.set_number("world apples", sum(data["apples"].values()))


def _deed(data: Data, builder: SceneBuilder) -> None:
    if data["deed"] == "take":
        x, z = data["at"]
        builder.put("cell", f"{int(x)},{int(z)}", None)
        builder.put("act", data["player"], {"text": f"takes an apple of {short(data['tree'], 40)}", "at": builder.now})
        return
    word = "hits" if data["hit"] else "attacks"
    builder.put("act", data["player"], {"text": f"{word} {short(data['target'], 40)}", "at": builder.now})
    builder.add_mark("attack", f"{data['player']} {word} {data['target']}", data["player"])


def _decision(data: Data, builder: SceneBuilder) -> None:
    player = data["player"]
    told = {"doing": short(data["move"]), "why": short(data["why"]), "to": short(data["target"]), "purpose": ""}
    builder.put("decision", player, {**told, "ref": builder.ref, "at": builder.now})
    if data["said"]:
        builder.add_words("say", player, data["said"])


def _option(data: Data, builder: SceneBuilder) -> None:
    stood_in = data.get("stood_in")
    doing = f"nothing; {stood_in} stands in" if stood_in else data["option"] or "nothing"
    told = {"doing": short(doing), "why": short(data["why"]), "to": "", "purpose": ""}
    builder.put("decision", data["player"], {**told, "ref": builder.ref, "at": builder.now})


def _council(data: Data, builder: SceneBuilder) -> None:
    entry = data["entry"]
    what = str(entry.get("what"))
    if what in SILENT and what != "vote":
        return
    text = entry_in_words(entry)
    builder.add_words("council", "", text)
    if what in COUNCIL_MARKS:
        builder.add_mark(COUNCIL_MARKS[what], text, str(entry.get("player") or ""))


EVENT_HANDLERS: Mapping[str, EventHandler] = {
    "run_started": _started,
    "run_resumed": _resumed,
    "run_ended": _ended,
    "episode_started": _episode,
    "episode_ended": _episode_over,
    "infrastructure": _episode_broken,
    "world_built": surroundings.built,
    "ground": surroundings.ground,
    "ground_changed": surroundings.ground_changed,
    "weather": surroundings.weather,
    "places": surroundings.places,
    "mobs": surroundings.mobs,
    "drops": surroundings.drops,
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
    "talk": bargaining.talk,
    "deal": bargaining.deal,
    "payment": bargaining.payment,
    "talks_voided": bargaining.voided,
    "enforced": bargaining.enforced,
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
    "institution": civic.institution,
    "season_opened": civic.season_opened,
    "tax": civic.tax,
    "season_closed": civic.season_closed,
    "people": civic.people,
    "person": civic.person,
    "option": _option,
    "order": conquest.order,
    "battle": conquest.battle,
    "support": conquest.support,
    "objective": conquest.objective,
    "soup": kitchen.soup,
    "roles_dealt": hidden_roles.dealt,
    "word_said": hidden_roles.said,
    "roles_revealed": hidden_roles.revealed,
    "period_settled": bargaining.period,
    "talk_ended": bargaining.talk_over,
}
"""Kind of event -> its handler."""
CLOCKED = frozenset({"policies_started"})
"""Kinds without a handler that advance the time axis."""


def handle_event(kind: str, data: Data, builder: SceneBuilder, ref: tuple[int, int]) -> bool:
    """Handle the next line of a log.

    Args:
        kind: Kind of the event.
        data: Fields of the event.
        builder: State of the log read so far.
        ref: Offset and length of the line, in bytes.

    Returns:
        False if the fields are not those of the event's kind.
    """
    builder.start_line(kind, data, ref)
    handler = EVENT_HANDLERS.get(kind)
    if handler is None:
        return True
    try:
        handler(data, builder)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError):
        return False
    return True
