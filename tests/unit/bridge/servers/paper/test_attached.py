"""Requirements of worlds on servers that already run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[5]


def test_without_paper_nothing_of_docker_is_imported() -> None:
    """Studies on the embedded server first look for a running one.

    Docker's client would take a tenth of their start.
    """
    program = (
        "import sys, bridge.servers.attached, bridge.servers.embedded.world\n"
        "print(sorted({'docker', 'requests', 'bridge.servers.paper.server'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
