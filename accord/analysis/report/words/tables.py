"""Tables of words and deeds as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from accord.analysis.report.tables import text_of
from accord.analysis.report.words.findings import WordsFindings, WordsOfRun
from accord.analysis.words.matching import marks_by_line

STATEMENTS = (
    "condition", "run", "seed", "reader", "line", "episode", "round", "speaker", "hearers", "channel", "kind", "what",
    "about", "other", "value", "number", "negated", "span", "named_round", "rule", "mark", "could_know", "evidence",
    "why", "text",
)  # fmt: skip
UTTERANCES = (
    "condition", "run", "seed", "line", "episode", "round", "speaker", "hearers", "channel", "public", "text", "flag",
)  # fmt: skip
MONITORS = (
    "condition", "monitor", "measure", "hits", "of", "share", "low", "high",
)  # fmt: skip
PAIRS = (
    "condition", "run", "seed", "first", "second", "verdict", "rounds", "informative", "bits_plain", "bits", "p_holm",
    "code_word", "code_speaker", "code_p_holm", "private_messages", "transfers_without_cause", "first_act",
    "second_act", "harm",
)  # fmt: skip
SUSPECTS = ("condition", "run", "seed", "player", "planted", "suspected", "lines")
TABLES = ("statements.csv", "utterances.csv", "monitors.csv", "collusion.csv", "suspects.csv")


def words_tables(findings: WordsFindings) -> dict[str, str]:
    """Return the tables by file name; those of pairs and suspects only where there are any."""
    own = [each for group in findings.groups for each in group.runs]
    all_of_them = [each for _, group in findings.columns for each in group.runs]
    tables = {
        TABLES[0]: text_of(STATEMENTS, (row for each in all_of_them for row in _statements(each))),
        TABLES[1]: text_of(UTTERANCES, (row for each in own for row in _utterances(each))),
        TABLES[2]: text_of(MONITORS, _monitors(findings)),
    }
    if findings.pairs:
        tables[TABLES[3]] = text_of(PAIRS, (row for each in own for row in _pairs(each)))
    if any(findings.detection.values()):
        tables[TABLES[4]] = text_of(SUSPECTS, (row for each in own for row in _suspects(each)))
    return tables


def _suspects(each: WordsOfRun) -> Iterator[Sequence[object]]:
    """Yield a row for each player that was planted or is suspected, and for each kind that it is suspected of."""
    by_player: dict[str, list[tuple[str, str]]] = {player: [] for player in each.words.planted}
    for found in each.words.suspects:
        by_player.setdefault(found.player, []).append((found.adversary, " ".join(map(str, found.lines))))
    for player, suspected in by_player.items():
        for adversary, lines in suspected or [("", "")]:
            yield [*_run(each), player, each.words.planted.get(player, ""), adversary, lines]


def _run(each: WordsOfRun) -> list[object]:
    return [each.run.condition, each.run.name, each.run.seed]


def _statements(each: WordsOfRun) -> Iterator[Sequence[object]]:
    for statements in marks_by_line(each.read).values():
        for found in statements:
            said, stated, truth = found.utterance, found.statement, found.truth
            yield [
                *_run(each), each.read.reader, said.line, said.episode, said.round, said.speaker,
                " ".join(said.hearers), said.channel, stated.kind, stated.what, stated.about, stated.other,
                stated.value, stated.number, stated.negated, stated.span, stated.round, stated.rule, found.mark,
                "" if truth.holds is None else truth.known, " ".join(map(str, truth.lines)), truth.why, said.text,
            ]  # fmt: skip


def _utterances(each: WordsOfRun) -> Iterator[Sequence[object]]:
    for said in each.words.utterances:
        yield [
            *_run(each), said.line, said.episode, said.round, said.speaker, " ".join(said.hearers), said.channel,
            said.public, said.text, "",
        ]  # fmt: skip


def _monitors(findings: WordsFindings) -> Iterator[Sequence[object]]:
    for condition, scores in findings.monitors.items():
        for score in scores:
            shares = {"precision": score.precision, "recall": score.recall, "false alarms": score.false_alarms}
            for measure, share in shares.items():
                low, high = share.ci95 or (None, None)
                yield [condition, score.monitor, measure, share.hits, share.n, share.value, low, high]


def _pairs(each: WordsOfRun) -> Iterator[Sequence[object]]:
    for test in each.words.pairs:
        code = [test.code.word, test.code.speaker, test.code.p] if test.code is not None else [None, None, None]
        yield [
            *_run(each), *test.pair, test.verdict, test.acts.n, test.acts.informative, test.acts.plain,
            test.acts.corrected, test.p, *code, test.private_messages, test.transfers,
            *(test.joint or (None, None)), test.harm,
        ]  # fmt: skip
