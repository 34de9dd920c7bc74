"""`accord run --dry-run` on a narrow terminal, which never cuts names."""

from __future__ import annotations

import io

from rich.console import Console

from accord.cli.show import show_estimate

ROLES = ("controller", "goal_generation", "social_awareness", "action_awareness", "skill_execution")


def test_names_of_roles_are_whole_at_80_columns() -> None:
    least = {"calls": 9_000, "tokens": 7_523_100, "usd": 1.493}
    most = {"calls": 18_060, "tokens": 19_177_312, "usd": 103.608}
    bounds = {"least": least, "most": most}
    roles = [{"role": role, "model": "openai/gpt-4o-mini", **bounds} for role in ROLES]
    shown = io.StringIO()
    show_estimate(Console(file=shown, width=80), {"roles": roles, **bounds, "unpriced": [], "undated": []})
    assert all(f" {role} " in shown.getvalue() for role in ROLES)
    assert "…" not in shown.getvalue()
