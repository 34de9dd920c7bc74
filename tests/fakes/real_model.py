"""One short episode of a family against an endpoint, and requirements that any model must meet."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Set
from pathlib import Path
from typing import Any

from accord.analysis.report import write_report
from accord.studies.study import StudyResult, StudySettings, run_study
from dilemmas.records.results import SCHEMA
from tests.fakes.json_schema import faults
from tests.fakes.life import small_village
from voyager_agents.registry import FAMILIES
from voyager_agents.roles import JUDGE

MODEL, BASE_URL = "ACCORD_REAL_MODEL", "ACCORD_REAL_BASE_URL"
FAMILY_NAMES = [name for name, family in FAMILIES.items() if family.roles]
EPISODES: Mapping[str, Mapping[str, Any]] = {
    "paper": {"scenario": "double-vein", "contracts": ("negotiate",), "rounds": 4, "episodes": 2},
    "voyager": {"scenario": "double-vein", "contracts": ("contract-1",), "episodes": 1},
    "generative": {"scenario": "commons-harvest", "contracts": ("contract-1",), "time_limit_s": 5},
    "piano": {"scenario": "village", "contracts": ("normal",), "time_limit_s": 10},
    "chooser": {"scenario": "prisoners-dilemma", "contracts": ("none",), "repeat": 3},
    "text": {"scenario": "ada-contract", "contracts": ("negotiate",), "time_limit_s": 21, "world": "none"},
    "planner": {"scenario": "ada-contract", "contracts": ("negotiate",), "time_limit_s": 21, "world": "none"},
    "marshal": {"scenario": "conquest-three", "contracts": ("cheap-talk",), "time_limit_s": 5},
    "speaker": {"scenario": "chameleon", "contracts": ("none",), "repeat": 1, "world": "none"},
}
"""Family -> shortest study that asks each of its roles."""
ALWAYS: Mapping[str, set[str]] = {
    "paper": {"action", "negotiator"},
    "voyager": {"action", "critic", "curriculum", JUDGE},
    "generative": {"act", "plan", JUDGE},
    "piano": {"controller", "goal_generation"},
    "chooser": {"player"},
    "text": {"player", "negotiator"},
    "planner": {"planner", "negotiator"},
    "marshal": {"player", "negotiator"},
    "speaker": {"player"},
}
"""Roles that are asked in every episode; critics only act if there is something to review."""


def endpoint() -> tuple[str, str | None] | str:
    """Return model and base URL from the environment, or the reason for their absence."""
    model = os.environ.get(MODEL)
    if not model:
        return f"no model to ask: set {MODEL}=openai/NAME, and {BASE_URL}=URL for a server of your own"
    return model, os.environ.get(BASE_URL)


async def play(family: str, model: str, base_url: str | None, out: Path, **changes: Any) -> StudyResult:  # noqa: ANN401
    """Play the family's episode on the mock world, with these changes of the study's settings."""
    chosen = {**EPISODES[family], **changes}
    if chosen["scenario"] == "village":
        # Thirty agents would mostly repeat the same questions.
        chosen["scenario"] = str(small_village(out, people=2))
    settings = StudySettings(
        chosen.pop("scenario"), chosen.pop("contracts"), model=model, base_url=base_url, out=out,
        **{"world": "mock", "agents": family, **chosen},
    )  # fmt: skip
    return await run_study(settings)


def check(family: str, study: StudyResult, roles: Set[str] | None = None, *, writes_programs: bool = True) -> None:
    """Check that the study yields findings about the model, and that all calls are recorded.

    Args:
        family: Family of agents that played.
        study: The study.
        roles: Roles that were asked; by default those of the family's shortest study.
        writes_programs: True if the model is large enough to write a program.
    """
    (result,) = study.results
    assert faults(result, json.loads(SCHEMA.read_text(encoding="utf-8"))) == []
    assert result["status"] == "complete" or result.get("invalid"), result["reason"]
    calls = [json.loads(line) for line in (study.directory / "calls.jsonl").read_text(encoding="utf-8").splitlines()]
    answered = [call for call in calls if "reply" in call]
    assert {call["role"] for call in answered} >= (ALWAYS[family] if roles is None else roles)
    # In societies, answers still in transit at the end are paid for but unused.
    assert 0 < result["usage"]["calls"] <= len(answered)
    assert family == "piano" or result["usage"]["calls"] == len(answered)
    assert any(call["reply"].strip() for call in answered), "every answer was empty"
    for policy in result["policies"].values():
        source = (study.directory / policy["file"]).read_text(encoding="utf-8")
        assert not writes_programs or "no program was written" not in source, (
            "no answer had the form of a program: see accord doctor --model"
        )
    assert write_report([study.directory], study.directory).html.is_file()
