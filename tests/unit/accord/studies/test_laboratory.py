"""Contract laboratory: scopes, tables of three, renegotiation, typed terms, two judges; offline and with models."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

from accord.analysis.agreement_scores import duties, scores
from accord.studies.study import StudyResult, StudySettings, read_settings, resume_study, run_study
from contracts.agreement import pooled
from dilemmas.errors import UsageError
from dilemmas.records.digest import digest
from dilemmas.records.events import ContractEvent, NegotiationTurn, TermsRatified, TermsTyped, VerdictGiven
from dilemmas.records.record import read_events
from dilemmas.records.results import SCHEMA
from dilemmas.scenarios.registry import spec_path
from tests.fakes.json_schema import faults
from tests.fakes.model_players import SPLIT, respond, role
from tests.fakes.world import FakeWorld, FakeWorlds, Script
from voyager_agents.asking import PROGRAM_TRIES
from voyager_agents.models.fake_server import FakeReply, FakeServer, Request

RULES: dict[str, Any] = json.loads(SCHEMA.read_text(encoding="utf-8"))
SELFISH = {"Gizmo": "best-response", "Glitch": "best-response"}


async def offline(tmp_path: Path, *conditions: str, scenario: str = "double-vein", **chosen: Any) -> StudyResult:  # noqa: ANN401
    found = await run_study(StudySettings(scenario, conditions, world="mock", out=tmp_path, **chosen))
    assert [result["reason"] for result in found.results] == [None] * len(found.results)
    assert faults(json.loads((found.directory / "result.json").read_text()), RULES) == []
    return found


def events(directory: Path, *kinds: type) -> list[Any]:
    return [line.event for line in read_events(directory / "events.jsonl") if isinstance(line.event, kinds)]


async def test_players_who_do_what_pays_need_transfers_and_not_roles(tmp_path: Path) -> None:
    conditions = ("negotiate+coordination", "negotiate+transfers", "negotiate")
    found = await offline(tmp_path, *conditions, players=SELFISH)
    words, payments, both = found.results
    assert words["contract"] is None
    assert words["welfare"] < 78
    assert (payments["contract"]["scope"], payments["contract"]["schedule"]) == ("transfers", [])
    assert (payments["welfare"], both["welfare"]) == (78.0, 78.0)
    kept = scores(read_events(found.directory / "negotiate" / "events.jsonl"))
    assert {player: score.share for player, score in kept.items()} == {"Gizmo": 1.0, "Glitch": 1.0}


async def test_agreement_scores_from_the_log_are_what_the_formal_judge_found(tmp_path: Path) -> None:
    poached = {"Gizmo": "poacher", "Glitch": "follower"}
    found = await offline(tmp_path, "contract-2", players=poached)
    findings = found.results[0]["verdict"]["findings"]
    lines = list(read_events(found.directory / "events.jsonl"))
    said = {each["subject"]: each["ok"] for each in findings if each["kind"] == "obligation"}
    assert {each.duty: each.kept for each in duties(lines)} == said
    assert {player: score.to_dict() for player, score in scores(lines).items()} == {
        "Gizmo": {"duties": 3, "kept": 1, "share": 1 / 3},
        "Glitch": {"duties": 2, "kept": 2, "share": 1.0},
    }


THREE = {
    "double-vein": {"Rivet": {"spawn": [2, 0, 3], "yaw": 180, "prices": {"raw_iron": 2, "diamond": 2}}},
    "cleanup": {"Rivet": {"spawn": [2, 0, 2], "yaw": 90, "prices": {"red_mushroom": 3}}},
}


@pytest.mark.parametrize("scenario", sorted(THREE))
async def test_a_contract_of_three_is_agreed_by_all_and_moves_emeralds_between_all(
    scenario: str, tmp_path: Path
) -> None:
    path = tmp_path / "three.yaml"
    base = {"extends": str(spec_path(scenario)), "name": "three", "players": THREE[scenario]}
    # The library's contracts have two parties.
    path.write_text(yaml.safe_dump(base | {"conditions": {"contract-1": None, "contract-2": None}}))
    found = await offline(tmp_path, "negotiate+opens=Rivet", scenario=str(path), time_limit_s=30.0)
    (result,) = found.results
    turns = events(found.directory, NegotiationTurn)
    offered = [each.turn for each in turns if each.offer is not None]
    assert [each.speaker for each in turns][:3] == ["Rivet", "Gizmo", "Glitch"]
    assert [each.of for each in turns if each.turn > offered[-1]] == [offered[-1]] * 2
    assert result["contract"]["parties"] == ["Gizmo", "Glitch", "Rivet"]
    assert len(result["contract"]["transfers"]) == 6
    transfers = [player["transfer"] for player in result["players"].values()]
    assert sum(transfers) == pytest.approx(0)
    assert any(transfers)
    assert all(score.duties > 0 for score in scores(read_events(found.directory / "events.jsonl")).values())


async def plays(tmp_path: Path, scripts: Sequence[Script], **chosen: Any) -> StudyResult:  # noqa: ANN401
    settings = StudySettings("double-vein", out=tmp_path, world="fake", **chosen)
    found = await run_study(settings, worlds=FakeWorlds(FakeWorld(scripts)))
    assert [result["reason"] for result in found.results] == [None] * len(found.results)
    return found


@pytest.mark.parametrize(("again", "agreed"), [("stands", 1), ("lapses", 3)])
async def test_players_negotiate_again_after_each_episode(again: str, agreed: int, tmp_path: Path) -> None:
    found = await plays(tmp_path, [SPLIT] * 3, contracts=(f"negotiate+again={again}",), episodes=3)
    (result,) = found.results
    reached = [
        (line.event.state, line.event.reason)
        for line in read_events(found.directory / "events.jsonl")
        if isinstance(line.event, ContractEvent) and line.episode is None
    ]
    stands = ("agreed", "no new agreement: the old contract stands")
    assert reached == [("agreed", "")] * agreed + [stands] * (3 - agreed)
    assert (result["episodes"], result["welfare"]) == (3, 78.0)


@pytest.mark.parametrize("again", ["stands", "lapses"])
async def test_a_run_that_was_interrupted_at_any_line_goes_on_to_the_same_end(again: str, tmp_path: Path) -> None:
    chosen = {"contracts": (f"negotiate+again={again}",), "episodes": 2}
    whole = await plays(tmp_path / "whole", [SPLIT] * 2, **chosen)
    lines = (whole.directory / "events.jsonl").read_text().splitlines(keepends=True)
    contracts = [number for number, line in enumerate(lines, 1) if '"kind": "contract"' in line]
    for cut in (contracts[0], contracts[2], contracts[2] + 2, len(lines) - 3):
        part = await plays(tmp_path / str(cut), [SPLIT] * 2, **chosen)
        (part.directory / "events.jsonl").write_text("".join(lines[:cut]))
        (part.directory / "result.json").unlink()
        done = sum('"kind": "end_state"' in line for line in lines[:cut])
        worlds = FakeWorlds(FakeWorld([SPLIT] * (2 - done)))
        await resume_study(part.directory, read_settings(part.directory), worlds=worlds)
        again_lines = list(read_events(part.directory / "events.jsonl"))
        assert digest(again_lines) == digest(read_events(whole.directory / "events.jsonl"))


TERMS = {
    "id": "pays",
    "clause": "1",
    "payer": "Gizmo",
    "payee": "Glitch",
    "amount": "9",
    "condition": "True",
}


def laboratory(
    amount: str = "9", ratify: Callable[[Request], bool] = lambda _: True, moved: float = 9
) -> Callable[[Request], FakeReply | str]:
    """Return models that agree on 9 emeralds; the typist types the amount given."""

    def answers(request: Request) -> FakeReply | str:
        kind = role(request)
        if kind == "typist":
            return json.dumps({"obligations": [], "transfers": [TERMS | {"amount": amount}]})
        if kind == "signer":
            return json.dumps({"ratify": ratify(request), "reason": "not what we agreed"})
        if kind == "judge":
            claim = {"clause": "pays", "payer": "Gizmo", "payee": "Glitch", "amount": moved}
            return json.dumps({"transfers": [claim], "findings": [], "critique": "Paid."})
        return respond(request)

    return answers


async def with_models(
    tmp_path: Path, answers: Callable[[Request], FakeReply | str], *conditions: str, episodes: int = 1
) -> tuple[StudyResult, FakeServer]:
    async with FakeServer(answers) as server:
        models = {"model": "openai/test", "base_url": server.base_url}
        return await plays(tmp_path, [SPLIT] * episodes, contracts=conditions, episodes=episodes, **models), server


async def test_a_text_is_typed_shown_ratified_and_judged_by_two(tmp_path: Path) -> None:
    found, server = await with_models(tmp_path, laboratory(moved=5), "negotiate+judge=both")
    (result,) = found.results
    assert {name: player["transfer"] for name, player in result["players"].items()} == {"Gizmo": -9.0, "Glitch": 9.0}
    assert (result["contract"]["text"], result["verdict"]["judge"]) == ("1. Gizmo pays Glitch 9 emeralds.", "formal")
    assert result["verdict"]["beside"]["judge"] == "language"
    together = pooled([result["verdict"]["agreement"]])
    assert together is not None
    assert (together.share, together.difference) == (0.0, 4.0)
    (typed,) = events(found.directory, TermsTyped)
    assert "Gizmo pays Glitch 9" in typed.sheet
    assert [(each.player, each.ratified) for each in events(found.directory, TermsRatified)] == [
        ("Gizmo", True),
        ("Glitch", True),
    ]
    signers = [request for request in server.requests if role(request) == "signer"]
    assert all(typed.sheet in request.messages[-1]["content"] for request in signers)
    (verdict,) = events(found.directory, VerdictGiven)
    assert verdict.agreement["compared"] == 1


@pytest.mark.parametrize(("judge", "transfer"), [("language-formal", 5.0), ("formal-language", 9.0), ("language", 5.0)])
async def test_either_judge_can_count(judge: str, transfer: float, tmp_path: Path) -> None:
    found, _ = await with_models(tmp_path, laboratory(moved=5), f"negotiate+typed+judge={judge}")
    (result,) = found.results
    assert result["players"]["Glitch"]["transfer"] == transfer
    assert ("beside" in result["verdict"]) is ("-" in judge)


async def test_terms_that_nobody_can_read_or_one_refuses_twice_give_no_contract(tmp_path: Path) -> None:
    refusing = laboratory(ratify=lambda request: "You sign for Gizmo" in request.messages[-1]["content"])
    for name, answers, typed, ratified in (("typed", laboratory(amount="40"), 1, 0), ("refused", refusing, 2, 4)):
        found, _ = await with_models(tmp_path / name, answers, "negotiate+typed")
        (result,) = found.results
        assert (result["contract"], result["players"]["Glitch"]["transfer"]) == (None, 0.0)
        typings = events(found.directory, TermsTyped)
        assert len(typings) == typed
        assert {tuple(each.fault_kinds) for each in typings} == {("unreadable",) * (0 if ratified else PROGRAM_TRIES)}
        judged = [each["faults"] for each in result["costs"] if each["role"] == "judge"]
        assert judged == [sum(len(each.fault_kinds) for each in typings)]
        assert len(events(found.directory, TermsRatified)) == ratified
        last = [each for each in events(found.directory, ContractEvent) if each.state == "failed"]
        assert [each.reason for each in last] == ["the terms were not ratified"]


@pytest.mark.parametrize(("condition", "moved"), [("negotiate", 9.0), ("negotiate+untyped", 0.0)])
async def test_an_amount_in_doubt_moves_only_by_terms_that_all_have_ratified(
    condition: str, moved: float, tmp_path: Path
) -> None:
    plain = laboratory()

    def answers(request: Request) -> FakeReply | str:
        said = plain(request)
        text = said if isinstance(said, str) else ""
        if role(request) == "judge":
            wanted = [{"clause": each, "payer": "Gizmo", "payee": "Glitch", "amount": 9} for each in ("1", "pays")]
            return json.dumps({"transfers": wanted, "findings": [], "critique": ""})
        return text.replace("9 emeralds", "a fair share of his emeralds")

    found, server = await with_models(tmp_path, answers, condition)
    (result,) = found.results
    assert result["players"]["Glitch"]["transfer"] == moved
    signed = ["signer" in (role(each) for each in server.requests), bool(events(found.directory, TermsRatified))]
    assert signed == [moved > 0] * 2


async def test_models_learn_what_came_of_the_episode_before_and_who_is_greedy(tmp_path: Path) -> None:
    condition = "negotiate+typed+again=lapses+greedy=Glitch+opens=second"
    found, server = await with_models(tmp_path, laboratory(), condition, episodes=2)
    asked = [each.messages for each in server.requests if role(each) == "negotiator"]
    texts = ["\n".join(message["content"] for message in messages) for messages in asked]
    assert ["You negotiate for Glitch" in text for text in texts] == [True, False, True, False]
    assert ["as much as it can get" in text for text in texts] == [True, False, True, False]
    assert ["Gizmo earned 48 emeralds, 39 after transfers." in text for text in texts] == [False, False, True, True]
    assert all("that contract ends" in text for text in texts[2:])
    assert found.results[0]["episodes"] == 2


async def test_a_language_judge_without_a_model_is_told_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="a language judge needs a model"):
        await run_study(
            StudySettings("double-vein", ("contract-1+judge=both",), out=tmp_path / "runs"), worlds=FakeWorlds()
        )
    assert not (tmp_path / "runs").exists()
