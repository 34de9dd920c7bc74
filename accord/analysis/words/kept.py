"""Statements that a model has read in a finished record, as they are kept beside it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from accord.analysis.words.facts import HeardUtterance
from accord.analysis.words.lives import works
from accord.analysis.words.matching import JudgedWords, match_statements, typed_statements
from accord.analysis.words.record import WordsRecord
from accord.analysis.words.rules import Statement
from dilemmas.records.events.base import EventPart, RecordModel
from voyager_agents.statement_kinds import Span, What

MAX_LINE = 1 << 53


class KeptStatement(EventPart):
    """One statement that a model has read."""

    line: int = Field(ge=0, le=MAX_LINE)
    """Sequence number of the utterance's line in the log."""
    kind: Literal["promise", "claim", "accusation"]
    what: What
    about: str
    value: str
    other: str
    number: float | None
    negated: bool
    span: Span
    round: int


class WordsRead(RecordModel):
    """All that a model has read in the words of a record. It is kept beside the record and is no event of a log."""

    kind: Literal["words_read"] = "words_read"
    statements: list[KeptStatement]
    wrong: list[int]
    """Lines of the utterances that the model flags."""
    unread: list[int]
    """Lines of the utterances without a usable answer."""
    fault: str = ""
    """Reason why the model could not be asked."""


def judge_kept(record: WordsRecord, kept: WordsRead, reader: str) -> JudgedWords:
    """Return the statements that a model has read, matched to the log, with those of typed messages.

    Args:
        record: Utterances and facts of the run.
        kept: What the model has read.
        reader: Name of the model.
    """
    by_line = {each.line: each for each in record.utterances}
    read = [(by_line[each.line], _statement(each, reader, record)) for each in kept.statements if each.line in by_line]
    matched = [*match_statements(record, read), *typed_statements(record)]
    return JudgedWords(reader, tuple(matched), len(kept.unread), len(record.utterances))


def _statement(kept: KeptStatement, reader: str, record: WordsRecord) -> Statement:
    options = {option.lower(): option for option in (*record.options, *record.vocabulary.roles)}
    value = options.get(kept.value.strip().lower(), kept.value.strip().lower())
    return Statement(
        kept.kind, kept.what, kept.about, value, kept.other, kept.number, kept.negated, kept.span, kept.round or None,
        rule=reader,
    )  # fmt: skip


def public_knowledge(record: WordsRecord, utterances: list[HeardUtterance]) -> dict[str, object]:
    """Return what all players have seen around utterances, as plain data for a prompt: options, choices of rounds."""
    known: dict[str, object] = {}
    if record.options:
        known["options"] = list(record.options)
    if record.vocabulary.roles:
        known["roles"] = list(record.vocabulary.roles)
    if record.lived:
        known["works"] = list(works())
        known["places"] = list(record.vocabulary.places)
    episodes = {each.episode for each in utterances}
    first, last = min(each.round for each in utterances), max(each.round for each in utterances) + 1
    rounds: dict[tuple[int, int], dict[str, str]] = {}
    for fact in record.facts_of("chose"):
        if fact.seen_by is None and fact.episode in episodes and first <= fact.round <= last:
            rounds.setdefault((fact.episode, fact.round), {})[fact.who] = fact.value
    if rounds:
        known["rounds"] = [{"round": number, "choices": each} for (_, number), each in sorted(rounds.items())]
    return known
