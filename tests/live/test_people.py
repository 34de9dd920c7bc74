"""Human player at a Minecraft client on the embedded server."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fakes.person import a_person_plays

pytestmark = pytest.mark.live


async def test_a_person_negotiates_reads_plays_and_is_paid(tmp_path: Path) -> None:
    await a_person_plays(tmp_path, "embedded")
