"""Event handlers for societies (letters, assemblies, votes, tax seasons, conversions) and for human players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from accord.analysis.transcript.institutions import institution_sentence, is_told
from accord.viewer.scene import short
from accord.viewer.scene_builder import SceneBuilder
from voyager_agents.lexicon import Lexicon

Data = Mapping[str, Any]
PRIEST = "priest"
"""Role of the initial converts."""
LEVELS = ("", "indirect", "direct")
"""Level of a lexicon -> name of a convert of that level."""
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
"""Entry of an assembly -> its sentence."""
INSTITUTION_MARKS = {
    "elected": "vote",
    "recall": "vote",
    "cycle": "vote",
    "amended": "vote",
    "breach": "breach",
    "bribe_taken": "breach",
    "sanctioned": "verdict",
    "tried": "verdict",
    "payment": "transfer",
    "trade": "transfer",
}
"""Step of an institution -> kind of its mark."""
MARKET = "market"
VOTES = ("ballot", "count")
"""Entries that are marked as votes."""


def letter(data: Data, builder: SceneBuilder) -> None:
    """Handle a letter of an institution to members."""
    to = data["to"]
    builder.add_words("letter", "", data["text"], str(to[0]) if len(to) == 1 else f"{len(to)} members")


def assembly(data: Data, builder: SceneBuilder) -> None:
    """Handle a step of an assembly."""
    entry = data["entry"]
    what = str(entry["what"])
    form = TOLD.get(what)
    if form is None:
        return
    told = {key: _one_line_text(value) for key, value in entry.items()}
    text = form.format(**{"outcome": "adopted" if entry.get("passed") else "refused", **told})
    builder.add_words("council", "", text)
    if what in VOTES or (what == "law" and entry.get("when") != "start"):
        builder.add_mark("vote", text, str(entry.get("member") or ""))


def institution(data: Data, builder: SceneBuilder) -> None:
    """Handle a step of an institution."""
    part, what, who = str(data["part"]), str(data["what"]), str(data.get("who") or "")
    text = institution_sentence(part, what, who, str(data.get("why") or ""), data.get("data") or {})
    if is_told(part, what):
        builder.add_words("council", "", text)
    if what in INSTITUTION_MARKS:
        builder.add_mark(INSTITUTION_MARKS[what], text, who)
    told = data.get("data") or {}
    if what in ("elected", "appointed"):
        office = told.get("office") or ", ".join(map(str, told["powers"]))
        builder.put("institution", f"office of {office}", f"{who} ({'elected' if what == 'elected' else 'by lot'})")
    if what == "law_in_force":
        builder.put("institution", "law in force", [str(each["says"]) for each in told["clauses"]])
    if part == MARKET:
        _market(what, told, builder)
    if what in ("breach", "sanctioned"):
        builder.add_to_number({"breach": "breaches of the law", "sanctioned": "sanctions"}[what], 1)


def _market(what: str, told: Data, builder: SceneBuilder) -> None:
    """Show the last price of each item, the volume of trade, and how unequal wealth is."""
    if what == "trade":
        builder.add_to_number("trades", 1)
        if "price" in told:
            builder.put("institution", f"price of {short(str(told['item']), 40)}", f"{told['price']} {told['money']}")
    elif what == "undone":
        builder.add_to_number("trades", -1)
    elif what == "market_closed" and told.get("gini") is not None:
        builder.put("institution", "inequality of wealth (Gini)", f"{told['gini']:.2f}")


def _one_line_text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {each}" for key, each in value.items())
    return ", ".join(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)


def season_opened(data: Data, builder: SceneBuilder) -> None:
    """Handle the start of a tax season."""
    builder.put("run", "season", data["season"])
    builder.add_mark("season", f"season {data['season']} of tax opens")


def tax(data: Data, builder: SceneBuilder) -> None:
    """Handle items that go into a community chest or out of it."""
    count = sum(data["items"].values())
    who, what = data["player"] or "somebody", ", ".join(f"{n} {item}" for item, n in data["items"].items())
    if data["taken"]:
        builder.add_mark("breach", f"{who} takes {what} out of the chest {data['chest']}", data["player"])
        return
    builder.add_mark("tax", f"{who} pays {what} into the chest {data['chest']}", data["player"])
    builder.add_to_number("tax paid", count)


def season_closed(data: Data, builder: SceneBuilder) -> None:
    """Handle the end of a tax season."""
    kept = [name for name, state in data["state"].items() if state in ("paid", "paid_again")]
    owing = [name for name, state in data["state"].items() if state in ("present", "absent", "gone")]
    builder.add_mark("season", f"season {data['season']} closes: {len(kept)} of {len(data['state'])} have paid")
    if owing:
        builder.add_mark("breach", f"season {data['season']}: {', '.join(owing)} paid nothing", owing[0])
    builder.set_number("tax payers", len(kept))


def people(data: Data, builder: SceneBuilder) -> None:
    """Handle the population: towns, residents, and the keywords of a faith."""
    for name, folk in data["people"].items():
        builder.put("town", name, folk["town"] or None)
        builder.put("part", name, folk["role"] or None)
    towns = {name: (*town["at"], abs(town["radius"])) for name, town in data["towns"].items()}
    builder.put("run", "towns", {short(name, 40): [float(part) for part in town] for name, town in towns.items()})
    builder.put("run", "faith", {"direct": list(data["direct"]), "indirect": list(data["indirect"])})


def heard(data: Data, builder: SceneBuilder) -> None:
    """Handle speech: a player's first keyword of the faith makes it a convert, for good."""
    faith = builder.scene.get("run", "faith")
    speaker = data["speaker"]
    if not faith or builder.scene.get("part", speaker) == PRIEST:
        return
    level = _lexicon(tuple(faith["direct"]), tuple(faith["indirect"])).level(data["text"])
    had = builder.scene.get("faith", speaker) or ""
    if level <= LEVELS.index(had):
        return
    builder.put("faith", speaker, LEVELS[level])
    builder.add_mark("conversion", f"{speaker} is {'a' if level > 1 else 'an'} {LEVELS[level]} convert", speaker)
    builder.add_to_number(f"{LEVELS[level]} converts", 1)
    if had:
        builder.add_to_number(f"{had} converts", -1)


@lru_cache(maxsize=8)
def _lexicon(direct: tuple[str, ...], indirect: tuple[str, ...]) -> Lexicon:
    return Lexicon(direct, indirect)


def person(data: Data, builder: SceneBuilder) -> None:
    """Handle a change of a human player's state."""
    text = f"{data['player']}: {short(data['text'])}" if data["state"] == "awaited" else data["state"]
    builder.put("person", data["player"], data["state"])
    builder.add_mark("person", f"the person who plays {data['player']}: {text}", data["player"])
