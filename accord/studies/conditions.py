"""Conditions of runs: a condition of the scenario or a contract file, modified by axes.

On the command line a condition is a base followed by axes, joined by `+`: `negotiate+transfers+k=4`,
`contract-1+coordination`, `negotiate+opens=second+greedy=Gizmo+judge=both`. Values separated by commas give several
conditions: `negotiate+k=2,4,8` is three.
"""

from __future__ import annotations

import difflib
import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pydantic import ValidationError

from accord.studies.factors import folder_name
from accord.studies.judging import beyond_reach, unknown_names
from accord.studies.variants import Variant
from contracts import (
    Contract,
    ContractFormatError,
    ContractScope,
    confine,
    contract_as_mapping,
    library_contract,
    load_contract,
)
from contracts.forces import DEPOSIT, Force
from dilemmas.errors import UsageError
from dilemmas.scenarios.axes import GROUPS, PRIVATE, Axes
from dilemmas.scenarios.base import Scenario
from dilemmas.scenarios.loader import explain_error

JOINT = "+"
NONE = "none"
"""Default condition of a study."""
_WORDS: dict[str, tuple[str, Any]] = {
    **{scope: ("scope", scope) for scope in ("both", "coordination", "transfers")},
    "typed": ("typed", True),
    "untyped": ("typed", False),
    **{str(force): ("force", str(force)) for force in Force},
    "private": ("channels", PRIVATE),
    "groups": ("channels", GROUPS),
    "secret": ("secret", True),
    "announced": ("secret", False),
}
"""Axis written as one word -> field of `Axes` and its value."""
_KEYS = {
    "k": "rounds",
    "opens": "opens",
    "again": "renegotiate",
    "greedy": "greedy",
    "judge": "judge",
    "escrow": "deposit",
    "every": "every",
}
"""Axis written with a value -> field of `Axes`."""
AXES = (
    "coordination, transfers, both, k=N, opens=WHO, again=stands|lapses, greedy=NAME, typed, untyped, judge=WHICH, "
    "binding, escrow, escrow=N, reputation, cheap-talk, private, groups, secret, announced, every=N"
)
"""All axes as written on the command line, for messages."""


@dataclass(frozen=True)
class Condition:
    """Condition of a study: no contract, a given contract or a negotiated one, with its axes and factors."""

    name: str
    """Name as given by the user, with the values of factors."""
    kind: Literal["none", "given", "negotiated"]
    contract: Contract | None
    """Given contract; None if there is none or it is negotiated."""
    axes: Axes = field(default_factory=Axes)
    factors: tuple[tuple[str, str], ...] = ()
    """Pairs of a factor that the study varies and its value in this condition (`accord.studies.factors`)."""

    @property
    def folder(self) -> str:
        """Name of the condition's folder in the study's directory."""
        varied = "".join(f"+{factor}={value}" for factor, value in self.factors)
        return self.name.removesuffix(varied) + folder_name(varied)

    def under(self, variant: Variant) -> Condition:
        """Return the condition with the factors of a variant."""
        return replace(self, name=self.name + variant.suffix, factors=variant.factors)

    @property
    def levels(self) -> dict[str, str]:
        """Factor -> level, where `contract` is a factor too; empty if the study varies nothing but the contract."""
        varied = "".join(f"+{factor}={value}" for factor, value in self.factors)
        return {"contract": self.name.removesuffix(varied), **dict(self.factors)} if self.factors else {}

    @property
    def scope(self) -> ContractScope:
        """Scope of legal contracts."""
        return ContractScope(self.axes.scope)

    def enforced(self, contract: Contract) -> Contract:
        """Return the contract with the condition's force; a condition without one keeps the contract's own."""
        if self.axes.force is None:
            return contract
        force, deposit = self.force
        return replace(contract, force=force, deposit=deposit)

    @property
    def force(self) -> tuple[Force, int]:
        """Force of negotiated agreements, and the deposit of each party in emeralds."""
        force = Force(self.axes.force or Force.BINDING)
        return force, (self.axes.deposit or DEPOSIT) if force is Force.ESCROW else 0

    @property
    def renegotiates(self) -> bool:
        """True if the players negotiate again after each episode."""
        return self.axes.renegotiate != "never"

    @property
    def definition(self) -> object:
        """Plain data for config.yaml; a resumed study compares it to detect changes of the condition."""
        base = contract_as_mapping(self.contract) if self.contract is not None else self.kind
        axes = self.axes.model_dump(mode="json", exclude_defaults=True)
        more = ({"axes": axes} if axes else {}) | ({"factors": dict(self.factors)} if self.factors else {})
        return {"contract": base, **more} if more else base


def expand(texts: Sequence[str]) -> tuple[str, ...]:
    """Return the texts of single conditions, one for each combination of values separated by commas."""
    return tuple(one for text in texts for one in _expanded(text))


def resolve_all(scenario: Scenario, texts: Sequence[str], judge: str | None = None) -> list[Condition]:
    """Return the conditions of these texts. Raises UsageError with a one-line message.

    `judge` applies to the conditions that name no judge.
    """
    found = [resolve(scenario, text, judge) for text in expand(texts)]
    names = [each.name for each in found]
    if len(set(names)) != len(names):
        raise UsageError(f"a condition is given twice ({', '.join(names)}); use --runs to repeat one")
    return found


def resolve(scenario: Scenario, text: str, judge: str | None = None) -> Condition:
    """Return the condition of a text: a condition of the scenario or a contract file, with axes. Raises UsageError."""
    base, *words = [text] if Path(text).is_file() else text.split(JOINT)
    try:
        condition = _with(_named(scenario, base) or _file(scenario, base), words, scenario)
        if condition.contract is not None:
            confined = confine(condition.contract, condition.scope)
            condition = replace(condition, contract=condition.enforced(confined))
    except ContractFormatError as error:
        raise UsageError(str(error)) from None
    if judge is not None and condition.kind != "none" and condition.axes.judge is None:
        condition = replace(condition, axes=_changed(condition.axes, {"judge": judge}, f"--judge {judge}"))
    if condition.contract is not None and (unknown := unknown_names(condition.contract, scenario)):
        words_seen = scenario.vocabulary()
        legal = f"items are {', '.join(words_seen.items)}; mined blocks are {', '.join(words_seen.blocks)}"
        raise UsageError(f"contract {condition.contract.name!r}: {unknown[0]!r} is not seen in this scenario: {legal}")
    if condition.contract is not None and (absurd := beyond_reach(condition.contract, scenario)):
        raise UsageError(f"contract {condition.contract.name!r}: {absurd}")
    return condition


def _expanded(text: str) -> list[str]:
    if Path(text).is_file():
        return [text]
    base, *words = text.split(JOINT)
    choices = [_choices(word) for word in words]
    return [JOINT.join([base, *chosen]) for chosen in itertools.product(*choices)]


def _choices(word: str) -> list[str]:
    key, sign, values = word.partition("=")
    return [f"{key}={value}" for value in values.split(",")] if sign else [word]


def _with(condition: Condition, words: Sequence[str], scenario: Scenario) -> Condition:
    """Return the condition with its own axes overridden by the axes in `words`. Raises UsageError."""
    if not words:
        return condition
    changes: dict[str, Any] = {}
    for word in words:
        key, value = _axis(word)
        if key == "greedy":
            value = (*changes.get(key, ()), value)
        elif key in changes:
            raise UsageError(f"condition: {word!r}: {key} is given twice; give it once")
        changes[key] = value
    if "deposit" in changes:
        changes.setdefault("force", str(Force.ESCROW))
    whole = JOINT.join([condition.name, *words])
    if condition.kind == "none":
        raise UsageError(f"condition {whole!r}: {words[0]!r} is for a contract, and {condition.name!r} has none")
    axes = _changed(condition.axes, changes, f"condition {whole!r}")
    if condition.kind == "given" and (barred := axes.bargained):
        raise UsageError(f"condition {whole!r}: {barred[0]} is for a negotiated contract; start from negotiate")
    try:
        axes.check_players(scenario.spec.players)
    except ValueError as error:
        raise UsageError(f"condition {whole!r}: {error}") from None
    return replace(condition, name=whole, axes=axes)


def _axis(word: str) -> tuple[str, Any]:
    """Return the field and the value of a written axis. Raises UsageError."""
    if word in _WORDS:
        return _WORDS[word]
    name, sign, value = word.partition("=")
    if not sign or not value or name not in _KEYS:
        close = difflib.get_close_matches(word, [*_WORDS, *_KEYS], n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise UsageError(f"unknown axis {word!r}{hint}: legal are {AXES}")
    return _KEYS[name], int(value) if name in ("k", "escrow", "every") and value.isdecimal() else value


def _changed(axes: Axes, changes: dict[str, Any], where: str) -> Axes:
    try:
        return Axes.model_validate(axes.model_dump(exclude_unset=True) | changes)
    except ValidationError as error:
        raise UsageError(f"{where}: {explain_error(error, Axes)}") from None


def _named(scenario: Scenario, name: str) -> Condition | None:
    spec = scenario.spec
    if name == NONE and name not in spec.conditions and not spec.PRICED:
        # Scenarios without contracts have no condition `none`: their default is the first condition.
        name = next(iter(spec.conditions))
    if name not in spec.conditions:
        return None
    chosen = spec.conditions[name]
    players = list(spec.players)
    if chosen.library is not None:
        return Condition(name, "given", library_contract(chosen.library, players), chosen.axes)
    if (drafted := scenario.draft_contract(name)) is not None:
        return Condition(name, "given", drafted, chosen.axes)
    if chosen.file is not None:
        return Condition(name, "given", load_contract(scenario.path.parent / chosen.file, players), chosen.axes)
    return Condition(name, "negotiated" if chosen.contract == "negotiated" else "none", None, chosen.axes)


def _file(scenario: Scenario, text: str) -> Condition:
    if not text.endswith((".yaml", ".yml")) and not Path(text).is_file():
        legal = ", ".join(scenario.spec.conditions)
        close = difflib.get_close_matches(text, scenario.spec.conditions, n=1)
        hint = f" (did you mean {close[0]!r}?)" if close else ""
        raise UsageError(
            f"unknown condition {text!r}{hint}: choose one of {legal}, or give the path of a contract's .yaml file"
        )
    contract = load_contract(Path(text), list(scenario.spec.players))
    return Condition(contract.name, "given", contract)
