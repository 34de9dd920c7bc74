from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from bridge.servers import registry
from bridge.servers.registry import Running, ServerLease
from common.errors import PrerequisiteError
from common.processes import birth, is_alive, this_place


def server(**changes: object) -> Running:
    known = {"world": "paper", "name": "accord-x", "host": "127.0.0.1", "port": 4000, "version": "1.20.4"}
    return Running(**{**known, "rcon_port": 4001, "password": "open sesame", **changes})  # type: ignore[arg-type]


@pytest.fixture(autouse=True)
def state(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    folder = tmp_path / "state"
    monkeypatch.setenv("ACCORD_STATE", str(folder))
    return folder


def test_a_server_is_remembered_for_this_user_only_and_forgotten(state: Path) -> None:
    assert registry.find("paper") is None
    registry.remember(server())
    assert registry.everything() == [server()]
    assert stat.S_IMODE(state.stat().st_mode) == 0o700
    assert [stat.S_IMODE(file.stat().st_mode) for file in state.iterdir()] == [0o600]
    registry.forget("paper")
    registry.forget("paper")
    assert list(state.iterdir()) == []


def test_the_password_is_not_shown() -> None:
    assert "open sesame" not in repr(server())


@pytest.mark.parametrize("broken", ["", "{", "[]", '{"world": "paper"}', '{"other": 1}'])
def test_a_record_that_cannot_be_read_is_named(state: Path, broken: str) -> None:
    state.mkdir()
    (state / "paper.json").write_text(broken)
    with pytest.raises(PrerequisiteError, match=r"paper\.json cannot be read"):
        registry.find("paper")


def test_a_state_folder_that_cannot_be_made_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "file" / "state"))
    with pytest.raises(PrerequisiteError, match="ACCORD_STATE"):
        registry.remember(server())


def test_one_study_at_a_time_has_a_server() -> None:
    one, two = ServerLease("paper"), ServerLease("paper")
    assert one.acquire()
    assert one.acquire(), "it is ours already"
    assert registry.in_use("paper")
    assert not two.acquire()
    one.give_back()
    one.give_back()
    assert two.acquire()
    two.give_back()
    assert not registry.in_use("paper")


def test_two_commands_do_not_change_a_server_at_once() -> None:
    with (
        registry.changing("paper"),
        registry.changing("embedded"),
        pytest.raises(PrerequisiteError, match="wait for it"),
        registry.changing("paper"),
    ):
        raise AssertionError("never reached")
    with registry.changing("paper"):
        pass


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"XDG_STATE_HOME": "/var/x"}, "/var/x/accord"),
        ({"XDG_STATE_HOME": "relative", "HOME": "/home/me"}, "/home/me/.local/state/accord"),
        ({"HOME": "/home/me"}, "/home/me/.local/state/accord"),
    ],
)
def test_where_the_state_is(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], folder: str) -> None:
    for name in ("ACCORD_STATE", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert str(registry.state_folder()) == folder


def test_a_process_is_known_by_more_than_its_number() -> None:
    me = os.getpid()
    assert is_alive(me, birth(me))
    assert is_alive(me, "")
    assert not is_alive(me, "another time")
    assert not is_alive(0, "")
    assert this_place()
