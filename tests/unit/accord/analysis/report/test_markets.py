"""Report on markets: prices, wealth, partners and flows of goods from the log of a market day."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.report import write_report
from accord.analysis.report.markets.figures import _goods
from accord.analysis.report.markets.findings import MarketRun
from accord.studies.study import StudySettings, run_study
from dilemmas.records.events import EpisodeStarted, Event, InstitutionActed
from dilemmas.scenarios.societies.markets import MarketHistory


def step(what: str, who: str = "", t_s: float = 30.0, **data: object) -> InstitutionActed:
    return InstitutionActed(t_s=t_s, part="market", what=what, who=who, data=data)


SALE: dict[str, Any] = {
    "buyer": "Ann",
    "seller": "Bob",
    "item": "coal",
    "count": 2,
    "price": 3,
    "money": "emerald",
    "tax": 0,
}
SWAP: dict[str, Any] = {"form": "barter", "one": "Bob", "gives": {"coal": 1}, "other": "Cid", "takes": {"bread": 2}}


def history(*events: InstitutionActed) -> MarketHistory:
    found = MarketHistory()
    told: list[Event] = [EpisodeStarted(attempt=1), step("market_opened"), *events]
    for event in told:
        found.add_event(event)
    return found


@pytest.mark.parametrize(
    ("events", "flows"),
    [
        ([step("trade", **SALE, form="auction")], {("Bob", "Ann", "coal"): 2}),
        (
            [step("trade", **SALE, form="auction"), step("trade", **SWAP)],
            {("Bob", "Ann", "coal"): 2, ("Bob", "Cid", "coal"): 1, ("Cid", "Bob", "bread"): 2},
        ),
        ([step("trade", **SALE, form="stall"), step("undone", **SALE, form="stall")], {}),
    ],
)
def test_flows_are_goods_that_changed_hands_without_payments(
    events: list[InstitutionActed], flows: dict[tuple[str, str, str], int]
) -> None:
    found = history(*events)
    assert _goods(MarketRun(None, found)) == flows  # type: ignore[arg-type]
    assert found.monies == {"emerald"}


async def test_a_report_shows_prices_wealth_partners_and_flows(tmp_path: Path) -> None:
    people = [
        {"name": name, "spawn_location": {"x": place + 0.5, "y": -60, "z": 2.5}, "inventory": items}
        for place, (name, items) in enumerate({"Ann": {"bread": 16}, "Bob": {"oak_log": 16}, "Cid": {}}.items())
    ]
    spec = {
        "extends": "village-market",
        "name": "hamlet",
        "population": {"personas": people},
        "institutions": {"market": {"every": 1, "rounds": 2}},
    }
    (tmp_path / "hamlet.yaml").write_text(json.dumps(spec))
    settings = StudySettings(
        str(tmp_path / "hamlet.yaml"), ("auction",), world="mock", out=tmp_path / "runs", time_limit_s=70
    )
    study = (await run_study(settings)).directory
    page = write_report([study], tmp_path / "out").html.read_text("utf-8")
    for title in ("Prices", "Wealth over time", "Who trades with whom", "Flows of goods"):
        assert title in page
    assert "market-flows" in page or "market_flows" in page
    rows = list(csv.DictReader((tmp_path / "out" / "market_flows.csv").read_text("utf-8").splitlines()))
    assert {each["item"] for each in rows} & {"bread", "oak_log"}
