"""Seven measures after MAgIC (arXiv 2311.08562), each a share of decisions of one kind, 0 to 1.

The paper's games are hidden roles by words, cost sharing, the prisoner's dilemma and public goods. In payoff games:

    judgement       stated beliefs about the partner's choice that were right. Paper: votes for the right suspect.
    reasoning       stated beliefs of first and second order that were right, together. In the paper: inferred roles of
                    the others, and inferred beliefs of the others, that were right.
    deception       decisions of a player that knew what the partner expected of it, and chose otherwise, of those in
                    which both were asked. In the paper: games that the hidden player survived. The measure is ours.
    self_awareness  choices that were a best reply to the player's own stated belief. In the paper: turns in which a
                    player knows its own role. The measure is ours.
    cooperation     rounds with the highest total payoff that is possible. In the paper: cost sharings that ended in
                    agreement.
    coordination    rounds in the player's best pure equilibrium, of those in any, where equilibria differ for it. In
                    the paper: agreements on the player's own proposal.
    rationality     choices that were a best reply to the others' choices in the round. In the paper: defections in the
                    prisoner's dilemma, which are such replies, and the lowest contribution of a round to public goods.

The last four need a normal form, and leave out rounds in which a stand-in chose.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from statistics import fmean

from dilemmas.scenarios.repeated_game.belief_cases import BeliefCase
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.normal_form import NormalForm, Place
from voyager_agents.stage_games.played import TOGETHER, Measures, joint_profiles, pure_equilibria
from voyager_agents.stage_games.solutions import form_of

PREFIX = "magic_"
NAMES = ("judgement", "reasoning", "deception", "self_awareness", "cooperation", "coordination", "rationality")
"""Names of the measures, in the order of the paper."""


class DecisionCounts:
    """Decisions of each kind, by player."""

    def __init__(self) -> None:
        self._found: dict[str, dict[str, list[float]]] = {name: {} for name in NAMES}

    def add(self, measure: str, player: str, holds: bool) -> None:
        """Count a decision."""
        self._found[measure].setdefault(player, []).append(float(holds))

    def shares(self) -> Measures:
        """Return PREFIX + measure -> player -> share of its decisions; without measures that have none."""
        kinds = {PREFIX + name: by for name, by in self._found.items() if by}
        return {name: {player: fmean(each) for player, each in by.items()} for name, by in kinds.items()}


def magic_measures(law: StageLaw, rounds: Sequence[dict[str, str]], cases: Iterable[BeliefCase]) -> Measures:
    """Return the measures of one game.

    Args:
        law: Law of the game.
        rounds: For each round, player -> its own choice, without choices of stand-ins.
        cases: Decisions with beliefs.
    """
    counts = DecisionCounts()
    game = form_of(law)
    for case in cases:
        _count_beliefs(counts, case)
        if isinstance(game, NormalForm) and case.own is not None and "partner_will" in case.beliefs:
            replies = _best_replies(game, case)
            counts.add("self_awareness", case.player, case.own in replies)
    if isinstance(game, NormalForm):
        _count_rounds(counts, law, game, joint_profiles(game, rounds))
    return counts.shares()


def _count_beliefs(counts: DecisionCounts, case: BeliefCase) -> None:
    for belief, right in case.truths():
        counts.add("reasoning", case.player, right)
        if belief == "partner_will":
            counts.add("judgement", case.player, right)
        elif case.own is not None:
            counts.add("deception", case.player, right and case.own != case.expected)


def _best_replies(game: NormalForm, case: BeliefCase) -> Sequence[str]:
    """Return the best replies of one of two players to the option that it expects."""
    player = game.players.index(case.player)
    believed = game.options[1 - player].index(case.beliefs["partner_will"])
    replies = game.best_replies((believed, believed), player)
    return [game.options[player][option] for option in replies]


def _count_rounds(counts: DecisionCounts, law: StageLaw, game: NormalForm, profiles: Sequence[Place]) -> None:
    best = max(sum(game.payoffs(profile), Fraction(0)) for profile in game.profiles)
    stable = [_of_each(game, game.payoffs(each)) for each in pure_equilibria(law)]
    for profile in profiles:
        paid = game.payoffs(profile)
        counts.add("cooperation", TOGETHER, sum(paid, Fraction(0)) == best)
        for place, player in enumerate(game.players):
            counts.add("rationality", player, profile[place] in game.best_replies(profile, place))
            own = {amount for each in stable for amount in each[place]}
            if len(own) > 1 and game.is_equilibrium(profile):
                counts.add("coordination", player, paid[place] == max(own))


def _of_each(game: NormalForm, payoffs: Sequence[Fraction]) -> list[Sequence[Fraction]]:
    """Return each player's payoffs in an equilibrium, with interchangeable players in all exchanges of them."""
    return [payoffs for _ in payoffs] if game.interchangeable else [(amount,) for amount in payoffs]
