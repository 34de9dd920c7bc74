"""Stage games derived from another one: players choose a device, and the device chooses in the game that is paid.

    mediated    a mediator chooses for all players that delegate to it (Monderer and Tennenholtz 2009)
    committed   players publish programs that read each other's and choose (Tennenholtz 2004)

The options of the game itself stay legal. Payoffs are those of the choices that are carried out. The cooperation rate
of a device is that of what it does if all players choose it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import prod

from contracts.commitments import Commitment, run_commitments
from voyager_agents.stage_games.laws import Choices, Options, Roles, StageLaw
from voyager_agents.stage_games.normal_form import MAX_PROFILES, NoNormalFormError, normal_form
from voyager_agents.stage_games.tables import Matrix

DELEGATE = "delegate"
"""Option that leaves the choice to the mediator."""


@dataclass(frozen=True)
class Mediator:
    """Rule of a mediator that chooses for all players that delegate. Raises ValueError for illegal options."""

    inner: StageLaw
    together: str | None = None
    """Option for each delegator if enough players delegate; None for each one's most cooperative option."""
    otherwise: str | None = None
    """Option for each delegator if too few delegate; None for each one's most selfish option."""
    quorum: int | None = None
    """Number of delegators that is enough; None for all players."""

    def __post_init__(self) -> None:
        for key, option in (("together", self.together), ("otherwise", self.otherwise)):
            for player in self.inner.players:
                legal = _options(self.inner, player)
                if option is not None and option not in legal:
                    raise ValueError(f"mediator.{key}: {option!r} is no option of {player}; choose {', '.join(legal)}")
        count = len(self.inner.players)
        if self.quorum is not None and not 1 <= self.quorum <= count:
            raise ValueError(f"mediator.quorum: {self.quorum}: give a number of players from 1 to {count}")

    def options(self, player: str) -> Options:
        """Return the option that the mediator adds."""
        return (DELEGATE,)

    def poles(self, player: str) -> tuple[str, str]:
        """Return delegation, and the player's most selfish option."""
        return DELEGATE, _pole(self.inner, player, kind=False)

    def carried(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return the choices with those of the mediator for all that delegate."""
        delegating = [player for player, option in chosen.items() if option == DELEGATE]
        enough = len(delegating) >= (self.quorum or len(chosen))
        given = self.together if enough else self.otherwise
        return {
            player: (given or _pole(self.inner, player, kind=enough)) if player in delegating else option
            for player, option in chosen.items()
        }

    def lines(self) -> list[str]:
        """Return the rule in sentences."""
        count = len(self.inner.players)
        enough = "all players delegate" if self.quorum in (None, count) else f"at least {self.quorum} players delegate"
        good, bad = (self._said(option, kind=kind) for option, kind in ((self.together, True), (self.otherwise, False)))
        return [
            f"Each player may choose {DELEGATE}: then a mediator chooses for it. If {enough}, the mediator chooses "
            f"{good} for each of them; if fewer do, it chooses {bad} for those who do. It can do nothing else."
        ]

    def _said(self, option: str | None, *, kind: bool) -> str:
        names = [option or _pole(self.inner, player, kind=kind) for player in self.inner.players]
        if len(set(names)) == 1:
            return names[0]
        return ", ".join(f"{name} for {player}" for player, name in zip(self.inner.players, names, strict=True))


@dataclass(frozen=True)
class Programs:
    """Programs that players may publish. Raises ValueError for names or programs that are not legal."""

    inner: StageLaw
    programs: tuple[tuple[str, str], ...]
    """(name of the option, program) in order; the first is the most cooperative one."""

    def __post_init__(self) -> None:
        for name, source in self.programs:
            if name in self.inner.names():
                raise ValueError(f"commitments.programs: {name!r} is an option of the game; call it something else")
            for player in self.inner.players:
                Commitment(source, _options(self.inner, player), self.inner.players)

    def options(self, player: str) -> Options:
        """Return the names of the programs."""
        return tuple(name for name, _ in self.programs)

    def poles(self, player: str) -> tuple[str, str]:
        """Return the first program, and the player's most selfish option."""
        return self.programs[0][0], _pole(self.inner, player, kind=False)

    def carried(self, chosen: Mapping[str, str]) -> dict[str, str]:
        """Return what the published programs choose; an option of the game is the program that always chooses it."""
        found = {player: self._commitments[player][option] for player, option in chosen.items()}
        return run_commitments(found)

    @cached_property
    def _commitments(self) -> dict[str, dict[str, Commitment]]:
        """Player -> option -> its program."""
        return {
            player: {
                name: Commitment(source, legal, self.inner.players)
                for name, source in (*((option, option) for option in legal), *self.programs)
            }
            for player in self.inner.players
            for legal in [_options(self.inner, player)]
        }

    def lines(self) -> list[str]:
        """Return the programs in sentences."""
        told = [f"{name}: {source}" for name, source in self.programs]
        return [
            "Each choice is a program that all players publish at the same time. Programs read each other and then "
            "choose for their players. plays(others, X) is true if it can be proved that all others choose X, and "
            "same(others) if all others published the same program. An option of the game is the program that always "
            f"chooses it. Further programs: {'; '.join(told)}."
        ]


Device = Mediator | Programs


def _options(inner: StageLaw, player: str) -> Options:
    return inner.options(0, player, inner.situations()[0])


def _pole(inner: StageLaw, player: str, *, kind: bool) -> str:
    roles = inner.situations()[0]
    return (inner.kind if kind else inner.selfish)(0, player, roles)


@dataclass(frozen=True)
class DerivedLaw(StageLaw):
    """Game in which a device carries out choices of another game, in which all players choose once and together."""

    inner: StageLaw
    device: Device
    form: str = "derived"

    def __hash__(self) -> int:
        # Laws are keys of caches in every turn.
        return hash((self.inner, type(self.device), self.players))

    @property
    def players(self) -> tuple[str, ...]:  # type: ignore[override]
        """The players of the inner game."""
        return self.inner.players

    @property
    def paid(self) -> bool:  # type: ignore[override]
        """True if payoffs are paid in emeralds after each round."""
        return self.inner.paid

    def roles(self, draw: random.Random, number: int) -> Roles:
        """Return the roles of the inner game."""
        return self.inner.roles(draw, number)

    def options(self, stage: int, player: str, roles: Roles) -> Options:
        """Return the options of the inner game and those of the device."""
        return (*self.inner.options(stage, player, roles), *self.device.options(player))

    def kind(self, stage: int, player: str, roles: Roles) -> str:
        """Return the most cooperative option of the device."""
        return self.device.poles(player)[0]

    def selfish(self, stage: int, player: str, roles: Roles) -> str:
        """Return the most selfish option."""
        return self.device.poles(player)[1]

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the rate of an option, and of a device that of what it does if all choose it.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        if option in self.device.options(player):
            option = self.device.carried(dict.fromkeys(self.players, option))[player]
        return self.inner.cooperation(stage, player, option, roles)

    def carried(self, choices: Choices) -> dict[str, str]:
        """Return player -> option of the inner game that is carried out."""
        return self.device.carried(choices[0])

    def payoffs(self, roles: Roles, choices: Choices) -> dict[str, Fraction]:
        """Return the inner game's payoffs of the choices that are carried out."""
        return self.inner.payoffs(roles, (self.carried(choices),))

    def amounts(self) -> Sequence[Fraction]:
        """Return the amounts of the inner game."""
        return self.inner.amounts()

    def worst(self) -> Fraction:
        """Return the lowest payoff of the inner game."""
        return self.inner.worst()

    def finest(self) -> Fraction:
        """Return the highest payoff of the inner game."""
        return self.inner.finest()

    def best(self) -> Fraction:
        """Return the highest total payoff of the inner game."""
        return self.inner.best()

    def rule_lines(self) -> list[str]:
        """Return the rules of the inner game, and those of the device."""
        return [*self.inner.rule_lines(), *self.device.lines()]


@dataclass(frozen=True)
class DerivedMatrix(Matrix):
    """Derived game of two players as a table, so that all that is known of tables is known of it."""

    source: DerivedLaw | None = None

    def __hash__(self) -> int:
        # Tables are keys of caches in every turn.
        return hash((self.players, self.rows, self.columns, type(self._derived.device)))

    @property
    def _derived(self) -> DerivedLaw:
        assert self.source is not None, "made by derived"
        return self.source

    def cooperation(self, stage: int, player: str, option: str, roles: Roles) -> Fraction | None:
        """Return the rate in the derived game.

        Args:
            stage: Number of the stage, from 0.
            player: The player that chooses.
            option: The chosen option.
            roles: Role of each player in this round.
        """
        return self._derived.cooperation(stage, player, option, roles)

    def carried(self, choices: Choices) -> dict[str, str]:
        """Return player -> option of the inner game that is carried out."""
        return self._derived.carried(choices)

    def rule_lines(self) -> list[str]:
        """Return the rules of the inner game, and those of the device."""
        return self._derived.rule_lines()


def derived(inner: StageLaw, device: Device) -> DerivedLaw | DerivedMatrix:
    """Return the game in which players may use a device.

    Raises ValueError if not all players of the inner game choose once and together, or if it becomes too large.
    """
    try:
        form = normal_form(inner)
    except NoNormalFormError as error:
        raise ValueError(
            f"{inner.form}: a mediator or commitments need choices made once and together: {error}"
        ) from None
    if len(inner.stages) > 1 or form.players != inner.players:
        raise ValueError(f"{inner.form}: a mediator or commitments need choices that all players make together")
    law = DerivedLaw(inner, device)
    options = [law.options(0, player, inner.situations()[0]) for player in inner.players]
    if prod(map(len, options)) > MAX_PROFILES:
        raise ValueError(
            f"{inner.form}: {prod(map(len, options))} profiles are more than {MAX_PROFILES}: leave some out"
        )
    if len(inner.players) != 2:
        return law
    one, two = inner.players
    roles = inner.situations()[0]

    def cell(row: str, column: str) -> tuple[Fraction, Fraction]:
        paid = law.payoffs(roles, ({one: row, two: column},))
        return paid[one], paid[two]

    rows, columns = options
    cells = tuple(tuple(cell(row, column) for column in columns) for row in rows)
    ends = [device.poles(player) for player in inner.players]
    kind, selfish = (tuple(each[place] for each in ends) for place in (0, 1))
    return DerivedMatrix(inner.players, rows, columns, cells, (kind[0], kind[1]), (selfish[0], selfish[1]), source=law)
