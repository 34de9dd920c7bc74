"""Missing prerequisites: one line with the command to run."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bridge import confinement as confining
from bridge import prerequisites
from bridge.mock.process import MockProcess
from bridge.prerequisites import check_node, check_packages, node_binary
from bridge.servers import detached
from bridge.servers.embedded.server import EmbeddedServer
from bridge.supervisor import start_node
from common.errors import PrerequisiteError

LOCK = {
    "": {"name": "accord"},
    "node_modules/vec3": {"version": "0.2.0"},
    "node_modules/eslint": {"version": "9", "dev": True},
}


def install(root: Path, installed: dict[str, dict[str, str]] | None) -> None:
    (root / "package-lock.json").write_text(json.dumps({"packages": LOCK}))
    if installed is not None:
        (root / "node_modules").mkdir()
        (root / "node_modules" / ".package-lock.json").write_text(json.dumps({"packages": installed}))


def test_the_lockfile_and_what_is_installed_agree(tmp_path: Path) -> None:
    install(tmp_path, {"node_modules/vec3": {"version": "0.2.0"}})
    check_packages(tmp_path)


@pytest.mark.parametrize(
    ("installed", "words"),
    [
        (None, "not installed"),
        ({}, "vec3 is missing"),
        ({"node_modules/vec3": {"version": "0.1.9"}}, "vec3 is 0.1.9, not 0.2.0"),
    ],
)
def test_packages_that_do_not_match(tmp_path: Path, installed: dict[str, dict[str, str]] | None, words: str) -> None:
    install(tmp_path, installed)
    with pytest.raises(PrerequisiteError) as caught:
        check_packages(tmp_path)
    assert words in str(caught.value)
    assert "make setup" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_lockfile_that_cannot_be_read(tmp_path: Path) -> None:
    install(tmp_path, {})
    (tmp_path / "package-lock.json").write_text("{")
    with pytest.raises(PrerequisiteError, match=r"package-lock\.json cannot be read .*make setup"):
        check_packages(tmp_path)


def test_the_real_node_is_found_and_right() -> None:
    binary = node_binary()
    assert binary.read_bytes()[:4] == b"\x7fELF" or binary.suffix != ".py"
    check_node(binary)


def test_a_node_is_asked_once_and_again_when_it_has_changed(tmp_path: Path) -> None:
    binary, asked = tmp_path / "node", tmp_path / "asked"

    def write(version: str, when: int) -> None:
        binary.write_text(f"#!/bin/sh\necho x >> {asked}\necho {version}\n")
        binary.chmod(0o755)
        os.utime(binary, (when, when))

    write("v22.1.0", 1)
    check_node(binary)
    check_node(binary)
    assert asked.read_text().split() == ["x"]
    write("v21.1.0", 2)
    for _ in range(2):
        with pytest.raises(PrerequisiteError, match=r"wrong Node v21\.1\.0"):
            check_node(binary)


def test_another_node_is_named(tmp_path: Path) -> None:
    other = tmp_path / "node"
    other.write_text("#!/bin/sh\necho v18.19.0\n")
    other.chmod(0o755)
    with pytest.raises(PrerequisiteError, match=r"wrong Node v18\.19\.0 at .* 22\.x; run `make setup`"):
        check_node(other)


def test_a_node_that_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(PrerequisiteError, match="does not start"):
        check_node(tmp_path / "absent")


STARTERS: dict[str, Callable[[Path], object]] = {
    "supervisor": lambda folder: start_node(),
    "confinement": lambda folder: confining.confinement(folder / "script of this test.js"),
    "mock world": lambda folder: asyncio.run(
        MockProcess({}, folder / "log", lambda events: None, lambda run, ended: None, lambda tick: None).start()
    ),
    "embedded server": lambda folder: asyncio.run(EmbeddedServer(0, folder).start()),
    "embedded server that stays": lambda folder: asyncio.run(detached.start_embedded(seed=0, port=None)),
}


@pytest.mark.parametrize("starter", STARTERS)
def test_nothing_is_started_before_the_packages_are_there(
    starter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse() -> None:
        raise PrerequisiteError("the packages are not there")

    monkeypatch.setenv("ACCORD_STATE", str(tmp_path))
    monkeypatch.setattr(prerequisites, "check_packages", refuse)
    # If the test fails, the server must not outlive it.
    monkeypatch.setattr(detached, "_spawn", lambda *_: pytest.fail("it was started"))
    with pytest.raises(PrerequisiteError, match="the packages are not there"):
        STARTERS[starter](tmp_path)
    assert not list(tmp_path.iterdir())
