"""Games by formula under `game` in a scenario's file: choices, payoffs, order of moves, private types."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from fractions import Fraction
from keyword import iskeyword
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from dilemmas.scenarios.fields import Frozen, Identifier
from dilemmas.scenarios.repeated_game.amounts import Levels, Number
from voyager_agents.stage_games.councils import CapCouncil, CouncilLaw
from voyager_agents.stage_games.formula_law import FormulaLaw, Part, PrivateType, Sees
from voyager_agents.stage_games.formulas import GROUP_NAMES, Formula
from voyager_agents.stage_games.laws import StageLaw, share
from voyager_agents.stage_games.resources import LEFT, STOCK, CommonStock, ResourceLaw
from voyager_agents.stage_games.theory import poles

Numbered = Annotated[dict[Identifier, Number], Field(min_length=2, max_length=9)]
"""Options with their numbers."""
MAX_CAPS = 8
"""Maximum number of caps: a booth has nine devices, and one is for no cap."""
Types = Annotated[tuple[Number, ...], Field(min_length=2, max_length=9)]


class PartSpec(Frozen):
    """Choices and payoff of one role."""

    choices: Levels | Numbered | None = None
    """Numbers to choose from, or options with their numbers; None for a role without a choice."""
    verb: Identifier = "give"
    """Start of the options' names if `choices` are numbers, such as `give_10`."""
    payoff: str
    cooperate: Identifier | None = None
    """Most cooperative option; None for the highest of numbers, or the first of options with numbers."""
    defect: Identifier | None = None
    """Most selfish option; None for the lowest of numbers, or the last of options with numbers."""

    def part(self, name: str, known: frozenset[str], options: frozenset[str]) -> Part:
        """Return the part of a law. Raises ValueError."""
        numbers = self.numbers()
        names = [option for option, _ in numbers]
        ends = (names[0], names[-1]) if isinstance(self.choices, dict) else (*names[-1:], *names[:1])
        given = [self.cooperate, self.defect]
        for key, option in zip(("cooperate", "defect"), given, strict=True):
            if option is not None and option not in names:
                raise ValueError(f"{key}: {option!r} is no choice; choose from {', '.join(names) or 'none'}")
        usual = ends or ("", "")
        good, bad = (own if own is not None else end for own, end in zip(given, usual, strict=True))
        return Part(name, numbers, Formula(self.payoff, known, options), good, bad)

    def numbers(self) -> tuple[tuple[str, Fraction], ...]:
        """Return the options with their numbers."""
        if self.choices is None:
            return ()
        if isinstance(self.choices, dict):
            return tuple((option, share(number)) for option, number in self.choices.items())
        return tuple((f"{self.verb}_{number}", Fraction(number)) for number in self.choices)


class CouncilSpec(Frozen):
    """Council of the players who use a common stock."""

    every: int = Field(default=1, ge=1, le=10_000)
    """Number of rounds from one council to the next."""
    caps: Levels | None = None
    """Caps that can be proposed; None for all amounts but the largest, at most the eight lowest."""
    passes: Literal["majority", "all"] = "majority"
    """Votes that a cap needs: more than half, or all."""
    fine: Number = 0
    """Payoff that a player loses for each unit above the cap."""

    def council(self, amounts: Iterable[Fraction]) -> CapCouncil:
        """Return the council as data. Raises ValueError.

        Args:
            amounts: Amounts that players can take.
        """
        usual = tuple(int(each) for each in sorted(amounts) if each.denominator == 1)[:-1]
        caps = tuple(sorted(self.caps)) if self.caps is not None else usual[:MAX_CAPS]
        if not caps or len(caps) > MAX_CAPS:
            raise ValueError(f"stock.council.caps: {len(caps)} caps are not legal; give 1 to {MAX_CAPS} whole numbers")
        if share(self.fine) < 0:
            raise ValueError(f"stock.council.fine: {self.fine} is below 0")
        return CapCouncil(self.every, caps, self.passes == "all", share(self.fine))


class StockSpec(Frozen):
    """Common stock from which players take the numbers that they choose."""

    start: int = Field(ge=1, le=10_000)
    grows: str
    """Stock of the next round, as a formula of what is `left`."""
    collapse: int = Field(default=0, ge=0)
    """Stock below which the game ends."""
    council: CouncilSpec | None = None
    """Council that agrees on caps before rounds; None without one."""


class FormulaSpec(Frozen):
    """Game of any number of players whose payoffs are formulas."""

    form: Literal["formula"]
    choices: Levels | Numbered | None = None
    """Numbers to choose from, or options with their numbers; the same for all players."""
    verb: Identifier = "give"
    payoff: str | None = None
    """Payoff of each player, in the language of `voyager_agents.stage_games.formulas`."""
    roles: dict[Identifier, PartSpec] = Field(default_factory=dict, max_length=9)
    """Role -> its choices and payoff, one for each player; instead of `choices` and `payoff`."""
    values: dict[Identifier, Number] = Field(default_factory=dict, max_length=20)
    """Name in the formulas -> its value."""
    order: Literal["together", "in-turn"] = "together"
    """Order of moves: all at once, or one after another in the order of players (of roles)."""
    sees: Sees = "everything"
    """Information of movers in turn about the choices before their own."""
    rotate: bool = False
    """True if each player takes the next place or role in each round."""
    private: dict[Identifier, Types] = Field(default_factory=dict, max_length=1)
    """Name of a private type -> its values, each with the same probability."""
    stock: StockSpec | None = None
    """Common stock that is carried from round to round."""
    cooperate: Identifier | None = None
    defect: Identifier | None = None

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        given = [each for each in (self.choices, self.payoff) if each is not None]
        if self.roles and given:
            raise ValueError("roles: each has its own choices and payoff; leave out those of the game")
        if not self.roles and len(given) < 2:
            raise ValueError("give choices and payoff for all players, or roles with one part for each player")
        if self.sees != "everything" and self.order == "together":
            raise ValueError(f"sees: {self.sees} is for moves in turn; give order: in-turn")
        _check_names((*self.values, *self.private, *self.roles))
        return self

    def law(self, players: tuple[str, ...]) -> StageLaw:
        """Return the law between these players. Raises ValueError."""
        given = self.roles or {"": self._part()}
        state = () if self.stock is None else (STOCK,)
        known = frozenset((*GROUP_NAMES, *self.values, *self.private, *self.roles, *state))
        options = frozenset(option for part in given.values() for option, _ in part.numbers())
        private = next(
            (PrivateType(name, tuple(share(value) for value in values)) for name, values in self.private.items()), None
        )
        law = FormulaLaw(
            players,
            tuple(part.part(name, known, options) for name, part in given.items()),
            tuple((name, share(value)) for name, value in self.values.items()),
            self.order == "in-turn",
            self.sees,
            self.rotate,
            private,
        )
        if self.stock is not None:
            return _with_stock(law, self.stock)
        if not self.roles and self.cooperate is None and self.defect is None:
            _check_default_poles(law)
        return law

    def _part(self) -> PartSpec:
        assert self.payoff is not None, "checked when the file is read"
        return PartSpec(
            choices=self.choices, verb=self.verb, payoff=self.payoff, cooperate=self.cooperate, defect=self.defect
        )


def _with_stock(law: FormulaLaw, stock: StockSpec) -> ResourceLaw:
    """Return the law with a stock. Raises ValueError."""
    resource = CommonStock(stock.start, stock.collapse, Formula(stock.grows, frozenset((LEFT,))))
    given = {each.name: getattr(law, each.name) for each in fields(law)}
    given |= {"resource": resource, "stock": Fraction(stock.start)}
    if stock.council is None:
        found = ResourceLaw(**given)
    else:
        found = CouncilLaw(**given, council=stock.council.council(number for _, number in law.parts[0].numbers))
    if found.over:
        raise ValueError(f"stock: start: {stock.start} is below collapse: {stock.collapse}")
    return found


def _check_names(names: Iterable[str]) -> None:
    """Refuse names that have a meaning in all formulas, or two meanings in this one."""
    seen = {*GROUP_NAMES, STOCK}
    for name in names:
        if name in seen or not name.isidentifier() or iskeyword(name):
            raise ValueError(f"{name!r} is taken in formulas, or no name there; write another")
        seen.add(name)


def _check_default_poles(law: FormulaLaw) -> None:
    """Refuse default options for cooperation and defection if all players together earn less by cooperation."""
    roles = law.situations()[0]
    good, bad = (sum(law.payoffs(roles, poles(law, roles, who)).values()) for who in (law.players, ()))
    if good < bad:
        part = law.part(0)
        raise ValueError(
            f"cooperate: {part.cooperative!r} would count as cooperation, but if all choose it they get {good} "
            f"together, and {bad} if all choose {part.selfish!r}: name both, e.g. `cooperate: {part.selfish}` and "
            f"`defect: {part.cooperative}`"
        )
