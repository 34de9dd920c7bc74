"""A real Slurm cluster of this machine for tests: munge, a controller and nodes, in one folder, ended in the end."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

PROGRAMS = ("munged", "mungekey", "slurmctld", "slurmd", "sbatch", "srun", "scancel", "squeue", "scontrol")
CONF = """\
ClusterName=accord
SlurmctldHost=localhost
SlurmctldPort={port}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={place}/munge.socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,batch_sched_delay=0,defer
ReturnToService=2
SlurmdTimeout=10
InactiveLimit=0
KillWait=5
MinJobAge=300
StateSaveLocation={place}/state
SlurmdSpoolDir={place}/spool-%n
SlurmctldPidFile={place}/slurmctld.pid
SlurmdPidFile={place}/slurmd-%n.pid
SlurmctldLogFile={place}/slurmctld.log
SlurmdLogFile={place}/slurmd-%n.log
{nodes}
PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE
"""
READY_S = 120.0


def missing() -> str:
    """Why there can be no cluster here; empty where there can."""
    absent = [name for name in PROGRAMS if shutil.which(name) is None]
    if absent:
        return f"Slurm is not installed: {', '.join(absent)} not found (Debian: slurmctld slurmd slurm-client munge)"
    return "" if os.geteuid() == 0 else "Slurm's daemons need root"


class SlurmCluster:
    """Nodes `n1`, `n2`, ... of `cpus` CPUs each; use it as a context manager."""

    def __init__(self, place: Path, nodes: int = 2, cpus: int = 2) -> None:
        self._place, self._cpus = place, cpus
        self._daemons: dict[str, subprocess.Popen[bytes]] = {}
        self._names = [f"n{number + 1}" for number in range(nodes)]
        self.env = {**os.environ, "SLURM_CONF": str(place / "slurm.conf")}

    def __enter__(self) -> Self:
        ports = _free_ports(len(self._names) + 1)
        nodes = "\n".join(
            f"NodeName={name} NodeHostname={socket.gethostname()} NodeAddr=127.0.0.1 Port={port} CPUs={self._cpus}"
            for name, port in zip(self._names, ports[1:], strict=True)
        )
        (self._place / "state").mkdir(parents=True)
        (self._place / "slurm.conf").write_text(CONF.format(port=ports[0], place=self._place, nodes=nodes))
        subprocess.run(["mungekey", "--create", f"--keyfile={self._place}/munge.key"], check=True, env=self.env)
        own = [f"--{name}={self._place}/munge.{name}" for name in ("socket",)]
        files = {"key": "key", "pid": "pid", "log": "log", "seed": "seed"}
        own += [f"--{option}-file={self._place}/munge.{end}" for option, end in files.items()]
        self._start("munged", "--foreground", "--force", *own)
        self._until(lambda: (self._place / "munge.socket").exists(), "munged's socket")
        self._start("slurmctld", "-D", "-f", str(self._place / "slurm.conf"))
        for name in self._names:
            self.start_node(name)
        self._until(lambda: all(self.state(name).startswith("IDLE") for name in self._names), "idle nodes")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if "slurmctld" in self._daemons:
            subprocess.run(["scancel", "--user=root"], env=self.env, check=False, timeout=60)
        for daemon in reversed(self._daemons.values()):
            daemon.terminate()
        for daemon in self._daemons.values():
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def start_node(self, name: str) -> None:
        """Start the daemon of a node."""
        self._start("slurmd", "-D", "-N", name, "-f", str(self._place / "slurm.conf"), named=name)

    def kill_node(self, name: str) -> None:
        """End a node as its power would: its daemon, its steps and all that they started, by SIGKILL."""
        doomed = [self._daemons[name].pid, *_of_node(name)]
        for pid in doomed:
            _kill(pid)
        self._daemons.pop(name).wait()

    def say(self, *command: str) -> str:
        """Return the output of a client of Slurm."""
        return subprocess.run(command, env=self.env, check=True, capture_output=True, text=True, timeout=120).stdout

    def state(self, node: str) -> str:
        """The node's state, such as IDLE or DOWN."""
        told = subprocess.run(
            ["sinfo", "--noheader", "--nodes", node, "--format=%T"], env=self.env, capture_output=True, text=True
        )
        return told.stdout.strip().upper()

    def submit(self, script: Path, *options: str) -> str:
        """The number of the job that `sbatch` has made of it."""
        return self.say("sbatch", "--parsable", *options, str(script)).strip()

    def left(self) -> list[str]:
        """Elements that wait, run or end, each as `JOB_ELEMENT STATE`."""
        return self.say("squeue", "--noheader", "--array", "--format=%i %T").splitlines()

    def until_done(self) -> None:
        """Wait until no job is left."""
        self._until(lambda: not self.left(), "an empty queue", READY_S * 5)

    def _start(self, *command: str, named: str = "") -> None:
        with (self._place / f"{named or command[0]}.out").open("ab") as words:
            self._daemons[named or command[0]] = subprocess.Popen(
                command, env=self.env, stdout=words, stderr=words, start_new_session=True
            )

    def _until(self, there: Callable[[], bool], what: str, patience_s: float = READY_S) -> None:
        end = time.monotonic() + patience_s
        while not there():
            dead = [name for name, daemon in self._daemons.items() if daemon.poll() is not None]
            if dead or time.monotonic() > end:
                raise RuntimeError(f"no {what}; ended: {dead or 'none'}; see {self._place}")
            time.sleep(0.2)


def _of_node(name: str) -> list[int]:
    """Processes that Slurm started on that node: their environment names it. Its step daemons are named after it."""
    found = []
    for each in Path("/proc").iterdir():
        if each.name.isdecimal():
            try:
                named = f"SLURMD_NODENAME={name}".encode() in (each / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if named:
                found.append(int(each.name))
    return found


def _kill(pid: int) -> None:
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        return


def _free_ports(count: int) -> list[int]:
    held = [socket.socket() for _ in range(count)]
    for each in held:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in held]
    for each in held:
        each.close()
    return ports
