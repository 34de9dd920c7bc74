"""Imports go down only: accord -> dilemmas -> voyager_agents -> contracts -> bridge -> common; in JavaScript
bridge -> skills_js -> engine. No module imports itself by way of others.

Every import counts as an edge of the graph, also one inside a function or under `TYPE_CHECKING`: modules that need each
other's types cannot be read, tested or moved apart either.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import pytest

from tests.fakes.statements import statements

ROOT = Path(__file__).resolve().parents[2]

ALLOWED = {
    "common": set[str](),
    "bridge": {"common"},
    "contracts": {"common"},
    "grid_games": {"common"},
    "voyager_agents": {"bridge", "common", "contracts"},
    "dilemmas": {"bridge", "common", "contracts", "grid_games", "voyager_agents"},
    "accord": {"bridge", "common", "contracts", "dilemmas", "grid_games", "voyager_agents"},
}
"""Room -> rooms that it may import. Players write contracts, so they know their type; never the reverse."""

STEPS = {
    "accord": (
        {"cli"},
        {"training"},
        {"playing"},
        {"records"},
        {"viewer", "doctor", "compliance", "datasets"},
        {"studies"},
        {"analysis"},
    ),
    "dilemmas": ({"modes"}, {"scenarios", "skills"}, {"people"}, {"minecraft"}, {"records"}, {"errors"}),
}
"""Package -> its rooms, from the top: each may import those of the sets after its own."""
JS_ALLOWED = {"engine": set[str](), "skills_js": {"engine"}, "bridge": {"skills_js", "engine"}}
BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
LINE_COMMENT = re.compile(r"^\s*//.*$", re.MULTILINE)
REQUIRE = re.compile(r"""(?:require|import)\(\s*['"](\.[^'"]+)['"]\s*\)""")


@cache
def imported_names(source: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the modules that a Python module imports by absolute name, and those with the names it takes from them.

    Every test asks about the same files, so each is parsed once.
    """
    modules, names = set[str](), set[str]()
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            modules.update(alias.name for alias in node.names)
            names.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules.add(node.module)
            names.update(f"{node.module}.{alias.name}" for alias in node.names)
    return frozenset(modules), frozenset(names)


def imported_rooms(source: str) -> set[str]:
    """Return the rooms that a Python module imports by absolute name."""
    return {name.split(".")[0] for name in imported_names(source)[0]} & ALLOWED.keys()


def imported_files(source: str) -> frozenset[str]:
    """Return the modules that a Python module imports by absolute name, such as `dilemmas.records.events`."""
    return imported_names(source)[1]


def upward(package: str, room: str, source: str) -> list[str]:
    """Return the imports of a module of `package.room` from rooms beside or above its own."""
    steps = STEPS[package]
    height = next(number for number, rooms in enumerate(steps) if room in rooms)
    legal = {room}.union(*steps[height + 1 :])
    wanted = [name.split(".") for name in sorted(imported_files(source))]
    return [".".join(parts) for parts in wanted if parts[0] == package and len(parts) > 1 and parts[1] not in legal]


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


@pytest.mark.parametrize("package", sorted(STEPS))
def test_rooms_of_a_package_import_downwards_only(package: str) -> None:
    wrong = {}
    for file in sorted((ROOT / package).rglob("*.py")):
        room = file.relative_to(ROOT / package).parts[0].removesuffix(".py")
        if room != "__init__" and (extra := upward(package, room, file.read_text())):
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
    assert upward("dilemmas", "scenarios", source) == ["dilemmas.modes.rounds.Rounds"]
    assert upward("dilemmas", "modes", source) == []
    assert required_rooms(ROOT / "skills_js/index.js", "require('../bridge/host/x')") == {"bridge"}


def test_tests_import_no_other_tests() -> None:
    """Shared helpers belong in tests/fakes, or in a file of their own beside the tests."""
    importing = re.compile(r"^\s*(?:from|import) tests\.[a-z_.]*\btest_", re.MULTILINE)
    files = sorted((ROOT / "tests").rglob("*.py"))
    wrong = [str(file.relative_to(ROOT)) for file in files if importing.search(file.read_text())]
    assert wrong == []
    assert importing.search("from tests.unit.bridge.test_node import x")


def python_imports() -> dict[str, set[str]]:
    """Return the import graph of the Python rooms: module -> modules of ours that it imports."""
    files = {module_name(file): file for room in ALLOWED for file in sorted((ROOT / room).rglob("*.py"))}
    graph = {}
    for name, file in files.items():
        wanted = imported_files(file.read_text())
        # `from package import name` imports the module `package.name` where there is one, else `package`.
        found = {each if each in files else each.rpartition(".")[0] for each in wanted}
        graph[name] = found & files.keys() - {name}
    return graph


def module_name(file: Path) -> str:
    """Return the dotted name of a Python file."""
    return ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def javascript_imports() -> dict[str, set[str]]:
    """Return the graph of relative `require`s between JavaScript files, by path."""
    files = {file for room in JS_ALLOWED for file in (ROOT / room).rglob("*.js") if "node_modules" not in file.parts}
    graph = {}
    for file in sorted(files):
        targets = ((file.parent / match).resolve() for match in REQUIRE.findall(without_comments(file.read_text())))
        found = {choice for target in targets for choice in (target, Path(f"{target}.js"), target / "index.js")}
        graph[str(file.relative_to(ROOT))] = {str(each.relative_to(ROOT)) for each in found & files - {file}}
    return graph


def without_comments(source: str) -> str:
    """Return JavaScript without its comments, whose `import("./x")` are types."""
    return LINE_COMMENT.sub("", BLOCK_COMMENT.sub("", source))


def in_circles(graph: Mapping[str, set[str]]) -> set[str]:
    """Return the nodes from which a path leads back to themselves."""
    return {node for node in graph if node in reachable(graph, node)}


def reachable(graph: Mapping[str, set[str]], start: str) -> set[str]:
    """Return the nodes that a path of at least one edge leads to from `start`."""
    found = set[str]()
    pending = [start]
    while pending:
        new = graph[pending.pop()] - found
        found |= new
        pending.extend(new)
    return found


@pytest.mark.parametrize("graph", [python_imports, javascript_imports])
def test_no_module_imports_itself_by_way_of_others(graph: Callable[[], dict[str, set[str]]]) -> None:
    imports = graph()
    assert len(imports) > 100
    assert in_circles(imports) == set()


def test_a_circle_would_be_seen() -> None:
    assert in_circles({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}, "e": set()}) == {"a", "b", "c"}
