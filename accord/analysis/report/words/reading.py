"""Reading of the words of one run: what its log shows that was said, and what raters made of it."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass
from pathlib import Path

from accord.analysis.ratings import Rater, read_ratings
from accord.analysis.words.kept import WordsRead, judge_kept
from accord.analysis.words.monitors import RunWords, run_words
from accord.analysis.words.record import WordsRecord
from dilemmas.records import events as log
from dilemmas.records.manifest import LOG
from dilemmas.records.record import read_events


@dataclass(frozen=True)
class KindsOfWords:
    """Kinds of events that a record of words needs at present, and others."""

    said: WordsRecord
    others: Container[str] = ()

    def __contains__(self, kind: object) -> bool:
        return kind in self.others or kind in self.said.kinds


def read_words(directory: Path, raters: Sequence[Rater] = ()) -> RunWords | None:
    """Return the words of a run matched to its deeds, read from its log.

    Args:
        directory: Directory of the run.
        raters: Models whose kept readings are matched too.

    Raises:
        RecordError: The log cannot be read.
    """
    said, seed = WordsRecord(directory=directory), 0
    for line in read_events(directory / LOG, only=KindsOfWords(said)):
        said.add_line(line)
        if isinstance(line.event, log.RunStarted):
            seed = line.event.seed
    return words_of(directory, said, seed, raters)


def words_of(directory: Path, said: WordsRecord, seed: int, raters: Sequence[Rater]) -> RunWords | None:
    """Return the words of a run matched to its deeds, as the rules and all models that were asked have read them.

    Args:
        directory: Directory of the run.
        said: Words and facts of its log.
        seed: Seed of the run.
        raters: Models whose kept readings are matched too.
    """
    kept = {each.name: read_ratings(directory, each) for each in raters if each.of == "words"}
    read = {name: event for name, each in kept.items() if each for event in each.events if isinstance(event, WordsRead)}
    judged = [judge_kept(said, each, name) for name, each in read.items()]
    flags = {name: frozenset(each.wrong) for name, each in read.items()}
    return run_words(said, seed, judged, flags, {name: frozenset(each.unread) for name, each in read.items()})
