"""Two judges side by side: the first one's verdict counts, the second one's is recorded beside it."""

from __future__ import annotations

from dataclasses import replace

from contracts.terms import Contract
from contracts.verdicts import Evidence, Judge, Verdict


class Panel:
    """Lets both judge the same evidence; only the awards of `counts` are booked."""

    def __init__(self, counts: Judge, records: Judge) -> None:
        self.counts = counts
        self.records = records
        self.name = counts.name

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        """The verdict of the judge that counts, with the other's beside it."""
        verdict = await self.counts.judge(contract, evidence)
        return replace(verdict, beside=await self.records.judge(contract, evidence))
