"""Examples in docs/contracts.md: the YAML loads, the Python runs, the message parses."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

import contracts
from contracts import load_contract
from contracts.messages import parse_turn

PAGE = (Path(__file__).parents[3] / "docs" / "contracts.md").read_text(encoding="utf-8")


def fence(language: str) -> str:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, flags=re.DOTALL | re.MULTILINE)[0]


def test_the_contract_file_loads() -> None:
    contract = load_contract(yaml.safe_load(fence("yaml")))
    assert [each.id for each in contract.transfers] == ["gizmo-pays-glitch"]


def test_the_message_parses() -> None:
    tagged, written = (parse_turn(fence(form), ("Gizmo", "Glitch"), "c") for form in ("text", "json"))
    assert tagged.proposal is not None
    assert written.proposal == tagged.proposal


def test_the_python_runs() -> None:
    scope: dict[str, Any] = {}
    exec(compile(fence("python"), "docs/contracts.md", "exec"), scope)
    assert scope["payoffs"] == {"Gizmo": 37.0, "Glitch": 41.0}


def test_public_names_exist_and_are_in_order() -> None:
    assert contracts.__all__ == sorted(contracts.__all__)
    assert all(hasattr(contracts, name) for name in contracts.__all__)
