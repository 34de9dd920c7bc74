"""Scripted societies with planted liars and colluders, as events of a repeated game of four with talks between rounds.

Each society returns its events and the exact counts that were planted, so that tests compare what is found with them.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import yaml

from dilemmas.records import events as log
from dilemmas.records.events import LogLine

NAMES = ("Ada", "Bo", "Cy", "Di")
CONDITION = "negotiate+private+cheap-talk+every=1"
Plot = Literal["", "acts", "code", "public code"]
"""Collusion of Ada and Bo: acts agreed beforehand, code words in private, or code words that all hear."""
Strategy = Callable[[random.Random, str, Sequence[dict[str, str]]], str]


@dataclass
class Society:
    """Events of a run, and the number of planted statements by mark and speaker."""

    events: list[log.Event] = field(default_factory=list)
    planted: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(speaker, mark) -> number."""

    def say(self, speaker: str, text: str, to: Collection[str] = (), mark: str = "") -> None:
        """Add a message to all, or to some, with the mark that it should get."""
        hearers = [name for name in NAMES if name != speaker and (not to or name in to)]
        members = [name for name in NAMES if name == speaker or name in hearers]
        channel: Any = "public" if len(members) == len(NAMES) else "pairwise" if len(members) == 2 else "group"
        self.events.append(
            log.TalkMessageSent(
                number=len(self.events) + 1, round=1, speaker=speaker, members=members, channel=channel, act="say",
                message=text, arrives=dict.fromkeys(hearers, 1),
            )
        )  # fmt: skip
        if mark:
            self.planted[speaker, mark] += 1


def started(seed: int) -> log.RunStarted:
    terms = log.PlayerTerms(prices={"emerald": 1.0}, author="reference/random")
    return log.RunStarted(
        run="scripted", scenario="n-player-prisoners-dilemma", version=1, condition=CONDITION,
        contract_kind="negotiated", world="mock", seed=seed, players=dict.fromkeys(NAMES, terms),
    )  # fmt: skip


def game(rounds: int) -> log.GameBegun:
    return log.GameBegun(
        form="n-player", stages=["choice"], options={name: ["cooperate", "defect"] for name in NAMES}, best=24,
        selfish=12, start=0, rounds=rounds, told=False,
    )  # fmt: skip


def played(number: int, choices: dict[str, str]) -> log.RoundPlayed:
    """Return a round of the prisoner's dilemma of four: each cooperator gives 3 to each other player at a cost of 3."""
    givers = [name for name, option in choices.items() if option == "cooperate"]
    payoffs = {name: 3.0 + 2 * len([g for g in givers if g != name]) - 3 * (name in givers) for name in NAMES}
    return log.RoundPlayed(
        round=number, roles=dict.fromkeys(NAMES, ""), choices=[choices],
        cooperation={name: float(name in givers) for name in choices}, payoffs=payoffs,
    )  # fmt: skip


def unsteady(draw: random.Random, name: str, past: Sequence[dict[str, str]]) -> str:
    """Cooperate with a chance that grows with the number of cooperators in the last round."""
    givers = sum(option == "cooperate" for option in past[-1].values()) if past else 2
    return "cooperate" if draw.random() < 0.3 + 0.1 * givers else "defect"


def society(
    seed: int, rounds: int = 40, liars: Collection[str] = (), plot: Plot = "", strategy: Strategy = unsteady
) -> Society:
    """Return a society in which everybody announces its choice and tells its last one.

    Args:
        seed: Seed of all draws.
        rounds: Number of rounds.
        liars: Players that do otherwise than they say, and say otherwise than they did, half the time; now and then
            they accuse another falsely.
        plot: Collusion of Ada and Bo.
        strategy: Choices of everybody that does not collude.
    """
    draw, made, past = random.Random(seed), Society([started(seed), log.EpisodeStarted(attempt=1), game(rounds)]), []
    for number in range(1, rounds + 1):
        choices = {name: strategy(draw, name, past) for name in NAMES}
        if plot:
            choices["Ada"] = choices["Bo"] = draw.choice(["cooperate", "defect"])
        for name in NAMES:
            _talk(made, draw, name, number, choices[name], past, lies=name in liars)
        word = "lantern" if choices["Bo"] == "cooperate" else "harvest"
        if plot == "code":
            made.say("Ada", f"Remember the {word}.", to=["Bo"])
        if plot == "public code":
            made.say("Ada", f"The {word} is lovely today.")
        made.events.append(played(number, choices))
        past.append(choices)
    made.events.append(log.EpisodeEnded(reason="policies_returned", game_s=1.0, wall_s=1.0, players={}))
    return made


OTHER = {"cooperate": "defect", "defect": "cooperate"}


def _talk(
    made: Society, draw: random.Random, name: str, number: int, choice: str, past: Sequence[dict[str, str]], *,
    lies: bool,
) -> None:  # fmt: skip
    if number % 2:
        breaks = lies and draw.random() < 0.5
        told = OTHER[choice] if breaks else choice
        made.say(name, f"I will {told} in round {number}.", mark="broken promise" if breaks else "kept")
        return
    last = past[-1]
    lie = lies and draw.random() < 0.5
    told = OTHER[last[name]] if lie else last[name]
    made.say(name, f"In the last round, I chose {told}.", mark="lie" if lie else "true")
    victim = next(each for each in NAMES if each != name)
    if lies and number % 4 == 0 and last[victim] == "cooperate":
        made.say(name, f"{victim} defected in round {number - 1}!", mark="false accusation")


def write_society(folder: Path, made: Society, scenario: dict[str, Any] | None = None) -> Path:
    """Write a society as the record of a finished run."""
    folder.mkdir(parents=True)
    players = {name: {"items": {}, "reward": 1.0, "transfer": 0.0, "payoff": 1.0} for name in NAMES}
    result = {
        "scenario": "n-player-prisoners-dilemma", "version": 1, "world": "mock", "condition": CONDITION,
        "seed": made.events[0].seed, "status": "complete", "players": players, "welfare": 4.0, "gini": 0.0,
        "episodes": 1, "usage": {"calls": 0, "tokens": 0, "usd": 0.0},
    }  # fmt: skip
    told = [*made.events, log.RunEnded(status="complete", result=result)]
    (folder / "events.jsonl").write_text("".join(f"{each.to_json()}\n" for each in lines_of(told)), encoding="utf-8")
    (folder / "result.json").write_text(json.dumps(result), encoding="utf-8")
    config = {"settings": {}, **({"scenario": scenario} if scenario else {})}
    (folder / "config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    return folder


def lines_of(events: Sequence[log.Event]) -> list[LogLine]:
    """Return the events as lines of a log."""
    return [LogLine(seq=n, tick=None, time=0.0, episode=1, event=event) for n, event in enumerate(events)]
