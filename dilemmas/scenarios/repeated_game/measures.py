"""Measures of a repeated game, from the events of the last episode and the law of the game.

    cooperation      mean cooperativeness of a player's own choices, 0 to 1, over the rounds in which it chose
    per_round        mean payoff of a round
    captured         share of all payoffs, less an equal share; missing if the payoffs do not sum above 0
    reciprocity      how much more cooperative the player was after rounds in which the others' mean cooperation was at
                     least a half than after others, -1 to 1; missing if it has not seen both
    discrimination   the same by the image score of the partner: not below 0 against below
    image            image score at the end
    foresight        share of rounds in which the partner chose what the player expected, of those with such a belief
    reflection       share of rounds in which the partner expected of the player what the player thought it expects
    equilibria_exact, equilibria_whole
                     answers that name exactly the pure equilibria (`equilibrium_answers`)
    absent           choices that were not made in time; a stand-in chose, and no other measure of choices counts them

    Of all together, under the empty name:
    rounds           rounds played
    cooperation      mean over all choices
    mutual           share of rounds in which everybody was fully cooperative, of those without a stand-in
    efficiency       sum of payoffs over the best possible sum
    value_created    sum of payoffs beyond selfish play over the best possible sum beyond it
    inequality       Gini of the payoffs; missing if somebody lost

In a game with a stock (a common-pool resource) these besides, as GovSim has them (arXiv 2404.16698). There efficiency
is the sum of payoffs over that of the sustainable amount in all rounds that were planned, at most 1.
    survival         rounds before the stock collapsed; all rounds if it did not
    gain             mean total payoff of a player
    equality         1 - Gini of the payoffs
    over_usage       share of own choices above an equal share of the sustainable amount

With a council these besides (`dilemmas.scenarios.repeated_game.council_measures`):
    caps_agreed      share of councils that agreed on a cap
    cap              mean cap of the rounds in which one held
    cap_kept         share of a player's own choices in such rounds that were not above the cap
    cap_excess       mean amount that it took above the cap in such rounds

In a game whose round has a normal form these besides, as `voyager_agents.stage_games.played` defines them:
    best_response_gap, exploitability, correlated_gap, loyalty   of a player
    nash_gap, equilibrium_distance                               of all together

Trust as `voyager_agents.stage_games.trust` computes it, from the cooperativeness of choices:
    trust               trust in the other players at the end, 0 to 1, mean over them
    trust_reciprocity   share of choices after the first round that are as trust-gated reciprocity makes them, by the
                        others' mean cooperation in each round

Measures after MAgIC, `magic_judgement` to `magic_rationality`: `dilemmas.scenarios.repeated_game.magic`.

Value created and captured are the two sides of coopetition (Brandenburger and Nalebuff 1996; arXiv 2510.18802).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import fmean

from contracts.markets.measures import gini
from dilemmas.records.events import EpisodeStarted, GameBegun, LogLine, OptionChosen, RoundPlayed
from dilemmas.scenarios.protocol import COUNT, SHARE, ValueBounds
from dilemmas.scenarios.repeated_game.belief_cases import belief_cases
from dilemmas.scenarios.repeated_game.council_measures import council_measures
from dilemmas.scenarios.repeated_game.equilibrium_answers import answer_measures
from dilemmas.scenarios.repeated_game.magic import NAMES, PREFIX, magic_measures
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.played import play_measures
from voyager_agents.stage_games.trust import TrustState, dependence_of

TOGETHER = ""
"""Name under which measures of all players together stand."""
ROLE = " of "
ACCURACY = {"partner_will": "foresight", "partner_expects": "reflection"}
"""Belief -> measure of its accuracy."""
MEANS = (
    "reciprocity", "discrimination", "foresight", "reflection", "best_response_gap", "exploitability",
    "correlated_gap", "loyalty", "trust", "trust_reciprocity", "cap_kept", "cap_excess",
    "equilibria_exact", "equilibria_whole",
    *(PREFIX + name for name in NAMES),
)  # fmt: skip
"""Measures of players whose value of a run is the mean over players."""
BOUNDS: Mapping[str, ValueBounds] = {
    **dict.fromkeys(("absent", "rounds", "survival", "cap", "cap_excess", "best_response_gap"), COUNT),
    **dict.fromkeys(("exploitability", "correlated_gap", "nash_gap"), COUNT),
    **dict.fromkeys(("cooperation", "foresight", "reflection", "mutual", "inequality", "over_usage"), SHARE),
    **dict.fromkeys(("caps_agreed", "cap_kept", "equilibria_exact", "equilibria_whole", "loyalty"), SHARE),
    **dict.fromkeys(("trust", "trust_reciprocity", "equilibrium_distance", *(PREFIX + name for name in NAMES)), SHARE),
    **dict.fromkeys(("reciprocity", "discrimination"), (-1, 1)),
    **dict.fromkeys(("efficiency", "equality"), (None, 1)),
}
"""Least and most possible values; other measures are in units of the payoffs, which may be negative."""


@dataclass
class LastGame:
    """The last game of a log."""

    begun: GameBegun | None = None
    rounds: list[RoundPlayed] = field(default_factory=list)
    decisions: list[OptionChosen] = field(default_factory=list)
    """Decisions with beliefs or equilibria."""

    def add_event(self, event: object) -> None:
        """Add an event of the log."""
        match event:
            case EpisodeStarted():
                self.begun, self.rounds, self.decisions = None, [], []
            case GameBegun():
                self.begun, self.rounds, self.decisions = event, [], []
            case RoundPlayed():
                self.rounds.append(event)
            case OptionChosen() if event.beliefs or event.equilibria is not None:
                self.decisions.append(event)


def measures(lines: Iterable[LogLine], law: StageLaw) -> dict[str, dict[str, float]]:
    """Return measure -> player (or the empty name) -> value, of the last game in these lines."""
    played = LastGame()
    for line in lines:
        played.add_event(line.event)
    if played.begun is None or not played.rounds:
        return {}
    found = game_measures(played.begun, played.rounds)
    chosen = [own_choices(each) for each in played.rounds]
    believed = [each for each in played.decisions if each.beliefs]
    cases = list(belief_cases(played.begun, played.rounds, believed))
    found |= play_measures(law, chosen) | trust_measures(law, played.rounds)
    found |= belief_measures(played.begun, played.rounds, believed)
    found |= answer_measures(law, played.rounds, played.decisions)
    found |= council_measures(law, played.rounds)
    return found | magic_measures(law, chosen, cases)


def trust_measures(law: StageLaw, rounds: Sequence[RoundPlayed]) -> dict[str, dict[str, float]]:
    """Return the trust in the others at the end, and the share of choices as trust-gated reciprocity makes them."""
    found: dict[str, dict[str, float]] = {}
    for player in rounds[0].payoffs:
        dependence = dependence_of(law, player)
        group = TrustState(dependence)
        others = {name: TrustState(dependence) for name in rounds[0].payoffs if name != player}
        agreed = []
        for each in rounds:
            if group.seen and player in each.cooperation:
                agreed.append(float((each.cooperation[player] >= 0.5) == group.cooperates()))
            rates = {name: rate for name, rate in each.cooperation.items() if name != player}
            for name, rate in rates.items():
                others[name].observe(rate)
            if rates:
                group.observe(fmean(rates.values()))
        if known := [each.value for each in others.values() if each.seen]:
            found.setdefault("trust", {})[player] = fmean(known)
        if agreed:
            found.setdefault("trust_reciprocity", {})[player] = fmean(agreed)
    return found


def own_choices(played: RoundPlayed) -> dict[str, str]:
    """Return player -> its choice in the last stage in which it had one, without choices of stand-ins."""
    found: dict[str, str] = {}
    for stage, choices in enumerate(played.choices):
        others = played.absent[stage] if played.absent else ()
        found |= {player: option for player, option in choices.items() if player not in others}
    return found


def game_measures(begun: GameBegun, rounds: Sequence[RoundPlayed]) -> dict[str, dict[str, float]]:
    """Return the measures of one game."""
    players = list(rounds[0].payoffs)
    sums = {player: sum(each.payoffs[player] for each in rounds) for player in players}
    total = sum(sums.values())
    found: dict[str, dict[str, float]] = {
        "cooperation": _means(rounds, players),
        "per_round": {player: amount / len(rounds) for player, amount in sums.items()},
        "captured": {player: amount / total - 1 / len(players) for player, amount in sums.items()} if total > 0 else {},
        "reciprocity": _differences({player: _after(rounds, player) for player in players}),
        "discrimination": _differences({player: _by_image(rounds, player) for player in players}),
        "image": {player: float(score) for player, score in rounds[-1].images.items()},
        "absent": {
            player: float(sum(player in stage for each in rounds for stage in each.absent)) for player in players
        },
    }
    for name, value in _together(begun, rounds, sums).items():
        found.setdefault(name, {})[TOGETHER] = value
    return {name: values for name, values in found.items() if values}


def belief_measures(
    begun: GameBegun, rounds: Sequence[RoundPlayed], decisions: Sequence[OptionChosen]
) -> dict[str, dict[str, float]]:
    """Return the accuracy of beliefs in a game of two players; empty without beliefs.

    Args:
        begun: Definition of the game.
        rounds: Rounds of the game.
        decisions: Decisions with beliefs.
    """
    found: dict[str, dict[str, list[float]]] = {}
    for case in belief_cases(begun, rounds, decisions):
        for belief, right in case.truths():
            found.setdefault(ACCURACY[belief], {}).setdefault(case.player, []).append(float(right))
    return {name: {player: fmean(each) for player, each in by.items()} for name, by in found.items()}


def _means(rounds: Sequence[RoundPlayed], players: Sequence[str]) -> dict[str, float]:
    rates = {player: [each.cooperation[player] for each in rounds if player in each.cooperation] for player in players}
    return {player: fmean(each) for player, each in rates.items() if each}


def _together(begun: GameBegun, rounds: Sequence[RoundPlayed], sums: dict[str, float]) -> dict[str, float]:
    rates = [rate for each in rounds for rate in each.cooperation.values()]
    # Records of earlier versions count the default of an absent player as its choice.
    said = [each for each in rounds if each.cooperation and not any(each.stood_in)]
    per_round = sum(sums.values()) / len(rounds)
    found = {"rounds": float(len(rounds))}
    if rates:
        found["cooperation"] = fmean(rates)
    if said:
        found["mutual"] = fmean(float(all(rate == 1 for rate in each.cooperation.values())) for each in said)
    if begun.best > 0:
        found["efficiency"] = per_round / begun.best
    if begun.best > begun.selfish:
        found["value_created"] = (per_round - begun.selfish) / (begun.best - begun.selfish)
    if min(sums.values()) >= 0 and sum(sums.values()) > 0:
        found["inequality"] = gini(list(sums.values())) or 0.0
    return found | _of_stock(begun, rounds, sums) if rounds[0].state else found


def _of_stock(begun: GameBegun, rounds: Sequence[RoundPlayed], sums: dict[str, float]) -> dict[str, float]:
    """Return GovSim's measures of a game with a stock."""
    total = sum(sums.values())
    rates = [rate for each in rounds for rate in each.cooperation.values()]
    found = {"survival": float(len(rounds)), "gain": total / len(sums)}
    if begun.best > 0:
        found["efficiency"] = min(1.0, total / (begun.best * begun.rounds))
    if total > 0:
        found["equality"] = 1 - (gini(list(sums.values())) or 0.0)
    if rates:
        found["over_usage"] = fmean(float(rate < 1) for rate in rates)
    return found


def _after(rounds: Sequence[RoundPlayed], player: str) -> tuple[list[float], list[float]]:
    """Return a player's cooperation after rounds in which the others' mean was at least 0.5, and after others."""
    good: list[float] = []
    bad: list[float] = []
    for before, now in pairwise(rounds):
        others = [rate for name, rate in before.cooperation.items() if name != player]
        if others and player in now.cooperation:
            (good if fmean(others) >= 0.5 else bad).append(now.cooperation[player])
    return good, bad


def _by_image(rounds: Sequence[RoundPlayed], player: str) -> tuple[list[float], list[float]]:
    """Return a player's cooperation with partners whose image score was not below 0, and with others."""
    good: list[float] = []
    bad: list[float] = []
    images: dict[str, int] = {}
    for each in rounds:
        partner = each.roles.get(player, "").rpartition(ROLE)[2]
        if each.images and player in each.cooperation and partner in each.payoffs:
            (good if images.get(partner, 0) >= 0 else bad).append(each.cooperation[player])
        images = each.images
    return good, bad


def _differences(groups: dict[str, tuple[list[float], list[float]]]) -> dict[str, float]:
    return {player: fmean(good) - fmean(bad) for player, (good, bad) in groups.items() if good and bad}
