"""The conformance suite on the mock world; tests/live/test_conformance.py runs it on the embedded one."""

from __future__ import annotations

import asyncio

import pytest

from bridge.worlds import open_world
from tests.conformance import (  # noqa: F401 -- they register themselves
    cases,
    cases_commands,
    cases_crowds,
    cases_farming,
    cases_items,
    cases_redstone,
    cases_rules,
    cases_shown,
    cases_side_by_side,
    cases_things,
    cases_workshops,
)
from tests.conformance.suite import CANNOT, CASES, Problems, judge, run_suite


@pytest.fixture(scope="module")
def problems(tmp_path_factory: pytest.TempPathFactory) -> Problems:
    async def run() -> Problems:
        async with open_world("mock", seed=11, log_dir=tmp_path_factory.mktemp("mock")) as world:
            return await run_suite(world)

    return asyncio.run(run())


@pytest.mark.parametrize("name", CASES)
def test_mock_conforms(name: str, problems: Problems) -> None:
    judge("mock", name, problems)


def test_the_suite_is_whole_and_its_table_names_only_what_exists() -> None:
    assert len(CASES) >= 40
    assert {name for _, name in CANNOT} <= set(CASES)
