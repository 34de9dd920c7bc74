"""Life cycle of a Paper server in Docker, seen from Python (see `bridge.servers.base.Server`)."""

from __future__ import annotations

import asyncio
import secrets
import threading
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import docker.errors
from docker import DockerClient

from bridge.errors import CommandError, ServerError
from bridge.rcon import RconClient
from bridge.servers.base import RCON_TIMEOUT_S, ServerLife, ServerState
from bridge.servers.paper.container import Container
from bridge.servers.paper.engine import ENGINE_ERRORS, Progress, brief, check_memory, find_image, open_engine
from bridge.servers.paper.settings import EULA_REFUSED, IMAGE_VARIABLE, PROTOCOLS, PaperSettings
from bridge.servers.paper.sweep import sweep_stale
from bridge.servers.ping import ping
from bridge.servers.refusals import accepted, judged
from bridge.types import Address
from common.errors import PrerequisiteError

HOST = "127.0.0.1"
LOG_LINES = 100_000
"""Maximum lines of the server's log that are kept, latest first."""

T = TypeVar("T")


class PaperServer(ServerLife):
    """A Paper server in a container with a world volume of its own; `stop` removes both.

    `name` is the name of container and volume; the log goes to `server.log` in `log_dir` when the server stops or
    fails. With `pull`, a callback for progress, a missing image is fetched. With `state`, the state folder that will
    list it, `detach` may leave the server up. `keep_world` keeps the volume.
    """

    def __init__(
        self,
        settings: PaperSettings,
        log_dir: Path,
        *,
        name: str = "",
        pull: Progress | None = None,
        state: str = "",
        keep_world: bool = False,
    ) -> None:
        super().__init__()
        self.settings = settings
        self.name = name or f"accord-{secrets.token_hex(4)}"
        self._log_file = log_dir / "server.log"
        self._pull = pull
        self._state_folder = state
        self._keep_world = keep_world
        self._rcon_port = 0
        self._client: DockerClient | None = None
        self._password = secrets.token_urlsafe(24)
        self._container: Container | None = None
        self._address: Address | None = None
        self._rcon: RconClient | None = None
        self._cancelled = threading.Event()

    @property
    def address(self) -> Address:
        """Address for clients; raises ServerError before the server is ready."""
        if self._address is None:
            raise ServerError(f"the Paper server has no address yet: it is {self.state}")
        return self._address

    async def start(self) -> None:
        """Start the server and return once clients can join.

        Raises PrerequisiteError or ServerError and leaves nothing behind.
        """
        self._state = self._state.advance(ServerState.STARTING)
        try:
            await self._in_thread(self._start_container)
            await self._attach()
        except BaseException:
            self._state = self._state.advance(ServerState.FAILED)
            self._cancelled.set()
            await asyncio.shield(asyncio.ensure_future(self._end()))
            raise
        self._state = self._state.advance(ServerState.READY)

    async def command(self, text: str) -> str:
        """Run one vanilla command as the console; raises CommandError when the server refuses it."""
        return accepted(text, await self._asked(text, lambda rcon: rcon.command(text)))

    async def commands(self, texts: Sequence[str]) -> list[str | CommandError]:
        """Run vanilla commands in order, one at a time as Java's RCON requires; return the reply or refusal of each."""
        return judged(texts, await self._asked(texts[0], lambda rcon: rcon.commands(texts))) if texts else []

    async def _asked(self, text: str, ask: Callable[[RconClient], Awaitable[T]]) -> T:
        """Return the console's replies to commands. Raises ServerError if it does not answer."""
        if self._state is not ServerState.READY or self._rcon is None:
            raise ServerError(f"command {text!r} needs a server that is ready: this one is {self.state}")
        try:
            return await ask(self._rcon)
        except ServerError as error:
            await self._fail_if_dead()
            raise ServerError(f"{error}; the server is {self.state}; its log is in {self._log_file}") from error

    @property
    def access(self) -> tuple[int, str]:
        """Return RCON port and password, for the record of a server that stays up.

        Raises ServerError before it is ready.
        """
        if self._state is not ServerState.READY:
            raise ServerError(f"the Paper server has no console yet: it is {self._state}")
        return self._rcon_port, self._password

    async def detach(self) -> None:
        """Leave the server up when this process ends; the record in its state folder lists it.

        Raises ServerError if it is not ready.
        """
        if self._state is not ServerState.READY or self._rcon is None or not self._state_folder:
            raise ServerError(f"a server that is {self._state} cannot be left up")
        await self._rcon.close()
        self._container = None
        self._close_client()
        self._state = self._state.advance(ServerState.STOPPING).advance(ServerState.STOPPED)

    async def check(self) -> None:
        """Raise ServerError if the container has ended or become unhealthy."""
        await self._fail_if_dead()
        if self._state is ServerState.FAILED:
            raise ServerError(f"the Paper server {self.name} died or is unhealthy; its log is in {self._log_file}")

    async def _leave(self) -> None:
        """Stop the server within its own time and remove container and volume."""
        self._cancelled.set()
        await self._end()

    def _start_container(self) -> None:
        if not self.settings.accept_eula:
            raise PrerequisiteError(EULA_REFUSED)
        self._client = open_engine()
        sweep_stale(self._client, self._state_folder)
        find_image(self._client, self.settings.image, pull=self._pull, cancelled=self._cancelled.is_set)
        check_memory(self._client, self.settings.limit_mb)
        self._container = Container(
            self._client, self.name, self.settings, state=self._state_folder, keep_world=self._keep_world
        )
        self._container.create(self._password)
        self._container.start()
        self._container.wait_until_ready(cancelled=self._cancelled.is_set)

    async def _attach(self) -> None:
        assert self._container is not None
        game, self._rcon_port = await self._in_thread(self._container.ports)
        self._rcon = RconClient(HOST, self._rcon_port, self._password, timeout=RCON_TIMEOUT_S)
        await self._rcon.connect()
        address = Address(HOST, game, self.settings.version)
        await self._check_version(address)
        self._address = address

    async def _check_version(self, address: Address) -> None:
        """Check the version of the server: an image with its own jar may hold another one, which bots could not
        join."""
        said = await ping(address)
        if said.protocol != PROTOCOLS[self.settings.version]:
            raise PrerequisiteError(
                f"image {self.settings.image} runs {said.version}, not Minecraft {self.settings.version}: "
                f"start it with the --version that it holds, or choose another image with {IMAGE_VARIABLE}"
            )

    async def _fail_if_dead(self) -> None:
        if self._state is not ServerState.READY or self._container is None:
            return
        if not await self._in_thread(self._container.alive):
            self._state = self._state.advance(ServerState.FAILED)

    async def _end(self) -> None:
        """Close RCON, keep the log and remove the container, whatever errors occur."""
        if self._rcon is not None:
            await self._rcon.close()
        container, self._container = self._container, None
        failed = self._address is None
        try:
            if container is not None:
                await self._in_thread(lambda: self._remove(container, failed=failed))
        finally:
            self._close_client()

    def _remove(self, container: Container, *, failed: bool) -> None:
        """Stop the server, keep its complete log, and remove the container."""
        try:
            if not failed or self._keep_world:
                with suppress(docker.errors.APIError):  # what does not end is removed by force
                    container.stop()
            self._keep_log(container)
        finally:
            container.remove(failed=failed)

    def _keep_log(self, container: Container) -> None:
        """Write the log; a failure must not keep the container alive."""
        with suppress(OSError, *ENGINE_ERRORS):
            self._log_file.parent.mkdir(parents=True, exist_ok=True)
            with self._log_file.open("a", encoding="utf-8") as file:
                file.write(container.log_tail(lines=LOG_LINES) + "\n")

    def _close_client(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    async def _in_thread(self, work: Callable[[], T]) -> T:
        """Run a blocking call of the SDK in a thread.

        A cancelled caller waits for the thread, since a half-made container cannot be removed.
        """
        task = asyncio.ensure_future(asyncio.to_thread(work))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            self._cancelled.set()
            await asyncio.wait([task])
            raise
        except ENGINE_ERRORS as error:
            raise ServerError(f"the Docker engine failed: {brief(error)}") from error
