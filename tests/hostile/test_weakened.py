"""Detection of missing defences: with one defence removed at a time, the corpus finds the resulting harm."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from bridge import node, supervisor
from bridge.confinement import Confinement, confinement
from bridge.hostile import AttackReport, run_corpus
from bridge.supervisor import close_supervisor
from bridge.worlds import MINEFLAYER
from tests.hostile.weakened import Change, Weakness, weak_supervisor, weak_world
from tests.hostile.weaknesses import CONNECTED, FREE_SEARCHES, HOLE, LINK, PERMIT, SCARCE, WEAKNESSES

pytestmark = pytest.mark.live


LATE_S = 60.0
"""Wall time of a second attempt in seconds, since a program achieves little on a busy machine."""


async def attacked(weakness: Weakness, wall_s: float | None = None) -> AttackReport:
    """Return the corpus's report on a sandbox with that weakness; programs run for `wall_s` seconds if given."""
    await asyncio.to_thread(close_supervisor)
    with TemporaryDirectory(prefix="accord-weak-") as name:  # pytest's own folders are closed to a host of another user
        folder = Path(name)
        supervisor = weak_supervisor(weakness, folder)
        try:
            attacks = [replace(attack, wall_s=wall_s or attack.wall_s) for attack in weakness.load()]
            return await run_corpus(attacks, open_world=weak_world(weakness, supervisor, folder))
        finally:
            await asyncio.to_thread(supervisor.close)


def findings(report: AttackReport) -> str:
    return "\n".join(evidence for verdict in report.verdicts for evidence in verdict.evidence)


@pytest.mark.parametrize("weakness", WEAKNESSES, ids=lambda weakness: weakness.name)
async def test_a_missing_defence_is_noticed(weakness: Weakness) -> None:
    report = await attacked(weakness)
    if len(report.breaches) < len(weakness.attacks):
        report = await attacked(weakness, LATE_S)
    assert [str(verdict.attack) for verdict in report.breaches] == list(weakness.attacks)
    assert re.search(weakness.finding, findings(report)), report.breaches


async def test_searches_end_with_the_cells_that_they_may_cost() -> None:
    assert (await attacked(replace(FREE_SEARCHES, changes=SCARCE))).breaches == ()


async def test_behind_an_engine_that_leaks_the_host_has_nothing_to_steal_and_nobody_to_tell() -> None:
    hole = Weakness("the engine leaks", ("escape/unknown-globals",), "code runs in the host", HOLE, bodies=MINEFLAYER)
    found = findings(await attacked(hole))
    assert "code runs in the host" in found
    assert (CONNECTED not in found) == confinement().own_network
    assert "secret" not in found
    assert "a file appeared" not in found
    assert "a process was started" not in found


async def test_files_are_shut_to_a_user_of_its_own_even_where_node_would_open_them() -> None:
    found = findings(await attacked(Weakness("", ("escape/unknown-globals",), "", HOLE, PERMIT, bodies=MINEFLAYER)))
    assert "a process was started" in found
    assert ("secret in the file" not in found) == confinement().own_user
    assert ("a file appeared" not in found) == confinement().own_user


async def test_a_network_that_is_the_machines_own_is_noticed() -> None:
    hole = Weakness("", ("escape/unknown-globals",), CONNECTED, HOLE, confined=Confinement(), bodies=MINEFLAYER)
    assert CONNECTED in findings(await attacked(hole))


async def test_text_that_no_file_takes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = Change(
        "skills_js/bot_facade/well_formed.js", "return ESCAPED.test(json) || !json.isWellFormed()", "return false"
    )
    tells = (
        Change("bridge/host/isolates/border.js", ".slice(0, MAX_MESSAGE).toWellFormed()", ".slice(0, MAX_MESSAGE)"),
    )
    weakness = Weakness("half a character passes", ("forging/lone-surrogates",), "", (reads, *tells))
    assert findings(await attacked(weakness)) == ""  # Python's own reader rejects it
    monkeypatch.setattr(supervisor, "read_json", json.loads)
    assert "half a character came through" in findings(await attacked(weakness))


async def test_an_environment_that_is_passed_on_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    start = subprocess.Popen

    def open_handed(args: list[str], **given: object) -> subprocess.Popen[bytes]:
        return start(args, **{**given, "env": dict(os.environ)})  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(node.subprocess, "Popen", open_handed)
    for number in range(300):  # the canary follows, as in a long environment
        monkeypatch.setenv(f"ACCORD_FILLER_{number}", "x" * 40)
    weakness = Weakness(
        "the engine leaks and the environment is passed on", ("escape/unknown-globals",), "", HOLE,
        (Change(LINK, "env: {}, cwd: '/'", "env: process.env, cwd: '/'"),), bodies=MINEFLAYER,
    )  # fmt: skip
    assert "the secret in the environment was told" in findings(await attacked(weakness))
