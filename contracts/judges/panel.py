"""Two judges side by side: the first one's verdict counts, the second one's is recorded beside it."""

from __future__ import annotations

from dataclasses import replace

from contracts.agreement import agreement
from contracts.terms import Contract
from contracts.verdicts import Evidence, Judge, Verdict


class JudgePanel:
    """Lets both judge the same evidence; only the awards of `counts` are booked."""

    def __init__(self, counts: Judge, records: Judge) -> None:
        self.counts = counts
        self.records = records
        self.name = counts.name

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        """The verdict of the judge that counts, with the other's beside it."""
        counted = await self.counts.judge(contract, evidence)
        verdict = replace(counted, beside=await self.records.judge(contract, evidence))
        compared = agreement(contract, verdict)
        return replace(verdict, agreement=None if compared is None else compared.plain())
