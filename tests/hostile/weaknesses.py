"""Sandboxes with one defence removed, and the attacks that then do harm."""

from __future__ import annotations

from bridge.confinement import Confinement
from bridge.worlds import MINEFLAYER
from tests.hostile.weakened import Change, Weakness

CONTEXT = "bridge/host/isolates/policy_context.js"
ISOLATE = "bridge/host/isolates/isolate.js"
LINK = "bridge/host/supervisor/host_link.js"
WALK = "bridge/host/live/walk.js"
READ = "const source = fs.readFileSync"
TALK = "skills_js/bot_facade/talk.js"
ENTRY = "skills_js/bot_facade/entry.js"
CLOCKS = "skills_js/bot_facade/clocks.js"
HARDEN = "skills_js/bot_facade/harden.js"
FACADE_HOST = "skills_js/bot_facade/host.js"
TABLE = "skills_js/bot_facade/host_api.js"
EXPOSE = "globalThis.__host = { read: $0, act: $1, drop: $2 }"
HANDS = ".map((fn) => new ivm.Callback(fn))"

HOLE = (
    Change(CONTEXT, EXPOSE, f"{EXPOSE}; globalThis.hole = $3"),
    Change(CONTEXT, HANDS, f"{HANDS}.concat(new ivm.Callback((code) => String(eval(code))))"),
)
"""The engine itself fails: a policy can run code in the host. The second line of defence remains."""

PERMIT = (
    Change(
        LINK,
        "'--permission',",
        "'--permission', '--allow-fs-read=*', '--allow-fs-write=*', '--allow-child-process',",
    ),
)
"""Node's permission model allows hosts everything. The system's own protections remain."""

SCARCE = (
    Change(TABLE, "searchBurstCells: 50_000_000", "searchBurstCells: 1_000_000"),
    Change(TABLE, "searchCellsPerSecond: 50_000_000", "searchCellsPerSecond: 100_000"),
)
"""Search budget that a few searches exhaust, on a machine of any speed and load."""

SEARCHES = 60

FREE_SEARCHES = Weakness(
    "searches are free",
    ("denial/expensive-searches",),
    "million cells for Eve1 in the others' time",
    (Change("skills_js/bot_facade/search_budget.js", "if (this.#left > 0) return", "if (true) return"), *SCARCE),
    sized=("i < 1000", f"i < {SEARCHES}"),
    bodies=MINEFLAYER,
)

CONNECTED = "a connection was made to a port of this machine"

SIGNALS = "skills_js/signals.js"

WEAKNESSES = [
    Weakness(
        "a signal's name passes for its sender's",
        ("forging/signal-of-anothers-name",),
        "a signal of Eve1 passed for mine",
        (Change(SIGNALS, "return this.mailboxes.has(wanted) ?", "return false ?"),),
    ),
    Weakness(
        "all senders fill one box",
        ("denial/full-box-of-signals",),
        "signals of Witness not yet taken",
        (Change(SIGNALS, "const kept = mailbox.keptOf.get(from) ?? 0", "const kept = mailbox.kept.length"),),
    ),
    Weakness(
        "signals are sent without end",
        ("denial/signals-without-end",),
        "signals in the record",
        (Change(SIGNALS, "const MAX_SENT = 5000", "const MAX_SENT = 1e9"),),
        sized=("i < 20000", "i < 5500"),  # more than a record may hold (evidence.py); the rest takes long
        bodies=MINEFLAYER,
    ),
    Weakness(
        "a command passes the chat filter",
        ("command/slash-in-chat",),
        "the server answered a command",
        (Change(TALK, "if (line.startsWith('/'))", "if (false)"),),
        bodies=MINEFLAYER,
    ),
    Weakness(
        "chat is not one line",
        ("command/second-line",),
        "the server answered a command",
        (Change(TALK, ".replace(/[\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]+/g, ' ')", ""),),
        bodies=MINEFLAYER,
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
        bodies=MINEFLAYER,
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
        bodies=MINEFLAYER,
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
        (Change(FACADE_HOST, "return deepFreeze(answer.value)", "return answer.value"),),
    ),
    Weakness(
        "entities can be changed, and are believed",
        ("forging/entity-that-is-gone",),
        "gone: the other player",
        (
            Change("skills_js/bot_facade/entity.js", "    Object.freeze(this)\n", ""),
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
                "skills_js/bot_facade/policy_scope.js",
                "      report(host, name, told, summarize(error))",
                "      report(host, name, args.map(describeArgument), summarize(error))",
            ),
        ),
    ),
    Weakness(
        "memory has no limit",
        ("memory/arrays-with-pauses",),
        "the program shows: 300 MB of arrays",
        (Change(CONTEXT, "memoryLimit: Math.max(MIN_MEMORY_MB, memoryMb)", "memoryLimit: 4096"),),
    ),
    FREE_SEARCHES,
    Weakness(
        "acts have no pace",
        ("denial/control-flood",),
        # Two possible effects in the corpus: the server disconnects the bot, or packets hold up the host.
        "lost its connection|is unusable afterwards",
        (Change("bridge/host/live/pace.js", "if (this.#left < 1) {", "if (false) {"),),
        bodies=MINEFLAYER,
    ),
    Weakness(
        "numbers have no bound",
        ("denial/endless-turn",),
        "lost its connection",
        (Change(TABLE, "Number.isFinite(value) && Math.abs(value) <= MOST", "Number.isFinite(value)"),),
        bodies=MINEFLAYER,
    ),
    Weakness(
        "the bot is not brought to rest",
        ("leak/listeners-stay",),
        "listeners were left on",
        (Change(ISOLATE, "await Promise.race([this.#o.backend.quiesce(), late])", "await null"),),
        bodies=MINEFLAYER,
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
            # The search ends at once, before the bot has come to the end of the way so far.
            Change(WALK, "const WALK_CELLS = 2500\n", "const WALK_CELLS = 40\n"),
        ),
        bodies=MINEFLAYER,
    ),
    Weakness(
        "built-ins have no bound",
        ("denial/long-text-in-a-longer-one",),
        "it was not refused, and ended as timeout",
        (
            Change(
                "skills_js/bot_facade/bundle.js",
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
                "bridge/host/isolates/syntax.js",
                "  const answer = shared.turn.then(() => {",
                # Often enough to be too long on a fast machine; on a slow one the host is ended before.
                "  for (let times = 0; times < 40; times++) require('acorn').parse(source, { ecmaVersion: 2023 })\n"
                "  const answer = shared.turn.then(() => {",
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
        bodies=MINEFLAYER,
    ),
]
