"""Detection of pseudo-replication: runs in which models gave equal answers to equal prompts are one observation.

It does not matter why they are equal: temperature 0, one seed for all runs, or a model that always says the same.
calls.jsonl holds each prompt's hash and the answer.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from common.lines import read_lines
from common.text import read_json
from voyager_agents.models import ChatMessage
from voyager_agents.models.recorded import prompt_hash
from voyager_agents.roles import EMBEDDING


@dataclass(frozen=True)
class SentCalls:
    """Hashes of the calls that a run made to its models."""

    calls: int = 0
    answered: tuple[str, ...] = ()
    """Hashes of model, prompt and answer of the answered calls, sorted."""

    @property
    def whole(self) -> bool:
        """Return whether all calls were answered."""
        return 0 < self.calls == len(self.answered)


@dataclass(frozen=True)
class CallOverlap:
    """Overlap between the calls of a condition's seeds."""

    runs: int
    calls: int
    """Number of calls of all runs."""
    shared: int
    """Number of calls whose prompt and answer a run of another seed has as well."""
    copies: int
    """Number of runs with exactly the calls of an earlier run."""

    @property
    def words(self) -> str:
        """Warning in words; empty if no call was repeated."""
        if not self.shared:
            return ""
        told = f"{self.shared} of {self.calls} model calls repeat prompt and answer of another run"
        if not self.copies:
            return told
        left = self.runs - self.copies
        return f"{told}; {self.copies} of {self.runs} runs repeat another one whole, so that n is {left}"


def read_sent_calls(calls: Path) -> SentCalls:
    """Return the calls in a calls.jsonl; unreadable lines are skipped."""
    found: dict[tuple[str, str, int], str] = {}
    if not calls.is_file():
        return SentCalls()
    try:
        for _, data, _ in read_lines(calls):
            _note(data, found)
    except OSError:
        # An unreadable line must not prevent the report.
        return SentCalls()
    return SentCalls(len(found), tuple(sorted(key for key in found.values() if key)))


def _note(data: bytes, found: dict[tuple[str, str, int], str]) -> None:
    """Note the call of one line, unless it asked for embeddings or cannot be read."""
    try:
        entry = read_json(data.decode("utf-8"))
        who = (str(entry["player"]), str(entry["role"]), int(entry["number"]))
        if who[1] != EMBEDDING:
            found[who] = _key(entry)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return


def call_overlap(runs: Sequence[tuple[int, SentCalls]]) -> CallOverlap:
    """Return the overlap between the calls of these runs of one condition, given as (seed, calls)."""
    owners: dict[str, set[int]] = {}
    for seed, sent in runs:
        for key in sent.answered:
            owners.setdefault(key, set()).add(seed)
    shared = sum(len(owners[key]) > 1 for _, sent in runs for key in sent.answered)
    whole = Counter(sent.answered for _, sent in runs if sent.whole)
    copies = sum(count - 1 for count in whole.values())
    return CallOverlap(len(runs), sum(sent.calls for _, sent in runs), shared, copies)


def _key(entry: Mapping[str, Any]) -> str:
    """Return a hash of model, prompt and answer, or an empty text for a call without an answer."""
    if not isinstance(reply := entry.get("reply"), str):
        return ""
    prompt = entry.get("prompt") or prompt_hash(ChatMessage.from_plain(each) for each in entry["messages"])
    told = json.dumps([entry["model"], prompt, reply, entry.get("calls")], sort_keys=True)
    return hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:24]
