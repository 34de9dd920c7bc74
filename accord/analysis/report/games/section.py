"""Section on repeated games: what game theory says of the game, and its measures by condition."""

from __future__ import annotations

from collections.abc import Mapping

from accord.analysis.report.comparison import Comparison
from accord.analysis.report.games.findings import GameFindings, facts, find_game, measures, own_measures
from accord.analysis.report.games.tables import game_tables
from accord.analysis.report.section import ReportSection, TranscriptLinks


class GameSection(ReportSection[GameFindings]):
    """Equilibria, efficiency and interdependence of the game, and how it was played."""

    name = "games"
    part_of = ("standard",)
    template = "games.html.j2"

    def find(self, comparison: Comparison) -> GameFindings | None:
        """See `ReportSection.find`."""
        return find_game(comparison)

    def tables(self, findings: GameFindings) -> Mapping[str, str]:
        """See `ReportSection.tables`."""
        return game_tables(findings)

    def values(self, findings: GameFindings, links: TranscriptLinks) -> Mapping[str, object]:
        """See `ReportSection.values`."""
        comparison = findings.comparison
        return {
            "facts": facts(findings.game),
            "measures": measures(comparison),
            "own_measures": own_measures(comparison),
        }


GAMES = GameSection()
