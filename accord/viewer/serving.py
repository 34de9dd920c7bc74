"""The server's process: a free or chosen port, and a clean shutdown."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence

import uvicorn

from accord.viewer.server import Site, application
from dilemmas.errors import UsageError

HOST = "127.0.0.1"


def bind(port: int | None, host: str = HOST) -> socket.socket:
    """Return a socket that listens at one of this machine's addresses, usually to this machine only.

    Args:
        port: Its port; None for a free one.
        host: The address.

    Raises:
        UsageError: The port cannot be used.
    """
    opened = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        opened.bind((host, port or 0))
        # Early browsers wait in the backlog until the server runs.
        opened.listen(128)
    except (OSError, OverflowError) as error:
        opened.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"--port {port}: cannot listen there ({reason.lower()}); give another, or none") from None
    return opened


def address(site: Site, opened: socket.socket) -> str:
    """Return the page's address."""
    return _address(site.token, opened)


def seat_addresses(site: Site, opened: socket.socket) -> dict[str, str]:
    """Return human player -> address of its own page."""
    return {player: _address(seat.token, opened) for player, seat in site.seats.seats.items()}


def _address(token: str, opened: socket.socket) -> str:
    host, port = opened.getsockname()[:2]
    return f"http://{host}:{port}/{token}/"


def network_address() -> str:
    """Return this machine's address in its network. Raises UsageError if it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Nothing is sent: the system only chooses the way to an address of another network.
            probe.connect(("192.0.2.1", 9))
            found = str(probe.getsockname()[0])
        except OSError:
            found = HOST
    if found.startswith("127."):
        raise UsageError("--invite: this machine is in no network: leave it out, and use the page on this machine")
    return found


def server_for(site: Site) -> uvicorn.Server:
    """Return the server of a site. It ends within seconds of `should_exit`, whatever browsers hold open."""
    config = uvicorn.Config(
        application(site), log_config=None, access_log=False, lifespan="off", timeout_graceful_shutdown=2, ws="none"
    )
    server = uvicorn.Server(config)
    site.closing = lambda: server.should_exit
    return server


def serve(site: Site, opened: Sequence[socket.socket], ready: Callable[[], None] = lambda: None) -> None:
    """Serve until Ctrl-C or SIGTERM, then close the catalog; `ready` is called before the first request."""
    server = server_for(site)
    try:
        ready()
        server.run(sockets=list(opened))
    finally:
        for each in opened:
            each.close()
        site.seats.close()
        site.catalog.close()
