"""Results of generations: payoffs, cooperation, shares of strategies, and the lineage. Pure functions over records.

Each seed is one lineage and gives one value for each generation and measure; intervals are of their mean.

    payoff        mean payoff of a member in a game, with what it has at the start (final resources of donations)
    cooperation   mean cooperation rate of the members' own choices; in donations the mean share given
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from statistics import fmean
from typing import Any

from accord.analysis.intervals import SHARES
from accord.analysis.measures import MeasureSummary, summarize
from voyager_agents.stage_games.populations import PopulationMember

PAYOFF, COOPERATION = "payoff", "cooperation"
MEASURES = (PAYOFF, COOPERATION)


@dataclass(frozen=True)
class PlayedMember:
    """A member of a population with its results in one generation."""

    member: PopulationMember
    payoff: float
    cooperation: float | None
    """None without a rated choice."""
    fault: str = ""
    """Error of its model's answer if it wrote no usable strategy."""


@dataclass(frozen=True)
class Generation:
    """One generation of one lineage."""

    seed: int
    number: int
    """Number from 1."""
    members: tuple[PlayedMember, ...]
    invalid: int = 0
    """Games in which a player's model gave too few usable answers."""

    def value(self, measure: str) -> float | None:
        """Return the mean of a measure over the members; None without a value."""
        values = [getattr(each, measure) for each in self.members]
        known = [each for each in values if each is not None]
        return fmean(known) if known else None

    def share(self, kind: str) -> float:
        """Return the share of members of a kind."""
        return sum(each.member.kind == kind for each in self.members) / len(self.members)


@dataclass(frozen=True)
class LineageLink:
    """One line of the lineage: a member that has learned from another one."""

    seed: int
    generation: int
    """Generation in which the learner plays for the first time."""
    learner: str
    teacher: str


@dataclass(frozen=True)
class Generations:
    """All generations of all lineages."""

    scenario: str
    names: tuple[str, ...]
    seed: int
    """First seed."""
    generations: tuple[Generation, ...]
    survivors: int
    mutation: float
    world: str = "none"
    programs: bool = False
    """True if members are programs, which are their texts."""

    @cached_property
    def seeds(self) -> list[int]:
        """Seeds of the lineages."""
        return sorted({each.seed for each in self.generations})

    @cached_property
    def last(self) -> int:
        """Number of the last generation."""
        return max(each.number for each in self.generations)

    def of_seed(self, seed: int) -> list[Generation]:
        """Return the generations of one lineage, in order."""
        return [each for each in self.generations if each.seed == seed]

    def summary(self, measure: str, number: int) -> MeasureSummary | None:
        """Return the summary of a measure over the seeds in a generation; None without a value."""
        return self._summary(number, lambda each: each.value(measure))

    def share(self, kind: str, number: int) -> MeasureSummary:
        """Return the summary of the share of a kind over the seeds in a generation."""
        found = self._summary(number, lambda each: each.share(kind))
        assert found is not None, "every generation has shares"
        return found.cut_to(SHARES)

    def _summary(self, number: int, value: Callable[[Generation], float | None]) -> MeasureSummary | None:
        found = [value(each) for each in self.generations if each.number == number]
        known = [each for each in found if each is not None]
        return summarize(known, self.seed) if known else None

    def lessons(self) -> Iterator[LineageLink]:
        """Yield who has learned from whom, oldest first."""
        for each in self.generations:
            for played in each.members:
                if played.member.id.startswith(f"{each.number}."):
                    yield from (
                        LineageLink(each.seed, each.number, played.member.id, teacher)
                        for teacher in played.member.parents
                    )

    @property
    def faults(self) -> int:
        """Number of members whose model wrote no usable strategy, each counted once."""
        return len({(each.seed, one.member.id) for each in self.generations for one in each.members if one.fault})

    def sentence(self) -> str:
        """Return the result in a sentence."""
        ends = Counter({name: self.share(name, self.last).mean for name in self.names})
        told = f"After {self.last} generations {', '.join(f'{name} {100 * part:.0f} %' for name, part in _most(ends))}"
        first, last = (self.summary(COOPERATION, number) for number in (1, self.last))
        if first is not None and last is not None:
            told += f"; cooperation went from {first.mean:.2f} to {last.mean:.2f}"
        if self.last > 1 and len(self.seeds) < 5:
            told += ". So few seeds have no interval: play more (--seeds 10)"
        if self.faults:
            told += f". {self.faults} members wrote no usable strategy and played without one"
        if invalid := sum(each.invalid for each in self.generations):
            told += f". Stand-ins played in {invalid} games, since a model gave too few usable answers"
        return f"{told}."

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        return {
            "scenario": self.scenario,
            "world": self.world,
            "seed": self.seed,
            "survivors": self.survivors,
            "mutation": self.mutation,
            "generations": [
                {
                    "number": number,
                    **{
                        measure: None if (found := self.summary(measure, number)) is None else found.to_dict()
                        for measure in MEASURES
                    },
                    "shares": {name: self.share(name, number).to_dict() for name in self.names},
                }
                for number in range(1, self.last + 1)
            ],
            "lineage": [asdict(each) for each in self.lessons()],
        }


def _most(shares: Counter[str]) -> list[tuple[str, float]]:
    return [(name, part) for name, part in shares.most_common(3) if part > 0]
