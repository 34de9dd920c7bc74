"""The court: what members do and what the world recorded goes in, entries come out. No model, no clock, no chance.

Some entries are what it was told (`TOLD`); all others follow from them, so a record can be gone through again and has
to give the same (`audit`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from voyager_agents.commons_harvest import Deed
from voyager_agents.errors import ReplyError
from voyager_agents.generative.accounts import Accounts
from voyager_agents.generative.acts import Accept, Act, Decline, Propose, Repeal, Rule, Vote, read_act
from voyager_agents.generative.agreements import Agreements, Entry
from voyager_agents.generative.constitution import Constitution
from voyager_agents.generative.reputation import Standing
from voyager_agents.generative.settings import GenerativeSettings
from voyager_agents.generative.terms import Scope

TOLD = ("council", "act", "deed", "round_over", "game_over")
"""Entries that are what the court was told."""


class Court:
    """Agreements, rules, accounts and reputation of one council."""

    def __init__(self, members: Sequence[str], scope: Scope, settings: GenerativeSettings) -> None:
        self.members = tuple(members)
        self.scope = scope
        self.settings = settings
        self.accounts = Accounts(self.members)
        self.agreements = Agreements(self.members, scope, settings)
        self.constitution = Constitution(self.members, scope, settings, self.accounts)
        self.standings = dict.fromkeys(self.members, Standing())
        self._handlers: dict[type[Act], Callable[[int, str, Any], list[Entry]]] = {
            Propose: self.agreements.propose,
            Accept: self.agreements.accept,
            Decline: self.agreements.decline,
            Rule: self.constitution.move,
            Repeal: self.constitution.repeal,
            Vote: self.constitution.vote,
        }

    def opening(self) -> Entry:
        """The first entry: who meets, about what, under which settings."""
        scope = {"players": list(self.scope.players), "trees": list(self.scope.trees)}
        return {
            "what": "council",
            "round": 0,
            "members": list(self.members),
            **scope,
            "settings": self.settings.plain(),
        }

    def hear(self, round: int, player: str, act: Act) -> list[Entry]:
        """One act of a member and what follows from it; what is not legal is refused and changes nothing."""
        entry: Entry = {"what": "act", "round": round, "player": player, **act.model_dump()}
        handler = self._handlers.get(type(act))
        if handler is None:
            return [entry]
        try:
            return [entry, *handler(round, player, act)]
        except ReplyError as error:
            return [entry, {"what": "refused", "round": round, "player": player, "act": act.act, "why": str(error)}]

    def judge(self, round: int, deeds: Sequence[Deed]) -> list[Entry]:
        """The end of a round: its deeds, and what follows from them."""
        told: list[Entry] = [{"what": "deed", "round": round, **asdict(deed), "at": list(deed.at)} for deed in deeds]
        for deed in deeds:
            if deed.kind == "take":
                self.accounts.earn(deed.player)
        judged = [*self.agreements.judge(round, deeds), *self.constitution.judge(round, deeds)]
        return [*told, {"what": "round_over", "round": round}, *judged, *self._reputation(round, judged)]

    def close(self, round: int) -> list[Entry]:
        """The end of the game."""
        judged = [*self.agreements.close(round), *self.constitution.close(round)]
        return [{"what": "game_over", "round": round}, *judged, *self._reputation(round, judged)]

    def _reputation(self, round: int, judged: Sequence[Entry]) -> list[Entry]:
        """The standings that these entries changed; public where reputation is switched on."""
        before = dict(self.standings)
        for entry in judged:
            if entry["what"] in ("kept", "broken"):
                player = str(entry["player"])
                self.standings[player] = self.standings[player].after(str(entry["what"]))
        if "reputation" not in self.settings.modules:
            return []
        return [
            {"what": "reputation", "round": round, "player": name, **asdict(standing), "score": standing.score}
            for name, standing in self.standings.items()
            if standing != before[name]
        ]


def audit(entries: Iterable[Mapping[str, Any]]) -> list[Entry]:
    """What follows, once more, from what the court was told in these entries. Equal to them if the record is true."""
    found: list[Entry] = []
    court: Court | None = None
    deeds: list[Deed] = []
    for entry in entries:
        match entry["what"]:
            case "council":
                settings = GenerativeSettings.from_mapping(entry["settings"])
                deeds = []
                court = Court(entry["members"], Scope(tuple(entry["players"]), tuple(entry["trees"])), settings)
                found.append(court.opening())
            case "act" if court is not None:
                raw = {key: value for key, value in entry.items() if key not in ("what", "round", "player")}
                act = read_act(raw, court.settings.modules)
                found += court.hear(int(entry["round"]), str(entry["player"]), act)
            case "deed":
                deeds.append(_deed(entry))
            case "round_over" if court is not None:
                found += court.judge(int(entry["round"]), deeds)
                deeds = []
            case "game_over" if court is not None:
                found += court.close(int(entry["round"]))
    return found


def _deed(entry: Mapping[str, Any]) -> Deed:
    raw = {key: value for key, value in entry.items() if key not in ("what", "round", "at")}
    return Deed(at=(int(entry["at"][0]), int(entry["at"][1])), **raw)
