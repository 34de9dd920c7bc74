from __future__ import annotations

from pathlib import Path

import pytest

from voyager_agents import Budget, BudgetError, BudgetExhausted, ModelError, Prices, load_prices
from voyager_agents.budget import EACH, OPTIONS
from voyager_agents.models import Usage
from voyager_agents.models.prices import Price

PRICES = Prices({"dear": Price(1000.0, 3000.0)})
"""Prices of a tenth of a cent per prompt token and three tenths per completion token."""


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def spend(budget: Budget, agent: str) -> None:
    budget.done(budget.let(agent, "openai/dear", 40), Usage(10, 10))


def spendable(budget: Budget, agent: str = "Gizmo") -> int:
    """Return the number of calls of 20 tokens and four cents that the budget admits, at most 100."""
    for count in range(100):
        try:
            spend(budget, agent)
        except BudgetExhausted:
            return count
    return 100


@pytest.mark.parametrize(
    ("caps", "calls"),
    [
        ({}, 100),
        ({"calls": {"all": 3}}, 3),
        ({"tokens": {"all": 60}}, 3),
        ({"tokens": {"all": 61}}, 4),
        ({"usd": {"all": 0.1}}, 3),
        ({"calls": {"Gizmo": 2, "all": 5}}, 2),
        ({"calls": {"Glitch": 2}}, 100),
        ({"calls": {EACH: 4}}, 4),
    ],
)
def test_a_cap_is_passed_by_no_more_than_one_call(caps: dict[str, dict[str, float]], calls: int) -> None:
    assert spendable(Budget(caps, PRICES)) == calls


def test_each_agent_has_its_own_share() -> None:
    budget = Budget({"calls": {EACH: 2, "all": 3}}, PRICES)
    assert [spendable(budget, name) for name in ("Gizmo", "Glitch")] == [2, 1]


def test_calls_in_flight_count() -> None:
    budget = Budget({"calls": {"all": 2}}, PRICES)
    tickets = [budget.let("Gizmo", "openai/dear", 40) for _ in range(2)]
    with pytest.raises(BudgetExhausted, match=r"--max-calls 2 is reached: give more, and resume the run"):
        budget.let("Glitch", "openai/dear", 40)
    budget.done(tickets[0], None)
    spend(budget, "Glitch")
    assert budget.spent["all"].calls == 1


def test_dollars_in_flight_are_expected_to_be_spent() -> None:
    budget = Budget({"usd": {"all": 1.0}}, PRICES)
    budget.let("Gizmo", "openai/dear", 4000)
    with pytest.raises(BudgetExhausted, match="--max-usd 1 is reached"):
        budget.let("Glitch", "openai/dear", 40)


def test_time_counts_for_the_whole_and_for_an_agents_calls() -> None:
    clock = Clock()
    budget = Budget({"wall": {"all": 100, EACH: 10}}, PRICES, clock)
    assert budget.left_s == 100
    ticket = budget.let("Gizmo", "openai/dear", 40)
    clock.now = 10
    budget.done(ticket, Usage())
    with pytest.raises(BudgetExhausted, match=r"--max-wall each=10 is reached by Gizmo"):
        budget.let("Gizmo", "openai/dear", 40)
    spend(budget, "Glitch")
    clock.now = 101
    assert budget.left_s == 0
    with pytest.raises(BudgetExhausted, match="--max-wall 100 is reached"):
        budget.let("Glitch", "openai/dear", 40)
    assert "--max-wall 100" in str(budget.out_of_time())
    assert Budget({}, PRICES).left_s is None


def test_calls_of_an_earlier_process_count() -> None:
    budget = Budget({"calls": {"all": 3}}, PRICES)
    assert budget.recall("Gizmo", "openai/dear", Usage(10, 10)) == pytest.approx(0.04)
    assert budget.recall("Gizmo", "openai/new", Usage(10, 10)) is None
    assert spendable(budget) == 1


@pytest.mark.parametrize(
    ("caps", "told"),
    [
        ({"usd": {"all": 0.0}}, "--max-usd 0 is not legal"),
        ({"calls": {"Gizmo": -1.0}}, "--max-calls Gizmo=-1 is not legal"),
        ({"tokens": {"all": float("nan")}}, "--max-tokens nan is not legal"),
        ({"wall": {"all": float("inf")}}, "--max-wall inf is not legal"),
        ({"cookies": {"all": 1.0}}, f"budget 'cookies': choose one of {', '.join(OPTIONS)}"),
    ],
)
def test_caps_that_are_none(caps: dict[str, dict[str, float]], told: str) -> None:
    with pytest.raises(BudgetError, match=told):
        Budget(caps, PRICES)


def test_prices_are_data_and_ones_own_come_first(tmp_path: Path) -> None:
    own = tmp_path / "prices.yaml"
    own.write_text("gpt-4o: {prompt: 1, completion: 2}\nmine: {prompt: 8, cached: 2, completion: 4}\n")
    prices = load_prices(own)
    assert prices.of("openai/gpt-4o") == Price(1, 2)
    assert prices.of("openai/gpt-4o-2024-08-06") == Price(1, 2)
    assert prices.of("openai/gpt-4-0613") == Price(30, 60)
    assert prices.of("openai/nobody") is None
    assert prices.of("replay/openai/nobody") == Price(0, 0)
    mine = prices.of("openai/mine")
    assert mine is not None
    assert mine.of(Usage(1_000_000, 500_000, cached_tokens=500_000)) == 4 + 1 + 2


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("x: 3", "x: 3: give {prompt: USD, completion: USD}"),
        ("x: {prompt: 3}", "x: {'prompt': 3}: give"),
        ("x: {prompt: 3, completion: free}", "completion: 'free' is not a price"),
        ("x: {prompt: -3, completion: 1}", "prompt: -3 is not a price"),
        ("x: {prompt: true, completion: 1}", "prompt: True is not a price"),
        ("x: {prompt: 1, completion: 1, tax: 1}", "legal keys are prompt, completion, cached"),
        ("- x", "write NAME:"),
        ("x: {", "is not YAML"),
    ],
)
def test_price_files_that_are_none(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(text)
    with pytest.raises(ModelError) as caught:
        load_prices(path)
    assert told in str(caught.value)
    with pytest.raises(ModelError, match="cannot be read"):
        load_prices(tmp_path / "nowhere.yaml")
