"""Modes of play: a new one needs no change elsewhere, and only modes know particular modes."""

from __future__ import annotations

import ast
import asyncio
from collections.abc import Iterable
from difflib import unified_diff
from pathlib import Path
from typing import Any

import pytest

from accord.studies.estimate import expect
from accord.studies.resuming import read_interrupted
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from dilemmas.errors import SpecError, UsageError
from dilemmas.modes.registry import MODES
from dilemmas.modes.rounds import Rounds
from dilemmas.records.digest import digest
from dilemmas.records.events import CouncilEntry, EndStateRead, EpisodeEnded, EpisodeStarted, LogLine, PoliciesStarted
from dilemmas.records.record import read_events
from dilemmas.records.wall_clock import without_wall_clock
from dilemmas.scenarios.registry import load_scenario, spec_path
from tests.fakes.seconds_mode import FAMILY, MODE, ROLE, Seconds, family
from tests.fakes.world import FakeWorld
from voyager_agents.models.fake_server import FakeServer, Request
from voyager_agents.registry import BUILT_IN, FAMILIES

ROOT = Path(__file__).resolve().parents[4]


@pytest.fixture
def variant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a Double-Vein variant played by the second, with mode and agents registered."""
    monkeypatch.setitem(MODES, MODE, Seconds())
    monkeypatch.setitem(BUILT_IN, FAMILY, family())
    return variation(tmp_path, MODE)


def variation(folder: Path, mode: str) -> Path:
    path = folder / "variant.yaml"
    path.write_text(f"extends: {spec_path('double-vein')}\nname: by-{mode}\nplays: [{mode}]\n")
    return path


def dig(request: Request) -> str:
    return "raw_iron" if "You are Gizmo" in request.messages[0]["content"] else "diamond"


def settings(path: Path, out: Path, **chosen: Any) -> StudySettings:  # noqa: ANN401 - settings of any kind
    usual: dict[str, Any] = {"contracts": ("contract-1",), "world": "fake", "time_limit_s": 5, "model": "openai/test"}
    return StudySettings(str(path), out=out, **{**usual, **chosen})


def started(out: Path) -> list[Path]:
    """Return the directories of studies in a folder."""
    return list(out.glob("2*"))


def difference(one: Iterable[LogLine], other: Iterable[LogLine]) -> str:
    """Return the lines in which two logs differ, apart from wall-clock data."""
    texts = [[without_wall_clock(line).to_json() for line in log] for log in (one, other)]
    return "\n".join(unified_diff(*texts, lineterm="", n=0))


async def play(path: Path, out: Path, stop: Any = None) -> tuple[StudyResult, int]:  # noqa: ANN401 - a listener
    """Play or resume the study in a folder; return the number of model calls as well."""
    async with FakeServer(dig) as server:
        begun = started(out)
        worlds = lambda *_, **__: FakeWorld([])  # noqa: E731 - as `bridge.worlds.open_world`
        if begun:
            kept = read_settings(begun[0], base_url=server.base_url)
            found = await resume_study(begun[0], kept, listen=stop, worlds=worlds)
        else:
            fresh = settings(path, out, base_url=server.base_url, judge="formal")
            found = await run_study(fresh, listen=stop, worlds=worlds)
    return found, len(server.requests)


async def test_a_new_mode_with_its_agents_is_played_judged_and_reported(variant: Path, tmp_path: Path) -> None:
    found, asked = await play(variant, tmp_path / "runs")
    result = found.results[0]
    assert (result["status"], result["episodes"], result["end"]) == ("complete", 1, "time_limit")
    assert result["players"]["Gizmo"]["items"] == {"raw_iron": 5}
    # Contract 1 has Gizmo pay for what it mined; nothing was mined here, so that only rewards count.
    assert {name: player["reward"] for name, player in result["players"].items()} == {"Gizmo": 20.0, "Glitch": 25.0}
    assert result["verdict"]["judge"] == "formal"
    assert asked == result["usage"]["calls"] == 10
    kinds = [line.kind for line in read_events(found.directory / "events.jsonl")]
    assert kinds.count("critique") == 2


async def test_a_run_in_a_new_mode_goes_on_after_any_interruption(variant: Path, tmp_path: Path) -> None:
    whole, asked = await play(variant, tmp_path / "reference")
    log = list(read_events(whole.directory / "events.jsonl"))
    for kind in ("contract", "policies_started", "model_call", "end_state", "verdict", "episode_ended"):
        out = tmp_path / kind

        def stop(line: LogLine, wanted: str = kind) -> None:
            if line.kind == wanted:
                raise asyncio.CancelledError

        with pytest.raises(asyncio.CancelledError):
            await play(variant, out, stop)
        found, again = await play(variant, out)
        again_log = list(read_events(found.directory / "events.jsonl"))
        assert digest(again_log) == digest(log), (kind, difference(log, again_log))
        assert again < asked or kind in ("contract", "policies_started")


async def test_a_new_family_tells_its_own_cost(variant: Path, tmp_path: Path) -> None:
    found = await expect(settings(variant, tmp_path, runs=3, contracts=("none", "contract-1"), judge="formal"))
    calls = {each["role"]: (each["least"]["calls"], each["most"]["calls"]) for each in found["roles"]}
    assert calls == {ROLE: (2 * 5 * 3 * 2, 2 * 5 * 3 * 2), "judge": (0, 0)}
    assert found["most"]["tokens"] == 60 * 12


@pytest.mark.usefixtures("variant")
async def test_unsupported_settings_of_a_new_mode_are_refused_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "variant.yaml"
    refused = {
        "negotiate": "agents of the family 'miners' do not negotiate before a game",
        "negotiate+again=stands": "again is for several episodes, and in seconds a run is one: leave it out",
    }
    for condition, told in refused.items():
        with pytest.raises(UsageError, match=told):
            await run_study(settings(path, tmp_path, contracts=(condition,)))
        monkeypatch.setitem(BUILT_IN, FAMILY, family(negotiates=True))
    with pytest.raises(UsageError, match="agents 'paper' do not play by-seconds: they play in mode episodes"):
        await run_study(settings(path, tmp_path, agents="paper"))


def test_a_scenario_names_modes_that_somebody_plays_and_that_it_is_made_for(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"plays.*'flying' is played by no agents; choose from episodes, rounds"):
        load_scenario(str(variation(tmp_path, "flying")))
    with pytest.raises(UsageError, match="plays: double-vein has no game in rounds; leave rounds out"):
        Rounds().check(load_scenario(str(variation(tmp_path, "rounds"))))


async def test_every_mode_that_a_scenario_names_is_asked_before_it_is_played(tmp_path: Path) -> None:
    path = tmp_path / "unpeopled.yaml"
    for plays in ("life", "episodes, life"):
        path.write_text(f"extends: {spec_path('cleanup')}\nname: unpeopled\nplays: [{plays}]\n")
        with pytest.raises(UsageError, match="plays: cleanup does not say how its players live; leave life out"):
            await run_study(StudySettings(str(path), world="fake", out=tmp_path))


def test_every_mode_is_played_by_some_family_and_is_called_as_it_is_registered() -> None:
    assert {family.plays for family in FAMILIES.values()} == set(MODES)
    assert {name: mode.name for name, mode in MODES.items()} == {name: name for name in MODES}


def comparisons(source: str) -> list[str]:
    """Return the names of modes that a program compares something with."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare | ast.match_case):
            found += [each.value for each in ast.walk(node) if isinstance(each, ast.Constant) and each.value in MODES]
    return found


def test_nothing_branches_on_the_name_of_a_mode() -> None:
    assert comparisons("if mode(settings) == 'rounds': pass") == ["rounds"]
    files = [*(ROOT / "dilemmas").rglob("*.py"), *(ROOT / "voyager_agents").rglob("*.py")]
    assert {str(path.relative_to(ROOT)): names for path in files if (names := comparisons(path.read_text()))} == {}


def test_nothing_that_is_generic_in_rounds_speaks_of_a_harvest() -> None:
    words = ("apple", "tree", "orchard", "immobil", "harvest")
    for path in ("dilemmas/modes/rounds.py", "voyager_agents/turn_agent.py", "dilemmas/modes/protocol.py"):
        text = (ROOT / path).read_text().replace("voyager_agents.commons_harvest", "").replace("Commons Harvest", "")
        assert [word for word in words if word in text.lower()] == [], path


def ended(*between: Any) -> list[LogLine]:  # noqa: ANN401 - events
    """Return the log of a game in rounds, with other events in between."""
    end = EndStateRead(t_s=1.0, players={}, chest={}, reason="time_limit")
    events = [EpisodeStarted(attempt=1), PoliciesStarted(players=["Laura"]), *between, end]
    return [LogLine(number, None, 0.0, 1, event) for number, event in enumerate(events)]


def test_a_game_whose_council_moved_rewards_is_played_again_unless_it_was_settled() -> None:
    free, met = ended(), ended(CouncilEntry(entry={"what": "award"}))
    assert read_interrupted(free, [], MODES["rounds"]).keep == len(free)
    # Only its agents know what the council moved; settling from the log would lose it.
    assert read_interrupted(met, [], MODES["rounds"]).keep == 0
    over = LogLine(9, None, 0.0, 1, EpisodeEnded(reason="time_limit", game_s=1.0, wall_s=1.0, players={}))
    assert read_interrupted([*met, over], [], MODES["rounds"]).keep == len(met) + 1
