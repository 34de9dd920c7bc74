"""JavaScript side of an installed package: installed once, completely or not at all, with npm's message on failure."""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path
from typing import Any

import pytest

from bridge import bundled
from common.errors import PrerequisiteError


@pytest.fixture
def wheel(tmp_path: Path) -> tuple[Path, Path]:
    """Create the bundle and the Python package of a wheel."""
    package = tmp_path / "site" / "bridge"
    for name in ("host/a.js", "host/a.py", "bundled_files/skills_js/b.js", "bundled_files/package.json", "x.py"):
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(name)
    return package / "bundled_files", package


def npm(monkeypatch: pytest.MonkeyPatch, code: int = 0) -> list[dict[str, Any]]:
    asked: list[dict[str, Any]] = []

    def run(command: list[str], **how: Any) -> subprocess.CompletedProcess[str]:  # noqa: ANN401 - as subprocess.run
        asked.append({"command": command, **how})
        (how["cwd"] / "node_modules").mkdir()
        return subprocess.CompletedProcess(command, code, "", "npm error code ENOTFOUND\nnpm error no network\n")

    monkeypatch.setattr(bundled.subprocess, "run", run)
    return asked


def test_it_is_installed_once_whoever_asks(
    wheel: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "secret")
    asked = npm(monkeypatch)
    place = tmp_path / "cache" / "js-1"
    several = [threading.Thread(target=bundled.install, args=(Path("/n/bin/node"), place, *wheel)) for _ in range(4)]
    for each in several:
        each.start()
    for each in several:
        each.join()
    (one,) = asked
    assert one["command"][1:3] == ["/n/lib/node_modules/npm/bin/npm-cli.js", "ci"]
    assert "SOME_API_KEY" not in one["env"]
    files = sorted(path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file())
    assert files == ["bridge/host/a.js", "package.json", "skills_js/b.js"]
    assert [path.name for path in sorted(place.parent.iterdir())] == ["js-1", "js-1.lock"]
    assert capsys.readouterr().err.count("installing its JavaScript packages") == 1


def test_what_fails_leaves_nothing_and_says_what_npm_said(
    wheel: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm(monkeypatch, code=1)
    place = tmp_path / "cache" / "js-1"
    with pytest.raises(PrerequisiteError, match=r"npm ci failed \(npm error code ENOTFOUND; npm error no network\)"):
        bundled.install(Path("/n/bin/node"), place, *wheel)
    assert [path.name for path in place.parent.iterdir()] == ["js-1.lock"]
    (tmp_path / "file").write_text("")
    with pytest.raises(PrerequisiteError, match="name another folder with ACCORD_CACHE"):
        bundled.install(Path("/n/bin/node"), tmp_path / "file" / "js-1", *wheel)


def test_what_a_killed_installation_left_is_removed(
    wheel: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npm(monkeypatch)
    place = tmp_path / "cache" / "js-1"
    (place.parent / ".js-1.abandoned" / "node_modules").mkdir(parents=True)
    (place.parent / ".js-2.other").mkdir()
    bundled.install(Path("/n/bin/node"), place, *wheel)
    assert sorted(path.name for path in place.parent.iterdir()) == [".js-2.other", "js-1", "js-1.lock"]


def test_the_cache_is_where_the_user_has_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("ACCORD_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert bundled.cache() == tmp_path / "accord"
    monkeypatch.setenv("ACCORD_CACHE", str(tmp_path / "own"))
    assert bundled.cache() == tmp_path / "own"


def test_a_checkout_works_where_it_is() -> None:
    assert not bundled.INSTALLED
    assert bundled.root() == bundled.sources() == Path(bundled.__file__).parents[1]
