"""Council of the users of a common stock: before a round one proposes a cap, all vote, and keep or break it.

In the manner of the council of Commons Harvest and of GovSim's talks between months (arXiv 2404.16698), but by choices
instead of words: the chair, which rotates, proposes a cap or none, and all vote at once. A cap holds until the next
council. By default it binds nobody; with a fine each unit above it costs. The procedure is ours.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from voyager_agents.stage_games.laws import Choices, Options, Roles, RoundRole, plain
from voyager_agents.stage_games.resources import ResourceLaw

CHAIR = "chair"
"""Role of the player that proposes."""
CAP, NO_CAP = "cap_", "no_cap"
ACCEPT, REJECT = "accept", "reject"
PROPOSAL, VOTE, TAKING = 0, 1, 2
"""Stages of a round."""


@dataclass(frozen=True)
class CapCouncil:
    """Rules of a council."""

    every: int
    """Number of rounds from one council to the next; the first is before round 1."""
    caps: tuple[int, ...]
    """Caps that can be proposed, ascending."""
    unanimous: bool = False
    """True if a cap needs the votes of all, else of more than half."""
    fine: Fraction = Fraction(0)
    """Payoff that a player loses for each unit that it takes above the cap."""

    def passes(self, votes: Mapping[str, str]) -> bool:
        """Return True if the votes (player -> option) accept the proposal."""
        count = sum(vote == ACCEPT for vote in votes.values())
        return count == len(votes) if self.unanimous else 2 * count > len(votes)


@dataclass(frozen=True, kw_only=True)
class CouncilLaw(ResourceLaw):
    """Game of a common stock whose users hold councils."""

    council: CapCouncil
    cap: Fraction | None = None
    """Cap that holds at the start of the round; None without one."""

    @property
    def stages(self) -> tuple[str, ...]:  # type: ignore[override] # of the class elsewhere
        """Names of the stages; the first two are empty in rounds without a council."""
        return ("proposal", "vote", "choice")

    def _roles(self, number: int, types: Sequence[Fraction] | None) -> Roles:
        roles = dict(super()._roles(number, types))
        meeting, rest = divmod(number - 1, self.council.every)
        if not rest:
            chair = self.players[meeting % len(self.players)]
            roles[chair] = RoundRole(CHAIR)
        return roles

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Return the role of the chair in a round with a council, and unnamed roles."""
        return self._roles(number, None)

    def situations(self) -> list[Roles]:
        """Return roles with every player as chair, and without a council if there are such rounds."""
        every = self.council.every
        found = [self._roles(1 + place * every, None) for place in range(len(self.players))]
        return [*found, self._roles(2, None)] if every > 1 else found

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the caps that the chair can propose, the votes, or the amounts."""
        if stage == TAKING:
            return super().options(0, player, roles)
        if stage == PROPOSAL:
            return (*map(cap_option, self.council.caps), NO_CAP) if roles[player].name == CHAIR else ()
        return (ACCEPT, REJECT) if any(role.name == CHAIR for role in roles.values()) else ()

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return the highest sustainable cap, the acceptance of a proposal, or the largest sustainable amount."""
        if stage == TAKING:
            return super().kind(0, player, roles)
        return ACCEPT if stage == VOTE else self.sustainable_cap()

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return no cap, the rejection of a proposal, or the largest amount."""
        if stage == TAKING:
            return super().selfish(0, player, roles)
        return REJECT if stage == VOTE else NO_CAP

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the rate of an amount; None for proposals and votes.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        return super().cooperation(stage, player, option, roles) if stage == TAKING else None

    def sustainable_cap(self) -> str:
        """Return the highest cap such that the stock grows back if all take it, else the least one."""
        share = self._sustainable / len(self.players)
        return cap_option(max((each for each in self.council.caps if each <= share), default=self.council.caps[0]))

    def is_sustainable(self, proposal: str) -> bool:
        """Return True for a proposed cap such that the stock grows back if all take it."""
        cap = cap_of(proposal)
        return cap is not None and cap * len(self.players) <= self._sustainable

    def cap_after(self, choices: Choices) -> Fraction | None:
        """Return the cap that holds after the proposal and the vote of a round; None without one."""
        if len(choices) <= VOTE or not choices[PROPOSAL]:
            return self.cap
        proposal = cap_of(next(iter(choices[PROPOSAL].values())))
        return proposal if proposal is not None and self.council.passes(choices[VOTE]) else None

    def numbers(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return player -> amount taken."""
        return super().numbers(roles, choices[-1:])

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the value of each player's formula, less its fine."""
        paid = super().payoffs(roles, choices[-1:])
        cap = self.cap_after(choices) if len(choices) > TAKING else None
        if cap is None or not self.council.fine:
            return paid
        taken = self.numbers(roles, choices)
        return {
            player: amount - self.council.fine * max(Fraction(0), taken[player] - cap)
            for player, amount in paid.items()
        }

    def after(self, roles: Roles, choices: Choices) -> CouncilLaw:
        """Return the law of the next round, with the stock that is left after growth and the cap that holds."""
        following = super().after(roles, choices)
        assert isinstance(following, CouncilLaw), "only the stock differs"
        return replace(following, cap=self.cap_after(choices))

    def with_cap(self, cap: Fraction) -> CouncilLaw:
        """Return the law of a round at whose start that cap holds."""
        return replace(self, cap=cap)

    def state(self) -> dict[str, Fraction]:
        """Return the stock, the sustainable amount, and the cap at the start of the round if one holds."""
        return {**super().state(), **({} if self.cap is None else {"cap": self.cap})}

    def amounts(self) -> Sequence[Fraction]:
        """Return every possible payoff without a fine, and the fine."""
        return [*super().amounts(), *([self.council.fine] if self.council.fine else [])]

    def worst(self) -> Fraction:
        """Return the lowest payoff, with the greatest fine."""
        most = max(number for _, number in self.parts[0].numbers) - self.council.caps[0]
        return super().worst() - self.council.fine * max(Fraction(0), most)

    def seen_lines(self, stage: int, player: str, roles: Roles, choices: Choices) -> tuple[str, ...]:
        """Return the current stock, and before amounts are chosen the cap.

        Args:
            stage: Number of the stage, from 0.
            player: The player that reads them.
            roles: Role of each player in this round.
            choices: Choices of the stages that are over.
        """
        told = super().seen_lines(stage, player, roles, choices)
        if stage != TAKING:
            return told
        cap = self.cap_after(choices)
        return (*told, "No cap holds now." if cap is None else f"The cap of {plain(cap)} holds now.")

    def rule_lines(self) -> list[str]:
        """Return the rules as the sentences shown to players."""
        council = self.council
        when = "Before each round" if council.every == 1 else f"Before round 1 and after each {council.every} rounds"
        need = "all accept" if council.unanimous else "more than half accept"
        price = (
            f"costs {plain(council.fine)} for each unit above it"
            if council.fine
            else "costs nothing: a cap binds nobody, and all see who keeps it"
        )
        return [
            *super().rule_lines(),
            f"{when} the players hold a council: one of them, the chair, which is the next player each time, proposes "
            f"a cap on what each player takes ({', '.join(map(cap_option, council.caps))}), or {NO_CAP}; then all vote "
            f"at once. If {need}, the cap holds until the next council; else there is none. To take more than a cap "
            f"{price}.",
        ]


def cap_option(cap: int) -> str:
    """Return the option that proposes a cap."""
    return f"{CAP}{cap}"


def cap_of(proposal: str) -> Fraction | None:
    """Return the proposed cap; None for a proposal of none."""
    return None if proposal == NO_CAP else Fraction(proposal.removeprefix(CAP))
