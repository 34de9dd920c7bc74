"""Libraries published for Voyager: import, report, and trials against the observed world."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from accord.cli.app import app
from dilemmas.errors import UsageError
from dilemmas.skills.expect import expectations
from voyager_agents.agent import LastRun
from voyager_agents.errors import SkillError
from voyager_agents.skill_library import assemble, newest, own_part, read_published
from voyager_agents.skill_library.skill import MARK

PUBLISHED = Path(__file__).parents[3] / "fakes" / "published"
HILL = ("fill 5 -60 -4 13 -55 4 stone", "fill 8 -58 0 9 -58 0 iron_ore")
NEAR_TABLE = ("setblock 4 -60 3 crafting_table", "give Gizmo oak_log 3")
TREE = (
    "fill 4 -60 4 4 -56 4 oak_log",
    "fill 2 -57 2 6 -56 6 oak_leaves keep",
    "fill 3 -55 3 5 -54 5 oak_leaves keep",
)


def invoke(*arguments: str) -> tuple[int, str]:
    """Return exit code and standard output."""
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout


def commands(*texts: str) -> list[str]:
    return [part for text in texts for part in ("--command", text)]


def caller(folder: Path, name: str) -> Path:
    path = folder / "task.js"
    path.write_text(f"async function task(bot) {{\n  await {name}(bot)\n}}\n", encoding="utf-8")
    return path


def tried(folder: Path, name: str, expected: str, *given: str) -> tuple[int, str]:
    file = caller(folder, name)
    options = ["--library", str(PUBLISHED), "--expect", expected, *commands(*given)]
    return invoke("skills", "try", str(file), *options)


def test_an_import_reports_on_each_skill_and_files_those_that_load(tmp_path: Path) -> None:
    into = tmp_path / "library"
    code, out = invoke("skills", "import", str(PUBLISHED), "--into", str(into), "--json")
    report = {each["name"]: each for each in json.loads(out)}
    assert code == 1
    assert {name for name, each in report.items() if not each["ok"]} == {"brokenSkill", "giftFromNowhere"}
    assert "SyntaxError" in report["brokenSkill"]["detail"]
    assert "async function name(bot)" in report["giftFromNowhere"]["detail"]
    assert report["mineIronInHill"]["detail"] == "2 helpers were put inside of it; its description was shortened"
    assert report["smeltTwoIron"]["uses"] == ["mineIronInHill"]
    skills = newest(into)
    assert sorted(skills) == ["fellOneTree", "makeWoodenPickaxe", "mineIronInHill", "smeltTwoIron"]
    assert len(skills["mineIronInHill"].about.description) <= 500
    assert invoke("skills", "verify", str(into))[0] == 0


@pytest.mark.parametrize(
    ("name", "expected", "given"),
    [
        ("makeWoodenPickaxe", "wooden_pickaxe>=1", NEAR_TABLE),
        ("mineIronInHill", "raw_iron>=2", (*HILL, "give Gizmo stone_pickaxe")),
        ("fellOneTree", "oak_log>=4", TREE),
        (
            "smeltTwoIron",
            "iron_ingot==2",
            (*HILL, "give Gizmo stone_pickaxe", "give Gizmo coal 2", "setblock 2 -60 2 furnace"),
        ),
    ],
)
def test_a_published_skill_does_what_it_says(tmp_path: Path, name: str, expected: str, given: tuple[str, ...]) -> None:
    code, out = tried(tmp_path, name, expected, *given)
    assert code == 0, out


def test_a_try_fails_when_the_world_says_no(tmp_path: Path) -> None:
    code, out = tried(tmp_path, "makeWoodenPickaxe", "wooden_pickaxe>=1", "give Gizmo oak_log 1")
    assert code == 1
    assert "expected wooden_pickaxe>=1, the player holds 0" in out


def test_a_program_that_uses_published_skills_has_voyagers_manners_and_keeps_its_own_lines() -> None:
    skills = {each.name: each.skill for each in read_published(PUBLISHED) if each.skill is not None}
    own = "async function task(bot) {\n  await fellOneTree(bot)\n}\n"
    program = assemble(own, skills)
    assert program.endswith("// primitives: voyager\n")
    assert program.partition(MARK + "\n")[2].startswith(own)
    assert assemble("async function task(bot) {}\n", skills) == "async function task(bot) {}\n"
    last = LastRun(policy=program, outcome="returned")
    assert own_part(last).policy == own


def test_what_is_expected_is_read_strictly() -> None:
    [more, same] = expectations(["minecraft:iron_ingot >= 5", "stick=0"])
    assert (more.failed({"iron_ingot": 5}), same.failed({})) == ("", "")
    assert more.failed({"iron_ingot": 4}) == "expected iron_ingot>=5, the player holds 4"
    for text in ("iron_ingot", "iron_ingot>=many", "Iron>=1", ">=5", "a>=-1"):
        with pytest.raises(UsageError, match="--expect"):
            expectations([text])


def test_a_folder_without_published_skills_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SkillError, match="skill/code"):
        read_published(tmp_path)
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "linkedSkill.js").symlink_to(PUBLISHED / "skill" / "code" / "fellOneTree.js")
    with pytest.raises(SkillError, match="is a link"):
        read_published(tmp_path)


def test_skills_of_several_versions_count_once_and_the_last_one_counts(tmp_path: Path) -> None:
    code = tmp_path / "skill" / "code"
    code.mkdir(parents=True)
    for stem, what in (("mineCoal", 1), ("mineCoalV2", 2), ("mineCoalV10", 10)):
        code.joinpath(f"{stem}.js").write_text(f"async function mineCoal(bot) {{ return {what} }}\n", encoding="utf-8")
    [found] = read_published(tmp_path)
    assert found.skill is not None
    assert "return 10" in found.skill.source
