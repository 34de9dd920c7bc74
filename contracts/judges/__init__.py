"""Judges: one that evaluates typed terms in code, one that asks a language model and trusts nothing it says."""

from __future__ import annotations

from contracts.fence import Ask
from contracts.judges.formal import FormalJudge
from contracts.judges.language import LanguageJudge
from contracts.judges.panel import JudgePanel

__all__ = ["Ask", "FormalJudge", "JudgePanel", "LanguageJudge"]
