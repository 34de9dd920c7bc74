'use strict'
/** The small parts of the host, each by itself, with a clock of the test's own. */
const { PassThrough } = require('node:stream')
const { after, test } = require('node:test')
const assert = require('node:assert/strict')
const { readLines, lineWriter } = require('../../../bridge/host/lines')
const { CpuWatch } = require('../../../bridge/host/isolates/cpu_watch')
const { closeParser, syntaxError, MAX_SOURCE } = require('../../../bridge/host/isolates/syntax')
const { EventRing } = require('../../../bridge/host/supervisor/event_ring')
const { WorldClock } = require('../../../bridge/host/clock')
const { ChatMerger, MEMORY_MS } = require('../../../bridge/host/telemetry/chat_merger')
const { HostBudget, CAPACITY_MS, REFILL_PER_MS } = require('../../../bridge/host/isolates/host_budget')
const { memoized } = require('../../../bridge/host/bots/version_cache')
const { shareTicks } = require('../../../bridge/host/bots/ticker')

/** @param {string[]} chunks @param {number} [max] */
async function heard (chunks, max) {
  const stream = new PassThrough()
  const messages = /** @type {any[]} */ ([])
  const faults = /** @type {string[]} */ ([])
  readLines(stream, (message) => messages.push(message), (reason) => faults.push(reason), max)
  const ended = new Promise((resolve) => stream.on('end', resolve))
  for (const chunk of chunks) stream.write(chunk)
  stream.end()
  await ended
  return { messages, faults }
}

test('lines: objects arrive whole however they were cut', async () => {
  const { messages, faults } = await heard(['{"a":', '1}\n{"b"', ':2}\n'])
  assert.deepEqual(messages, [{ a: 1 }, { b: 2 }])
  assert.deepEqual(faults, [])
})

for (const [what, chunks] of Object.entries({
  'a line that never ends': ['{"a":"' + 'x'.repeat(200)],
  'a line that is too long': ['{"a":"' + 'x'.repeat(200) + '"}\n{"b":1}\n'],
  'no JSON': ['[JSE] hello\n{"b":1}\n'],
  'no object': ['[1]\n{"b":1}\n']
})) {
  test(`lines: ${what} is one fault, and nothing after it is heard`, async () => {
    const { messages, faults } = await heard(chunks, 100)
    assert.deepEqual(messages, [])
    assert.equal(faults.length, 1)
  })
}

test('lines: writing to a closed pipe is quiet', () => {
  const stream = new PassThrough()
  const say = lineWriter(stream)
  stream.destroy()
  assert.doesNotThrow(() => say({ k: 'beat' }))
})

for (const [source, line, column] of /** @type {[string, number, number][]} */ ([
  ['async function f (bot) {\n  bot.chat(]\n}', 2, 12],
  ['async function f (bot) {\n\n  const x = 1\n  const x = 2\n}', 4, 9],
  ['async function f (bot) {', 1, 25],
  ['const a = await 1', 1, 17]
])) {
  test(`syntax: ${JSON.stringify(source)} is wrong at ${line}:${column}`, async () => {
    const error = await syntaxError(source, new CpuWatch())
    assert.deepEqual([error?.line, error?.column], [line, column])
    assert.doesNotMatch(String(error?.message), /\(\d+:\d+\)/)
  })
}

test('syntax: a good program, a program that is no text, one that is too long', async () => {
  const watch = new CpuWatch()
  assert.equal(await syntaxError('async function f (bot) { await bot.chat(`hi`) }', watch), null)
  assert.match(String((await syntaxError(7, watch))?.message), /not text/)
  assert.match(String((await syntaxError(' '.repeat(MAX_SOURCE + 1), watch))?.message), /at most/)
  assert.match(String((await syntaxError('('.repeat(MAX_SOURCE), watch))?.message), /nested too deeply/)
})

test('syntax: a program that takes long to read is refused, and meanwhile the host does other things', async () => {
  const names = Array.from({ length: 33_000 }, (_each, at) => at.toString(36).padStart(4, '_'))
  let turns = 0
  let over = false
  const turn = () => { turns++; if (!over) setImmediate(turn) }
  turn()
  const watch = new CpuWatch()
  const answers = await Promise.all([
    syntaxError(`let ${names}`, watch), syntaxError('async function f (bot) {}', watch)
  ])
  over = true
  assert.match(String(answers[0]?.message), /reading the program takes more than/)
  assert.equal(answers[1], null)
  assert.ok(turns > 10, `${turns} turns`)
})

after(() => closeParser())

test('ring: events come once, in order, in numbered batches', () => {
  const ring = new EventRing()
  for (const name of ['a', 'b', 'c']) ring.push({ fleet: 'f', kind: 'log', tick: null, data: { name } })
  const first = JSON.parse(ring.since(0))
  assert.deepEqual(first.events.map((/** @type {any} */ e) => [e.seq, e.data.name]), [[1, 'a'], [2, 'b'], [3, 'c']])
  assert.deepEqual(JSON.parse(ring.since(first.cursor)), { cursor: 3, events: [] })
  ring.push({ fleet: 'f', kind: 'log', tick: null, data: { name: 'd' } })
  assert.deepEqual(JSON.parse(ring.since(3)).events.map((/** @type {any} */ e) => e.seq), [4])
})

test('ring: a reader that stays away loses the oldest, visibly', () => {
  const ring = new EventRing(100)
  for (let i = 1; i <= 1000; i++) ring.push({ fleet: 'f', kind: 'log', tick: null, data: {} })
  const { events, cursor } = JSON.parse(ring.since(0))
  assert.equal(cursor, 1000)
  assert.ok(events.length >= 100 && events.length <= 125)
  assert.equal(events[0].seq, 1001 - events.length)
})

test('ring: a batch is bounded, and the next one goes on', () => {
  const ring = new EventRing()
  for (let i = 0; i < 3; i++) ring.push({ fleet: 'f', kind: 'log', tick: null, data: { text: 'x'.repeat(300_000) } })
  const first = JSON.parse(ring.since(0))
  assert.equal(first.events.length, 1)
  assert.equal(JSON.parse(ring.since(first.cursor)).events[0].seq, 2)
})

test('clock: counts between packets, takes the earliest as the truest, follows a slow server', () => {
  let now = 10_000
  const clock = new WorldClock(() => now)
  assert.equal(clock.tick(), null)
  clock.update(100)
  now += 520
  assert.equal(clock.tick(), 110)
  now += 480 + 70 // the second packet is 70 ms late
  clock.update(120)
  assert.equal(clock.tick(), 121)
  for (let i = 1; i <= 6; i++) {
    now += 2000 // ten ticks a second from here on
    clock.update(120 + 20 * i)
  }
  const tick = clock.tick() ?? 0
  assert.ok(tick >= 240 && tick <= 240 + 80, String(tick))
})

test('clock: no world is older than what its server would have told', () => {
  let now = 0
  const clock = new WorldClock(() => now)
  clock.update(100)
  now += 1000
  clock.update(120)
  now += 5000 // it stalls
  assert.equal(clock.tick(), 140)
  clock.update(140)
  assert.equal(clock.tick(), 160)
})

test('clock: another world begins anew', () => {
  let now = 0
  const clock = new WorldClock(() => now)
  clock.update(5000)
  now += 1000
  clock.update(3)
  assert.equal(clock.tick(), 3)
})

test('chat: the same words from many ears are one message, said twice they are two', () => {
  let now = 0
  const merger = new ChatMerger(() => now)
  const news = (/** @type {string} */ who, /** @type {string} */ text) => merger.isNews(who, 'Gizmo', text)
  assert.deepEqual([news('a', 'hi'), news('b', 'hi'), news('c', 'hi')], [true, false, false])
  assert.deepEqual([news('a', 'hi'), news('b', 'hi')], [true, false])
  assert.equal(news('b', 'ho'), true)
  now += MEMORY_MS + 1
  assert.equal(news('c', 'hi'), true)
  assert.equal(merger.isNews('c', null, 'hi'), true)
})

test('budget: closes when spent, opens as time passes', () => {
  let now = 0
  const budget = new HostBudget(() => now)
  assert.equal(budget.open, true)
  budget.spend(CAPACITY_MS + 30)
  assert.equal(budget.open, false)
  now += 31 / REFILL_PER_MS
  assert.equal(budget.open, true)
})

test('memo: one answer per argument, and the factory\'s own members stay', () => {
  let made = 0
  const factory = Object.assign((/** @type {string} */ version) => ({ version, made: ++made }), { Extra: 1 })
  const once = /** @type {any} */ (memoized(factory))
  assert.equal(once('1.20.4'), once('1.20.4'))
  assert.notEqual(once('1.20.4'), once('1.21.4'))
  assert.equal(once.Extra, 1)
})

test('ticker: physics timers of all bots are one, other timers stay what they are', () => {
  const started = /** @type {any[]} */ ([])
  const stopped = /** @type {any[]} */ ([])
  const scope = {
    setInterval: (/** @type {any} */ fn, /** @type {number} */ ms) => started.push([fn, ms]),
    clearInterval: (/** @type {any} */ timer) => stopped.push(timer)
  }
  shareTicks(scope)
  let ticks = 0
  const physicsOf = () => { const doPhysics = () => { ticks++ }; return doPhysics }
  const first = scope.setInterval(physicsOf(), 50)
  const second = scope.setInterval(physicsOf(), 50)
  const other = scope.setInterval(() => {}, 50)
  assert.equal(started.length, 2)
  started[0][0]()
  assert.equal(ticks, 2)
  scope.clearInterval(first)
  started[0][0]()
  assert.equal(ticks, 3)
  scope.clearInterval(second)
  scope.clearInterval(other)
  assert.deepEqual(stopped, [1, other])
})
