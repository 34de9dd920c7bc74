"""Detection of pseudo-replication: seeds that sent equal prompts at temperature 0 are one observation, not several.

calls.jsonl holds each prompt's hash and its sampling settings. A call is fixed if its answer depends on the prompt
alone: at temperature 0, or with a provider's seed that is the same in all runs.
"""

from __future__ import annotations

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
    fixed: tuple[str, ...] = ()
    """Hashes of model, prompt and sampling of the fixed calls, sorted."""

    @property
    def whole(self) -> bool:
        """Return whether all calls are fixed."""
        return 0 < self.calls == len(self.fixed)


@dataclass(frozen=True)
class CallOverlap:
    """Overlap between the calls of a condition's seeds."""

    runs: int
    calls: int
    """Number of calls of all runs."""
    shared: int
    """Number of fixed calls that a run of another seed made as well."""
    copies: int
    """Number of runs with exactly the calls of an earlier run."""

    @property
    def words(self) -> str:
        """Warning in words; empty if no call was repeated."""
        if not self.shared:
            return ""
        told = f"{self.shared} of {self.calls} model calls at temperature 0 (or one seed) repeat another run's prompt"
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
        for key in sent.fixed:
            owners.setdefault(key, set()).add(seed)
    shared = sum(len(owners[key]) > 1 for _, sent in runs for key in sent.fixed)
    whole = Counter(sent.fixed for _, sent in runs if sent.whole)
    copies = sum(count - 1 for count in whole.values())
    return CallOverlap(len(runs), sum(sent.calls for _, sent in runs), shared, copies)


def _key(entry: Mapping[str, Any]) -> str:
    """Return model, prompt and sampling of a fixed call, or an empty text for any other call."""
    settings = entry["settings"]
    temperature, seed = settings.get("temperature"), settings.get("seed")
    if temperature != 0 and seed is None:
        return ""
    prompt = entry.get("prompt") or prompt_hash(ChatMessage.from_plain(each) for each in entry["messages"])
    # At temperature 0 nothing is sampled; otherwise the seed and its use decide.
    drawn = {} if temperature == 0 else {key: value for key, value in settings.items() if key != "timeout_s"}
    return json.dumps([entry["model"], prompt, drawn], sort_keys=True)
