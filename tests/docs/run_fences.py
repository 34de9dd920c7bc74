"""Runs every fenced command of a Markdown file and reports all that fail.

Fences marked ```bash are commands, each line one, run in the project's root with the virtual environment first
on PATH. Any other fence (```text, ```yaml) is shown, not run. A line may carry `# background: Ns`: it is started,
must still run after N seconds, and is then interrupted as by Ctrl-C (a run kept open for watchers). The first command
of a file runs alone, since it sets up what the others use; the others run a few at a time, and are told in their order.
On a page with the comment `<!-- commands: in order -->` each waits for the one before.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BACKGROUND = re.compile(r"#\s*background:\s*(\d+)s")
SKIPPED = {"make test": "the caller runs it"}
TIME_LIMIT_S = 600
IN_ORDER = "<!-- commands: in order -->"
AT_ONCE = 3
"""Most commands wait for real bots."""


def commands(text: str) -> Iterator[str]:
    """The lines of all ```bash fences, continuation lines joined, comments left out."""
    for fence in re.findall(r"^```bash\n(.*?)^```", text, flags=re.S | re.M):
        for line in fence.replace("\\\n", " ").splitlines():
            if line.strip() and not line.lstrip().startswith("#"):
                yield line.strip()


def run(command: str, environment: dict[str, str]) -> tuple[str | None, str]:
    """Return the fault of a command (None if there is none) and its output."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command, shell=True, executable="/bin/bash", cwd=ROOT, env=environment, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
        )  # fmt: skip
        problem = ended(process, BACKGROUND.search(command))
        said.seek(0)
        return problem, said.read().decode("utf-8", "replace")


def ended(process: subprocess.Popen[bytes], background: re.Match[str] | None) -> str | None:
    """Return the fault in the end of a process, or None."""
    try:
        code = process.wait(timeout=int(background[1]) if background else TIME_LIMIT_S)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return "did not end within 30 s of Ctrl-C"
        return None if background else f"took more than {TIME_LIMIT_S} s"
    if background:
        return f"ended with exit code {code}, but should have stayed"
    return None if code == 0 else f"exit code {code}"


def main(files: list[str]) -> int:
    """Run the fences of all files; exit code 1 if any failed."""
    # A shell that starts this in the background lets it, and all that it starts, ignore Ctrl-C.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    environment = {**os.environ, "PATH": f"{ROOT}/.venv/bin:{os.environ['PATH']}", "COLUMNS": "120"}
    environment.pop("OPENAI_API_KEY", None)
    failures = []
    count = 0
    for file in files:
        text = (ROOT / file).read_text()
        first, *others = (each for each in commands(text) if each not in SKIPPED)
        done = [(first, run(first, environment))]
        with ThreadPoolExecutor(1 if IN_ORDER in text else AT_ONCE) as pool:
            done += zip(others, pool.map(lambda each: run(each, environment), others), strict=True)
        for command, (problem, said) in done:
            sys.stdout.write(f"$ {command}\n{said}")
            count += 1
            if problem:
                failures.append(f"{file}: {command}: {problem}")
    sys.stdout.write("\n".join([*failures, f"{count - len(failures)} passed, {len(failures)} failed\n"]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or ["README.md"]))
