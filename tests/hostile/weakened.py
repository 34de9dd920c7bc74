"""Worlds whose sandbox lacks one defence, which the corpus should notice."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bridge.confinement import Confinement
from bridge.fleet import Fleet
from bridge.hostile import Attack, load_corpus
from bridge.node import NodeProcess
from bridge.prerequisites import ROOT, node_binary
from bridge.servers.embedded.world import EmbeddedWorld
from bridge.supervisor import Supervisor
from bridge.worlds import ENGINE

LOADER = Path(__file__).resolve().parent / "changed_sources.js"
HOST = """const { Host } = require(path.join(ROOT, 'bridge/host/host_process.js'))
const bodies = process.argv[2] === 'engine' ? 'engine' : ''
new Host(require(path.join(ROOT, 'bridge/host', bodies, 'parts.js'))).open()"""
SUPERVISOR = "module.exports = require(path.join(ROOT, 'bridge/host/supervisor/supervisor.js'))"


@dataclass(frozen=True)
class Change:
    """Change of a source file while it is loaded; the old text must occur exactly once."""

    file: str
    old: str
    new: str


@dataclass(frozen=True)
class Weakness:
    """Sandbox without one defence, with the attacks to run and the evidence to find."""

    name: str
    attacks: tuple[str, ...]
    finding: str
    """Regular expression of the evidence."""
    changes: tuple[Change, ...]
    supervisor: tuple[Change, ...] = ()
    """Changes in the supervisor, which starts the hosts."""
    confined: Confinement | None = None
    """Changed confinement of hosts by the system."""
    sized: tuple[str, str] | None = None
    """(text in the attacks, its replacement) for worlds with changed limits."""
    bodies: str = ENGINE
    """Movers of the players: clients, which take twice the CPU time, only where the harm is theirs."""

    def load(self) -> list[Attack]:
        """Return the attacks, adapted to the world's limits."""
        attacks = load_corpus(self.attacks)
        if self.sized is None:
            return attacks
        assert all(attack.source.count(self.sized[0]) == 1 for attack in attacks)
        return [replace(attack, source=attack.source.replace(*self.sized)) for attack in attacks]


def _script(start: str, changes: Sequence[Change], file: Path) -> Path:
    """Write a script that changes sources and then starts the given one."""
    said = [{"file": change.file, "from": change.old, "to": change.new} for change in changes]
    head = f"const CHANGES = {json.dumps(said)}; const ROOT = {json.dumps(str(ROOT))}"
    file.write_text(f"{head}\n{LOADER.read_text('utf-8')}\n{start}\n")
    return file


def weak_supervisor(weakness: Weakness, folder: Path) -> Supervisor:
    """Return a separate supervisor for the weakness; JSPyBridge allows one per process at a time."""
    script = _script(SUPERVISOR, weakness.supervisor, folder / "weak_supervisor.js")
    return Supervisor(start=lambda: NodeProcess(node_binary(), script))


def weak_world(weakness: Weakness, supervisor: Supervisor, folder: Path) -> Callable[[Path], EmbeddedWorld]:
    """Return a factory of embedded worlds whose hosts lack the defence."""
    folder.chmod(0o755)  # a host of another user must be able to read it
    script = _script(HOST, weakness.changes, folder / "weak_host.js")

    class WeakWorld(EmbeddedWorld):
        def __init__(self, logs: Path) -> None:
            super().__init__(seed=4, log_dir=logs, bodies=weakness.bodies)
            self._fleet = Fleet(supervisor, host_script=script, confined=weakness.confined, bodies=weakness.bodies)

    return WeakWorld
