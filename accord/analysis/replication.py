"""Pseudo-replication: several seeds that asked their models the same at temperature 0 are one observation, not several.

What was asked stands in calls.jsonl: each prompt by its hash, with how it was sampled. A call is fixed where its answer
hangs on the prompt alone: at temperature 0, or with a seed of the provider that is the same in all runs.
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
class Sent:
    """What a run asked its models."""

    calls: int = 0
    fixed: tuple[str, ...] = ()
    """Of the calls whose answers hang on the prompt alone: model, prompt and sampling, by hash; sorted."""

    @property
    def whole(self) -> bool:
        """Whether there were no other calls."""
        return 0 < self.calls == len(self.fixed)


@dataclass(frozen=True)
class Repeated:
    """How far the seeds of a condition asked the same."""

    runs: int
    calls: int
    """Of all runs together."""
    shared: int
    """Fixed calls that a run of another seed made as well."""
    copies: int
    """Runs that asked nothing but what an earlier one had asked, call for call."""

    @property
    def words(self) -> str:
        """What has to be known; empty where nothing was repeated."""
        if not self.shared:
            return ""
        told = f"{self.shared} of {self.calls} model calls at temperature 0 (or one seed) repeat another run's prompt"
        if not self.copies:
            return told
        left = self.runs - self.copies
        return f"{told}; {self.copies} of {self.runs} runs repeat another one whole, so that n is {left}"


def read_sent(calls: Path) -> Sent:
    """What the run of that calls.jsonl asked; lines that cannot be read are left away."""
    found: dict[tuple[str, str, int], str] = {}
    if not calls.is_file():
        return Sent()
    try:
        for _, data, _ in read_lines(calls):
            _note(data, found)
    except OSError:
        # A report is made of what can be read.
        return Sent()
    return Sent(len(found), tuple(sorted(key for key in found.values() if key)))


def _note(data: bytes, found: dict[tuple[str, str, int], str]) -> None:
    """The call of one line, unless it asked for vectors or cannot be read."""
    try:
        entry = read_json(data.decode("utf-8"))
        who = (str(entry["player"]), str(entry["role"]), int(entry["number"]))
        if who[1] != EMBEDDING:
            found[who] = _key(entry)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return


def repeated(runs: Sequence[tuple[int, Sent]]) -> Repeated:
    """How far these runs of one condition, with their seeds, asked the same."""
    owners: dict[str, set[int]] = {}
    for seed, sent in runs:
        for key in sent.fixed:
            owners.setdefault(key, set()).add(seed)
    shared = sum(len(owners[key]) > 1 for _, sent in runs for key in sent.fixed)
    whole = Counter(sent.fixed for _, sent in runs if sent.whole)
    copies = sum(count - 1 for count in whole.values())
    return Repeated(len(runs), sum(sent.calls for _, sent in runs), shared, copies)


def _key(entry: Mapping[str, Any]) -> str:
    """Model, prompt and sampling of a call whose answer hangs on them alone; empty for any other."""
    settings = entry["settings"]
    temperature, seed = settings.get("temperature"), settings.get("seed")
    if temperature != 0 and seed is None:
        return ""
    prompt = entry.get("prompt") or prompt_hash(ChatMessage(**each) for each in entry["messages"])
    # At temperature 0 nothing else is drawn; elsewhere the seed and how it is used decide.
    drawn = {} if temperature == 0 else {key: value for key, value in settings.items() if key != "timeout_s"}
    return json.dumps([entry["model"], prompt, drawn], sort_keys=True)
