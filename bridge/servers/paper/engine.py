"""The Docker engine: one client, and its errors told apart so that each says what to run."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import docker
import docker.errors
import requests.exceptions
from docker.utils import parse_repository_tag

from bridge.errors import ServerError
from common.errors import PrerequisiteError

ENGINE_ERRORS = (docker.errors.DockerException, requests.exceptions.RequestException)
"""Everything that the SDK raises when the engine refuses, stalls or goes away."""
Progress = Callable[[str], None]
"""Hears in a few words how far something is, from whatever thread does it."""
ENGINE_TIMEOUT_S = 120
"""Of one request: an engine on a machine whose disk is busy takes its time to remove a container."""
MIN_API = (1, 40)
"""Docker 19.03: older ones lack what the containers are made with."""
LOOPBACK = frozenset({None, "", "localhost", "127.0.0.1", "::1"})


def engine_address() -> str:
    """Return where the engine is looked for, as `$DOCKER_HOST` says; empty for Docker's own default."""
    return os.environ.get("DOCKER_HOST", "")


def open_engine(address: str | None = None) -> docker.DockerClient:
    """Return a client of the Docker engine (at `$DOCKER_HOST`, or at that address).

    Raises PrerequisiteError with the command to run when none answers, or one that cannot be used.
    """
    where = engine_address() if address is None else address
    url = urlsplit(where)
    if url.scheme in ("tcp", "ssh", "http", "https") and url.hostname not in LOOPBACK:
        raise PrerequisiteError(
            f"DOCKER_HOST {where} is another machine, and servers are reached on 127.0.0.1 only: "
            "run accord on that machine, or unset DOCKER_HOST"
        )
    try:
        _knock(url.scheme, url.path)
        client = docker.from_env(timeout=ENGINE_TIMEOUT_S, environment={**os.environ, "DOCKER_HOST": where})
    except (OSError, *ENGINE_ERRORS) as error:
        raise PrerequisiteError(_no_engine(error, where)) from error
    try:
        _check_version(client)
    except ENGINE_ERRORS as error:
        client.close()
        raise PrerequisiteError(_no_engine(error, where)) from error
    except PrerequisiteError:
        client.close()
        raise
    return client


def _knock(scheme: str, path: str) -> None:
    """Raises OSError when nobody listens on a Unix socket; the SDK would leave its own end of it open."""
    if scheme == "unix":
        with socket.socket(socket.AF_UNIX) as door:
            door.connect(path)


def _check_version(client: docker.DockerClient) -> None:
    """Raises PrerequisiteError for an engine that is too old, ENGINE_ERRORS for one that does not answer."""
    said = str(client.version()["ApiVersion"])
    if tuple(int(part) for part in said.split(".")) < MIN_API:
        wanted = ".".join(str(part) for part in MIN_API)
        raise PrerequisiteError(f"the Docker engine is too old (API {said}, needed is {wanted}): update Docker")


def _no_engine(error: Exception, address: str) -> str:
    where = address or "unix:///var/run/docker.sock"
    if _caused_by(error, PermissionError):
        return f"no permission on the Docker socket {where}: run `sudo usermod -aG docker $USER` and log in again"
    return f"no Docker engine answers at {where}: start it (`sudo systemctl start docker`), or use --world embedded"


def _caused_by(error: BaseException, kind: type[BaseException]) -> bool:
    """Return whether an error of that kind stands anywhere in the chain; the SDK sometimes keeps only its text."""
    seen: set[int] = set()
    queue: list[Any] = [error]
    while queue:
        each = queue.pop()
        if id(each) in seen or not isinstance(each, BaseException):
            continue
        if isinstance(each, kind):
            return True
        seen.add(id(each))
        queue += [each.__cause__, each.__context__, *each.args]
    return kind is PermissionError and "Permission denied" in str(error)


def check_memory(client: docker.DockerClient, needed_mb: int) -> None:
    """Raises PrerequisiteError when the engine's machine has less memory than the server may use."""
    has_mb = int(client.info().get("MemTotal", 0)) // 2**20
    if 0 < has_mb < needed_mb:
        raise PrerequisiteError(
            f"the Docker engine has {has_mb} MB of memory, the server may use {needed_mb} MB: give Docker more, or "
            f"use less (`accord server up --world paper --memory {max(256, has_mb // 2)}`)"
        )


def find_image(
    client: docker.DockerClient,
    name: str,
    *,
    pull: Progress | None = None,
    cancelled: Callable[[], bool] = lambda: False,
) -> None:
    """Make sure that the image is on this machine. With `pull` it is fetched when it is not, and `pull` hears how far.

    Raises PrerequisiteError when it is not there, or cannot be fetched.
    """
    try:
        client.images.get(name)
    except docker.errors.ImageNotFound:
        if pull is None:
            raise PrerequisiteError(
                f"image {name} is not on this machine: run `docker pull {name}` (about 900 MB), "
                "or `accord server up --world paper --pull`"
            ) from None
        _fetch(client, name, pull, cancelled)
    except ENGINE_ERRORS as error:
        raise ServerError(f"Docker could not look for image {name}: {brief(error)}") from error


def _fetch(client: docker.DockerClient, name: str, progress: Progress, cancelled: Callable[[], bool]) -> None:
    repository, tag = parse_repository_tag(name)
    layers: dict[str, str] = {}
    try:
        for line in client.api.pull(repository, tag=tag or "latest", stream=True, decode=True):
            if cancelled():
                raise ServerError(f"fetching image {name} was cancelled")
            if "error" in line:
                raise docker.errors.APIError(str(line["error"]))
            if "id" in line:
                layers[line["id"]] = line.get("status", "")
            done = sum(status in ("Pull complete", "Already exists") for status in layers.values())
            progress(f"fetching {name}: {done} of {len(layers)} layers")
        client.images.get(name)
    except ENGINE_ERRORS as error:
        raise PrerequisiteError(
            f"image {name} could not be fetched ({brief(error)}): is the registry reachable? "
            "See docs/paper.md for machines without network"
        ) from error


def brief(error: Exception) -> str:
    """Return the first line of what the engine said."""
    text = getattr(error, "explanation", None) or str(error)
    return str(text).strip().splitlines()[0][:400] if str(text).strip() else type(error).__name__
