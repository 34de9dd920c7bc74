"""Python interface of Accord: studies, their records, environments for training, your own scenarios, agents and judges.

    import accord

    study = accord.study("double-vein", ["none", "contract-2"], world="mock", runs=3)
    print(study.to_pandas().groupby("condition")["payoff"].mean())

In a script, `run` and `study` block until all runs have ended. In a notebook, which has a running event loop, write
`await accord.run_async(...)` and `await accord.study_async(...)`. The reference is docs/python-api.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from common.lazy_imports import import_object

if TYPE_CHECKING:
    from accord.playing import run, run_async, study, study_async
    from accord.records import Run, Study, open_run, open_study
    from accord.studies.keyword_options import Options
    from accord.training.blocking import Environment, env
    from accord.training.environment import AsyncEnvironment
    from accord.training.environment import AsyncEnvironment as env_async
    from accord.training.turns import Rollout, Turn
    from contracts import Judge
    from dilemmas.errors import DilemmaError as AccordError
    from dilemmas.errors import UsageError
    from dilemmas.scenarios.base import Scenario
    from voyager_agents import Agent
    from voyager_agents.agent import Observation
    from voyager_agents.context import AgentContext
    from voyager_agents.family import agent

__all__ = [
    "AccordError",
    "Agent",
    "AgentContext",
    "AsyncEnvironment",
    "Environment",
    "Judge",
    "Observation",
    "Options",
    "Rollout",
    "Run",
    "Scenario",
    "Study",
    "Turn",
    "UsageError",
    "agent",
    "env",
    "env_async",
    "open_run",
    "open_study",
    "run",
    "run_async",
    "study",
    "study_async",
]

_PLACES = {
    "AccordError": "dilemmas.errors:DilemmaError",
    "Agent": "voyager_agents:Agent",
    "AgentContext": "voyager_agents.context:AgentContext",
    "AsyncEnvironment": "accord.training.environment:AsyncEnvironment",
    "Environment": "accord.training.blocking:Environment",
    "Judge": "contracts:Judge",
    "Observation": "voyager_agents.agent:Observation",
    "Options": "accord.studies.keyword_options:Options",
    "Rollout": "accord.training.turns:Rollout",
    "Run": "accord.records:Run",
    "Scenario": "dilemmas.scenarios.base:Scenario",
    "Study": "accord.records:Study",
    "Turn": "accord.training.turns:Turn",
    "UsageError": "dilemmas.errors:UsageError",
    "agent": "voyager_agents.family:agent",
    "env": "accord.training.blocking:env",
    "env_async": "accord.training.environment:AsyncEnvironment",
    "open_run": "accord.records:open_run",
    "open_study": "accord.records:open_study",
    "run": "accord.playing:run",
    "run_async": "accord.playing:run_async",
    "study": "accord.playing:study",
    "study_async": "accord.playing:study_async",
}
"""Public name -> `module:attribute`. Each module is imported on first use, which keeps `import accord` fast."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the type depends on the name; type checkers read the imports above
    """Import a public name on first use (PEP 562)."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = import_object(_PLACES[name])
    return value


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
