"""Confinement of bot hosts by the operating system: a user of their own and an empty network namespace.

Node's permission model already keeps files and processes from a host. This is the second line, for a program that has
escaped from V8: it runs as an unprivileged user and cannot reach any address. The game is reached by a socket that is
passed to the host (`bridge/host/supervisor/socket_proxy.js`). The tools are util-linux's `unshare` and
`setpriv`, which every Linux has. Without them, or if they are refused, hosts start unconfined, and `accord doctor`
reports it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bridge.prerequisites import ROOT, ready_node

UID = 65531
"""User and group id of bot hosts: unused (systemd and Debian leave 65520 to 65533 free) and valid in a container with
65,536 users."""
CODE = (
    "bridge/host/host_process.js",
    "engine/body/blocks.js",
    "skills_js/bot_facade/bundle.js",
    "node_modules/isolated-vm/package.json",
)
"""One file of each part of the code that a host reads."""
_TOOLS = "/usr/bin:/bin:/usr/sbin:/sbin"
_TRY_S = 5.0
_READ = 'for file; do [ -r "$file" ] || { echo "$file"; exit 1; }; done'
_DIE_WITH_PARENT = ("--pdeathsig", "KILL")
_NOBODY = (f"--reuid={UID}", f"--regid={UID}", "--clear-groups")


def isolate_flags(code: Iterable[str]) -> tuple[str, ...]:
    """Return Node's flags for a process with isolates, which may read these parts of the code and nothing else."""
    return (
        "--permission",
        "--allow-addons",
        *(f"--allow-fs-read={ROOT / part}" for part in code),
        "--allow-fs-read=/etc/alpine-release",  # isolated-vm looks there which libc this is
        "--no-node-snapshot",  # isolated-vm asks for it
        "--no-experimental-sqlite",  # it would write files past the permission model
        "--no-warnings",
    )


@dataclass(frozen=True)
class Lack:
    """A protection missing on this machine."""

    why: str
    remedy: str


@dataclass(frozen=True)
class Confinement:
    """Commands that start a bot host confined, and the protections that they give."""

    command: tuple[str, ...] = ()
    """Command line before the program; empty for none."""
    own_user: bool = False
    own_network: bool = False
    no_user: Lack | None = None
    """Reason for the missing user."""
    no_network: Lack | None = None
    """Reason for the missing network namespace."""


def confinement(script: Path | None = None) -> Confinement:
    """Return the tightest confinement that works on this machine; found once per process by trying (some 10 ms).

    Args:
        script: Program of the host instead of the usual one (tests); the host's user must be able to read it.

    Raises:
        PrerequisiteError: Node or the JavaScript packages are missing.
    """
    extra = () if script is None else (script,)
    return _found((ready_node(), *(ROOT / part for part in CODE), *extra))


@lru_cache
def _found(files: tuple[Path, ...]) -> Confinement:
    if sys.platform != "linux":
        lack = Lack(f"{sys.platform} has no namespaces", "run studies on Linux, or in a Linux container or machine")
        return Confinement(no_user=lack, no_network=lack)
    tools = {name: shutil.which(name, path=_TOOLS) for name in ("unshare", "setpriv")}
    missing = [name for name, found in tools.items() if found is None]
    if missing:
        lack = Lack(f"{' and '.join(missing)} not found", "install util-linux")
        return Confinement(no_user=lack, no_network=lack)
    return _tightest(f"{tools['unshare']}", f"{tools['setpriv']}", files)


def _tightest(unshare: str, setpriv: str, files: Sequence[Path]) -> Confinement:
    """Return the first confinement that works, strongest first."""
    nobody = (setpriv, *_NOBODY, "--no-new-privs", *_DIE_WITH_PARENT, "--")
    alone = (unshare, "--user", "--net", "--", setpriv, "--no-new-privs", *_DIE_WITH_PARENT, "--")
    no_user = Lack(
        "only root can start hosts as another user", "run studies as root of a container or machine of its own"
    )
    if os.geteuid() == 0:
        no_network = None
        for command in ((unshare, "--net", "--", *nobody), (*nobody, *alone)):
            refusal = _refusal(command, files)
            if refusal is None:
                return Confinement(command, own_user=True, own_network=True)
            no_network = no_network or _network(refusal)
        refusal = _refusal(nobody, files)
        if refusal is None:
            return Confinement(nobody, own_user=True, no_network=no_network)
        no_user = _user(refusal)
    refusal = _refusal(alone, files)
    if refusal is None:
        return Confinement(alone, own_network=True, no_user=no_user)
    return Confinement(no_user=no_user, no_network=_network(refusal))


def _refusal(command: Sequence[str], files: Sequence[Path]) -> str | None:
    """Return why a host cannot start confined (first unreadable file, or the tools' message), or None if it can."""
    try:
        tried = subprocess.run(
            [*command, "/bin/sh", "-c", _READ, "sh", *map(str, files)],
            cwd="/", env={}, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=_TRY_S,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    if tried.returncode == 0:
        return None
    return (tried.stdout or tried.stderr).strip() or f"ended with code {tried.returncode}"


def _user(refusal: str) -> Lack:
    """Return why no other user can run a host, or None."""
    if not refusal.startswith("/"):
        return Lack(refusal, "let this process change users (capabilities SETUID and SETGID)")
    shut = _shut(Path(refusal))
    return Lack(
        f"{shut} is closed to other users",
        f"move the checkout to where others may read, such as /opt, or chmod o+rx {shut}",
    )


def _shut(file: Path) -> Path:
    """Return the topmost folder that other users cannot enter, else the file itself."""
    return next((each for each in reversed(file.parents) if not each.stat().st_mode & 0o001), file)


def _network(refusal: str) -> Lack:
    """Return why no network namespace can be made, or None."""
    return Lack(
        refusal,
        "allow user namespaces (sysctl kernel.apparmor_restrict_unprivileged_userns=0, user.max_user_namespaces; in a "
        "container --cap-add SYS_ADMIN)",
    )
