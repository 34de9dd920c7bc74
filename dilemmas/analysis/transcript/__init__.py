"""Transcripts: one model of what each player saw, thought, did and learned, read from a run's log in one pass.

`read_steps` gives the steps one at a time, so that memory does not grow with the log. The terminal (`accord show`) and
the report's pages (`dilemmas.analysis.report.minds`) show the same steps. Which line of the log becomes which step says
one literal table for events, `makers.MAKERS`, and one for steps of minds, `minds.MINDS`.
"""

from __future__ import annotations

from dilemmas.analysis.transcript.calls import CallTexts
from dilemmas.analysis.transcript.model import KINDS, Call, Part, Step, Wanted
from dilemmas.analysis.transcript.reading import read_steps

__all__ = ["KINDS", "Call", "CallTexts", "Part", "Step", "Wanted", "read_steps"]
