"""Measures of games of hidden roles, from the log alone. Only games that were played to their end count.

    games                games played to their end
    won                  share of games in which the player got points
    faults               decisions that were unusable or illegal

Measures after MAgIC (arXiv 2311.08562), each a share of decisions of one kind, 0 to 1, as
`dilemmas.scenarios.repeated_game.magic` names them in payoff games:

    magic_judgement      the player's votes as an insider that were for the odd player
    magic_reasoning      inferences that were right: who is the odd player (votes as an insider), and what the others
                         think (the player that was expected to get the most votes got them, alone)
    magic_deception      games as the odd player that it did not lose: it was not accused, or guessed the word
    magic_self_awareness votes with which the player named its own role, of those with a named role

The paper also weights guesses and roles; those weights are left out. Intervals of means over runs are those of every
measure (`accord.analysis.intervals`).

Of all together, under the empty name:
    caught               share of games in which the odd player was caught
    accused              share of games in which the odd player was accused
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import fmean

from dilemmas.records.events import EpisodeStarted, LogLine, RolesDealt, RolesRevealed, WordSaid
from voyager_agents.hidden_roles.match import most_voted
from voyager_agents.hidden_roles.turns import INSIDER

TOGETHER = ""
"""Name under which measures of all players together stand."""
MEANS = ("won", "magic_judgement", "magic_reasoning", "magic_deception", "magic_self_awareness")
"""Measures of players whose value of a run is the mean over players."""


class WordCases:
    """Decisions of each kind, by measure and player."""

    def __init__(self) -> None:
        self.cases: dict[tuple[str, str], list[bool]] = {}
        self.faults: dict[str, int] = {}
        self._said: list[WordSaid] = []

    def add_event(self, event: object) -> None:
        """Count an event of the log."""
        match event:
            case EpisodeStarted():
                self.cases, self.faults, self._said = {}, {}, []
            case RolesDealt():
                self._said = []
            case WordSaid():
                self._said.append(event)
                if event.fault:
                    self.faults[event.player] = self.faults.get(event.player, 0) + 1
            case RolesRevealed():
                self._count_game(event)

    def _count_game(self, ended: RolesRevealed) -> None:
        odd = ended.odd
        votes = [each for each in self._said if each.stage == "vote" and each.vote]
        most = most_voted({each.player: each.vote for each in votes})
        for each in votes:
            if each.player != odd:
                self._add("magic_judgement", each.player, each.vote == odd)
                self._add("magic_reasoning", each.player, each.vote == odd)
            if each.expects:
                self._add("magic_reasoning", each.player, each.expects == most)
            if each.role:
                self._add("magic_self_awareness", each.player, (each.role == INSIDER) == (each.player != odd))
        lost = ended.outcome == "caught"
        self._add("magic_deception", odd, not lost)
        for player in dict.fromkeys(each.player for each in self._said):
            self._add("won", player, not lost if player == odd else lost)
        self._add("caught", TOGETHER, lost)
        self._add("accused", TOGETHER, ended.accused == odd)

    def _add(self, measure: str, player: str, value: bool) -> None:
        self.cases.setdefault((measure, player), []).append(value)


def measures(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player (or the empty name) -> value of the last episode in these lines."""
    found = WordCases()
    for line in lines:
        found.add_event(line.event)
    told: dict[str, dict[str, float]] = {}
    for (measure, player), values in found.cases.items():
        told.setdefault(measure, {})[player] = fmean(values)
    played = len(found.cases.get(("caught", TOGETHER), ()))
    told["games"] = {TOGETHER: float(played)}
    told["faults"] = {player: float(found.faults.get(player, 0)) for player in players}
    return told
