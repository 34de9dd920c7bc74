"""Contracts about a stage game: fines that make cooperation pay, and payoffs of a round under a contract."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from types import MappingProxyType

from contracts import (
    Contract,
    ContractError,
    Expression,
    NegotiationMessage,
    NegotiatorView,
    Observables,
    PlayerFacts,
    Ratification,
    Sheet,
    Transfer,
)
from contracts.enforcement import expected_payoffs
from contracts.judges.formal import assess
from voyager_agents.stage_games.laws import Choices, Roles, StageLaw, plain, share
from voyager_agents.stage_games.theory import poles

MARGIN = Fraction(1)
"""Margin of a fine over the largest gain from not cooperating, in emeralds."""
MAX_TRANSFERS = 50
"""Maximum number of transfers if each player pays each other; beyond it each pays one other player."""
MAX_KEPT = 64
"""Games and contracts whose consequences are kept: all players of a talk ask for the same ones, in every round."""


def fining(law: StageLaw, fine: str | float | None = None, name: str = "fine") -> Contract:
    """Return a contract that fines each uncooperative choice and shares the fine among the other players.

    A choice that is half cooperative costs half the fine. The default fine is `deterrent(law)`: the smallest, in whole
    emeralds, that makes cooperation every player's best response.
    """
    amount = deterrent(law) if fine is None else share(fine)
    count = len(law.players)
    pairwise = count * (count - 1) <= MAX_TRANSFERS
    transfers = []
    for place, payer in enumerate(law.players):
        acts = lacking(law, payer)
        others = [player for player in law.players if player != payer]
        payees = others if pairwise else [law.players[(place + 1) % count]]
        for payee in payees if acts else ():
            parts = [f"{_number(amount * lack / len(payees))} * {payer}.items.{act}" for act, lack in acts.items()]
            text = f"{payer} pays {payee} for each of its acts that are not cooperative"
            transfers.append(
                Transfer(f"{payer}-pays-{payee}".lower(), payer, payee, Expression(" + ".join(parts)), text=text)
            )
    return Contract(name, _text(law, amount), law.players, tuple(transfers))


def lacking(law: StageLaw, player: str) -> dict[str, Fraction]:
    """Return each option that is not fully cooperative with 1 minus its cooperation rate."""
    found: dict[str, Fraction] = {}
    for roles, stage in product(law.situations(), range(len(law.stages))):
        for option in law.options(stage, player, roles):
            rate = law.cooperation(stage, player, option, roles)
            if rate is not None and rate < 1:
                found[option] = 1 - rate
    return found


@lru_cache(maxsize=MAX_KEPT)
def deterrent(law: StageLaw) -> Fraction:
    """Return the smallest whole fine above every gain from not cooperating.

    Gains are taken over all mixtures of cooperative and selfish players.
    """
    gain = Fraction(0)
    for roles, chosen in _profiles(law):
        for stage, choices in enumerate(chosen):
            for player in choices:
                kind = law.kind(stage, player, roles)
                base = law.payoffs(roles, _replaced(chosen, stage, player, kind))[player]
                for option in law.options(stage, player, roles):
                    rate = law.cooperation(stage, player, option, roles)
                    if rate is not None and rate < 1:
                        other = law.payoffs(roles, _replaced(chosen, stage, player, option))[player]
                        gain = max(gain, (other - base) / (1 - rate))
    return Fraction(gain.__floor__()) + MARGIN


def outcome(law: StageLaw, contract: Contract | None, roles: Roles, choices: Choices) -> dict[str, Fraction] | None:
    """Return each player's payoff of one round after the contract's transfers.

    None if the contract cannot be settled by code.

    Args:
        law: Law of the game.
        contract: The contract; None without one.
        roles: Role of each player.
        choices: Choices of the round, by stage.
    """
    paid = law.payoffs(roles, choices)
    if contract is None:
        return paid
    counts: dict[str, dict[str, int]] = {player: {} for player in law.players}
    for stage in choices:
        for player, option in stage.items():
            counts[player][option] = counts[player].get(option, 0) + 1
    items = ["emerald", "emerald_block", *law.names()]
    facts = {
        player: PlayerFacts(items=counts[player], mined={}, value={}, reward=float(paid[player]))
        for player in law.players
    }
    try:
        table = Observables.collect(facts, {}, items=items, blocks=[])
        earned = {player: float(paid[player]) for player in law.players}
        return expected_payoffs(contract, assess(contract, table), earned)
    except ContractError:
        return None


def sustains(law: StageLaw, contract: Contract | None, player: str) -> bool:
    """Return True if a contract makes cooperation stable and worthwhile for a player.

    Stable: no player gains by being the only one that does not cooperate. Worthwhile: summed over all roles, `player`
    gets at least as much when all cooperate as when nobody does and there is no contract.
    """
    gains = _gains(law, contract)
    return gains is not None and gains[player] >= 0


@lru_cache(maxsize=MAX_KEPT)
def _gains(law: StageLaw, contract: Contract | None) -> Mapping[str, Fraction] | None:
    """Return each player's gain from cooperation of all over cooperation of nobody, summed over all roles.

    None if cooperation is not stable under the contract.
    """
    gains = dict.fromkeys(law.players, Fraction(0))
    for roles in law.situations():
        together = outcome(law, contract, roles, poles(law, roles, law.players))
        nobody = outcome(law, None, roles, poles(law, roles, ()))
        if together is None or nobody is None:
            return None
        for player in law.players:
            gains[player] += together[player] - nobody[player]
            alone = outcome(law, contract, roles, poles(law, roles, [each for each in law.players if each != player]))
            if alone is None or alone[player] > together[player]:
                return None
    return MappingProxyType(gains)


def bargain(view: NegotiatorView, law: StageLaw) -> NegotiationMessage | str:
    """Return the next negotiation message.

    It accepts a standing proposal that makes cooperation pay, and proposes a fine otherwise.
    """
    standing = view.standing
    if standing is not None and sustains(law, standing, view.me):
        thought = "Under this contract nobody gains by not cooperating, and that is better for me than none."
        return NegotiationMessage(thought, f"I agree to proposal {view.standing_round}. [accept]", accepts=True)
    contract = fining(law, name="negotiated")
    if not sustains(law, contract, view.me):
        return "[thinking] No fine makes cooperation better for me.\n[message] I have no proposal."
    message = (
        f"{view.other}, with this nobody gains by letting the others down.\n[contract]\n{contract.text}\n[contract end]"
    )
    return NegotiationMessage("A fine above the gain of defection makes cooperation pay.", message, proposal=contract)


def ratified(player: str, sheet: Sheet, law: StageLaw) -> Ratification:
    """Return the player's ratification: it accepts the terms if they make cooperation pay."""
    pays = sustains(law, sheet.terms, player)
    return Ratification(player, pays, f"cooperation {'pays' if pays else 'does not pay'} under these terms")


def _profiles(law: StageLaw) -> list[tuple[Roles, Choices]]:
    """Return the choices of cooperative and selfish players for each number of cooperators and each role assignment."""
    found = []
    for roles in law.situations():
        for count in range(len(law.players) + 1):
            found.append((roles, poles(law, roles, law.players[:count])))
            found.append((roles, poles(law, roles, law.players[len(law.players) - count :])))
    return found


def _replaced(choices: Choices, stage: int, player: str, option: str) -> Choices:
    return tuple({**each, player: option} if place == stage else each for place, each in enumerate(choices))


def _number(amount: Fraction) -> str:
    return f"{float(amount):.10g}"


def _text(law: StageLaw, amount: Fraction) -> str:
    acts: Mapping[str, Fraction] = {
        option: lack for player in law.players for option, lack in lacking(law, player).items()
    }
    clauses = [
        f"{number}. Whoever chooses {act} pays {plain(amount * lack)} each time, in equal parts to the others."
        for number, (act, lack) in enumerate(acts.items(), 1)
    ]
    return "\n".join(clauses)
