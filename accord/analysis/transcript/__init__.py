"""Transcripts: one model of what each player saw, thought, did and learned, read from a run's log in one pass.

`read_steps` gives the steps one at a time, so that memory does not grow with the log. The terminal (`accord show`) and
the report's pages (`accord.analysis.report.minds`) show the same steps. Which line of the log becomes which step says
one literal table for events, `makers.MAKERS`, and one for steps of minds, `minds.MINDS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from common.lazy_imports import lazy_names

if TYPE_CHECKING:
    from accord.analysis.transcript.calls import CallTexts
    from accord.analysis.transcript.model import KINDS, StepFilter, StepPart, TranscriptCall, TranscriptStep
    from accord.analysis.transcript.reading import read_steps

__all__ = ["KINDS", "CallTexts", "StepFilter", "StepPart", "TranscriptCall", "TranscriptStep", "read_steps"]

__getattr__ = lazy_names(
    __name__,
    {
        "accord.analysis.transcript.calls": ("CallTexts",),
        "accord.analysis.transcript.model": ("KINDS", "StepFilter", "StepPart", "TranscriptCall", "TranscriptStep"),
        "accord.analysis.transcript.reading": ("read_steps",),
    },
)
