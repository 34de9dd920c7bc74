"""Runs played for compliance checks: on the mock world, with all commands recorded and the log read back."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from accord.compliance.finding import require, same_files
from accord.studies.runner import usual_world
from accord.studies.settings import StudySettings
from accord.studies.study import run_study
from bridge.errors import CommandError
from bridge.worlds import NOWHERE, World, open_world
from dilemmas.minecraft.command_tree import is_command
from dilemmas.scenarios.registry import load_scenario

VERSIONS = ("1.20.4", "1.21.4")
"""Minecraft versions whose command trees are checked."""
LOG = "events.jsonl"


@dataclass
class CommandRecorder:
    """Factory of worlds that record all commands."""

    issued: list[str] = field(default_factory=list)

    def open(self, name: str, **given: Any) -> World:  # noqa: ANN401 - as open_world takes them
        """Open a world like `bridge.worlds.open_world`."""
        world = open_world(name, **given)
        inner = world.command

        async def command(text: str) -> str:
            self.issued.append(text)
            return await inner(text)

        together = world.commands

        async def commands(texts: Sequence[str]) -> list[str | CommandError]:
            self.issued.extend(texts)
            return await together(texts)

        world.command = command  # type: ignore[method-assign]
        world.commands = commands  # type: ignore[method-assign]
        return world

    def check(self) -> None:
        """Check that vanilla accepts each recorded command. Raises NotMet."""
        for text in dict.fromkeys(self.issued):
            for version in VERSIONS:
                require(is_command(text, version), f"{text!r} is no command of vanilla {version}")


@dataclass(frozen=True)
class Plays:
    """Results of playing every condition once, and the first one twice."""

    results: Sequence[dict[str, Any]]
    directory: Path
    again: Path
    """Directory of the second run of the first condition."""
    commands: CommandRecorder

    def run(self, condition: str) -> Path:
        """Return the directory of a condition's run."""
        return self.directory / condition if len(self.results) > 1 else self.directory


async def play(scenario: str, seconds: float, out: Path, conditions: Sequence[str] = (), **chosen: Any) -> Plays:  # noqa: ANN401 - settings of any kind
    """Play conditions of a scenario, the first one twice.

    Args:
        scenario: Name of the scenario.
        seconds: Maximum game time of an episode.
        out: Folder for the records.
        conditions: Names of conditions; all if empty.
        **chosen: Further settings of the study.
    """
    loaded = load_scenario(scenario)
    world = usual_world(loaded, "off")
    chosen.setdefault("world", world if world == NOWHERE else "mock")
    names = tuple(conditions or loaded.spec.conditions)
    commands = CommandRecorder()
    limit = min(seconds, loaded.spec.end.time_limit_s)
    first = StudySettings(scenario, names, time_limit_s=limit, out=out / "first", **chosen)
    second = StudySettings(scenario, names[:1], time_limit_s=limit, out=out / "second", **chosen)
    found = await run_study(first, worlds=commands.open)
    again = await run_study(second)
    return Plays(found.results, found.directory, again.directory, commands)


def check_ended(plays: Plays) -> str:
    """Check that every condition was played to its end. Raises NotMet."""
    for result in plays.results:
        status, reason = result["status"], result.get("reason")
        require(status == "complete", f"{result['condition']}: {status}: {reason}")
    return ", ".join(f"{result['condition']}: {result.get('end') or 'ended'}" for result in plays.results)


def check_same_bytes(plays: Plays) -> None:
    """Check that both runs of the first condition have equal logs. Raises NotMet."""
    same_files(plays.run(plays.results[0]["condition"]), plays.again, (LOG,))


def check_accounts(plays: Plays) -> None:
    """Check that the log alone yields the results, and that transfers sum to zero. Raises NotMet."""
    for result in plays.results:
        lines = [json.loads(line) for line in (plays.run(result["condition"]) / LOG).read_text("utf-8").splitlines()]
        check_order(lines)
        computed = recomputed(lines)
        for player, account in result["players"].items():
            for part, value in zip(("reward", "payoff"), computed[player], strict=True):
                told = account[part]
                require(
                    abs(told - value) < 1e-6,
                    f"{result['condition']}: {part} of {player} is {told}, but {value} by the log",
                )
        moved = sum(account["transfer"] for account in result["players"].values())
        require(abs(moved) < 1e-6, f"{result['condition']}: transfers sum to {moved}, not to 0")


def recomputed(lines: Sequence[dict[str, Any]]) -> dict[str, tuple[float, float]]:
    """Return player -> (reward, payoff) from the log alone: final holdings at the initially stated prices."""
    prices = {player: terms["prices"] for player, terms in lines[0]["data"]["players"].items()}
    last = max(place for place, line in enumerate(lines) if line["kind"] == "end_state")
    held = {player: each["items"] for player, each in lines[last]["data"]["players"].items()}
    rewards = {
        player: sum(count * prices[player].get(item, 0) for item, count in items.items())
        for player, items in held.items()
    }
    moved = dict.fromkeys(rewards, 0.0)
    for line in lines[last:]:
        if line["kind"] == "transfer":
            moved[line["data"]["payer"]] -= line["data"]["amount"]
            moved[line["data"]["payee"]] += line["data"]["amount"]
    return {player: (rewards[player], rewards[player] + moved[player]) for player in rewards}


def check_order(lines: Sequence[dict[str, Any]]) -> None:
    """Check sequence numbers, monotonic time, and the first and last lines. Raises NotMet."""
    require([line["seq"] for line in lines] == list(range(len(lines))), "the log's numbers have a gap")
    ends = (lines[0]["kind"], lines[-1]["kind"])
    require(ends == ("run_started", "run_ended"), f"the log goes from {ends[0]} to {ends[1]}")
    for key in ("time", "episode"):
        values = [line[key] for line in lines if line[key] is not None]
        require(values == sorted(values), f"the log's {key} decreases")
    seen = [line["data"]["t_s"] for line in lines if line["kind"] == "state"]
    require(seen == sorted(seen), "game time decreases")
