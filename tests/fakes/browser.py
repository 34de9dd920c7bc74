"""A Chromium without a window, through its devtools protocol; where there is none, tests are skipped."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
WAIT_S = 180.0
"""For something to become true on the page: much for a browser on a busy machine, and an end for one that hangs."""
NO_PINGS = None
"""A browser that gets no processor answers pings late, and is there all the same."""


class Page:
    """One page of the browser."""

    def __init__(self, connection: ClientConnection, port: str) -> None:
        self._connection = connection
        self.port = port
        """Where the browser's devtools are heard."""
        self._number = 0
        self.troubles: list[str] = []
        """Errors, refusals of the content policy, and requests that went anywhere else than to this machine."""
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: object) -> dict[str, Any]:
        """One command of the protocol."""
        self._number += 1
        self._connection.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            told: dict[str, Any] = json.loads(self._connection.recv(timeout=WAIT_S))
            if told.get("id") == self._number:
                assert "error" not in told, told
                return dict(told["result"])
            self._note(told)

    def heard(self, method: str) -> dict[str, Any]:
        """Wait for that event of the browser; what it says."""
        while True:
            told: dict[str, Any] = json.loads(self._connection.recv(timeout=WAIT_S))
            if told.get("method") == method:
                return dict(told["params"])
            self._note(told)

    def _note(self, told: dict[str, Any]) -> None:
        params = told.get("params", {})
        if told.get("method") == "Runtime.exceptionThrown":
            self.troubles.append(json.dumps(params["exceptionDetails"])[:400])
        elif told.get("method") == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.troubles.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif told.get("method") == "Network.requestWillBeSent":
            url = params["request"]["url"]
            if not url.startswith(("http://127.0.0.1:", "file:///", "data:", "blob:")):
                self.troubles.append(f"asked for {url}")

    def run(self, code: str) -> Any:  # noqa: ANN401 - any JSON
        """What that expression gives."""
        result = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def until(self, code: str) -> Any:  # noqa: ANN401
        """Wait until that expression is true; its value. An expression that fails is not true yet."""
        end = time.monotonic() + WAIT_S
        while not (found := self.run(f"(() => {{ try {{ return {code} }} catch {{ return false }} }})()")):
            assert time.monotonic() < end, f"never true: {code}; {self.troubles}"
            time.sleep(0.03)
        return found

    def open(self, address: str) -> None:
        """Go there."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)

    def press(self, key: str) -> None:
        """A key, for whatever has the focus."""
        text = {"text": key} if len(key) == 1 else {}
        codes = {"Enter": 13, "Tab": 9, "Escape": 27, "End": 35, "Home": 36, " ": 32, "ArrowRight": 39}
        more = {"windowsVirtualKeyCode": codes[key]} if key in codes else {}
        if key == "Enter":
            text = {"text": "\r"}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **more)


@contextmanager
def browser(width: int = 1200, height: int = 800) -> Iterator[Page]:
    """A page of a new browser."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("there is no Chromium on this machine: apt-get install chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(
            [found, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run",
             f"--user-data-dir={profile}", "about:blank"], stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        try:
            port = _port_of(process)
            with connect(_page_at(port, "page", "type"), max_size=None, ping_interval=NO_PINGS) as connection:
                page = Page(connection, port)
                page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                          mobile=width < 600)  # fmt: skip
                yield page
        finally:
            process.kill()
            process.wait()
            if process.stderr is not None:
                process.stderr.close()


@contextmanager
def another(page: Page, address: str) -> Iterator[Page]:
    """A second page of the same browser, in a window of its own, at that address."""
    made = page.call("Target.createTarget", url=address, newWindow=True)["targetId"]
    with connect(_page_at(page.port, made, "id"), max_size=None, ping_interval=NO_PINGS) as connection:
        yield Page(connection, page.port)


def _port_of(process: subprocess.Popen[str]) -> str:
    """Where the browser's devtools are heard."""
    assert process.stderr is not None
    line = next((line for line in process.stderr if "DevTools listening on" in line), None)
    if line is None:
        pytest.skip("Chromium does not start here")
    return line.split(":")[-2 if line.count("/") < 3 else 2].split("/")[0]


def _page_at(port: str, wanted: str, key: str) -> str:
    """Where the first page with that property is heard."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json") as pages:
        found = next(each for each in json.load(pages) if each[key] == wanted)
    return str(found["webSocketDebuggerUrl"])
