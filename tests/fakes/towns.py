"""Small society of six adjacent towns, in which ideas spread within a minute."""

from __future__ import annotations

from pathlib import Path

from dilemmas.scenarios.registry import spec_path

SECONDS = 60
# With the scenario's own values nobody would convert within a minute; here every third word converts somebody.
ASSUMED = """
priests: {share: 0.14}
assumptions:
  adoption: {direct: 0.3, theme: 0.3, echo: 0.2, topic: 0.5}
  goals: {idea: 0.5}
  talk: {base: 0.5, priest: 0.9}
  travel: {town_s: 60, priest_s: 60, land_s: 60, visit_s: 40}
"""


def crowded(folder: Path, people: int = 30) -> Path:
    """Write the small society with `people` residents, close together."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "crowded.yaml"
    text = f"extends: {spec_path('religion-small')}\nname: crowded\npopulation: {{count: {people}}}\nin_town: 0.14\n"
    path.write_text(text + ASSUMED + f"end: {{time_limit_s: {SECONDS}}}\n")
    return path
