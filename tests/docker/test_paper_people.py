"""Human player on `--world paper`: admitted by name, in survival mode, with book and chat as on the embedded server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fakes.person import a_person_plays

pytestmark = pytest.mark.docker


async def test_a_person_plays_on_paper_as_on_the_embedded_server(
    image_of: Callable[..., str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("ACCORD_PAPER_IMAGE", image_of())
    monkeypatch.setenv("ACCORD_EULA", "true")
    monkeypatch.setenv("ACCORD_STATE", str(tmp_path / "state"))
    await a_person_plays(tmp_path, "paper")
