"""Options of `accord run` and `accord resume` for pages beside a study: who gets one, and what is refused before."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Self

import pytest
import yaml
from typer.testing import CliRunner

import accord.cli.watch
import accord.studies.study
from accord.cli.app import app
from accord.studies.study import StudyResult, StudySettings
from tests.unit.accord.cli.fakes import FakeStudy


class FakeWatching:
    """Pages without a process."""

    made: list[FakeWatching]

    def __init__(self, port: int | None, *, people: list[str], invite: bool, kind: str) -> None:
        self.given = (port, people, invite, kind)
        self.address = "http://127.0.0.1:1/TOKEN/"
        self.seats = {name: f"{self.address}{name}" for name in people}
        self.stayed = False
        self.made.append(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def placed(self, directory: Path) -> None:
        """Do nothing."""

    def seated(self, people: object) -> None:
        """Do nothing."""

    def steer(self, make: Callable[..., Any], end: Callable[[], object]) -> Callable[..., Any]:
        return make

    @asynccontextmanager
    async def hearing(self) -> AsyncGenerator[None]:
        yield

    def stay(self) -> None:
        self.stayed = True


class Played:
    """A study without a world, and what it was given."""

    def __init__(self) -> None:
        self.fake = FakeStudy()
        self.given: list[dict[str, Any]] = []

    async def run(self, settings: StudySettings, **given: Any) -> StudyResult:  # noqa: ANN401
        self.given.append(given)
        return await self.fake(settings, **given)

    async def resume(self, _: Path, settings: StudySettings, **given: Any) -> StudyResult:  # noqa: ANN401
        return await self.run(settings, **given)


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    made = Played()
    monkeypatch.setattr(accord.studies.study, "run_study", made.run)
    monkeypatch.setattr(accord.studies.study, "resume_study", made.resume)
    monkeypatch.setattr(FakeWatching, "made", [], raising=False)
    monkeypatch.setattr(accord.cli.watch, "Watching", FakeWatching)
    return made


def invoke(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def begun(directory: Path, *, world: str = "embedded", **players: str) -> str:
    """Write the record of a study that was begun."""
    directory.mkdir(parents=True)
    settings = StudySettings("double-vein", ("none",), out=directory.parent, world=world, players=players)
    (directory / "config.yaml").write_text(yaml.safe_dump({"settings": settings.to_dict()}))
    return str(directory)


def test_a_resumed_study_has_the_pages_of_a_new_one(played: Played, tmp_path: Path) -> None:
    directory = begun(tmp_path / "old", Glitch="human")
    code, _, err = invoke("resume", directory, "--invite", "--watch-port", "4242", "--no-report")
    assert code == 0
    [watching] = FakeWatching.made
    assert (watching.given, watching.stayed) == ((4242, ["Glitch"], True, "world"), True)
    [given] = played.given
    assert (given["placed"], given["seated"]) == (watching.placed, watching.seated)
    assert "watch it at http://127.0.0.1:1/TOKEN/ (this machine only)" in err
    assert "page of Glitch, for this person alone: http://127.0.0.1:1/TOKEN/Glitch" in err


def test_a_resumed_study_without_people_can_be_watched_too(played: Played, tmp_path: Path) -> None:
    directory = begun(tmp_path / "old")
    assert invoke("resume", directory, "--watch", "--no-report")[0] == 0
    assert [each.given for each in FakeWatching.made] == [(None, [], False, "")]
    assert invoke("resume", begun(tmp_path / "another" / "old"), "--no-report")[0] == 0
    assert (len(FakeWatching.made), played.given[1]["placed"], played.given[1]["seated"]) == (1, None, None)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--watch-port", "1"), "--watch-port is for --watch: add it"),
        (("--invite",), "--invite: nobody is invited: name the person's player with --human NAME"),
    ],
)
def test_pages_for_nobody_are_refused(played: Played, tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    expected = (2, "", f"error: {told}\n")
    assert invoke("run", "double-vein", *arguments) == expected
    assert invoke("resume", begun(tmp_path / "old"), *arguments) == expected
    assert (FakeWatching.made, played.given) == ([], [])


@pytest.mark.parametrize(
    ("scenario", "player", "kind"), [("ada-contract", "miner_2", "grid"), ("undercover", "Gizmo", "words")]
)
def test_a_game_without_a_world_has_no_seat_without_a_page(
    played: Played, tmp_path: Path, scenario: str, player: str, kind: str
) -> None:
    told = f"error: human: {scenario} is played on people's pages: add --watch or --invite to 'accord run'\n"
    asked = ("run", scenario, "--no-report", "--out", str(tmp_path), "--human", player)
    assert invoke(*asked) == (2, "", told)
    assert invoke("run", scenario, "--no-report", "--out", str(tmp_path), "--agents", "human") == (2, "", told)
    assert played.given == []
    assert invoke(*asked, "--watch")[0] == 0
    assert [each.given for each in FakeWatching.made] == [(None, [player], False, kind)]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("voyager-progress", "--human", "Nova"), "human: voyager-progress is played in iterations, where a person "
         "has no seat: choose a scenario such as double-vein, village, ada-contract or chameleon"),
        (("double-vein", "--human", "Nobody"), "unknown player 'Nobody'; this scenario's are Gizmo, Glitch"),
        (("village", "--human", "Amos", "--world", "mock"), "human: nobody can join the world 'mock' with a Minecraft "
         "client: choose --world embedded or --world paper"),
    ],
)  # fmt: skip
def test_people_have_no_links_to_a_study_that_is_refused(played: Played, arguments: tuple[str, ...], told: str) -> None:
    assert invoke("run", *arguments, "--watch") == (2, "", f"error: {told}\n")
    assert (FakeWatching.made, played.given) == ([], [])
