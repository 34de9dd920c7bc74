"""Calls outside of a run that are charged to a budget."""

from __future__ import annotations

import pytest

from voyager_agents.budget import ALL, Budget
from voyager_agents.errors import BudgetExhausted, ModelError
from voyager_agents.models import Reply, ScriptedModel, Settings, Usage
from voyager_agents.models.base import ChatMessage
from voyager_agents.models.paying import PayingModel
from voyager_agents.models.prices import load_prices

ASKED = [ChatMessage("user", "hello")]


async def test_calls_are_counted_and_charged_to_the_account_until_a_cap_is_reached() -> None:
    replies = [Reply("a", Usage(10, 5)), ModelError("gone"), Reply("b", Usage(1, 1))]
    budget = Budget({"calls": {ALL: 2}}, load_prices(None))
    paying = PayingModel(ScriptedModel(replies, name="m"), budget, "rater")
    assert paying.name == "m"
    assert (await paying.complete(ASKED, Settings())).text == "a"
    with pytest.raises(ModelError, match="gone"):
        await paying.complete(ASKED, Settings())
    assert (await paying.complete(ASKED, Settings())).text == "b"
    assert (paying.calls, paying.tokens, paying.usd) == (2, 17, None)
    assert budget.spent["rater"].tokens == budget.spent[ALL].tokens == 17
    with pytest.raises(BudgetExhausted):
        await paying.complete(ASKED, Settings())
