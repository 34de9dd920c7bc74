from __future__ import annotations

from collections.abc import Callable

import pytest

from contracts import ContractProgress, ContractState, IllegalTransition, Verdict, library_contract, settle

PROPOSED, AGREED, FAILED, JUDGED, SETTLED = ContractState
LEGAL = {(PROPOSED, AGREED), (PROPOSED, FAILED), (AGREED, JUDGED), (JUDGED, SETTLED)}
CASES = [(here, there, (here, there) in LEGAL) for here in ContractState for there in ContractState]


@pytest.mark.parametrize(("here", "there"), [case[:2] for case in CASES if case[2]])
def test_legal_steps(here: ContractState, there: ContractState) -> None:
    assert here.to(there) is there


@pytest.mark.parametrize(("here", "there"), [case[:2] for case in CASES if not case[2]])
def test_illegal_steps(here: ContractState, there: ContractState) -> None:
    with pytest.raises(IllegalTransition, match=f"{here} cannot become {there}"):
        here.to(there)


def test_an_agreement_goes_its_way_and_leaves_the_earlier_states_as_they_were() -> None:
    verdict = Verdict("test")
    settlement = settle({"Gizmo": 1, "Glitch": 2}, verdict)
    agreed = ContractProgress(library_contract("double_vein_1")).agree()
    settled = agreed.judge(verdict).settle(settlement)
    assert (agreed.state, settled.state) == (AGREED, SETTLED)
    assert (settled.verdict, settled.settlement) == (verdict, settlement)
    assert agreed.verdict is None


@pytest.mark.parametrize(
    "step",
    [
        lambda proposed: proposed.judge(Verdict("test")),
        lambda proposed: proposed.settle(settle({}, None)),
        lambda proposed: proposed.fail().agree(),
        lambda proposed: proposed.agree().agree(),
        lambda proposed: proposed.agree().fail(),
    ],
)
def test_an_agreement_cannot_skip_or_repeat(step: Callable[[ContractProgress], ContractProgress]) -> None:
    with pytest.raises(IllegalTransition):
        step(ContractProgress(library_contract("double_vein_1")))
