"""Worker process of an environment, which plays the rollouts that it is ordered to play in worlds that stay open.

`accord.training.links` starts it and exchanges JSON lines with it. At the end of its input, it abandons its open
rollouts, closes its worlds and exits.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any, BinaryIO

from accord.studies import worker_process
from accord.studies.settings import StudySettings
from accord.studies.worker_process import Say
from accord.training.hosting import RolloutHost
from common.plugins import add as add_plugin


async def _serve(first: dict[str, Any], orders: BinaryIO, say: Say) -> None:
    for folder in first["settings"].get("plugins") or ():
        # Trusted, since the environment's own process names them and not a record.
        add_plugin(Path(folder))
    settings = StudySettings.from_dict(first["settings"])
    host = RolloutHost(settings, Path(first["logs"]), say, keep=first["keep"])
    worker_process.listen(orders, host.hear)
    try:
        await asyncio.get_running_loop().create_future()
    finally:
        await host.close()


if __name__ == "__main__":
    sys.exit(worker_process.main(_serve))
