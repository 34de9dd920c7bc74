"""Commands for which Node starts before the command line is imported: `accord run` on the mock world."""

from __future__ import annotations

import pytest

import accord.cli

MOCK = ["--world", "mock"]


@pytest.mark.parametrize(
    ("arguments", "early"),
    [
        (["run", "double-vein", *MOCK], True),
        (["run", "double-vein", "--world=mock", "--contract", "none"], True),
        (["run", "double-vein"], False),
        (["run", "mock", "--world", "paper"], False),
        (["run", "double-vein", *MOCK, "--dry-run"], False),
        (["run", "double-vein", *MOCK, "--jobs=2"], False),
        (["run", *MOCK, "--help"], False),
        (["sweep", "plan.yaml", *MOCK], False),
        ([], False),
    ],
)
def test_node_starts_early_only_for_a_run_on_the_mock_world(arguments: list[str], early: bool) -> None:
    assert accord.cli._plays_at_once_on_mock(arguments) is early
