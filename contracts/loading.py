"""Loading of contracts from YAML files, mappings and Accord's library."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import yaml

from common.text import well_formed_data
from contracts.errors import ContractFormatError
from contracts.expressions import Expression
from contracts.forces import DEPOSIT, Force
from contracts.terms import Contract, ContractScope, Obligation, ScheduledAct, ScheduleStep, Transfer
from contracts.yaml12 import load_yaml

LIBRARY = Path(__file__).parent / "library"
"""Folder of the contracts shipped with Accord."""
MAX_BYTES = 64_000
"""Maximum size of a contract file."""
_Made = TypeVar("_Made")


def load_contract(source: Path | str | Mapping[str, Any], players: Sequence[str] | None = None) -> Contract:
    """Load a contract from a YAML file or mapping; if `players` is given, they are the only legal parties.

    Raises ContractFormatError, one line with file, key, value and what is legal.
    """
    where = "contract" if isinstance(source, Mapping) else str(source)
    data = source if isinstance(source, Mapping) else _read(Path(source))
    try:
        contract = _contract(data)
        for party in contract.parties if players is not None else ():
            if party not in (players or ()):
                legal = ", ".join(players or ())
                raise ContractFormatError(f"parties: {party!r} is not a player here: choose from {legal}")
    except ContractFormatError as error:
        raise ContractFormatError(f"{where}: {error}") from None
    return contract


def library_contract(name: str, players: Sequence[str] | None = None) -> Contract:
    """Return a contract of the library by name, e.g.

    `double_vein_1`. Raises ContractFormatError for an unknown name.
    """
    known = sorted(path.stem for path in LIBRARY.glob("*.yaml"))
    if name not in known:
        raise ContractFormatError(f"unknown contract {name!r}: choose one of {', '.join(known)}")
    return load_contract(LIBRARY / f"{name}.yaml", players)


def contract_as_mapping(contract: Contract) -> dict[str, Any]:
    """Return the contract as plain data in the form read by `load_contract`, for records, prompts and YAML files."""
    return {
        "name": contract.name,
        "text": contract.text,
        "parties": list(contract.parties),
        "obligations": [
            {"id": each.id, "party": each.party, "condition": each.condition.source, "text": each.text}
            for each in contract.obligations
        ],
        "transfers": [
            {
                "id": each.id,
                "payer": each.payer,
                "payee": each.payee,
                "amount": each.amount.source,
                "condition": each.condition.source,
                "text": each.text,
            }
            for each in contract.transfers
        ],
        "schedule": [_step_as_mapping(each) for each in contract.schedule],
        **({} if contract.scope is ContractScope.BOTH else {"scope": str(contract.scope)}),
        **({} if contract.force is Force.BINDING else {"force": str(contract.force)}),
        **({"deposit": contract.deposit} if contract.deposit else {}),
    }


def _step_as_mapping(step: ScheduleStep) -> dict[str, Any]:
    counted = step.do in (ScheduledAct.TAKE, ScheduledAct.RETURN, ScheduledAct.MINE)
    plain = {key: value for key, value in asdict(step).items() if value and (key != "count" or counted)}
    return plain | {"do": str(step.do)}


def _read(path: Path) -> Mapping[str, Any]:
    try:
        raw = path.read_bytes()
        if len(raw) > MAX_BYTES:
            raise ContractFormatError(f"{path}: {len(raw)} bytes: at most {MAX_BYTES} are legal")
        data = well_formed_data(load_yaml(raw.decode("utf-8"), aliases=False))
    except OSError as error:
        raise ContractFormatError(f"{path}: cannot be read ({error.strerror}): give the path of a YAML file") from None
    except UnicodeDecodeError:
        raise ContractFormatError(f"{path}: is not UTF-8 text: give a YAML file") from None
    except yaml.YAMLError as error:
        raise ContractFormatError(f"{path}: is not YAML: {_yaml_place(error)}") from None
    except (RecursionError, TypeError, ValueError) as error:
        raise ContractFormatError(
            f"{path}: is not usable YAML ({type(error).__name__}): keep it a plain mapping"
        ) from None
    except ContractFormatError as error:
        raise ContractFormatError(f"{path}: {error}".replace(f"{path}: {path}: ", f"{path}: ")) from None
    if not isinstance(data, Mapping):
        raise ContractFormatError(
            f"{path}: {str(data)[:60]!r} is not a mapping: start with the keys name, text, parties"
        )
    return data


def _yaml_place(error: yaml.YAMLError) -> str:
    mark = getattr(error, "problem_mark", None)
    problem = str(getattr(error, "problem", None) or error)
    return f"line {mark.line + 1}, column {mark.column + 1}: {problem}" if mark else problem


def _contract(data: Mapping[str, Any]) -> Contract:
    _keys(data, "", ("name", "text", "parties"), ("transfers", "obligations", "schedule", "scope", "force", "deposit"))
    parties = data["parties"]
    if not isinstance(parties, list | tuple):
        raise ContractFormatError(f"parties: {parties!r} is not a list: write e.g. [Gizmo, Glitch]")
    return Contract(
        name=data["name"],
        text=_text(data["text"], "text"),
        parties=tuple(parties),
        transfers=_each(data, "transfers", _transfer),
        obligations=_each(data, "obligations", _obligation),
        schedule=_each(data, "schedule", _step),
        scope=_scope(data.get("scope", ContractScope.BOTH)),
        force=(force := _force(data.get("force", Force.BINDING))),
        deposit=data.get("deposit", DEPOSIT if force is Force.ESCROW else 0),
    )


def _scope(value: object) -> ContractScope:
    if value not in [str(scope) for scope in ContractScope]:
        raise ContractFormatError(f"scope: {value!r} is unknown: choose one of {', '.join(ContractScope)}")
    return ContractScope(str(value))


def _force(value: object) -> Force:
    if value not in [str(force) for force in Force]:
        raise ContractFormatError(f"force: {value!r} is unknown: choose one of {', '.join(Force)}")
    return Force(str(value))


def _each(data: Mapping[str, Any], key: str, make: Callable[[Mapping[str, Any], str], _Made]) -> tuple[_Made, ...]:
    entries = data.get(key, [])
    if not isinstance(entries, list | tuple):
        raise ContractFormatError(f"{key}: {str(entries)[:60]!r} is not a list")
    made = []
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, Mapping):
            raise ContractFormatError(f"{key} {number}: {str(entry)[:60]!r} is not a mapping")
        made.append(make(entry, f"{key} {number}: "))
    return tuple(made)


def _transfer(entry: Mapping[str, Any], where: str) -> Transfer:
    _keys(entry, where, ("id", "payer", "payee", "amount"), ("condition", "text"))
    return Transfer(
        id=entry["id"],
        payer=_text(entry["payer"], f"{where}payer"),
        payee=_text(entry["payee"], f"{where}payee"),
        amount=_expression(entry["amount"], f"{where}amount"),
        condition=_expression(entry.get("condition", True), f"{where}condition"),
        text=_text(entry.get("text", ""), f"{where}text"),
    )


def _obligation(entry: Mapping[str, Any], where: str) -> Obligation:
    _keys(entry, where, ("id", "party", "condition"), ("text",))
    return Obligation(
        id=entry["id"],
        party=_text(entry["party"], f"{where}party"),
        condition=_expression(entry["condition"], f"{where}condition"),
        text=_text(entry.get("text", ""), f"{where}text"),
    )


def _step(entry: Mapping[str, Any], where: str) -> ScheduleStep:
    _keys(entry, where, ("party", "do"), ("item", "block", "count", "other", "name"))
    if entry["do"] not in [str(deed) for deed in ScheduledAct]:
        raise ContractFormatError(f"{where}do: {entry['do']!r} is unknown: choose one of {', '.join(ScheduledAct)}")
    texts = {key: _text(entry.get(key, ""), f"{where}{key}") for key in ("item", "block", "other", "name")}
    party = _text(entry["party"], f"{where}party")
    return ScheduleStep(party=party, do=ScheduledAct(entry["do"]), count=entry.get("count", 1), **texts)


def _keys(data: Mapping[str, Any], where: str, required: tuple[str, ...], optional: tuple[str, ...]) -> None:
    for key in data:
        if key not in required + optional:
            legal = ", ".join(required + optional)
            raise ContractFormatError(f"{where}unknown key {key!r}: legal keys are {legal}")
    for key in required:
        if key not in data:
            raise ContractFormatError(f"{where}key {key!r} is missing: required are {', '.join(required)}")


def _text(value: object, where: str) -> str:
    if not isinstance(value, str):
        raise ContractFormatError(f"{where}: {value!r} is not text: write it in quotes")
    return value


def _expression(value: object, where: str) -> Expression:
    """Parse an expression; YAML's numbers and booleans are written back as text first."""
    try:
        return Expression(repr(value) if isinstance(value, bool | int | float) else value)  # type: ignore[arg-type]
    except ContractFormatError as error:
        raise ContractFormatError(f"{where}: {error}") from None
