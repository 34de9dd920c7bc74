"""Makers for societies: letters, assemblies and votes, seasons of tax, conversions; and people who play."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from accord.viewer.scene import short
from accord.viewer.scene_builder import SceneBuilder
from voyager_agents.lexicon import Lexicon

Data = Mapping[str, Any]
PRIEST = "priest"
"""The part of those who are converts to begin with."""
LEVELS = ("", "indirect", "direct")
"""Level of a lexicon -> what a convert of it is called."""
TOLD = {
    "feedback": "{member} says what should change: {text}",
    "amendment": "amendment {id}: {says}",
    "ballots_asked": "the vote is open on {amendments}",
    "ballot": "{member} votes: {votes}",
    "ballot_spoilt": "{member}'s ballot is spoilt: {why}",
    "count": "{id}: {yes} yes, {no} no, {abstain} abstain, so it is {outcome}",
    "overruled": "{amendment} is overruled by {by}",
    "law": "the law, {when}",
}
"""Entry of an assembly -> its words."""
VOTES = ("ballot", "count")
"""Entries that are marked as votes."""


def letter(data: Data, desk: SceneBuilder) -> None:
    """An institution writes to members."""
    to = data["to"]
    desk.say("letter", "", data["text"], str(to[0]) if len(to) == 1 else f"{len(to)} members")


def assembly(data: Data, desk: SceneBuilder) -> None:
    """A step of an assembly."""
    entry = data["entry"]
    what = str(entry["what"])
    form = TOLD.get(what)
    if form is None:
        return
    told = {key: _plain(value) for key, value in entry.items()}
    text = form.format(**{"outcome": "adopted" if entry.get("passed") else "refused", **told})
    desk.say("council", "", text)
    if what in VOTES or (what == "law" and entry.get("when") != "start"):
        desk.mark("vote", text, str(entry.get("member") or ""))


def _plain(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {each}" for key, each in value.items())
    return ", ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)


def season_opened(data: Data, desk: SceneBuilder) -> None:
    """A season of tax begins."""
    desk.put("run", "season", data["season"])
    desk.mark("season", f"season {data['season']} of tax opens")


def tax(data: Data, desk: SceneBuilder) -> None:
    """Items went into a community chest, or out of it."""
    count = sum(data["items"].values())
    who, what = data["player"] or "somebody", ", ".join(f"{n} {item}" for item, n in data["items"].items())
    if data["taken"]:
        desk.mark("breach", f"{who} takes {what} out of the chest {data['chest']}", data["player"])
        return
    desk.mark("tax", f"{who} pays {what} into the chest {data['chest']}", data["player"])
    desk.add("tax paid", count)


def season_closed(data: Data, desk: SceneBuilder) -> None:
    """A season of tax is over."""
    kept = [name for name, state in data["state"].items() if state in ("paid", "paid_again")]
    owing = [name for name, state in data["state"].items() if state in ("present", "absent", "gone")]
    desk.mark("season", f"season {data['season']} closes: {len(kept)} of {len(data['state'])} have paid")
    if owing:
        desk.mark("breach", f"season {data['season']}: {', '.join(owing)} paid nothing", owing[0])
    desk.number("tax payers", len(kept))


def people(data: Data, desk: SceneBuilder) -> None:
    """Towns, and who belongs where; the words of a faith, where there is one."""
    for name, folk in data["people"].items():
        desk.put("town", name, folk["town"] or None)
        desk.put("part", name, folk["role"] or None)
    towns = {name: (*town["at"], abs(town["radius"])) for name, town in data["towns"].items()}
    desk.put("run", "towns", {short(name, 40): [float(part) for part in town] for name, town in towns.items()})
    desk.put("run", "faith", {"direct": list(data["direct"]), "indirect": list(data["indirect"])})


def heard(data: Data, desk: SceneBuilder) -> None:
    """Whoever says a word of the faith for the first time is a convert from then on; converts never lapse."""
    faith = desk.scene.get("run", "faith")
    speaker = data["speaker"]
    if not faith or desk.scene.get("part", speaker) == PRIEST:
        return
    level = _lexicon(tuple(faith["direct"]), tuple(faith["indirect"])).level(data["text"])
    had = desk.scene.get("faith", speaker) or ""
    if level <= LEVELS.index(had):
        return
    desk.put("faith", speaker, LEVELS[level])
    desk.mark("conversion", f"{speaker} is {'a' if level > 1 else 'an'} {LEVELS[level]} convert", speaker)
    desk.add(f"{LEVELS[level]} converts", 1)
    if had:
        desk.add(f"{had} converts", -1)


@lru_cache(maxsize=8)
def _lexicon(direct: tuple[str, ...], indirect: tuple[str, ...]) -> Lexicon:
    return Lexicon(direct, indirect)


def person(data: Data, desk: SceneBuilder) -> None:
    """What becomes of a person who plays."""
    text = f"{data['player']}: {short(data['text'])}" if data["state"] == "awaited" else data["state"]
    desk.put("person", data["player"], data["state"])
    desk.mark("person", f"the person who plays {data['player']}: {text}", data["player"])
