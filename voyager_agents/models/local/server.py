"""Process of a local engine: llama.cpp's server, until nobody uses it.

It reads one line of JSON from standard input and writes one line of JSON to standard output: the address, or
an error. Users of the engine share a lock on the lease file; the kernel takes it back when a user ends in any way. The
engine ends when it can take that lock for itself.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

LOOK_S = 0.1
"""Time between two looks at the lease, in seconds."""
FIXED: Mapping[str, Any] = {
    "hostname": "127.0.0.1",
    "n_gpu_layers": 0,
    # With flash attention, answers depend on the number of threads and on what was cached.
    "flash_attn_type": 0,
    "ctx_shift": False,
    "ui": False,
    "webui": False,
    "verbosity": 1,
}
"""Parameters of the engine that are no options."""


def main() -> NoReturn:
    """Serve until nobody uses the engine and nothing keeps it up."""
    orders = json.loads(sys.stdin.readline())
    try:
        server = start(orders)
    except RuntimeError as error:
        say({"error": str(error)})
        os._exit(1)
    # The engine catches SIGTERM and goes on; it has nothing to save.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    say({"url": f"{server.listening_address}/v1"})
    wait_for_end({name: Path(path) for name, path in orders["files"].items()})


def start(orders: dict[str, Any]) -> Any:  # noqa: ANN401 - a type of the engine, which has none
    """Load the model and return the listening server. Raises RuntimeError if the engine refuses."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = orders["file"]
    params.model_alias = {orders["alias"]}
    params.n_ctx = orders["context"] * orders["slots"]
    params.n_parallel = orders["slots"]
    for threads in (params.cpuparams, params.cpuparams_batch):
        threads.n_threads = orders["threads"]
    for name, value in {
        **FIXED,
        "port": orders["port"],
        "api_keys": [orders["key"]],
        "cache_prompt": bool(orders["cache"]),
    }.items():
        setattr(params, name, value)
    return xllamacpp.Server(params)


def wait_for_end(files: Mapping[str, Path]) -> NoReturn:
    """Wait until nobody shares the lock on the lease and nothing keeps the engine up, then end the process."""
    lease = os.open(files["lease"], os.O_RDWR)
    while True:
        time.sleep(LOOK_S)
        if files["keep"].exists():
            continue
        try:
            fcntl.flock(lease, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            continue
        if files["keep"].exists():
            fcntl.flock(lease, fcntl.LOCK_UN)
            continue
        # The lock is held until the end, so nobody begins to use an engine that is ending.
        files["json"].unlink(missing_ok=True)
        files["log"].unlink(missing_ok=True)
        os._exit(0)


def say(record: dict[str, Any]) -> None:
    """Write the one line of standard output; end the process if nobody reads it any more."""
    try:
        sys.stdout.write(json.dumps(record) + "\n")
        sys.stdout.flush()
    except BrokenPipeError:
        # The engine's own threads would outlive an exception.
        os._exit(1)


if __name__ == "__main__":
    main()
