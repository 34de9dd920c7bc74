"""List names of the packages that nothing uses: `make lint` runs it. The exit code is 1 if there are any.

vulture compares definitions and uses by name. Names in templates and in "module:NAME" strings count as used.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from vulture import Vulture

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("accord", "bridge", "common", "contracts", "dilemmas", "grid_games", "voyager_agents")
USERS = (*PACKAGES, "tests", "benchmarks", "examples")
CALLED_BY_DECORATOR = [
    "@model_validator*", "@field_validator*", "@field_serializer*", "@model_serializer*", "@*.command*", "@indexed*",
]  # fmt: skip
ALLOWED = {
    "Python": "__dir__ __signature__ data_received connection_lost",
    "typer, click and rich": "list_commands prog_name standalone_mode windows_expand_args on_broken_pipe",
    "JSPyBridge": "NODE_BIN notebook queue_request",
    "tarfile and zipfile": "gid external_attr compress_type",
    "PyYAML, NumPy, PettingZoo": "yaml_implicit_resolvers writeable render_mode",
    "llama.cpp and matplotlib": "n_ctx n_parallel n_threads kwdoc",
    "keys of caches": "changed_ns",
    "fields of requests to models": "top_p max_completion_tokens reasoning_effort",
    "keys of scenario files": "in_town policies_returned",
    "fields of records": "goal_s",
    "documentation of protocols and layouts": "TurnTaker NOTES HIDDEN",
}
"""User of the names -> names that no code of the packages mentions."""


def mentioned() -> set[str]:
    """Return the names in "module:NAME" strings of Python files and the attributes in templates."""
    found = set[str]()
    for folder in PACKAGES:
        for file in (ROOT / folder).rglob("*"):
            if file.suffix == ".py":
                found.update(
                    match[1] for match in re.finditer(r"\w[\w.]*:(\w+)[\"']", file.read_text(encoding="utf-8"))
                )
            elif file.suffix == ".j2":
                found.update(re.findall(r"\.(\w+)", file.read_text(encoding="utf-8")))
    return found


def dead_names() -> list[str]:
    """Return one line for each unused name: place, kind and name."""
    search = Vulture(ignore_decorators=CALLED_BY_DECORATOR)
    search.scavenge([str(ROOT / folder) for folder in USERS])
    used = mentioned() | set(" ".join(ALLOWED.values()).split())
    return [
        f"{item.filename.relative_to(ROOT)}:{item.first_lineno}: {item.typ} {item.name} is never used"
        for item in search.get_unused_code(min_confidence=60)
        if item.filename.relative_to(ROOT).parts[0] in PACKAGES and item.name not in used
    ]


if __name__ == "__main__":
    lines = dead_names()
    print("\n".join(lines) or "no dead names")  # noqa: T201
    sys.exit(1 if lines else 0)
