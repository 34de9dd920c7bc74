"""Plans of single agents: goals, a controller with a remembered map, and a monitor that asks for new plans.

This is the controller half of AdaSociety's LLM-C (paper, section 5.3.4 and appendix D.2), without any I/O: a
planner gets the agent's situation, and answers with a `GridPlan`.
"""

from __future__ import annotations

from grid_games.planning.goals import GOALS, open_goals
from grid_games.planning.memory import MapMemory
from grid_games.planning.plan import GridPlan
from grid_games.planning.runner import PlanReview, PlanRunner
from grid_games.planning.scripted import ScriptedPlanner
from grid_games.planning.view import AgentView, view_of

__all__ = [
    "GOALS",
    "AgentView",
    "GridPlan",
    "MapMemory",
    "PlanReview",
    "PlanRunner",
    "ScriptedPlanner",
    "open_goals",
    "view_of",
]
