"""Price table of models. A model that is not in the table has no known price."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from contracts.yaml12 import load_yaml
from voyager_agents.errors import ModelError
from voyager_agents.models.base import Usage

TABLE = Path(__file__).with_name("prices.yaml")
MILLION = 1_000_000
FREE_KINDS = frozenset({"replay", "local"})
"""Kinds of models that call no provider."""
_DATED = re.compile(r"-\d{4}-\d{2}-\d{2}$")
_KEYS = ("prompt", "completion", "cached")
_ORIGIN = ("as_of", "source")


@dataclass(frozen=True)
class Price:
    """Price in dollars per million tokens."""

    prompt: float
    completion: float
    cached: float | None = None
    """Price of cached prompt tokens; None: same as `prompt`."""
    as_of: str = ""
    """Date on which the price was read from `source`; empty: from memory, to be checked before money depends on it."""
    source: str = ""
    """Source of the price, such as a URL."""

    @property
    def is_dated(self) -> bool:
        """True if the price has a date and a source, or is zero."""
        return bool(self.as_of and self.source) or self.prompt == self.completion == 0

    def of(self, usage: Usage) -> float:
        """Return the price of a usage in dollars."""
        cached = self.prompt if self.cached is None else self.cached
        new = usage.prompt_tokens - usage.cached_tokens
        return (new * self.prompt + usage.cached_tokens * cached + usage.completion_tokens * self.completion) / MILLION


@dataclass(frozen=True)
class Prices:
    """A price table, keyed by the provider's model name without the kind."""

    table: Mapping[str, Price] = field(default_factory=dict)

    def of(self, model: str) -> Price | None:
        """Return the price of a model such as `openai/gpt-4o`; None if unknown."""
        kind, _, name = model.partition("/")
        if kind.partition(":")[0] in FREE_KINDS:
            return Price(0.0, 0.0)
        return self.table.get(name) or self.table.get(_DATED.sub("", name))


def load_prices(own: Path | None = None) -> Prices:
    """Return the built-in table, overridden by the entries of `own`. Raises ModelError with a one-line message."""
    return Prices({**_read(TABLE), **({} if own is None else _read(own))})


def _read(path: Path) -> dict[str, Price]:
    try:
        data = load_yaml(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise ModelError(f"price file {path}: cannot be read ({type(error).__name__}): check --prices") from None
    except yaml.YAMLError:
        raise ModelError(f"price file {path}: is not YAML: check --prices") from None
    if not isinstance(data, dict):
        raise ModelError(f"price file {path}: write NAME: {{prompt: 2.5, completion: 10}}, a line for each model")
    return {str(name): _price(path, name, entry) for name, entry in data.items()}


def _price(path: Path, name: object, entry: object) -> Price:
    legal = (
        f"give {{prompt: USD, completion: USD}} for a million tokens; legal keys are {', '.join([*_KEYS, *_ORIGIN])}"
    )
    if not isinstance(entry, dict) or not set(_KEYS[:2]) <= set(entry) <= {*_KEYS, *_ORIGIN}:
        raise ModelError(f"price file {path}: {name}: {entry!r}: {legal}")
    numbers = {key: value for key, value in entry.items() if key in _KEYS}
    for key, value in numbers.items():
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not number or not math.isfinite(value) or value < 0:
            raise ModelError(f"price file {path}: {name}: {key}: {value!r} is not a price: {legal}")
    cached = numbers.get("cached")
    return Price(
        float(numbers["prompt"]),
        float(numbers["completion"]),
        None if cached is None else float(cached),
        as_of=str(entry.get("as_of", "")),
        source=str(entry.get("source", "")),
    )
