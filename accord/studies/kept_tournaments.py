"""Kept plans on disk: tournaments, atlases, generations and contributions, written before the first run."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import Any

from accord.studies.atlas import AtlasPlan
from accord.studies.generations import GenerationsPlan
from accord.studies.kept_plan import KeptPlan
from accord.studies.option_checks import check_values
from accord.studies.received import check_named, use_recorded_plugins
from accord.studies.shapley import ShapleyPlan
from accord.studies.tournament import TournamentPlan
from common.plain_files import is_plain, read_text
from common.plugins import active
from dilemmas.errors import UsageError
from dilemmas.records.folders import check_folder
from dilemmas.records.record import to_json, write_atomically
from dilemmas.records.seals import is_sealed, seal_of

PLAN = "plan.json"
KIND = "kind"
"""Key of the plan's kind; a plan without it is a tournament's."""
PLANS: Mapping[str, type[KeptPlan]] = {
    each.KIND: each for each in (TournamentPlan, AtlasPlan, GenerationsPlan, ShapleyPlan)
}
MOST = 1000
"""Maximum number of tournaments that start in the same second."""


def claim(plan: KeptPlan, out: Path, clock: Callable[[], float] = time.time) -> Path:
    """Create and return a directory in `out` with the plan, named by time and game. Raises UsageError."""
    base = f"{time.strftime('%Y%m%d-%H%M%S', time.gmtime(clock()))}-{plan.title}"
    for number in range(1, MOST):
        directory = out / (base if number == 1 else f"{base}-{number}")
        try:
            directory.mkdir(parents=True)
            write_atomically(directory / PLAN, to_json(plan_to_dict(plan)))
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(f"{out}: cannot be written ({error.strerror}); choose another folder with --out") from None
        return directory
    raise UsageError(f"{out} holds {MOST} tournaments of one second; choose another folder with --out")


def is_tournament(directory: Path) -> bool:
    """Return whether a directory holds a tournament and not a study."""
    return is_plain(directory / PLAN)


def read_plan(
    directory: Path,
    *,
    jobs: int | None = None,
    budget: Mapping[str, float] | None = None,
    allowed: Collection[str] = (),
) -> KeptPlan:
    """Return the plan of a recorded tournament.

    If the tournament was recorded by this user on this machine, its plugins are used again. Otherwise the endpoints,
    files and plugins that the plan names must be in `allowed` or in use already.

    Args:
        directory: Directory of the tournament.
        jobs: Number of concurrent games; None for the recorded number.
        budget: Caps that override the recorded ones.
        allowed: Endpoints and paths allowed by the command line.

    Raises:
        UsageError: The plan cannot be used.
    """
    check_folder(directory)
    try:
        data = json.loads(read_text(directory / PLAN))
        seal = data.pop("seal", None)
        own = is_sealed(seal, PLAN, to_json(data))
        named = [str(folder) for folder in data.pop("plugins")]
        kind = PLANS[data.pop(KIND, TournamentPlan.KIND)]
        if not kind.NEEDED <= set(data) <= {field.name for field in fields(kind)}:
            raise ValueError("keys of another version")
        given = check_values(kind, data, f"{directory / PLAN}: ")
        if own:
            use_recorded_plugins(directory, named, None)
        else:
            known = {str(each) for each in active()}
            plugins = [{"name": folder, "version": ""} for folder in named if folder not in known]
            contracts = [given["contract"]] if "contract" in given else []
            settings = {"scenario": given["scenario"], "contracts": contracts, "model": given.get("model")}
            settings |= given.get("settings", {})
            check_named(directory, [settings], allowed, plugins, prompts=True)
        kept = kind(**given)
        return replace(kept, jobs=jobs or kept.jobs, budget={**kept.budget, **(budget or {})})
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise UsageError(f"{directory / PLAN} cannot be read: it is no plan of this version of Accord") from None


def plan_to_dict(plan: KeptPlan) -> dict[str, Any]:
    """Return a plan as plain data for JSON, with its seal. The inverse is `read_plan`."""
    file = Path(plan.scenario).expanduser()
    where = str(file.absolute()) if file.suffix in (".yaml", ".yml") and file.is_file() else plan.scenario
    kind = {} if plan.KIND == TournamentPlan.KIND else {KIND: plan.KIND}
    told = {**kind, **asdict(plan), "scenario": where}
    # A round trip through JSON turns tuples into lists, so that the seal is that of the data as read.
    told = json.loads(to_json({**told, "plugins": [str(folder) for folder in active()]}))
    return {**told, "seal": seal_of(PLAN, to_json(told))}
