"""Strategies for repeated games: pure functions of what is shown, a memory without state, and a source of chance.

    always-cooperate          its most cooperative option, always
    always-defect             its most selfish option, always (in public goods: the free rider)
    tit-for-tat               cooperates first, then as cooperatively as its partner did last
    suspicious-tit-for-tat    the same, but defects first
    generous-tit-for-tat      tit for tat that forgives by chance, as often as it can afford
    tit-for-two-tats          defects only after two defections in a row
    win-stay-lose-shift       repeats a choice that won, changes one that did not (Pavlov)
    grim                      cooperates until its partner has defected once
    alternator                cooperates and defects in turns
    random                    any of its options, with equal chances
    best-reply                what would have been best against the others' last choices
    mixed-equilibrium         draws from a Nash equilibrium in mixed strategies of the table
    conditional-cooperator    gives what the others gave on average, begins with most; in pairs as tit for tat
    punisher                  gives most, and punishes who gave least if it was less than its own gift
    discriminator             helps those whose image score is not below 0
    fair-proposer             offers and returns half, trusts, and rejects less than three tenths
    reference                 cooperates under a contract that makes it pay, else defects

A choice that a strategy says nothing of is its cooperative one, for those that begin so, else its selfish one. "As
cooperatively" is the option nearest to it in cooperation, or the same one where there is the same.
Sources: Axelrod (1984); Nowak and Sigmund (1992, 1993, 1998); Fischbacher, Gaechter and Fehr (2001); Fehr and Gaechter
(2000).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from voyager_agents.stage_games.equilibria import Mixture, mixed, table_of
from voyager_agents.stage_games.exchanges import ACCEPT, REJECT, RESPONDER, Ultimatum, amount_of
from voyager_agents.stage_games.groups import NOBODY, PUNISH, PublicGoods, gift_of
from voyager_agents.stage_games.laws import StageLaw
from voyager_agents.stage_games.match import PlayedRound
from voyager_agents.stage_games.tables import Matrix
from voyager_agents.stage_games.turns import StageTurn

Strategy = Callable[[StageTurn, random.Random], str]
"""Strategy: the turn and a source of chance -> an option."""
FAIR = Fraction(3, 10)
"""The part of the pie below which a fair proposer rejects."""
GENEROUS = Fraction(1, 3)
"""Probability of forgiving, where the table does not say."""


def kind(turn: StageTurn, draw: random.Random) -> str:
    """Return the most cooperative option."""
    return turn.law.kind(turn.stage, turn.player, turn.roles)


def selfish(turn: StageTurn, draw: random.Random) -> str:
    """Return the most selfish option."""
    return turn.law.selfish(turn.stage, turn.player, turn.roles)


def tit_for_tat(turn: StageTurn, draw: random.Random) -> str:
    """Cooperate as much as the partner did last; fully at first."""
    last = _met(turn, 1)
    return _as_cooperative(turn, *last[-1]) if last else kind(turn, draw)


def suspicious(turn: StageTurn, draw: random.Random) -> str:
    """Tit for tat that defects at first."""
    return tit_for_tat(turn, draw) if _met(turn, 1) else selfish(turn, draw)


def generous(turn: StageTurn, draw: random.Random) -> str:
    """Tit for tat that forgives a defection by chance."""
    option = tit_for_tat(turn, draw)
    if option == kind(turn, draw):
        return option
    return kind(turn, draw) if draw.random() < generosity(turn.law) else option


def two_tats(turn: StageTurn, draw: random.Random) -> str:
    """Defect after two defections in a row."""
    last = _met(turn, 2)
    if len(last) == 2 and all(_defected(turn.law, *each) for each in last):
        return selfish(turn, draw)
    return kind(turn, draw)


def win_stay(turn: StageTurn, draw: random.Random) -> str:
    """Repeat a choice that won: stay after a cooperative choice of the partner, else change."""
    own = _own(turn)
    met = _met(turn, 1)
    if own is None or not met:
        return kind(turn, draw)
    cooperated = own == kind(turn, draw)
    won = not _defected(turn.law, *met[-1])
    return kind(turn, draw) if cooperated == won else selfish(turn, draw)


def grim(turn: StageTurn, draw: random.Random) -> str:
    """Never forgives."""
    return selfish(turn, draw) if any(_defected(turn.law, *each) for each in _met(turn)) else kind(turn, draw)


def alternator(turn: StageTurn, draw: random.Random) -> str:
    """Cooperate in odd rounds."""
    return kind(turn, draw) if turn.round % 2 else selfish(turn, draw)


def anything(turn: StageTurn, draw: random.Random) -> str:
    """By chance."""
    return draw.choice(turn.options)


def best_reply(turn: StageTurn, draw: random.Random) -> str:
    """Play the best answer to the others' last choices; the selfish option without any."""
    last = next((each for each in reversed(turn.history) if each.roles == turn.roles), None)
    if last is None or turn.player not in last.choices[turn.stage]:
        return selfish(turn, draw)

    def paid(option: str) -> Fraction:
        replaced = [dict(stage) for stage in last.choices]
        replaced[turn.stage][turn.player] = option
        for stage, choices in enumerate(turn.choices):
            replaced[stage] = dict(choices)
        return turn.law.payoffs(turn.roles, tuple(replaced))[turn.player]

    return max(turn.options, key=paid)


def mixing(turn: StageTurn, draw: random.Random) -> str:
    """Draw from a mixed equilibrium of the table; the selfish option where there is no table."""
    if not isinstance(turn.law, Matrix):
        return selfish(turn, draw)
    place = turn.law.players.index(turn.player)
    weights = _drawn(turn.law)[place]
    return draw.choices(turn.options, [float(weight) for weight in weights])[0]


def conditional(turn: StageTurn, draw: random.Random) -> str:
    """Give the others' average gift, rounded down to a possible one."""
    law = turn.law
    if not isinstance(law, PublicGoods):
        return tit_for_tat(turn, draw)
    if turn.stage or not turn.history:
        return kind(turn, draw)
    others = [gift_of(option) for player, option in turn.history[-1].choices[0].items() if player != turn.player]
    mean = Fraction(sum(others), len(others))
    return f"give_{max((gift for gift in law.gifts if gift <= mean), default=law.gifts[0])}"


def punisher(turn: StageTurn, draw: random.Random) -> str:
    """Give most; punishes who gave least, if that is less than its own gift; of several the first of the players."""
    if not isinstance(turn.law, PublicGoods) or turn.stage == 0:
        return kind(turn, draw)
    gifts = {player: gift_of(option) for player, option in turn.choices[0].items()}
    own = gifts.pop(turn.player)
    lowest = min(gifts, key=lambda player: gifts[player])
    return f"{PUNISH}{lowest.lower()}" if gifts[lowest] < own else NOBODY


def discriminator(turn: StageTurn, draw: random.Random) -> str:
    """Help players with an image that is not below 0."""
    return kind(turn, draw) if turn.images.get(turn.role.partner, 0) >= 0 else selfish(turn, draw)


def fair(turn: StageTurn, draw: random.Random) -> str:
    """Half, and no less than three tenths is accepted."""
    if isinstance(turn.law, Ultimatum) and turn.role.name == RESPONDER:
        offer = amount_of(turn.choices[0][turn.role.partner])
        return ACCEPT if offer >= FAIR * turn.law.pie else REJECT
    return kind(turn, draw)


STRATEGIES: Mapping[str, Strategy] = {
    "reference": selfish,
    "always-cooperate": kind,
    "always-defect": selfish,
    "tit-for-tat": tit_for_tat,
    "suspicious-tit-for-tat": suspicious,
    "generous-tit-for-tat": generous,
    "tit-for-two-tats": two_tats,
    "win-stay-lose-shift": win_stay,
    "grim": grim,
    "alternator": alternator,
    "random": anything,
    "best-reply": best_reply,
    "mixed-equilibrium": mixing,
    "free-rider": selfish,
    "conditional-cooperator": conditional,
    "punisher": punisher,
    "discriminator": discriminator,
    "fair-proposer": fair,
}
"""Name -> strategy; the first is usual."""


def generosity(law: StageLaw) -> Fraction:
    """Return the chance with which generous tit for tat forgives: min(1 - (T - R) / (R - S), (R - P) / (T - P))."""
    if not isinstance(law, Matrix):
        return GENEROUS
    good, bad = law.cooperative, law.uncooperative
    r, s = law.cell(*good)[0], law.cell(good[0], bad[1])[0]
    t, p = law.cell(bad[0], good[1])[0], law.cell(*bad)[0]
    if r == s or t == p:
        return GENEROUS
    return max(Fraction(0), min(Fraction(1), 1 - (t - r) / (r - s), (r - p) / (t - p)))


@cache
def _drawn(law: Matrix) -> tuple[Mixture, Mixture]:
    """Return the last of its equilibria: a mixed one where there is one."""
    return mixed(table_of(law))[-1]


def _met(turn: StageTurn, most: int = 0) -> list[tuple[str, str, int, PlayedRound]]:
    """(player, option, stage, round) of the last so many choices by whom it deals with, oldest first; 0: of all.

    In pairs those of the partner; where all deal with all, of everybody else, and `most` counts rounds. A second mover
    answers the choice that it sees.
    """
    found: list[tuple[str, str, int, PlayedRound]] = []
    rounds = turn.history
    if turn.stage:
        now = PlayedRound(turn.round, turn.roles, turn.choices, {})
        rounds = (*rounds, now)
    counted = 0
    for played in reversed(rounds):
        own = [
            (player, option, stage, played)
            for stage, choices in enumerate(played.choices)
            for player, option in choices.items()
            if player != turn.player
            and turn.role.partner in ("", player)
            and turn.law.cooperation(stage, player, option, played.roles) is not None
        ]
        found += reversed(own)
        counted += bool(own)
        if most and counted >= most:
            break
    found.reverse()
    return found


def _own(turn: StageTurn) -> str | None:
    """Return its own last choice of this kind."""
    for played in reversed(turn.history):
        choices = played.choices[turn.stage] if turn.stage < len(played.choices) else {}
        if turn.player in choices:
            return choices[turn.player]
    return None


def _defected(law: StageLaw, player: str, option: str, stage: int, played: PlayedRound) -> bool:
    """Return whether that choice was less than half cooperative."""
    cooperation = law.cooperation(stage, player, option, played.roles)
    return cooperation is not None and cooperation < Fraction(1, 2)


def _as_cooperative(turn: StageTurn, player: str, option: str, stage: int, played: PlayedRound) -> str:
    """Return the own option nearest to that one: the same, else the nearest in cooperation."""
    if option in turn.options and stage == turn.stage:
        return option
    wanted = turn.law.cooperation(stage, player, option, played.roles)
    rated = [(each, turn.law.cooperation(turn.stage, turn.player, each, turn.roles)) for each in turn.options]
    known = [(abs(rate - wanted), each) for each, rate in rated if rate is not None and wanted is not None]
    return min(known)[1] if known else turn.law.kind(turn.stage, turn.player, turn.roles)
