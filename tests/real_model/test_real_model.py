"""One episode of each family with the endpoint named by the environment; skipped without one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.real_model import FAMILY_NAMES, check, endpoint, play

pytestmark = pytest.mark.real_model


@pytest.mark.parametrize("family", FAMILY_NAMES)
async def test_a_real_model_plays_an_episode(family: str, tmp_path: Path) -> None:
    named = endpoint()
    if isinstance(named, str):
        pytest.skip(named)
    check(family, await play(family, *named, tmp_path))
