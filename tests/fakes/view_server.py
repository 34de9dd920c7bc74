"""The server of `accord view`, for tests that open its page."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from accord.viewer.run_catalog import RunCatalog
from accord.viewer.server import Site
from accord.viewer.serving import address, bind, server_for


@contextmanager
def serving(site: Site) -> Iterator[socket.socket]:
    """Serve a site from a thread, and yield the socket that it listens at."""
    opened, server = bind(None), server_for(site)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
    thread.start()
    try:
        yield opened
    finally:
        server.should_exit = True
        thread.join()
        opened.close()
        site.catalog.close()


@contextmanager
def view_server(paths: Sequence[Path]) -> Iterator[str]:
    """Serve the records at or below `paths`, and yield the page's address."""
    site = Site(RunCatalog(list(paths)))
    with serving(site) as opened:
        yield address(site, opened)
