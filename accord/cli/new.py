"""`accord new`: write a package that extends Accord, with a test. The unchanged package passes `accord check`."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.text import Text

from dilemmas.errors import UsageError

TEMPLATES = Path(__file__).parent / "templates"
Kind = Literal["scenario", "agent", "module", "primitive", "judge"]
Template = Literal["dilemma", "matrix", "society", "empty"]
DILEMMA: Template = "dilemma"
PLAYERS = ("builder", "keeper", "neighbour")
"""Reference players of the template `dilemma`."""
NAMES = {
    "primitive": (r"[a-z][A-Za-z0-9]+", "letters, as a JavaScript function, such as jumpUp"),
    "module": (r"[a-z][a-z0-9]*(_[a-z0-9]+)*", "lower-case words joined by underscores, such as night_watch"),
}
"""Kind -> pattern of legal names; names of all other kinds are lower-case words joined by hyphens."""
USUAL = (r"[a-z][a-z0-9]*(-[a-z0-9]+)*", "lower-case words joined by hyphens, such as cave-in")
TRY_SCENARIO: dict[Template, str] = {
    "dilemma": "accord --plugin . run {name} --world mock --contract none --contract contract-1",
    "matrix": "accord --plugin . run {name} --world mock --agents tit-for-tat,always-defect",
    "society": "accord --plugin . run {name} --world mock --contract sharing --contract trading",
    "empty": "accord --plugin . build {name}",
}
"""Template of a scenario -> example command that uses it."""
TRY = {
    "agent": "accord --plugin . run double-vein --world mock --agents {name}",
    "module": "accord --plugin . run village --world mock --time-limit 10 --agents-option modules={name}",
    "primitive": "accord --plugin . skills try program.js",
    "judge": "accord --plugin . run double-vein --world mock --contract contract-1 --judge {name}",
}
"""Kind -> example command that uses it."""


def new(
    kind: Annotated[Kind, typer.Argument(help="What it adds.")],
    name: Annotated[str, typer.Argument(help="Its name.")],
    out: Annotated[Path, typer.Option(metavar="FOLDER", help="Where the package's folder is made.")] = Path(),
    template: Annotated[
        Template | None,
        typer.Option(help="Of a scenario: four players who build, a table of payoffs, a village, or the least."),
    ] = None,
) -> None:
    """Write a package that adds a KIND called NAME: it runs as it is, and its test is Accord's compliance suite."""
    folder = write(kind, name, out, template)
    console = Console(soft_wrap=True, highlight=False)
    console.print(Text(f"{folder}: written"))
    for line in (f"cd {folder}", "accord check .", _try(kind, template).format(name=name)):
        console.print(Text(f"  {line}", "cyan"))


def write(kind: Kind, name: str, out: Path, template: Template | None = None) -> Path:
    """Write the package and return its folder.

    Args:
        kind: Kind of addition, such as `scenario`.
        name: Name of the addition.
        out: Folder for the package.
        template: Template of a scenario.

    Raises:
        UsageError: The name or template is illegal, or the folder exists.
    """
    if template is not None and kind != "scenario":
        raise UsageError(f"--template {template} is for a scenario, not for a {kind}: leave it out")
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
        "try": _try(kind, template).format(name=name),
    }
    # Target of the entry point.
    named = {"agent": package, "module": "MODULE", "primitive": package.upper()}.get(kind, camel)
    entries: dict[str, dict[str, str]] = {f"{kind}s": {name: f"{package}:{named}"}}
    parts = {"pyproject.toml": "pyproject.toml", "README.md": "README.md", f"tests/test_{package}.py": "test.py"}
    if kind == "scenario":
        chosen = template or DILEMMA
        for file in sorted((TEMPLATES / "scenario" / chosen).iterdir()):
            place = f"{package}.yaml" if file.stem == "scenario.yaml" else file.stem
            parts[f"{package}/{place}"] = f"scenario/{chosen}/{file.stem}"
        if chosen == DILEMMA:
            entries["players"] = {f"{name}-{each}": f"{package}.players:{each}" for each in PLAYERS}
    else:
        parts[f"{package}/__init__.py"] = f"{kind}.py"
    if kind == "primitive":
        parts[f"{package}/{name}.js"] = "primitive.js"
    if folder.exists():
        raise UsageError(f"{folder} exists already; choose another name, or another folder with --out")
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    attribute = named if kind == "primitive" else camel
    for place, source in parts.items():
        text = environment.get_template(f"{source}.j2").render(**said, attribute=attribute, entries=entries)
        _put(folder / place, text)
    return folder


def _try(kind: Kind, template: Template | None) -> str:
    """Return an example command that uses such a package, with a placeholder for its `name`."""
    return TRY_SCENARIO[template or DILEMMA] if kind == "scenario" else TRY[kind]


def _put(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}; choose another folder with --out") from None
