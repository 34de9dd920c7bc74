"""Files made of the definitions of options: `python docs/options.py` writes them.

They are the tables of options in docs/cli.md, between their markers, and the keyword options of `accord.run` and
`accord.study` for editors and type checkers, `accord/studies/keyword_options.py`.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from accord.cli.app import COMMANDS, LazyCommands
from accord.cli.study_options import study_options
from accord.studies.option_groups import GROUPS

PAGE = Path(__file__).with_name("cli.md")
MODULE = Path(__file__).parents[1] / "accord" / "studies" / "keyword_options.py"
TABLES = ("run", "sweep", "schelling", "tournament", "atlas", "generations", "shapley", "league")
"""Commands whose tables are written, the first with all options of a study."""
BLOCK = re.compile(
    r"(<!-- options of accord (\S+), written by docs/options.py -->\n).*?(<!-- end of options -->)", re.S
)
PARAMETERS = ("runs", "jobs", "seed", "vary", "invalid")
"""Options that are parameters of `accord.study` itself."""
HEADER = '''"""Keyword options of `accord.run` and `accord.study`, written by `python docs/options.py`.

The definitions are in `accord.studies.option_groups`. Type checkers and editors need the types as source text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypedDict

from accord.studies.option_groups import Acting, Answers, Embodied, Hosts, See, SeeDetail, Words
from common.answers.reasoning import Reasoning
from common.answers.stand_ins import StandIn


class Options(TypedDict, total=False):
    """Keyword options of `run` and `study`, named like the options of `accord run` (docs/cli.md)."""
'''


def page(text: str) -> str:
    """Return the text of docs/cli.md with the tables of options written anew."""
    return BLOCK.sub(lambda found: f"{found[1]}\n{table(found[2])}\n{found[3]}", text)


def table(command: str) -> str:
    """Return the table of a command's options in Markdown; options of `accord run` are named in one row."""
    known = {} if command == TABLES[0] else options_of(TABLES[0])
    rows, shared = ["| option | meaning | default |", "|---|---|---|"], []
    for flag, option in options_of(command).items():
        if flag in known and known[flag].help == option.help:
            shared.append(f"`{flag}`")
        else:
            rows.append(row(option))
    if shared:
        rows.append(f"| {', '.join(shared)} | as in `accord run` | |")
    return "\n".join([*rows, ""])


def options_of(command: str) -> dict[str, Any]:
    """Return flag -> option of a command, in the order of its help."""
    params: Any = LazyCommands(COMMANDS)[command].params
    return {each.opts[0]: each for each in params if each.param_type_name == "option"}


def row(option: Any) -> str:  # noqa: ANN401 - typer's own click has no public name
    """Return the row of an option."""
    value = f" {option.metavar}" if option.metavar else ""
    flags = ", ".join(f"`{flag}{value}`" for flag in (*option.opts, *option.secondary_opts))
    more = {each.option.help: each.option.more for each in study_options()}.get(option.help, "")
    link = "" if more else r" ([\1](\1))"
    text = re.sub(r" \(docs/([\w-]+\.md)\)", link, option.help)
    cells = [flags, f"{text} {more}".strip(), default_of(option)]
    return f"| {' | '.join(each.replace('|', chr(92) + '|') for each in cells)} |".replace("|  |", "| |")


def default_of(option: Any) -> str:  # noqa: ANN401
    """Return the default of an option as shown in a table."""
    if isinstance(option.show_default, str):
        return option.show_default
    if option.secondary_opts:
        return f"`{option.opts[0] if option.default else option.secondary_opts[0]}`"
    return "" if option.default is None or isinstance(option.default, bool) else in_code(option.default)


def in_code(value: object) -> str:
    """Return a value as code in Markdown."""
    return f"`{value:g}`" if isinstance(value, float) else f"`{value}`"


def module() -> str:
    """Return the source of the module with the keyword options of Python."""
    fields = [line for group in GROUPS.values() for line in keyword_options(source_of(group), group)]
    return HEADER + "".join(fields)


def source_of(group: type) -> ast.ClassDef:
    """Return the source of a group of options."""
    source = ast.parse(inspect.getsource(group)).body[0]
    assert isinstance(source, ast.ClassDef), f"{group.__name__} is a class"
    return source


def keyword_options(source: ast.ClassDef, group: type) -> Iterator[str]:
    """Yield the keyword options of a group as source text: name, type, description and default."""
    for field, after in zip(source.body, [*source.body[1:], None], strict=True):
        if not isinstance(field, ast.AnnAssign) or not isinstance(field.target, ast.Name):
            continue
        name = field.target.id
        if name in PARAMETERS:
            continue
        if not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)):
            raise ValueError(f"{group.__name__}.{name} has no docstring")
        lines = inspect.cleandoc(str(after.value.value)).split("\n")
        if default := default_in_words(group, name):
            lines += ["", f"Default: {default}."]
        text = "\n    ".join(lines) + ("\n    " if len(lines) > 1 else "")
        yield f'\n    {name}: {keyword_type(field.annotation)}\n    """{text}"""\n'.replace("\n    \n", "\n\n")


def keyword_type(annotation: ast.expr) -> str:
    """Return the type of a keyword option, which may be left out and so is never None."""
    if isinstance(annotation, ast.Subscript) and ast.unparse(annotation.value) == "Annotated":
        assert isinstance(annotation.slice, ast.Tuple), "Annotated has a type and metadata"
        annotation = annotation.slice.elts[0]
    text = ast.unparse(annotation).removesuffix(" | None")
    return (
        re.sub(r"tuple\[(\w+), \.\.\.\]", r"Sequence[\1]", text)
        .replace("Path", "str | Path")
        .replace("str | str | Path", "str | Path")
    )


def default_in_words(group: type, name: str) -> str:
    """Return the default of an option; an empty text if it is None or empty."""
    options = [each for each in study_options() if each.name == name]
    shown = [each.option.show_default for each in options if each.option.show_default]
    value = getattr(group, name, None)
    return shown[0] if shown else "" if value is None else in_code(value)


def written() -> Mapping[Path, str]:
    """Return file -> text of the files that are made of the definitions."""
    return {PAGE: page(PAGE.read_text(encoding="utf-8")), MODULE: module()}


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
