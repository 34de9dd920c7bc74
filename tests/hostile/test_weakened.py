"""The check can fail: with one defence taken away at a time, the corpus tells which harm is done."""

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
from bridge.hostile import Report, run_corpus
from bridge.supervisor import close_supervisor
from tests.hostile.weakened import Change, Weakness, weak_supervisor, weak_world

pytestmark = pytest.mark.live

CONTEXT = "bridge/host/policy_context.js"
ISOLATE = "bridge/host/isolate.js"
LINK = "bridge/host/host_link.js"
WALK = "bridge/host/live/walk.js"
READ = "const source = fs.readFileSync"
TALK = "skills_js/lookalike/talk.js"
ENTRY = "skills_js/lookalike/entry.js"
CLOCKS = "skills_js/lookalike/clocks.js"
HARDEN = "skills_js/lookalike/harden.js"
LOOKALIKE_HOST = "skills_js/lookalike/host.js"
TABLE = "skills_js/lookalike/host_api.js"
EXPOSE = "globalThis.__host = { read: $0, act: $1, drop: $2 }"
HANDS = ".map((fn) => new ivm.Callback(fn))"

HOLE = (
    Change(CONTEXT, EXPOSE, f"{EXPOSE}; globalThis.hole = $3"),
    Change(CONTEXT, HANDS, f"{HANDS}.concat(new ivm.Callback((code) => String(eval(code))))"),
)
"""The engine itself fails: a policy can run code in the host. What then still holds is the second line."""

PERMIT = (
    Change(
        LINK,
        "'--permission',",
        "'--permission', '--allow-fs-read=*', '--allow-fs-write=*', '--allow-child-process',",
    ),
)
"""Node's permission model lets hosts do everything. What then still holds is the system's own."""

SCARCE = (
    Change(TABLE, "searchBurstCells: 50_000_000", "searchBurstCells: 1_000_000"),
    Change(TABLE, "searchCellsPerSecond: 50_000_000", "searchCellsPerSecond: 100_000"),
)
"""So little to search that a few searches use it up, on a machine of any speed and as busy as may be."""

SEARCHES = 60

FREE_SEARCHES = Weakness(
    "searches are free",
    ("denial/expensive-searches",),
    "million cells for Eve1 in the others' time",
    (Change("skills_js/lookalike/search_budget.js", "if (this.#left > 0) return", "if (true) return"), *SCARCE),
    sized=("i < 1000", f"i < {SEARCHES}"),
)

CONNECTED = "a connection was made to a port of this machine"

WEAKNESSES = [
    Weakness(
        "a command passes the chat filter",
        ("command/slash-in-chat",),
        "the server answered a command",
        (Change(TALK, "if (line.startsWith('/'))", "if (false)"),),
    ),
    Weakness(
        "chat is not one line",
        ("command/second-line",),
        "the server answered a command",
        (Change(TALK, ".replace(/[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+/g, ' ')", ""),),
    ),
    Weakness(
        "WebAssembly stays",
        ("escape/webassembly",),
        "the program shows: WebAssembly",
        (Change(CONTEXT, "delete globalThis.WebAssembly; ", ""),),
    ),
    Weakness(
        "shared memory stays",
        ("escape/shared-memory",),
        "the program shows: SharedArrayBuffer",
        (Change(CONTEXT, "delete globalThis.SharedArrayBuffer; ", ""),),
    ),
    Weakness(
        "more than strings cross",
        ("escape/isolate-references",),
        "the program shows: applySync of isolated-vm",
        (
            Change(CONTEXT, EXPOSE, f"{EXPOSE}; globalThis.hole = $3"),
            Change(CONTEXT, HANDS, f"{HANDS}.concat(new ivm.Reference(globalThis))"),
        ),
    ),
    Weakness(
        "the bootstrap's handle stays",
        ("escape/leftover-bootstrap",),
        "the program shows: global __accord",
        (Change(CONTEXT, "delete globalThis.__accord; delete globalThis.__host", ""),),
    ),
    Weakness(
        "arguments have no cap",
        ("memory/big-arguments",),
        "not refused: 1 MB of kinds",
        (Change(TABLE, "argsChars: 16_384", "argsChars: 1e9"),),
    ),
    Weakness(
        "actions at once have no cap",
        ("denial/pending-calls",),
        "actions at once",
        (Change(TABLE, "pendingCalls: 64", "pendingCalls: 1e9"),),
    ),
    Weakness(
        "listeners have no cap",
        ("denial/listeners",),
        "500 listeners",
        (Change(TABLE, "listeners: 32", "listeners: 1e9"),),
    ),
    Weakness(
        "logs have no cap",
        ("memory/log-flood",),
        "lines in the record",
        (Change(TABLE, "logLines: 500", "logLines: 1e9"),),
    ),
    Weakness(
        "nobody watches the CPU",
        ("denial/endless-loop",),
        "it ran for",
        (Change(ISOLATE, "this.#slices > 0 && this.#burst > BURST_MS", "false"),),
    ),
    Weakness(
        "the language tells the time",
        ("escape/wall-clock",),
        "(?s)Intl.DateTimeFormat of undefined tells.*WeakRef tells",
        (Change(ENTRY, "  shutClocks(scope, () => host.read('now'))", ""),),
    ),
    Weakness(
        "programs are in the machine's zone",
        ("escape/wall-clock",),
        "the zone of the machine",
        (Change("bridge/host/host_process.js", "process.env.TZ = 'UTC'", "process.env.TZ = 'Asia/Tokyo'"),),
    ),
    Weakness(
        "signals have names of any characters",
        ("forging/signal-names",),
        "not refused",
        (Change(TABLE, "args: { to: 'name', name: 'signal' }", "args: { to: 'name', name: 'name' }"),),
    ),
    Weakness(
        "classes can be changed",
        ("forging/chest-that-gives", "forging/inventory-of-its-own", "forging/place-that-moves"),
        "(?s)getItemFromChest of an empty chest.*by the class of the inventory.*40 blocks further",
        (Change(HARDEN, "    Object.freeze(each.prototype)\n    Object.freeze(each)\n", ""),),
    ),
    Weakness(
        "answers of the host can be changed",
        ("forging/inventory-of-its-own",),
        "diamonds by the data of the inventory",
        (Change(LOOKALIKE_HOST, "return deepFreeze(answer.value)", "return answer.value"),),
    ),
    Weakness(
        "entities can be changed, and are believed",
        ("forging/entity-that-is-gone",),
        "gone: the other player",
        (
            Change("skills_js/lookalike/entity.js", "    Object.freeze(this)\n", ""),
            Change(
                "skills_js/primitives/waitForMobRemoved.js",
                "hostOf(bot).read('entity', id) !== null",
                "entity.isValid",
            ),
        ),
    ),
    Weakness(
        "arguments are looked at when all is done",
        ("forging/arguments-that-change",),
        "an action was reported with what it was not given",
        (
            Change(
                "skills_js/lookalike/policy_scope.js",
                "      report(host, name, told, describe(error))",
                "      report(host, name, args.map(shown), describe(error))",
            ),
        ),
    ),
    Weakness(
        "memory has no limit",
        ("memory/arrays-with-pauses",),
        "the program shows: 300 MB of arrays",
        (Change(CONTEXT, "memoryLimit: Math.max(LEAST_MEMORY_MB, memoryMb)", "memoryLimit: 4096"),),
    ),
    FREE_SEARCHES,
    Weakness(
        "acts have no pace",
        ("denial/control-flood",),
        "lost its connection",
        (Change("bridge/host/live/pace.js", "if (this.#left < 1) throw", "if (false) throw"),),
    ),
    Weakness(
        "numbers have no bound",
        ("denial/endless-turn",),
        "lost its connection",
        (Change(TABLE, "Number.isFinite(value) && Math.abs(value) <= MOST", "Number.isFinite(value)"),),
    ),
    Weakness(
        "the bot is not brought to rest",
        ("leak/listeners-stay",),
        "listeners were left on",
        (Change(ISOLATE, "await Promise.race([this.#o.backend.quiesce(), late])", "await null"),),
    ),
    Weakness(
        "a walk is halted within the pathfinder's own words",
        ("leak/walk-stays",),
        "walks on after its end",
        (
            Change(WALK, "queueMicrotask(() => reject(problem))", "reject(problem)"),
            Change(
                WALK, "  bot.pathfinder.setGoal(null)\n", "  if (bot.pathfinder.goal) bot.pathfinder.setGoal(null)\n"
            ),
        ),
    ),
    Weakness(
        "built-ins have no bound",
        ("denial/long-text-in-a-longer-one",),
        "it was not refused, and ended as timeout",
        (
            Change(
                "skills_js/lookalike/bundle.js",
                f"{READ}(file, 'utf8')",
                f"{READ}(file, 'utf8').replace('  bound()', '')",
            ),
        ),
    ),
    Weakness(
        "finalizers stay",
        ("denial/finalizers",),
        "the program shows: FinalizationRegistry",
        (Change(CLOCKS, "['WeakRef', 'FinalizationRegistry']", "['WeakRef']"),),
    ),
    Weakness(
        "programs are read on the host's own thread",
        ("denial/slow-to-read",),
        "a host was lost: it was silent for",
        (
            Change(
                "bridge/host/syntax.js",
                "  const answer = shared.turn.then(() => {",
                "  require('acorn').parse(source, { ecmaVersion: 2023 })\n  const answer = shared.turn.then(() => {",
            ),
        ),
    ),
    Weakness(
        "the engine leaks and hosts may read, write and start everything",
        ("escape/unknown-globals",),
        "(?s)a file appeared.*a process was started.*the secret in the file was told|"
        "the secret in the file was told.*a file appeared.*a process was started",
        HOLE,
        PERMIT,
        confined=Confinement(),
    ),
]


async def attacked(weakness: Weakness) -> Report:
    """The corpus' word on a sandbox with that weakness."""
    await asyncio.to_thread(close_supervisor)
    with TemporaryDirectory(prefix="accord-weak-") as name:  # pytest's own folders are closed to a host of another user
        folder = Path(name)
        supervisor = weak_supervisor(weakness, folder)
        try:
            return await run_corpus(weakness.load(), open_world=weak_world(weakness, supervisor, folder))
        finally:
            await asyncio.to_thread(supervisor.close)


def findings(report: Report) -> str:
    return "\n".join(evidence for verdict in report.verdicts for evidence in verdict.evidence)


@pytest.mark.parametrize("weakness", WEAKNESSES, ids=lambda weakness: weakness.name)
async def test_a_missing_defence_is_noticed(weakness: Weakness) -> None:
    report = await attacked(weakness)
    assert [str(verdict.attack) for verdict in report.breaches] == list(weakness.attacks)
    assert re.search(weakness.finding, findings(report)), report.breaches


async def test_searches_end_with_the_cells_that_they_may_cost() -> None:
    assert (await attacked(replace(FREE_SEARCHES, changes=SCARCE))).breaches == ()


async def test_behind_an_engine_that_leaks_the_host_has_nothing_to_steal_and_nobody_to_tell() -> None:
    hole = Weakness("the engine leaks", ("escape/unknown-globals",), "code runs in the host", HOLE)
    found = findings(await attacked(hole))
    assert "code runs in the host" in found
    assert (CONNECTED not in found) == confinement().own_network
    assert "secret" not in found
    assert "a file appeared" not in found
    assert "a process was started" not in found


async def test_files_are_shut_to_a_user_of_its_own_even_where_node_would_open_them() -> None:
    found = findings(await attacked(Weakness("", ("escape/unknown-globals",), "", HOLE, PERMIT)))
    assert "a process was started" in found
    assert ("secret in the file" not in found) == confinement().own_user
    assert ("a file appeared" not in found) == confinement().own_user


async def test_a_network_that_is_the_machines_own_is_noticed() -> None:
    hole = Weakness("", ("escape/unknown-globals",), CONNECTED, HOLE, confined=Confinement())
    assert CONNECTED in findings(await attacked(hole))


async def test_text_that_no_file_takes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    reads = Change(
        "skills_js/lookalike/well_formed.js", "return ESCAPED.test(json) || !json.isWellFormed()", "return false"
    )
    tells = (Change("bridge/host/border.js", ".slice(0, MAX_MESSAGE).toWellFormed()", ".slice(0, MAX_MESSAGE)"),)
    weakness = Weakness("half a character passes", ("forging/lone-surrogates",), "", (reads, *tells))
    assert findings(await attacked(weakness)) == ""  # Python's own reader holds
    monkeypatch.setattr(supervisor, "read_json", json.loads)
    assert "half a character came through" in findings(await attacked(weakness))


async def test_an_environment_that_is_passed_on_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    start = subprocess.Popen

    def open_handed(args: list[str], **given: object) -> subprocess.Popen[bytes]:
        return start(args, **{**given, "env": dict(os.environ)})  # type: ignore[call-overload, no-any-return]

    monkeypatch.setattr(node.subprocess, "Popen", open_handed)
    weakness = Weakness(
        "the engine leaks and the environment is passed on", ("escape/unknown-globals",), "", HOLE,
        (Change(LINK, "env: {}, cwd: '/'", "env: process.env, cwd: '/'"),),
    )  # fmt: skip
    assert "the secret in the environment was told" in findings(await attacked(weakness))
