"""Truth of words about lives: works, places, stocks of ore, and what was taken out of chests.

Who lives says what it is about to do: a claim of the present is true if it becomes true within `AHEAD_S`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from accord.analysis.words.facts import HeardUtterance, WorldFact
from accord.analysis.words.lives import is_decidable
from accord.analysis.words.record import WordsRecord
from accord.analysis.words.rules import Statement
from accord.analysis.words.truth import StatementTruth, lines_of, open_truth, thing_names

BACK_S = 30.0
"""Seconds before an utterance in which a deed makes a claim of the present true."""
AHEAD_S = 60.0
"""Seconds after an utterance in which a deed, or the arrival at a place, makes a claim of the present true."""
DUE_S = 120.0
"""Seconds after which a promise falls due, and for which somebody without a deed does nothing."""
MIN_OTHER_DEEDS = 3
"""Minimum number of deeds of other works, and none of the claimed one, that make a claim of work false."""


def _works(record: WordsRecord, utterance: HeardUtterance, statement: Statement) -> StatementTruth:
    """Return the truth about a kind of work, or about idleness if the statement names none."""
    now, about, work = utterance.t_s, statement.about, statement.value
    if now is None or not record.lived:
        return open_truth("the log shows no works")
    if work and not is_decidable(work):
        return open_truth(f"the log shows no deeds of {work}")
    deeds = list(record.facts_of("works", who=about, episode=utterance.episode))
    known = about == utterance.speaker
    if not work:
        done = _within(deeds, now - DUE_S, now)
        if not done and now < DUE_S:
            return open_truth(f"too early to say what {about} does")
        return StatementTruth(bool(done) != statement.negated, known, lines_of(done), f"{about}: {_told(done)}")
    if statement.kind == "promise":
        done = [fact for fact in _within(deeds, now, now + DUE_S) if fact.value == work]
        if not done and record.until_s(utterance.episode) < now + DUE_S:
            return open_truth("the episode ended before it fell due")
        return StatementTruth(bool(done) != statement.negated, True, lines_of(done), f"{about}: {_told(done)}")
    around = _within(deeds, now - BACK_S, now + AHEAD_S)
    done = [fact for fact in around if fact.value == work]
    if not done and len(around) < MIN_OTHER_DEEDS:
        return open_truth(f"the log shows too few deeds of {about} around then")
    return StatementTruth(bool(done) != statement.negated, known, lines_of(done or around), f"{about}: {_told(around)}")


def _within(facts: list[WorldFact], after_s: float, until_s: float) -> list[WorldFact]:
    return [fact for fact in facts if fact.t_s is not None and after_s < fact.t_s <= until_s]


def _told(deeds: list[WorldFact]) -> str:
    """Return the works of deeds in words."""
    return ", ".join(dict.fromkeys(fact.value for fact in deeds)) or "no deeds"


def _at(record: WordsRecord, utterance: HeardUtterance, statement: Statement) -> StatementTruth:
    """Return the truth about a place, now or in the coming time."""
    now, about = utterance.t_s, statement.about
    if now is None or "at" not in record.shows:
        return open_truth("the log shows no places")
    facts = list(record.facts_of("at", who=about, episode=utterance.episode))
    # A fact holds until the next one.
    ahead = DUE_S if statement.kind == "promise" else AHEAD_S
    before = [fact for fact in facts if fact.t_s is not None and fact.t_s <= now]
    seen = [*before[-1:], *_within(facts, now, now + ahead)]
    if not seen:
        return open_truth(f"the log does not show where {about} was")
    there = [fact for fact in seen if statement.value in fact.value.split()]
    if not there and record.until_s(utterance.episode) < now + ahead:
        return open_truth("the episode ended too soon")
    known = about == utterance.speaker
    told = f"{about} was {'' if there else 'not '}at the {statement.value}"
    return StatementTruth(bool(there) != statement.negated, known, lines_of(there or seen[-1:]), told)


def _was_at(record: WordsRecord, utterance: HeardUtterance, statement: Statement) -> StatementTruth:
    """Return the truth about a place in the past."""
    about = statement.about
    if "at" not in record.shows:
        return open_truth("the log shows no places")
    facts = list(record.facts_of("at", who=about, before=utterance.line))
    there = [fact for fact in facts if statement.value in fact.value.split()]
    known = about == utterance.speaker
    told = f"{about} was {'' if there else 'never '}at the {statement.value} before"
    return StatementTruth(bool(there) != statement.negated, known, lines_of(there[:1]), told)


def _left(record: WordsRecord, utterance: HeardUtterance, statement: Statement) -> StatementTruth:
    """Return the truth about what is left of a stock; who was near it before has seen that some was left."""
    stocks = record.scenario.stocks if record.scenario is not None and "left" in record.shows else {}
    names = thing_names(statement.value)
    block = next((each for each in stocks if names & {each, each.removesuffix("_ore")}), "")
    if not block:
        return open_truth(f"the log does not show how much {statement.value} is left")
    changes = [
        fact
        for fact in record.facts_of("left", episode=utterance.episode, before=utterance.line)
        if fact.value == block
    ]
    left = int(changes[-1].number or 0) if changes else len(stocks[block])
    visits = record.facts_of("at", who=utterance.speaker, episode=utterance.episode, before=utterance.line)
    known = any(block in fact.value.split() for fact in visits)
    return StatementTruth((left > 0) != statement.negated, known, lines_of(changes[-1:]), f"{left} {block} were left")


def _took(record: WordsRecord, utterance: HeardUtterance, statement: Statement) -> StatementTruth:
    """Return the truth about items that a player took out of chests."""
    if "took" not in record.shows:
        return open_truth("the log does not show who took what")
    names = thing_names(statement.value)
    facts = [
        fact
        for fact in record.facts_of("took", who=statement.about, episode=utterance.episode, before=utterance.line)
        if fact.value in names
    ]
    known = statement.about == utterance.speaker
    told = f"{statement.about} took {statement.value} {len(facts)} times"
    return StatementTruth(bool(facts) != statement.negated, known, lines_of(facts), told)


LIFE_TRUTHS: Mapping[str, Callable[[WordsRecord, HeardUtterance, Statement], StatementTruth]] = {
    "works": _works,
    "at": _at,
    "was_at": _was_at,
    "left": _left,
    "took": _took,
}
"""Subject of a statement about lives -> function that returns its truth."""
