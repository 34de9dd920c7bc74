"""Runs grouped by condition, summaries of their measures, and the result in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from accord.analysis.answers import decisions, rates_in_words
from accord.analysis.effects import Effect, effects
from accord.analysis.figures import EACH, MEASURES, SUM, TOGETHER, Key, series
from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.replication import CallOverlap, call_overlap
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.published import PUBLISHED, PublishedFigures
from accord.analysis.report.setups import Setup
from accord.analysis.statistics import Contrast, contrasts
from accord.analysis.validity import APART, WORDS, Treatment, Verdicts, together
from contracts.agreement import JudgeAgreement, pooled
from dilemmas.records.answers import RoleAnswers

BASELINE = "none"
ALWAYS = ("welfare", "gini")
"""Measures whose differences are always shown, even if they are 0."""
WHOLE_FROM = 1000
"""Displayed numbers from here on have no decimals."""
TITLES: Mapping[str, str] = {"gini": "Gini", "gini_plain": "Gini, plain", "game_s": "game time (s)"}
"""Measures with a title other than their name."""
_POLICIES: Mapping[Treatment, str] = {
    "apart": "shown apart, not in the figures",
    "exclude": "left out of the figures",
    "zero": "counted as ended",
}


@dataclass(frozen=True)
class ConditionRuns:
    """All runs of one condition."""

    name: str
    runs: tuple[ReportedRun, ...]
    aside: bool = False
    """True if these are invalid runs that are shown apart."""

    @property
    def scored(self) -> tuple[ReportedRun, ...]:
        """Runs whose measures count."""
        return tuple(run for run in self.runs if run.scored or (self.aside and run.accounts))

    @property
    def invalid(self) -> tuple[ReportedRun, ...]:
        """Invalid runs."""
        return tuple(run for run in self.runs if run.invalid)

    @property
    def apart(self) -> ConditionRuns | None:
        """Invalid runs as a group of their own, if they are shown apart."""
        shown = tuple(run for run in self.invalid if run.policy == APART)
        return ConditionRuns(self.name, shown, aside=True) if shown and not self.aside else None

    @cached_property
    def verdicts(self) -> Verdicts:
        """Quality of a model's verdicts over all runs."""
        return together(run.verdicts for run in self.runs)

    @cached_property
    def answers(self) -> tuple[RoleAnswers, ...]:
        """Answers of models by player, role and model of each run that recorded them."""
        return tuple(each for run in self.runs for each in run.answers or ())

    @property
    def unrecorded(self) -> int:
        """Number of runs with models that recorded no kinds of answers."""
        return sum(run.answers is None for run in self.runs)

    @cached_property
    def repeated(self) -> CallOverlap:
        """Overlap between the model calls of the seeds."""
        return call_overlap([(run.seed, run.sent_calls) for run in self.runs])

    @property
    def caveat(self) -> str:
        """Warning beside the condition's measures; empty without one."""
        told, found = [], self.verdicts
        if found.invalid:
            share = f"{100 * found.invalid / found.given:.0f} %"
            told.append(f"{found.invalid} of {found.given} verdicts ({share}) could not be read")
        if rates := rates_in_words(decisions(self.answers)):
            told.append(rates)
        for why, what in WORDS.items():
            if runs := [run for run in self.invalid if run.invalid == why]:
                said = f"{len(runs)} of {len(self.runs)} runs with {_article(what, len(runs))}"
                told.append(f"{said} {_POLICIES[runs[0].policy]}")
        if len(self.setups) > 1:
            told.append(f"runs of {len(self.setups)} setups are averaged (other models or settings)")
        return f"{self.name}: {', '.join(told)}" if told else ""

    @property
    def levels(self) -> Mapping[str, str]:
        """Factor -> level, the contract included; empty without further factors."""
        factors = self.runs[0].setup.factors
        if not factors:
            return {}
        varied = "".join(f"+{factor}={level}" for factor, level in factors)
        return {"contract": self.name.removesuffix(varied), **dict(factors)}

    @cached_property
    def setups(self) -> Mapping[Setup, tuple[ReportedRun, ...]]:
        """Setup -> its runs; older records without a setup are left out."""
        found: dict[Setup, tuple[ReportedRun, ...]] = {}
        for run in self.runs:
            if run.setup.hash:
                found[run.setup] = (*found.get(run.setup, ()), run)
        return found

    @cached_property
    def samples(self) -> Mapping[Key, Sequence[float]]:
        """Every measure of the scored runs."""
        return series(run.figures for run in self.scored)

    @cached_property
    def summaries(self) -> Mapping[Key, MeasureSummary]:
        """Every measure summarized over the scored runs, with the same seed as in result.json."""
        seed = self.runs[0].seed
        return {key: summarize(values, seed) for key, values in self.samples.items()}

    @cached_property
    def judges(self) -> JudgeAgreement | None:
        """Agreement of two judges over all verdicts of the scored runs; None with a single judge."""
        verdicts = [each.verdict for run in self.scored for each in run.episodes if each.verdict]
        return pooled([verdict.agreement for verdict in verdicts if verdict.agreement])

    def measure(self, name: str, player: str = TOGETHER) -> MeasureSummary | None:
        """Return the summary of a measure over the scored runs, or None if no run defines it."""
        return self.summaries.get((name, player))


@dataclass(frozen=True)
class Comparison:
    """All conditions of one report."""

    scenario: str
    players: tuple[str, ...]
    items: tuple[str, ...]
    """Items that pay."""
    conditions: tuple[ConditionRuns, ...]

    @property
    def published(self) -> PublishedFigures:
        """Published results for this scenario with these prices; empty if unknown."""
        known = PUBLISHED.get(self.scenario, PublishedFigures())
        fits = not known.prices or all(run.prices == known.prices for run in self.runs)
        return known if fits else PublishedFigures()

    @property
    def runs(self) -> tuple[ReportedRun, ...]:
        """All runs, by condition."""
        return tuple(run for condition in self.conditions for run in condition.runs)

    @property
    def answers(self) -> tuple[RoleAnswers, ...]:
        """Answers of models in all conditions."""
        return tuple(each for condition in self.conditions for each in condition.answers)

    @property
    def answered(self) -> bool:
        """Return whether a model answered in any run."""
        return bool(self.answers) or any(condition.unrecorded for condition in self.conditions)

    @property
    def worlds(self) -> tuple[str, ...]:
        """Worlds of the runs."""
        return tuple(dict.fromkeys(run.world for run in self.runs))

    @property
    def seeds(self) -> tuple[int, ...]:
        """All seeds, ascending."""
        return tuple(sorted({run.seed for run in self.runs}))

    @cached_property
    def contrasts(self) -> Sequence[Contrast]:
        """Every pair of conditions in every compared measure."""
        samples = {condition.name: condition.samples for condition in self.conditions}
        return contrasts(samples, self.runs[0].seed)

    @cached_property
    def effects(self) -> Sequence[Effect]:
        """Main effects of factors, if several are crossed."""
        samples = {condition.name: condition.samples for condition in self.conditions}
        levels = {condition.name: condition.levels for condition in self.conditions}
        return effects(samples, levels, self.runs[0].seed)

    @property
    def notable_effects(self) -> Sequence[Effect]:
        """Effects on all players together; beside welfare and Gini only those other than 0."""
        together = [each for each in self.effects if each.key[1] == TOGETHER]
        return [each for each in together if each.key[0] in ALWAYS or each.difference]

    @property
    def notable(self) -> Sequence[Contrast]:
        """Contrasts of all players together; beside welfare and Gini only those that differ."""
        together = [each for each in self.contrasts if each.key[1] == TOGETHER]
        return [each for each in together if each.key[0] in ALWAYS or each.found.difference]

    @property
    def per_player(self) -> Sequence[Contrast]:
        """Contrasts of a single player."""
        return [each for each in self.contrasts if each.key[1] != TOGETHER]

    @property
    def own_measures(self) -> tuple[str, ...]:
        """Measures that only this scenario has."""
        names = (measure for each in self.conditions for measure, player in each.samples if player == TOGETHER)
        return tuple(dict.fromkeys(name for name in names if name not in MEASURES))

    @property
    def each_measures(self) -> tuple[str, ...]:
        """The scenario's own measures that have no value for all players together."""
        ways = {name: how for run in self.runs for name, how in run.gathered.items()}
        return tuple(name for name, how in ways.items() if how == EACH)

    def gathered(self, measure: str) -> str:
        """Return the way to aggregate a measure over players: `sum`, `mean` or `each`."""
        return next((run.gathered[measure] for run in self.runs if measure in run.gathered), SUM)

    @property
    def unit(self) -> str:
        """Unit of rewards: emeralds, or items if one item counts 1 for everybody."""
        prices = {(item, price) for run in self.runs for each in run.prices.values() for item, price in each.items()}
        (item, price), *others = prices or {("", 0.0)}
        return "items" if item and price == 1 and not others else "emeralds"

    @property
    def judged_twice(self) -> tuple[ConditionRuns, ...]:
        """Conditions with two judges."""
        return tuple(condition for condition in self.conditions if condition.judges)

    @property
    def blocks(self) -> tuple[str, ...]:
        """Blocks of the world that the scenario counts."""
        return tuple(dict.fromkeys(block for run in self.runs for block in run.blocks))

    @property
    def groups(self) -> Mapping[str, tuple[str, ...]]:
        """Parts of the population, name -> players, if there are several."""
        found: dict[str, list[str]] = {}
        for run in self.runs:
            for player, terms in run.terms.items():
                if player not in found.setdefault(terms.group, []):
                    found[terms.group].append(player)
        return {name: tuple(players) for name, players in found.items()} if len(found) > 1 else {}

    @property
    def in_rounds(self) -> bool:
        """Return whether players decided in rounds, so that times are rounds."""
        return any(episode.in_rounds for run in self.runs for episode in run.episodes)

    @property
    def repeated(self) -> bool:
        """Return whether any condition has several runs, and so intervals."""
        return any(len(condition.scored) > 1 for condition in self.conditions)

    @property
    def unscored(self) -> tuple[ReportedRun, ...]:
        """Runs that are left out of the measures."""
        return tuple(run for run in self.runs if not run.scored)

    @property
    def caveat(self) -> str:
        """Warning beside measures: unusable answers, invalid verdicts and runs, different setups; empty without one."""
        told = [each.caveat for each in self.conditions if each.caveat]
        return f"To be known: {'; '.join(told)}." if told else ""

    @property
    def replication(self) -> str:
        """Warning of pseudo-replication; empty without one."""
        told = [f"{each.name}: {each.repeated.words}" for each in self.conditions if each.repeated.words]
        advice = "the intervals and tests take them for independent runs: set a temperature above 0"
        return f"Pseudo-replication: {'; '.join(told)}; {advice}." if told else ""

    @property
    def with_models(self) -> tuple[ConditionRuns, ...]:
        """Conditions in which models played, or with several setups."""
        return tuple(
            each for each in self.conditions if len(each.setups) > 1 or any(setup.models for setup in each.setups)
        )

    @property
    def judged(self) -> tuple[ConditionRuns, ...]:
        """Conditions with a model as judge, or with invalid runs."""
        return tuple(each for each in self.conditions if each.verdicts.given or each.invalid)

    def sentence(self) -> str:
        """Return the study's result in a sentence."""
        return " ".join(part for part in (_sentence(self), self.caveat) if part)


def compare(runs: Sequence[ReportedRun]) -> Comparison:
    """Group runs by condition: the baseline first, the others in the given order."""
    names = list(dict.fromkeys(run.condition for run in runs))
    names.sort(key=lambda name: name.partition("+")[0] != BASELINE)
    ordered = sorted(runs, key=lambda run: run.seed)
    conditions = tuple(ConditionRuns(name, tuple(run for run in ordered if run.condition == name)) for name in names)
    players = tuple(dict.fromkeys(player for run in runs for player in run.players))
    items = tuple(dict.fromkeys(item for run in runs for item in run.paying_items))
    return Comparison(runs[0].scenario, players, items, conditions)


def _article(what: str, count: int) -> str:
    return what if what.endswith("off") else f"an {what}" if count == 1 else f"{what}s"


def title(measure: str) -> str:
    """Return a measure's title."""
    return TITLES.get(measure, measure.replace("_", " "))


def number(value: float) -> str:
    """Return a number for display: at most two decimals, no trailing zeros, no decimals from a thousand on."""
    if abs(value) >= WHOLE_FROM:
        return f"{value:.0f}"
    return f"{value:.2f}".rstrip("0").rstrip(".") if value else "0"


def _sentence(comparison: Comparison) -> str:
    with_figures = [each for each in comparison.conditions if each.measure("welfare")]
    if not with_figures:
        return "No run was finished: there is nothing to compare yet."
    optimum = comparison.published.optimum
    best = f" ({number(optimum)} is the best possible)" if optimum else ""
    baseline, *treated = with_figures
    contracts = all(run.contract_kind != "none" for each in treated for run in each.runs)
    unsigned = [each.name for each in treated if contracts and not any(_signed(run) for run in each.runs)]
    if baseline.name != BASELINE or not treated or not contracts or unsigned:
        alone = [f"{each.name} reached welfare {_welfare(each)}, Gini {_gini(each)}" for each in with_figures]
        none = f" No contract was agreed in {_and(unsigned)}." if unsigned else ""
        return f"{_and(alone)}{best}.{none}"
    outcomes = _and([f"{_welfare(each)} with {each.name}" for each in treated])
    inequality = _and([_gini(each) for each in treated])
    before = f"{_welfare(baseline)} {comparison.unit} without a contract"
    return (
        f"{_verb(baseline, treated)}: from {before} to {outcomes}{best}; "
        f"the Gini went from {_gini(baseline)} to {inequality}."
    )


def _signed(run: ReportedRun) -> bool:
    """Return whether a contract bound the players of a run: a negotiation may end without one."""
    return run.contract_kind != "negotiated" or any(talk.contract is not None for talk in run.talks)


def _verb(baseline: ConditionRuns, treated: Sequence[ConditionRuns]) -> str:
    better = [each for each in treated if _mean(each, "welfare") > _mean(baseline, "welfare") + 1e-9]
    if better and len(better) == len(treated):
        return "Contracts raised welfare" if len(treated) > 1 else "The contract raised welfare"
    return f"Welfare rose with {_and([each.name for each in better])} only" if better else "No contract raised welfare"


def _mean(condition: ConditionRuns, name: str) -> float:
    summary = condition.measure(name)
    return summary.mean if summary else 0.0


def _welfare(condition: ConditionRuns) -> str:
    return number(_mean(condition, "welfare"))


def _gini(condition: ConditionRuns) -> str:
    inequality = condition.measure("gini")
    return f"{inequality.mean:.2f}" if inequality else "undefined"


def _and(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)
