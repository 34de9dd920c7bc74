"""Judges: one that evaluates typed terms in code, one that asks a language model and trusts nothing it says."""

from __future__ import annotations

from contracts.judges.formal import FormalJudge
from contracts.judges.language import Ask, LanguageJudge

__all__ = ["Ask", "FormalJudge", "LanguageJudge"]
