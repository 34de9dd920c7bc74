"""Findings on societies: roles of every agent over time, and measures by condition."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from accord.analysis.claims import number
from accord.analysis.intervals import SHARES
from accord.analysis.measures import MeasureSummary, summarize
from accord.analysis.report.comparison import Comparison
from accord.analysis.report.groups import RunGroup, lives_folder
from accord.analysis.report.model import ReportedRun
from dilemmas.scenarios.registry import load_scenario, scenario_names
from dilemmas.scenarios.societies import mind, roles
from dilemmas.scenarios.societies.lives import LifeHistories, PlayerLife
from voyager_agents.piano.rule_based.assumptions import rules

PUBLISHED_ONLY: Mapping[str, tuple[str, ...]] = {
    "martial": ("scout", "strategist"),
    "artistic": ("curator", "collector"),
}
"""Condition -> roles that the paper found in no other condition (Project Sid, 8.2)."""
MEASURES: Mapping[str, tuple[str, str]] = {
    "role_entropy_bits": ("Entropy of roles", "bits"),
    "role_persistence": ("Persistence of roles", "share of steps"),
    "role_length_s": ("How long a role lasts", "seconds"),
    "coherence": ("Words and deeds agree", "share of decisions"),
    "reaction_s": ("From event to act", "seconds"),
}
"""Measure of a run -> its title and unit."""

COLOURS = (
    "#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#e08214", "#8073ac", "#5aae61", "#b35806",
    "#f4a6c1", "#7f7f00", "#44aa99", "#999933", "#882255",
)  # fmt: skip
"""Colours of roles, the commonest role first; all are distinct on light and dark ground."""
NO_ROLE = "#9aa3a8"
"""Colour of agents without a role."""


@dataclass(frozen=True)
class SocietyRun:
    """One run with the lives of its agents."""

    run: ReportedRun
    histories: LifeHistories

    @cached_property
    def strips(self) -> Mapping[str, Sequence[roles.RoleChange]]:
        """Player -> its roles over time."""
        return {
            name: roles.role_changes(life.goals, rules(), life.rated_roles)
            for name, life in self.histories.lives.items()
        }

    @cached_property
    def values(self) -> Mapping[str, float]:
        """Measure -> value; undefined measures are left out."""
        lasting = [share for steps in self.strips.values() if (share := roles.persistence(steps)) is not None]
        reacted = [seconds for life in self.lives for seconds in mind.reactions(life)]
        found = {
            "role_entropy_bits": roles.role_entropy(self.strips.values()),
            "role_persistence": sum(lasting) / len(lasting) if lasting else None,
            "role_length_s": roles.mean_length(self.strips.values(), self.histories.until),
            "coherence": mind.coherence(self.lives, rules()),
            "reaction_s": sum(reacted) / len(reacted) if reacted else None,
        }
        return {name: value for name, value in found.items() if value is not None}

    @property
    def lives(self) -> Sequence[PlayerLife]:
        """All lives."""
        return list(self.histories.lives.values())

    @cached_property
    def shares(self) -> Mapping[str, float]:
        """Role -> its share of all steps."""
        return roles.shares(self.strips.values())

    @cached_property
    def deeds(self) -> Mapping[str, Counter[str]]:
        """Role -> deed -> number of times."""
        done = {name: life.deeds for name, life in self.histories.lives.items()}
        return roles.deeds_by_role(done, self.strips)

    @cached_property
    def uses(self) -> Mapping[str, mind.ModuleUse]:
        """Module -> its calls, tokens and delays."""
        return mind.uses(self.lives, self.histories.until)

    @property
    def folder(self) -> str:
        """Folder of its agents' pages, relative to the report."""
        return lives_folder(self.run)


@dataclass(frozen=True)
class SocietyGroup(RunGroup[SocietyRun]):
    """All runs of one condition."""

    def share(self, role: str) -> MeasureSummary:
        """Return the share of steps that had the role."""
        shares = [run.shares.get(role, 0.0) for run in self.runs]
        return summarize(shares, self.runs[0].run.seed).cut_to(SHARES)

    @property
    def roles(self) -> set[str]:
        """Roles that any agent had in any run."""
        return {role for run in self.runs for role in run.shares}


@dataclass(frozen=True)
class SocietyFindings:
    """Runs by condition in which agents lived in real time."""

    comparison: Comparison
    societies: tuple[SocietyGroup, ...]

    @cached_property
    def roles(self) -> Sequence[str]:
        """All roles, the commonest first; the absence of a role is last."""
        found: Counter[str] = Counter()
        for society in self.societies:
            for run in society.runs:
                found.update(run.shares)
        return sorted(found, key=lambda role: (role == roles.NO_ROLE, -found[role], role))

    @property
    def rated(self) -> bool:
        """Return whether a model rated lives; otherwise tables of words give roles and coherence."""
        return any(life.rated for society in self.societies for run in society.runs for life in run.lives)

    @property
    def only(self) -> Mapping[str, Sequence[str]]:
        """Condition -> roles that were found in no other condition."""
        return roles.only_in({society.name: society.roles for society in self.societies})

    @property
    def max_agents(self) -> int:
        """Largest number of agents in a run."""
        return max(len(run.strips) for society in self.societies for run in society.runs)

    def deeds(self, least: int = 1) -> dict[str, Counter[str]]:
        """Return role -> deed -> number of times over all runs; deeds done fewer than `least` times are left out."""
        found: dict[str, Counter[str]] = {}
        for society in self.societies:
            for run in society.runs:
                for role, done in run.deeds.items():
                    found.setdefault(role, Counter()).update(done)
        whole: Counter[str] = sum(found.values(), Counter())
        return {
            role: Counter({deed: count for deed, count in done.items() if whole[deed] >= least})
            for role, done in found.items()
        }


def find_societies(comparison: Comparison) -> SocietyFindings | None:
    """Return the complete runs in which agents lived in real time, or None without any."""
    societies = []
    order = condition_order(comparison.scenario)
    last = len(order)
    for condition in sorted(comparison.conditions, key=lambda each: order.get(each.name, last)):
        lived = tuple(SocietyRun(run, lives) for run in condition.runs if (lives := _lives(run)) is not None)
        if lived:
            societies.append(SocietyGroup(condition.name, lived))
    return SocietyFindings(comparison, tuple(societies)) if societies else None


def _lives(run: ReportedRun) -> LifeHistories | None:
    """Return the lives of a run, or None for people that settled in towns, which have a section of their own."""
    return run.lives if run.status == "complete" and run.spreading is None else None


def condition_order(scenario: str) -> Mapping[str, int]:
    """Return condition -> its place in the scenario's file; empty for an unregistered scenario."""
    if scenario not in scenario_names():
        return {}
    return {name: place for place, name in enumerate(load_scenario(scenario).spec.conditions)}


def sentence(found: SocietyFindings) -> str:
    """Return diversity and persistence of roles by condition in a sentence."""
    told = []
    for society in found.societies:
        entropy, lasting = society.measure("role_entropy_bits"), society.measure("role_persistence")
        if entropy and lasting:
            told.append(f"{society.name} {number(entropy.mean)} bits, {100 * lasting.mean:.0f} % kept")
    if not told:
        return "Nobody set enough goals to have a role: nothing can be said of them yet."
    what = "How diverse the roles were in these runs, and how often a role was kept from one step to the next"
    return f"{what}: {'; '.join(told)}."


def colour_of(found: SocietyFindings) -> Mapping[str, str]:
    """Return role -> its colour, the same in all figures and pages."""
    named = [role for role in found.roles if role != roles.NO_ROLE]
    return {**{role: COLOURS[place % len(COLOURS)] for place, role in enumerate(named)}, roles.NO_ROLE: NO_ROLE}


def usual_role(steps: Sequence[roles.RoleChange]) -> str:
    """Return the role of most steps."""
    return Counter(step.role for step in steps).most_common(1)[0][0] if steps else roles.NO_ROLE
