"""Fixtures with a real Docker engine and stand-in images; tests are skipped with a reason if there is no engine."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import docker
import pytest

from bridge.servers.paper.engine import find_image, open_engine
from bridge.servers.paper.marks import LABEL
from bridge.servers.paper.server import PaperServer
from bridge.servers.paper.settings import EULA_REFUSED, PaperSettings
from common.errors import PrerequisiteError
from tests.docker import image


@pytest.fixture(scope="session")
def engine() -> Iterator[docker.DockerClient]:
    try:
        client = open_engine()
    except PrerequisiteError as error:
        pytest.skip(str(error))
    yield client
    # By label, because an image that was rebuilt has lost its name.
    for each in client.images.list(filters={"label": "accord.standin=true"}):
        client.images.remove(each.id, force=True)
    client.close()


@pytest.fixture(scope="session")
def standin(engine: docker.DockerClient) -> Callable[..., str]:
    """Return a function that builds the stand-in image of a mode once, and returns its name."""
    built: dict[str, str] = {}

    def build(mode: str = "normal") -> str:
        if mode not in built:
            built[mode] = image.build(engine, mode)
        return built[mode]

    return build


WANTED = PaperSettings()
"""Real image and acceptance of the EULA from the environment, before any test changes it."""


@pytest.fixture(params=["standin", pytest.param("real", marks=pytest.mark.paper_live)])
def image_of(
    request: pytest.FixtureRequest, engine: docker.DockerClient, standin: Callable[..., str]
) -> Callable[..., str]:
    """Return a function from mode to image: the stand-in's, or the real one, which has a single mode."""
    if request.param == "standin":
        return standin
    try:
        find_image(engine, WANTED.image)
    except PrerequisiteError:
        pytest.skip(f"paper_live: image {WANTED.image} is not on this machine")
    if not WANTED.accept_eula:
        pytest.skip(EULA_REFUSED)

    def real(mode: str = "normal") -> str:
        if mode != "normal":
            pytest.skip("only the stand-in can be told to fail")
        return WANTED.image

    return real


@pytest.fixture
def paper(image_of: Callable[..., str], tmp_path: Path) -> Callable[..., PaperServer]:
    """Return a factory of servers, with the stand-in's `mode` and any setting."""

    def make(mode: str = "normal", name: str = "", **settings: object) -> PaperServer:
        defaults: dict[str, object] = {"image": image_of(mode), "accept_eula": True, "memory_mb": 1024, "stop_s": 20}
        return PaperServer(PaperSettings(**{**defaults, **settings}), tmp_path, name=name)  # type: ignore[arg-type]

    return make


@pytest.fixture(autouse=True)
def nothing_left(engine: docker.DockerClient) -> Iterator[None]:
    yield
    assert ours(engine) == []


def ours(engine: docker.DockerClient) -> list[str]:
    """Return the names of all containers and volumes with our label."""
    # A container may disappear between listing and inspection.
    containers = engine.containers.list(all=True, filters={"label": LABEL}, ignore_removed=True)
    volumes = engine.volumes.list(filters={"label": LABEL})
    return [each.name for each in [*containers, *volumes]]


def data_folder(engine: docker.DockerClient, name: str) -> dict[str, bytes]:
    """Return the files in the server's /data."""
    stream, _ = engine.containers.get(name).get_archive("/data")
    with tarfile.open(fileobj=io.BytesIO(b"".join(stream))) as tar:
        files = {each.name.removeprefix("data/"): tar.extractfile(each) for each in tar if each.isfile()}
        return {path: file.read() for path, file in files.items() if file is not None}
