"""Judges: one evaluates typed terms in code, one asks a language model and bounds what its answer may move."""

from __future__ import annotations

from contracts.judges.formal import FormalJudge
from contracts.judges.language import LanguageJudge
from contracts.judges.panel import JudgePanel

__all__ = ["FormalJudge", "JudgePanel", "LanguageJudge"]
