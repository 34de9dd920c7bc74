"""`accord prompts`: export, check, and the legal content of a folder of custom prompts."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.cli.app import run
from tests.fakes.command_line import refused
from voyager_agents.prompts.folder import FOLDERS, Prompts, catalog
from voyager_agents.registry import FAMILIES
from voyager_agents.roles import CIVIC, JUDGING, LAW_RATING, MARKET_PROMPTS, MOMENT, RATING, TOPIC_RATING, WORD_RATING


def test_every_prompt_is_of_a_family_or_of_the_judge_and_has_one_name() -> None:
    files = [path.stem for folder in FOLDERS for path in folder.glob("*.md")]
    assert sorted(files) == sorted(set(files)) == list(catalog())
    used = {name for family in FAMILIES.values() for name in family.prompts} | set(JUDGING)
    assert used | {
        *CIVIC,
        *MARKET_PROMPTS,
        *RATING,
        *TOPIC_RATING,
        *WORD_RATING,
        *LAW_RATING,
        MOMENT,
        "personas",
        "story",
    } == set(files)
    assert all(bool(family.prompts) == bool(family.roles) for family in FAMILIES.values())


@pytest.mark.parametrize("family", [None, "paper", "voyager", "generative"])
def test_what_is_exported_can_be_played_with_as_it_is(tmp_path: Path, family: str | None) -> None:
    folder = tmp_path / "mine"
    assert run(["prompts", "export", str(folder), *([] if family is None else ["--agents", family])]) == 0
    names = sorted(path.stem for path in folder.iterdir())
    wanted = set(catalog()) if family is None else {*FAMILIES[family].prompts, *JUDGING}
    assert names == sorted(wanted)
    own = Prompts.read(folder)
    assert own.label == "mine"
    assert own.hashes(names) == Prompts().hashes(names)
    assert all(own.load(name) == Prompts().load(name) for name in names)
    assert run(["prompts", "check", str(folder)]) == 0


def test_an_export_writes_over_nothing(tmp_path: Path) -> None:
    (tmp_path / "critic.md").write_text("mine")
    assert "critic.md is there already" in refused("prompts", "export", str(tmp_path), "--agents", "paper")
    assert [path.name for path in tmp_path.iterdir()] == ["critic.md"]
    assert "choose one of paper, voyager, generative" in refused("prompts", "export", "x", "--agents", "reference")


def change(name: str, edit: Callable[[str], str]) -> Callable[[Path], None]:
    def write(folder: Path) -> None:
        (folder / f"{name}.md").write_text(edit(catalog()[name].read_text(encoding="utf-8")), encoding="utf-8")

    return write


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda _: None, "there is no prompt"),
        (lambda folder: (folder / "poet.md").write_text("x"), "'poet.md' is no prompt"),
        (lambda folder: (folder / "action.txt").write_text("x"), "'action.txt' is no prompt"),
        (lambda folder: (folder / "more").mkdir(), "'more' is no prompt"),
        (lambda folder: (folder / "action.md").mkdir(), "cannot be read as UTF-8"),
        (lambda folder: (folder / "action.md").write_bytes(b"\xff\xfe"), "cannot be read as UTF-8"),
        (lambda folder: (folder / "action.md").write_text("Write."), "first line has to be <!-- placeholders"),
        (change("critic", lambda text: text.replace("{{log}}", "").replace("log, ", "")), "{{log}} is missing"),
        (change("critic", lambda text: text.replace("{{log}}", "")), "'log' is declared but nowhere used"),
        (change("critic", lambda text: text + "{{mood}}"), "{{mood}} is not declared"),
        (change("critic", lambda text: text.replace("log, ", "log, mood, ") + "{{mood}}"), "{{mood}} is unknown"),
        (change("critic", lambda text: text.replace("<!-- user -->\n", "")), "has no part for the user message"),
        (change("judge", lambda text: text + "\n<!-- user -->\nNow."), "take <!-- user --> out"),
        (change("judge", lambda text: text + "x" * 300_000), "at most 200000 are legal"),
    ],
)
def test_what_cannot_stand_for_a_prompt_is_told_in_one_line(
    tmp_path: Path, make: Callable[[Path], None], words: str
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    make(folder)
    line = refused("run", "double-vein", "--prompts", str(folder), "--out", str(tmp_path / "runs"))
    assert words in line
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        (["action"], ["[system]", "await mineBlock(bot, name, count = 1)", "primitives", "instructions"]),
        (["action", "--prompts", "compact"], ["primitives", "3 steps"]),
        (["player", "--scenario", "prisoners-dilemma"], ["Your options: cooperate, defect", "history", "answer form"]),
        (["player", "--scenario", "prisoners-dilemma", "--reasoning", "none"], ['{"choice": <one of your options>}']),
        (["plan", "--scenario", "commons-harvest", "--agents", "generative"], ["Make a plan", "answer form"]),
    ],
)
def test_the_prompt_of_a_role_is_shown_with_its_tokens(
    arguments: list[str], wanted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["prompts", "show", *arguments]) == 0
    shown = capsys.readouterr().out
    assert all(text in shown for text in wanted)
    rows = dict(re.findall(r"^ (\w+(?: \w+)*) +([\d,]+)", shown, re.MULTILINE))
    tokens = {name: int(count.replace(",", "")) for name, count in rows.items()}
    whole = tokens.pop("all")
    assert abs(whole - sum(tokens.values())) <= len(tokens)


def test_a_role_that_nobody_has_is_refused_with_the_legal_ones() -> None:
    told = refused("prompts", "show", "barber")
    assert "role 'barber': nobody asks in it here; choose one of action, critic" in told
