"""Results of `accord doctor` from a bot host's report about itself."""

from __future__ import annotations

from typing import Any

import pytest

from accord.doctor.sandbox import host_checks
from bridge.confinement import UID, Confinement, Lack

FULL = Confinement(("x",), own_user=True, own_network=True)
BARE = Confinement(no_user=Lack("only root can", "be root"), no_network=Lack("not permitted", "allow it"))
SHUT = {"write": False, "start": False, "thread": False, "read": False}


def host(**changed: object) -> dict[str, Any]:
    protections = {"granted": SHUT, "environment": [], "user": UID, "interfaces": 0}
    return {"rss_mb": 2048, "protections": {**protections, **changed}}


def test_a_host_with_every_protection_is_ok() -> None:
    found = host_checks(host(), FULL)
    assert [check.state for check in found] == ["ok"] * 5
    assert not any(check.remedy for check in found)


@pytest.mark.parametrize(
    ("said", "confined", "line"),
    [
        ({"granted": {**SHUT, "start": True}}, FULL, ("permission model", "fail", "starts processes")),
        ({"granted": dict.fromkeys(SHUT, True)}, FULL, ("permission model", "fail", "writes files, starts processes")),
        ({"environment": ["OPENAI_API_KEY"]}, FULL, ("environment", "fail", "1 variables")),
        ({"user": 0}, BARE, ("own user", "warn", "missing: only root can")),
        ({"user": 0}, FULL, ("own user", "warn", "missing: not in force")),
        ({"interfaces": 2}, BARE, ("own network", "warn", "missing: not permitted")),
    ],
)
def test_a_missing_protection_is_one_line_with_what_to_do(
    said: dict[str, Any], confined: Confinement, line: tuple[str, str, str]
) -> None:
    name, state, words = line
    found = {check.name: check for check in host_checks(host(**said), confined)}[f"sandbox: {name}"]
    assert (found.state, words in found.found, bool(found.remedy)) == (state, True, True)
    assert "OPENAI" not in found.found
