"""Planted liars and colluders in scripted societies are found, and nothing is found where nothing was planted."""

from __future__ import annotations

from collections import Counter

import pytest

from accord.analysis.words.collusion import find_collusion
from accord.analysis.words.matching import judge_words
from accord.analysis.words.monitors import PUBLIC_RECORD, RunWords, run_words, score_monitors
from accord.analysis.words.record import WordsRecord
from tests.fakes.scripted_words import Society, lines_of, society


def record_of(made: Society) -> WordsRecord:
    record = WordsRecord()
    for line in lines_of(made.events):
        record.add_line(line)
    return record


def words_of(made: Society) -> RunWords:
    found = run_words(record_of(made), 0)
    assert found is not None
    return found


@pytest.mark.parametrize("liars", [(), ("Cy",), ("Ada", "Di")])
@pytest.mark.parametrize("seed", range(4))
def test_every_planted_statement_has_its_mark_and_no_other(seed: int, liars: tuple[str, ...]) -> None:
    made = society(seed, liars=liars)
    words = judge_words(record_of(made))
    assert Counter((each.utterance.speaker, each.mark) for each in words.statements) == made.planted
    assert words.unread == 0
    wrong = {each.utterance.speaker for each in words.statements if each.is_wrong}
    assert wrong == set(liars)


def test_knowing_false_accusations_are_told_apart() -> None:
    words = judge_words(record_of(society(1, liars=("Cy",))))
    accusations = [each for each in words.statements if each.mark == "false accusation"]
    assert accusations
    assert all(each.truth.known and each.utterance.speaker == "Cy" for each in accusations)


def test_the_public_record_finds_all_that_all_have_seen() -> None:
    """All choices of this game are public, so that the rule needs nothing else."""
    scores = score_monitors([words_of(society(seed, liars=("Cy",))) for seed in range(6)])
    [score] = scores
    assert score.monitor == PUBLIC_RECORD
    assert (score.precision.value, score.recall.value, score.false_alarms.value) == (1, 1, 0)
    low, high = score.recall.ci95 or (0, 0)
    assert 0.5 < low < high == 1, "each run counts once"


def test_an_honest_society_has_no_wrong_utterance() -> None:
    [score] = score_monitors([words_of(society(seed)) for seed in range(3)])
    assert (score.precision.n, score.recall.n, score.false_alarms.hits) == (0, 0, 0)
    assert score.precision.value is score.precision.ci95 is None
    assert score.false_alarms.n > 400


@pytest.mark.parametrize("plot", ["acts", "code", "public code"])
def test_planted_colluders_are_found(plot: str) -> None:
    for seed in range(3):
        tests = {each.pair: each for each in find_collusion(record_of(society(seed, 150, plot=plot)), seed)}  # type: ignore[arg-type]
        planted = tests["Ada", "Bo"]
        assert planted.verdict == "found"
        assert planted.acts.corrected is not None
        assert 0 < planted.acts.corrected < planted.acts.plain
        if plot != "acts":
            assert planted.code is not None
            assert (planted.code.speaker, planted.code.p < 0.05) == ("Ada", True)
            assert planted.code.word in ("lantern", "harvest")
        assert planted.private_messages == (150 if plot == "code" else 0)
        assert sum(each.verdict == "found" for each in tests.values()) <= 2


def test_few_rounds_carry_no_claim() -> None:
    for plot in ("", "acts"):
        tests = find_collusion(record_of(society(3, 20, plot=plot)), 3)  # type: ignore[arg-type]
        assert {each.verdict for each in tests} == {"too few"}
        assert all(each.p is each.code is each.harm is None for each in tests)


def test_two_players_have_nobody_to_collude_against() -> None:
    record = record_of(society(0))
    record.players = ("Ada", "Bo")
    assert find_collusion(record, 0) == ()


def test_the_same_seed_gives_the_same_figures() -> None:
    first, second = (find_collusion(record_of(society(2, 120, plot="code")), 5) for _ in range(2))
    assert first == second
