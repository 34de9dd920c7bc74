"""results.csv and curves.csv: tidy tables for other tools; one fact a row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from dilemmas.report.curves import samples_of
from dilemmas.report.model import Run

RESULTS = (
    "condition", "run", "seed", "status", "welfare", "gini", "gini_plain", "game_s", "wall_s",
    "player", "reward", "transfer", "payoff", "items",
)  # fmt: skip
CURVES = ("condition", "run", "seed", "player", "game_s", "quantity", "value")
_MEASURES = ("welfare", "gini", "gini_plain", "game_s", "wall_s")


def results_csv(runs: Sequence[Run]) -> str:
    """One row per run and player; a run without a result has one row without figures."""
    return _csv(RESULTS, (row for run in runs for row in _results(run)))


def curves_csv(runs: Sequence[Run]) -> str:
    """One row per run, player, time and quantity: each item that pays, and the reward in emeralds."""
    return _csv(CURVES, (row for run in runs for row in _curves(run)))


def _results(run: Run) -> Iterable[Sequence[object]]:
    head = [run.condition, run.name, run.seed, run.status, *(run.measures.get(name, "") for name in _MEASURES)]
    for player, account in run.accounts.items():
        items = " ".join(f"{item}={count}" for item, count in sorted(account.items.items()))
        yield [*head, player, account.reward, account.transfer, account.payoff, items]
    if not run.accounts:
        yield [*head, "", "", "", "", ""]


def _curves(run: Run) -> Iterable[Sequence[object]]:
    for sample in samples_of(run):
        for player in run.players:
            items = sample.items.get(player, {})
            head = [run.condition, run.name, run.seed, player, sample.game_s]
            for item in run.paying_items:
                yield [*head, item, items.get(item, 0)]
            yield [*head, "reward", sample.rewards.get(player, 0.0)]


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(head)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """Text that a spreadsheet would run as a formula is quoted, as spreadsheets themselves do it."""
    return f"'{value}" if isinstance(value, str) and value[:1] in "=+-@\t\r" and value else value
