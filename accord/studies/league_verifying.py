"""Verification of a published league: files against their hashes, returns against records, ratings against games."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from accord.analysis.league import League, LeagueGame, LeagueScenario
from accord.analysis.report.league import DATA, GAMES, hashes, read_games
from accord.studies.league import PLAYED, games_by_rule, published_files
from accord.studies.league_file import SCENARIOS, TRAINING
from accord.studies.league_games import game_of_result
from accord.studies.league_seats import PlannedGame
from accord.studies.tournament import GAMES as FOLDER
from accord.studies.verifying import RecordAnswer, log_fault, replay, result_fault, some, told_by
from common.plain_files import is_plain, read_text
from dilemmas.errors import DilemmaError, RecordError
from dilemmas.records.folders import check_folder
from dilemmas.records.manifest import RESULT, digest, runs_in
from dilemmas.records.results import read_result

MAX_BYTES = 1 << 28
"""Maximum size of the table of games and of the results."""
RULED = ".json"
"""End of the names of files with games that had no world."""


class _Published(BaseModel):
    """Fields of league.json that code relies on."""

    model_config = ConfigDict(extra="allow", strict=True)

    files: dict[str, dict[str, Any]]
    league: dict[str, Any]
    versions: dict[str, Any] = {}


def is_league(directory: Path) -> bool:
    """Return whether a directory holds a published league."""
    return is_plain(directory / DATA)


def verify_league(directory: Path) -> list[RecordAnswer]:
    """Return the results of the checks on a published league. Raises RecordError for an unreadable one."""
    check_folder(directory)
    told = _read(directory)
    wrong = _differences(directory, told.files)
    found = [RecordAnswer("all files are there, and are what they were", not wrong, some(wrong))]
    for name, check in (("logs are whole", log_fault), ("results are those of the logs", result_fault)):
        faults = [fault for run in runs_in(directory / FOLDER) for fault in told_by(check, run, directory)]
        found.append(RecordAnswer(name, not faults, some(faults)))
    source = directory / (TRAINING if told.league.get("training") else SCENARIOS)
    same = is_plain(source) and digest([source]) == told.league.get("held_out")
    found.append(
        RecordAnswer("scenarios are those of the league's file", same, "" if same else f"{source.name} is not")
    )
    games = _games(directory)
    faults = list(_unlike_records(directory, games))
    found.append(RecordAnswer("returns are those of the records", not faults, some(faults)))
    unlike = _unlike_games(told.league, games)
    found.append(RecordAnswer("ratings and returns follow from the games", not unlike, some(unlike)))
    then, now = told.versions.get("accord"), metadata.version("accord-mc")
    found.append(
        RecordAnswer(
            "this Accord is the one that played it",
            True if then == now else None,
            "" if then == now else f"accord was {then}, is {now}",
        )
    )
    return found


async def replay_league(directory: Path, allowed: Collection[str] = ()) -> RecordAnswer:
    """Play the games of a league again, and check that returns and logs are equal. Raises UsageError.

    No model is called. `allowed` lists the files and endpoints that a league recorded elsewhere may use.
    """
    question = "playing it again gives the same games"
    faults = []
    for name, again in games_by_rule(directory).items():
        kept = _kept(directory / FOLDER / f"{name}{RULED}")
        pairs = zip(kept, again, strict=False)
        if len(kept) != len(again) or any(one != other for one, other in pairs):
            faults.append(f"{FOLDER}/{name}{RULED}: is not what is played now")
    for run in sorted({record for each in _games(directory) if not (record := each.record).endswith(RULED)}):
        answer = await replay(directory / run, allowed)
        if answer.ok is None:
            return RecordAnswer(question, None, f"{run}: {answer.told}")
        if not answer.ok:
            faults.append(f"{run}: {answer.told}")
    return RecordAnswer(question, not faults, some(faults))


def _read(directory: Path) -> _Published:
    path = directory / DATA
    try:
        return _Published.model_validate(json.loads(read_text(path, MAX_BYTES)))
    except (OSError, ValueError, RecursionError, ValidationError):
        raise RecordError(f"{path} cannot be read: it is no league of this version of Accord") from None


def _differences(directory: Path, told: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return one sentence per file that is missing, new or changed since the league was published."""
    there = hashes(published_files(directory), directory)
    lost = [f"{name} is missing" for name in told if name not in there]
    new = [f"{name} was not there when the league was published" for name in there if name not in told]
    changed = [f"{name} is not what it was" for name, each in there.items() if name in told and each != told[name]]
    return [*lost, *new, *changed]


def _games(directory: Path) -> list[LeagueGame]:
    try:
        return read_games(read_text(directory / GAMES, MAX_BYTES))
    except (OSError, ValueError):
        raise RecordError(f"{directory / GAMES} cannot be read: it is no table of a league's games") from None


def _unlike_records(directory: Path, games: list[LeagueGame]) -> Iterator[str]:
    """Yield a sentence for each game whose returns are not those of its record."""
    there = {path.relative_to(directory).as_posix(): path for path in published_files(directory)}
    kept: dict[str, list[LeagueGame]] = {}
    for each in games:
        who = f"{GAMES}: {each.scenario}, seed {each.seed}, {each.player}"
        if each.record.endswith(RULED):
            if each.record not in kept:
                kept[each.record] = _kept(there[each.record]) if each.record in there else []
            same = each in kept[each.record]
        elif (result := there.get(f"{each.record}/{RESULT}")) is not None:
            planned = PlannedGame(each.seed, each.player, each.seats, {})
            try:
                same = game_of_result(each.scenario, planned, read_result(result), each.record) == each
            except (DilemmaError, ZeroDivisionError):
                same = False
        else:
            same = False
        if not same:
            yield f"{who} is not in {each.record}"


def _kept(path: Path) -> list[LeagueGame]:
    try:
        return PLAYED.validate_python(json.loads(read_text(path, MAX_BYTES))["games"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError, ValidationError):
        return []


def _unlike_games(told: Mapping[str, Any], games: list[LeagueGame]) -> list[str]:
    """Return the parts of the results that do not follow from the games."""
    try:
        ranked = [str(each["name"]) for each in told["ranking"]]
        scenarios = tuple(
            LeagueScenario(**{**{key: each[key] for key in LeagueScenario.__dataclass_fields__}, "background": ()})
            for each in told["scenarios"]
        )
        players = tuple(dict.fromkeys(each.player for each in games))
        if sorted(players) != sorted(ranked):
            return ["ranking: names other players than the games"]
        again = League(
            str(told["name"]), players, tuple(told["baselines"]), scenarios, tuple(told["seeds"]), tuple(games),
        ).to_dict()  # fmt: skip
        parts: dict[str, Callable[[Mapping[str, Any]], object]] = {
            "ranking": lambda each: each["ranking"],
            "stability": lambda each: each["stability"],
            "returns": lambda each: [(one["returns"], one["worst"], one["best"]) for one in each["scenarios"]],
        }
        return [f"{DATA}: {name}" for name, part in parts.items() if not _near(part(told), part(again))]
    except (KeyError, TypeError, ValueError, IndexError):
        raise RecordError(f"{DATA}: lacks results that the games can be compared with") from None


def _near(one: object, other: object) -> bool:
    """Return whether plain data are equal, numbers up to rounding on another machine."""
    plain = json.loads(json.dumps([one, other]))
    return _close(*plain)


def _close(one: Any, other: Any) -> bool:  # noqa: ANN401 - plain data of any kind
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(_close(one[key], other[key]) for key in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_close, one, other))
    if isinstance(one, float) and isinstance(other, int | float):
        return abs(one - other) <= 1e-6 * max(1.0, abs(one)) + 0.002
    return bool(one == other)
