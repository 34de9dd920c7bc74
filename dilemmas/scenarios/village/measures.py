"""Measures of lives in the village, from the log alone: roles, their duration and variety, coherence.

A role is inferred from each rolling set of five social goals: by a model that rates lives if there is one, else by the
table of kinds of work (`village.yaml`). A decision is coherent if its words and its deeds are about the same kind of
work, by the same judge.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from dilemmas.records.events import Event, LogLine
from dilemmas.scenarios.civic_measures import CivicTally
from dilemmas.scenarios.societies import mind, rating, roles
from dilemmas.scenarios.societies.drives import DriveHistory
from dilemmas.scenarios.societies.lives import LifeHistories, life_histories
from dilemmas.scenarios.societies.markets import MarketHistory
from voyager_agents.piano.rule_based.assumptions import rules

lives = life_histories


def role_histories(found: LifeHistories) -> dict[str, list[roles.RoleChange]]:
    """Return player -> its roles over time."""
    return {name: roles.role_changes(life.goals, rules(), life.rated_roles) for name, life in found.lives.items()}


def role_entropy(found: LifeHistories) -> float:
    """Return the entropy of the roles of all players in bits, averaged over the steps."""
    return roles.role_entropy(role_histories(found).values()) or 0.0


def coherence(found: LifeHistories) -> float | None:
    """Return the share of all decisions whose words and deeds agree, or None without decisions."""
    return mind.coherence(found.lives.values(), rules())


def measures(lines: Iterable[LogLine], players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value; a player without a value is left out."""
    tally = VillageTally(players)
    for line in lines:
        tally.add_event(line.event)
    return tally.measures()


def measures_of(found: LifeHistories, players: Sequence[str]) -> dict[str, dict[str, float]]:
    """Return measure -> player -> value from lives."""
    known = {name: found.lives[name] for name in players if name in found.lives}
    by_player = {name: steps for name, steps in role_histories(found).items() if name in known}
    lasting = {name: roles.persistence(steps) for name, steps in by_player.items()}
    length = {name: roles.mean_length([steps], found.until) for name, steps in by_player.items()}
    agreeing = {name: mind.coherence([life], rules()) for name, life in known.items()}
    return {
        "decisions": {name: float(len(known[name].choices)) if name in known else 0.0 for name in players},
        "roles": {name: float(len({step.role for step in steps})) for name, steps in by_player.items()},
        "role_persistence": {name: share for name, share in lasting.items() if share is not None},
        "role_length_s": {name: seconds for name, seconds in length.items() if seconds is not None},
        "coherence": {name: share for name, share in agreeing.items() if share is not None},
    }


def society(lines: Iterable[LogLine]) -> dict[str, Any]:
    """Return the measures of all together, for result.json; null if there was nothing to measure."""
    tally = VillageTally([])
    for line in lines:
        tally.add_event(line.event)
    return tally.society()


@dataclass
class VillageTally:
    """Measures of lives, counted while a run is played (a `dilemmas.scenarios.protocol.MeasureTally`)."""

    players: Sequence[str]
    lives: LifeHistories = field(default_factory=LifeHistories)
    market: MarketHistory = field(default_factory=MarketHistory)
    drives: DriveHistory = field(default_factory=DriveHistory)
    civics: CivicTally = field(default_factory=CivicTally)

    def add_event(self, event: Event) -> None:
        """Add an event of the log."""
        self.lives.add_event(event)
        self.market.add_event(event)
        self.drives.add_event(event)
        self.civics.add_event(event)

    def measures(self) -> dict[str, dict[str, float]]:
        """Return the measures by player."""
        return {**measures_of(self.lives, self.players), **self.civics.measures(self.players)}

    def society(self) -> dict[str, Any]:
        """Return the measures of all together."""
        return society_of(self.lives, self.market, self.drives)


def society_of(
    found: LifeHistories, market: MarketHistory | None = None, drives: DriveHistory | None = None
) -> dict[str, Any]:
    """Return roles (entropy in bits, persistence, length in seconds, shares), deeds by role, minds, market, drives."""
    by_player, known = role_histories(found), list(found.lives.values())
    lasting = [share for steps in by_player.values() if (share := roles.persistence(steps)) is not None]
    reacted = [seconds for life in known for seconds in mind.reactions(life)]
    by_role = roles.deeds_by_role({name: life.deeds for name, life in found.lives.items()}, by_player)
    rated = rating.share(known)
    return {
        **({"rated": rated} if rated else {}),
        "role_entropy_bits": roles.role_entropy(by_player.values()),
        "role_persistence": sum(lasting) / len(lasting) if lasting else None,
        "role_length_s": roles.mean_length(by_player.values(), found.until),
        "role_shares": roles.shares(by_player.values()),
        "deeds_by_role": {role: dict(sorted(done.items())) for role, done in sorted(by_role.items())},
        "mind": {
            "coherence": coherence(found),
            "reactions": len(reacted),
            "reaction_s": sum(reacted) / len(reacted) if reacted else None,
            "reaction_p95_s": mind.percentile(reacted, 0.95),
            "modules": {name: asdict(use) for name, use in mind.uses(known, found.until).items()},
        },
        **({"market": traded} if market is not None and (traded := market.summary()) else {}),
        **({"drives": driven} if drives is not None and (driven := drives.summary()) else {}),
    }
