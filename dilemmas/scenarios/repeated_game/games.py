"""Stage games under `game` in a scenario's file; each makes its law."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from dilemmas.scenarios.fields import Frozen, Identifier
from dilemmas.scenarios.repeated_game.amounts import Levels, Number, check_number
from dilemmas.scenarios.repeated_game.composed import ComposedSpec
from dilemmas.scenarios.repeated_game.formulas import FormulaSpec
from dilemmas.scenarios.repeated_game.ordinal import OrdinalSpec
from voyager_agents.stage_games.donations import CostlyPunishment, Donations
from voyager_agents.stage_games.exchanges import Trust, Ultimatum
from voyager_agents.stage_games.groups import Donor, PublicGoods, Punishment
from voyager_agents.stage_games.laws import StageLaw, share
from voyager_agents.stage_games.tables import Cell, Matrix

RESERVED = ("emerald", "emerald_block")
"""Names that are no options: the items of payment."""


def _cell(given: object) -> object:
    """Return a checked cell: a number, or a pair of numbers."""
    pair = isinstance(given, list | tuple)
    parts = list(given) if isinstance(given, list | tuple) else [given]
    if (pair and len(parts) != 2) or any(isinstance(each, bool | list | dict | None) for each in parts):
        raise ValueError(f"{given!r} is no cell; write a number, or a pair of them: [3, 0]")
    numbers = tuple(check_number(each) for each in parts)
    return numbers if pair else numbers[0]


PayoffCell = Annotated[Any, AfterValidator(_cell)]
"""One number, or a pair of numbers as a tuple."""
Pair = tuple[Identifier, Identifier]


class TableSpec(Frozen):
    """Game of two players with a table of payoffs."""

    form: Literal["matrix"] = "matrix"
    actions: tuple[Identifier, ...] = Field(min_length=2, max_length=9)
    """Actions of the first player, who chooses a row; of both players if `columns` is missing."""
    columns: tuple[Identifier, ...] | None = Field(default=None, min_length=2, max_length=9)
    """Actions of the second player."""
    payoffs: tuple[tuple[PayoffCell, ...], ...]
    """Row of cells for each action of the first player.

    A cell is [first's, second's] or, in a symmetric game, the first player's payoff alone.
    """
    cooperate: Identifier | Pair | None = None
    """Cooperative action of both or of each; None for the first of each."""
    defect: Identifier | Pair | None = None
    """Action that is compared with cooperation; None for the last of each."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        columns = self.columns or self.actions
        for key, names in (("actions", self.actions), ("columns", columns)):
            _distinct(key, names)
        for place, row in enumerate(self.payoffs):
            if len(row) != len(columns) or len(self.payoffs) != len(self.actions):
                raise ValueError(
                    f"payoffs: row {place + 1} of {len(self.payoffs)} has {len(row)} cells; {len(self.actions)} by "
                    f"{len(columns)} actions need {len(self.actions)} rows of {len(columns)} cells"
                )
        alone = {isinstance(cell, tuple) for row in self.payoffs for cell in row}
        if len(alone) > 1:
            raise ValueError("payoffs: some cells are pairs and some single numbers; write one kind only")
        if alone == {False} and columns != self.actions:
            raise ValueError("payoffs: single numbers are for a symmetric game: leave out columns, or write pairs")
        for key, names in (("cooperate", self.poles(self.cooperate, 0)), ("defect", self.poles(self.defect, -1))):
            for name, legal in zip(names, (self.actions, columns), strict=True):
                if name not in legal:
                    raise ValueError(f"{key}: {name!r} is no action; choose from {', '.join(legal)}")
        self._check_default_poles()
        return self

    def _check_default_poles(self) -> None:
        """Refuse a first action that stands for cooperation and pays both players less than the last one."""
        if self.cooperate is not None or self.defect is not None:
            return
        cells = self._cells()
        first, last = sum(cells[0][0]), sum(cells[-1][-1])
        if first < last:
            raise ValueError(
                f"cooperate: the first action, {self.actions[0]!r}, would count as cooperation, but pays both players "
                f"{first} together and the last one, {self.actions[-1]!r}, {last}: name the cooperative action, e.g. "
                f"`cooperate: {self.actions[-1]}` and `defect: {self.actions[0]}`"
            )

    def poles(self, given: str | Pair | None, place: int) -> Pair:
        """Return the action of each player that `cooperate` or `defect` names."""
        if given is None:
            return self.actions[place], (self.columns or self.actions)[place]
        return (given, given) if isinstance(given, str) else given

    def law(self, players: tuple[str, ...]) -> StageLaw:
        """Return the law between these players. Raises ValueError."""
        columns = self.columns or self.actions
        return Matrix(
            players, self.actions, columns, self._cells(), self.poles(self.cooperate, 0), self.poles(self.defect, -1)
        )

    def _cells(self) -> tuple[tuple[Cell, ...], ...]:
        found = []
        for row, given in enumerate(self.payoffs):
            cells = []
            for column, cell in enumerate(given):
                if isinstance(cell, tuple):
                    cells.append((share(cell[0]), share(cell[1])))
                    continue
                mirrored = self.payoffs[column][row]
                assert not isinstance(mirrored, tuple), "one kind of cells only"
                cells.append((share(cell), share(mirrored)))
            found.append(tuple(cells))
        return tuple(found)


class PunishmentSpec(Frozen):
    """Cost of punishing another player, and harm to the punished."""

    cost: Number
    harm: Number


class PublicGoodsSpec(Frozen):
    """Public goods: gifts that are multiplied and shared."""

    form: Literal["public-goods"]
    endowment: Number
    gifts: Levels
    multiplier: Number
    punishment: PunishmentSpec | None = None

    @model_validator(mode="after")
    def _affordable(self) -> Self:
        if self.gifts[-1] > share(self.endowment):
            raise ValueError(f"gifts: {self.gifts[-1]} is more than the endowment of {self.endowment}")
        return self

    def law(self, players: tuple[str, ...]) -> StageLaw:
        """Return the law between these players."""
        given = self.punishment
        punishment = None if given is None else Punishment(share(given.cost), share(given.harm))
        return PublicGoods(players, share(self.endowment), self.gifts, share(self.multiplier), punishment)


class DonorSpec(Frozen):
    """Donor game: help between random pairs."""

    form: Literal["donor"]
    benefit: Number
    cost: Number
    reputation: bool = True
    """True if players read everybody's image score."""
    known: Number = 1
    """Probability that a donor reads the image scores in a round."""
    norm: Literal["image", "standing"] = "image"
    """Rule of the scores: each refusal lowers a score, or only one towards a recipient in good standing."""

    @model_validator(mode="after")
    def _chance(self) -> Self:
        if not 0 <= share(self.known) <= 1:
            raise ValueError(f"known: {self.known} is no chance from 0 to 1")
        return self

    def law(self, players: tuple[str, ...]) -> StageLaw:
        """Return the law between these players."""
        known, standing = share(self.known), self.norm == "standing"
        return Donor(players, share(self.benefit), share(self.cost), self.reputation, known, standing)


class CostlyPunishmentSpec(Frozen):
    """Punishment by a donor."""

    parts: Levels
    """Parts that a donor can spend, in percent of what it has."""
    multiplier: Number = 2
    """Multiple of the spent amount that the recipient loses."""


class DonationsSpec(Frozen):
    """Donor game in amounts."""

    form: Literal["donations"]
    endowment: Number = 10
    parts: Levels = (0, 10, 20, 30, 40, 50, 60, 80, 100)
    """Parts that a donor can give, in percent of what it has."""
    multiplier: Number = 2
    trace: int = Field(default=3, ge=0, le=10)
    """Number of earlier acts that a donor knows of, beginning with the recipient's last one."""
    punishment: CostlyPunishmentSpec | None = None

    @model_validator(mode="after")
    def _affordable(self) -> Self:
        spent = () if self.punishment is None else self.punishment.parts[-1:]
        for key, part in (("parts", self.parts[-1]), *(("punishment: parts", part) for part in spent)):
            if part > 100:
                raise ValueError(f"{key}: {part} is above 100 per cent")
        if share(self.endowment) <= 0:
            raise ValueError(f"endowment: {self.endowment} is not above 0")
        return self

    def law(self, players: tuple[str, ...]) -> StageLaw:
        """Return the law between these players. Raises ValueError."""
        given = self.punishment
        harm = None if given is None else CostlyPunishment(given.parts, share(given.multiplier))
        return Donations(players, share(self.endowment), self.parts, share(self.multiplier), self.trace, harm)


class UltimatumSpec(Frozen):
    """Ultimatum game: an offer, and yes or no."""

    form: Literal["ultimatum"]
    pie: Number
    offers: Levels
    alternate: bool = False
    """True if the players change roles after each round."""

    @model_validator(mode="after")
    def _affordable(self) -> Self:
        if self.offers[-1] > share(self.pie):
            raise ValueError(f"offers: {self.offers[-1]} is more than the pie of {self.pie}")
        return self

    def law(self, players: tuple[str, ...]) -> StageLaw:
        """Return the law between these players. Raises ValueError."""
        return Ultimatum(_two(players, self.form), share(self.pie), self.offers, self.alternate)


class TrustSpec(Frozen):
    """Trust game: a sent amount grows, and a part comes back."""

    form: Literal["trust"]
    endowment: Number
    sends: Levels
    multiplier: Number
    returns: Levels
    """Legal shares of the received amount to send back, in percent."""
    alternate: bool = False

    @model_validator(mode="after")
    def _affordable(self) -> Self:
        if self.sends[-1] > share(self.endowment):
            raise ValueError(f"sends: {self.sends[-1]} is more than the endowment of {self.endowment}")
        if self.returns[-1] > 100:
            raise ValueError(f"returns: {self.returns[-1]} is above 100 per cent")
        return self

    def law(self, players: tuple[str, ...]) -> StageLaw:
        """Return the law between these players. Raises ValueError."""
        two = _two(players, self.form)
        return Trust(two, share(self.endowment), self.sends, share(self.multiplier), self.returns, self.alternate)


GameSpec = Annotated[
    TableSpec
    | PublicGoodsSpec
    | DonorSpec
    | DonationsSpec
    | UltimatumSpec
    | TrustSpec
    | FormulaSpec
    | OrdinalSpec
    | ComposedSpec,
    Field(discriminator="form"),
]
"""Any stage game."""
FORMS = ("matrix", "public-goods", "donor", "donations", "ultimatum", "trust", "formula", "ordinal", "composed")


def check_law(law: StageLaw, emerald: Fraction) -> None:
    """Check that the law can be played and paid in whole emeralds of that worth. Raises ValueError."""
    for name in law.names():
        if name in RESERVED:
            raise ValueError(f"game: {name!r} is what players are paid in; call the option something else")
    for amount in law.amounts():
        if (amount / emerald).denominator != 1:
            raise ValueError(
                f"game: a payoff of {float(amount):g} is no whole number of emeralds; set emerald (what one is worth, "
                f"now {float(emerald):g}) to a part of it"
            )


def _two(players: tuple[str, ...], form: str) -> tuple[str, ...]:
    if len(players) != 2:
        raise ValueError(f"game: {form} is for two players, not for {len(players)}")
    return players


def _distinct(key: str, names: tuple[str, ...]) -> None:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"{key}: {twice[0]!r} stands there twice; each action needs its own name")
