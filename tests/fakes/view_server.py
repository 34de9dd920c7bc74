"""The server of `accord view`, for tests that open its page."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import uvicorn

from accord.viewer.run_catalog import RunCatalog
from accord.viewer.server import Site, application
from accord.viewer.serving import address, bind


@contextmanager
def view_server(paths: Sequence[Path]) -> Iterator[str]:
    """Serve the records at or below `paths`, and yield the page's address."""
    site, opened = Site(RunCatalog(list(paths))), bind(None)
    server = uvicorn.Server(uvicorn.Config(application(site), log_config=None, lifespan="off", ws="none"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [opened]})
    thread.start()
    try:
        yield address(site, opened)
    finally:
        server.should_exit = True
        thread.join()
        opened.close()
        site.catalog.close()
