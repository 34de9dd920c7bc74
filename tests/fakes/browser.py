"""Headless Chromium, controlled by its devtools protocol. Tests are skipped if it is not installed."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import shutil
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
WAIT_S = 180.0
"""Maximum wait for a condition on the page, in seconds: generous for a busy machine, finite for a hanging browser."""
NO_PINGS = None
"""Timeout of pings in seconds; a healthy browser without processor time answers late."""


class Page:
    """One page of the browser."""

    def __init__(self, connection: ClientConnection, port: str) -> None:
        self._connection = connection
        self.port = port
        """Port of the browser's devtools."""
        self._number = 0
        self.troubles: list[str] = []
        """Errors, violations of the content policy, and requests to other hosts."""
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: object) -> dict[str, Any]:
        """Run one command of the protocol."""
        self._number += 1
        self._connection.send(json.dumps({"id": self._number, "method": method, "params": params}))
        told = self._received(lambda each: each.get("id") == self._number)
        assert "error" not in told, told
        return dict(told["result"])

    def heard(self, method: str) -> dict[str, Any]:
        """Wait for an event of the browser, and return its content."""
        return dict(self._received(lambda each: each.get("method") == method)["params"])

    def _received(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        # One limit for all messages: a page that no longer answers may send events for ever.
        end = time.monotonic() + WAIT_S
        while True:
            told: dict[str, Any] = json.loads(self._connection.recv(timeout=max(0.0, end - time.monotonic())))
            if wanted(told):
                return told
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
        """Return the value of an expression."""
        result = self.call("Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def until(self, code: str) -> Any:  # noqa: ANN401
        """Wait until an expression is true, and return its value. An expression that throws counts as false."""
        end = time.monotonic() + WAIT_S
        while not (found := self.run(f"(() => {{ try {{ return {code} }} catch {{ return false }} }})()")):
            assert time.monotonic() < end, f"never true: {code}; {self.troubles}"
            time.sleep(0.03)
        return found

    def open(self, address: str) -> None:
        """Open an address."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=address)

    def press(self, key: str) -> None:
        """Press a key for the focused element."""
        text = {"text": key} if len(key) == 1 else {}
        codes = {"Enter": 13, "Tab": 9, "Escape": 27, "End": 35, "Home": 36, " ": 32, "ArrowRight": 39}
        more = {"windowsVirtualKeyCode": codes[key]} if key in codes else {}
        if key == "Enter":
            text = {"text": "\r"}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text, **more)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, **more)


def save_picture(page: Page, name: str) -> None:
    """Save a picture for a look by eye, if ACCORD_SHOTS names a folder."""
    if folder := os.environ.get("ACCORD_SHOTS"):
        data = page.call("Page.captureScreenshot", format="png")["data"]
        Path(folder, f"{name}.png").write_bytes(base64.b64decode(data))


@contextmanager
def browser(width: int = 1200, height: int = 800) -> Iterator[Page]:
    """Yield a page of a new browser."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("there is no Chromium on this machine: apt-get install chromium")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        # A browser that is killed leaves its temporary folders, so it gets a place for them that is removed.
        process = subprocess.Popen(
            [found, "--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0", "--no-first-run",
             f"--user-data-dir={folder}/profile", "about:blank"],
            stderr=subprocess.DEVNULL, env={**os.environ, "TMPDIR": folder},
        )  # fmt: skip
        try:
            port = _port_of(process, Path(folder, "profile", "DevToolsActivePort"))
            with connect(_page_at(port, "page", "type"), max_size=None, ping_interval=NO_PINGS) as connection:
                page = Page(connection, port)
                page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                          mobile=width < 600)  # fmt: skip
                yield page
        finally:
            process.kill()
            process.wait()


@contextmanager
def another(page: Page, address: str) -> Iterator[Page]:
    """Yield a second page of the same browser, in a window of its own."""
    made = page.call("Target.createTarget", url=address, newWindow=True)["targetId"]
    with connect(_page_at(page.port, made, "id"), max_size=None, ping_interval=NO_PINGS) as connection:
        yield Page(connection, page.port)


def _port_of(process: subprocess.Popen[bytes], file: Path) -> str:
    """Return the port of the browser's devtools, which it writes into a file of its profile."""
    end = time.monotonic() + WAIT_S
    while process.poll() is None:
        with contextlib.suppress(OSError):
            if port := file.read_text(encoding="utf-8").partition("\n")[0]:
                return port
        assert time.monotonic() < end, "Chromium does not tell the port of its devtools"
        time.sleep(0.03)
    pytest.skip("Chromium does not start here")


def _page_at(port: str, wanted: str, key: str) -> str:
    """Return the devtools address of the first page with a property."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=WAIT_S) as pages:
        found = next(each for each in json.load(pages) if each[key] == wanted)
    return str(found["webSocketDebuggerUrl"])
