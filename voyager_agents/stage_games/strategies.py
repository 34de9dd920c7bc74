"""Strategies for repeated games: pure functions of a turn, which includes the history, and a random generator.

    always-cooperate          always chooses its most cooperative option
    always-defect             always chooses its most selfish option (`free-rider` in public goods)
    tit-for-tat               cooperates first, then matches its partner's last choice
    suspicious-tit-for-tat    tit for tat that defects first
    generous-tit-for-tat      tit for tat that forgives a defection with a probability (see `generosity`)
    tit-for-two-tats          defects only after two defections in a row
    win-stay-lose-shift       repeats a choice after its partner cooperated, else switches (Pavlov)
    grim                      cooperates until its partner has defected once
    alternator                cooperates in odd rounds, defects in even rounds
    random                    draws uniformly among its options
    best-reply                best response to the others' last choices
    mixed-equilibrium         draws from a mixed Nash equilibrium of the table, or of alike players with two options
    subgame-perfect           plays the choice of backward induction over one round, from the choices that it has seen
    conditional-cooperator    contributes the others' last average, at first the maximum; in pairs as tit for tat
    punisher                  contributes the maximum, and punishes the lowest contributor below its own contribution
    discriminator             helps recipients with an image score of at least 0, or in good standing
    fair-proposer             offers and returns half, sends the maximum, rejects less than three tenths of the pie
    trust-gated               reciprocates the last three rounds as far as its trust goes (`trust`)
    loyal                     best response to the others' last choices, with their payoffs weighted by 4/5 (`loyalty`)
    saboteur                  leaves the others least, against their last choices; selfish at first
    cap-keeper                in a council proposes and accepts sustainable caps, and takes what the cap allows; without
                              a cap the largest amount (`councils`)
    cap-breaker               as cap-keeper in the council, but always takes the largest amount
    payoff-dominant           plays its part of the pure equilibrium of one round that pays all together most
    reference                 cooperates under a contract that makes cooperation pay; with a mediator or commitments
                              plays as payoff-dominant; else defects

In games that a strategy does not cover it chooses its cooperative option if it starts cooperatively, else its selfish
one. To match a choice is to choose the same option, or the option with the nearest cooperation rate.
Sources: Axelrod (1984); Nowak and Sigmund (1992, 1993, 1998); Fischbacher, Gaechter and Fehr (2001); Fehr and Gaechter
(2000).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache

from voyager_agents.stage_games.councils import ACCEPT as COUNCIL_ACCEPT
from voyager_agents.stage_games.councils import PROPOSAL, TAKING, CouncilLaw
from voyager_agents.stage_games.councils import REJECT as COUNCIL_REJECT
from voyager_agents.stage_games.derived import DerivedLaw, DerivedMatrix
from voyager_agents.stage_games.donations import Donations
from voyager_agents.stage_games.equilibria import Mixture, mixed, table_of
from voyager_agents.stage_games.exchanges import ACCEPT, REJECT, RESPONDER, Ultimatum, amount_of
from voyager_agents.stage_games.formula_law import FormulaLaw
from voyager_agents.stage_games.group_theory import mixed_equilibria
from voyager_agents.stage_games.groups import NOBODY, PUNISH, PublicGoods, gift_of
from voyager_agents.stage_games.induction import UnsolvedError, subgame_perfect
from voyager_agents.stage_games.laws import Choices, RoundRole, StageLaw
from voyager_agents.stage_games.loyalty import valued
from voyager_agents.stage_games.match import PlayedRound, exact_cooperation
from voyager_agents.stage_games.solutions import form_of
from voyager_agents.stage_games.tables import Matrix
from voyager_agents.stage_games.trust import TrustState, dependence_of
from voyager_agents.stage_games.turns import StageTurn

Strategy = Callable[[StageTurn, random.Random], str]
"""Function of a turn and a random generator that returns one of the turn's options."""
FAIR = Fraction(3, 10)
"""Share of the pie below which `fair-proposer` rejects an offer."""
GENEROUS = Fraction(1, 3)
"""Probability of forgiving in games without a table, or with a degenerate one."""


def kind(turn: StageTurn, draw: random.Random) -> str:
    """Return the most cooperative option."""
    return turn.law.kind(turn.stage, turn.player, turn.roles)


def selfish(turn: StageTurn, draw: random.Random) -> str:
    """Return the most selfish option."""
    return turn.law.selfish(turn.stage, turn.player, turn.roles)


def tit_for_tat(turn: StageTurn, draw: random.Random) -> str:
    """Match the partner's last choice; cooperate fully at first."""
    last = _met(turn, 1)
    return _as_cooperative(turn, *last[-1]) if last else kind(turn, draw)


def suspicious(turn: StageTurn, draw: random.Random) -> str:
    """Play tit for tat, but defect at first."""
    return tit_for_tat(turn, draw) if _met(turn, 1) else selfish(turn, draw)


def generous(turn: StageTurn, draw: random.Random) -> str:
    """Play tit for tat, but forgive a defection with the probability from `generosity`."""
    option = tit_for_tat(turn, draw)
    if option == kind(turn, draw):
        return option
    return kind(turn, draw) if draw.random() < generosity(turn.law) else option


def two_tats(turn: StageTurn, draw: random.Random) -> str:
    """Defect after two defections in a row, else cooperate."""
    last = _met(turn, 2)
    if len(last) == 2 and all(_defected(turn.law, *each) for each in last):
        return selfish(turn, draw)
    return kind(turn, draw)


def win_stay(turn: StageTurn, draw: random.Random) -> str:
    """Repeat the last choice if the partner cooperated, else switch."""
    own = _own(turn)
    met = _met(turn, 1)
    if own is None or not met:
        return kind(turn, draw)
    cooperated = own == kind(turn, draw)
    won = not _defected(turn.law, *met[-1])
    return kind(turn, draw) if cooperated == won else selfish(turn, draw)


def grim(turn: StageTurn, draw: random.Random) -> str:
    """Cooperate until the partner has defected once, then defect forever."""
    return selfish(turn, draw) if any(_defected(turn.law, *each) for each in _met(turn)) else kind(turn, draw)


def alternator(turn: StageTurn, draw: random.Random) -> str:
    """Cooperate in odd rounds, defect in even ones."""
    return kind(turn, draw) if turn.round % 2 else selfish(turn, draw)


def anything(turn: StageTurn, draw: random.Random) -> str:
    """Draw an option uniformly."""
    return draw.choice(turn.options)


def best_reply(turn: StageTurn, draw: random.Random) -> str:
    """Choose the best response to the others' choices in the last round with the same roles, else be selfish."""
    last = _last_alike(turn)
    if last is None:
        return selfish(turn, draw)
    return max(turn.options, key=lambda option: _paid_again(turn, last, option)[turn.player])


def _last_alike(turn: StageTurn) -> PlayedRound | None:
    """Return the last round with the same roles, if the player chose in this stage of it."""
    last = next((each for each in reversed(turn.history) if each.roles == turn.roles), None)
    return None if last is None or turn.player not in last.choices[turn.stage] else last


def _paid_again(turn: StageTurn, last: PlayedRound, option: str) -> Mapping[str, Fraction]:
    """Return the payoffs if the others chose as in an earlier round and the player this option."""
    replaced = [dict(stage) for stage in last.choices]
    replaced[turn.stage][turn.player] = option
    for stage, choices in enumerate(turn.choices):
        replaced[stage] |= choices
    return turn.law.payoffs(turn.roles, tuple(replaced))


def loyal(turn: StageTurn, draw: random.Random) -> str:
    """Choose the best response to the others' last choices, counting their payoffs too; cooperate at first."""
    last = _last_alike(turn)
    if last is None:
        return kind(turn, draw)
    return max(turn.options, key=lambda option: valued(_paid_again(turn, last, option), turn.player))


def sabotaging(turn: StageTurn, draw: random.Random) -> str:
    """Choose the option that leaves the others least against their last choices; be selfish at first."""
    last = _last_alike(turn)
    if last is None:
        return selfish(turn, draw)

    def left(option: str) -> Fraction:
        paid = _paid_again(turn, last, option)
        return sum((value for player, value in paid.items() if player != turn.player), Fraction(0))

    return min(turn.options, key=left)


def trust_gated(turn: StageTurn, draw: random.Random) -> str:
    """Cooperate while trust times the others' mean cooperation in recent rounds is high enough, also at first."""
    by_round: dict[int, list[float]] = {}
    for player, option, stage, played in _met(turn):
        rate = (played.law or turn.law).cooperation(stage, player, option, played.roles)
        if rate is not None:
            by_round.setdefault(played.number, []).append(float(rate))
    trust = TrustState(dependence_of(turn.law, turn.player))
    for rates in by_round.values():
        trust.observe(sum(rates) / len(rates))
    return kind(turn, draw) if trust.cooperates() else selfish(turn, draw)


def mixing(turn: StageTurn, draw: random.Random) -> str:
    """Draw from a mixed equilibrium of a table, or of alike players with two options; else be selfish."""
    if isinstance(turn.law, FormulaLaw):
        weights_of = _mixing(turn.law)
        return draw.choices(turn.options, weights_of)[0] if weights_of else selfish(turn, draw)
    if not isinstance(turn.law, Matrix):
        return selfish(turn, draw)
    place = turn.law.players.index(turn.player)
    weights = drawn_equilibrium(turn.law)[place]
    return draw.choices(turn.options, [float(weight) for weight in weights])[0]


def perfect(turn: StageTurn, draw: random.Random) -> str:
    """Play the first equilibrium of backward induction in the rest of the round.

    A player that has not seen all earlier choices plays its part of the whole round's equilibrium. Without a solution
    it is selfish.
    """
    seen = turn.choices if all(turn.choices) else ()
    held = tuple((name, role.name, role.partner, role.private) for name, role in turn.roles.items())
    path = _perfect(turn.law, held, tuple(tuple(each.items()) for each in seen))
    return selfish(turn, draw) if path is None else path[turn.stage][turn.player]


def payoff_dominant(turn: StageTurn, draw: random.Random) -> str:
    """Play its part of the pure equilibrium with the highest total, the first of equals; without one be selfish."""
    found = _dominant(turn.law)
    return selfish(turn, draw) if found is None else found[turn.player]


def reference(turn: StageTurn, draw: random.Random) -> str:
    """Use a mediator or commitments if that is in equilibrium (`payoff_dominant`); else be selfish."""
    return (payoff_dominant if isinstance(turn.law, DerivedLaw | DerivedMatrix) else selfish)(turn, draw)


def conditional(turn: StageTurn, draw: random.Random) -> str:
    """Contribute the others' last average, rounded down to a possible contribution."""
    law = turn.law
    if isinstance(law, FormulaLaw):
        return _as_average(turn, draw)
    if not isinstance(law, PublicGoods):
        return tit_for_tat(turn, draw)
    if turn.stage or not turn.history:
        return kind(turn, draw)
    others = [gift_of(option) for player, option in turn.history[-1].choices[0].items() if player != turn.player]
    mean = Fraction(sum(others), len(others))
    return f"give_{max((gift for gift in law.gifts if gift <= mean), default=law.gifts[0])}"


def punisher(turn: StageTurn, draw: random.Random) -> str:
    """Contribute the maximum, and punish the lowest contributor if it gave less than this player.

    Ties go to the first in the order of players. In donations, punish recipients in bad standing.
    """
    if isinstance(turn.law, Donations):
        good = turn.law.in_good_standing(turn.role.partner)
        return kind(turn, draw) if good else turn.law.harshest(turn.player, turn.roles)
    if not isinstance(turn.law, PublicGoods) or turn.stage == 0:
        return kind(turn, draw)
    gifts = {player: gift_of(option) for player, option in turn.choices[0].items()}
    own = gifts.pop(turn.player)
    lowest = min(gifts, key=lambda player: gifts[player])
    return f"{PUNISH}{lowest.lower()}" if gifts[lowest] < own else NOBODY


def discriminator(turn: StageTurn, draw: random.Random) -> str:
    """Help recipients with an image score of at least 0; in donations, those in good standing."""
    if isinstance(turn.law, Donations):
        return kind(turn, draw) if turn.law.in_good_standing(turn.role.partner) else selfish(turn, draw)
    return kind(turn, draw) if turn.images.get(turn.role.partner, 0) >= 0 else selfish(turn, draw)


def fair(turn: StageTurn, draw: random.Random) -> str:
    """Offer or return half; accept offers from three tenths of the pie."""
    if isinstance(turn.law, Ultimatum) and turn.role.name == RESPONDER:
        offer = amount_of(turn.choices[0][turn.role.partner])
        return ACCEPT if offer >= FAIR * turn.law.pie else REJECT
    return kind(turn, draw)


def cap_keeper(turn: StageTurn, draw: random.Random) -> str:
    """Agree on a sustainable cap and keep to it; take the largest amount without a cap."""
    law = turn.law
    if not isinstance(law, CouncilLaw):
        return kind(turn, draw)
    if turn.stage != TAKING:
        return _in_council(turn, law)
    cap = law.cap_after(turn.choices)
    numbers = law.parts[0].number_of
    legal = [option for option in turn.options if cap is None or numbers[option] <= cap]
    return max(legal or turn.options[:1], key=lambda option: numbers[option])


def cap_breaker(turn: StageTurn, draw: random.Random) -> str:
    """Agree on a sustainable cap, and take the largest amount."""
    if isinstance(turn.law, CouncilLaw) and turn.stage != TAKING:
        return _in_council(turn, turn.law)
    return selfish(turn, draw)


def _in_council(turn: StageTurn, law: CouncilLaw) -> str:
    """Return a proposal of the highest sustainable cap, or a vote for a sustainable one."""
    if turn.stage == PROPOSAL:
        return law.sustainable_cap()
    proposal = next(iter(turn.choices[PROPOSAL].values()))
    return COUNCIL_ACCEPT if law.is_sustainable(proposal) else COUNCIL_REJECT


STRATEGIES: Mapping[str, Strategy] = {
    "reference": reference,
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
    "subgame-perfect": perfect,
    "payoff-dominant": payoff_dominant,
    "free-rider": selfish,
    "conditional-cooperator": conditional,
    "punisher": punisher,
    "discriminator": discriminator,
    "fair-proposer": fair,
    "trust-gated": trust_gated,
    "loyal": loyal,
    "saboteur": sabotaging,
    "cap-keeper": cap_keeper,
    "cap-breaker": cap_breaker,
}
"""Name -> strategy; the first is the default."""


def generosity(law: StageLaw) -> Fraction:
    """Return the forgiving probability of generous tit for tat: min(1 - (T - R) / (R - S), (R - P) / (T - P))."""
    if not isinstance(law, Matrix):
        return GENEROUS
    good, bad = law.cooperative, law.uncooperative
    r, s = law.cell(*good)[0], law.cell(good[0], bad[1])[0]
    t, p = law.cell(bad[0], good[1])[0], law.cell(*bad)[0]
    if r == s or t == p:
        return GENEROUS
    return max(Fraction(0), min(Fraction(1), 1 - (t - r) / (r - s), (r - p) / (t - p)))


@cache
def drawn_equilibrium(law: Matrix) -> tuple[Mixture, Mixture]:
    """Return the table's last equilibrium: a mixed one if there is any."""
    return mixed(table_of(law))[-1]


@cache
def _mixing(law: FormulaLaw) -> list[float]:
    """Return the weights of both options in the last symmetric mixed equilibrium; empty without one."""
    found = mixed_equilibria(law) if law.alike and not law.has_types and len(law.parts[0].numbers) == 2 else []
    return [found[-1], 1 - found[-1]] if found else []


@cache
def _dominant(law: StageLaw) -> Mapping[str, str] | None:
    """Return the choices of the pure equilibrium with the highest total payoff; None without one."""
    game = form_of(law)
    if isinstance(game, str):
        return None
    stable = [each for each in game.profiles if game.is_equilibrium(each)]
    best = max(stable, key=lambda each: sum(game.payoffs(each)), default=None)
    return None if best is None else dict(zip(game.players, game.names(best), strict=True))


@cache
def _perfect(
    law: StageLaw,
    held: tuple[tuple[str, str, str, Fraction | None], ...],
    seen: tuple[tuple[tuple[str, str], ...], ...],
) -> Choices | None:
    """Return the path of the first outcome of backward induction after the choices seen; None without one."""
    roles = {player: RoundRole(name, partner, private) for player, name, partner, private in held}
    try:
        outcomes = subgame_perfect(law, roles, tuple(dict(each) for each in seen))
    except UnsolvedError:
        return None
    return outcomes[0].choices if outcomes else None


def _as_average(turn: StageTurn, draw: random.Random) -> str:
    """Return the most cooperative option that is not above the others' mean cooperation in the last round."""
    if not turn.history:
        return kind(turn, draw)
    rates = [rate for player, rate in exact_cooperation(turn.law, turn.history[-1]).items() if player != turn.player]
    if not rates:
        return kind(turn, draw)
    mean = sum(rates, Fraction(0)) / len(rates)
    rated = [(turn.law.cooperation(turn.stage, turn.player, each, turn.roles), each) for each in turn.options]
    if all(rate is None for rate, _ in rated):
        return kind(turn, draw)
    below = [(rate, each) for rate, each in rated if rate is not None and rate <= mean]
    return max(below)[1] if below else selfish(turn, draw)


def _met(turn: StageTurn, most: int = 0) -> list[tuple[str, str, int, PlayedRound]]:
    """Return the others' rated choices of the last `most` rounds as (player, option, stage, round), oldest first.

    Only rounds with such choices count; `most` 0 returns all of them. A player with a partner gets the partner's
    choices, else those of all others. For a second mover the current round is included.
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
            and (played.law or turn.law).cooperation(stage, player, option, played.roles) is not None
        ]
        found += reversed(own)
        counted += bool(own)
        if most and counted >= most:
            break
    found.reverse()
    return found


def _own(turn: StageTurn) -> str | None:
    """Return the player's own last choice in the current stage; None if it has made none."""
    for played in reversed(turn.history):
        choices = played.choices[turn.stage] if turn.stage < len(played.choices) else {}
        if turn.player in choices:
            return choices[turn.player]
    return None


def _defected(law: StageLaw, player: str, option: str, stage: int, played: PlayedRound) -> bool:
    """Return True if the choice's cooperation rate is below one half."""
    cooperation = (played.law or law).cooperation(stage, player, option, played.roles)
    return cooperation is not None and cooperation < Fraction(1, 2)


def _as_cooperative(turn: StageTurn, player: str, option: str, stage: int, played: PlayedRound) -> str:
    """Return the player's own matching option: the same one, else the one with the nearest cooperation rate."""
    if option in turn.options and stage == turn.stage:
        return option
    wanted = (played.law or turn.law).cooperation(stage, player, option, played.roles)
    rated = [(each, turn.law.cooperation(turn.stage, turn.player, each, turn.roles)) for each in turn.options]
    known = [(abs(rate - wanted), each) for each, rate in rated if rate is not None and wanted is not None]
    return min(known)[1] if known else turn.law.kind(turn.stage, turn.player, turn.roles)
