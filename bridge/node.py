"""One Node process through JSPyBridge, with its hazards removed; the only importer of `javascript`.

By default JSPyBridge gives Node the whole environment (API keys included), lets any writer to Node's standard error run
Python, hangs for ever when Node dies, loses a message when its threads meet, and stops working once an answer comes
after its time-out. Here the environment is empty, no inbound request is served, a watcher fails pending calls when Node
has died, every message is sent and read once, and no Python time-out expires before the answer (JavaScript answers at
once by design).
"""

from __future__ import annotations

import atexit
import importlib
import importlib.util
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from bridge.errors import HostError
from bridge.prerequisites import ROOT

log = logging.getLogger(__name__)

Foreign: TypeAlias = Any
"""An object of JSPyBridge, which has no types."""

FOREVER_S = 30 * 24 * 3600.0
"""Time-out of every call: a late answer would break JSPyBridge for good, so none is ever late."""
PARENT_WATCH = ROOT / "bridge" / "host" / "supervisor" / "parent_watch.js"
WATCH_S = 0.05
END_S = 2.0


class _Spawner:
    """Replacement of `subprocess` in JSPyBridge: empty environment, no terminal signals, no inherited output."""

    PIPE = subprocess.PIPE

    @staticmethod
    def Popen(args: list[str], **_given: object) -> subprocess.Popen[bytes]:
        """Start Node with safe settings, whatever JSPyBridge asks for.

        Before JSPyBridge's own script it loads a watch that ends Node together with this Python process.
        """
        binary, *script = args
        return subprocess.Popen(
            [binary, "--require", str(PARENT_WATCH), *script, str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={},
            cwd="/",
            start_new_session=True,  # Ctrl-C is Python's to handle; Node ends when its input does
        )


class _OpenBarrier:
    """Replacement of JSPyBridge's barrier, at which the caller and the loop wait for each other."""

    def wait(self) -> None:
        """Return at once."""


class NodeProcess:
    """A running Node with one script loaded; to be used by one thread only.

    JSPyBridge has one process per Python, so at most one NodeProcess is open at a time.
    """

    _open: ClassVar[NodeProcess | None] = None
    """The process that was started last."""

    def __init__(self, binary: Path, script: Path) -> None:
        if not script.is_file():
            # JSPyBridge answers an absent module by installing something from the network.
            raise HostError(f"{script} is missing")
        if NodeProcess._open is not None and NodeProcess._open.alive:
            raise HostError("another NodeProcess is open in this Python: close it first (JSPyBridge would mix answers)")
        self._package = _start(binary)
        config: Foreign = sys.modules["javascript.config"]
        self._loop: Foreign = config.event_loop
        self._loop_thread: Foreign = config.event_thread
        connection: Foreign = sys.modules["javascript.connection"]
        self._process: Foreign = connection.proc
        atexit.unregister(self._loop.on_exit)  # it would hold up every exit by 0.4 s
        atexit.unregister(connection.stop)  # and this would end Node before its owner has taken leave
        self._bell: Callable[[], None] = _nothing
        _forget_objects(self._loop.pyi)
        self._loop.ring = lambda: self._bell()
        self._closed = threading.Event()
        NodeProcess._open = self
        self._watcher = threading.Thread(target=self._watch, name="accord-node-watch", daemon=True)
        self._watcher.start()
        self._functions: dict[str, Any] = {}
        try:
            main: Foreign = self._guarded(lambda: self._package.globalThis.process.mainModule)
            self._module: Foreign = self._guarded(lambda: main.require(str(script), timeout=FOREVER_S))
        except BaseException:
            # Nobody gets this object: an open one would leave Node behind, and mix its answers with the next one's.
            self.close()
            raise

    @property
    def alive(self) -> bool:
        """True while Node runs and its answers arrive."""
        return self._process.poll() is None and self._loop_thread.is_alive() and not self._closed.is_set()

    @property
    def pid(self) -> int:
        """Id of Node's process."""
        return int(self._process.pid)

    def call(self, name: str, *args: str | int) -> Foreign:
        """Call an exported function with plain arguments and return its plain answer.

        Raises HostError if Node is gone.
        """
        if name not in self._functions:
            self._functions[name] = self._guarded(lambda: getattr(self._module, name))
        function = self._functions[name]
        return self._guarded(lambda: function(*args, timeout=FOREVER_S))

    def ring(self, bell: Callable[[], None]) -> None:
        """Call `bell`, on another thread, when Node has something to fetch and when it ends."""
        self._bell = bell

    def close(self) -> None:
        """End Node, by closing its input or else by SIGKILL, and JSPyBridge's threads."""
        self._closed.set()
        if self._process.stdin is not None:
            self._quietly(self._process.stdin.close)
        try:
            self._process.wait(END_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._release()
        self._loop.active = False
        self._loop.callbackExecutor.running = False
        self._loop.queue.put("exit")
        connection: Foreign = sys.modules["javascript.connection"]
        if connection.com_thread is not None:
            connection.com_thread.join(END_S)  # else it would read the next process's answers
        if self._process.stderr is not None:
            self._quietly(self._process.stderr.close)

    def _guarded(self, ask: Callable[[], Foreign]) -> Foreign:
        """Run one exchange with Node; any error of JSPyBridge after Node's death becomes a HostError."""
        if not self.alive:
            raise HostError("the supervisor process has ended")
        # The boundary to JSPyBridge: bare Exception stands for a time-out, a crash and JavaScript errors alike.
        try:
            return ask()
        except Exception as error:
            state = "answered with an error" if self.alive else "has ended"
            said = str(error.args[-1] if error.args else error).strip().partition("\n")[0]
            raise HostError(f"the supervisor process {state}: {said[:500]}") from error

    def _watch(self) -> None:
        """Watch for Node's death and fail the pending calls."""
        while not self._closed.is_set():
            try:
                self._process.wait(WATCH_S)
            except subprocess.TimeoutExpired:
                if self._loop_thread.is_alive():
                    continue
                self._process.kill()
            self._release()
            self._bell()
            self._closed.wait(WATCH_S)

    def _release(self) -> None:
        """Answer every pending request with an error."""
        for request in list(self._loop.requests):
            waiting = self._loop.requests.pop(request, None)
            if waiting is None:
                continue
            self._loop.responses[request] = ({"r": request, "error": "Node has ended"}, _OpenBarrier())
            waiting[0].set()

    @staticmethod
    def _quietly(close: Callable[[], None]) -> None:
        """Close a pipe whose other end may be gone."""
        try:
            close()
        except OSError as error:
            log.debug("closing a pipe to Node: %s", error)


def _start(binary: Path) -> Foreign:
    """Start a fresh Node and return JSPyBridge's package."""
    connection = _prepared(binary)
    package = sys.modules["javascript"]
    if not hasattr(package, "init"):
        loader: Foreign = package.__spec__ and package.__spec__.loader
        loader.exec_module(package)  # its import starts Node
        return package
    config: Foreign = sys.modules["javascript.config"]
    config.event_loop = None
    connection.sendQ.clear()
    connection.com_items.clear()  # what the last Node said in the end: requests are counted anew
    package.init()
    return package


def _prepared(binary: Path) -> Foreign:
    """Import JSPyBridge's connection module and make it safe before it starts a process."""
    if "javascript" not in sys.modules:
        spec = importlib.util.find_spec("javascript")
        if spec is None:
            raise HostError("JSPyBridge (package javascript) is not installed: run `make setup`")
        sys.modules["javascript"] = importlib.util.module_from_spec(spec)
    colour = os.environ.get("FORCE_COLOR")
    connection: Foreign = importlib.import_module("javascript.connection")
    if colour is None:
        os.environ.pop("FORCE_COLOR", None)  # importing it sets this for every later child of Python
    else:
        os.environ["FORCE_COLOR"] = colour
    connection.NODE_BIN = str(binary)
    connection.notebook = False
    connection.subprocess = _Spawner
    _replace_exchange(connection)
    connection.print = lambda *words: log.warning("node: %s", " ".join(str(word).strip() for word in words))
    return connection


def _replace_exchange(connection: Foreign) -> None:
    """Replace JSPyBridge's loop, which sends requests and receives messages, by one that loses none.

    It empties its lists of messages by assigning new ones, so what another thread appends in between is gone. It drops
    an answer that comes before the request was registered, and it ends for good when a caller takes more than 5 s to
    fetch its answer. Requests of Node only ring the bell; events are fetched by our own calls.
    """

    def send(loop: Foreign, request: int, payload: Foreign, timeout: float | None = None) -> threading.Event:
        answered = threading.Event()
        loop.requests[request] = [answered, timeout]
        connection.writeAll([payload])
        return answered

    def receive(loop: Foreign) -> None:
        while loop.active:
            loop.queue.get()
            while connection.com_items:
                message = connection.com_items.pop(0)
                waiting = loop.requests.pop(message["r"], None)
                if waiting is not None:
                    loop.responses[message["r"]] = message, _OpenBarrier()
                    waiting[0].set()
                elif message.get("c") == "pyi":
                    loop.ring()

    events: Foreign = importlib.import_module("javascript.events")
    events.EventLoop.queue_request = send
    events.EventLoop.loop = receive
    events.EventLoop.ring = staticmethod(_nothing)


def _forget_objects(pyi: Foreign) -> None:
    """Remove all Python objects and functions that Node could call, since none is needed."""
    pyi.m.clear()
    pyi.m[0] = {}


def _nothing() -> None:
    """Do nothing; the bell before `ring` is called."""
