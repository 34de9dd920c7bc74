"""Records from elsewhere, whose endpoints and files must be allowed again; own records resume unchanged."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from accord.studies.kept_tournaments import PLAN, claim, read_plan
from accord.studies.received import names_in
from accord.studies.settings import StudySettings
from accord.studies.study import is_own, read_settings, resume_study, run_study
from accord.studies.sweeps.folder import SweepFolder
from accord.studies.sweeps.task import play_task
from accord.studies.tournament import TournamentPlan
from common.plugins import add, forget
from dilemmas.errors import UsageError
from dilemmas.records import seals
from tests.fakes.hostile_records import SECRET, unsealed, victim
from tests.fakes.model_players import SPLIT, play, respond
from tests.fakes.packages import package
from tests.fakes.world import FakeWorld, FakeWorlds
from voyager_agents.models import openai_chat
from voyager_agents.models.fake_server import FakeServer

FAMILY = """from pathlib import Path
(Path(__file__).parents[2] / "imported").touch()
from voyager_agents.registry import FAMILIES
ADDED = FAMILIES["reference"]
"""


async def begun(folder: Path, server: FakeServer, **settings: object) -> Path:
    """Start a study with a model and stop it before any call."""
    directory = (await play(folder, server, [SPLIT] * 2, **settings))[0].directory
    for name in ("events.jsonl", "calls.jsonl"):
        (directory / name).write_bytes(b"")
    (directory / "result.json").unlink()
    server.requests.clear()
    return directory


async def resumed(directory: Path, **given: Any) -> str:  # noqa: ANN401
    settings = read_settings(directory, **given)
    found = await resume_study(directory, settings, worlds=FakeWorlds(FakeWorld([SPLIT] * 2)))
    return found.status


@pytest.fixture(name="keys")
def _keys(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str | None, str]]:
    """Record endpoint and key of every opened model."""
    found: set[tuple[str | None, str]] = set()
    real = openai_chat._key

    def noted(base_url: str | None, file: Path | None) -> str:
        key = real(base_url, file)
        found.add((base_url, key))
        return key

    monkeypatch.setattr(openai_chat, "_key", noted)
    return found


async def test_ones_own_record_goes_on_as_it_was_begun(tmp_path: Path, keys: set[tuple[str | None, str]]) -> None:
    (tmp_path / "key").write_text("sk-mine\n")
    async with FakeServer(respond) as server:
        directory = await begun(tmp_path, server, api_key_file=tmp_path / "key")
        assert is_own(directory)
        assert await resumed(directory) == "complete"
        assert server.requests
        assert keys == {(server.base_url, "sk-mine")}


async def test_a_key_goes_nowhere_that_a_record_chose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keys: set[tuple[str | None, str]]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    away = victim(tmp_path / "away")
    async with FakeServer(respond) as server, FakeServer(respond) as evil:
        directory = await begun(tmp_path, server)
        keys.clear()
        unsealed(directory, base_url=evil.base_url, api_key_file=str(away / "secret.txt"))
        assert not is_own(directory)
        with pytest.raises(UsageError, match="not made here") as refused:
            await resumed(directory)
        assert evil.base_url in str(refused.value)
        assert str(away / "secret.txt") in str(refused.value)
        with pytest.raises(UsageError, match="secret"):
            await resumed(directory, base_url=server.base_url)
        (tmp_path / "key").write_text("sk-mine\n")
        assert await resumed(directory, base_url=server.base_url, api_key_file=tmp_path / "key") == "complete"
        assert not evil.requests
        assert server.requests
        assert keys == {(server.base_url, "sk-mine")}


async def test_an_endpoint_of_a_record_is_used_once_it_is_allowed(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        directory = await begun(tmp_path, server)
        unsealed(directory)
        assert await resumed(directory, allowed=[server.base_url]) == "complete"
        assert server.requests


async def test_a_record_is_verified_without_its_endpoint(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        directory = await begun(tmp_path, server)
        unsealed(directory, base_urls={"openai/test": "http://127.0.0.1:9/v1"}, api_key_file="/etc/shadow")
        settings = read_settings(directory, asks=False)
    assert (settings.base_url, settings.base_urls, settings.api_key_file) == (None, {}, None)


@pytest.mark.parametrize("change", ["a word", "the seal", "no key"])
async def test_a_changed_record_is_no_more_ones_own(
    tmp_path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with FakeServer(respond) as server:
        directory = await begun(tmp_path, server)
    path = directory / "config.yaml"
    text = path.read_text()
    if change == "a word":
        path.write_text(text.replace("scenario: double-vein", "scenario: cleanup", 1))
    elif change == "the seal":
        path.write_text(text[:-10] + "0" * 9 + "\n")
    else:
        monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "another-user"))
    assert path.read_text() != text or change == "no key"
    with pytest.raises(UsageError, match="not made here"):
        read_settings(directory)


def plugged(tmp_path: Path) -> tuple[Path, Path]:
    """Return a study that used a plugin, and the plugin."""
    root = add(package(tmp_path / "added", "agents", "theirs", FAMILY))
    settings = StudySettings("double-vein", agents="theirs", world="fake", out=tmp_path / "runs")
    directory = asyncio.run(run_study(settings, worlds=FakeWorlds(FakeWorld([SPLIT])))).directory
    forget()
    return directory, root


def test_a_plugin_is_used_again_while_it_is_what_it_was(tmp_path: Path) -> None:
    directory, root = plugged(tmp_path)
    assert read_settings(directory).plugins == (root,)
    forget()
    code = root / root.name / "__init__.py"
    code.write_text(code.read_text() + "raise AssertionError\n")
    with pytest.raises(UsageError, match=r"plugins.*not what it was"):
        read_settings(directory)


def test_a_plugin_of_a_record_from_elsewhere_is_named_again(tmp_path: Path) -> None:
    directory, root = plugged(tmp_path)
    unsealed(directory)
    mark = root.parent / "imported"
    mark.unlink()
    with pytest.raises(UsageError, match=rf"plugin accord-{root.name} 1.2: name its folder with --plugin"):
        read_settings(directory)
    assert not mark.exists()
    add(root)
    assert read_settings(directory).agents == "theirs"


def test_a_file_of_a_record_from_elsewhere_is_allowed_by_its_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def made() -> Path:
        async with FakeServer(respond) as server:
            return await begun(tmp_path, server)

    directory = asyncio.run(made())
    (tmp_path / "prices.yaml").write_text("{}")
    unsealed(directory, base_url=None, prices=str(tmp_path / "prices.yaml"))
    with pytest.raises(UsageError, match=r"--allow .*prices\.yaml"):
        read_settings(directory)
    monkeypatch.chdir(tmp_path)
    assert read_settings(directory, allowed=["prices.yaml"]).prices == tmp_path / "prices.yaml"


def swept(tmp_path: Path, **settings: object) -> SweepFolder:
    data = {"name": "s", "scenarios": ["ada-contract"], "settings": {"agents": "random", "time_limit_s": 3, **settings}}
    return SweepFolder.make(tmp_path / "s", data, tmp_path)


def test_a_sweep_from_elsewhere_chooses_no_endpoint_and_no_code(tmp_path: Path) -> None:
    folder = swept(tmp_path, base_url="http://127.0.0.1:9/v1")
    assert SweepFolder.open(folder.path).tasks == folder.tasks
    (folder.path / "sweep.yaml").write_text(yaml.safe_dump(yaml.safe_load((folder.path / "sweep.yaml").read_text())))
    with pytest.raises(UsageError, match="not made here"):
        SweepFolder.open(folder.path)
    assert SweepFolder.open(folder.path, ["http://127.0.0.1:9/v1"]).allowed == ("http://127.0.0.1:9/v1",)


def test_changed_tasks_are_not_the_sweep_that_was_made_here(tmp_path: Path) -> None:
    folder = swept(tmp_path)
    path = folder.path / "tasks.jsonl"
    evil = replace(folder.tasks[0], settings={"plugins": [str(tmp_path / "evil")]})
    path.write_text(json.dumps(evil.to_dict()) + "\n")
    with pytest.raises(UsageError, match="plugin"):
        SweepFolder.open(folder.path)


async def test_a_run_in_the_scratch_folder_of_a_sweep_decides_nothing(tmp_path: Path) -> None:
    """The config.yaml of a resumed task is compared and never obeyed, because anyone may have put it there."""
    folder = swept(tmp_path)
    task = folder.task(0)
    ready = swept(tmp_path / "other")
    assert await play_task(ready, 0) == "complete"
    place = folder.path / "scratch" / task.id
    place.mkdir(parents=True)
    ready.home(ready.task(0)).rename(place / "run")
    unsealed(place / "run", plugins=[str(tmp_path / "evil")], base_url="http://127.0.0.1:9/v1")
    assert await play_task(folder, 0) == "complete"


def test_a_sweep_whose_folders_are_links_is_none(tmp_path: Path) -> None:
    folder = swept(tmp_path)
    (folder.path / "leases").rmdir()
    (folder.path / "leases").symlink_to(victim(tmp_path / "away"))
    with pytest.raises(UsageError, match="no sweep"):
        SweepFolder.open(folder.path)


def test_a_tournament_from_elsewhere_chooses_no_endpoint_no_file_and_no_code(tmp_path: Path) -> None:
    directory = claim(TournamentPlan("prisoners-dilemma", settings={"base_url": "http://127.0.0.1:9/v1"}), tmp_path)
    assert read_plan(directory).settings == {"base_url": "http://127.0.0.1:9/v1"}
    told = json.loads((directory / PLAN).read_text())
    for change in ({"seal": ""}, {"seeds": 11}, {"plugins": [str(tmp_path)]}, {"seal": 7}):
        (directory / PLAN).write_text(json.dumps({**told, **change}))
        with pytest.raises(UsageError, match="not made here"):
            read_plan(directory)
    (directory / PLAN).write_text(json.dumps({**told, "seal": ""}))
    assert read_plan(directory, allowed=["http://127.0.0.1:9/v1"]).seeds == 10


@pytest.mark.parametrize("change", [{"names": 7}, {"seeds": "many"}, {"settings": [1]}, {"names": [1]}, {"budget": 1}])
def test_a_plan_of_other_kinds_is_told(tmp_path: Path, change: dict[str, object]) -> None:
    directory = claim(TournamentPlan("prisoners-dilemma"), tmp_path)
    told = json.loads((directory / PLAN).read_text())
    (directory / PLAN).write_text(json.dumps({**told, **change}))
    with pytest.raises(UsageError, match=rf"{PLAN}: {next(iter(change))}: .* is not legal; give"):
        read_plan(directory)


@pytest.mark.parametrize("change", [{"pace": 7}, {"names": None}])
def test_a_plan_of_another_version_is_told(tmp_path: Path, change: dict[str, object]) -> None:
    directory = claim(TournamentPlan("prisoners-dilemma"), tmp_path)
    told = json.loads((directory / PLAN).read_text()) | change
    (directory / PLAN).write_text(json.dumps({name: value for name, value in told.items() if value is not None}))
    with pytest.raises(UsageError, match="cannot be read"):
        read_plan(directory)


def test_files_that_players_play_by_are_named() -> None:
    settings = {
        "agents": "policy:/a,greedy,learned:/b",
        "players": {"Gizmo": "program:/c"},
        "players.Glitch": "policy:/d",
    }
    assert names_in([settings]) == {"/a", "/b", "/c", "/d"}


def test_settings_come_back_as_they_were() -> None:
    settings = StudySettings("double-vein", ("none",), world="mock", players={"Gizmo": "greedy"},
                             sampling={"seed": "1"}, vary={"think": ("0", "1")})  # fmt: skip
    assert StudySettings.from_dict(yaml.safe_load(yaml.safe_dump(settings.to_dict()))) == settings


def test_a_seal_is_of_one_user_and_one_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "one"))
    text = seals.sealed_yaml("a: 1\n", "config.yaml", "more")
    assert yaml.safe_load(text) == {"a": 1}
    assert seals.is_sealed_yaml(text, "config.yaml", "more")
    assert (tmp_path / "one" / seals.KEY).stat().st_mode & 0o077 == 0
    for kind, more in (("sweep.yaml", "more"), ("config.yaml", "other")):
        assert not seals.is_sealed_yaml(text, kind, more)
    assert not seals.is_sealed_yaml(text.replace("a: 1", "a: 2"), "config.yaml", "more")
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "two"))
    assert not seals.is_sealed_yaml(text, "config.yaml", "more")


def test_where_no_key_can_be_kept_nothing_is_sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "file" / "state"))
    assert seals.sealed_yaml("a: 1\n", "config.yaml") == "a: 1\n"
    assert not seals.is_sealed("", "config.yaml", "a: 1\n")
    folder = swept(tmp_path, base_url="http://127.0.0.1:9/v1")
    # Workers receive the allowed endpoints of this process.
    assert SweepFolder.open(folder.path, folder.allowed).tasks == folder.tasks


class Trusting(FakeWorld):
    """World that records if its programs are trusted."""

    capabilities = FakeWorld.capabilities | {"trusting"}
    trusted = False

    def trust(self) -> None:
        """Record the call; see `World`."""
        self.trusted = True


async def test_programs_of_a_record_are_never_trusted(tmp_path: Path) -> None:
    """Without a model all programs of a new run come from reference players; programs in a log may come from anyone."""
    fresh, resuming = Trusting([SPLIT]), Trusting([SPLIT])
    settings = StudySettings("double-vein", world="fake", out=tmp_path)
    directory = (await run_study(settings, worlds=FakeWorlds(fresh))).directory
    assert fresh.trusted
    log = directory / "events.jsonl"
    log.write_bytes(b"".join(log.read_bytes().splitlines(keepends=True)[:-8]))
    await resume_study(directory, read_settings(directory), worlds=FakeWorlds(resuming))
    assert not resuming.trusted
