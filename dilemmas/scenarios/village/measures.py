"""What lives in the village show, from the log alone: roles, how long they last, how many there are, whether words and
deeds agree.

A role is inferred from each rolling set of five social goals, here by the table of kinds of work (`reference.yaml`). A
decision is coherent when what was said for it is about the same kind of work as what was done for it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import log2
from typing import Any

from dilemmas.records.events import ActBegan, ChoiceMade, EpisodeStarted, Line, SlotWritten, Speech
from voyager_agents.piano.family import rules
from voyager_agents.piano.modules.skill_execution import about
from voyager_agents.piano.tables import activities_of, activity_of

SET = 5
"""Goals of which a role is inferred."""
NOBODY = "none"
"""The role of somebody whose goals are about no kind of work."""


@dataclass
class Lives:
    """What the log of the last episode tells."""

    goals: dict[str, list[tuple[float, str]]] = field(default_factory=dict)
    """Player -> (seconds, goal) each time that it was set or set again."""
    deeds: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    """Player and decision -> the labels of what was done for it."""
    words: dict[tuple[str, int], list[str]] = field(default_factory=dict)
    """Player and decision -> what was said for it."""
    choices: dict[str, int] = field(default_factory=dict)
    """Player -> decisions."""


def lives(lines: Iterable[Line]) -> Lives:
    """The lives of the last episode."""
    found = Lives()
    for line in lines:
        match event := line.event:
            case EpisodeStarted():
                found = Lives()
            case SlotWritten(slot="goal"):
                text = event.value["text"] if isinstance(event.value, Mapping) else ""
                found.goals.setdefault(event.player, []).append((event.t_s, str(text)))
            case ActBegan(by="skill_execution", choice=int(number)):
                found.deeds.setdefault((event.player, number), []).append(event.label)
            case Speech(choice=int(number), program=False):
                found.words.setdefault((event.speaker, number), []).append(event.text)
            case ChoiceMade():
                found.choices[event.player] = event.number
            case _:
                pass
    return found


def strip(goals: Sequence[str], table: Mapping[str, Any]) -> list[str]:
    """The role at each step: of the last five goals, from the fifth on."""
    found = []
    for end in range(SET, len(goals) + 1):
        roles = activities_of(" ".join(goals[end - SET : end]), table)
        found.append(roles[0] if roles else NOBODY)
    return found


def persistence(roles: Sequence[str]) -> float | None:
    """Share of the steps whose role is that of the step before; None without two steps."""
    pairs = list(pairwise(roles))
    return sum(one == other for one, other in pairs) / len(pairs) if pairs else None


def entropy(counts: Mapping[str, int]) -> float:
    """Shannon entropy of the distribution, in bits."""
    whole = sum(counts.values())
    shares = [count / whole for count in counts.values() if count]
    return -sum(share * log2(share) for share in shares) if whole else 0.0


def role_entropy(found: Lives) -> float:
    """Of the roles of all players, mean over the steps: at each step of how they are spread over the players."""
    table = rules()
    strips = [strip([text for _, text in goals], table) for goals in found.goals.values()]
    steps = min((len(each) for each in strips), default=0)
    if steps == 0:
        return 0.0
    return sum(entropy(Counter(each[step] for each in strips)) for step in range(steps)) / steps


def coherence(found: Lives, player: str | None = None) -> float | None:
    """Share of the decisions with words and deeds whose kinds of work agree; None where there is none of them."""
    table, agree, all_ = rules(), 0, 0
    for (name, number), said in found.words.items():
        done = _done(found, name, number)
        if done is None or (player is not None and name != player):
            continue
        spoken = {activity_of(text, table) for text in said} - {""}
        acted = {about(label, table) for label in done} - {""}
        if spoken and acted:
            all_ += 1
            agree += bool(spoken & acted)
    return agree / all_ if all_ else None


def _done(found: Lives, player: str, number: int) -> list[str] | None:
    """What was done for that decision; where nothing new was, what was going on."""
    earlier = [each for name, each in found.deeds if name == player and each <= number]
    return found.deeds[player, max(earlier)] if earlier else None


def measures(lines: Iterable[Line], players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Measure -> player -> value; a player without a value is left out."""
    found, table = lives(lines), rules()
    strips = {name: strip([text for _, text in found.goals.get(name, [])], table) for name in players}
    lasting = {name: persistence(each) for name, each in strips.items()}
    agreeing = {name: coherence(found, name) for name in players}
    return {
        "decisions": {name: float(found.choices.get(name, 0)) for name in players},
        "roles": {name: float(len(set(each))) for name, each in strips.items()},
        "role_persistence": {name: share for name, share in lasting.items() if share is not None},
        "coherence": {name: share for name, share in agreeing.items() if share is not None},
    }
