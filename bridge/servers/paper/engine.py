"""The Docker engine: one client, and its errors told apart so that each says what to run."""

from __future__ import annotations

import os
from typing import Any

import docker
import docker.errors
import requests.exceptions
from docker.models.images import Image

from bridge.errors import PrerequisiteError, ServerError

ENGINE_ERRORS = (docker.errors.DockerException, requests.exceptions.RequestException)
"""Everything that the SDK raises when the engine refuses, stalls or goes away."""


def open_engine() -> docker.DockerClient:
    """A client of the Docker engine. Raises PrerequisiteError with the command to run when none answers."""
    try:
        client = docker.from_env(timeout=30)
        client.ping()
    except ENGINE_ERRORS as error:
        raise PrerequisiteError(_no_engine(error)) from error
    return client


def _no_engine(error: Exception) -> str:
    where = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
    if _caused_by(error, PermissionError):
        return f"no permission on the Docker socket {where}: run `sudo usermod -aG docker $USER` and log in again"
    return f"no Docker engine answers at {where}: start it (`sudo systemctl start docker`), or use --world embedded"


def _caused_by(error: BaseException, kind: type[BaseException]) -> bool:
    """Whether an error of that kind stands anywhere in the chain; the SDK sometimes keeps only its text."""
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


def find_image(client: docker.DockerClient, name: str, *, pull: bool) -> Image:
    """The image, pulled only when allowed. Raises PrerequisiteError when it is not on this machine."""
    try:
        return client.images.get(name)
    except docker.errors.ImageNotFound:
        if not pull:
            raise PrerequisiteError(
                f"image {name} is not on this machine: run `docker pull {name}` (about 900 MB), or pass --pull"
            ) from None
    except ENGINE_ERRORS as error:
        raise ServerError(f"Docker could not look for image {name}: {brief(error)}") from error
    try:
        return client.images.pull(name)
    except ENGINE_ERRORS as error:
        raise PrerequisiteError(
            f"image {name} could not be pulled ({brief(error)}): is the registry reachable? See docs/paper.md, offline"
        ) from error


def brief(error: Exception) -> str:
    """The first line of what the engine said."""
    text = getattr(error, "explanation", None) or str(error)
    return str(text).strip().splitlines()[0][:400] if str(text).strip() else type(error).__name__
