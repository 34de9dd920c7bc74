"""Court of a council: applies the institutions of `contracts` to the actions of a harvested commons.

Entries of the kinds in `TOLD` are the court's inputs; all others follow from them. `audit` recomputes the latter from
a record, and must find the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from contracts.institutions import Court, Entry
from voyager_agents.commons_harvest import HarvestAct
from voyager_agents.generative.acts import read_act
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.generative.terms import TermScope, read_term

TOLD = ("council", "act", "deed", "round_over", "judged", "game_over")
"""Kinds of entries that are inputs of the court."""


class CouncilCourt(Court[HarvestAct]):
    """Court of one council."""

    def __init__(self, members: Sequence[str], scope: TermScope, settings: GenerativeSettings) -> None:
        super().__init__(
            members, partial(read_term, scope=scope), settings.institutions, written=_written, earned=_earned
        )
        self.scope = scope
        self.settings = settings

    def opening(self) -> Entry:
        """Return the first entry: members, scope of terms, and settings."""
        scope = {"players": list(self.scope.players), "trees": list(self.scope.trees)}
        return {
            "what": "council",
            "round": 0,
            "members": list(self.members),
            **scope,
            "settings": self.settings.to_dict(),
        }


def audit(entries: Iterable[Mapping[str, Any]]) -> list[Entry]:
    """Recompute all entries from the court's inputs among them. The result equals the entries of a correct record."""
    found: list[Entry] = []
    court: CouncilCourt | None = None
    deeds: list[HarvestAct] = []
    for entry in entries:
        match entry["what"]:
            case "council":
                settings = GenerativeSettings.from_mapping(entry["settings"])
                deeds = []
                court = CouncilCourt(
                    entry["members"], TermScope(tuple(entry["players"]), tuple(entry["trees"])), settings
                )
                # The entry is an input, and earlier versions had fewer settings.
                found.append(dict(entry))
            case "act" if court is not None:
                raw = {key: value for key, value in entry.items() if key not in ("what", "round", "player")}
                act = read_act(raw, court.settings.modules)
                found += court.hear(int(entry["round"]), str(entry["player"]), act)
            case "deed":
                deeds.append(read_deed(entry))
            case "round_over" if court is not None:
                found += court.judge(int(entry["round"]), deeds)
                deeds = []
            case "judged" if court is not None:
                found += court.rate(int(entry["round"]), str(entry["player"]), entry["score"], str(entry["why"]))
            case "game_over" if court is not None:
                found += court.close(int(entry["round"]))
    return found


def _written(deed: HarvestAct) -> Entry:
    return {**asdict(deed), "at": list(deed.at)}


def _earned(deed: HarvestAct) -> int:
    """Return the apples gained by an action: 1 for a take, 0 for any other action."""
    return int(deed.kind == "take")


def read_deed(entry: Mapping[str, Any]) -> HarvestAct:
    """Return the act of a `deed` entry."""
    raw = {key: value for key, value in entry.items() if key not in ("what", "round", "at")}
    return HarvestAct(at=(int(entry["at"][0]), int(entry["at"][1])), **raw)
