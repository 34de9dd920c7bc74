"""Opinions of agents about each other, from the log alone, in one pass: profiles, first impressions, words, food.

An observer's estimate of another is, in this order: the sentiment of its profile (which social awareness writes), its
first impression, and neutral if it has heard words of the other. It has no estimate of a stranger. It knows a person
after hearing or thinking of it or, if the truth names a number of ties, after being spoken to that often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from dilemmas.records import events as log
from voyager_agents.piano.rule_based.perception.feelings import NEUTRAL, scripted

SAMPLE_S = 10.0
"""Interval between two samples at first, in seconds."""
MAX_SAMPLES = 120
"""Maximum number of samples; beyond it every second one is dropped, repeatedly."""
MAX_FEW_JUDGES = 4
"""Maximum number of observers of whom all thoughts are kept."""
MAX_FEW_PAIRS = 20
"""Maximum number of pairs of which every sample keeps all estimates."""
MAX_FELT = 1e6
"""Maximum size of a sentiment. A record that was received may hold whole numbers beyond all floats."""
Pair = tuple[str, str]
"""(observer, observed)."""


@dataclass(frozen=True)
class PerceptionSample:
    """Estimates at one time."""

    t_s: float
    perceived: Mapping[str, tuple[float, int]]
    """Player -> (mean estimate of its observers, number of observers)."""
    pairs: Mapping[Pair, float]
    """Estimate of each pair, if there are few pairs."""


@dataclass
class PerceptionHistory:
    """All estimates so far, from the events of a run in their order."""

    truth: log.TruthTold | None = None
    condition: str = ""
    until: float = 0.0
    estimates: dict[Pair, float] = field(default_factory=dict)
    """Estimates of all pairs with a thought."""
    spoken: Counter[Pair] = field(default_factory=Counter)
    """Number of times that the other has addressed the observer."""
    thoughts: dict[Pair, list[tuple[float, str]]] = field(default_factory=dict)
    """(second, sentence) of the profiles: all of a few observers, the last ones of many."""
    samples: list[PerceptionSample] = field(default_factory=list)
    food: log.FoodSeen | None = None
    first_food: Mapping[str, int] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    """Player -> a model's scores of its traits."""
    rated: bool = False
    speeches: int = 0
    _judged: set[Pair] = field(default_factory=set)
    _judges: frozenset[str] = frozenset()
    _every: float = SAMPLE_S

    def add_event(self, event: log.Event) -> None:
        """Add an event of the log."""
        match event:
            case log.Speech() | log.SlotWritten():
                self._advance(event.t_s)
                self._mind(event)
            case log.RunStarted():
                self.condition = event.condition
            case log.EpisodeStarted():
                self.__dict__.update(PerceptionHistory(condition=self.condition).__dict__)
            case log.TruthTold():
                self.truth, self._judges = event, frozenset(event.judges)
            case log.FoodSeen():
                self.first_food = self.first_food or dict(event.held)
                self.food = event
            case log.SummariesRated():
                self.rated = any(each.score is not None for each in event.scores)
                self._score(event)
            case log.EndStateRead():
                self.until = event.t_s
                self._advance(event.t_s)
                self._sample(event.t_s)
            case _:
                pass

    def _mind(self, event: log.Speech | log.SlotWritten) -> None:
        if isinstance(event, log.Speech):
            self.speeches += 1
            if not self._judges:
                return
            text = event.text.lower()
            # The players' order keeps the last bits of sums the same.
            for hearer in [name for name in event.hearers if name in self._judges]:
                self.estimates.setdefault((hearer, event.speaker), NEUTRAL)
                self.spoken[hearer, event.speaker] += event.voice == "whisper" or hearer.lower() in text
        elif event.player in self._judges and isinstance(event.value, Mapping):
            self._slot(event.t_s, event.player, event.slot, event.value)

    def _think(self, pair: Pair, t_s: float, text: str) -> None:
        before = self.thoughts.get(pair, [])
        self.thoughts[pair] = [*(before if len(self._judges) <= MAX_FEW_JUDGES else []), (t_s, text)]

    def _slot(self, t_s: float, observer: str, slot: str, value: Mapping[str, Any]) -> None:
        if slot == "profiles":
            for name, felt, text in profiles_in(value):
                pair = (observer, name)
                self._judged.add(pair)
                self.estimates[pair] = felt
                self._think(pair, t_s, text)
        elif slot == "impressions":
            for name, felt in value.items():
                if (observer, name) not in self._judged and isinstance(felt, (int, float)):
                    self.estimates[observer, name] = float(felt)

    @property
    def felt(self) -> dict[Pair, float]:
        """Return the estimate of each pair that knows each other."""
        least = self.truth.ties if self.truth is not None else 0
        return {pair: felt for pair, felt in self.estimates.items() if self.spoken[pair] >= least}

    def _score(self, event: log.SummariesRated) -> None:
        """Replace the scores of thoughts by a model's, at the times of the thoughts."""
        scored: dict[Pair, list[tuple[float, float]]] = {}
        for each in event.scores:
            if each.score is None:
                continue
            if each.observer:
                scored.setdefault((each.observer, each.of), []).append((each.t_s, each.score))
            else:
                self.scores[each.of] = each.score
        for pair, told in scored.items():
            self.estimates[pair] = told[-1][1]
        self.samples = [_rescored(sample, scored) if sample.pairs else sample for sample in self.samples]

    def _advance(self, t_s: float) -> None:
        """Take the samples that were due before that time."""
        if self.truth is None:
            return
        due = self.samples[-1].t_s + self._every if self.samples else self._every
        while due < t_s:
            self._sample(due)
            due = self.samples[-1].t_s + self._every

    def _sample(self, t_s: float) -> None:
        felt = self.felt
        self.samples.append(PerceptionSample(t_s, perceived(felt), felt if len(felt) <= MAX_FEW_PAIRS else {}))
        if len(self.samples) > MAX_SAMPLES:
            self.samples, self._every = self.samples[1::2], self._every * 2

    def true(self, pair: Pair, t_s: float) -> float | None:
        """Return the feeling that a script prescribes for a pair at that time, or None."""
        observer, other = pair
        script = self.truth.feelings.get(other, {}).get(observer) if self.truth is not None else None
        return scripted(script, t_s) if script else None


def profiles_in(value: object) -> Iterator[tuple[str, float, str]]:
    """Yield (observed player, sentiment, sentence) of each profile in the value of a slot."""
    for name, told in value.items() if isinstance(value, Mapping) else ():
        felt = told.get("sentiment") if isinstance(told, Mapping) else None
        if isinstance(felt, (int, float)) and abs(felt) <= MAX_FELT:
            yield name, float(felt), str(told.get("summary", ""))


def _rescored(sample: PerceptionSample, scored: Mapping[Pair, Sequence[tuple[float, float]]]) -> PerceptionSample:
    """Return a sample with the last score of each pair until then."""
    until = {pair: [score for t_s, score in told if t_s <= sample.t_s] for pair, told in scored.items()}
    pairs = {pair: until[pair][-1] if until.get(pair) else felt for pair, felt in sample.pairs.items()}
    return PerceptionSample(sample.t_s, perceived(pairs), pairs)


def perceived(felt: Mapping[Pair, float]) -> dict[str, tuple[float, int]]:
    """Return player -> (mean estimate of its observers, number of observers)."""
    found: dict[str, list[float]] = {}
    for (_, other), value in felt.items():
        found.setdefault(other, []).append(value)
    return {name: (sum(values) / len(values), len(values)) for name, values in found.items()}


def perception_history(lines: Iterable[log.LogLine]) -> PerceptionHistory:
    """Return the estimates in the last attempt of a log."""
    found = PerceptionHistory()
    for line in lines:
        found.add_event(line.event)
    return found
