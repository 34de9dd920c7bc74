"""Results of compliance checks, and helpers to make them."""

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
    """A requirement is not met; the message is one line with the reason."""


@dataclass(frozen=True)
class ComplianceFinding:
    """Result of one check of one object."""

    thing: str
    """Kind and name, such as `scenario cave-in`."""
    check: str
    """Short name of the requirement."""
    ok: bool
    told: str = ""
    """Reason for failure, or details of success."""


Check = Callable[[], Awaitable[str | None] | str | None]
"""Passes by returning, optionally with details, and raises NotMet to fail."""


async def run_check(thing: str, check: str, ask: Check) -> ComplianceFinding:
    """Run a check and return its finding; errors of Accord and of the checked code count as failures."""
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


def require(holds: object, why: str) -> None:
    """Check a requirement.

    Raises:
        NotMet: `holds` is false; `why` is the message.
    """
    if not holds:
        raise NotMet(why)


def same_files(first: Path, second: Path, names: tuple[str, ...]) -> None:
    """Check that the files called `names` are equal in both folders, byte for byte. Raises NotMet."""
    for name in names:
        one, other = ((folder / name).read_bytes().splitlines() for folder in (first, second))
        for number, (line, next_line) in enumerate(zip(one, other, strict=False), start=1):
            require(line == next_line, f"{name} differs at line {number} between two runs of one seed: {line[:120]!r}")
        require(len(one) == len(other), f"{name} has {len(one)} and {len(other)} lines in two runs of one seed")
