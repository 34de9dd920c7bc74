"""Model players on a local OpenAI-compatible server: negotiation, programs, judge, record, and failures."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from accord.studies.study import StudySettings, run_study
from bridge.types import ProgramError, ProgramOutcome
from common.errors import PrerequisiteError
from dilemmas.errors import UsageError
from dilemmas.records.record import read_events
from dilemmas.skills.docs import PAGE, skill_docs
from tests.fakes.model_players import SPLIT, play, respond, role
from tests.fakes.world import FakeWorlds, Script
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request


async def test_models_negotiate_write_programs_and_judge(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        found, world = await play(tmp_path, server, [SPLIT])
    result = found.results[0]
    assert result["status"] == "complete"
    assert {name: player["payoff"] for name, player in result["players"].items()} == {"Gizmo": 39.0, "Glitch": 39.0}
    assert result["verdict"]["judge"] == "language"
    assert result["usage"]["calls"] == len(server.requests) == 5
    assert world.runs[0]["Gizmo"].startswith("async function mine(bot)")
    assert result["policies"]["Gizmo"]["author"] == "openai/test"
    calls = [json.loads(line) for line in (found.directory / "calls.jsonl").read_text().splitlines()]
    assert [(call["player"], call["role"]) for call in calls[:2]] == [("Gizmo", "negotiator"), ("Glitch", "negotiator")]
    assert sorted(call["player"] for call in calls[2:4]) == ["Gizmo", "Glitch"]
    assert (calls[4]["player"], calls[4]["role"]) == ("Judy", "judge")


async def test_thoughts_and_others_programs_reach_nobody(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        await play(tmp_path, server, [SPLIT])
    shown = [json.dumps(request.messages) for request in server.requests]
    assert not any("10 would do" in text for text in shown)
    action = [text for text, request in zip(shown, server.requests, strict=True) if role(request) == "action"]
    assert all("mineBlock(bot, name, count = 1" in text for text in action)


async def test_an_error_is_fed_back_until_the_program_works(tmp_path: Path) -> None:
    error = ProgramError("TypeError", "bot.fly is not a function", 2, 3)
    broken = Script(ends={"Gizmo": (1, ProgramOutcome.THREW)}, errors={"Gizmo": error})
    async with FakeServer(respond) as server:
        found, _ = await play(tmp_path, server, [broken, SPLIT], episodes=4, contracts=("none",))
    assert found.results[0]["episodes"] == 2
    second = [each for each in server.requests if role(each) == "action"][2:]
    assert len(second) == 1
    assert "bot.fly is not a function" in json.dumps(second[0].messages)
    critiques = [line.event for line in read_events(found.directory / "events.jsonl") if line.kind == "critique"]
    # Both are reviewed after each episode; Glitch's review decides if its program is kept.
    assert sorted(each.player for each in critiques) == ["Gizmo", "Gizmo", "Glitch", "Glitch"]
    assert {each.text for each in critiques} == {"Well done."}


IDLE = Script(ends={"Gizmo": (1, ProgramOutcome.RETURNED), "Glitch": (1, ProgramOutcome.RETURNED)})


def reviewing(*successes: bool | None) -> Callable[[Request], FakeReply | str]:
    """Return a model whose critics give this verdict on each episode's program; None for an unusable answer."""
    asked: Counter[str] = Counter()

    def reply(request: Request) -> FakeReply | str:
        if role(request) != "critic":
            return respond(request)
        player = "Gizmo" if "Player: Gizmo" in request.messages[1]["content"] else "Glitch"
        success = successes[asked[player]]
        asked[player] += 1
        return "Hm." if success is None else json.dumps({"reasoning": "", "success": success, "critique": "More."})

    return reply


async def test_programs_that_end_well_and_did_nothing_are_written_anew(tmp_path: Path) -> None:
    """The programs catch their own errors; the critic sees that nothing was earned."""
    async with FakeServer(reviewing(False, None, None, True)) as server:
        found, world = await play(tmp_path, server, [IDLE, IDLE, SPLIT], episodes=9, contracts=("none",))
    result = found.results[0]
    assert (result["status"], result["episodes"], result["welfare"]) == ("complete", 3, 78.0)
    asked = Counter(role(each) for each in server.requests)
    # One review per program and episode, although acting and keeping the program both use it; one is asked for twice.
    assert asked == {"action": 6, "critic": 8}
    assert len(world.runs) == 3


async def test_who_is_content_keeps_its_program_while_the_other_writes(tmp_path: Path) -> None:
    def reply(request: Request) -> FakeReply | str:
        if role(request) == "critic" and "Player: Gizmo" in request.messages[1]["content"] and not earlier:
            earlier.append(request)
            return json.dumps({"reasoning": "", "success": False, "critique": "Mine."})
        return respond(request)

    earlier: list[Request] = []
    async with FakeServer(reply) as server:
        found, _ = await play(tmp_path, server, [IDLE, SPLIT], episodes=9, contracts=("none",))
    assert found.results[0]["episodes"] == 2
    writing = [each.messages[1]["content"] for each in server.requests if role(each) == "action"]
    assert len(writing) == 3
    assert "Mine." in writing[2]


async def test_after_the_last_episode_no_critic_is_asked(tmp_path: Path) -> None:
    async with FakeServer(reviewing(False)) as server:
        found, _ = await play(tmp_path, server, [IDLE, IDLE], episodes=2, contracts=("none",))
    assert found.results[0]["episodes"] == 2
    assert Counter(role(each) for each in server.requests)["critic"] == 2


async def test_a_verdict_that_cannot_be_read_moves_nothing(tmp_path: Path) -> None:
    def mumbling(request: Request) -> FakeReply | str:
        return "Gizmo should pay, I guess" if role(request) == "judge" else respond(request)

    async with FakeServer(mumbling) as server:
        found, _ = await play(tmp_path, server, [SPLIT])
    result = found.results[0]
    assert (result["status"], result["verdict"]["readable"], result["invalid"]) == ("complete", False, "verdict")
    assert result["verdicts"] == {"given": 1, "invalid": 1, "asked_again": 1, "too_much": 0, "too_little": 0}
    judged = [each.messages for each in server.requests if role(each) == "judge"]
    assert len(judged) == len(result["verdict"]["faults"]) == 3
    assert ["That answer cannot be used" in each[-1]["content"] for each in judged] == [False, True, True]
    assert [player["transfer"] for player in result["players"].values()] == [0.0, 0.0]


async def test_a_used_up_quota_ends_the_run_as_budget(tmp_path: Path) -> None:
    async with FakeServer(lambda _: FakeReply(status=429, code="insufficient_quota")) as server:
        found, world = await play(tmp_path, server, [], runs=3)
    assert found.status == "budget"
    assert len(found.results[0]["runs"]) == 1
    assert found.results[0]["runs"][0]["reason"]
    assert world.runs == []


async def test_a_refusing_model_fails_the_run_in_one_line(tmp_path: Path) -> None:
    async with FakeServer(lambda _: FakeReply(status=401)) as server:
        found, _ = await play(tmp_path, server, [])
    assert found.status == "failed"
    assert "\n" not in found.results[0]["reason"]
    assert "test" in found.results[0]["reason"]


async def test_a_key_never_gets_into_the_record(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("sk-very-secret\n")
    async with FakeServer(respond) as server:
        found, _ = await play(tmp_path / "runs", server, [SPLIT], api_key_file=key)
    assert server.requests[0].authorization == "Bearer sk-very-secret"
    written = b"".join(path.read_bytes() for path in found.directory.rglob("*") if path.is_file())
    assert b"sk-very-secret" not in written
    assert str(key).encode() in written


async def test_one_player_may_be_a_reference_player(tmp_path: Path) -> None:
    async with FakeServer(respond) as server:
        found, _ = await play(tmp_path, server, [SPLIT], contracts=("none",), players={"Glitch": "greedy"})
    authors = {name: policy["author"] for name, policy in found.results[0]["policies"].items()}
    assert authors == {"Gizmo": "openai/test", "Glitch": "reference/greedy"}


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": "gpt-4"}, "unknown model 'gpt-4'"),
        ({"model": "openai/x", "base_url": "not a url"}, "not a url"),
        ({"model": "openai/x"}, "OPENAI_API_KEY"),
    ],
)
async def test_models_that_cannot_be_used_are_told_before_anything_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, object], words: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    chosen = StudySettings("double-vein", out=tmp_path / "runs", world="fake", **settings)
    with pytest.raises(UsageError, match=words) as caught:
        await run_study(chosen, worlds=FakeWorlds())
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "runs").exists()


async def test_a_contract_of_text_alone_needs_models(tmp_path: Path) -> None:
    path = tmp_path / "words.yaml"
    path.write_text("name: words\nparties: [Gizmo, Glitch]\ntext: Be nice to each other.\n")
    with pytest.raises(UsageError, match=r"text only.*--model openai/NAME"):
        await run_study(StudySettings("double-vein", (str(path),), out=tmp_path), worlds=FakeWorlds())
    async with FakeServer(respond) as server:
        found, _ = await play(tmp_path, server, [SPLIT], contracts=(str(path),))
    assert found.results[0]["condition"] == "words"


def test_models_read_about_every_function_in_scope(tmp_path: Path) -> None:
    text = skill_docs()
    skills = PAGE.parent.parent / "skills_js"
    names = [path.stem for folder in ("primitives", "queries") for path in (skills / folder).glob("*.js")]
    assert [name for name in names if name != "index" and f"### {name}\n" not in text] == []
    with pytest.raises(PrerequisiteError, match=r"nowhere\.md: cannot be read"):
        skill_docs(tmp_path / "nowhere.md")
