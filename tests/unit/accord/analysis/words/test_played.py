"""Liars planted in runs on the mock world: a scripted model in free words, and a commander in typed deals."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path

import pytest

from accord.analysis.report.model import ReportedRun
from accord.analysis.report.reader import read_runs
from accord.studies.study import StudySettings, run_study
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from voyager_agents.models.fake_server import FakeServer, Request

WORDS = {
    "Ada": "Ben attacked me. I never attacked Ben.",
    "Ben": "I never attacked Ada.",
    "Cleo": "Good day to you all.",
}
"""Player -> words of each of its turns. Nobody ever attacks."""


def respond(request: Request) -> str:
    """Let everybody say its words to all in each talk, and hold in each round."""
    user = request.messages[1]["content"]
    if "You bargain for" in user:
        me = next(name for name in WORDS if f"You bargain for {name};" in user)
        said = {"thinking": "", "to": [], "message": WORDS[me], "act": "say", "deal": 0, "contract": "", "lasts": 0}
        return json.dumps(said)
    return json.dumps({"why": "", "act": "hold", "origin": "", "target": "", "troops": 0, "place": ""})


@pytest.fixture(scope="module")
def spoken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a game of Conquest in which a scripted model talks before every third round."""
    folder = tmp_path_factory.mktemp("spoken")

    async def play() -> None:
        async with FakeServer(respond) as server:
            await run_study(
                StudySettings(
                    "conquest-three", ("negotiate+private+cheap-talk+k=1+every=2",), world="mock", out=folder,
                    model="openai/test", base_url=server.base_url, agents="marshal", time_limit_s=4.0,
                )
            )  # fmt: skip

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "x")
        asyncio.run(play())
    return folder


def only_run(folder: Path) -> ReportedRun:
    [run] = read_runs([folder])
    return run


def test_false_words_of_a_played_game_are_found_exactly(spoken: Path) -> None:
    run = only_run(spoken)
    assert run.words is not None
    said = Counter(each.speaker for each in run.words.utterances if each.text)
    assert said["Ada"] == said["Ben"] == said["Cleo"] >= 2
    marks = Counter((each.utterance.speaker, each.mark, each.truth.known) for each in run.words.by_rules.statements)
    assert marks == {
        ("Ada", "false accusation", True): said["Ada"], ("Ada", "true", True): said["Ada"],
        ("Ben", "true", True): said["Ben"],
    }  # fmt: skip
    assert run.words.by_rules.unread == said["Cleo"]
    assert {each.verdict for each in run.words.pairs} == {"too few"}


async def test_a_betrayer_breaks_its_typed_promises_and_nobody_else_does(tmp_path: Path) -> None:
    settings = StudySettings(
        "conquest-three", ("negotiate+private+cheap-talk",), world="mock", out=tmp_path,
        agents="betrayer,truthful,truthful",
    )  # fmt: skip
    found = await run_study(settings)
    events = [line.event for line in read_events(found.directory / "events.jsonl")]
    enforced = [each for each in events if isinstance(each, log.AgreementEnforced)]
    broken = Counter(breach.party for each in enforced for breach in each.breaches)
    assert broken["Ada"] > 0
    run = only_run(tmp_path)
    assert run.words is not None
    typed = Counter((each.utterance.speaker, each.mark) for each in run.words.by_rules.statements)
    assert Counter({name: count for (name, mark), count in typed.items() if mark == "broken promise"}) == broken
    kept = sum(sum(each.promises.values()) for each in enforced) - sum(broken.values())
    assert sum(count for (_, mark), count in typed.items() if mark == "kept") == kept
