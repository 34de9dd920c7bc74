"""Runs grouped by condition, their figures summarized, and what the comparison says in one sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dilemmas.measures import Summary, summarize
from dilemmas.report.model import Account, Run
from dilemmas.report.published import PUBLISHED, Published

BASELINE = "none"


@dataclass(frozen=True)
class Condition:
    """All runs of one condition."""

    name: str
    runs: tuple[Run, ...]

    @property
    def scored(self) -> tuple[Run, ...]:
        """The runs whose figures count."""
        return tuple(run for run in self.runs if run.scored)

    def measure(self, name: str) -> Summary | None:
        """A measure of the result over the scored runs; None when no run defines it."""
        values = [run.measures[name] for run in self.scored if name in run.measures]
        return summarize(values) if values else None

    def payoff(self, player: str) -> Summary | None:
        """What one player has after transfers, over the scored runs."""
        return self._account(player, lambda account: account.payoff)

    def transfer(self, player: str) -> Summary | None:
        """What the contract moved to one player, over the scored runs."""
        return self._account(player, lambda account: account.transfer)

    def _account(self, player: str, figure: Callable[[Account], float]) -> Summary | None:
        values = [figure(run.accounts[player]) for run in self.scored if player in run.accounts]
        return summarize(values) if values else None


@dataclass(frozen=True)
class Comparison:
    """What one report is about."""

    scenario: str
    players: tuple[str, ...]
    items: tuple[str, ...]
    """Items that pay."""
    conditions: tuple[Condition, ...]

    @property
    def published(self) -> Published:
        """What the literature gives for this scenario with these prices; empty where nothing is known."""
        known = PUBLISHED.get(self.scenario, Published())
        fits = not known.prices or all(run.prices == known.prices for run in self.runs)
        return known if fits else Published()

    @property
    def runs(self) -> tuple[Run, ...]:
        """All runs, by condition."""
        return tuple(run for condition in self.conditions for run in condition.runs)

    @property
    def worlds(self) -> tuple[str, ...]:
        """The worlds that runs were made in."""
        return tuple(dict.fromkeys(run.world for run in self.runs))

    @property
    def seeds(self) -> tuple[int, ...]:
        """All seeds, ascending."""
        return tuple(sorted({run.seed for run in self.runs}))

    @property
    def repeated(self) -> bool:
        """Whether any condition has several runs, so that there are intervals."""
        return any(len(condition.scored) > 1 for condition in self.conditions)

    @property
    def unscored(self) -> tuple[Run, ...]:
        """Runs that are left out of the figures."""
        return tuple(run for run in self.runs if not run.scored)

    def sentence(self) -> str:
        """The verdict of the study."""
        return _sentence(self)


def compare(runs: Sequence[Run]) -> Comparison:
    """Group by condition: the baseline first, the others as they were given."""
    names = list(dict.fromkeys(run.condition for run in runs))
    names.sort(key=lambda name: name != BASELINE)
    conditions = tuple(Condition(name, tuple(run for run in runs if run.condition == name)) for name in names)
    players = tuple(dict.fromkeys(player for run in runs for player in run.players))
    items = tuple(dict.fromkeys(item for run in runs for item in run.paying_items))
    return Comparison(runs[0].scenario, players, items, conditions)


def number(value: float) -> str:
    """A figure as people read it: at most two decimals, none that say nothing."""
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"


def _sentence(comparison: Comparison) -> str:
    with_figures = [each for each in comparison.conditions if each.measure("welfare")]
    if not with_figures:
        return "No run was finished: there is nothing to compare yet."
    optimum = comparison.published.optimum
    best = f" ({number(optimum)} is the best possible)" if optimum else ""
    baseline, *treated = with_figures
    if baseline.name != BASELINE or not treated:
        alone = [f"{each.name} reached welfare {_welfare(each)}, Gini {_gini(each)}" for each in with_figures]
        return f"{_and(alone)}{best}."
    outcomes = _and([f"{_welfare(each)} with {each.name}" for each in treated])
    inequality = _and([_gini(each) for each in treated])
    return (
        f"{_verb(baseline, treated)}: from {_welfare(baseline)} emeralds without a contract to {outcomes}{best}; "
        f"the Gini went from {_gini(baseline)} to {inequality}."
    )


def _verb(baseline: Condition, treated: Sequence[Condition]) -> str:
    better = [each for each in treated if _mean(each, "welfare") > _mean(baseline, "welfare") + 1e-9]
    if better and len(better) == len(treated):
        return "Contracts raised welfare" if len(treated) > 1 else "The contract raised welfare"
    return f"Welfare rose with {_and([each.name for each in better])} only" if better else "No contract raised welfare"


def _mean(condition: Condition, name: str) -> float:
    summary = condition.measure(name)
    return summary.mean if summary else 0.0


def _welfare(condition: Condition) -> str:
    return number(_mean(condition, "welfare"))


def _gini(condition: Condition) -> str:
    inequality = condition.measure("gini")
    return f"{inequality.mean:.2f}" if inequality else "undefined"


def _and(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)
