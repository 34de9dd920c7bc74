"""A constitution as the law: clauses of a charter that an assembly amends by its own calendar, with sanctions on top.

The assembly (`contracts.institutions.assembly`) makes the law, and the host says which of its clauses are typed. This
part publishes them as the law in force, so that guards and courts act on them as on any other law.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from pydantic import Field

from contracts.institutions.frame import Desk, Group, InstitutionPart, PartSettings, Slot
from contracts.institutions.law import MAX_SANCTION, BreachWatch, plain_clause
from contracts.institutions.norms import Norm
from contracts.institutions.slots import ACTS, BREACHES, LAW, LawBreach, LawClause, Sentence


@dataclass(frozen=True)
class CharterVersion:
    """Typed clauses of a constitution: those that the world's record can judge."""

    after: int
    """Number of the last act before these clauses became law."""
    clauses: tuple[tuple[str, Norm], ...]
    """(clause, norm)."""


CHARTER: Slot[tuple[CharterVersion, ...]] = Slot(
    "charter", "typed clauses of the constitution, the first law first", ()
)


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
        self._told: tuple[LawClause, ...] | None = None
        self._watch = BreachWatch()

    async def step(self, desk: Desk) -> None:
        """Tell the breaches of this step, each by the law that was in force, and the law that is in force now."""
        versions = [(each.after, self._typed(each)) for each in desk.read(CHARTER)]
        found: list[LawBreach] = []
        for act in desk.read(ACTS):
            bound = [clauses for after, clauses in versions if after < act.number]
            found += self._watch.judge(desk, (act,), bound[-1] if bound else ())
        desk.put(BREACHES, tuple(found))
        clauses = versions[-1][1] if versions else ()
        if clauses != self._told:
            why = "the constitution" if self._told is None else "the assembly has amended the constitution"
            self._told = clauses
            desk.put(LAW, clauses)
            desk.tell("law_in_force", why=why, clauses=[plain_clause(each) for each in clauses])

    def _typed(self, version: CharterVersion) -> tuple[LawClause, ...]:
        return tuple(LawClause(name, norm, self._sentence) for name, norm in version.clauses)
