"""What models read about the functions in scope: the JSDoc of the primitives and queries themselves, nothing else."""

from __future__ import annotations

import re
from pathlib import Path

from bridge.errors import PrerequisiteError

SKILLS = Path(__file__).resolve().parent.parent / "skills_js"
FOLDERS = ("queries", "primitives")


def skill_docs(root: Path = SKILLS) -> str:
    """Signature and JSDoc of every function in scope, in alphabetical order. Raises PrerequisiteError."""
    files = sorted(path for folder in FOLDERS for path in (root / folder).glob("*.js") if path.stem != "index")
    if not files:
        raise PrerequisiteError(f"no primitives below {root}; run accord from a checkout, as README.md says")
    return "\n\n".join(_documented(path) for path in files)


def _documented(path: Path) -> str:
    name = re.escape(path.stem)
    source = path.read_text(encoding="utf-8")
    function = rf"/\*\*(?P<doc>(?:(?!\*/).)*)\*/\n(?:async )?function {name} ?\((?P<parameters>[^)]*)\)"
    found = re.search(function, source, re.DOTALL)
    if found is None:
        raise PrerequisiteError(f"{path}: the function {path.stem} has no JSDoc above it; every primitive needs one")
    lines = [re.sub(r"^\s*\* ?", "", line).rstrip() for line in found["doc"].strip().splitlines()]
    return f"{path.stem}({found['parameters']})\n" + "\n".join(f"  {line}" for line in lines)
