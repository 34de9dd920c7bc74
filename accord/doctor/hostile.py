"""Attack policies as checks of `accord doctor --hostile`: one line per class, and one per breach."""

from __future__ import annotations

from functools import partial

from accord.doctor.checks import DoctorCheck
from accord.doctor.hoards import run_hoards
from bridge.errors import BridgeError
from bridge.hostile import AttackReport, embedded, load_corpus, run_corpus
from bridge.worlds import MINEFLAYER
from common.errors import PrerequisiteError

REMEDY = "do not run models' programs here; report this line with the output of `accord doctor --hostile --json`"


async def attack_checks(bodies: str = MINEFLAYER) -> list[DoctorCheck]:
    """Run all attacks on this machine, on players with the given kind of bodies, and return their results."""
    open_world = partial(embedded, bodies=bodies)
    try:
        programs = await run_corpus(load_corpus(), open_world=open_world)
        hoards = await run_hoards(open_world)
        report = AttackReport((*programs.verdicts, *hoards.verdicts), programs.seconds + hoards.seconds)
    except (BridgeError, PrerequisiteError, OSError) as error:
        return [
            DoctorCheck(
                "attacks", "fail", f"could not be run ({error})", "run make setup; if it stays, report this line"
            )
        ]
    lines = [
        DoctorCheck(f"attacks: {kind}", "fail" if counts["breach"] else "ok", _format_counts(counts))
        for kind, counts in report.by_class().items()
    ]
    breaches = [
        DoctorCheck(f"attack {verdict.attack}", "fail", "; ".join(verdict.evidence), REMEDY)
        for verdict in report.breaches
    ]
    total = f"{len(report.verdicts)} policies, {len(report.breaches)} did harm, {report.seconds:.0f} s"
    return [*lines, *breaches, DoctorCheck("attacks", "fail" if breaches else "ok", total)]


def _format_counts(counts: dict[str, int]) -> str:
    """Return counts such as "19 blocked, 3 harmless"."""
    return ", ".join(f"{counts[state]} {state}" for state in ("blocked", "harmless", "breach") if counts[state])
