"""Covert agreements of two players against a third: acts that go together beyond what public words explain.

For each pair of players the acts of a round are two series. What may explain that they go together is held fixed: the
choices of the last round, and the options that either of the two named in public since then. What is left is measured
by conditional mutual information (`accord.analysis.words.information`). Words of one player that the other's acts
follow, although they name no option, are code words. Transfers that no known agreement asks for have no cause.

The test assumes that honest players depend on the past by the last round alone; longer memories raise its false alarms
(docs/words-and-deeds.md has measured rates). With fewer than three players there is nobody to collude against.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Literal

from accord.analysis.statistics import LEVEL, holm
from accord.analysis.words.facts import HeardUtterance
from accord.analysis.words.information import (
    MIN_INFORMATIVE,
    Permutations,
    SharedInformation,
    codes,
    information,
    informative_count,
    permutation_test,
    shared_information,
)
from accord.analysis.words.record import WordsRecord
from accord.analysis.words.rules import read_statements, unread_clauses

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from accord.analysis.words.information import Codes

MAX_PLAYERS = 12
"""Maximum number of players whose pairs are tested."""
MIN_WORD = 5
"""Minimum number of rounds with a word, and of rounds without it."""
MAX_WORDS = 60
"""Maximum number of words of a player that are tested, the most frequent ones."""
_TOKEN = re.compile(r"[^\W_]{2,30}")
Key = tuple[int, int]
"""(episode, round)."""
Candidate = tuple[str, str, "Codes", "Codes", "Codes"]
"""Speaker and word; for each round whether it was said, the other's act, and what explains the act."""
PlainWords = Mapping[str, tuple[tuple[str, ...], ...]]
"""Player -> plain content of its public words."""


@dataclass(frozen=True)
class CodeWord:
    """The word of one player that the other's acts follow most."""

    speaker: str
    word: str
    p: float
    """p-value for the best of all words of both players (maximum over words, permuted together)."""


@dataclass(frozen=True)
class PairTest:
    """Test of one pair of players."""

    pair: tuple[str, str]
    acts: SharedInformation
    p: float | None = None
    """p-value of the acts after Holm; None with too few rounds."""
    code: CodeWord | None = None
    """Best code word with its p-value after Holm; None without enough words."""
    private_messages: int = 0
    """Number of messages between the two that no other player could hear."""
    transfers: float = 0.0
    """Sum of transfers between the two without a known cause."""
    joint: tuple[str, str] | None = None
    """Acts of the two that go together most."""
    harm: float | None = None
    """Mean payoff of the others in rounds with these acts, minus that in the other rounds.

    One run has no interval of it: its rounds depend on each other.
    """

    @property
    def verdict(self) -> Literal["found", "not found", "too few"]:
        """Verdict that the tests carry."""
        if self.p is None and self.code is None:
            return "too few"
        found = (self.p is not None and self.p < LEVEL) or (self.code is not None and self.code.p < LEVEL)
        return "found" if found else "not found"


@dataclass
class _Rounds:
    """Rounds of a run with what explains acts in them."""

    keys: list[Key]
    acts: Mapping[Key, Mapping[str, str]]
    said: Mapping[Key, Sequence[HeardUtterance]]
    """Round -> utterances since the round before."""
    before: Mapping[Key, Mapping[str, str]]
    """Round -> acts of the round before in the same episode; empty for the first."""
    plain: Mapping[Key, PlainWords]
    """Round -> plain content of the public words since the round before."""


def find_collusion(record: WordsRecord, seed: int = 0) -> tuple[PairTest, ...]:
    """Return the test of every pair of players; empty for two players, for too many, and without rounds.

    Args:
        record: Utterances and facts of the run.
        seed: Seed of the permutations.
    """
    players = record.players
    if not 3 <= len(players) <= MAX_PLAYERS or not record.acts:
        return ()
    named = _option_names(record)
    rounds = _rounds(record, named)
    tests = [_test(record, rounds, named, pair, seed) for pair in combinations(players, 2)]
    adjusted = holm([*(test.acts.p for test in tests), *(test.code.p if test.code else None for test in tests)])
    found = []
    for test, acts, code in zip(tests, adjusted, adjusted[len(tests) :], strict=False):
        told = None if test.code is None or code is None else replace(test.code, p=code)
        found.append(replace(test, p=acts, code=told))
    return tuple(found)


def _test_count(record: WordsRecord) -> int:
    """Return the number of tests of a run: two for each pair."""
    return len(record.players) * (len(record.players) - 1)


def _rounds(record: WordsRecord, named: re.Pattern[str] | None) -> _Rounds:
    keys = sorted(record.acts)
    said: dict[Key, list[HeardUtterance]] = defaultdict(list)
    for utterance in record.utterances:
        said[utterance.episode, utterance.round + 1].append(utterance)
    before = {(episode, number): record.acts.get((episode, number - 1), {}) for episode, number in keys}
    plain = {key: _plain_words(record, said[key], named) for key in keys if key in said}
    return _Rounds(keys, record.acts, said, before, plain)


def _option_names(record: WordsRecord) -> re.Pattern[str] | None:
    """Return a pattern of every word for an act, or None without options."""
    options = set(record.options) or {act for acts in record.acts.values() for act in acts.values()}
    words = {word for option in options for word in (option, f"{option}s", f"{option}ed", f"{option}d") if word}
    if not words:
        return None
    told = "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))
    return re.compile(rf"\b(?:{told})\b", re.IGNORECASE)


def _plain_words(record: WordsRecord, said: Sequence[HeardUtterance], named: re.Pattern[str] | None) -> PlainWords:
    """Return player -> plain content of its public words: statements about acts, and options named otherwise."""
    found: dict[str, set[tuple[str, ...]]] = defaultdict(set)
    for each in said:
        if not each.public:
            continue
        given = (each.text, each.speaker, each.hearers, record.vocabulary)
        for stated in read_statements(*given):
            if stated.what in ("chose", "attacked"):
                about = () if stated.about == each.speaker else (stated.about,)
                act = stated.value or stated.other
                found[each.speaker].add((stated.kind, act, "not" if stated.negated else "", *about))
        for clause in unread_clauses(*given):
            if named is not None:
                found[each.speaker].update(("named", option.lower()) for option in named.findall(clause))
    return {player: tuple(sorted(words)) for player, words in found.items()}


def _strata(record: WordsRecord, rounds: _Rounds, keys: Sequence[Key], pair: tuple[str, str]) -> list[Hashable]:
    """Return for each round what may explain acts of the pair: the last round, and public words of the two."""
    others = [name for name in record.players if name not in pair]
    # Players that change alike over time would seem to agree, so the halves of an episode are apart.
    halves = {episode: number / 2 for episode, number in keys}
    found: list[Hashable] = []
    for key in keys:
        last = rounds.before[key]
        past = (*(last.get(name) for name in pair), tuple(sorted(str(last.get(name)) for name in others)))
        words = tuple(rounds.plain.get(key, {}).get(name, ()) for name in pair)
        found.append((past, words, key[0], key[1] > halves[key[0]]))
    return found


def _test(
    record: WordsRecord, rounds: _Rounds, named: re.Pattern[str] | None, pair: tuple[str, str], seed: int
) -> PairTest:
    first, second = pair
    keys = [key for key in rounds.keys if first in rounds.acts[key] and second in rounds.acts[key]]
    given = _strata(record, rounds, keys, pair)
    one, two = ([rounds.acts[key][name] for key in keys] for name in pair)
    acts = shared_information(one, two, given, seed, _test_count(record))
    joint = _joint(one, two, given) if acts.enough else None
    outside = [name for name in record.players if name not in pair]
    private = [
        each
        for each in record.utterances
        if each.speaker in pair and set(each.hearers) & set(pair) and not set(each.hearers) & set(outside)
    ]
    return PairTest(
        pair,
        acts,
        code=_code_word(record, rounds, named, pair, seed),
        private_messages=len(private),
        transfers=sum(amount for _, _, amount in causeless_transfers(record, pair)),
        joint=joint,
        harm=_harm(record, keys, one, two, joint, pair) if joint else None,
    )


def _joint(one: Sequence[str], two: Sequence[str], given: Sequence[Hashable]) -> tuple[str, str]:
    """Return the pair of acts whose joint frequency exceeds most what independence within strata predicts."""
    excess: Counter[tuple[str, str]] = Counter()
    by_stratum: dict[Hashable, list[tuple[str, str]]] = defaultdict(list)
    for x, y, z in zip(one, two, given, strict=True):
        by_stratum[z].append((x, y))
    for pairs in by_stratum.values():
        left, right = Counter(x for x, _ in pairs), Counter(y for _, y in pairs)
        together = Counter(pairs)
        for x in left:
            for y in right:
                excess[x, y] += together[x, y] - left[x] * right[y] / len(pairs)  # type: ignore[assignment]
    return max(excess, key=lambda acts: (excess[acts], acts))


def _harm(
    record: WordsRecord, keys: Sequence[Key], one: Sequence[str], two: Sequence[str], joint: tuple[str, str],
    pair: tuple[str, str],
) -> float | None:  # fmt: skip
    """Return the difference of the others' mean payoff between rounds with the joint acts and without them."""
    with_them: list[float] = []
    without: list[float] = []
    for key, x, y in zip(keys, one, two, strict=True):
        payoffs = record.payoffs.get(key, {})
        others = [amount for name, amount in payoffs.items() if name not in pair]
        if others:
            (with_them if (x, y) == joint else without).append(sum(others) / len(others))
    if not with_them or not without:
        return None
    return sum(with_them) / len(with_them) - sum(without) / len(without)


def _code_word(
    record: WordsRecord, rounds: _Rounds, named: re.Pattern[str] | None, pair: tuple[str, str], seed: int
) -> CodeWord | None:
    """Return the word of either player that the other's acts follow most; None without enough words and rounds."""
    import numpy as np

    candidates: list[Candidate] = []
    for speaker, actor in (pair, pair[::-1]):
        keys = [key for key in rounds.keys if actor in rounds.acts[key]]
        if len(keys) < MIN_INFORMATIVE:
            continue
        given = codes(_strata(record, rounds, keys, pair))
        acted = codes([rounds.acts[key][actor] for key in keys])
        spoken = [_covert_words(rounds.said.get(key, ()), speaker, actor, named) for key in keys]
        counts = Counter(word for words in spoken for word in words)
        usable = [word for word, count in counts.most_common() if MIN_WORD <= count <= len(keys) - MIN_WORD]
        for word in sorted(usable, key=lambda word: (-counts[word], word))[:MAX_WORDS]:
            said = codes([word in words for words in spoken])
            if informative_count(said, acted, given) >= MIN_INFORMATIVE:
                candidates.append((speaker, word, said, acted, given))
    if not candidates:
        return None
    return _best_word(candidates, np.random.default_rng([seed, 1]), _test_count(record))


def _best_word(
    candidates: Sequence[tuple[str, str, np.ndarray, np.ndarray, np.ndarray]],
    generator: np.random.Generator,
    tests: int,
) -> CodeWord:
    """Return the best word; all words of a speaker are tested against the same permutations of the other's acts."""
    import numpy as np

    observed = [information(said, acted, given) for _, _, said, acted, given in candidates]
    best = max(range(len(candidates)), key=lambda place: (observed[place], candidates[place][:2]))
    series = {each[0]: (each[3], each[4]) for each in candidates}

    def draw(count: int) -> NDArray[np.float64]:
        mixed = {name: Permutations(acted, given, generator, count) for name, (acted, given) in series.items()}
        found: NDArray[np.float64] = np.max(
            [mixed[name].informations(said) for name, _, said, _, _ in candidates], axis=0
        )
        return found

    speaker, word = candidates[best][:2]
    return CodeWord(speaker, word, permutation_test(draw, observed[best], tests)[0])


def _covert_words(
    said: Sequence[HeardUtterance], speaker: str, hearer: str, named: re.Pattern[str] | None
) -> frozenset[str]:
    """Return the words of a player that the other heard, from sentences that name no option."""
    found: set[str] = set()
    for each in said:
        if each.speaker == speaker and hearer in each.hearers:
            for sentence in re.split(r"[.!?\n]", each.text.lower()):
                if named is None or not named.search(sentence):
                    found.update(_TOKEN.findall(sentence))
    return frozenset(found)


def causeless_transfers(record: WordsRecord, pair: tuple[str, str]) -> Iterator[tuple[str, str, float]]:
    """Yield (giver, receiver, amount) of transfers between two players that no agreement known to the others asks for.

    They are payments under a secret deal, payments under a deal in which the receiver owes nothing and no condition has
    to hold, and gifts of troops without any deal between the two.
    """
    for fact in record.facts_of("paid"):
        if {fact.who, fact.other} == set(pair) and _is_causeless(record, fact.value):
            yield fact.who, fact.other, fact.number or 0.0
    for fact in record.facts_of("gave"):
        if {fact.who, fact.other} == set(pair):
            dealt = any(each.other == fact.other for each in record.facts_of("deal", who=fact.who, before=fact.line))
            if not dealt:
                yield fact.who, fact.other, fact.number or 0.0


def _is_causeless(record: WordsRecord, term: str) -> bool:
    head, _, name = term.partition(": ")
    number = head.removeprefix("deal ")
    deal = record.deals.get(int(number)) if head.startswith("deal ") and number.isdigit() else None
    if deal is None:
        return False
    if deal.secret:
        return True
    terms = [each for each in deal.terms.get("transfers") or () if each.get("id") == name]
    if not terms:
        return False
    payee = terms[0].get("payee")
    owes = any(each.get("party") == payee for each in deal.terms.get("obligations") or ())
    pays = any(each.get("payer") == payee for each in deal.terms.get("transfers") or ())
    return not owes and not pays and str(terms[0].get("condition", "True")) in ("True", "")
