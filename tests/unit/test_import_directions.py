"""Imports go one way: dilemmas -> contracts, voyager_agents -> bridge; in JavaScript bridge -> skills_js -> engine."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

ALLOWED = {
    "bridge": set[str](),
    "contracts": {"bridge"},
    "grid_games": set[str](),
    "voyager_agents": {"bridge", "contracts"},
    "dilemmas": {"bridge", "contracts", "grid_games", "voyager_agents"},
    "accord": {"bridge", "contracts", "dilemmas", "grid_games", "voyager_agents"},
}
"""Room -> rooms that it may import. Players write contracts, so they know their type; never the reverse."""

DILEMMAS = (
    {"cli"}, {"view", "doctor", "compliance"}, {"running"}, {"modes", "analysis"},
    {"scenarios", "skills"}, {"minecraft"}, {"records"}, {"errors"},
)  # fmt: skip
"""The rooms of `dilemmas`, from the top: each may import those of the lines below it."""
JS_ALLOWED = {"engine": set[str](), "skills_js": {"engine"}, "bridge": {"skills_js", "engine"}}
REQUIRE = re.compile(r"""(?:require|import)\(\s*['"](\.[^'"]+)['"]\s*\)""")


def imported_rooms(source: str) -> set[str]:
    """The rooms that a Python module imports by absolute name."""
    names = set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name.split(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.split(".")[0])
    return names & ALLOWED.keys()


def imported_files(source: str) -> set[str]:
    """The modules that a Python module imports by absolute name, such as `dilemmas.records.events`."""
    names = set[str]()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return names


def upward(room: str, source: str) -> list[str]:
    """What a module of that room of `dilemmas` imports from rooms beside or above its own."""
    height = next(number for number, rooms in enumerate(DILEMMAS) if room in rooms)
    legal = {room}.union(*DILEMMAS[height + 1 :])
    wanted = [name.split(".") for name in sorted(imported_files(source))]
    return [".".join(parts) for parts in wanted if parts[0] == "dilemmas" and parts[1] not in legal]


def required_rooms(path: Path, source: str) -> set[str]:
    """The rooms that a JavaScript file requires by relative path."""
    targets = ((path.parent / match).resolve() for match in REQUIRE.findall(source))
    inside = (target.relative_to(ROOT).parts[0] for target in targets if target.is_relative_to(ROOT))
    return {room for room in inside if room in JS_ALLOWED}


@pytest.mark.parametrize("room", sorted(ALLOWED))
def test_python_rooms_import_downwards_only(room: str) -> None:
    files = sorted((ROOT / room).rglob("*.py"))
    assert files
    wrong = {
        str(file.relative_to(ROOT)): extra
        for file in files
        if (extra := imported_rooms(file.read_text()) - ALLOWED[room] - {room})
    }
    assert wrong == {}


def test_rooms_of_dilemmas_import_downwards_only() -> None:
    wrong = {}
    for file in sorted((ROOT / "dilemmas").rglob("*.py")):
        room = file.relative_to(ROOT / "dilemmas").parts[0].removesuffix(".py")
        if room != "__init__" and (extra := upward(room, file.read_text())):
            wrong[str(file.relative_to(ROOT))] = extra
    assert wrong == {}


@pytest.mark.parametrize("room", sorted(JS_ALLOWED))
def test_javascript_rooms_require_downwards_only(room: str) -> None:
    files = sorted((ROOT / room).rglob("*.js"))
    assert files
    wrong = {
        str(file.relative_to(ROOT)): extra
        for file in files
        if (extra := required_rooms(file, file.read_text()) - JS_ALLOWED[room] - {room})
    }
    assert wrong == {}


def test_a_wrong_import_would_be_seen() -> None:
    assert imported_rooms("from dilemmas.scenarios.spec import X\nimport os") == {"dilemmas"}
    source = "from dilemmas.modes.rounds import Rounds\nfrom dilemmas.records import events"
    assert upward("scenarios", source) == ["dilemmas.modes.rounds.Rounds"]
    assert upward("running", source) == []
    assert required_rooms(ROOT / "skills_js/index.js", "require('../bridge/host/x')") == {"bridge"}


def test_tests_import_no_other_tests() -> None:
    """What several need is in tests/fakes, or in a file of its own beside them."""
    importing = re.compile(r"^\s*(?:from|import) tests\.[a-z_.]*\btest_", re.MULTILINE)
    files = sorted((ROOT / "tests").rglob("*.py"))
    wrong = [str(file.relative_to(ROOT)) for file in files if importing.search(file.read_text())]
    assert wrong == []
    assert importing.search("from tests.unit.bridge.test_node import x")
