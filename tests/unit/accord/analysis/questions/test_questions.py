"""Questions about moments of a record: facts of the log, options, scores, and answers with and without a model."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from accord.analysis.questions.drawing import MomentQuestion, answers_from_log, draw_questions, templates
from accord.analysis.questions.facts import SOURCES, Fact
from accord.analysis.questions.moments import LogMoment, read_episode
from accord.analysis.questions.scoring import Answer, scores
from accord.cli.app import run
from accord.studies.moment_questions import RANDOM, REFERENCE, answer_without_model, questions_about
from accord.studies.study import StudySettings, run_study
from dilemmas.records import events as log
from dilemmas.records.events import Holdings, LogLine
from dilemmas.records.record import read_events
from tests.fakes.command_line import refused
from voyager_agents.models.fake_server import FakeServer, Request

ANN, BEN, CLEO = "Ann", "Ben", "Cleo"


@pytest.fixture(scope="module")
def kitchen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Play a kitchen in three rooms for half a minute."""
    out = tmp_path_factory.mktemp("asked")
    settings = StudySettings("kitchen-line", ("none",), world="mock", out=out, time_limit_s=30.0)
    return asyncio.run(run_study(settings)).directory


@pytest.fixture(scope="module")
def asked(kitchen: Path) -> list[MomentQuestion]:
    return questions_about([kitchen], 30, 0)


def lines(*events: log.Event) -> list[LogLine]:
    told = [log.EpisodeStarted(attempt=1), *events]
    return [LogLine(number, None, 0.0, 1, event) for number, event in enumerate(told)]


def state(t_s: float, **held: dict[str, int]) -> list[log.Event]:
    carried = [log.InventoryEvent(t_s=t_s, bot=name, items=items) for name, items in held.items()]
    players = {name: Holdings.of(items, {}, {}) for name, items in held.items()}
    return [*carried, log.StateSeen(t_s=t_s, players=players)]


def work(t_s: float, player: str, act: str, item: str, station: str, count: int = 1) -> log.WorkDone:
    told = {"t_s": t_s, "player": player, "act": act, "item": item, "station": station, "count": count}
    return log.WorkDone.model_validate(told)


def facts(source: str, moment: LogMoment) -> list[Fact]:
    return list(SOURCES[source](moment))


def kitchen_log() -> list[LogLine]:
    laid = {
        "pantry": log.StationLaid(kind="pantry", at=(0, 0, 0), rooms=["store"]),
        "shelf": log.StationLaid(kind="shelf", at=(5, 0, 0), rooms=["store", "hearth"]),
        "counter": log.StationLaid(kind="counter", at=(9, 0, 0), rooms=["hearth"]),
    }
    rooms = {ANN: "store", BEN: "hearth", CLEO: "hearth"}
    serve = {"serve": {"rabbit_stew": 1, "water_bucket": 1}}
    return lines(
        *state(0.0, Ann={"potato": 4}, Ben={}, Cleo={"bowl": 2}),
        log.PlacesSeen(t_s=0.0, at={ANN: (1.0, 0.0, 0.0), BEN: (9.0, 0.0, 1.0), CLEO: (4.0, 0.0, 0.0)}),
        log.StationsSeen(t_s=0.0, holds={"pantry": {"carrot": 8}}, laid=laid, rooms=rooms, needs=serve),
        log.StationsSeen(t_s=2.0, holds={"shelf": {"potato": 4}}),
        work(2.0, ANN, "put", "potato", "shelf", 4),
        *state(2.0, Ann={}, Ben={}, Cleo={"bowl": 2}),
        log.StationsSeen(t_s=4.0, holds={"shelf": {"potato": 1}}),
        work(4.0, BEN, "take", "potato", "shelf", 3),
        *state(4.0, Ann={}, Ben={"potato": 3}, Cleo={"bowl": 2}),
        log.StationsSeen(t_s=5.0, holds={"counter": {"rabbit_stew": 1}}),
        work(6.0, CLEO, "put", "rabbit_stew", "counter"),
        work(7.0, ANN, "take", "carrot", "pantry"),
    )


def moment_at(t_s: float, told: Sequence[LogLine]) -> LogMoment:
    (found,) = read_episode(told).moments([t_s])
    return found


def test_facts_of_a_moment_are_the_logs() -> None:
    now = moment_at(5.0, kitchen_log())
    assert {(each.slots["item"], each.answer) for each in facts("holder", now)} == {("potato", BEN), ("bowl", CLEO)}
    assert {(each.slots["player"], each.answer) for each in facts("held", now)} == {(BEN, "3"), (CLEO, "2")}
    assert {(each.slots["item"], each.answer) for each in facts("store", now)} == {
        ("carrot", "pantry"), ("potato", "shelf"), ("rabbit stew", "counter"),
    }  # fmt: skip
    near = {each.slots["player"]: each.answer for each in facts("nearest_station", now)}
    assert near == {ANN: "pantry", BEN: "counter", CLEO: "shelf"}
    assert {each.slots["player"]: each.answer for each in facts("nearest_player", now)} == {
        ANN: CLEO, BEN: CLEO, CLEO: ANN,
    }  # fmt: skip
    (fact,) = facts("lacking", now)
    assert (fact.answer, fact.first) == ("water bucket", "rabbit stew")


def test_minds_know_what_they_saw() -> None:
    now = moment_at(5.0, kitchen_log())
    assert {each.slots["player"]: each.answer for each in facts("in_sight", now)} == {
        ANN: "nobody", BEN: CLEO, CLEO: BEN,
    }  # fmt: skip
    (belief,) = facts("last_look", now)
    assert belief.slots == {"player": ANN, "station": "shelf", "item": "potato"}
    # Ann left four; that there is one now is what a reader who forgets her view would say.
    assert (belief.answer, belief.first) == ("4", "1")
    assert [(each.slots["station"], each.answer) for each in facts("unaware", now)] == [("shelf", CLEO)]


def test_what_comes_next_is_in_the_log_after_the_moment() -> None:
    now = moment_at(5.0, kitchen_log())
    assert {each.slots["player"]: each.answer for each in facts("next_act", now)} == {
        CLEO: "puts something into the counter", ANN: "takes something from the pantry",
    }  # fmt: skip
    assert {(each.slots["act"], each.answer) for each in facts("next_actor", now)} == {
        ("puts something into the counter", CLEO), ("takes something from the pantry", ANN),
    }  # fmt: skip
    assert facts("next_act", moment_at(8.0, kitchen_log())) == []


def speech(t_s: float, speaker: str, text: str, hearers: list[str]) -> log.Speech:
    return log.Speech.model_validate(
        {"t_s": t_s, "speaker": speaker, "text": text, "voice": "say", "hearers": hearers, "at": (0, 0, 0), "to": ""}
    )


def test_other_logs_tell_of_words_and_of_calls() -> None:
    told = lines(
        *state(0.0, Ann={"dirt": 1}, Ben={}, Cleo={}),
        log.ChatEvent.model_validate({"t_s": 1.0, "from": ANN, "text": "I go to the river"}),
        log.ChatEvent.model_validate({"t_s": 1.5, "from": BEN, "text": "ok"}),
        log.ActionEvent(t_s=2.0, bot=ANN, name="goTo", ok=True),
        log.ActionEvent(t_s=3.0, bot=BEN, name="mineBlock", ok=True),
    )
    now = moment_at(2.5, told)
    assert [(each.slots["words"], each.answer) for each in facts("speaker", now)] == [('"I go to the river"', ANN)]
    # A chat has no known hearers.
    assert facts("hearer", now) == []
    assert [each.answer for each in facts("next_act", now)] == ["calls mineBlock"]


def test_who_heard_something_is_asked_where_one_of_several_did() -> None:
    told = lines(*state(0.0, Ann={}, Ben={}, Cleo={}), speech(1.0, ANN, "meet me at noon", [BEN]))
    (fact,) = facts("hearer", moment_at(2.0, told))
    assert (fact.answer, fact.others) == (BEN, [CLEO])


def test_what_is_counted_without_being_carried_is_not_held() -> None:
    told = lines(log.InventoryEvent(t_s=0.0, bot=ANN, items={"dirt": 1}), *(
        log.StateSeen(t_s=t_s, players={ANN: Holdings.of({"dirt": 1, "emerald": 5}, {}, {})}) for t_s in (0.0,)
    ))  # fmt: skip
    assert {each.slots["item"] for each in facts("held", moment_at(1.0, told))} == {"dirt"}


def test_each_template_has_a_source_and_is_drawn_from_some_log(asked: list[MomentQuestion]) -> None:
    assert {each.of for each in templates()} == set(SOURCES)
    drawn = {each.template for each in asked}
    assert drawn >= {"holder", "held", "store", "nearest-station", "in-sight", "last-look", "next-act", "next-actor"}
    assert set(Counter(each.kind for each in asked)) == {"environment", "mind", "plan"}


def test_options_are_distinct_and_hold_the_answer(asked: list[MomentQuestion]) -> None:
    for each in asked:
        assert len(set(each.options)) == len(each.options)
        assert 2 <= len(each.options) <= 4
        assert 0 <= each.answer < len(each.options)


def test_nothing_of_the_future_is_shown(asked: list[MomentQuestion]) -> None:
    for each in asked:
        for act in each.shown.get("latest acts", ()):
            assert float(act.partition(" s:")[0]) <= each.t_s


def read_off(question: MomentQuestion) -> str | None:
    """Return the answer that what is shown gives by itself, read with other code than the one that draws questions."""
    shown = question.shown
    if found := re.fullmatch(r"How many (.*) does (\w+) hold\?", question.text):
        return str(shown["players hold"][found[2]][found[1]])
    if found := re.fullmatch(r"Which player holds (.*)\?", question.text):
        (owner,) = [name for name, items in shown["players hold"].items() if found[1] in items]
        return str(owner)
    if found := re.fullmatch(r"Which place holds (.*)\?", question.text):
        (place,) = [name for name, items in shown["places hold"].items() if found[1] in items]
        return str(place)
    if found := re.fullmatch(r"Walls part the rooms\. Which other player can (\w+) see\?", question.text):
        rooms = shown["rooms"]
        same = [name for name in rooms if name != found[1] and rooms[name] == rooms[found[1]]]
        return str(same[0]) if same else "nobody"
    return None


def test_what_is_shown_is_enough_for_the_answer(asked: list[MomentQuestion]) -> None:
    read = [(each, answer) for each in asked if (answer := read_off(each)) is not None]
    assert len(read) > 20
    assert [each.text for each, answer in read if each.options[each.answer] != answer] == []


def test_the_reference_knows_all_answers_and_guesses_are_at_chance(asked: list[MomentQuestion]) -> None:
    assert all(each.right for each in answer_without_model(REFERENCE, asked, 0))
    right = [sum(each.right for each in answer_without_model(RANDOM, asked, seed)) for seed in range(100)]
    chance = sum(each.chance for each in asked)
    # A hundred times as many guesses as questions: the mean is within three standard errors of chance.
    error = (sum(each.chance * (1 - each.chance) for each in asked) / len(right)) ** 0.5
    assert abs(sum(right) / len(right) - chance) < 3 * error


def test_the_reference_does_not_look_at_the_answer(asked: list[MomentQuestion], kitchen: Path) -> None:
    wrong = [replace(each, answer=(each.answer + 1) % len(each.options)) for each in asked]
    found = answers_from_log(wrong, read_events(kitchen / "events.jsonl"))
    assert found == [each.answer for each in asked]


def test_the_seed_decides_the_questions(asked: list[MomentQuestion], kitchen: Path) -> None:
    assert questions_about([kitchen], 30, 0) == asked
    assert questions_about([kitchen], 30, 1) != asked


def test_a_copy_elsewhere_has_the_same_questions(asked: list[MomentQuestion], kitchen: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(kitchen, tmp_path / "another name"))
    assert [replace(each, record=str(kitchen)) for each in questions_about([copy], 30, 0)] == asked


def test_a_log_without_facts_has_no_questions() -> None:
    assert draw_questions("x", lines(), "", 5, 0) == []


def made(kind: str, chosen: int | None) -> Answer:
    question = MomentQuestion("r", 1.0, kind, "holder", "?", ("a", "b"), 0, {})  # type: ignore[arg-type]
    return Answer("m", question, chosen)


def test_unreadable_answers_are_apart_and_scores_have_intervals_by_kind() -> None:
    given = [made("environment", 0)] * 15 + [made("environment", 1)] * 5 + [made("environment", None)] * 4
    first, plan, both = scores([*given, made("plan", 0)])
    assert (first.questions, first.unreadable, first.right, first.share) == (24, 4, 15, 0.75)
    assert first.ci95 is not None
    assert 0.5 < first.ci95[0] < 0.75 < first.ci95[1] < 0.92
    assert (plan.share, plan.ci95, plan.chance) == (1.0, None, 0.5)
    assert (both.kind, both.questions, both.right) == ("all", 25, 16)


def ask(kitchen: Path, file: Path, respond: object, model: str = "openai/m") -> tuple[int, int]:
    async def asking() -> tuple[int, int]:
        async with FakeServer(respond) as server:  # type: ignore[arg-type]
            words = ["questions", str(kitchen), "--count", "4", "--model", model, "--base-url", server.base_url]
            return await asyncio.to_thread(run, [*words, "--out", str(file)]), len(server.requests)

    return asyncio.run(asking())


def asked_text(question: MomentQuestion) -> str:
    """Return the question with all its options, as a prompt has them."""
    return question.text + "\n\n" + "\n".join(f"{'ABCD'[i]}. {each}" for i, each in enumerate(question.options))


def test_a_model_is_asked_and_scored(
    kitchen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    known = {asked_text(each): each for each in questions_about([kitchen], 4, 0)}

    def respond(request: Request) -> str:
        user = str(request.messages[1]["content"])
        question = next((each for start, each in known.items() if start in user), None)
        # What players wrote stays between the marks; "mind" is answered in no form at all.
        assert user.startswith("DATA-")
        if question is None or question.kind == "mind":
            return "It is the second one."
        return json.dumps({"reason": "it says so", "answer": "ABCD"[question.answer]})

    code, calls = ask(kitchen, tmp_path / "answers.json", respond)
    assert code == 0
    told = json.loads((tmp_path / "answers.json").read_text())
    by_kind = {each["kind"]: each for each in told["scores"]}
    assert (by_kind["environment"]["share"], by_kind["plan"]["share"]) == (1.0, 1.0)
    assert (by_kind["mind"]["unreadable"], by_kind["mind"]["share"]) == (4, None)
    # An unusable answer is asked for once more.
    assert calls == 12 + 4
    assert "openai/m: 16 calls" in capsys.readouterr().err


def test_a_cascade_answers_and_the_file_tells_which_model_did(
    kitchen: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    asked: list[str] = []

    def respond(request: Request) -> str:
        asked.append(request.body["model"])
        unclear = request.body["model"] == "small" and asked.count("small") % 3 == 0
        return "Hm." if unclear else json.dumps({"reason": "", "answer": "A"})

    code, calls = ask(kitchen, tmp_path / "answers.json", respond, "cascade:openai/small::openai/large")
    assert (code, calls) == (0, 12 + 4)
    told = json.loads((tmp_path / "answers.json").read_text())
    counts = {"openai/small": 8, "openai/large": 4}
    assert told["cascades"] == {"cascade:openai/small::openai/large": counts}
    assert "answers by openai/large: 4" in capsys.readouterr().err


def test_questions_are_written_beside_the_record_which_stays_whole(
    kitchen: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["questions", str(kitchen), "--count", "3", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert Path(told["file"]) == kitchen / "questions.json"
    assert {each["share"] for each in told["scores"] if each["answerer"] == REFERENCE} == {1.0}
    assert run(["verify", str(kitchen)]) == 0


def test_wrong_use_is_refused_in_one_line(kitchen: Path, tmp_path: Path) -> None:
    assert "--count 0: give 1 to 1000" in refused("questions", str(kitchen), "--count", "0")
    assert "no such run" in refused("questions", str(tmp_path / "nowhere"))
    assert "a recorded run answers no questions" in refused("questions", str(kitchen), "--model", f"replay:{kitchen}")
