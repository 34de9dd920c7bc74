"""`accord skills`, with the mock world's real process."""

from __future__ import annotations

import asyncio
import json
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from accord.cli.app import app
from voyager_agents.index import open_embedding, open_index
from voyager_agents.skill_library import Skill, SkillLibrary, index_folder

MINE = 'async function mine (bot) { await mineBlock(bot, "iron_ore", 2); console.log("two") }'
FURNITURE = ["--command", "give Gizmo stone_pickaxe", "--command", "fill 6 -60 0 7 -60 0 iron_ore"]


def invoke(*arguments: str) -> tuple[int, str, Exception | None]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.exception if isinstance(result.exception, Exception) else None


def policy(folder: Path, text: str) -> str:
    file = folder / "policy.js"
    file.write_text(text)
    return str(file)


def test_a_policy_that_works_is_told_step_by_step(tmp_path: Path) -> None:
    code, out, _ = invoke("skills", "try", policy(tmp_path, MINE), "--world", "mock", *FURNITURE)
    assert code == 0
    assert 'mineBlock("iron_ore", 2)' in out
    assert "info: two" in out
    assert "has 2 raw_iron, 1 stone_pickaxe" in out
    assert out.splitlines()[-1].endswith("s of game time: +2 raw_iron")


def test_a_policy_that_throws_is_told_with_its_line(tmp_path: Path) -> None:
    code, out, _ = invoke("skills", "try", policy(tmp_path, MINE))
    assert code == 1
    assert "BlockNotFound" in out.splitlines()[-1]
    assert "(line 1)" in out.splitlines()[-1]


def test_for_programs(tmp_path: Path) -> None:
    code, out, _ = invoke("skills", "try", policy(tmp_path, MINE), "--json", *FURNITURE)
    found = json.loads(out)
    assert (code, found["outcome"], found["gained"]) == (0, "returned", {"raw_iron": 2})
    assert {"action", "log", "inventory"} <= {event["kind"] for event in found["events"]}


def test_a_time_limit_is_game_time(tmp_path: Path) -> None:
    endless = policy(tmp_path, "async function main (bot) { for (;;) await bot.waitForTicks(20) }")
    code, out, _ = invoke("skills", "try", endless, "--time-limit", "7", "--json")
    assert (code, json.loads(out)["outcome"], json.loads(out)["game_s"]) == (1, "timeout", 7.0)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["nothing.js"], "error: nothing.js cannot be read (No such file or directory): give a JavaScript file"),
        (["{file}", "--time-limit", "0"], "error: --time-limit 0: give a number of seconds above 0"),
        (["{file}", "--world", "moon"], "error: unknown world 'moon': choose one of"),
        (
            ["{file}", "--command", "frobnicate"],
            "error: command 'frobnicate' was refused: Unknown or incomplete command",
        ),
    ],
)
def test_bad_input_is_one_line(tmp_path: Path, arguments: list[str], line: str) -> None:
    file = policy(tmp_path, MINE)
    result = CliRunner().invoke(app, ["skills", "try", *(each.replace("{file}", file) for each in arguments)])
    assert result.exit_code in (1, 2)
    assert result.stderr.replace("\n", " ").startswith(line)


MINES = "async function mineTwo (bot) { await mineBlock(bot, 'iron_ore', 2) }\n"
CALLS = "async function mineFour (bot) { await mineTwo(bot); await mineTwo(bot) }\n"


def skill(source: str, name: str, **about: object) -> Skill:
    return Skill.made(source, name=name, version=1, description=f"{name} does it", task="Mine", **about)


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a library with a skill that has a check, and a skill that calls it."""
    folder = tmp_path_factory.mktemp("learned")
    ground = ("give Gizmo stone_pickaxe", "fill 6 -60 0 7 -60 0 iron_ore")

    async def fill() -> None:
        library = SkillLibrary(folder, open_embedding())
        await library.add(skill(MINES, "mineTwo", check={"commands": ground, "items": {"raw_iron": 2}}))
        await library.add(skill(CALLS, "mineFour"))

    asyncio.run(fill())
    return folder


@pytest.fixture
def library(tmp_path: Path, learned: Path) -> Path:
    return Path(shutil.copytree(learned, tmp_path / "library"))


def test_a_library_is_listed(library: Path) -> None:
    code, out, _ = invoke("skills", "list", str(library))
    assert (code, out) == (0, "mineFour@1: mineFour does it\nmineTwo@1: mineTwo does it\n")
    listed = json.loads(invoke("skills", "list", str(library), "--json")[1])
    assert [(each["name"], each["version"]) for each in listed] == [("mineFour", 1), ("mineTwo", 1)]


def test_a_sound_library_is_verified_and_a_rebuilt_index_is_the_same(library: Path) -> None:
    code, out, _ = invoke("skills", "verify", str(library))
    assert code == 0
    assert out.splitlines() == [
        "ok    mineFour: loads",
        "ok    mineTwo: did what its check asks for",
        "ok    index: holds and finds all 2 skills, embedded by hashing/words-pieces-1",
    ]
    before = answers(library)
    shutil.rmtree(index_folder(library))
    code, out, _ = invoke("skills", "rebuild", str(library), "--json")
    assert (code, json.loads(out)["skills"]) == (0, 2)
    assert answers(library) == before


def answers(library: Path) -> list[object]:
    index = open_index(index_folder(library), open_embedding(), fix="-")
    try:
        return [asyncio.run(index.query(text, 2)) for text in ("mine two", "four", "something else")]
    finally:
        index.close()


def test_what_is_wrong_with_a_library_is_told(library: Path) -> None:
    skills = library / "skills"
    (skills / "mineTwo@2.js").write_text(MINES.replace(", 2)", ", 1)"))
    (skills / "mineTwo@2.yaml").write_text((skills / "mineTwo@1.yaml").read_text().replace("version: 1", "version: 2"))
    (skills / "mineFour@1.js").write_text("async function mineFour (bot) { let bot = 1 }\n")
    code, out, _ = invoke("skills", "verify", str(library), "--json")
    four, two, index = json.loads(out)
    assert (code, four["ok"], two["ok"], index["ok"]) == (1, False, False, False)
    assert four["detail"].startswith("does not load: SyntaxError: Identifier 'bot' has already been declared")
    assert two["detail"] == "its check: gained +1 raw_iron, not 2 raw_iron"
    assert index["detail"].startswith("holds 2 skills, not what the 2 in files say: run 'accord skills rebuild")
    shutil.rmtree(index_folder(library))
    code, out, _ = invoke("skills", "verify", str(library))
    assert out.splitlines()[-1] == (
        f"fail  index: {index_folder(library)}: there is no index: run 'accord skills rebuild {library}'"
    )


@pytest.mark.parametrize("command", ["list", "verify", "rebuild"])
@pytest.mark.parametrize(
    ("file", "line"),
    [
        (None, "is no skill library: give a folder with 'skills' in it, such as RUN/agents/PLAYER"),
        ("notes.txt", "is no file of a skill: only NAME@VERSION.js and NAME@VERSION.yaml may stand here; take it out"),
    ],
)
def test_what_is_no_library_is_one_line(tmp_path: Path, command: str, file: str | None, line: str) -> None:
    if file is not None:
        (tmp_path / "skills").mkdir()
        (tmp_path / "skills" / file).write_text("")
    result = CliRunner().invoke(app, ["skills", command, str(tmp_path)])
    assert (result.exit_code, result.stdout) in ((1, ""), (2, ""))
    assert result.stderr.replace("\n", " ").strip().endswith(line)
