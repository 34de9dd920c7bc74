"""Questions drawn from a record: equally many of each kind, at moments and with options that the seed decides."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from accord.analysis.questions.facts import MAX_ACTS, SOURCES, Fact
from accord.analysis.questions.moments import Episode, LogMoment, read_episode
from contracts.yaml12 import load_own
from dilemmas.records.events import LogLine

QuestionKind = Literal["environment", "mind", "plan"]
MOMENTS = 60
"""Maximum number of moments of a record that questions are about."""
OPTIONS = 4
"""Maximum number of options of a question."""
MAX_SAID = 12
"""Maximum number of the latest messages that are shown with a question."""


@dataclass(frozen=True)
class Template:
    """Words of a question and the source of its facts."""

    name: str
    kind: QuestionKind
    of: str
    """Name of the source (`accord.analysis.questions.facts.SOURCES`)."""
    text: str


@dataclass(frozen=True)
class MomentQuestion:
    """Question about a moment."""

    record: str
    t_s: float
    kind: QuestionKind
    template: str
    text: str
    options: tuple[str, ...]
    answer: int
    """Number of the right option, from 0."""
    shown: Mapping[str, Any]
    """Document about the moment, from the log up to then."""

    @property
    def chance(self) -> float:
        """Probability of a right answer by chance."""
        return 1 / len(self.options)

    def to_dict(self) -> dict[str, Any]:
        """Return the question as plain data."""
        return asdict(self)


@cache
def templates() -> tuple[Template, ...]:
    """Return the templates of `templates.yaml`."""
    told = load_own(Path(__file__).with_name("templates.yaml").read_text(encoding="utf-8"))
    return tuple(Template(name, each["kind"], each["of"], each["text"]) for name, each in told.items())


def draw_questions(record: str, lines: Iterable[LogLine], about: str, count: int, seed: int) -> list[MomentQuestion]:
    """Return questions about the last episode of a record.

    Args:
        record: Name of the record.
        lines: Its log.
        about: Text of its scenario, as the players read it.
        count: Number of questions of each kind; fewer where the log has not so many facts.
        seed: Seed of the moments, the facts and the options.

    Returns:
        The questions, sorted by kind, time and template.
    """
    episode = read_episode(lines)
    # The record's name is a path, which must not decide: a copy elsewhere has the same questions.
    generator = random.Random(f"questions:{seed}")
    possible: dict[str, list[tuple[LogMoment, Fact]]] = {each.name: [] for each in templates()}
    for moment in episode.moments(_times(episode, generator)):
        for template in templates():
            possible[template.name] += [(moment, fact) for fact in SOURCES[template.of](moment) if _usable(fact)]
    found = []
    for kind in get_args(QuestionKind):
        able = [each for each in templates() if each.kind == kind and possible[each.name]]
        for number in range(count):
            able = [each for each in able if possible[each.name]]
            if not able:
                break
            # In turns, so that a kind with many facts does not crowd out the others.
            template = able[number % len(able)]
            facts = possible[template.name]
            moment, fact = facts.pop(generator.randrange(len(facts)))
            found.append(_question(record, template, moment, fact, about, generator))
    order = get_args(QuestionKind)
    return sorted(found, key=lambda each: (order.index(each.kind), each.t_s, each.template, each.text))


def answers_from_log(questions: Sequence[MomentQuestion], lines: Iterable[LogLine]) -> list[int | None]:
    """Return for each question the option that the log proves right, without a look at the question's own answer.

    Args:
        questions: Questions about one record.
        lines: Its log.

    Returns:
        The number of the option; None if the log proves none of them, or several.
    """
    times = sorted({each.t_s for each in questions})
    moments = dict(zip(times, read_episode(lines).moments(times), strict=True))
    by_name = {each.name: each for each in templates()}
    found = []
    for question in questions:
        template = by_name[question.template]
        facts = SOURCES[template.of](moments[question.t_s])
        true = {fact.answer for fact in facts if _text(template, fact) == question.text}
        right = [number for number, option in enumerate(question.options) if option in true]
        found.append(right[0] if len(right) == 1 else None)
    return found


def _times(episode: Episode, generator: random.Random) -> list[float]:
    """Return moments at which something had happened and something will, in order."""
    times = sorted({t_s for t_s, _ in episode.events if t_s > 0})[:-1]
    return sorted(generator.sample(times, min(MOMENTS, len(times))))


def _usable(fact: Fact) -> bool:
    return bool(fact.first or fact.others)


def _text(template: Template, fact: Fact) -> str:
    return template.text.format_map(fact.slots)


def _question(
    record: str, template: Template, moment: LogMoment, fact: Fact, about: str, generator: random.Random
) -> MomentQuestion:
    wrong = [fact.first] if fact.first else []
    pool = [each for each in dict.fromkeys(fact.others) if each not in (fact.answer, *wrong)]
    wrong += generator.sample(pool, min(OPTIONS - 1 - len(wrong), len(pool)))
    options = [fact.answer, *wrong]
    generator.shuffle(options)
    return MomentQuestion(
        record, moment.t_s, template.kind, template.name, _text(template, fact), tuple(options),
        options.index(fact.answer), describe(moment, about),
    )  # fmt: skip


def describe(moment: LogMoment, about: str) -> dict[str, Any]:
    """Return what a log tells about a moment, as the document that goes with a question."""
    episode = moment.episode
    found: dict[str, Any] = {"the game": about, "second": moment.t_s}
    if set(episode.rooms.values()):
        found["rooms"] = dict(episode.rooms)
    if moment.at:
        found["positions (x, y, z)"] = {name: list(spot) for name, spot in moment.at.items()}
    if moment.held:
        found["players hold"] = {name: _named(items) for name, items in moment.held.items()}
    if episode.laid:
        found["places (x, y, z)"] = {
            name.replace("_", " "): {"kind": each.kind, "at": list(each.at), "rooms": each.rooms}
            for name, each in episode.laid.items()
        }
        found["places hold"] = {name.replace("_", " "): _named(items) for name, items in moment.stores.items()}
        found["who has worked where"] = {
            name: sorted({place.replace("_", " ") for player, place in moment.looks if player == name})
            for name in moment.players
        }
    if moment.acts:
        acts: Sequence[Any] = moment.acts[-MAX_ACTS:]
        found["latest acts"] = [f"{act.t_s:g} s: {act.player} {act.told}" for act in acts]
    if moment.said:
        found["latest words"] = [
            f"{each.t_s:g} s: {each.speaker}: {each.text[:200]}"
            + ("" if each.hearers is None else f" (heard by {', '.join(each.hearers) or 'nobody'})")
            for each in moment.said[-MAX_SAID:]
        ]
    return found


def _named(items: Mapping[str, int]) -> dict[str, int]:
    return {item.replace("_", " "): count for item, count in sorted(items.items())}
