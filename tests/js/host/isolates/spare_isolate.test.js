'use strict'
/** The isolate that a host holds ready: as good as a new one, for one run, and never anybody's before. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { bundle } = require('../../../../skills_js/bot_facade/bundle')
const { CpuWatch } = require('../../../../bridge/host/isolates/cpu_watch')
const { PolicyRun } = require('../../../../bridge/host/isolates/isolate')
const { SpareIsolate } = require('../../../../bridge/host/isolates/spare_isolate')
const { RunGroups } = require('../../../../bridge/host/isolates/run_groups')
const { backendOf, end } = require('../fixtures/policy')
const { SMALL_BUNDLE } = require('../fixtures/small_bundle')

const nothing = () => {}
const turn = () => new Promise((resolve) => setImmediate(resolve))
const border = { read: () => 'null', act: nothing, drop: nothing, ended: nothing }
const limits = { wall_ms: 20_000, cpu_ms: 5000, memory_mb: 32 }
/** A bootstrap that computes for long: what it uses is nobody's. */
const SLOW_BUNDLE = `{ const end = Date.now() + 150; while (Date.now() < end); }\n${SMALL_BUNDLE}`

/** @param {string} text @param {number} memoryMb */
function stocked (text, memoryMb) {
  const spare = new SpareIsolate()
  spare.renew(text, memoryMb)
  return spare
}

test('it is handed out once', () => {
  const spare = stocked(SMALL_BUNDLE, 32)
  const [first, second] = [spare.take(SMALL_BUNDLE, 32), spare.take(SMALL_BUNDLE, 32)]
  assert.notEqual(first.isolate, second.isolate)
  first.adopt(border, nothing)
  assert.throws(() => first.adopt(border, nothing), /one run/)
  for (const each of [first, second]) each.isolate.dispose()
})

test('it is not for a run with another limit or another bootstrap, and is replaced by one that is', () => {
  const spare = stocked(SMALL_BUNDLE, 32)
  const others = [spare.take(SMALL_BUNDLE, 64), spare.take(`${SMALL_BUNDLE};`, 32)]
  const kept = spare.take(SMALL_BUNDLE, 32)
  assert.equal(new Set([...others, kept]).size, 3)
  assert.deepEqual(others.map(({ memoryMb }) => memoryMb), [64, 32])
  spare.renew(SMALL_BUNDLE, 32)
  const first = spare.take(SMALL_BUNDLE, 32)
  spare.renew(SMALL_BUNDLE, 32)
  spare.renew(SMALL_BUNDLE, 64)
  const wide = spare.take(SMALL_BUNDLE, 64)
  assert.equal(wide.memoryMb, 64)
  for (const each of [...others, kept, first, wide]) each.isolate.dispose()
})

test('an unused spare isolate is disposed of', async () => {
  const spare = new SpareIsolate()
  spare.renew(SMALL_BUNDLE, 32)
  const small = spare.held
  spare.renew(SMALL_BUNDLE, 64)
  const large = spare.held
  assert.deepEqual([small?.isolate.isDisposed, large?.isolate.isDisposed], [true, false])
  await large?.opened
  spare.dispose()
  assert.equal(large?.isolate.isDisposed, true)
  assert.equal(spare.held, null)
})

test('nothing crosses from it before it is somebody\'s, and one that cannot start is dropped', async () => {
  const spare = stocked(`globalThis.__host.read('now', '[]')\n${SMALL_BUNDLE}`, 32)
  const asks = /** @type {import('../../../../bridge/host/isolates/spare_isolate').PreparedIsolate} */ (spare.held)
  await assert.rejects(asks.opened, /no program runs here yet/)
  await turn()
  assert.equal(spare.held, null)
  assert.equal(asks.isolate.isDisposed, true)
})

test('a program finds in it what it finds in a new one: its own name, seed and time', async () => {
  const program =
    'async function f (bot) { console.log(bot.username, Math.random(), Math.random(), Date.now(), bot.version, ' +
      'Object.keys(globalThis).length) }'
  /** @param {SpareIsolate} spare @param {string} bot @param {string} seed @param {number} time */
  const told = async (spare, bot, seed, time) => {
    /** @type {string[]} */
    const lines = []
    const read = (/** @type {string} */ method, /** @type {any[]} */ args) => {
      if (method === 'log') lines.push(args[1])
      return { value: method === 'now' ? time : null }
    }
    const { error } = await end(program, {
      backend: { ...backendOf(), read },
      bundle: bundle(),
      options: { spare, bot, settings: { seed, version: '1.21.4' } }
    })
    assert.equal(error, null)
    return lines.join()
  }
  const spare = stocked(bundle(), 32)
  const empty = new SpareIsolate()
  for (const [bot, seed, time] of /** @type {[string, string, number][]} */ ([
    ['Gizmo', '7/1', 50], ['Glitch', '7/2', 9000]
  ])) {
    const ready = await told(spare, bot, seed, time)
    assert.match(ready, new RegExp(`^${bot} 0\\.`))
    assert.equal(ready, await told(empty, bot, seed, time))
    spare.renew(bundle(), 32)
  }
  spare.dispose()
})

test('a program that cannot start leaves it for the next', async () => {
  const spare = stocked(SMALL_BUNDLE, 32)
  const { outcome } = await end('async function f (bot) {', { options: { spare } })
  assert.equal(outcome, 'syntax')
  const lost = new PolicyRun({
    bot: 'Gizmo', source: 'async function f (bot) {}', bundle: SMALL_BUNDLE, limits, backend: backendOf(),
    watch: new CpuWatch(), spare
  })
  lost.lose('Gizmo is not in the world')
  await lost.prepare()
  assert.notEqual(spare.held, null)
  spare.dispose()
})

test('nothing that one program leaves behind exists for the next', async () => {
  const spare = stocked(SMALL_BUNDLE, 32)
  await end('async function f (bot) { globalThis.left = 1; Array.prototype.left = 1 }', { options: { spare } })
  spare.renew(SMALL_BUNDLE, 32)
  const { error } = await end(
    'async function f (bot) { if ("left" in globalThis || "left" in []) throw new Error("left") }',
    { options: { spare } }
  )
  assert.equal(error, null)
})

for (const ready of [true, false]) {
  test(`the bootstrap's own time is not the program's (${ready ? 'held ready' : 'new'})`, async () => {
    const spare = new SpareIsolate()
    if (ready) spare.renew(SLOW_BUNDLE, 32)
    const {
      outcome, cpu_ms: cpu
    } = await end('async function f (bot) {}', { bundle: SLOW_BUNDLE, limits: { cpu_ms: 100 }, options: { spare } })
    assert.equal(outcome, 'returned')
    assert.ok(cpu < 100, `${cpu} ms`)
  })
}

test('its memory is bounded as the run asks', async () => {
  const program =
    'async function f (bot) { const all = []; for (let i = 0; i < 6e5; i++) { all.push({ i }); ' +
      'if (i % 1e4 === 0) await null } }'
  const spare = stocked(SMALL_BUNDLE, 256)
  const wide = await end(program, {
    limits: { memory_mb: 256, cpu_ms: 20_000 },
    options: { spare, watch: { add: nothing, remove: nothing, look: nothing } }
  })
  assert.equal(wide.outcome, 'returned')
  spare.renew(SMALL_BUNDLE, 256)
  const narrow = await end(program, {
    limits: { memory_mb: 16, cpu_ms: 20_000 },
    options: { spare, watch: { add: nothing, remove: nothing, look: nothing } }
  })
  assert.equal(narrow.error?.message, 'the program used more than 16 MB of memory')
  spare.dispose()
})

/** Tells what a host does with its spare isolate. */
class Noted extends SpareIsolate {
  notes = /** @type {string[]} */ ([])

  /** @param {string} text @param {number} memoryMb */
  renew (text, memoryMb) {
    this.notes.push(`renewed ${memoryMb}`)
    super.renew(text, memoryMb)
  }

  dispose () {
    if (this.held) this.notes.push('disposed')
    super.dispose()
  }
}

/** @param {SpareIsolate} spare */
function roomWith (spare) {
  const room = {
    ground: { tell: nothing },
    clock: { tick: () => 1 },
    idle: { hold: nothing, release: nothing },
    spawned: () => ({ bot: { version: '1.20.4' }, lost: new Set() })
  }
  const parts = {
    bundle: () => SMALL_BUNDLE, createBackend: () => backendOf({}, { walk: () => new Promise(() => {}) })
  }
  return new RunGroups(/** @type {any} */ ({
    room, parts, emit: nothing, forward: nothing, onCatastrophe: nothing, spare
  }))
}

/** @param {RunGroups} runs @param {string} group @param {string} bot @param {string} source */
async function prepare (runs, group, bot, source) {
  await runs.prepare({ group, policies: [{ bot, source, seed: '1/1' }], players: [bot], span: false, limits })
}

test('a host prepares one when nobody plays any more, and none while somebody does', async () => {
  const spare = new Noted()
  const runs = roomWith(spare)
  const empty = 'async function f (bot) {}'
  await prepare(runs, 'long', 'Glitch', 'async function f (bot) { await bot.act("walk") }')
  const long = runs.start({ group: 'long', at: 0, tick: 1 })
  await prepare(runs, 'short', 'Gizmo', empty)
  await runs.start({ group: 'short', at: 0, tick: 1 })
  await turn()
  assert.deepEqual(spare.notes, [])
  await runs.cancel({ group: 'long', bots: null })
  await long
  await prepare(runs, 'next', 'Gizmo', empty)
  await turn()
  assert.deepEqual(spare.notes, [])
  await runs.start({ group: 'next', at: 0, tick: 1 })
  await turn()
  assert.deepEqual(spare.notes, ['renewed 32'])
  assert.equal(runs.size, 0)
  runs.close()
  assert.deepEqual(spare.notes, ['renewed 32', 'disposed'])
})

test('a host that ends prepares none any more', async () => {
  const spare = new Noted()
  const runs = roomWith(spare)
  await prepare(runs, 'short', 'Gizmo', 'async function f (bot) {}')
  await runs.start({ group: 'short', at: 0, tick: 1 })
  runs.close()
  await turn()
  assert.deepEqual(spare.notes, [])
})
