"""Job array scripts for Slurm. Nothing is submitted: the user checks the script and runs `sbatch`."""

from __future__ import annotations

import math
import shlex
import sys
from pathlib import Path

from accord.studies.sweeps.folder import SweepFolder
from common.plugins import active
from dilemmas.errors import UsageError

MAX_ARRAY = 1000
"""Maximum number of elements in an array: Slurm's default MaxArraySize is 1001."""
PER_ELEMENT = 20
"""Number of tasks per element, which keeps its worlds open between tasks, unless fewer give enough elements to run
`jobs` at once."""
SCRIPT = "sweep.sbatch"


def write_job(
    folder: SweepFolder, *, jobs: int, cpus: int = 2, hours: float = 4.0, scratch: Path | None = None
) -> Path:
    """Write the job array script of a sweep, each of whose elements plays a part of the tasks; return its path.

    Args:
        folder: Folder of the sweep.
        jobs: Maximum number of concurrent elements.
        cpus: CPUs per element.
        hours: Time limit of an element in hours.
        scratch: Folder for runs in progress, local to each machine.

    Raises:
        UsageError: A value is not legal.
    """
    if not 0 < hours < math.inf:
        raise UsageError(f"hours: {hours:g} is not legal; give a number above 0")
    path = folder.path.absolute()
    count = len(folder.tasks)
    elements = min(MAX_ARRAY, count, max(jobs, math.ceil(count / PER_ELEMENT)))
    place = "" if scratch is None else f" --scratch {shlex.quote(str(scratch.expanduser()))}"
    named = [("--allow", each) for each in folder.allowed] + [("--plugin", str(each)) for each in active()]
    place += "".join(f" {option} {shlex.quote(each)}" for option, each in named)
    minutes = math.ceil(hours * 60)
    script = f"""#!/bin/bash
#SBATCH --job-name={folder.spec.name}
#SBATCH --array=0-{elements - 1}%{jobs}
#SBATCH --cpus-per-task={cpus}
#SBATCH --time={minutes}
#SBATCH --requeue
#SBATCH --signal=TERM@60
#SBATCH --output={path}/logs/slurm-%A-%a.log
# Each element plays the tasks whose numbers leave its own number as the remainder. All of it can be submitted again at
# any time: what has ended is not played again, what was begun goes on.
exec srun --cpu-bind=cores {shlex.quote(sys.executable)} -m accord.cli task {shlex.quote(str(path))} \\
  "$SLURM_ARRAY_TASK_ID" --every {elements}{place}
"""
    (path / "logs").mkdir(exist_ok=True)
    target = path / SCRIPT
    target.write_text(script, encoding="utf-8")
    target.chmod(0o755)
    return target
