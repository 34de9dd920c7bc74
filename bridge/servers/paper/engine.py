"""Client of the Docker engine; each kind of error names the command to run."""

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
"""Errors of the SDK if the engine refuses, stalls or ends."""
Progress = Callable[[str], None]
"""Callback for progress in a few words, called on any thread."""
ENGINE_TIMEOUT_S = 120
"""Time-out of a request; removing a container takes long on a busy disk."""
MIN_API = (1, 40)
"""API of Docker 19.03; older ones lack options of our containers."""
LOOPBACK = frozenset({None, "", "localhost", "127.0.0.1", "::1"})


def engine_address() -> str:
    """Return the engine's address from `$DOCKER_HOST`; empty for Docker's default."""
    return os.environ.get("DOCKER_HOST", "")


def open_engine(address: str | None = None) -> docker.DockerClient:
    """Return a client of the Docker engine (at `$DOCKER_HOST`, or at that address).

    Raises PrerequisiteError with the command to run if no usable engine answers.
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
    """Raise OSError if nothing listens on a Unix socket; the SDK would leave its own end open."""
    if scheme == "unix":
        with socket.socket(socket.AF_UNIX) as door:
            door.connect(path)


def _check_version(client: docker.DockerClient) -> None:
    """Raise PrerequisiteError for an old engine, ENGINE_ERRORS for one that does not answer."""
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
    """Return whether the chain of causes has an error of a kind; the SDK sometimes keeps only its text."""
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
    """Raise PrerequisiteError if the engine's machine has less memory than the server may use."""
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
    """Check that the image is on this machine, or fetch it.

    Args:
        client: Client of the Docker engine.
        name: Name of the image.
        pull: Callback for progress; None to fetch nothing.
        cancelled: Set to end fetching early.

    Raises:
        PrerequisiteError: The image is missing or cannot be fetched.
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
    """Return the first line of the engine's message."""
    text = getattr(error, "explanation", None) or str(error)
    return str(text).strip().splitlines()[0][:400] if str(text).strip() else type(error).__name__
