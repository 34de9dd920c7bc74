"""Accord for Python: play studies, open their records, and write scenarios, agents and judges of your own.

    import accord

    study = accord.study("double-vein", ["none", "contract-2"], world="mock", runs=3)
    print(study.to_pandas().groupby("condition")["payoff"].mean())

In a script `run` and `study` return when all is played. In a notebook, where an event loop runs, write
`await accord.run_async(...)` and `await accord.study_async(...)`. docs/python-api.md has it all.
"""

from __future__ import annotations

from accord.playing import Options, run, run_async, study, study_async
from accord.records import Run, Study, open_run, open_study
from contracts import Judge
from dilemmas.errors import DilemmaError as AccordError
from dilemmas.errors import UsageError
from dilemmas.scenarios.protocol import Scenario
from voyager_agents import Agent

__all__ = [
    "AccordError",
    "Agent",
    "Judge",
    "Options",
    "Run",
    "Scenario",
    "Study",
    "UsageError",
    "open_run",
    "open_study",
    "run",
    "run_async",
    "study",
    "study_async",
]
