"""The conformance suite on the embedded world with real bots; tests/conformance runs it on the mock world."""

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
from tests.conformance.suite import CASES, Problems, judge, run_suite

pytestmark = [pytest.mark.live, pytest.mark.paced]


@pytest.fixture(scope="module")
def problems(tmp_path_factory: pytest.TempPathFactory) -> Problems:
    async def run() -> Problems:
        async with open_world("embedded", seed=11, log_dir=tmp_path_factory.mktemp("embedded")) as world:
            return await run_suite(world)

    return asyncio.run(run())


@pytest.mark.parametrize("name", CASES)
def test_embedded_conforms(name: str, problems: Problems) -> None:
    judge("embedded", name, problems)
