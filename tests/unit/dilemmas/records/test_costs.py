"""Unusable answers in the costs of a run: each one is counted once, also in records of earlier versions."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dilemmas.records import events as log
from dilemmas.records.answers import read_answers
from dilemmas.records.costs import CallTotals, costs
from dilemmas.records.record import RunRecord
from voyager_agents.thought_events import Reviewed, Step, Unusable


def told(step: Step) -> log.Event:
    return log.MindTold(player="Ada", step=step)


def counted(folder: Path, events: list[log.Event], *askers: tuple[str, str]) -> dict[tuple[str, str], int]:
    """Log three calls of each asker and then the events; return the unusable answers by player and role."""
    record = RunRecord(folder)
    for player, role in askers * 3:
        record.log(log.ModelCalled(player=player, purpose=role, model="tiny", number=None, tokens=1, usd=None))
    for event in events:
        record.log(event)
    record.close()
    return {(each.player, each.role): each.unusable for each in read_answers(folder) if each.unusable}


def verdict(readable: bool = True, **more: Any) -> log.Event:  # noqa: ANN401 - fields of the event
    plain = {"judge": "language", "critique": "", "awards": [], "findings": [], "raw": "", "transfers": {}}
    return log.VerdictGiven(**plain, readable=readable, **more)


def typed(fault: str = "", raw: str = "{}", **more: Any) -> log.Event:  # noqa: ANN401 - fields of the event
    return log.TermsTyped(number=1, terms=None, fault=fault, raw=raw, **more)


PLACED = log.PlayersPlaced(players=["Ada"], observer="Judy", wall_ms=0)
FIRST, LAST = (Unusable("critic", "no JSON", final=final, role="critic") for final in (False, True))
UNREAD = Reviewed(None, "", "unreadable: no JSON")


@pytest.mark.parametrize(
    ("steps", "number"),
    [([FIRST, Reviewed(True, "Well.")], 1), ([FIRST, LAST, UNREAD], 2), ([UNREAD, Reviewed(True, "Well.")], 1)],
    ids=["corrected", "unreadable twice", "of an earlier version"],
)
def test_unusable_reviews_are_counted_once(tmp_path: Path, steps: list[Step], number: int) -> None:
    assert counted(tmp_path, [told(step) for step in steps], ("Ada", "critic")) == {("Ada", "critic"): number}


@pytest.mark.parametrize(
    ("event", "number"),
    [
        (verdict(), 0),
        (verdict(faults=["no JSON"], fault_kinds=["unreadable"]), 1),
        (verdict(False, faults=["no JSON"] * 3, fault_kinds=["unreadable"] * 3), 3),
        (verdict(False), 1),
        (verdict(beside={"readable": False, "faults": ["no JSON"] * 3}), 3),
        (verdict(beside={"readable": True}), 0),
        (typed(), 0),
        (typed(faults=["no JSON"]), 1),
        (typed("no JSON", faults=["no JSON"] * 3), 3),
        (typed("no JSON"), 1),
        (typed("no JSON", raw=""), 0),
    ],
)
def test_unusable_verdicts_and_terms_are_counted_once(tmp_path: Path, event: log.Event, number: int) -> None:
    assert counted(tmp_path, [event, PLACED], ("Judy", "judge")) == ({("Judy", "judge"): number} if number else {})


@pytest.mark.parametrize(
    ("roles", "faults"), [(("action",), [1]), (("action", "negotiator"), [0, 1])], ids=["of another role", "of its own"]
)
def test_faults_of_a_role_without_a_model_are_those_of_the_role_that_answered(
    tmp_path: Path, roles: tuple[str, ...], faults: list[int]
) -> None:
    turn = log.NegotiationTurn(turn=1, speaker="Ada", message="Hm.", faults=["form"], fault_kinds=["refused"])
    counted(tmp_path, [turn], *(("Ada", role) for role in roles))
    found = costs(tmp_path, {("Ada", role, "tiny"): CallTotals(3) for role in roles}, read_answers(tmp_path))
    assert [(each.role, each.calls, each.faults) for each in found] == [
        (role, 3, count) for role, count in zip(roles, faults, strict=True)
    ]
