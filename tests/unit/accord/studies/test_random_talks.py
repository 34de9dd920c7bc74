"""Whole studies in which models bargain at random: nothing private leaks, and the log alone yields every outcome."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.agreement_audit import audit_agreements
from accord.analysis.transcript.reading import read_steps
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from contracts.bargaining.deals import DealBook, DealEntry
from dilemmas.records import events as log
from dilemmas.records.digest import digest
from dilemmas.records.events import LogLine
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import load_scenario
from tests.fakes.killing import kill_after, killed_at
from tests.fakes.random_bargainer import RandomBargainer, asked_player, audiences
from voyager_agents.models.fake_server import FakeServer

HOLD = {"why": "", "act": "hold", "origin": "", "target": "", "troops": 0, "place": ""}
GAMES: Mapping[str, dict[str, Any]] = {
    "conquest": {"world": "mock", "agents": "marshal", "time_limit_s": 6.0, "action": HOLD},
    "ada-contract": {
        "world": "none", "agents": "text", "time_limit_s": 4.0, "action": {"why": "", "action": "stay"},
    },
}  # fmt: skip
"""Scenario -> its shortest study with a talk before the game and one during it."""


def fake_models(scenario: str, seed: int) -> FakeServer:
    """Return the endpoint of models that bargain at random."""
    players = list(load_scenario(scenario).spec.players)
    return FakeServer(RandomBargainer(seed, players, GAMES[scenario]["action"]))


async def played(
    out: Path, scenario: str, condition: str, seed: int, listen: Callable[[LogLine], None] | None = None
) -> tuple[StudyResult, FakeServer]:
    """Play a study of models that bargain at random; return it with all requests to the models."""
    given = {key: value for key, value in GAMES[scenario].items() if key != "action"}
    async with fake_models(scenario, seed) as server:
        settings = StudySettings(
            scenario, (condition,), model="openai/test", base_url=server.base_url, out=out, seed=seed,
            max_unreadable=1.0, **given,
        )  # fmt: skip
        found = await run_study(settings, listen=listen)
    [result] = found.results
    assert result["status"] == "complete", result["reason"]
    return found, server


def events(found: StudyResult, kind: type) -> list[Any]:
    return [line.event for line in read_events(found.directory / "events.jsonl") if isinstance(line.event, kind)]


CASES = [
    ("conquest", "cheap-talk+groups+secret+typed+judge=formal+k=3+every=3", 0),
    ("conquest", "reputation+groups+secret+typed+judge=formal+k=3+every=3", 1),
    ("conquest", "cheap-talk+escrow=7+groups+secret+typed+judge=formal+k=3+every=3", 2),
    ("ada-contract", "negotiate+groups+secret+typed+judge=formal+escrow=3+k=3+every=2", 0),
    ("ada-contract", "negotiate+groups+secret+typed+judge=formal+binding+k=3+every=2", 1),
]


@pytest.mark.parametrize(("scenario", "condition", "seed"), CASES)
async def test_private_words_stay_private_and_outcomes_follow_from_the_log(
    scenario: str, condition: str, seed: int, tmp_path: Path
) -> None:
    found, server = await played(tmp_path, scenario, condition, seed)

    # No prompt of a player has a word of a channel, an offer, a secret deal or a thought of others.
    read = set()
    for request in server.requests:
        player = asked_player(request)
        for audience in audiences(json.dumps(request.body)) if player else ():
            assert player in audience, (player, audience, request.body)
            read.add((player, *sorted(audience)))
    assert {len(audience) for _, *audience in read} >= {2, 3, 4}, "private words have reached those they were for"

    # Nor has the record of a player, as its transcript shows it.
    shown = 0
    for step in read_steps(found.directory):
        for audience in audiences(str(step)):
            shown += 1
            assert {name for name in (step.player, *step.others) if name in audience_names(found)} <= audience
    assert shown

    # The deals, their verdicts, payments, breaches, deposits and all accounts follow from the log.
    audit = audit_agreements(read_events(found.directory / "events.jsonl"))
    assert audit.faults == []
    assert audit.judged == len(events(found, log.VerdictGiven)) > 0
    entries = [DealEntry.from_dict(each.entry) for each in events(found, log.DealChanged)]
    book = DealBook.restore(audience_names(found), entries)
    told = [(each["number"], each["state"], each["age"]) for each in found.results[0]["deals"]]
    assert [(deal.number, deal.state, deal.age) for deal in book.deals.values()] == told

    # Ledgers sum to zero, in conquest with payments between the rounds, too.
    assert scenario != "conquest" or any(each.amount for each in events(found, log.TransferBooked))
    for account in (*events(found, log.EpisodeEnded), None):
        players = found.results[0]["players"] if account is None else account.model_dump()["players"]
        assert sum(Fraction(repr(each["transfer"])) for each in players.values()) == 0


def audience_names(found: StudyResult) -> tuple[str, ...]:
    """Return the names of a study's players."""
    return tuple(found.results[0]["players"])


def study_in(out: Path) -> Path:
    """Return the directory of the only study in a folder."""
    [directory] = [each for each in out.glob("*") if not each.name.startswith(".")]
    return directory


SECRETLY = "negotiate+groups+secret+cheap-talk+untyped+k=2+every=2"


@pytest.fixture(scope="module", name="whole")
def _whole(tmp_path_factory: pytest.TempPathFactory) -> StudyResult:
    """Let models talk before a game and during it, without an interruption."""
    return asyncio.run(played(tmp_path_factory.mktemp("whole"), "ada-contract", SECRETLY, 5))[0]


@pytest.mark.parametrize("moment", range(10))
async def test_models_killed_in_the_middle_of_private_talk_resume_to_the_same_end(
    whole: StudyResult, moment: int, tmp_path: Path
) -> None:
    lines = list(read_events(whole.directory / "events.jsonl"))
    private = [
        number
        for number, line in enumerate(lines, 1)
        if isinstance(line.event, log.TalkMessageSent) and line.event.channel != "public" and line.event.act != "pass"
    ]
    assert len(private) > 10
    count = private[moment * (len(private) - 1) // 9]

    async def play() -> StudyResult:
        return (await played(tmp_path, "ada-contract", SECRETLY, 5, kill_after(count)))[0]

    killed_at(play())
    directory = study_in(tmp_path)
    async with fake_models("ada-contract", 5) as server:
        resumed = await resume_study(directory, replace(read_settings(directory), base_url=server.base_url))
    assert digest(read_events(directory / "events.jsonl")) == digest(lines)
    assert resumed.results[0]["deals"] == whole.results[0]["deals"]
    assert resumed.results[0]["players"] == whole.results[0]["players"]
