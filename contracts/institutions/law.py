"""Law of typed clauses: breaches follow from the world's record alone, and nothing is enforced by it."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any, ClassVar

from pydantic import Field

from contracts.errors import ContractFormatError, Refused
from contracts.institutions.frame import Desk, Group, Part, PartSettings
from contracts.institutions.slots import ACTS, BREACHES, LAW, Breach, LawClause, Sentence

MAX_SANCTION = 1000


class ClauseSettings(PartSettings):
    """A clause in a file."""

    term: dict[str, Any]
    """Typed norm of the scenario's world, such as `{kind: leave, tree: "*", apples: 6}`."""
    fine: float = Field(default=0, ge=0, le=MAX_SANCTION)
    hold: int = Field(default=0, ge=0, le=MAX_SANCTION)
    banish_after: int = Field(default=0, ge=0, le=MAX_SANCTION)


class LawSettings(PartSettings):
    """Settings of the law: clause -> norm and sanction; empty for a society without laws."""

    clauses: dict[str, ClauseSettings] = Field(default_factory=dict)


class Law(Part):
    """The clauses in force and who breaks them."""

    name = "law"
    Settings = LawSettings
    reads = (ACTS,)
    writes = (LAW, BREACHES)
    settings: LawSettings

    MAX_NAME: ClassVar[int] = 40

    def __init__(self, settings: LawSettings, group: Group) -> None:
        super().__init__(settings, group)
        self._clauses = tuple(self._clause(name, each) for name, each in settings.clauses.items())
        self._counts: Counter[tuple[str, str]] = Counter()
        self._breaches = 0

    def _clause(self, name: str, given: ClauseSettings) -> LawClause:
        if self.group.read_norm is None:
            raise ContractFormatError(f"institutions.law.clauses.{name}: this scenario has no typed clauses")
        try:
            norm = self.group.read_norm(given.term)
        except Refused as error:
            raise ContractFormatError(f"institutions.law.clauses.{name}: {error}") from None
        fine = Fraction(given.fine).limit_denominator(100)
        return LawClause(name, norm, Sentence(fine, given.hold, given.banish_after))

    async def step(self, desk: Desk) -> None:
        """Tell the law at the start, and each breach of this step."""
        if desk.step == 0:
            desk.put(LAW, self._clauses)
            desk.tell("law_in_force", why="the founding law", clauses=[_plain(each) for each in self._clauses])
        found = []
        for act in desk.read(ACTS):
            for clause in self._clauses:
                key = (clause.id, act.player)
                self._counts[key] += clause.norm.counts(act.deed)
                if clause.norm.binds(act.player) and clause.norm.breaks(act.deed, self._counts[key]):
                    self._breaches += 1
                    breach = Breach(f"B{self._breaches}", act, clause)
                    found.append(breach)
                    desk.tell(
                        "breach",
                        act.player,
                        clause.norm.says(),
                        (act.player, *act.witnesses),
                        breach=breach.id,
                        clause=clause.id,
                        act=act.number,
                        witnesses=list(act.witnesses),
                    )
        desk.put(BREACHES, tuple(found))


def _plain(clause: LawClause) -> dict[str, Any]:
    sentence = clause.sentence
    return {
        "clause": clause.id,
        "says": clause.says(),
        "term": clause.norm.model_dump(),
        "fine": float(sentence.fine),
        "hold": sentence.hold,
        "banish_after": sentence.banish_after,
    }
