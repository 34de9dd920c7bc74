"""Start-up times of the command line and of `import accord`, and their ratio to those of an earlier commit.

Each figure is the least wall time of several processes, in seconds, with the least processor time of such a process
and its children in parentheses, which a busy machine changes less. The earlier commit stands in a worktree in a
temporary folder, with hard links to this checkout's `node_modules` and this Python environment. Processes of both
commits take turns.

Run: `python benchmarks/startup.py [--against COMMIT] [--times 5] [--json FILE]`.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
COMMIT = "b0233fb8"
"""The commit before start-up was looked at."""
LIMITS_S = {
    "import accord": 0.2,
    "accord --help": 0.3,
    "accord run --help": 0.3,
    "accord run double-vein --world mock --contract contract-1": 1.2,
}
"""Command -> the most wall time that it may take on a quiet machine."""


class Times(NamedTuple):
    """Seconds that a process took."""

    wall_s: float
    cpu_s: float
    """Processor time of the process and its children."""


def measure(command: str, checkout: Path, folder: Path) -> Times:
    """Run a command with the code of `checkout` in `folder`. Raises SystemExit if it fails."""
    name, *arguments = command.split()
    # Earlier the command line was `dilemmas.cli`.
    package = "accord.cli" if (checkout / "accord" / "cli").is_dir() else "dilemmas.cli"
    main = f"import sys; from {package} import main; sys.exit(main(sys.argv[1:]))"
    code = [command] if name == "import" else [main, *arguments]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-P", "-c", *code],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(checkout)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    wall_s = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{command} in {checkout}: exit code {done.returncode}: {done.stderr.strip()}")
    return Times(wall_s, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def least(times: list[Times]) -> Times:
    """Return the least wall time and the least processor time."""
    return Times(min(each.wall_s for each in times), min(each.cpu_s for each in times))


@contextmanager
def checkout_of(commit: str, folder: Path) -> Iterator[Path]:
    """Check out a commit into a worktree below `folder`, and remove it afterwards."""
    checkout = folder / "earlier"
    git = ["git", "-C", str(ROOT), "worktree"]
    subprocess.run([*git, "add", "--quiet", "--force", "--detach", str(checkout), commit], check=True)
    try:
        try:
            shutil.copytree(ROOT / "node_modules", checkout / "node_modules", symlinks=True, copy_function=os.link)
        except (OSError, shutil.Error):
            shutil.rmtree(checkout / "node_modules", ignore_errors=True)
            shutil.copytree(ROOT / "node_modules", checkout / "node_modules", symlinks=True)
        yield checkout
    finally:
        subprocess.run([*git, "remove", "--force", str(checkout)], check=True)


def main() -> None:
    """Measure, and print a row for each command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", default=COMMIT, metavar="COMMIT")
    parser.add_argument("--times", type=int, default=5, metavar="N")
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    rows = {}
    with tempfile.TemporaryDirectory() as name, checkout_of(options.against, Path(name)) as earlier:
        print(f"{'command':<58} {'now':>14} {options.against:>14} {'ratio':>6} {'limit':>6}")
        for command, limit_s in LIMITS_S.items():
            pairs = [
                [measure(command, checkout, Path(name)) for checkout in (ROOT, earlier)] for _ in range(options.times)
            ]
            now, then = (least([pair[side] for pair in pairs]) for side in (0, 1))
            ratio = now.wall_s / then.wall_s
            shown = [f"{each.wall_s:.2f} ({each.cpu_s:.2f})" for each in (now, then)]
            print(f"{command:<58} {shown[0]:>14} {shown[1]:>14} {ratio:>6.2f} {limit_s:>6.1f}", flush=True)
            rows[command] = {"now": now._asdict(), "earlier": then._asdict(), "ratio": ratio, "limit_s": limit_s}
    if options.json:
        options.json.write_text(json.dumps({"against": options.against, "commands": rows}, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
