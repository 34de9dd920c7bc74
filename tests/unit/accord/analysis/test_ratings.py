"""Files of ratings: their names, what is read of them, and links in their place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from accord.analysis.ratings import FOLDER, Rater, RecordRatings, log_hash, read_ratings, write_ratings
from dilemmas.errors import RecordError
from dilemmas.records.events import LifeRated, ScoredThought, SummariesRated

RATER = Rater("openai/m")


def ratings(**changed: object) -> RecordRatings:
    usual = {"model": "openai/m", "seed": 0, "sampling": {}, "prompts": {"rate_roles": "a"}, "log": "b", "events": []}
    return RecordRatings.model_validate({**usual, **changed})


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    score = ScoredThought(observer="Ava", of="Lila", t_s=1.0, score=2.5)
    events = [
        LifeRated(player="Ann", roles=[["farmer"], []], unrated=[1], agree={3: True}),
        SummariesRated(scores=[score]),
    ]
    write_ratings(tmp_path, RATER, ratings(events=events))
    found = read_ratings(tmp_path, RATER)
    assert found == ratings(events=events)
    assert found.fits(ratings())
    assert read_ratings(tmp_path, Rater("openai/m", 1)) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"log": "c"},
        {"seed": 1},
        {"sampling": {"temperature": 1.0}},
        {"model": "openai/n"},
        {"prompts": {"rate_roles": "b"}},
    ],
)
def test_other_ratings_do_not_fit(changed: dict[str, object]) -> None:
    assert not ratings().fits(ratings(**changed))


@pytest.mark.parametrize(
    "model", ["openai/../../../etc/passwd", "openai/a\0b", "local:/home/me/model.gguf", "openai/" + "x" * 400, "..", ""]
)
def test_no_name_leads_out_of_the_folder_or_is_that_of_another_model(tmp_path: Path, model: str) -> None:
    write_ratings(tmp_path, Rater(model), ratings(model=model))
    (file,) = (tmp_path / FOLDER).iterdir()
    assert file.parent == tmp_path / FOLDER
    assert len(file.name) < 100
    assert len({Rater(each).file for each in (model, model + "/", model + ":", model.upper() + "X")}) == 4


SCORED = '{"kind": "summaries_rated", "scores": [{"observer": "a", "of": "b", "t_s": 0, "score": %s}]}'


def told(event: str) -> str:
    """Return the text of a file with one event."""
    return json.dumps(ratings().model_dump()).replace('"events": []', f'"events": [{event}]')


@pytest.mark.parametrize(
    "text",
    [
        "", "[]", "{", "[" * 100_000, '{"model": "openai/m"}', told('{"kind": "run_started"}'),
        *(told(SCORED % score) for score in ("NaN", "1e999", "11", "-1")), told(SCORED % "5") + "x",
    ],
)  # fmt: skip
def test_what_no_rater_has_written_is_not_read(tmp_path: Path, text: str) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / RATER.file).write_text(told(SCORED % "5"))
    assert read_ratings(tmp_path, RATER) is not None
    (tmp_path / FOLDER / RATER.file).write_text(text)
    assert read_ratings(tmp_path, RATER) is None


def test_links_are_neither_read_nor_written_through(tmp_path: Path) -> None:
    away, run = tmp_path / "away", tmp_path / "run"
    run.mkdir()
    write_ratings(away, RATER, ratings())
    before = (away / FOLDER / RATER.file).read_bytes()
    (run / FOLDER).symlink_to(away / FOLDER)
    assert read_ratings(run, RATER) is None
    with pytest.raises(RecordError, match="link"):
        write_ratings(run, RATER, ratings(log="other"))
    (run / FOLDER).unlink()
    (run / FOLDER).mkdir()
    (run / FOLDER / RATER.file).symlink_to(away / FOLDER / RATER.file)
    assert read_ratings(run, RATER) is None
    write_ratings(run, RATER, ratings(log="other"))
    assert (away / FOLDER / RATER.file).read_bytes() == before


def test_a_log_has_the_hash_of_its_lines(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match="give the directory of a run"):
        log_hash(tmp_path / "events.jsonl")
    (tmp_path / "events.jsonl").write_bytes(b"a\nb\n")
    first = log_hash(tmp_path / "events.jsonl")
    (tmp_path / "events.jsonl").write_bytes(b"a\nc\n")
    assert log_hash(tmp_path / "events.jsonl") != first
