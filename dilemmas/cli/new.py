"""`accord new`: a package that adds something to Accord, with a test; it passes `accord check` as it is."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

import typer
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from rich.console import Console
from rich.text import Text

from dilemmas.errors import UsageError

TEMPLATES = Path(__file__).parent / "templates"
Kind = Literal["scenario", "agent", "module", "primitive", "judge"]
NAMES = {
    "primitive": (r"[a-z][A-Za-z0-9]+", "letters, as a JavaScript function, such as jumpUp"),
    "module": (r"[a-z][a-z0-9]*(_[a-z0-9]+)*", "lower-case words joined by underscores, such as night_watch"),
}
"""Kind -> how its names look; all others are lower-case words joined by hyphens."""
USUAL = (r"[a-z][a-z0-9]*(-[a-z0-9]+)*", "lower-case words joined by hyphens, such as cave-in")
TRY = {
    "scenario": "accord --plugin . run {name} --world mock --contract none --contract contract-1",
    "agent": "accord --plugin . run double-vein --world mock --agents {name}",
    "module": "accord --plugin . run village --world mock --time-limit 10 --agents-option modules={name}",
    "primitive": "accord --plugin . skills try program.js",
    "judge": "accord --plugin . run double-vein --world mock --contract contract-1 --judge {name}",
}
"""Kind -> a command that uses it."""


def new(
    kind: Annotated[Kind, typer.Argument(help="What it adds.")],
    name: Annotated[str, typer.Argument(help="Its name.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the package's folder is made.")] = Path(),
) -> None:
    """Write a package that adds a KIND called NAME: it runs as it is, and its test is Accord's compliance suite."""
    folder = write(kind, name, out)
    console = Console(soft_wrap=True, highlight=False)
    console.print(Text(f"{folder}: written"))
    for line in (f"cd {folder}", "accord check .", TRY[kind].format(name=name)):
        console.print(Text(f"  {line}", "cyan"))


def write(kind: Kind, name: str, out: Path) -> Path:
    """Write the package; returns its folder. Raises UsageError for a name that is none, and where something is."""
    pattern, looks = NAMES.get(kind, USUAL)
    if not re.fullmatch(pattern, name):
        raise UsageError(f"{name!r} is no name of a {kind}: give {looks}")
    words = [word for word in re.split(r"[-_]|(?<=[a-z0-9])(?=[A-Z])", name) if word]
    package = "_".join(word.lower() for word in words)
    folder = out / f"accord-{'-'.join(word.lower() for word in words)}"
    camel = "".join(word.capitalize() for word in words)
    said = {
        "kind": kind,
        "name": name,
        "title": " ".join(word.capitalize() for word in words),
        "distribution": folder.name,
        "package": package,
        "try": TRY[kind].format(name=name),
    }
    # What the entry point names.
    named = {"agent": "FAMILY", "module": "MODULE", "primitive": package.upper()}.get(kind, camel)
    parts = {"pyproject.toml": "pyproject.toml", "README.md": "README.md", f"tests/test_{package}.py": "test.py"}
    parts[f"{package}/__init__.py"] = f"{kind}.py"
    if kind == "scenario":
        parts[f"{package}/{package}.yaml"] = "scenario.yaml"
    if kind == "primitive":
        parts[f"{package}/{name}.js"] = "primitive.js"
    if folder.exists():
        raise UsageError(f"{folder} exists already; choose another name, or another folder with --out")
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    for place, template in parts.items():
        attribute = named if place == "pyproject.toml" or kind == "primitive" else camel
        text = environment.get_template(f"{template}.j2").render(**said, attribute=attribute)
        _put(folder / place, text)
    return folder


def _put(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; choose another folder with --out") from None
