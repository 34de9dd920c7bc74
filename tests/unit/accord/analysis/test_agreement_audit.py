"""The audit of agreements finds every change of a log by which its outcomes no longer follow from it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.agreement_audit import AUDITED_KINDS, audit_agreements
from accord.studies.study import StudySettings, run_study
from accord.studies.verifying import agreement_fault, verify
from dilemmas.errors import RecordError
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events

Line = dict[str, Any]


def play(out: Path, scenario: str, condition: str, **chosen: Any) -> Path:  # noqa: ANN401 - settings of a study
    """Play a study on the mock world, and return its directory."""
    study = run_study(StudySettings(scenario, (condition,), world="mock", out=out, **chosen))
    return asyncio.run(study).directory


@pytest.fixture(scope="module", name="deals")
def _deals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a game in which deals are broken, deposits are lost, and players talk between the rounds."""
    agents = "always-defect,always-cooperate"
    return play(
        tmp_path_factory.mktemp("deals"), "prisoners-dilemma", "negotiate+private+escrow=9+every=4", repeat=10,
        agents=agents,
    )  # fmt: skip


@pytest.fixture(scope="module", name="contract")
def _contract(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play an episode under one contract of all."""
    return play(tmp_path_factory.mktemp("contract"), "double-vein", "contract-1", time_limit_s=5.0)


def lines_of(run: Path) -> list[Line]:
    return [json.loads(line) for line in (run / "events.jsonl").read_text("utf-8").splitlines()]


def faults_of(lines: list[Line]) -> list[str]:
    return audit_agreements(LogLine.from_json(json.dumps(each)) for each in lines).faults


def change_first(kind: str, change: Callable[[Any], object]) -> Callable[[list[Line]], None]:
    """Return a change of the first line of a kind."""
    return lambda lines: (change(next(each["data"] for each in lines if each["kind"] == kind)), None)[1]


def drop_first(kind: str) -> Callable[[list[Line]], None]:
    """Return a change that leaves out the first line of a kind."""
    return lambda lines: lines.remove(next(each for each in lines if each["kind"] == kind))


def test_untouched_logs_have_no_fault(deals: Path, contract: Path) -> None:
    for run, judged in ((deals, 3), (contract, 1)):
        audit = audit_agreements(read_events(run / "events.jsonl", AUDITED_KINDS))
        assert (audit.faults, audit.judged) == ([], judged)
        assert faults_of(lines_of(run)) == []


def drop_agreement(lines: list[Line]) -> None:
    """Leave out the first agreement on a deal."""
    lines.remove(next(each for each in lines if each["kind"] == "deal" and each["data"]["entry"]["change"] == "agreed"))


def deny_defection(data: Any) -> None:  # noqa: ANN401 - data of an event
    """Let Gizmo have cooperated in a period."""
    data["players"]["Gizmo"]["items"] = {"cooperate": 4}


def turn_finding(data: Any) -> None:  # noqa: ANN401 - data of an event
    """Turn the first finding of a verdict round."""
    data["findings"][0]["ok"] = not data["findings"][0]["ok"]


CHANGES: list[tuple[Callable[[list[Line]], None], str]] = [
    (change_first("transfer", lambda data: data.update(amount=data["amount"] + 1)), "is booked, and"),
    (change_first("transfer", lambda data: data.update(payer=data["payee"], payee=data["payer"])), "is booked, and"),
    (drop_first("transfer"), "is booked, and"),
    (change_first("enforced", lambda data: data["breaches"].clear()), "breaches is"),
    (change_first("enforced", lambda data: data.update(forfeited={})), "forfeited is"),
    (change_first("enforced", lambda data: data["deposited"].update(Gizmo=8.0)), "deposited is"),
    (change_first("enforced", lambda data: data.update(force="cheap-talk")), "force is"),
    (change_first("enforced", lambda data: data["promises"].update(Glitch=7)), "promises is"),
    (drop_first("enforced"), "its enforcement is missing"),
    (change_first("verdict", turn_finding), "shows otherwise"),
    (change_first("verdict", lambda data: data.update(deal=data["deal"] + 1)), "is judged where"),
    (change_first("period_settled", deny_defection), "the judge orders 12"),
    (change_first("episode_ended", lambda data: data["players"]["Gizmo"].update(transfer=0.0)), "by the bookings"),
    (change_first("episode_ended", lambda data: data["players"]["Glitch"].update(payoff=99.0)), "payoff of Glitch"),
    (drop_agreement, "is judged"),
]


@pytest.mark.parametrize(("change", "said"), CHANGES)
def test_a_changed_log_is_told(deals: Path, change: Callable[[list[Line]], None], said: str) -> None:
    lines = deepcopy(lines_of(deals))
    change(lines)
    assert any(said in fault for fault in faults_of(lines)), faults_of(lines)


def test_a_changed_award_of_a_contract_is_told(contract: Path) -> None:
    lines = lines_of(contract)
    verdict = next(each["data"] for each in lines if each["kind"] == "verdict")
    verdict["awards"] = [{"term": "gizmo-pays-glitch", "payer": "Gizmo", "payee": "Glitch", "amount": 3.0}]
    assert any("the judge orders 3 from Gizmo to Glitch" in fault for fault in faults_of(lines))


def test_verify_asks_for_outcomes(deals: Path, tmp_path: Path) -> None:
    [answer] = [each for each in verify(deals) if each.question.startswith("verdicts, payments and accounts")]
    assert answer.ok
    run = tmp_path / "run"
    run.mkdir()
    lines = lines_of(deals)
    bad = deepcopy(lines)
    change_first("transfer", lambda data: data.update(amount=1.0))(bad)
    (run / "events.jsonl").write_text("".join(json.dumps(each) + "\n" for each in bad), "utf-8")
    assert "is booked, and" in agreement_fault(run)


BAD_AWARD = {"term": "x", "payer": "a", "payee": "a", "amount": "b"}
HOSTILE: list[Callable[[list[Line]], None]] = [
    change_first("deal", lambda data: data["entry"].update(contract={"name": "x"})),
    change_first("deal", lambda data: data["entry"].update(contract=7)),
    change_first("deal", lambda data: data["entry"].pop("contract")),
    change_first("deal", lambda data: data["entry"].update(change="gone", deal=99)),
    change_first("deal", lambda data: data["entry"].update(more="a\nb")),
    change_first("deal", lambda data: data.update(entry={})),
    change_first("verdict", lambda data: data.update(findings=[{"x": 1}])),
    change_first("verdict", lambda data: data.update(awards=[{"term": "x"}])),
    change_first("verdict", lambda data: data.update(awards=[BAD_AWARD])),
]


@pytest.mark.parametrize("change", HOSTILE)
def test_a_hostile_log_is_refused_in_one_line(deals: Path, change: Callable[[list[Line]], None]) -> None:
    lines = deepcopy(lines_of(deals))
    change(lines)
    with pytest.raises(RecordError, match=r"line \d+ of the log belongs to no agreement") as refused:
        faults_of(lines)
    assert "\n" not in str(refused.value)
