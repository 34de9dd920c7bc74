"""A taxed village under guards and a court that act on its constitution, on the mock world."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from accord.studies.study import StudyResult, StudySettings, run_study
from contracts.errors import Refused
from dilemmas.errors import UsageError
from dilemmas.records.events import EndStateRead, InstitutionActed, SeasonClosed, TaxMoved
from dilemmas.records.record import read_events
from dilemmas.scenarios.institutions import institutions_of
from dilemmas.scenarios.registry import load_scenario
from dilemmas.scenarios.village.civics import charter_norms
from tests.fakes.taxed import SEASONS, TRADES, small_taxation
from voyager_agents.village_norms import PayTax, VillageDeed, read_village_norm

PURSE = 10


async def play(folder: Path, condition: str, *parts: str, **citizens: Any) -> StudyResult:  # noqa: ANN401 - numbers
    """Play the small taxation under some parts; `citizens` are numbers of its people."""
    path = small_taxation(folder, seconds=82, seasons={**SEASONS, "count": 4})
    if citizens:
        lines = path.read_text("utf-8").replace("citizens:\n", f"citizens:\n  pay: {json.dumps(citizens['pay'])}\n")
        path.write_text(lines, encoding="utf-8")
    vary = {f"institution.{part}": ("on",) for part in parts}
    found = await run_study(
        StudySettings(str(path), world="mock", contracts=(condition,), out=folder / "runs", vary=vary)
    )
    assert found.results[0]["status"] == "complete"
    return found


def told(found: StudyResult, kind: type[Any]) -> list[Any]:
    return [line.event for line in read_events(found.directory / "events.jsonl") if isinstance(line.event, kind)]


async def test_guards_fine_those_who_do_not_pay_what_the_constitution_says(tmp_path: Path) -> None:
    # Nobody sets out to a chest any more.
    found = await play(tmp_path, "anti-frozen", "constitution", "guards", pay={"last_s": 100})
    closed = told(found, SeasonClosed)
    owing = Counter(name for each in closed for name, state in each.state.items() if state in ("present", "absent"))
    acted = told(found, InstitutionActed)
    breaches = Counter(each.who for each in acted if each.what == "breach")
    # The last season ends after the last step.
    assert set(breaches) == set(TRADES)
    assert all(0 < breaches[name] <= owing[name] for name in TRADES)
    paid = [each for each in acted if each.what == "payment"]
    assert paid
    [end] = told(found, EndStateRead)
    held = {name: dict(end.players[name].items).get("emerald", 0) for name in TRADES}
    booked = dict.fromkeys(TRADES, PURSE) | {"treasury": 0}
    for each in paid:
        booked[each.who] -= int(each.data["paid"])
        booked[each.data["payee"]] += int(each.data["paid"])
    assert {**held, "treasury": booked["treasury"]} == booked
    assert sum(booked.values()) == PURSE * len(TRADES)


async def test_an_amended_constitution_is_the_law_in_force_and_people_who_pay_break_nothing(tmp_path: Path) -> None:
    found = await play(tmp_path, "anti-amendable", "constitution", "guards", "court")
    acted = told(found, InstitutionActed)
    laws = [each.data["clauses"] for each in acted if each.what == "law_in_force"]
    first, *_, last = [clause["term"]["percent"] for [clause] in laws]
    assert (first, last < first) == (20, True)
    assert not [each for each in acted if each.what == "breach"]


async def test_citizens_pay_taxes_and_trade_under_one_treasury(tmp_path: Path) -> None:
    """The market's tax, fines of guards and the seasons' tax stand side by side, and no emerald appears or is lost."""
    path = small_taxation(
        tmp_path, seconds=42, items={"Ann": {"bread": 30, "stone": 20}, "Bob": {"coal": 20, "apple": 10}}
    )
    market = {"active": "off", "every": 1, "rounds": 2, "items": ["bread", "coal", "stone"], "tax": 50}
    path.write_text(path.read_text("utf-8") + f"institutions: {json.dumps({'market': market})}\n", encoding="utf-8")
    parts = ("constitution", "guards", "market")
    found = await run_study(
        StudySettings(
            str(path), world="mock", contracts=("anti-frozen",), out=tmp_path / "runs",
            vary={f"institution.{part}": ("on",) for part in parts},
        )
    )  # fmt: skip
    assert found.results[0]["status"] == "complete"
    acted = told(found, InstitutionActed)
    assert {each.part for each in acted} >= {"constitution", "market"}
    assert told(found, SeasonClosed)
    [opened] = [each for each in acted if each.what == "market_opened"]
    assert set(opened.data["people"]) <= set(TRADES)
    trades = [each for each in acted if (each.part, each.what) == ("market", "trade")]
    assert trades
    [end] = told(found, EndStateRead)
    held = sum(dict(end.players[name].items).get("emerald", 0) for name in TRADES)
    taxes = sum(each.data["tax"] for each in trades)
    assert taxes > 0
    # Of the seasons' tax, emeralds go into the community chests.
    seasons = sum(dict(each.items).get("emerald", 0) * (-1 if each.taken else 1) for each in told(found, TaxMoved))
    fines = sum(each.data["paid"] for each in acted if each.what == "payment" and each.data["payee"] == "treasury")
    shares = sum(each.data["paid"] for each in acted if each.what == "payment" and each.who == "treasury")
    assert held + taxes + seasons + fines - shares == PURSE * len(TRADES)


def test_only_the_rate_of_a_constitution_that_counts_everything_is_typed() -> None:
    rate = {"rate": (5.0, 10.0), "counts": ["everything"], "where": ["north"]}
    assert charter_norms(rate) == {"rate": PayTax(kind="pay", percent=5)}
    assert charter_norms({**rate, "counts": ["food"]}) == {}
    assert charter_norms({**rate, "rate": (0.0, 5.0)}) == {}


@pytest.mark.parametrize(("share", "broken"), [(0.0, True), (0.17, True), (0.185, False), (0.2, False), (1.0, False)])
def test_a_tax_is_paid_with_nine_tenths_of_it(share: float, broken: bool) -> None:
    norm = read_village_norm({"kind": "pay", "percent": 20})
    assert norm.breaks(VillageDeed("season", "Ann", share=share), 0) is broken
    assert not norm.breaks(VillageDeed("visit", "Ann", "square"), 0)


def test_two_laws_at_once_and_taxes_without_seasons_are_refused() -> None:
    taxation, village = load_scenario("taxation"), load_scenario("village")
    both = {"institution.law": "on", "institution.constitution": "on"}
    with pytest.raises(UsageError, match="law and constitution both write law"):
        institutions_of(taxation, "anti-amendable", both)
    assert list(institutions_of(taxation, "anti-amendable", {"institution.law": "on"})) == ["law"]
    with pytest.raises(Refused, match="'pay' is unknown: choose one of limit, spare, keep_out, curfew"):
        village.read_norm({"kind": "pay", "percent": 20})
    assert set(taxation.civic_members) == set(taxation.spec.players) - {"Thorin", "Lira", "Brann", "Elector"}
