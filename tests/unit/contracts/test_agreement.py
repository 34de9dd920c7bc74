from __future__ import annotations

import json

import pytest

from contracts import FormalJudge, JudgePanel, LanguageJudge, library_contract
from contracts.agreement import JudgeAgreement, TermAgreement, agreement, pooled
from tests.fakes.askers import asker_of
from tests.unit.contracts.evidence import ended

CONTRACT = library_contract("double_vein_1")
KEPT = ended({"iron_ore": 12}, {"diamond_ore": 6})


def language(amount: float, *kept: bool) -> LanguageJudge:
    findings = [
        {"clause": duty.id, "party": duty.party, "kept": ok, "reason": "seen"}
        for duty, ok in zip(CONTRACT.obligations, kept, strict=False)
    ]
    moved = [{"clause": "gizmo-pays-glitch", "payer": "Gizmo", "payee": "Glitch", "amount": amount}] if amount else []

    async def ask(system: str, user: str) -> str:
        return json.dumps({"transfers": moved, "findings": findings, "critique": "so"})

    return LanguageJudge(asker_of(ask), instructions="")


@pytest.mark.parametrize(
    ("amount", "kept", "compared", "equal", "emeralds"),
    [(11, (), 1, 1, 0.0), (4, (), 1, 0, 7.0), (0, (True, True), 3, 2, 11.0), (11, (True, False), 3, 2, 0.0)],
)
async def test_terms_are_compared_one_by_one(
    amount: float, kept: tuple[bool, ...], compared: int, equal: int, emeralds: float
) -> None:
    verdict = await JudgePanel(FormalJudge(), language(amount, *kept)).judge(CONTRACT, KEPT)
    found = agreement(CONTRACT, verdict)
    assert found is not None
    assert found.judges == ("formal", "language")
    assert (len(found.terms), sum(each.equal for each in found.terms), found.difference) == (compared, equal, emeralds)


async def test_either_judge_can_be_the_one_that_counts() -> None:
    for first, second, moved in ((FormalJudge(), language(4), 11), (language(4), FormalJudge(), 4)):
        verdict = await JudgePanel(first, second).judge(CONTRACT, KEPT)
        assert [float(each.amount) for each in verdict.awards] == [moved]
        assert verdict.beside is not None
        assert verdict.to_dict()["beside"]["judge"] == second.name
    assert agreement(CONTRACT, await FormalJudge().judge(CONTRACT, KEPT)) is None


@pytest.mark.parametrize(
    ("both", "first", "second", "neither", "kappa"),
    [(20, 5, 10, 15, 0.4), (10, 0, 0, 10, 1.0), (0, 5, 5, 0, -1.0), (5, 0, 0, 0, None)],
)
def test_kappa_is_cohens(both: int, first: int, second: int, neither: int, kappa: float | None) -> None:
    said = [(True, True)] * both + [(True, False)] * first + [(False, True)] * second + [(False, False)] * neither
    terms = tuple(TermAgreement(str(number), "obligation", *each) for number, each in enumerate(said))
    assert JudgeAgreement(("a", "b"), terms).kappa == pytest.approx(kappa)


async def test_agreements_of_several_verdicts_pool_from_their_records() -> None:
    found = []
    for amount in (11, 4):
        one = agreement(CONTRACT, await JudgePanel(FormalJudge(), language(amount)).judge(CONTRACT, KEPT))
        assert one is not None
        found.append(json.loads(json.dumps(one.to_dict())))
    together = pooled(found)
    assert together is not None
    assert (together.share, together.difference, together.unreadable) == (0.5, 7.0, 0)
    assert pooled([]) is None


async def test_an_unreadable_verdict_counts_as_nothing_moved() -> None:
    async def mumble(system: str, user: str) -> str:
        return "hm"

    verdict = await JudgePanel(FormalJudge(), LanguageJudge(asker_of(mumble), instructions="")).judge(CONTRACT, KEPT)
    found = agreement(CONTRACT, verdict)
    assert found is not None
    assert (found.unreadable, found.share, found.difference) == (1, 0.0, 11.0)
