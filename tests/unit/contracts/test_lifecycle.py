from __future__ import annotations

import pytest

from contracts import ContractState, IllegalTransition

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
