"""Model of a constitution in a scenario's file: clauses with their first values, participants, calendar.

Every scenario in which agents live can have one (`constitution:` in its file); the process is
`contracts.institutions.assembly`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, model_validator

from contracts.errors import ContractError
from contracts.institutions import VotingRule
from contracts.institutions.assembly import Assembly, AssemblySettings, Calendar, Roll
from contracts.institutions.charter import Charter, Clause
from dilemmas.scenarios.fields import Frozen, PlayerName

Percent = Annotated[float, Field(ge=0, le=100)]


class ClauseSpec(Frozen):
    """A clause and its first value."""

    kind: Literal["share", "names"]
    says: str
    """Text of the clause; {value} stands for its value."""
    value: Any
    """A number of percent or [low, high]; a name or several."""
    least: Percent = 0
    most: Percent = 100
    legal: tuple[str, ...] = ()
    """Legal names."""

    def clause(self, name: str) -> Clause:
        """Return the clause for the institution."""
        return Clause(name, self.kind, self.says, self.least, self.most, self.legal)


class CalendarSpec(Frozen):
    """Start of each step, in seconds."""

    feedback: float = 300
    amendments: float = 360
    ballots: float = 420
    count: float = 480
    adoption: float = 600


class ConstitutionSpec(Frozen):
    """A law that its people can amend."""

    title: str
    clauses: dict[str, ClauseSpec] = Field(min_length=1)
    at: CalendarSpec = CalendarSpec()
    manager: PlayerName
    voters: tuple[PlayerName, ...] | None = None
    """Players with a vote; None for all but the manager."""
    heard: tuple[PlayerName, ...] | None = None
    """Players whose feedback is asked; None for all but the manager."""
    voting: VotingRule = VotingRule.PLURALITY
    frozen: bool = False
    most_amendments: int = Field(default=20, ge=1, le=200)
    most_words: int = Field(default=500, ge=20, le=2000)

    @model_validator(mode="after")
    def _makes_a_law(self) -> Self:
        try:
            self.assembly((self.manager,))
        except ContractError as error:
            raise ValueError(str(error)) from None
        return self

    def assembly(self, players: Sequence[str], *, frozen: bool | None = None) -> Assembly:
        """Return the assembly of these players."""
        charter = Charter(self.title, {name: each.clause(name) for name, each in self.clauses.items()})
        others = tuple(name for name in players if name != self.manager)
        roll = Roll(tuple(players), self.heard or others, self.voters or others, self.manager)
        settings = AssemblySettings(
            at=Calendar(**self.at.model_dump()),
            voting=self.voting,
            frozen=self.frozen if frozen is None else frozen,
            most_amendments=self.most_amendments,
            most_words=self.most_words,
        )
        return Assembly(charter.law({name: each.value for name, each in self.clauses.items()}), roll, settings)

    def check(self, players: Sequence[str]) -> None:
        """Check that all participants are players. Raises ValueError."""
        for name in (self.manager, *(self.voters or ()), *(self.heard or ())):
            if name not in players:
                raise ValueError(f"constitution: {name!r} is no player; choose from {', '.join(players)}")
