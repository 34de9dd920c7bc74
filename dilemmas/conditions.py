"""What a run is played under: a condition of the scenario, or a contract file."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from contracts import Contract, ContractFormatError, library_contract, load_contract
from dilemmas.errors import UsageError
from dilemmas.judging import unknown_names
from dilemmas.scenario import Scenario


@dataclass(frozen=True)
class Condition:
    """One thing to compare."""

    name: str
    kind: Literal["none", "given", "negotiated"]
    contract: Contract | None
    """The contract that is given; None otherwise."""


def resolve(scenario: Scenario, text: str) -> Condition:
    """The scenario's condition of that name, or the contract in that file. Raises UsageError in one line."""
    try:
        condition = _named(scenario, text) or _file(scenario, text)
    except ContractFormatError as error:
        raise UsageError(str(error)) from None
    if condition.contract is not None and (unknown := unknown_names(condition.contract, scenario)):
        words = scenario.vocabulary()
        legal = f"items are {', '.join(words.items)}; mined blocks are {', '.join(words.blocks)}"
        raise UsageError(f"contract {condition.contract.name!r}: {unknown[0]!r} is not seen in this scenario: {legal}")
    return condition


def _named(scenario: Scenario, name: str) -> Condition | None:
    spec = scenario.spec
    if name not in spec.conditions:
        return None
    chosen = spec.conditions[name]
    players = list(spec.players)
    if chosen.library is not None:
        return Condition(name, "given", library_contract(chosen.library, players))
    if chosen.file is not None:
        return Condition(name, "given", load_contract(scenario.path.parent / chosen.file, players))
    return Condition(name, "negotiated" if chosen.contract == "negotiated" else "none", None)


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
