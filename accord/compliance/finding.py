"""What one check found."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from bridge.errors import BridgeError
from common.errors import PrerequisiteError
from contracts import ContractError
from dilemmas.errors import DilemmaError
from voyager_agents import AgentError


class NotMet(Exception):
    """A check's answer is no; the text is one line that says why."""


@dataclass(frozen=True)
class ComplianceFinding:
    """One check of one thing."""

    thing: str
    """Kind and name, such as `scenario cave-in`."""
    check: str
    """What is asked for, in a few words."""
    ok: bool
    told: str = ""
    """Why not; or what was found."""


Check = Callable[[], Awaitable[str | None] | str | None]
"""Answers by returning, with words where there is something to tell, and raises NotMet for no."""


async def found(thing: str, check: str, ask: Check) -> ComplianceFinding:
    """The finding of one check; errors of Accord's own and of what is checked are answers, too."""
    try:
        answer = ask()
        told = await answer if isinstance(answer, Awaitable) else answer
    except NotMet as no:
        return ComplianceFinding(thing, check, False, str(no))
    except (DilemmaError, BridgeError, PrerequisiteError, ContractError, AgentError) as error:
        return ComplianceFinding(thing, check, False, " ".join(str(error).split()))
    except Exception as error:  # noqa: BLE001 - the boundary to what is checked, which is foreign code
        return ComplianceFinding(thing, check, False, f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
    return ComplianceFinding(thing, check, True, told or "")


def must(holds: object, why: str) -> None:
    """Raises NotMet unless it holds."""
    if not holds:
        raise NotMet(why)


def same_files(first: Path, second: Path, names: tuple[str, ...]) -> None:
    """Whether these files are the same to the byte in both folders. Raises NotMet."""
    for name in names:
        one, other = ((folder / name).read_bytes().splitlines() for folder in (first, second))
        for number, (line, next_line) in enumerate(zip(one, other, strict=False), start=1):
            must(line == next_line, f"{name} differs at line {number} between two runs of one seed: {line[:120]!r}")
        must(len(one) == len(other), f"{name} has {len(one)} and {len(other)} lines in two runs of one seed")
