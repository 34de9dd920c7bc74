from __future__ import annotations

from pathlib import Path

import pytest

from accord.studies.agreement import NegotiationInput, setting
from accord.studies.conditions import expand, resolve, resolve_all
from accord.studies.settings import StudySettings
from contracts import ContractScope
from dilemmas.errors import UsageError
from dilemmas.scenarios.registry import load_scenario, spec_path

DOUBLE_VEIN = load_scenario("double-vein")


def test_axes_combine_and_the_condition_is_called_as_it_was_asked_for() -> None:
    text = "negotiate+transfers+k=4+opens=second+again=lapses+greedy=Gizmo+greedy=Glitch+typed+judge=both"
    found = resolve(DOUBLE_VEIN, text)
    assert (found.name, found.kind, found.scope, found.renegotiates) == (
        text,
        "negotiated",
        ContractScope.TRANSFERS,
        True,
    )
    assert (found.axes.rounds, found.axes.greedy, found.axes.typed) == (4, ("Gizmo", "Glitch"), True)
    assert found.axes.judge == "both"


def test_commas_make_one_condition_for_each_value() -> None:
    texts = expand(["none", "negotiate+k=2,4+opens=first,second"])
    assert texts == ("none", *(f"negotiate+k={k}+opens={who}" for k in (2, 4) for who in ("first", "second")))
    assert [each.name for each in resolve_all(DOUBLE_VEIN, ["none", "negotiate+k=2,4"])] == [
        "none",
        "negotiate+k=2",
        "negotiate+k=4",
    ]


@pytest.mark.parametrize(
    ("opens", "seed", "who"),
    [
        ("first", 1, "Gizmo"),
        ("second", 0, "Glitch"),
        ("Glitch", 0, "Glitch"),
        ("seed", 0, "Gizmo"),
        ("seed", 3, "Glitch"),
    ],
)
def test_who_opens(opens: str, seed: int, who: str) -> None:
    found = resolve(DOUBLE_VEIN, f"negotiate+opens={opens}")
    assert setting(DOUBLE_VEIN, found, NegotiationInput(6, seed)).opens == who


def test_a_given_contract_keeps_what_its_scope_leaves() -> None:
    roles = resolve(DOUBLE_VEIN, "contract-1+coordination").contract
    payments = resolve(DOUBLE_VEIN, "contract-1+transfers").contract
    assert roles is not None
    assert payments is not None
    assert (roles.transfers, payments.obligations, payments.schedule) == ((), (), ())
    assert roles.schedule
    assert payments.transfers


def test_the_studys_judge_is_for_conditions_that_name_none() -> None:
    found = resolve_all(DOUBLE_VEIN, ["none", "contract-1", "negotiate+judge=language"], "both")
    assert [each.axes.judge for each in found] == [None, "both", "language"]
    with pytest.raises(UsageError, match="judge: 'me' is not legal; choose one of formal, language, both"):
        StudySettings("double-vein", judge="me")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("negotiate+opens=Eve", "opens: 'Eve' is not legal; choose first, second, seed or Gizmo, Glitch"),
        ("negotiate+greedy=Eve", "greedy: 'Eve' is not a player; choose from Gizmo, Glitch"),
        ("negotiate+k=0", "rounds: 0: input should be greater than or equal to 1"),
        ("negotiate+k=many", "rounds: 'many'"),
        ("negotiate+transferz", r"unknown axis 'transferz' \(did you mean 'transfers'\?\): legal are coordination,"),
        ("negotiate+again=maybe", "renegotiate: 'maybe' is not legal; choose one of 'never', 'stands' or 'lapses'"),
        ("negotiate+judge=me", "judge: 'me' is not legal; choose one of formal, language, both"),
        ("negotiate+k=2+k=3", "rounds is given twice"),
        ("negotiate+", "unknown axis ''"),
        ("none+transfers", "is for a contract, and 'none' has none"),
        ("contract-1+k=3", "rounds is for a negotiated contract; start from negotiate"),
    ],
)
def test_what_does_not_fit_is_one_line(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        resolve(DOUBLE_VEIN, text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("amount", "legal"), [("13120", True), ("13121", False), ("99999", False)])
def test_an_amount_that_nobody_can_have_is_refused_in_one_line(amount: str, legal: bool, tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    transfer = f"{{id: t, payer: Gizmo, payee: Glitch, amount: {amount}}}"
    path.write_text(f"name: c\ntext: 1. a\nparties: [Gizmo, Glitch]\ntransfers: [{transfer}]\n")
    if legal:
        assert resolve(DOUBLE_VEIN, str(path)).contract is not None
        return
    with pytest.raises(
        UsageError, match=f"amount: {amount}: nobody can earn that here: .* worth 13120 emeralds"
    ) as told:
        resolve(DOUBLE_VEIN, str(path))
    assert "\n" not in str(told.value)


def test_conditions_that_come_out_alike_are_refused() -> None:
    with pytest.raises(UsageError, match="given twice"):
        resolve_all(DOUBLE_VEIN, ["negotiate+k=2,4", "negotiate+k=4"])


CONDITIONS = {
    "lab": "{contract: negotiated, about: x, scope: transfers, rounds: 4, renegotiate: stands, greedy: [Glitch]}",
}


def variant(tmp_path: Path, condition: str) -> str:
    path = tmp_path / "lab.yaml"
    path.write_text(f"extends: {spec_path('double-vein')}\nname: lab\nconditions:\n  lab: {condition}\n")
    return str(path)


def test_a_scenarios_file_sets_axes_and_the_command_line_changes_them(tmp_path: Path) -> None:
    scenario = load_scenario(variant(tmp_path, CONDITIONS["lab"]))
    found = resolve(scenario, "lab+k=8")
    assert (found.axes.rounds, found.axes.scope, found.axes.renegotiate) == (8, "transfers", "stands")
    assert resolve(scenario, "lab").definition == {
        "contract": "negotiated",
        "axes": {"scope": "transfers", "rounds": 4, "renegotiate": "stands", "greedy": ["Glitch"]},
    }


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("{contract: negotiated, about: x, greedy: [Eve]}", "greedy: 'Eve' is not a player"),
        ("{contract: negotiated, about: x, scope: half}", "scope: 'half' is not legal"),
        ("{contract: negotiated, about: x, round: 3}", "round: is not a known key.*did you mean 'rounds'"),
        ("{contract: none, about: x, rounds: 3}", "rounds is for a contract that is 'negotiated', not 'none'"),
        ("{contract: none, about: x, scope: transfers}", "without a contract"),
    ],
)
def test_axes_of_a_file_are_checked_when_it_is_read(tmp_path: Path, condition: str, words: str) -> None:
    with pytest.raises(UsageError, match=rf"lab\.yaml: .*{words}") as caught:
        load_scenario(variant(tmp_path, condition))
    assert "\n" not in str(caught.value)
