"""Reports: one HTML page, SVG figures and CSV tables from the records of one or several runs."""

from __future__ import annotations

from dilemmas.report.comparison import Comparison, compare, number
from dilemmas.report.reader import find_runs, read_runs
from dilemmas.report.text import one_line
from dilemmas.report.writer import Report, write_report

__all__ = ["Comparison", "Report", "compare", "find_runs", "number", "one_line", "read_runs", "write_report"]
