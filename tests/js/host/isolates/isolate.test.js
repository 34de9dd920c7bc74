'use strict'
/** One policy run: how it may end, and that every bound holds. */
const { spawn } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { backendOf, prepared, end } = require('../fixtures/policy')
const { CpuWatch } = require('../../../../bridge/host/isolates/cpu_watch')
const { FreezableClock, real } = require('../../../../bridge/host/frozen_clock')
const { CAPS } = require('../../../../skills_js/bot_facade/host_api')

const never = () => new Promise(() => {})

/** @param {ReturnType<typeof backendOf>} backend */
async function started (backend) {
  while (backend.notes.started.length === 0) await new Promise((resolve) => setImmediate(resolve))
}

test('a program that returns at once has returned', async () => {
  const backend = backendOf()
  const { outcome, error, wall_ms: wall } = await end('async function f (bot) {}', { backend })
  assert.deepEqual({ outcome, error }, { outcome: 'returned', error: null })
  assert.ok(wall > 0)
  assert.equal(backend.notes.quiet, 1)
})

test('a host that can look at itself shows no program its collector', async () => {
  const { examine, Integrity } = require('../../../../bridge/host/examine')
  assert.ok(examine(new Integrity(), []).heap > 0)
  const { outcome } = await end('async function f (bot) { if ("gc" in globalThis) throw new Error("gc") }')
  assert.equal(outcome, 'returned')
})

test('a program that throws tells name and message', async () => {
  const { outcome, error } = await end('async function f (bot) { throw new TypeError("no such ore") }')
  assert.equal(outcome, 'threw')
  assert.equal(error?.name, 'TypeError')
  assert.equal(error?.message, 'no such ore')
})

test('reads, acts and their errors cross as data', async () => {
  const seen = /** @type {any[]} */ ([])
  const backend = backendOf(
    { blockAt: (x, y, z) => ({ name: `block ${x} ${y} ${z}` }), note: (/** @type {any} */ value) => {
      seen.push(value)
      return null
    } },
    {
      dig: async (_signal, x) => ({ dug: x }),
      fail: async () => { throw Object.assign(new Error('too far'), { name: 'NotReachable' }) }
    })
  await end(`async function f (bot) {
    bot.read('note', bot.read('blockAt', 1, 2, 3).name)
    bot.read('note', (await bot.act('dig', 7)).dug)
    try { await bot.act('fail') } catch (error) { bot.read('note', error.name + ': ' + error.message) }
    try { bot.read('absent') } catch (error) { bot.read('note', error.message) }
  }`, { backend })
  assert.deepEqual(seen, ['block 1 2 3', 7, 'NotReachable: too far', 'no read absent'])
})

test('a syntax error has line and column of the agent\'s own source, and nothing is started', async () => {
  const backend = backendOf()
  const run = await prepared('async function f (bot) {\n  await bot.dig(]\n}', { backend })
  assert.equal(run.over, true)
  const { outcome, error, cpu_ms: cpu } = await run.ended
  assert.equal(outcome, 'syntax')
  assert.deepEqual(error, { name: 'SyntaxError', message: 'Unexpected token', line: 2, column: 17 })
  assert.equal(cpu, 0)
})

const LOOPS = {
  'a loop without await': 'async function f (bot) { for (;;); }',
  'a loop that awaits nothing': 'async function f (bot) { for (;;) await null }',
  'a loop that swallows every error': 'async function f (bot) { for (;;) { try { await bot.nothing() } catch {} } }',
  'a regular expression that backtracks': 'async function f (bot) { /^(a+)+$/.test("a".repeat(60) + "b") }',
  'a loop in a getter of what it throws': 'async function f (bot) { throw { get message () { for (;;); } } }',
  'a loop of its own promises': 'async function f (bot) { const g = () => { Promise.resolve().then(g) }; g(); ' +
    'await new Promise(() => {}) }'
}
for (const [what, source] of Object.entries(LOOPS)) {
  test(`${what} ends as a time-out`, async () => {
    const backend = backendOf()
    const { outcome, error } = await end(source, { backend })
    assert.equal(outcome, 'timeout')
    assert.match(String(error?.message), /without waiting/)
    assert.equal(backend.notes.quiet, 1)
  })
}

test('many short bursts end at the total of CPU time', async () => {
  const backend = backendOf({}, { wait: async () => null })
  const source = 'async function f (bot) { for (;;) { for (let i = 0; i < 3e6; i++); await bot.act("wait") } }'
  const { outcome, error } = await end(source, { backend, limits: { cpu_ms: 150 } })
  assert.equal(outcome, 'timeout')
  assert.match(String(error?.message), /150 ms of CPU/)
})

/** A machine so busy that this process has had no processor at all since the program began. */
const overloaded = () => ({ watch: new CpuWatch(() => 0) })
const computing = (/** @type {number} */ ms) => `{ const end = Date.now() + ${ms}; while (Date.now() < end); }`

test('waiting for a processor is not charged as computing, however long it takes', async () => {
  const { outcome, cpu_ms: cpu } = await end(`async function f (bot) { ${computing(1200)} }`, { options: overloaded() })
  assert.deepEqual([outcome, cpu], ['returned', 0])
})

test('a slice that gets no processor for too long is ended as nobody\'s doing', async () => {
  const {
    outcome, error
  } = await end('async function f (bot) { for (;;); }', { limits: { wall_ms: 60_000 }, options: overloaded() })
  assert.deepEqual([outcome, error?.name], ['infrastructure', 'Overloaded'])
})

test('time between two waits that was no computing does not add up to the total', async () => {
  const backend = backendOf({}, { wait: async () => null })
  const source =
    `async function f (bot) { for (let i = 0; i < 3; i++) { ${computing(60)} await bot.act("wait") } ${computing(60)} }`
  const { outcome, cpu_ms: cpu } = await end(source, { backend, limits: { cpu_ms: 40 }, options: overloaded() })
  assert.deepEqual([outcome, cpu], ['returned', 0])
})

test('a query costs the host\'s time that it computes, not that it waits', async () => {
  const still = new Int32Array(new SharedArrayBuffer(4))
  const backend = backendOf({ slow: () => { Atomics.wait(still, 0, 0, 300); return 1 } })
  const { error } = await end('async function f (bot) { for (let i = 0; i < 6; i++) bot.read("slow") }', { backend })
  assert.equal(error, null)
})

test('a program that never ends is stopped at its time limit, and its action aborted', async () => {
  let now = 1
  /** @type {(() => void)[]} */
  const due = []
  const time = new FreezableClock({
    ...real, now: () => now, setTimeout: (/** @type {() => void} */ fn) => due.push(fn), clearTimeout: () => {}
  })
  const backend = backendOf({}, { walk: never })
  const run = await prepared(
    'async function f (bot) { await bot.act("walk") }', { backend, limits: { wall_ms: 30 }, options: { time } }
  )
  run.start()
  await started(backend)
  now = 31
  for (const fn of due.splice(0)) fn()
  const { outcome, error } = await run.ended
  assert.equal(outcome, 'timeout')
  assert.match(String(error?.message), /still running after 0.03 s/)
  assert.deepEqual(backend.notes.aborted, ['walk'])
})

test('a promise that nobody settles is stopped at the time limit', async () => {
  const { outcome } = await end('async function f (bot) { await new Promise(() => {}) }', { limits: { wall_ms: 30 } })
  assert.equal(outcome, 'timeout')
})

const GLUTTONS = {
  arrays: 'const a = []; for (;;) a.push(new Array(1000).fill(1.5))',
  strings: 'let s = "x"; for (;;) s = s + s + Math.abs(s.length)',
  buffers: 'const a = []; for (;;) a.push(new Uint8Array(1e6).fill(1))'
}
for (const [what, body] of Object.entries(GLUTTONS)) {
  test(`too much memory in ${what} is the program's own end`, async () => {
    const { outcome, error } = await end(`async function f (bot) { ${body} }`, { limits: { cpu_ms: 3000 } })
    assert.ok(outcome === 'threw' || outcome === 'timeout', outcome)
    assert.match(String(error?.message), /memory|string length|allocation|waiting/i)
  })
}

test('memory that V8 itself cannot refuse is the program\'s own end too', async (t) => {
  const child = spawn(
    process.execPath, [path.join(__dirname, '..', 'fixtures', 'glutton.js')], { stdio: ['ignore', 'pipe', 'ignore'] }
  )
  t.after(() => child.kill('SIGKILL'))
  /** @type {any} */
  const [line] = await once(child.stdout, 'data')
  const { outcome } = JSON.parse(String(line))
  assert.ok(outcome === 'threw' || outcome === 'timeout', outcome)
})

test('globals that open other memory or threads do not exist', async () => {
  const source = `async function f (bot) {
    const found = ['WebAssembly', 'SharedArrayBuffer', 'Atomics', 'process', 'require', 'module', 'global',
      'fetch', '__host', '__accord']
      .filter((name) => name in globalThis)
    if (found.length > 0) throw new Error(found.join(' '))
  }`
  assert.deepEqual((await end(source)).error, null)
})

const CHAINS = [
  'bot.constructor.constructor', 'bot.act.constructor', 'bot.read.constructor.constructor',
  '(async () => {}).constructor',
  '(function * () {}).constructor', 'Object.getPrototypeOf(bot.act("x")).constructor.constructor',
  'bot.heard.constructor.constructor'
]
for (const chain of CHAINS) {
  test(`no way out by ${chain}`, async () => {
    const source = `async function f (bot) {
      const made = await ${chain}('return typeof process + typeof require + typeof ' +
        'globalThis.constructor.constructor("return this.process")()')()
      const text = typeof made === 'string' ? made : 'undefinedundefinedundefined'
      if (text !== 'undefinedundefinedundefined') throw new Error('out: ' + text)
    }`
    assert.deepEqual((await end(source, { backend: backendOf({}, { x: async () => null }) })).error, null)
  })
}

test('no way out by an error of the host', async () => {
  const source = `async function f (bot) {
    try { bot.read('absent') } catch (error) {
      const text = error.constructor.constructor('return typeof process')()
      if (text !== 'undefined' || /isolate\\.js|bridge/.test(error.stack)) throw new Error('out: ' + text + error.stack)
      return
    }
    throw new Error('no error')
  }`
  assert.deepEqual((await end(source)).error, null)
})

test('only so many actions at once', async () => {
  const backend = backendOf({}, { walk: never })
  const {
    outcome, error
  } = await end(
    'async function f (bot) { const all = []; for (let i = 0; i < 1000; i++) all.push(bot.act("walk")); ' +
      'await Promise.all(all) }',
    { backend }
  )
  assert.equal(outcome, 'threw')
  assert.match(String(error?.message), /more than 64 actions/)
  assert.equal(backend.notes.started.length <= CAPS.pendingCalls, true)
})

test('arguments and answers are bounded', async () => {
  const backend = backendOf({ echo: (text) => text, much: () => 'x'.repeat(100_000) })
  const long = await end('async function f (bot) { bot.read("echo", "x".repeat(50000)) }', { backend })
  assert.match(String(long.error?.message), /arguments beyond/)
  const much = await end('async function f (bot) { bot.read("much") }', { backend })
  assert.match(String(much.error?.message), /the answer is longer/)
})

test('a message of a hundred megabytes is cut', async () => {
  const { error } = await end('async function f (bot) { throw new Error("x".repeat(1e6)) }')
  assert.ok(String(error?.message).length <= 2000)
})

test('a rejection that nobody handles ends the program', async () => {
  const backend = backendOf({}, { walk: never })
  const {
    outcome, error
  } = await end('async function f (bot) { Promise.reject(new Error("forgotten")); await bot.act("walk") }', { backend })
  assert.equal(outcome, 'threw')
  assert.equal(error?.message, 'forgotten')
  assert.deepEqual(backend.notes.aborted, ['walk'])
})

test('a cancelled program may clean up, and then its bot is quiet', async () => {
  const cleaned = /** @type {string[]} */ ([])
  const backend = backendOf({ note: (text) => { cleaned.push(text); return null } }, { walk: never })
  const run = await prepared(`async function f (bot) {
    try { await bot.act('walk') } catch (error) { throw new Error(error.name) }
  }`, { backend })
  run.start()
  await started(backend)
  await run.cancel()
  assert.equal((await run.ended).outcome, 'cancelled')
  assert.deepEqual(backend.notes.aborted, ['walk'])
  assert.equal(backend.notes.quiet, 1)
})

test('a cancelled program that goes on calling is parked and ended', async () => {
  const backend = backendOf({}, { walk: never, sleep: async () => null })
  const run = await prepared(
    'async function f (bot) { for (;;) { try { await bot.act("walk") } catch {} } }', { backend }
  )
  run.start()
  await started(backend)
  await run.cancel()
  const { outcome, cpu_ms: cpu } = await run.ended
  assert.equal(outcome, 'cancelled')
  assert.ok(cpu < 100, `it spun for ${cpu} ms`)
  assert.deepEqual(backend.notes.started, ['walk'])
})

test('cancelled before its start, it never runs', async () => {
  const run = await prepared('async function f (bot) { bot.read("anything") }')
  await run.cancel()
  run.start()
  assert.equal((await run.ended).outcome, 'cancelled')
})

test('a lost bot is infrastructure, whatever the program did', async () => {
  const backend = backendOf({}, { walk: never })
  const run = await prepared(
    'async function f (bot) { try { await bot.act("walk") } catch { throw new Error("mine") } }', { backend }
  )
  run.start()
  run.lose('Gizmo lost its connection: kicked')
  const { outcome, error } = await run.ended
  assert.equal(outcome, 'infrastructure')
  assert.equal(error?.message, 'Gizmo lost its connection: kicked')
})

test('a bot that cannot be quieted is infrastructure', async () => {
  const backend = { ...backendOf(), quiesce: async () => { throw new Error('the dig does not settle') } }
  const { outcome, error } = await end('async function f (bot) {}', { backend })
  assert.equal(outcome, 'infrastructure')
  assert.match(String(error?.message), /does not settle/)
})

test('events reach the program only while it runs', async () => {
  const seen = /** @type {any[]} */ ([])
  /** @type {(value: null) => void} */
  let go = () => {}
  const backend = backendOf({ note: (value) => {
    seen.push(value)
    return null
  } }, { wait: () => new Promise((resolve) => { go = resolve }) })
  const run = await prepared(
    'async function f (bot) { await bot.act("wait"); bot.read("note", bot.heard) }', { backend }
  )
  run.start()
  await started(backend)
  backend.tell('chat', ['Glitch', 'hello'])
  go(null)
  await run.ended
  backend.tell('chat', ['Glitch', 'too late'])
  assert.deepEqual(seen, [[['chat', ['Glitch', 'hello']]]])
})

test('dropping an action stops it', async () => {
  const backend = backendOf({}, { walk: never })
  await end('async function f (bot) { bot.act("walk"); await null; bot.drop() }', { backend })
  assert.deepEqual(backend.notes.aborted, ['walk'])
})

test('a bootstrap that fails is infrastructure', async () => {
  const { outcome } = await end('async function f (bot) {}', { bundle: 'throw new Error("broken")' })
  assert.equal(outcome, 'infrastructure')
})

test('while time stands still nothing reaches a program, ' +
  'nothing that it begins is done, and its limit does not run', async () => {
  let now = 1
  /** @type {(() => void)[]} */
  const due = []
  const time = new FreezableClock({
    ...real, now: () => now, setTimeout: (/** @type {() => void} */ fn) => due.push(fn), clearTimeout: () => {}
  })
  /** @type {string[]} */
  const seen = []
  let answer = () => {}
  const backend = backendOf(
    { note: (/** @type {string} */ word) => { seen.push(word); return null } },
    { first: () => new Promise((resolve) => { answer = () => resolve(null) }), second: never })
  const source = `async function f (bot) {
    await bot.act('first')
    bot.read('note', 'heard ' + bot.heard.length)
    await bot.act('second')
  }`
  const run = await prepared(source, { backend, limits: { wall_ms: 100 }, options: { time } })
  run.start()
  await started(backend)
  now = 31
  time.stand(true)
  backend.tell('word', [])
  answer()
  now = 1031
  for (const fn of due.splice(0)) fn() // the timer of its limit, at the machine's time
  await new Promise((resolve) => real.setTimeout(resolve, 20))
  assert.deepEqual([seen, backend.notes.started, run.over], [[], ['first'], false])
  time.stand(false)
  while (backend.notes.started.length < 2) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(seen, ['heard 1'])
  time.stand(true)
  now = 5031
  await run.cancel()
  const { outcome, wall_ms: wall } = await run.ended
  assert.deepEqual([outcome, wall, time.standing], ['cancelled', 30, true])
})
