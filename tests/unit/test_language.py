"""Language of the code: openings of docstrings, documented arguments and errors, one meaning for each class name."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from common.gc_tuning import collection_paused
from tests.fakes.statements import statements

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("accord", "bridge", "common", "contracts", "dilemmas", "grid_games", "voyager_agents")
BESIDE = ("benchmarks", "examples", "tests")
"""Folders whose docstrings are read like those of packages; they have no public names."""
OPENING = re.compile(r"(What|Who|Whoever|Whether|How|Where|As|Of|So|That)\b")
MAX_LINES, MAX_POSITIONAL = 60, 6
"""Maximum lines of a function's body, and its maximum positional parameters."""
MANY = 4
"""Parameters from which on a public function documents each."""

COMMANDS = frozenset(re.findall(r'"(accord\.cli[\w.]*:\w+)"', (ROOT / "accord/cli/app.py").read_text(encoding="utf-8")))
"""Functions that are commands, as `module:function`."""

Function = ast.FunctionDef | ast.AsyncFunctionDef
Documented = Function | ast.ClassDef | ast.Module


def sources(folders: tuple[str, ...]) -> Iterator[tuple[str, ast.Module]]:
    """Return path and syntax tree of every Python file in these folders."""
    return (each for folder in folders for each in trees(folder))


@cache
def trees(folder: str) -> tuple[tuple[str, ast.Module], ...]:
    """Return path and syntax tree of every Python file in a folder, parsed once for all tests."""
    files = sorted((ROOT / folder).rglob("*.py"))
    with collection_paused():
        return tuple((str(file.relative_to(ROOT)), ast.parse(file.read_text(encoding="utf-8"))) for file in files)


def docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of every docstring, those of constants and fields included."""
    for node in statements(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        for before, each in zip([None, *body], body, strict=False):
            documented = (
                isinstance(node, Documented) if before is None else isinstance(before, ast.Assign | ast.AnnAssign)
            )
            if (
                documented
                and isinstance(each, ast.Expr)
                and isinstance(each.value, ast.Constant)
                and isinstance(each.value.value, str)
            ):
                yield each.lineno, each.value.value


def public_functions(tree: ast.Module) -> Iterator[tuple[str, Function]]:
    """Yield name and definition of public functions, and of public methods of public classes."""
    for node in tree.body:
        if isinstance(node, Function) and not node.name.startswith("_"):
            yield node.name, node
        elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            for method in node.body:
                if isinstance(method, Function) and not method.name.startswith("_"):
                    yield f"{node.name}.{method.name}", method


def own_raises(function: Function) -> set[str]:
    """Return names of the errors that a function raises itself, without those of functions inside it.

    `raise NotImplementedError` of an abstract method and a re-raised error do not count.
    """
    found = set[str]()
    pending: list[ast.AST] = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, Function | ast.Lambda | ast.ClassDef):
            continue
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            name = node.exc.func
            found.add(name.id if isinstance(name, ast.Name) else name.attr if isinstance(name, ast.Attribute) else "")
        pending.extend(ast.iter_child_nodes(node))
    return {name for name in found if name and name[0].isupper()} - {"NotImplementedError", "AssertionError"}


def is_unwieldy(function: Function) -> bool:
    """Return whether a function has too many lines without its docstring, or too many positional parameters."""
    first = function.body[1] if ast.get_docstring(function) and len(function.body) > 1 else function.body[0]
    lines = (function.end_lineno or 0) - first.lineno + 1
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args) if each.arg not in ("self", "cls")]
    return lines > MAX_LINES or len(names) > MAX_POSITIONAL


def is_command(file: str, function: Function) -> bool:
    """Return whether a function is a command: its docstring is its help text, its options have texts of their own."""
    place = file.removesuffix(".py").replace("/", ".")
    decorators = " ".join(ast.unparse(each) for each in function.decorator_list)
    return f"{place}:{function.name}" in COMMANDS or "command(" in decorators or "indexed(" in decorators


def undocumented(function: Function, *, command: bool = False) -> str:
    """Return the fault of a public function's docstring, or an empty text. A command's docstring is its help text."""
    text = ast.get_docstring(function) or ""
    if any(isinstance(each, ast.Name) and each.id in ("override", "overload") for each in function.decorator_list):
        return ""
    if not text:
        return "has no docstring"
    if command:
        return ""
    arguments = function.args
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    names = [name for name in names if name not in ("self", "cls")]
    lacking = [name for name in names if not re.search(rf"`{name}\b|^\s*{name}(?: \(.*\))?:", text, re.MULTILINE)]
    if len(names) >= MANY and lacking:
        return f"does not document {', '.join(lacking)}"
    if own_raises(function) and not re.search(r"\b[Rr]aises?\b", text):
        return f"does not say that it raises {', '.join(sorted(own_raises(function)))}"
    return ""


def test_docstrings_open_with_a_verb_or_a_noun() -> None:
    wrong = [
        f"{file}:{line}: {text.splitlines()[0]}"
        for file, tree in sources(PACKAGES + BESIDE)
        for line, text in docstrings(tree)
        if OPENING.match(text.strip())
    ]
    assert wrong == []


def test_public_functions_document_their_arguments_and_errors() -> None:
    wrong = [
        f"{file}:{function.lineno}: {name} {fault}"
        for file, tree in sources(PACKAGES)
        for name, function in public_functions(tree)
        if (fault := undocumented(function, command=is_command(file, function)))
    ]
    assert wrong == []


def test_a_public_class_name_has_one_meaning() -> None:
    places = defaultdict[str, list[str]](list)
    for file, tree in sources(PACKAGES):
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(file)
    assert {name: files for name, files in places.items() if len(files) > 1} == {}


def test_functions_are_short_and_take_few_positional_arguments() -> None:
    wrong = [
        f"{file}:{node.lineno}: {node.name}"
        for file, tree in sources(PACKAGES)
        for node in statements(tree)
        if isinstance(node, Function) and not is_command(file, node) and is_unwieldy(node)
    ]
    assert wrong == []


def test_faults_of_language_would_be_seen() -> None:
    tree = ast.parse('''
"""What it is."""
LIMIT = 3
"""How many there are."""

def send(one, two, three, four):
    """Send `one`, `two` and `three`."""

def check(name):
    """Check a name."""
    raise ValueError(name)

def give(name):
    """Give a name. Raises ValueError for an empty one."""
    raise ValueError(name)
''')
    assert [text for _, text in docstrings(tree) if OPENING.match(text)] == ["What it is.", "How many there are."]
    assert [undocumented(function) for _, function in public_functions(tree)] == [
        "does not document four",
        "does not say that it raises ValueError",
        "",
    ]
