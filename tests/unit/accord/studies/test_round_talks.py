"""Talks between the rounds of an episode: deals are settled on each period, and killed runs resume to the same end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from accord.studies.conditions import resolve
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from bridge.errors import InfrastructureError
from contracts.bargaining.deals import DealBook, DealEntry
from dilemmas.errors import UsageError
from dilemmas.modes.rounds import _Attempt
from dilemmas.records import events as log
from dilemmas.records.digest import digest
from dilemmas.records.events import Holdings
from dilemmas.records.record import read_events
from dilemmas.scenarios.observables import holdings_since
from dilemmas.scenarios.registry import load_scenario, spec_path
from tests.fakes.killing import kill_after, killed_at

CONDITION = "negotiate+private+every=4"


async def play(out: Path, condition: str = CONDITION, **chosen: Any) -> StudyResult:  # noqa: ANN401
    settings = StudySettings("prisoners-dilemma", (condition,), world="mock", out=out, repeat=10, **chosen)
    return await run_study(settings)


def events(directory: Path, *kinds: type) -> list[Any]:
    return [line.event for line in read_events(directory / "events.jsonl") if isinstance(line.event, kinds)]


def sums(directory: Path) -> str:
    return digest(read_events(directory / "events.jsonl"))


async def test_deals_are_judged_on_each_period_alone(tmp_path: Path) -> None:
    found = await play(tmp_path, agents="strategies")
    settled = events(found.directory, log.PeriodSettled)
    assert [each.played for each in settled] == [4, 8, 10]
    assert [each.players["Gizmo"].items["cooperate"] for each in settled] == [4, 4, 2]
    assert [each.players["Gizmo"].reward for each in settled] == [12, 12, 6]
    held = [each.entry for each in events(found.directory, log.DealChanged) if each.entry["change"] == "held"]
    assert len(held) == len(events(found.directory, log.VerdictGiven)) == 3
    assert len(found.results[0]["enforced"]) == 3


async def test_payments_between_rounds_are_in_the_payoffs_and_sum_to_zero(tmp_path: Path) -> None:
    """Both sign that defection is fined; Gizmo then defects all the same, and pays for each period."""
    found = await play(tmp_path, agents="always-defect,always-cooperate")
    result = found.results[0]
    moved = [each for each in events(found.directory, log.TransferBooked) if each.amount]
    assert [each.amount for each in moved] == [12, 12, 6]
    assert result["players"]["Gizmo"]["transfer"] == -30 == -result["players"]["Glitch"]["transfer"]
    assert result["players"]["Gizmo"]["payoff"] == 10 * 5 - 30


async def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = [await play(tmp_path / name, agents="strategies") for name in ("a", "b")]
    assert sums(first.directory) == sums(second.directory)


@pytest.mark.parametrize("after", ["period_settled", "talk_ended", "episode_ended"])
async def test_a_run_killed_between_rounds_resumes_to_the_same_end(tmp_path: Path, after: str) -> None:
    whole = await play(tmp_path / "whole", agents="strategies")
    kinds = [line.kind for line in read_events(whole.directory / "events.jsonl")]
    count = len(kinds) - kinds[::-1].index(after)

    settings = StudySettings(
        "prisoners-dilemma", (CONDITION,), world="mock", out=tmp_path / "killed", repeat=10, agents="strategies"
    )
    killed_at(run_study(settings, listen=kill_after(count)))
    [directory] = [each for each in (tmp_path / "killed").glob("*") if not each.name.startswith(".")]
    resumed = await resume_study(directory, read_settings(directory))
    assert sums(resumed.directory) == sums(whole.directory)
    assert resumed.results[0]["enforced"] == whole.results[0]["enforced"]


def broken_once(monkeypatch: pytest.MonkeyPatch, after: int) -> None:
    """Break the first attempt at an episode after that number of rounds."""
    played: Callable[[Any, int], Any] = _Attempt._round
    left = [1]

    async def round_(self: _Attempt, number: int) -> None:
        if number > after and left:
            left.clear()
            raise InfrastructureError("the server was lost")
        await played(self, number)

    monkeypatch.setattr(_Attempt, "_round", round_)


async def test_talks_of_a_broken_attempt_are_void(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = await play(tmp_path / "whole", agents="strategies")
    broken_once(monkeypatch, 9)
    again = await play(tmp_path / "again", agents="strategies")
    [voided] = events(again.directory, log.TalksVoided)
    assert again.results[0]["deals"] == whole.results[0]["deals"]
    assert again.results[0]["players"] == whole.results[0]["players"]
    changes: Sequence[Any] = events(again.directory, log.DealChanged, log.TalksVoided)
    at = changes.index(voided)
    standing = [*changes[: voided.entries], *changes[at + 1 :]]
    book = DealBook.restore(("Gizmo", "Glitch"), [DealEntry.from_dict(each.entry) for each in standing])
    assert [deal.age for deal in book.in_force] == [3]


async def test_a_run_killed_after_a_broken_attempt_resumes_to_the_same_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken_once(monkeypatch, 9)
    whole = await play(tmp_path / "whole", agents="strategies")
    kinds = [line.kind for line in read_events(whole.directory / "events.jsonl")]
    settings = StudySettings(
        "prisoners-dilemma", (CONDITION,), world="mock", out=tmp_path / "killed", repeat=10, agents="strategies"
    )
    broken_once(monkeypatch, 9)
    killed_at(run_study(settings, listen=kill_after(kinds.index("episode_ended") + 1)))
    [directory] = [each for each in (tmp_path / "killed").glob("*") if not each.name.startswith(".")]
    resumed = await resume_study(directory, read_settings(directory))
    assert resumed.results[0]["deals"] == whole.results[0]["deals"]
    assert resumed.results[0]["players"] == whole.results[0]["players"]


async def test_grid_players_talk_between_steps(tmp_path: Path) -> None:
    from voyager_agents.models.fake_server import FakeServer, Request

    def respond(request: Request) -> str:
        if "Open offers to you" in request.messages[-1]["content"]:
            return (
                '{"thinking": "", "to": [], "message": "good day", "act": "say", "deal": 0, "contract": "", "lasts": 0}'
            )
        return '{"why": "", "action": "stay"}'

    async with FakeServer(respond) as server:
        found = await run_study(
            StudySettings(
                "ada-contract", ("negotiate+private+cheap-talk+k=1+every=2",), world="none", out=tmp_path,
                model="openai/test", base_url=server.base_url, time_limit_s=5.0, agents="text",
            )
        )  # fmt: skip
    assert [each.played for each in events(found.directory, log.PeriodSettled)] == [2, 4, 5]
    assert len(events(found.directory, log.TalkEnded)) == 3


def test_holdings_since_a_talk_subtract_deeds_and_keep_what_is_held() -> None:
    then = {"Ada": Holdings(items={"wheat": 4, "raids": 2}, mined={"stone": 3}, reward=4.0)}
    now = {
        "Ada": Holdings(items={"wheat": 6, "raids": 2}, mined={"stone": 5}, reward=6.0),
        "Bob": Holdings(items={"raids": 1}, mined={}, reward=0.0),
    }
    since = holdings_since(then, now, ["raids"])
    assert since["Ada"] == Holdings(items={"wheat": 6}, mined={"stone": 2}, reward=2.0)
    assert since["Bob"] == now["Bob"]


def test_talks_between_rounds_are_checked(tmp_path: Path) -> None:
    scenario = load_scenario("prisoners-dilemma")
    for text, said in (
        ("negotiate+every=4", "every: players talk during a game on channels alone"),
        ("negotiate+private+every=0", "every"),
        ("none+every=2", "is for a contract"),
    ):
        with pytest.raises(UsageError) as caught:
            resolve(scenario, text)
        assert said in str(caught.value)


async def test_modes_without_rounds_refuse_talks_between_them(tmp_path: Path) -> None:
    settings = StudySettings("double-vein", ("negotiate+private+every=2",), world="mock", out=tmp_path)
    with pytest.raises(UsageError, match="in episodes there are none"):
        await run_study(settings)


async def test_whispers_between_rounds_carry_from_where_players_stand(tmp_path: Path) -> None:
    """The players' booths are eleven blocks apart: no word arrives, and no deal is made."""
    data = {"carrier": "whisper", "reach": 5.0, "public": None, "pairwise": {"messages": 1}}
    variant = tmp_path / "variant.yaml"
    near = {"contract": "negotiated", "about": "", "every": 4, "channels": {**data, "reach": 30.0}}
    far = {"contract": "negotiated", "about": "", "every": 4, "channels": data}
    text = {"extends": str(spec_path("prisoners-dilemma")), "name": "heard", "conditions": {"near": near, "far": far}}
    variant.write_text(yaml.safe_dump(text), "utf-8")
    agreed = []
    for condition in ("near", "far"):
        found = await run_study(
            StudySettings(str(variant), (condition,), world="mock", out=tmp_path, repeat=10, agents="strategies")
        )
        agreed.append([each["state"] for each in found.results[0]["deals"]].count("agreed"))
    assert agreed == [1, 0]


async def test_grid_games_have_no_whispers(tmp_path: Path) -> None:
    variant = tmp_path / "variant.yaml"
    quiet = {"contract": "negotiated", "about": "", "channels": {"carrier": "whisper", "pairwise": {"messages": 1}}}
    text = {"extends": str(spec_path("ada-contract")), "name": "quiet", "conditions": {"quiet": quiet}}
    variant.write_text(yaml.safe_dump(text), "utf-8")
    settings = StudySettings(
        str(variant), ("quiet",), world="none", out=tmp_path, agents="text", model="openai/test", base_url="http://x"
    )
    with pytest.raises(UsageError, match="a whisper needs a world"):
        await run_study(settings)
