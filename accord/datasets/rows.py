"""Rows of a dataset's tables, read from the records of finished runs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from accord.analysis.figures import TOGETHER, figures
from accord.analysis.report.reader import LOG
from accord.analysis.transcript.calls import CallTexts
from accord.analysis.transcript.model import StepPart, TranscriptStep, tokens, usd
from accord.analysis.transcript.reading import read_steps
from accord.datasets.tables import Row
from dilemmas.records import events as log
from dilemmas.records.manifest import read_config
from dilemmas.records.record import read_events
from dilemmas.records.results import read_result
from voyager_agents.human.connection import HUMAN

RESULT, CALLS = "result.json", "calls.jsonl"
RETURNED = "returned"
"""Outcome of a program that ran to its end."""
_PRIVATE = frozenset(
    {
        "out",
        "port",
        "base_url",
        "base_urls",
        "api_key_file",
        "api_key_files",
        "prompts",
        "prices",
        "consent",
        "instructions",
        "questionnaire",
    }
)
"""Settings that tell of a machine rather than of a study."""


@dataclass(frozen=True)
class RowFilter:
    """Selection of rows."""

    worked: bool = False
    """True to leave out what failed: runs that are not complete or not valid, programs that did not return, steps in
    which something went wrong, and unusable answers."""
    people: bool = False
    """True to include the texts of runs in which people played."""


@dataclass
class _Log:
    """Findings of one pass over a run's log."""

    started: log.RunStarted | None = None
    persons: set[str] = field(default_factory=set)
    models: dict[str, None] = field(default_factory=dict)
    rewards: list[Row] = field(default_factory=list)
    programs: list[Row] = field(default_factory=list)


class RunRows:
    """Rows of one run. Logs are read again for each large table, so that memory does not grow with them."""

    def __init__(self, directory: Path, name: str, wanted: RowFilter) -> None:
        """Read the run's result and the figures of its log.

        Args:
            directory: Directory of the run.
            name: Name of the run in the dataset.
            wanted: Selection of rows.

        Raises:
            RecordError: The record cannot be read.
        """
        self.directory, self.name = directory, name
        self._wanted = wanted
        self.result = read_result(directory / RESULT)
        self.config = read_config(directory)
        self._log = self._read_log()

    @property
    def seed(self) -> int:
        """Seed of the run."""
        return int(self.result["seed"])

    @property
    def people(self) -> bool:
        """True if people played."""
        return bool(self._log.persons)

    @property
    def left_out(self) -> bool:
        """True if the selection leaves the whole run out."""
        return self._wanted.worked and (self.result["status"] != "complete" or bool(self.result.get("invalid")))

    def rows(self, table: str) -> Iterator[Row]:
        """Yield the selected rows of a table. Raises RecordError."""
        readers: dict[str, Callable[[], Iterator[Row]]] = {
            "runs": self._runs, "players": self._players, "rewards": self._rewards, "turns": self._turns,
            "calls": self._calls, "programs": self._programs, "contracts": self._contracts,
            "skipped": self._skipped, "verdicts": self._verdicts, "positions": self._positions, "events": self._events,
        }  # fmt: skip
        for row in readers[table]():
            yield {"run": self.name, **row}

    def _read_log(self) -> _Log:
        found = _Log()
        running: dict[str, Row] = {}
        attempt = 1
        kinds = ("run_started", "person", "model_call", "episode_started", "policy_written", "policy_ended",
                 "episode_ended")  # fmt: skip
        for line in read_events(self.directory / LOG, kinds):
            match line.event:
                case log.RunStarted():
                    found.started = line.event
                    found.persons |= {name for name, told in line.event.players.items() if told.author == HUMAN}
                case log.PersonSeen():
                    found.persons.add(line.event.player)
                case log.ModelCalled():
                    found.models[line.event.model] = None
                case log.EpisodeStarted():
                    attempt, running = line.event.attempt, {}
                case log.PolicyWritten():
                    written = line.event
                    running[written.player] = {
                        "episode": line.episode, "attempt": attempt, "player": written.player,
                        "author": written.author, "stood_in": written.stood_in, "thought": written.thought,
                        "source": written.source, "outcome": None, "error": None,
                        "reward": None, "transfer": None, "payoff": None,
                    }  # fmt: skip
                    found.programs.append(running[written.player])
                case log.PolicyEnded() if line.event.player in running:
                    ended = line.event
                    running[ended.player] |= {
                        "outcome": ended.outcome,
                        "error": None if ended.error is None else f"{ended.error.name}: {ended.error.message}",
                    }
                case log.EpisodeEnded():
                    for player, account in line.event.players.items():
                        paid = {name: getattr(account, name) for name in ("reward", "transfer", "payoff")}
                        running.get(player, {}).update(paid)
                        found.rewards.append(
                            {"episode": line.episode, "attempt": attempt, "player": player, **paid,
                             "items": _json(account.items), "end": line.event.reason, "game_s": line.event.game_s}
                        )  # fmt: skip
        named = (self.config.get("settings") or {}).get("players") or {}
        found.persons |= {player for player, kind in named.items() if kind == HUMAN}
        return found

    def _runs(self) -> Iterator[Row]:
        result, settings = self.result, self.config.get("settings") or {}
        usage = result.get("usage") or {}
        yield {
            "scenario": result["scenario"],
            "version": result.get("version"),
            "condition": result["condition"],
            "world": result.get("world"),
            "seed": self.seed,
            "status": result["status"],
            "valid": not result.get("invalid"),
            "invalid": result.get("invalid"),
            "reason": result.get("reason"),
            "people": self.people,
            "models": list(self._log.models),
            "accord": str((self.config.get("versions") or {}).get("accord") or "") or None,
            **{name: result.get(name) for name in ("welfare", "gini", "episodes", "game_s")},
            **{name: usage.get(name) for name in ("calls", "tokens", "usd")},
            "measures": _json(self._measures.get(TOGETHER, {})),
            "settings": _json({name: value for name, value in settings.items() if name not in _PRIVATE}),
        }

    def _players(self) -> Iterator[Row]:
        told = self._log.started.players if self._log.started else {}
        for player, account in (self.result.get("players") or {}).items():
            terms = told.get(player)
            yield {
                "player": player,
                "author": terms.author if terms else None,
                "group": terms.group if terms else None,
                "person": player in self._log.persons,
                **{name: account.get(name) for name in ("reward", "transfer", "payoff")},
                "items": _json(account.get("items") or {}),
                "measures": _json(self._measures.get(player, {})),
            }

    @cached_property
    def _measures(self) -> dict[str, dict[str, float]]:
        """Player, or nobody for all together -> the scenario's own measures."""
        own = set(self.result.get("measures") or {})
        found: dict[str, dict[str, float]] = defaultdict(dict)
        for (measure, player), value in figures(self.result).items():
            if measure in own:
                found[player][measure] = value
        return dict(found)

    def _rewards(self) -> Iterator[Row]:
        yield from self._log.rewards

    def _programs(self) -> Iterator[Row]:
        for row in self._log.programs:
            if not self._wanted.worked or (row["outcome"] == RETURNED and not row["stood_in"]):
                yield row

    def _turns(self) -> Iterator[Row]:
        for step in read_steps(self.directory):
            if self._wanted.worked and step.trouble:
                continue
            yield {
                **{name: getattr(step, name) for name in ("seq", "episode", "attempt", "round", "t_s", "player")},
                "others": list(step.others),
                **{name: getattr(step, name) for name in ("kind", "title")},
                "text": "\n\n".join(map(_part_text, step.parts)),
                "trouble": step.trouble,
                "tokens": tokens(step),
                "usd": usd(step),
            }

    def _calls(self) -> Iterator[Row]:
        faulty = {key for step in read_steps(self.directory) if step.kind == "fault" for key in _call_keys(step)}
        for call in CallTexts(self.directory / CALLS).all_calls():
            key = str(call.get("player")), str(call.get("role")), int(call.get("number", 0))
            usable = "reply" in call and key not in faulty
            if self._wanted.worked and not usable:
                continue
            usage, step = call.get("usage") or {}, call.get("cascade") or {}
            yield {
                **dict(zip(("player", "role", "number"), key, strict=True)),
                "episode": call.get("episode"),
                "model": call.get("model"),
                "messages": [_message(each) for each in call.get("messages") or ()],
                "reply": call.get("reply"),
                "tool_calls": _json(call.get("calls") or []),
                "settings": _json(call.get("settings") or {}),
                "form": call.get("form"),
                "usable": usable,
                "prompt_tokens": usage.get("prompt_tokens"),
                "completion_tokens": usage.get("completion_tokens"),
                "usd": call.get("usd"),
                "cached": call.get("cached") is True,
                "stage": step.get("stage"),
                "why": step.get("why", ""),
            }

    def _skipped(self) -> Iterator[Row]:
        for line in read_events(self.directory / LOG, ("life_summed",)):
            if not isinstance(line.event, log.LifeSummed):
                continue
            for module, counts in line.event.modules.items():
                if skipped := int(counts.get("skipped", 0)):
                    yield {"player": line.event.player, "module": module, "calls": int(counts.get("calls", 0)),
                           "skipped": skipped}  # fmt: skip

    def _contracts(self) -> Iterator[Row]:
        for line in read_events(self.directory / LOG, ("contract", "deal")):
            if isinstance(line.event, log.DealChanged):
                told = line.event.entry
                change = {"deal": told["deal"], "state": told["change"], "reason": told.get("reason", "")}
                data = told.get("contract")
            elif isinstance(line.event, log.ContractEvent):
                change = {"deal": None, "state": line.event.state, "reason": line.event.reason}
                data = line.event.contract
            yield {
                "seq": line.seq,
                "episode": line.episode,
                **change,
                "text": data and data.get("text"),
                "contract": None if data is None else _json(data),
            }

    def _verdicts(self) -> Iterator[Row]:
        for line in read_events(self.directory / LOG, ("verdict",)):
            if not isinstance(line.event, log.VerdictGiven):
                continue
            told = line.event
            yield {
                "seq": line.seq,
                "episode": line.episode,
                **{name: getattr(told, name) for name in ("deal", "judge", "readable", "critique")},
                "findings": _json(told.findings),
                "transfers": _json(told.transfers),
            }

    def _positions(self) -> Iterator[Row]:
        attempt = 1
        for line in read_events(self.directory / LOG, ("episode_started", "places")):
            match line.event:
                case log.EpisodeStarted():
                    attempt = line.event.attempt
                case log.PlacesSeen():
                    for player, (x, y, z) in line.event.at.items():
                        yield {"episode": line.episode, "attempt": attempt, "t_s": line.event.t_s, "player": player,
                               "x": x, "y": y, "z": z}  # fmt: skip

    def _events(self) -> Iterator[Row]:
        for line in read_events(self.directory / LOG):
            data = line.event.model_dump(mode="json", by_alias=True, exclude={"kind"})
            yield {"seq": line.seq, "kind": line.kind, "tick": line.tick, "time": line.time, "episode": line.episode,
                   "data": _json(data)}  # fmt: skip


def _json(value: Any) -> str:  # noqa: ANN401 - plain data
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _part_text(part: StepPart) -> str:
    return f"{part.label}: {part.text}" if part.label else part.text


def _call_keys(step: TranscriptStep) -> Iterator[tuple[str, str, int]]:
    return ((call.player, call.role, call.number) for call in step.calls)


def _message(told: Any) -> dict[str, str]:  # noqa: ANN401 - from a record
    message = told if isinstance(told, dict) else {}
    content = message.get("content", "")
    rest = {name: value for name, value in message.items() if name not in ("role", "content")}
    text = content if isinstance(content, str) else _json(content)
    # Tool calls and their answers stand after the text, so that all messages have one shape.
    return {
        "role": str(message.get("role", "")),
        "content": "\n".join(filter(None, (text, _json(rest) if rest else ""))),
    }
