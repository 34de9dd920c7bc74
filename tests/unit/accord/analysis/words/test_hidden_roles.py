"""Words about roles: in games of hidden roles, and of planted adversaries, matched to the roles that the log has."""

from __future__ import annotations

from pathlib import Path

import pytest

from accord.analysis.report.reader import read_runs
from accord.analysis.words.matching import judge_words
from accord.analysis.words.record import WordsRecord
from accord.analysis.words.scenario_truth import ScenarioTruth
from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from dilemmas.records import events as log
from dilemmas.records.record import read_events
from tests.fakes.scripted_words import NAMES, lines_of, started

CHAMELEON = ScenarioTruth(hidden_roles=("chameleon", "insider"))
UNDERCOVER = ScenarioTruth(hidden_roles=("undercover", "insider"))


def dealt(odd: str, odd_word: str = "") -> log.RolesDealt:
    return log.RolesDealt(
        game=1, topic="food", words=["pie", "soup"], word="pie", odd=odd, odd_word=odd_word, order=list(NAMES)
    )


def clue(player: str, text: str) -> log.WordSaid:
    return log.WordSaid(round=1, game=1, stage="clue", player=player, clue=text)


def vote(player: str, accused: str, fault: str = "") -> log.WordSaid:
    return log.WordSaid(round=2, game=1, stage="vote", player=player, vote=accused, fault=fault)


def says(speaker: str, text: str) -> log.Speech:
    return log.Speech(t_s=1, speaker=speaker, voice="say", text=text, at=(0, 0, 0), hearers=["Di"])


def record_of(truth: ScenarioTruth | None, *events: log.Event) -> WordsRecord:
    record = WordsRecord(scenario=truth)
    for line in lines_of([started(0), log.EpisodeStarted(attempt=1), *events]):
        record.add_line(line)
    return record


def marks(record: WordsRecord) -> list[tuple[str, str, bool]]:
    return [(each.utterance.speaker, each.mark, each.truth.known) for each in judge_words(record).statements]


def test_claims_of_the_own_role_and_accusations_are_matched_to_the_dealt_roles() -> None:
    record = record_of(
        CHAMELEON,
        dealt("Cy"),
        clue("Ada", "I am not the chameleon."),
        clue("Bo", "Cy is the chameleon"),
        clue("Cy", "I am not the chameleon. Ada is the chameleon."),
        clue("Di", "Ada is not the chameleon. Ada is an insider. Bo is not an insider."),
        clue("Ada", "crust"),
    )
    assert marks(record) == [
        ("Ada", "true", True), ("Bo", "true accusation", False), ("Cy", "lie", True), ("Cy", "false accusation", True),
        ("Di", "true", False), ("Di", "true", False), ("Di", "false accusation", False),
    ]  # fmt: skip
    assert judge_words(record).unread == 0, "a clue is no clause that a rule should read"


def test_where_nobody_is_told_a_role_nobody_lies_about_it() -> None:
    record = record_of(UNDERCOVER, dealt("Cy", "soup"), clue("Cy", "I am not the undercover."), vote("Cy", "Bo"))
    assert marks(record) == [("Cy", "mistake", False), ("Cy", "false accusation", False)]


def test_votes_accuse_and_unusable_ones_do_not() -> None:
    events = [dealt("Cy"), vote("Ada", "Cy"), vote("Bo", "Di"), vote("Cy", "Ada"), vote("Di", "", "no player")]
    assert marks(record_of(None, *events)) == [
        ("Ada", "true accusation", False), ("Bo", "false accusation", False), ("Cy", "false accusation", True),
    ]  # fmt: skip


def test_before_roles_are_dealt_nothing_is_decided_and_each_game_has_its_own() -> None:
    record = record_of(
        CHAMELEON, clue("Ada", "I am the chameleon."), dealt("Ada"), clue("Ada", "I am the chameleon."), dealt("Bo"),
        clue("Ada", "I am the chameleon."),
    )  # fmt: skip
    assert [mark for _, mark, _ in marks(record)] == ["open", "true", "lie"]


def test_the_part_of_a_planted_adversary_is_the_truth_of_words_about_it() -> None:
    terms = {name: log.PlayerTerms(prices={}, author="reference/x") for name in NAMES}
    terms["Bo"] = log.PlayerTerms(prices={}, author="openai/m (piano) (saboteur)")
    events = [
        started(0).model_copy(update={"players": terms}),
        log.EpisodeStarted(attempt=1),
        says("Ada", "Bo is a saboteur. Cy is the agitator."),
        says("Bo", "I am not the saboteur. I am no fool."),
    ]
    record = WordsRecord()
    for line in lines_of(events):
        record.add_line(line)
    assert record.planted == {"Bo": "saboteur"}
    assert marks(record) == [
        ("Ada", "true accusation", False), ("Ada", "false accusation", False), ("Bo", "lie", True),
    ]  # fmt: skip


@pytest.mark.parametrize(("scenario", "told"), [("chameleon", True), ("undercover", False)])
async def test_votes_of_a_played_game_are_true_exactly_for_the_odd_player(
    scenario: str, told: bool, tmp_path: Path
) -> None:
    study = await run_study(StudySettings(scenario, world="none", out=tmp_path))
    [run] = read_runs([tmp_path])
    assert run.words is not None
    lines = [each.event for each in read_events(study.directory / "events.jsonl")]
    odd = {each.game: each.odd for each in lines if isinstance(each, log.RolesDealt)}
    votes = [each for each in lines if isinstance(each, log.WordSaid) and each.stage == "vote" and each.vote]
    accused = [each for each in run.words.by_rules.statements if each.utterance.channel == "vote"]
    assert len(accused) == len(votes) > 0
    for voted, found in zip(votes, accused, strict=True):
        right = voted.vote == odd[voted.game]
        assert found.mark == ("true accusation" if right else "false accusation")
        assert found.truth.known == (told and voted.player == odd[voted.game])
