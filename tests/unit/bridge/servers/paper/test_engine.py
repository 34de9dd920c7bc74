"""Messages about unusable Docker engines, tested without one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import docker.errors
import pytest

from accord.doctor import paper as doctor_paper
from bridge.servers.paper import engine
from bridge.servers.paper.settings import PaperSettings, eula_accepted, wanted_image, watchers
from common.errors import PrerequisiteError

Lines = Iterable[dict[str, str]]
Fake = Callable[..., "FakeEngine"]


class FakeImages:
    def __init__(self, here: bool) -> None:
        self.here = here

    def get(self, name: str) -> str:
        if not self.here:
            raise docker.errors.ImageNotFound("not here")
        return name


class FakeEngine:
    """Fake of the SDK's client, limited to the calls that the bridge makes."""

    def __init__(self, *, api: str = "1.43", memory_mb: int = 8192, image: bool = True, pull: Lines = ()) -> None:
        self.images = FakeImages(image)
        self.api = self
        self._version, self._memory_mb, self._pull = api, memory_mb, pull
        self.closed = False

    def version(self) -> dict[str, str]:
        return {"Version": "24", "ApiVersion": self._version}

    def info(self) -> dict[str, int]:
        return {"MemTotal": self._memory_mb * 2**20, "NCPU": 2}

    def pull(self, repository: str, *, tag: str, stream: bool, decode: bool) -> Iterator[dict[str, str]]:
        yield from self._pull
        self.images.here = True

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> Fake:
    def use(**how: object) -> FakeEngine:
        found = FakeEngine(**how)  # type: ignore[arg-type]
        monkeypatch.setattr(docker, "from_env", lambda **_: found)
        return found

    return use


def fails(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    def from_env(**_: object) -> None:
        raise error

    monkeypatch.setattr(docker, "from_env", from_env)


def test_no_daemon(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    with pytest.raises(PrerequisiteError, match=r"no Docker engine answers at unix://.*none\.sock: start it"):
        engine.open_engine()


def test_no_permission(monkeypatch: pytest.MonkeyPatch) -> None:
    cause = docker.errors.DockerException("Error while fetching server API version")
    cause.__cause__ = PermissionError(13, "Permission denied")
    fails(monkeypatch, cause)
    with pytest.raises(PrerequisiteError, match=r"no permission .* run `sudo usermod -aG docker \$USER`"):
        engine.open_engine()


def test_an_engine_on_another_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "ssh://me@elsewhere")
    with pytest.raises(PrerequisiteError, match="another machine"):
        engine.open_engine()


def test_an_engine_that_is_too_old(fake: Fake) -> None:
    old = fake(api="1.24")
    with pytest.raises(PrerequisiteError, match=r"API 1\.24, needed is 1\.40"):
        engine.open_engine()
    assert old.closed


def test_too_little_memory() -> None:
    with pytest.raises(PrerequisiteError, match="2000 MB of memory, the server may use 3072 MB"):
        engine.check_memory(FakeEngine(memory_mb=2000), 3072)


def test_an_image_that_is_not_here_is_fetched_only_when_that_is_wanted() -> None:
    with pytest.raises(PrerequisiteError, match="run `docker pull a/b:1`"):
        engine.find_image(FakeEngine(image=False), "a/b:1")
    heard: list[str] = []
    lines = [{"id": "x", "status": "Downloading"}, {"id": "x", "status": "Pull complete"}, {"status": "done"}]
    engine.find_image(FakeEngine(image=False, pull=lines), "a/b:1", pull=heard.append)
    assert heard == [f"fetching a/b:1: {done} of 1 layers" for done in (0, 1, 1)]


def test_a_registry_that_cannot_be_reached() -> None:
    unreachable = FakeEngine(image=False, pull=[{"error": "dial tcp: lookup registry-1.docker.io"}])
    with pytest.raises(PrerequisiteError, match=r"could not be fetched \(dial tcp.*is the registry reachable"):
        engine.find_image(unreachable, "a/b:1", pull=lambda text: None)


def test_what_the_environment_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_EULA", "TRUE")
    monkeypatch.setenv("ACCORD_PAPER_IMAGE", "mine:1")
    monkeypatch.setenv("ACCORD_WATCHERS", "Eve, Bob  Kim,")
    assert (eula_accepted(), wanted_image(), watchers()) == (True, "mine:1", ["Eve", "Bob", "Kim"])
    assert PaperSettings().environment()["EULA"] == "TRUE"


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"version": "1.8.9"}, "Paper version '1.8.9' is not supported: choose 1.20.4 or 1.21.4"),
        ({"memory_mb": 10}, "memory of 10 MB"),
        ({"game_port": 70000}, "port 70000"),
    ],
)
def test_settings_that_are_not_legal(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(PrerequisiteError, match=said):
        PaperSettings(**wrong)


def test_the_environment_and_the_files_hold_no_password_and_only_text() -> None:
    given = PaperSettings(accept_eula=True).environment()
    assert all(isinstance(value, str) for value in given.values())
    assert "RCON_PASSWORD" not in given
    assert set(PaperSettings().files()) == {
        "bukkit.yml",
        "spigot.yml",
        "config/paper-global.yml",
        "config/paper-world-defaults.yml",
    }


@pytest.mark.parametrize(("asked", "state"), [(False, "info"), (True, "fail")])
async def test_doctor_fails_for_docker_only_when_paper_was_asked_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, asked: bool, state: str
) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/none.sock")
    monkeypatch.delenv("ACCORD_EULA", raising=False)
    found = {check.name: check for check in await doctor_paper.paper_checks(asked=asked)}
    assert {name: check.state for name, check in found.items()} == {"Docker engine": state, "Minecraft EULA": state}
    assert all(check.remedy for check in found.values())


async def test_doctor_tells_of_each_thing_that_paper_needs(fake: Fake, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ACCORD_EULA", raising=False)
    fake(image=False, memory_mb=1000)
    found = {check.name: check.state for check in await doctor_paper.paper_checks(asked=True)}
    assert found == {"Docker engine": "ok", "Paper image": "fail", "Docker memory": "fail", "Minecraft EULA": "fail"}
    fake()
    monkeypatch.setenv("ACCORD_EULA", "true")
    assert {check.state for check in await doctor_paper.paper_checks(asked=True)} == {"ok"}
