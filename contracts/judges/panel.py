"""Two judges of the same evidence: the first verdict counts, the second is recorded beside it."""

from __future__ import annotations

from dataclasses import replace

from contracts.agreement import agreement
from contracts.terms import Contract
from contracts.verdicts import Evidence, Judge, Verdict


class JudgePanel:
    """A pair of judges; only the awards of `counts` are booked."""

    def __init__(self, counts: Judge, records: Judge) -> None:
        self.counts = counts
        self.records = records
        self.name = counts.name

    async def judge(self, contract: Contract, evidence: Evidence) -> Verdict:
        """Return the verdict of the judge that counts, with the other's beside it."""
        counted = await self.counts.judge(contract, evidence)
        verdict = replace(counted, beside=await self.records.judge(contract, evidence))
        compared = agreement(contract, verdict)
        return replace(verdict, agreement=None if compared is None else compared.to_dict())
