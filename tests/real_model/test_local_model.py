"""The local model's real engine and weights: form, end, record and repetition of its answers, never what it chose.

These tests are one file, so that one worker runs them: engines side by side would wait for each other's processors.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from accord.analysis.agreement_audit import audit_agreements
from accord.cli import main
from accord.studies.settings import StudySettings
from accord.studies.study import StudyResult, read_settings, resume_study, run_study
from contracts.institutions.ballots import BallotChoice
from contracts.institutions.law import MotionVotes, ballot_choice
from dilemmas.records.digest import digest
from dilemmas.records.events import InstitutionActed, LetterSent, MindTold
from dilemmas.records.record import read_events
from dilemmas.scenarios.registry import spec_path
from tests.fakes.real_model import ALWAYS, check, play
from voyager_agents.errors import ModelError
from voyager_agents.models import ChatMessage, Settings
from voyager_agents.models.base import RequestedForm
from voyager_agents.models.local.model import LocalModel, open_local
from voyager_agents.models.local.settings import EngineOptions, local_spec
from voyager_agents.models.local.shared_engine import EngineUse, engines
from voyager_agents.roles import JUDGE, NEGOTIATOR
from voyager_agents.thought_events import Unusable

pytestmark = [pytest.mark.local_model, pytest.mark.usefixtures("local_model")]

ASKED = [ChatMessage("system", "You play a game."), ChatMessage("user", "Say why, then cooperate or defect.")]
CHOICE = {
    "type": "object",
    "properties": {"why": {"type": "string", "maxLength": 60}, "choice": {"enum": ["cooperate", "defect"]}},
    "required": ["why", "choice"],
    "additionalProperties": False,
}
GAME = {"contracts": ("none",), "agents": "chooser", "model": "local", "world": "mock", "local": {"threads": "1"}}
ENGINE = {"cache": "1", "threads": "1"}
"""Options of the engine. Two threads would wait for each other on processors that other tests use."""
LONG = pytest.mark.skipif(
    not os.environ.get("ACCORD_LONG_PLAYS"), reason="takes minutes: set ACCORD_LONG_PLAYS=1 to play it"
)
"""Mark of plays that would make every check of a change minutes longer."""
PLAYS: dict[str, dict[str, Any]] = {
    "chooser": {"repeat": 3, "agents": "chooser,tit-for-tat"},
    "text": {"time_limit_s": 5, "contracts": ("none",), "agents": "text,greedy,greedy,greedy"},
    "planner": {"time_limit_s": 5, "contracts": ("none",), "agents": "planner,greedy,greedy,greedy"},
    "generative": {
        "time_limit_s": 1, "contracts": ("none",), "agents_options": {"perceive": "rule"},
        "agents": "generative,foragers,foragers",
    },
    "piano": {"time_limit_s": 1, "reasoning": "none", "sampling": {"skill_execution.max_tokens": "128"}},
    "paper": {"episodes": 1, "rounds": 2, "sampling": {"action.max_tokens": "32"}, "agents": "paper,reference"},
}  # fmt: skip
"""Family -> changes of its shortest study, which keep it within a minute on a busy processor."""
QUIET = """extends: {original}
name: quiet-diplomacy
conditions:
  quiet:
    about: One player may write to one other.
    contract: negotiated
    force: cheap-talk
    secret: true
    rounds: 1
    channels: {{pairwise: {{opens: [miner_2]}}}}
"""
"""Variant of a grid game in which few messages can be sent."""


@pytest.mark.parametrize(("family", "changes"), PLAYS.items())
async def test_it_plays_an_episode_of_each_kind(family: str, changes: dict[str, Any], tmp_path: Path) -> None:
    study = await play(family, "local", None, tmp_path, local=ENGINE, prompts=Path("compact"), **changes)
    asked = ALWAYS[family] - ({JUDGE, NEGOTIATOR} if changes.get("contracts") == ("none",) else {JUDGE})
    check(family, study, asked, writes_programs=False)
    assert engines() == []


def parts_asked(study: StudyResult, role: str) -> list[str]:
    """Return the first words of the prompts that a role was asked by."""
    calls = [json.loads(line) for line in (study.directory / "calls.jsonl").read_text("utf-8").splitlines()]
    return [each["messages"][0]["content"][:20] for each in calls if each["role"] == role and "reply" in each]


@LONG
async def test_it_commands_troops_and_makes_alliances(tmp_path: Path) -> None:
    study = await play(
        "marshal", "local", None, tmp_path, local=ENGINE, prompts=Path("compact"), time_limit_s=1,
        contracts=("cheap-talk+k=1",), agents="marshal,truthful,truthful",
    )  # fmt: skip
    check("marshal", study, ALWAYS["marshal"], writes_programs=False)


@LONG
async def test_it_bargains_in_private_before_a_grid_game(tmp_path: Path) -> None:
    variant = tmp_path / "quiet.yaml"
    variant.write_text(QUIET.format(original=spec_path("ada-contract")), "utf-8")
    study = await play(
        "text", "local", None, tmp_path, local=ENGINE, prompts=Path("compact"), scenario=str(variant),
        contracts=("quiet",), time_limit_s=1,
    )  # fmt: skip
    check("text", study, {NEGOTIATOR, "player"}, writes_programs=False)
    said = [line.event for line in read_events(study.directory / "events.jsonl", {"talk"})]
    assert {each.speaker for each in said} >= {"miner_2"}  # type: ignore[union-attr]
    assert all(len(each.members) <= 2 for each in said)  # type: ignore[union-attr]
    assert set(parts_asked(study, NEGOTIATOR)) == {"You bargain for one "}


@LONG
async def test_it_decides_whether_it_pays_what_nobody_enforces(tmp_path: Path) -> None:
    study = await play(
        "paper", "local", None, tmp_path, local=ENGINE, prompts=Path("compact"), episodes=1,
        contracts=("contract-1+cheap-talk",), sampling={"action.max_tokens": "32"}, agents="paper,reference",
    )  # fmt: skip
    check("paper", study, {NEGOTIATOR, "action"}, writes_programs=False)
    assert parts_asked(study, NEGOTIATOR)[0] == "You decide for one o"
    [decided] = [line.event for line in read_events(study.directory / "events.jsonl", {"payment"})]
    assert decided.player == "Gizmo"  # type: ignore[union-attr]
    assert audit_agreements(read_events(study.directory / "events.jsonl")).faults == []


@LONG
async def test_it_makes_a_law_in_words_and_goes_to_market(tmp_path: Path) -> None:
    """Every answer to a letter is read, or counted as unreadable: it never stands for a choice."""
    hamlet = Path(__file__).parents[2] / "examples" / "law_hamlet.yaml"
    models = {"citizen": "local", "controller": "local"}
    study = await run_study(StudySettings(
        str(hamlet), ("auction",), agents="piano", world="mock", models=models, local=ENGINE, reasoning="none",
        prompts=Path("compact"), think="controller=56,citizen=3", out=tmp_path,
    ))  # fmt: skip
    check("piano", study, {"citizen", "controller"}, writes_programs=False)
    events = [line.event for line in read_events(study.directory / "events.jsonl")]
    calls = [json.loads(line) for line in (study.directory / "calls.jsonl").read_text("utf-8").splitlines()]
    replies = [each["reply"] for each in calls if each["role"] == "citizen" and "reply" in each]
    asked = [each for each in events if isinstance(each, LetterSent) and each.what == "question"]
    unusable = [each for each in events if isinstance(each, MindTold) and isinstance(each.step, Unusable)]
    read = [json.loads(each) for each in replies if is_json(each)]
    assert len(read) + len(unusable) == len(replies) >= len(asked) > 0
    steps = [each for each in events if isinstance(each, InstitutionActed)]
    proposals = [each.who for each in steps if each.part == "statute" and each.what in ("amendment", "refused")]
    assert set(proposals) <= {"Ann", "Bob"}
    ballots = [each["answer"] for each in read if "yes" in each.get("answer", {})]
    voted = [each for each in steps if each.what == "voted"]
    assert voted
    for vote in voted:
        motion = vote.data["motion"]
        wanted = [ballot_choice(MotionVotes(reasoning="", **each), motion) for each in ballots]
        spoilt = [BallotChoice.ABSTAIN] * len(vote.data["spoilt"])
        assert sorted(vote.data["votes"].values()) == sorted([*wanted, *spoilt])
    [day] = [each for each in steps if each.what == "market_opened"]
    acted = {each.who for each in steps if each.part == "market" and each.t_s >= day.t_s}
    assert acted >= set(day.data["people"]) == {"Ann", "Bob"}


def is_json(text: str) -> bool:
    """Return True if the text is one JSON value."""
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


async def ask(model: LocalModel, **settings: Any) -> str:  # noqa: ANN401
    reply = await model.complete(ASKED, Settings(**{"temperature": 0.8, "seed": 5, "max_tokens": 80, **settings}))
    return reply.text


async def test_a_schema_binds_the_answer_and_a_limit_cuts_it() -> None:
    model = open_local(None, EngineOptions(context=1024, threads=1))
    form = RequestedForm("choice", CHOICE)
    for seed in range(4):
        told = json.loads(await ask(model, form=form, seed=seed, max_tokens=200))
        assert list(told) == ["why", "choice"]
        assert len(told["why"]) <= 60
    reply = await model.complete(ASKED, Settings(max_tokens=5))
    assert (reply.ended, reply.usage.completion_tokens) == ("length", 5)
    with pytest.raises(ModelError, match=r"exceeds the available context size \(1024 tokens\).*--local context"):
        await model.complete([ChatMessage("user", "word " * 2000)], Settings())
    await model.close()


async def test_an_answer_depends_on_its_request_alone() -> None:
    """Threads and earlier calls do not change it, other seeds do."""
    one, two = (open_local(None, EngineOptions(context=1024, threads=threads)) for threads in (1, 2))
    first = await ask(one)
    other = await ask(one, seed=6)
    assert other != first
    assert await ask(one) == first
    assert [await ask(two, seed=6), await ask(two)] == [other, first]
    for each in (one, two):
        await each.close()
    assert engines() == []


async def test_its_server_counts_tokens_and_refuses_strangers() -> None:
    use = EngineUse(local_spec(None, EngineOptions(context=1024, threads=1)))
    record = await asyncio.to_thread(use.acquire)

    def post(key: str) -> Any:  # noqa: ANN401
        url = f"{record.url.removesuffix('/v1')}/tokenize"
        asked = urllib.request.Request(url, b'{"content": "hello world"}', {"Authorization": f"Bearer {key}"})
        with urllib.request.urlopen(asked) as answer:
            return json.load(answer)

    assert len(post(record.api_key)["tokens"]) == 2
    with pytest.raises(urllib.error.HTTPError, match="401") as refused:
        post("another")
    refused.value.close()
    use.release()


def processor_ticks(pid: int) -> int:
    """Return the processor time of a process, in clock ticks."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


def until_computed(pid: int, ticks: int) -> None:
    """Wait until a process has used this much processor time."""
    while processor_ticks(pid) < ticks:
        time.sleep(0.02)


async def test_it_ends_on_request_also_while_it_computes() -> None:
    model = open_local(None, EngineOptions(context=1024, threads=1))
    await ask(model, max_tokens=1)
    (record,) = engines()
    before = processor_ticks(record.pid)
    word = {"type": "string", "minLength": 20, "maxLength": 20}
    form = RequestedForm("words", {"type": "array", "items": word, "minItems": 80, "maxItems": 80})
    long = asyncio.create_task(ask(model, max_tokens=800, form=form))
    await asyncio.to_thread(until_computed, record.pid, before + 30)
    assert not long.done()
    os.kill(record.pid, signal.SIGTERM)
    with pytest.raises(ModelError, match="its engine ended"):
        await long
    assert engines() == []
    await model.close()


def started(out: Path, *options: str) -> subprocess.Popen[bytes]:
    """Return the process of a study of choosers that the command line plays."""
    given = ["--agents", "chooser", "--model", "local", "--local", "threads=1", "--world", "mock", "--no-report"]
    command = [sys.executable, "-m", "accord.cli", "run", "prisoners-dilemma", *given, "--out", str(out), *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ)


def begin_and_stop(out: Path, sign: signal.Signals, answers: int) -> Path:
    """Start a study, stop it after its first answers, and return its directory once its engine has ended."""
    process = started(out, "--repeat", "1")
    # Before the first answer, it is stopped while the engine computes.
    while not engines() or sum(each.read_bytes().count(b'"reply"') for each in out.glob("*/calls.jsonl")) < answers:
        assert process.poll() is None
        time.sleep(0.05)
    process.send_signal(sign)
    process.wait()
    assert sign == signal.SIGKILL or engines() == []
    while engines():
        time.sleep(0.05)
    (directory,) = out.iterdir()
    return directory


async def test_a_study_that_was_stopped_resumes_to_the_log_of_an_uninterrupted_one(tmp_path: Path) -> None:
    """A replay asks no model, and the engine ends each time: on Ctrl-C with the study, after a kill by itself."""
    whole = await run_study(StudySettings("prisoners-dilemma", repeat=1, out=tmp_path / "whole", **GAME))  # type: ignore[arg-type]
    assert whole.results[0]["status"] == "complete"
    assert await asyncio.to_thread(main, ["verify", str(whole.directory), "--replay"]) == 0
    for sign, answers in ((signal.SIGKILL, 1), (signal.SIGINT, 0)):
        directory = await asyncio.to_thread(begin_and_stop, tmp_path / f"{sign.name}{answers}", sign, answers)
        resumed = await resume_study(directory, read_settings(directory))
        assert resumed.results[0]["status"] == "complete"
        assert digest(read_events(directory / "events.jsonl")) == digest(read_events(whole.directory / "events.jsonl"))
        assert engines() == []


def test_jobs_share_one_engine(tmp_path: Path) -> None:
    process = started(tmp_path / "runs", "--repeat", "1", "--runs", "2", "--jobs", "2")
    pids = set()
    while process.poll() is None:
        pids |= {each.pid for each in engines()}
        time.sleep(0.05)
    assert (process.returncode, len(pids), engines()) == (0, 1, [])
    results = [json.loads(each.read_bytes()) for each in tmp_path.glob("runs/*/seed-*/result.json")]
    assert [each["status"] for each in results] == ["complete"] * 2
    # Its locks outlive an engine.
    assert [each for each in (tmp_path / "state").glob("local-*") if each.stat().st_size] == []
