"""Rules that read statements: what each reads, and what none may read."""

from __future__ import annotations

import pytest

from accord.analysis.words.rules import RULES, KnownWords, ReadingRule, read_statements, unread_clauses
from tests.fakes.hostile_words import CHATS

KNOWN = KnownWords(("Ada", "Bo", "Cy"), ("cooperate", "defect", "give 20"), ("selfish",), ("cave",))


def rules_of(text: str, vocabulary: KnownWords = KNOWN) -> list[str]:
    return [each.rule for each in read_statements(text, "Ada", ("Bo", "Cy"), vocabulary)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_each_rule_reads_its_example_and_no_other_rule_does(rule: ReadingRule) -> None:
    assert rules_of(rule.example) == [rule.name]
    assert rules_of(f"Bo, {rule.example.removesuffix('.')}!") == [rule.name]


@pytest.mark.parametrize(
    "text",
    [
        "If you cooperate, I will cooperate.", "Will I cooperate?", 'He said "I will cooperate".',
        "I would cooperate.", "Maybe I will cooperate.", "I will cooperate unless Bo defected.",
        "Nobody says that I will cooperate.", "I will not say that Bo defected.", "Dan defected.", "I will.", "", "???",
        "I will choose dance.", "Suppose Bo defected.", "I will cooperate with you on the pasture.",
    ],
)  # fmt: skip
def test_no_rule_reads_more_than_was_said(text: str) -> None:
    assert rules_of(text) == []


def test_negations_times_and_persons_are_read() -> None:
    [never] = read_statements("I won't ever defect. From now on, I won't defect.", "Ada", ("Bo",), KNOWN)
    assert (never.value, never.negated, never.span) == ("defect", True, "every")
    [round_3] = read_statements("In round 3 I chose cooperate.", "Ada", ("Bo",), KNOWN)
    assert (round_3.kind, round_3.round, round_3.about) == ("claim", 3, "Ada")
    [you] = read_statements("I will pay you 5 emeralds.", "Ada", ("Bo",), KNOWN)
    assert (you.other, you.number) == ("Bo", 5)
    assert read_statements("I will pay you 5 emeralds.", "Ada", ("Bo", "Cy"), KNOWN) == ()
    [me] = read_statements("cy ATTACKED me!", "Ada", ("Bo", "Cy"), KNOWN)
    assert (me.about, me.other) == ("Cy", "Ada")
    [gave] = read_statements("I gave 20 last round.", "Ada", ("Bo", "Cy"), KNOWN)
    assert (gave.value, gave.span) == ("give 20", "last")


def test_unread_clauses_are_told_apart_from_questions() -> None:
    given = ("It is raining. Is it? I will cooperate, I like Bo.", "Ada", ("Bo",), KNOWN)
    assert unread_clauses(*given) == ("It is raining", "I like Bo")


def test_names_with_signs_of_patterns_are_names() -> None:
    known = KnownWords(("A.*", "B(o"), ("c[d",))
    [found] = read_statements("I will choose c[d.", "A.*", ("B(o",), known)
    assert found.value == "c[d"
    [found] = read_statements("B(o lied.", "A.*", ("B(o",), known)
    assert found.about == "B(o"
    assert read_statements("Adam lied.", "A.*", ("B(o",), known) == ()


@pytest.mark.parametrize(("text", "_"), CHATS)
def test_orders_to_the_judge_state_nothing(text: str, _: object) -> None:
    assert rules_of(text) == []


def test_long_and_nested_texts_are_read_in_time() -> None:
    for text in (
        "I " * 50_000,
        "I will cooperate, " * 10_000,
        "a" * 100_000,
        "Ada and " * 20_000,
        "in round 1 " * 9_000,
    ):
        assert len(rules_of(text)) <= 40
