"""Transcripts: one model of what each player saw, thought, did and learned, read from a run's log in one pass.

`read_steps` yields the steps one at a time, so memory does not grow with the log. The terminal (`accord show`) and the
report's pages (`accord.analysis.report.transcript_pages`) show the same steps. Two literal tables map records to steps:
`event_handlers.HANDLERS` for events and `thought_texts.THOUGHT_TEXTS` for agents' thoughts.
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
