"""Runs grouped by condition, summaries of their measures, and the result in one sentence."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from accord.analysis.answers import decisions, rates_in_words
from accord.analysis.claims import DifferenceClaim, joined, number, sentences
from accord.analysis.effects import Effect, effects
from accord.analysis.figures import EACH, MEASURES, SUM, TOGETHER, Key, common_bounds, figure_name, seeds_of, series
from accord.analysis.intervals import Interval
from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.plan import AnalysisPlan
from accord.analysis.replication import CallOverlap, call_overlap
from accord.analysis.report.model import ReportedRun
from accord.analysis.report.published import PUBLISHED, PublishedFigures
from accord.analysis.report.setups import Setup
from accord.analysis.statistics import Contrast, contrasts
from accord.analysis.validity import APART, WORDS, Treatment, Verdicts, together
from contracts.agreement import JudgeAgreement, pooled
from dilemmas.records.answers import RoleAnswers

if TYPE_CHECKING:
    from grid_games.learning_curves import LearningCurve

BASELINE = "none"
ALWAYS = ("welfare", "gini")
"""Measures whose differences are always shown, even if they are 0."""
WELFARE: Key = ("welfare", TOGETHER)
MAX_CLAIMS = 4
"""Maximum number of differences in the sentence."""
ALL_PAIRS = 3
"""Maximum number of conditions of which the sentence compares all pairs; of more, each with the first."""
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
        seed, bounds = self.runs[0].seed, common_bounds(run.bounds for run in self.scored)
        return {key: summarize(values, seed).cut_to(bounds[key]) for key, values in self.samples.items()}

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
    learning: tuple[LearningCurve, ...] = ()
    """Learning curves of the policies that played, if files with them were given."""

    @property
    def plan(self) -> AnalysisPlan:
        """The declared analysis; an empty one if the runs' studies declared different ones."""
        plans = {run.plan for run in self.runs}
        return plans.pop() if len(plans) == 1 else AnalysisPlan()

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

    @property
    def fallback(self) -> str:
        """Test of the differences that the plan's test of equal seeds cannot compare, in words; empty without any."""
        if self.plan.paired and any(each.paired is None for each in self.contrasts):
            return "permutation test where seeds repeat or fewer than two are shared"
        return ""

    @cached_property
    def contrasts(self) -> Sequence[Contrast]:
        """Every pair of conditions in every compared measure."""
        samples = {condition.name: condition.samples for condition in self.conditions}
        seeds = {each.name: seeds_of((run.seed, run.figures) for run in each.scored) for each in self.conditions}
        return contrasts(samples, self.runs[0].seed, seeds, self.plan, self._bounds)

    @cached_property
    def effects(self) -> Sequence[Effect]:
        """Main effects of factors, if several are crossed."""
        samples = {condition.name: condition.samples for condition in self.conditions}
        levels = {condition.name: condition.levels for condition in self.conditions}
        return effects(samples, levels, self.runs[0].seed, self._bounds)

    @property
    def _bounds(self) -> Mapping[Key, Interval]:
        """Least and most possible value of each measure, over all conditions."""
        return common_bounds(run.bounds for condition in self.conditions for run in condition.scored)

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
        """Unit of rewards: emeralds, or items if one item that is no emerald counts 1 for everybody."""
        prices = {(item, price) for run in self.runs for each in run.prices.values() for item, price in each.items()}
        (item, price), *others = prices or {("", 0.0)}
        return "items" if item not in ("", "emerald") and price == 1 and not others else "emeralds"

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
    def pairing(self) -> str:
        """Warning that tests in pairs of equal seeds come to other verdicts; empty if none does."""
        changed = [
            f"{title(each.key[0])}, {' and '.join(each.of)} (p = {each.p_holm:.3f} and {in_pairs:.3f})"
            for each in self.notable
            if each.verdict_changes and (in_pairs := each.evidence(paired=True)[2]) is not None
        ]
        if not changed:
            return ""
        option = "--mixed" if self.plan.mixed else "--paired"
        other = f"without {option}, runs count as independent" if self.plan.paired else "--paired tests pairs"
        return f"Independent runs and pairs of equal seeds have different verdicts: {'; '.join(changed)}; {other}."

    @property
    def unfitted(self) -> str:
        """Notable differences whose mixed model has no p though runs vary, with the reasons; empty if none is."""
        reasons: dict[str, list[str]] = {}
        for each in self.notable:
            fit = each.paired.mixed if each.paired else None
            if fit is not None and fit.problem and each.found.p is not None:
                reasons.setdefault(fit.problem, []).append(f"{title(each.key[0])}, {' and '.join(each.of)}")
        told = [f"{'; '.join(of)} ({problem})" for problem, of in reasons.items()]
        return f"The mixed model has no p for {'; '.join(told)}." if told else ""

    @property
    def undeclared(self) -> str:
        """Declared outcomes and comparisons that these runs do not have; empty if all are there."""
        named = {figure_name(key) for each in self.conditions for key in each.samples}
        conditions = {each.name for each in self.conditions}
        missing = [each for each in self.plan.primary if each not in named]
        missing += [" and ".join(pair) for pair in self.plan.compare if not {*pair} <= conditions]
        return f"Declared, but not in these runs: {', '.join(missing)}." if missing else ""

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings beside the tests."""
        return tuple(filter(None, (self.pairing, self.unfitted, self.undeclared)))

    @property
    def replication(self) -> str:
        """Warning that answers or whole runs repeat each other; empty if none does."""
        told = [f"{each.name}: {each.repeated.words}" for each in self.conditions if each.repeated.words]
        if not any(each.repeated.copies for each in self.conditions):
            return f"Repeated answers: {'; '.join(told)}." if told else ""
        advice = "intervals and tests in the tables take them for independent runs"
        return f"Pseudo-replication: {'; '.join(told)}; {advice}."

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


def _claims(comparison: Comparison) -> list[DifferenceClaim]:
    """Return claims about welfare: of each factor, or else of pairs of conditions."""
    factors = [each for each in comparison.effects if each.key == WELFARE]
    if factors:
        return [_factor_claim(each, comparison) for each in factors]
    baseline, *others = [each for each in comparison.conditions if each.measure(WELFARE[0])]
    pairs = [(each, baseline) for each in others]
    if baseline.name != BASELINE and len(others) == ALL_PAIRS - 1:
        pairs.append((others[1], others[0]))
    return [_pair_claim(first, second, comparison) for first, second in pairs]


def _factor_claim(effect: Effect, comparison: Comparison) -> DifferenceClaim:
    """Return the claim about two levels of a factor, over all combinations of the others."""
    names = tuple(f"{effect.factor}={level}" for level in effect.of)
    means = [
        statistics.fmean(
            value
            for each in comparison.conditions
            if each.levels.get(effect.factor) == level
            for value in each.samples.get(effect.key, ())
        )
        for level in effect.of
    ]
    repeated = any(each.repeated.copies for each in comparison.conditions)
    return DifferenceClaim(
        title(effect.key[0]), (names[0], names[1]), (means[0], means[1]), effect.difference, effect.ci95, effect.p_holm,
        effect.n, repeated=repeated, unit=comparison.unit,
    )  # fmt: skip


def _pair_claim(first: ConditionRuns, second: ConditionRuns, comparison: Comparison) -> DifferenceClaim:
    """Return the claim about the welfare of two conditions."""
    sides = (first, second)
    means = [each.summaries[WELFARE].mean for each in sides]
    bare = DifferenceClaim(
        WELFARE[0], (first.name, second.name), (means[0], means[1]), means[0] - means[1], unit=comparison.unit,
        n=(len(first.samples[WELFARE]), len(second.samples[WELFARE])),
        repeated=any(each.repeated.copies for each in sides),
    )  # fmt: skip
    contrast = next(
        (each for each in comparison.contrasts if each.key == WELFARE and {*each.of} == {first.name, second.name}), None
    )
    if contrast is None:
        return bare
    paired = contrast.paired if comparison.plan.paired else None
    difference, ends, p = contrast.evidence(paired=paired is not None)
    if contrast.of[0] != first.name:
        difference, ends = -difference, None if ends is None else (-ends[1], -ends[0])
    fit = paired.mixed if paired else None
    return replace(
        bare, difference=difference, ci95=ends, p=p, paired=paired is not None, mixed=fit is not None,
        n=(paired.pairs, paired.pairs) if paired and fit is None else bare.n, problem=fit.problem if fit else "",
        exploratory=contrast.declared is False,
    )  # fmt: skip


def _sentence(comparison: Comparison) -> str:
    with_figures = [each for each in comparison.conditions if each.measure("welfare")]
    if not with_figures:
        return "No run was finished: there is nothing to compare yet."
    optimum = comparison.published.optimum
    best = [f"The best possible welfare is {number(optimum)}."] if optimum else []
    unsigned = [each.name for each in with_figures if _negotiated(each) and not any(_signed(run) for run in each.runs)]
    none = [f"No contract was agreed in {joined(unsigned)}."] if unsigned else []
    claims = sentences(_claims(comparison))
    if not claims:
        (alone,) = with_figures
        claims = [f"{alone.name} reached welfare {number(alone.summaries[WELFARE].mean)} in {_runs(alone)}."]
    return " ".join([*claims[:MAX_CLAIMS], *_more(claims), _ginis(with_figures), *best, *none])


def _more(claims: Sequence[str]) -> list[str]:
    left = len(claims) - MAX_CLAIMS
    return [f"{left} more comparisons are in the table of differences."] if left > 0 else []


def _runs(condition: ConditionRuns) -> str:
    count = len(condition.samples[WELFARE])
    return "one run" if count == 1 else f"{count} runs"


def _ginis(conditions: Sequence[ConditionRuns]) -> str:
    """Return the Gini coefficients as those of these runs, which claims nothing beyond them."""
    told = [
        f"{found.mean:.2f} ({each.name})" if (found := each.measure("gini")) else f"undefined ({each.name})"
        for each in conditions
    ]
    return f"Gini in these runs: {', '.join(told)}."


def _negotiated(condition: ConditionRuns) -> bool:
    return any(run.contract_kind == "negotiated" for run in condition.runs)


def _signed(run: ReportedRun) -> bool:
    """Return whether a contract bound the players of a run: a negotiation may end without one."""
    dealt = run.bargains is not None and any(deal.agreed for deal in run.bargains.deals.values())
    return dealt or any(talk.contract is not None for talk in run.talks)
