"""Programs assembled from skills: the skills' functions first, the program itself last.

Only skills that the program calls are included, and the skills that those call. A skill with the name of the program's
own function is never included, because the program would replace it for all skills that call it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bridge.error_mode import ERROR_MODES, NAMED, with_error_mode, without_error_mode
from voyager_agents.agent import LastRun
from voyager_agents.skill_library.skill import MARK, Skill
from voyager_agents.voyager.code import names_used, sole_name


def used(policy: str, skills: Mapping[str, Skill]) -> list[Skill]:
    """Return the skills that the program calls, directly or through other skills, ordered by name."""
    own = sole_name(policy)
    found: dict[str, Skill] = {}
    waiting = [policy]
    while waiting:
        for name in names_used(waiting.pop()):
            if name in skills and name not in found and name != own:
                found[name] = skills[name]
                waiting.append(skills[name].source)
    return [found[name] for name in sorted(found)]


def assemble(policy: str, skills: Mapping[str, Skill]) -> str:
    """Return the complete program, in the error mode that its skills were written for."""
    skilled = used(policy, skills)
    parts = [each.source.strip("\n") for each in skilled]
    program = "\n".join([*parts, MARK, policy]) if parts else policy
    asked = {str(each.about.provenance.get("primitives", NAMED)) for each in skilled} & set(ERROR_MODES) - {NAMED}
    return with_error_mode(program, asked.pop()) if asked else program


def own_part(last: LastRun) -> LastRun:
    """Return the last run with the author's program alone; an error inside a skill gets no line number."""
    last = replace(last, policy=without_error_mode(last.policy))
    before, mark, policy = last.policy.partition(MARK + "\n")
    if not mark:
        return last
    above = before.count("\n") + 1
    if last.line is None or last.line > above:
        return replace(last, policy=policy, line=None if last.line is None else last.line - above)
    return replace(last, policy=policy, line=None, error=f"{last.error} (inside a skill that the program calls)")
