"""Verification of records for `accord verify`: integrity of the files, and equal logs when replayed."""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from importlib import metadata
from itertools import zip_longest
from pathlib import Path
from typing import Any

from accord.analysis.agreement_audit import AUDITED_KINDS, audit_agreements
from accord.studies.study import is_own, read_settings, run_study
from common.lines import read_lines
from common.plain_files import is_folder
from common.plugins import entries, plugins_used
from common.plugins.found import GROUPS
from common.segments import raw_lines
from dilemmas.errors import RecordError, UsageError
from dilemmas.records.events import RunEnded, RunStarted
from dilemmas.records.folders import check_folder
from dilemmas.records.manifest import LOG, RESULT, differences, digest, read_manifest, runs_in
from dilemmas.records.record import read_events
from dilemmas.records.results import read_result
from voyager_agents.human.connection import HUMAN
from voyager_agents.models.images import FOLDER as IMAGES

CALLS = "calls.jsonl"
SHOWN = 5
"""Maximum number of differences shown."""
ADDED = (b"drops",)
"""Kinds of lines that records of earlier versions lack. Where a record has none of a kind, its replay may have some."""
_HEAD = re.compile(rb'\{"seq": \d+, "kind": "(\w+)"')


@dataclass(frozen=True)
class RecordAnswer:
    """Answer to one question about a record."""

    question: str
    ok: bool | None
    """True if the check passed; None if it cannot be decided."""
    told: str = ""


def verify(directory: Path) -> list[RecordAnswer]:
    """Return the results of the integrity checks on a study's record. Raises UsageError and RecordError."""
    check_folder(directory)
    told = read_manifest(directory)
    wrong = differences(directory, told["files"])
    found = [RecordAnswer("all files are there, and are what they were", not wrong, some(wrong))]
    checks = {
        "logs are whole": log_fault,
        "results are those of the logs": result_fault,
        "verdicts, payments and accounts follow from what the logs say": agreement_fault,
    }
    if any(is_folder(run / IMAGES) for run in runs_in(directory)):
        checks["pictures are those that models were shown"] = picture_fault
    for name, check in checks.items():
        faults = [fault for run in runs_in(directory) for fault in told_by(check, run, directory)]
        found.append(RecordAnswer(name, not faults, some(faults)))
    now = {"accord": metadata.version("accord-mc")}
    then = {key: (told.get("versions") or {}).get(key) for key in now}
    differs = [f"{key} was {then[key]}, is {now[key]}" for key in now if then[key] != now[key]]
    added = plugins_used(entry for group in GROUPS for entry in entries(group).values())
    if (told.get("plugins") or []) != added:
        differs.append(f"plugins were {_names(told.get('plugins') or [])}, are {_names(added)}")
    own_files = told.get("own_files") or {}
    if own_files and is_own(directory):
        differs += _own_files(own_files)
    elif own_files:
        # The paths were chosen by someone else or belong to another machine, so they are not opened.
        differs.append(f"{len(own_files)} files beside the record were not looked at: it was not made here")
    found.append(RecordAnswer("this Accord is the one that played it", None if differs else True, some(differs)))
    return found


async def replay(directory: Path, allowed: Collection[str] = ()) -> RecordAnswer:
    """Replay a study with its recorded model answers, and check that the logs are equal. Raises UsageError.

    No model is called, so no endpoint and no key is used. `allowed` lists the files that a study recorded elsewhere may
    use.
    """
    question = "playing it again gives the same logs"
    settings = read_settings(directory, allowed=allowed, asks=False)
    if not (settings.virtual or settings.world == "none"):
        why = f"the {settings.world} world has a clock of its own, so that no two runs are the same; mock repeats"
        return RecordAnswer(question, None, why)
    if people := _people(directory):
        return RecordAnswer(question, None, f"people played it ({', '.join(people)}), and nobody can play it for them")
    with tempfile.TemporaryDirectory(prefix="accord-verify-") as out:
        again = await run_study(replace(settings, out=Path(out), jobs=1), answers=directory)
        faults = [
            fault
            for run in runs_in(directory)
            for fault in _compared(run, again.directory / run.relative_to(directory), run.relative_to(directory))
        ]
        return RecordAnswer(question, not faults, some(faults))


def _people(directory: Path) -> list[str]:
    """Return the players of a study that people played, by the first line of each log."""
    found = dict[str, None]()
    for run in runs_in(directory):
        with closing(read_events(run / LOG)) as lines:
            started = next(lines, None)
        if started is not None and isinstance(started.event, RunStarted):
            found |= {name: None for name, terms in started.event.players.items() if terms.author == HUMAN}
    return list(found)


def _compared(first: Path, second: Path, name: Path) -> list[str]:
    """Return the first difference between two logs in a list; empty if they are equal."""
    if not (second / LOG).is_file():
        return [f"{name}: was not played again"]
    try:
        lacking = set(ADDED) - {_kind(line) for line in raw_lines(first / LOG)}
        logs = (_without(lacking, run / LOG) for run in (first, second))
        for number, (line, again) in enumerate(zip_longest(*logs, fillvalue=b""), start=1):
            if line != again:
                told = again.decode("utf-8", "replace").strip()[:160]
                return [f"{name}: line {number} of {LOG} is another one: {told or 'nothing'}"]
    except OSError as error:
        return [f"{name}: {LOG} cannot be read: {error.strerror}"]
    return []


def _kind(line: bytes) -> bytes:
    """Return the kind of a log's line; empty if it has none."""
    head = _HEAD.match(line)
    return b"" if head is None else head[1]


def _without(kinds: Collection[bytes], log: Path) -> Iterator[bytes]:
    """Yield a log's lines, without those of some kinds, and then without their numbers. Raises OSError."""
    for line in raw_lines(log):
        if not kinds:
            yield line
        elif _kind(line) not in kinds:
            yield line.partition(b",")[2]


def told_by(check: Callable[[Path], str], run: Path, directory: Path) -> list[str]:
    """Return the fault that a check finds in a run, with the run's path in the directory; empty without one."""
    try:
        fault = check(run)
    except (RecordError, UsageError) as error:
        fault = str(error)
    return [f"{run.relative_to(directory)}: {fault}"] if fault else []


def log_fault(run: Path) -> str:
    """Return the fault of a run's log; empty if it is complete."""
    last = None
    for number, line in enumerate(read_events(run / LOG)):
        if line.seq != number:
            return f"{LOG} has {line.seq} where {number} belongs"
        last = line
    return "" if last is not None and isinstance(last.event, RunEnded) else f"{LOG} has no end: the run was interrupted"


def picture_fault(run: Path) -> str:
    """Return the fault of a run's pictures; empty if each is what its name says, and those of all calls are there."""
    stored = {path.stem: path for path in sorted((run / IMAGES).glob("*.png"))}
    wrong = [name for name, path in stored.items() if digest([path]) != name]
    if wrong:
        return f"{IMAGES}/{wrong[0]}.png is not the picture that its name says"
    for number, data, whole in read_lines(run / CALLS):
        try:
            shown = _shown_images(json.loads(data)) if whole and b'"images"' in data else []
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return f"{CALLS}, line {number}: is no model call of a run"
        if missing := [name for name in shown if name not in stored]:
            return f"{CALLS}, line {number}: the model was shown the picture {missing[0]}, which is not in {IMAGES}"
    return ""


def _shown_images(call: Mapping[str, Any]) -> list[str]:
    """Return the hashes of the images in a call. Raises KeyError, TypeError or AttributeError for anything else."""
    return [str(image["sha256"]) for message in call["messages"] for image in message.get("images", ())]


def result_fault(run: Path) -> str:
    """Return the fault of a run's result; empty if it equals the result in the log."""
    result = read_result(run / RESULT)
    ended = next((line.event for line in read_events(run / LOG, ("run_ended",))), None)
    if not isinstance(ended, RunEnded):
        return "has no end"
    told = json.loads(json.dumps(ended.result))
    return "" if _timeless(told) == _timeless(result) else f"{RESULT} is not what the log says"


def agreement_fault(run: Path) -> str:
    """Return the first difference between the outcomes of a run's agreements and those computed again from its log."""
    return next(iter(audit_agreements(read_events(run / LOG, AUDITED_KINDS)).faults), "")


def _timeless(result: Mapping[str, Any]) -> dict[str, Any]:
    """Return a result without wall times, which logs of virtual worlds leave out, and without costs."""
    return {key: value for key, value in result.items() if key not in ("wall_s", "episode_wall_s", "costs")}


def _own_files(told: Mapping[str, str]) -> list[str]:
    """Return the user's own files, such as modules, that are missing or differ from their recorded hashes."""
    gone = [f"{path} is gone" for path in told if not Path(path).is_file()]
    return [
        *gone,
        *(f"{path} is not what it was" for path in told if Path(path).is_file() and digest([Path(path)]) != told[path]),
    ]


def _names(plugins: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{each['name']} {each['version']} ({each['sha256'][:12]})" for each in plugins) or "none"


def some(faults: Sequence[str]) -> str:
    """Return the first faults as text, with the number of the others."""
    more = f"; and {len(faults) - SHOWN} more" if len(faults) > SHOWN else ""
    return "; ".join(faults[:SHOWN]) + more
