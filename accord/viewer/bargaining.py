"""Event handlers for talks on channels, deals, and how agreements are enforced."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from accord.viewer.scene import short
from accord.viewer.scene_builder import SceneBuilder

Data = Mapping[str, Any]
PUBLIC = "public"
"""Kind of the channel of all players."""
STATES: Mapping[str, str] = {"signed": "agreed", "held": "agreed", "accepted": "offered", "asked-to-end": "agreed"}
"""Change of a deal -> its state afterwards, where the state is not named like the change."""
CHANGES = "deal_changes"
"""Number of changes of deals so far, in the section `run`."""
MARKED = ("agreed", "ended")
"""Changes of deals that are marked on the time bar."""
LIFE = ("offered", "agreed", "declined", "withdrawn", "lapsed", "ended")
"""Changes that are marks in the life of a deal, besides kept, broken and unread."""
MAX_MARKS = 100
"""Maximum number of marks in the life of a deal; the oldest are dropped first."""
PERIODS, SETTLED, BEFORE = "periods", "settled", "before_attempt"
"""Keys of the section `run`.

They are the number of periods that are over, whether one was settled since the last talk, and the periods and forfeits
before the attempt. A period is an episode, or the rounds from one talk to the next.
"""


def channel_receiver(members: Sequence[str], speaker: str, channel: str) -> str:
    """Return the receiver of a message as the index has it: all other members, or nobody on the public channel."""
    return "" if channel == PUBLIC else ", ".join(name for name in members if name != speaker)


def talk(data: Data, builder: SceneBuilder) -> None:
    """Handle a message on a channel."""
    _begin_talk(builder)
    if data["act"] == "pass":
        return
    speaker, members = data["speaker"], [str(name) for name in data["members"]]
    about = "" if data.get("deal") is None else f"({data['act']} deal {data['deal']}) "
    builder.put("run", "stage", f"talk, round {data['round']}")
    builder.put("channel", ", ".join(members), {"members": members, "kind": short(data["channel"], 20)})
    receiver = channel_receiver(members, speaker, data["channel"])
    builder.add_words("negotiation", speaker, about + data["message"], receiver)


def deal(data: Data, builder: SceneBuilder) -> None:
    """Handle a change of a deal."""
    entry = data["entry"]
    number, change = str(entry["deal"]), str(entry["change"])
    contract = entry.get("contract")
    told = dict(builder.scene.get("deal", number) or {})
    told |= {"state": STATES.get(change, change), "at": builder.now}
    count = (builder.scene.get("run", CHANGES) or 0) + 1
    builder.put("run", CHANGES, count)
    if change in LIFE:
        told["marks"] = _with_mark(builder, told, change, count)
    if change == "offered":
        told |= {"since": count, "by": entry["by"], "secret": bool(entry.get("secret")), "lasts": entry.get("lasts")}
    if contract is not None:
        parties = [short(name, 60) for name in contract["parties"]]
        told |= {"ref": builder.ref, "parties": parties, "force": short(str(contract.get("force", "binding")), 20)}
        told["deposit"] = contract.get("deposit") or 0
    builder.put("deal", number, told)
    if change in MARKED:
        builder.add_mark("agreed", f"deal {number} is {change}", entry.get("by", ""))


def talk_over(data: Data, builder: SceneBuilder) -> None:
    """Handle the end of a talk."""
    _begin_talk(builder)


def period(data: Data, builder: SceneBuilder) -> None:
    """Handle the end of a period between two talks."""
    builder.put("run", SETTLED, True)
    builder.put("run", "stage", f"deals are settled after round {data['played']}")


def begin_attempt(builder: SceneBuilder) -> None:
    """Handle the start of an attempt at an episode."""
    builder.put("run", BEFORE, [builder.scene.get("run", PERIODS) or 0, dict(builder.scene.of("forfeited"))])


def end_episode(builder: SceneBuilder) -> None:
    """Handle the end of an episode, which ends a period."""
    builder.put("run", PERIODS, (builder.scene.get("run", PERIODS) or 0) + 1)
    builder.put("run", SETTLED, None)


def voided(data: Data, builder: SceneBuilder) -> None:
    """Handle the end of a broken attempt: offers made in it are void."""
    builder.add_mark("error", "the talks of the broken attempt are void")
    builder.put("run", CHANGES, data["entries"])
    before: tuple[int, dict[str, float]] = builder.scene.get("run", BEFORE) or (0, {})
    periods, forfeited = before
    builder.put("run", PERIODS, periods)
    builder.put("run", SETTLED, None)
    for party in list(builder.scene.of("forfeited")):
        builder.put("forfeited", party, forfeited.get(party))
    for number, told in list(builder.scene.of("deal").items()):
        if told.get("since", 0) > data["entries"]:
            builder.put("deal", number, None)
        else:
            marks = [mark for mark in told.get("marks", ()) if mark[3] <= data["entries"]]
            builder.put("deal", number, {**told, "marks": marks})


def payment(data: Data, builder: SceneBuilder) -> None:
    """Handle a payer's decision on what it owes."""
    due, paid = data["due"], data["paid"]
    if not data["readable"]:
        text = "decided nothing that could be read, and pays nothing"
    else:
        text = f"owes {_amounts(due, due)}, and pays {_amounts(due, paid)}"
    builder.add_words("payment", "", f"{_agreement(data)}: {data['player']} {text}. {data['reason']}".strip())


def enforced(data: Data, builder: SceneBuilder) -> None:
    """Handle the result of enforcing an agreement."""
    for each in data["breaches"]:
        builder.add_mark("breach", f"{_agreement(data)}: {each['party']} broke {each['term']}", each["party"])
    lines = [f"{each['party']} broke {each['term']}" for each in data["breaches"]]
    lines += [f"{party} forfeits {amount:g}" for party, amount in data["forfeited"].items() if amount]
    result = "; ".join(lines) or "every promise was kept"
    builder.add_words("payment", "", f"{_agreement(data)} ({data['force']}): {result}")
    for party, amount in data["forfeited"].items():
        builder.put("forfeited", party, (builder.scene.get("forfeited", party) or 0) + amount)
    if data.get("deal") is not None:
        number = str(data["deal"])
        told = dict(builder.scene.get("deal", number) or {})
        what = "broken" if data["breaches"] else "unread" if data.get("unread") else "kept"
        # The change that follows has the next number: a mark that falls with a broken attempt lies between the two.
        marks = _with_mark(builder, told, what, (builder.scene.get("run", CHANGES) or 0) + 0.5)
        state = {"broken": bool(data["breaches"]), "result": short(result), "marks": marks}
        builder.put("deal", number, told | state)


def verdict(data: Data, builder: SceneBuilder) -> None:
    """Note the verdict on a deal, whose line has the reasons."""
    if data.get("deal") is not None:
        builder.put("deal_verdict", str(data["deal"]), {"ref": builder.ref})


def _begin_talk(builder: SceneBuilder) -> None:
    """End the period before a talk, if it was settled."""
    if builder.scene.get("run", SETTLED):
        end_episode(builder)


def _with_mark(builder: SceneBuilder, deal: Data, what: str, change: float) -> list[list[Any]]:
    """Return the marks in the life of a deal with a new one: [period, what, moment, number of the change]."""
    number = (builder.scene.get("run", PERIODS) or 0) + 1
    return [*deal.get("marks", ())[-MAX_MARKS + 1 :], [number, what, builder.now, change]]


def _amounts(due: Mapping[str, float], terms: Iterable[str]) -> str:
    return ", ".join(f"{due[term]:g} ({term})" for term in terms) or "nothing"


def _agreement(data: Data) -> str:
    return "contract" if data.get("deal") is None else f"deal {data['deal']}"
