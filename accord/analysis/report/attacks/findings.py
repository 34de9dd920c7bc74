"""Attacks: runs with an adversary against clean runs with the same seeds, in which all other factors are equal.

welfare_lost      welfare of the clean run less that of the attacked run
others_lost       the same for the payoffs of all players that are no adversaries
adversary_gained  what the adversaries were paid beyond what they were paid in the clean run
victims           other players that were paid less than in the clean run, for each adversary
votes_swayed      voters whose votes on the rate lean another way than in the clean run (taxation), for each adversary
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from accord.analysis.intervals import NON_NEGATIVE, UNBOUNDED
from accord.analysis.measures import MeasureSummary, summarize, welfare
from accord.analysis.report.comparison import Comparison, ConditionRuns
from accord.analysis.report.model import ReportedRun

FACTOR = "adversary"
CLEAN = "none"
COUNTS = ("victims", "votes_swayed")
MEASURES = ("welfare_lost", "others_lost", "adversary_gained", *COUNTS)


@dataclass(frozen=True)
class AttackedPair:
    """An attacked run and the clean run with the same seed."""

    attacked: ReportedRun
    clean: ReportedRun
    adversaries: tuple[str, ...]

    @property
    def values(self) -> Mapping[str, float]:
        """Measure -> value; those that do not apply to the scenario are left out."""
        found: dict[str, float] = {}
        after, before = self.attacked.accounts, self.clean.accounts
        others = [name for name in before if name in after and name not in self.adversaries]
        if any(account.payoff for account in (*before.values(), *after.values())):
            found["welfare_lost"] = welfare(each.payoff for each in before.values()) - welfare(
                each.payoff for each in after.values()
            )
            lost = {name: before[name].payoff - after[name].payoff for name in others}
            found["others_lost"] = welfare(lost.values())
            found["adversary_gained"] = welfare(
                after[name].payoff - before[name].payoff for name in self.adversaries if name in before
            )
            found["victims"] = sum(value > 0 for value in lost.values()) / len(self.adversaries)
        if self.attacked.taxes is not None and self.clean.taxes is not None:
            now, then = self.attacked.taxes, self.clean.taxes
            voters = [name for name in then.voters if name not in self.adversaries]
            found["votes_swayed"] = sum(now.lean(name) != then.lean(name) for name in voters) / len(self.adversaries)
        return found


@dataclass(frozen=True)
class AttackedCondition:
    """All pairs of one attacked condition and its clean one."""

    condition: str
    clean: str
    adversary: str
    """Level of the factor: `NAME:KIND`, several joined by `+`."""
    pairs: tuple[AttackedPair, ...]

    def measure(self, name: str) -> MeasureSummary | None:
        """Return the summary of a measure over the pairs, or None if it does not apply."""
        values = [pair.values[name] for pair in self.pairs if name in pair.values]
        bounds = NON_NEGATIVE if name in COUNTS else UNBOUNDED
        return summarize(values, self.pairs[0].attacked.seed).cut_to(bounds) if values else None

    def sentence(self) -> str:
        """Return the attack's outcome in a sentence."""
        lost, victims, swayed = (self.measure(name) for name in ("welfare_lost", "victims", "votes_swayed"))
        pairs = f"{len(self.pairs)} {'pair' if len(self.pairs) == 1 else 'pairs'} of runs with the same seeds"
        parts = []
        if lost is not None:
            ends = "" if lost.ci95 is None else f" [{lost.ci95[0]:.4g}, {lost.ci95[1]:.4g}]"
            parts.append(f"costs {lost.mean:.4g}{ends} of welfare")
        if victims is not None:
            parts.append(f"has {victims.mean:.3g} {'victim' if victims.mean == 1 else 'victims'}")
        if swayed is not None:
            parts.append(f"sways {swayed.mean:.3g} {'voter' if swayed.mean == 1 else 'voters'}")
        return f"{self.adversary} {' and '.join(parts)} ({self.condition} against {self.clean}, {pairs})."


@dataclass(frozen=True)
class AttackFindings:
    """Attacks of a study."""

    attacks: Sequence[AttackedCondition]

    @property
    def measures(self) -> list[str]:
        """Measures that apply to some attack."""
        return [name for name in MEASURES if any(each.measure(name) is not None for each in self.attacks)]


def adversaries_in(level: str) -> tuple[str, ...]:
    """Return the players that a level of the factor names."""
    return tuple(part.partition(":")[0] for part in level.split("+")) if level != CLEAN else ()


def find_attacks(comparison: Comparison) -> AttackFindings | None:
    """Return the attacks of a study that varies adversaries, or None without any pair of runs."""
    found = list(_attacks(comparison.conditions))
    return AttackFindings(found) if found else None


def _attacks(conditions: Sequence[ConditionRuns]) -> Iterator[AttackedCondition]:
    by_levels = {tuple(sorted(each.levels.items())): each for each in conditions if each.levels}
    for condition in conditions:
        level = condition.levels.get(FACTOR, CLEAN)
        clean = by_levels.get(tuple(sorted({**condition.levels, FACTOR: CLEAN}.items())))
        if level == CLEAN or clean is None:
            continue
        partners = {run.seed: run for run in clean.scored}
        pairs = tuple(
            AttackedPair(run, partners[run.seed], adversaries_in(level))
            for run in condition.scored
            if run.seed in partners
        )
        if pairs and any(pair.values for pair in pairs):
            yield AttackedCondition(condition.name, clean.name, level, pairs)
