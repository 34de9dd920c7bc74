from __future__ import annotations

from pathlib import Path

import pytest

from voyager_agents import PromptError
from voyager_agents.generative.asking import FOLDER as GENERATIVE
from voyager_agents.generative.cost import ANSWERS
from voyager_agents.prompts import FOLDER, load_prompt

NAMES = sorted(path.stem for path in FOLDER.glob("*.md"))
PROMPTS = sorted(path for folder in (FOLDER, GENERATIVE) for path in folder.glob("*.md"))
CONSTANT = {FOLDER: {"primitives"}, GENERATIVE: {"player", "world", "personality", "acts", "terms", "tests"}}
"""Placeholders of system messages, constant during a run."""
GOOD = "<!-- placeholders: a, b -->\nSystem {{a}}\n<!-- user -->\nUser {{b}}\n"


def test_the_prompts_are_there() -> None:
    of_learners = {"critic_task", "curriculum", "describe", "questions"}
    assert {"action", "critic", "judge", "negotiator"} | of_learners <= set(NAMES)
    assert {path.stem for path in PROMPTS} - set(NAMES) == {*ANSWERS, "preamble"}


@pytest.mark.parametrize("path", PROMPTS, ids=lambda path: path.stem)
def test_every_prompt_agrees_with_its_declaration_and_leaves_no_placeholder(path: Path) -> None:
    prompt = load_prompt(path.stem, path.parent)
    system, user = prompt.fill({key: f"<{key}>" for key in prompt.placeholders})
    assert "{{" not in system + user
    assert all(f"<{key}>" in system + user for key in prompt.placeholders)


@pytest.mark.parametrize("path", PROMPTS, ids=lambda path: path.stem)
def test_what_changes_from_call_to_call_stands_in_the_user_message(path: Path) -> None:
    """The system message is constant during a run, so that providers can cache it."""
    prompt = load_prompt(path.stem, path.parent)
    constant = {key: "same" for key in prompt.placeholders}
    changed = {key: value if key in CONSTANT[path.parent] else "other" for key, value in constant.items()}
    assert prompt.fill(constant)[0] == prompt.fill(changed)[0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (GOOD.replace("a, b", "a"), r"\{\{b\}\} is not declared: declared are a"),
        (GOOD.replace("a, b", "a, b, c"), "'c' is declared but nowhere used"),
        (GOOD.replace("{{b}}", "{{ b }}"), "is not declared"),
        (GOOD.removeprefix("<!-- placeholders: a, b -->\n"), "the first line has to be"),
        (GOOD + "<!-- user -->\n", "may stand once"),
        ("<!-- placeholders: -->\n<!-- user -->\nx\n", "there is no system text"),
    ],
)
def test_a_wrong_prompt_is_refused_when_it_is_loaded(tmp_path: Path, text: str, told: str) -> None:
    (tmp_path / "p.md").write_text(text)
    with pytest.raises(PromptError, match=told):
        load_prompt("p", tmp_path)


def test_an_unknown_prompt_names_the_known_ones() -> None:
    with pytest.raises(PromptError, match="prompts are action, action_tools, critic, critic_task, curriculum"):
        load_prompt("poet")


def test_values_are_put_in_once_and_all_of_them(tmp_path: Path) -> None:
    (tmp_path / "p.md").write_text(GOOD)
    prompt = load_prompt("p", tmp_path)
    assert prompt.fill({"a": "{{b}} \\1", "b": "x"}) == ("System {{b}} \\1", "User x")
    for values in ({"a": "x"}, {"a": "x", "b": "y", "c": "z"}):
        with pytest.raises(PromptError, match="declared are a, b"):
            prompt.fill(values)
