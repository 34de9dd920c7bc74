"""`accord prompts`: export, check, and the legal content of a folder of custom prompts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from accord.cli.app import run
from tests.fakes.command_line import refused
from voyager_agents.prompts.folder import FOLDERS, Prompts, catalog
from voyager_agents.registry import FAMILIES
from voyager_agents.roles import JUDGING, RATING


def test_every_prompt_is_of_a_family_or_of_the_judge_and_has_one_name() -> None:
    files = [path.stem for folder in FOLDERS for path in folder.glob("*.md")]
    assert sorted(files) == sorted(set(files)) == list(catalog())
    used = {name for family in FAMILIES.values() for name in family.prompts} | set(JUDGING)
    assert used | {*RATING, "personas"} == set(files)
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
