"""A constitution as the law: clauses of a charter that an assembly amends by its own calendar, with sanctions on top.

The assembly (`contracts.institutions.assembly`) makes the law, and the host says which of its clauses are typed. This
part publishes them as the law in force, so that guards and courts act on them as on any other law.
"""

from __future__ import annotations

from fractions import Fraction

from pydantic import Field

from contracts.institutions.frame import Desk, Group, InstitutionPart, PartSettings, Slot
from contracts.institutions.law import MAX_SANCTION, BreachWatch, plain_clause
from contracts.institutions.norms import Norm
from contracts.institutions.slots import ACTS, BREACHES, LAW, LawClause, Sentence

CHARTER: Slot[tuple[tuple[str, Norm], ...]] = Slot("charter", "typed clauses of the constitution in force", ())
"""(clause, norm) of each clause that the world's record can judge."""


class CharterSettings(PartSettings):
    """Sanctions of the constitution's clauses; without any, it binds by words alone."""

    fine: float = Field(default=2, ge=0, le=MAX_SANCTION)
    hold: int = Field(default=1, ge=0, le=MAX_SANCTION)
    banish_after: int = Field(default=0, ge=0, le=MAX_SANCTION)


class CharterLaw(InstitutionPart):
    """The constitution's typed clauses as the law in force, and who breaks them."""

    name = "constitution"
    Settings = CharterSettings
    reads = (ACTS, CHARTER)
    writes = (LAW, BREACHES)
    settings: CharterSettings

    def __init__(self, settings: CharterSettings, group: Group) -> None:
        super().__init__(settings, group)
        fine = Fraction(settings.fine).limit_denominator(100)
        self._sentence = Sentence(fine, settings.hold, settings.banish_after)
        self._clauses: tuple[LawClause, ...] | None = None
        self._watch = BreachWatch()

    async def step(self, desk: Desk) -> None:
        """Tell the breaches of this step; clauses that the assembly has changed bind from the next step on."""
        desk.put(BREACHES, tuple(self._watch.judge(desk, desk.read(ACTS), self._clauses or ())))
        clauses = tuple(LawClause(name, norm, self._sentence) for name, norm in desk.read(CHARTER))
        if clauses != self._clauses:
            why = "the constitution" if self._clauses is None else "the assembly has amended the constitution"
            self._clauses = clauses
            desk.put(LAW, clauses)
            desk.tell("law_in_force", why=why, clauses=[plain_clause(each) for each in clauses])
