"""Prompts within a limit of tokens, and the documentation of primitives in several lengths."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from common.answers.fitting import ShrinkRule, drop_last, drop_oldest, fit_prompt, keep_last_lines
from dilemmas.scenarios.registry import load_scenario
from dilemmas.skills.docs import skill_docs
from voyager_agents.asking import Asker
from voyager_agents.models import Reply, ScriptedModel, Usage
from voyager_agents.primitive_docs import ALWAYS, LEVELS, MAX_NEEDED, parse_primitives
from voyager_agents.prompts.fitting import ShownPrimitives
from voyager_agents.thought_events import PromptShortened, Step

RULES = (ShrinkRule("memories", drop_oldest), ShrinkRule("log", keep_last_lines))
VALUES = {"memories": ["old", "newer", "newest", "now"], "log": "one\ntwo\nthree\nfour"}


def build(values: Mapping[str, Any]) -> tuple[str, str]:
    return "System.", f"{' '.join(values['memories'])}\n{values['log']}"


@pytest.mark.parametrize(
    ("limit", "shortened", "user"),
    [
        (100, {}, "old newer newest now\none\ntwo\nthree\nfour"),
        (40, {"memories": 1}, "newest now\none\ntwo\nthree\nfour"),
        (25, {"memories": 2, "log": 1}, "now\nthree\nfour"),
        (1, {"memories": 2, "log": 2}, "now\nfour"),
    ],
)
def test_values_shrink_in_the_order_of_the_rules(limit: int, shortened: dict[str, int], user: str) -> None:
    fitted = fit_prompt(VALUES, RULES, build, limit, len)
    assert (fitted.shortened, fitted.user) == (shortened, user)
    assert fitted.tokens == len("System.") + len(user)


def test_lists_keep_one_item() -> None:
    assert drop_oldest([1]) == drop_last([1]) == [1]
    assert drop_oldest([]) == drop_last([]) == []
    assert drop_last([1, 2, 3]) == [1, 2]


async def test_the_length_is_what_the_endpoint_has_billed_and_shortening_is_recorded() -> None:
    steps: list[Step] = []
    model = ScriptedModel([Reply("ok", Usage(prompt_tokens=6))])
    asker = Asker(model, "mind", tell=steps.append, limit=8)
    assert asker.fit(VALUES, RULES, build)[1] == "now\nthree\nfour"
    assert steps == [PromptShortened({"memories": 2, "log": 1}, 8, 8, role="mind")]
    await asker.ask_text("s" * 20, "u" * 28, str)
    assert asker.fit(VALUES, RULES, build)[1] == build(VALUES)[1]
    assert len(steps) == 1


def test_a_prompt_that_no_rule_makes_fit_says_by_how_much() -> None:
    steps: list[Step] = []
    Asker(ScriptedModel([]), "mind", tell=steps.append, limit=4).fit(VALUES, RULES, build)
    assert steps == [PromptShortened({"memories": 2, "log": 2}, 6, 4, over=2, role="mind")]


def test_without_a_limit_nothing_is_shortened() -> None:
    assert Asker(ScriptedModel([]), "mind").fit(VALUES, RULES, build) == build(VALUES)


def test_every_primitive_stands_in_every_length() -> None:
    page = skill_docs()
    docs = parse_primitives(page)
    names = [each.name for each in docs.all]
    assert len(names) == page.count("\n### ")
    lengths = [docs.render(level, "Mine iron ore.") for level in range(LEVELS)]
    assert all(f"{name}(" in text for text in lengths for name in names)
    sizes = [len(text) for text in (page, *lengths)]
    assert sizes == sorted(sizes, reverse=True)


def test_the_whole_length_keeps_every_fact_of_the_page() -> None:
    page = skill_docs()
    text = parse_primitives(page).render(0)
    for line in page.splitlines():
        fact = line.strip("`#| ").removeprefix("- ")
        if not fact or fact in ("js", "---", "name | meaning", "---|---", "Names of errors") or line.startswith("| `"):
            continue
        assert fact in text, line


@pytest.mark.parametrize(("scenario", "wanted"), [("double-vein", "getItemFromChest"), ("village", "killMob")])
def test_a_task_needs_the_primitives_that_it_speaks_of(scenario: str, wanted: str) -> None:
    spec = load_scenario(scenario).spec
    needed = parse_primitives(skill_docs()).needed(spec.task + spec.text)
    assert needed >= {*ALWAYS, wanted}
    assert len(needed) <= MAX_NEEDED


def test_shown_primitives_shrink_to_their_shortest_length() -> None:
    shown = ShownPrimitives.of_page(f"Errors are thrown.\n\n{skill_docs()}", "Mine iron ore.")
    assert str(shown).startswith("Errors are thrown.\n\n## Queries")
    for _ in range(LEVELS):
        shown = shown.shorter()
    assert shown == shown.shorter()
    assert len(str(shown)) < 4000
