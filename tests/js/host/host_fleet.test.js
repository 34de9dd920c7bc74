'use strict'
/** The supervisor's side of bot hosts: loss, replacement, bounds, and runs over several hosts; with hosts of no game. */
const path = require('node:path')
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { HostFleet, BOTS_PER_HOST } = require('../../../bridge/host/host_fleet')
const { HostLink } = require('../../../bridge/host/host_link')

const script = path.join(__dirname, 'fixtures', 'fake_host.js')
/** An event that never comes ends its test, and does not keep the suite. */
const PATIENCE = { timeout: 60_000 }

/** @param {import('node:test').TestContext} t */
async function opened (t) {
  const events = /** @type {{ kind: string, tick: number|null, data: any }[]} */ ([])
  /** @type {Set<() => void>} */
  const watchers = new Set()
  const fleet = new HostFleet((kind, tick, data) => {
    events.push({ kind, tick, data })
    for (const look of watchers) look()
  }, { script })
  t.after(() => fleet.release())
  await fleet.open()
  /** @param {(event: { kind: string, data: any }) => boolean} wanted */
  const until = (wanted) => new Promise((resolve) => {
    const look = () => {
      const found = events.find(wanted)
      if (!found) return
      watchers.delete(look)
      resolve(found)
    }
    watchers.add(look)
    look()
  })
  return { fleet, events, until }
}

const seat = (/** @type {string} */ bot) => ({ bot, host: '127.0.0.1', port: 1, version: '1.20.4' })

test('a host has an empty environment and Node\'s permission model', PATIENCE, async (t) => {
  const { fleet } = await opened(t)
  await fleet.connect(seat('Gizmo'))
  const { env, argv } = await fleet.observe({ bot: 'Gizmo' })
  assert.deepEqual(env, {})
  assert.ok(argv.includes('--permission'))
  assert.ok(argv.every((/** @type {string} */ flag) => !/allow-(fs-write|child-process|worker|wasi)/.test(flag)))
})

for (const [bot, why] of /** @type {[string, RegExp][]} */ ([
  ['hang', /silent for \d+ s/],
  ['crash', /ended with code 7: TypeError: broken on purpose/],
  ['shout', /a line longer than/],
  ['babble', /not a JSON object/],
  ['fat', /MB of memory/]
])) {
  test(`a host that does "${bot}" is lost with its reason, replaced, and its bots come back`, PATIENCE, async (t) => {
    const { fleet, events, until } = await opened(t)
    await fleet.connect(seat(bot))
    await fleet.connect(seat('Gizmo'))
    const before = (await fleet.observe({ bot: 'Gizmo' })).pid
    await fleet.observe({ bot }).catch((/** @type {any} */ error) => assert.equal(error.name, 'HostLost'))
    const lost = await until((event) => event.kind === 'host' && event.data.state === 'lost')
    assert.match(/** @type {any} */ (lost).data.reason, why)
    const after = (await fleet.observe({ bot: 'Gizmo' })).pid
    assert.notEqual(after, before)
    const told = events.filter((event) => event.kind === 'bot' && event.data.bot === 'Gizmo').map((event) => event.data.state)
    assert.deepEqual(told, ['spawned', 'ended', 'spawned'])
  })
}

test('a report of too much memory counts when it is heard, whatever the next one says', PATIENCE, async (t) => {
  const lost = /** @type {string[]} */ ([])
  const host = new HostLink('h1', {
    onEvent: () => {}, onSignal: () => {}, onRecycle: () => {}, onLost: (reason) => { lost.push(reason) }
  }, { script })
  t.after(() => host.end())
  await host.ready
  // Its reply follows both reports on the same pipe.
  await host.request('observe', { bot: 'fat' }).catch(() => {})
  assert.equal(host.alive, false)
  await host.gone
  assert.deepEqual(lost, ['it used 8583069 MB of memory, more than 2048'])
})

test('a host that is lost in a run ends its part as infrastructure', PATIENCE, async (t) => {
  const { fleet, events, until } = await opened(t)
  await fleet.connect(seat('crash'))
  const run = fleet.run('j1', { policies: [{ bot: 'crash', source: 'wait' }], limits: {}, seed: '' })
  await until((event) => event.kind === 'log' && event.data.text === 'begun')
  await fleet.observe({ bot: 'crash' }).catch(() => {})
  const results = /** @type {any} */ (await run)
  assert.equal(results.crash.outcome, 'infrastructure')
  assert.match(results.crash.error.message, /was lost/)
  await until((event) => event.kind === 'policy' && event.data.result.outcome === 'infrastructure')
  assert.equal(events.filter((event) => event.kind === 'policy').length, 1)
})

test('a spoilt host is replaced only when its runs are over', PATIENCE, async (t) => {
  const { fleet, events, until } = await opened(t)
  await fleet.connect(seat('spoilt'))
  const run = fleet.run('j1', { policies: [{ bot: 'spoilt', source: 'wait' }], limits: {}, seed: '' })
  await until((event) => event.kind === 'log' && event.data.text === 'begun')
  await fleet.observe({ bot: 'spoilt' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(events.some((event) => event.kind === 'host' && event.data.state === 'lost'), false)
  assert.equal(fleet.cancel('j1'), true)
  assert.equal(/** @type {any} */ (await run).spoilt.outcome, 'cancelled')
  await until((event) => event.kind === 'host' && event.data.state === 'lost')
  assert.equal((await fleet.observe({ bot: 'spoilt' })).name, 'spoilt')
})

test('a run over two hosts starts at one moment, in one tick, and its signals are passed on', PATIENCE, async (t) => {
  const { fleet } = await opened(t)
  const bots = Array.from({ length: BOTS_PER_HOST + 1 }, (_, i) => `b${i}`)
  await Promise.all(bots.map((bot) => fleet.connect(seat(bot))))
  const results = /** @type {any} */ (await fleet.run('j1', { policies: bots.map((bot) => ({ bot, source: '' })), limits: {}, seed: '' }))
  const of = (/** @type {string} */ key) => new Set(bots.map((bot) => results[bot][key]))
  assert.equal(of('pid').size, 2)
  assert.equal(of('tick').size, 1)
  assert.equal(of('at').size, 1)
  assert.deepEqual([...of('span')], [true])
})

test('a run is refused for a bot that is not there, and says who is', PATIENCE, async (t) => {
  const { fleet } = await opened(t)
  await fleet.connect(seat('Gizmo'))
  await assert.rejects(fleet.run('j1', { policies: [{ bot: 'Judy', source: '' }], limits: {}, seed: '' }), {
    name: 'BotLost', message: 'Judy is not in the world; in it: Gizmo'
  })
})

test('a host cannot say what only the supervisor may', PATIENCE, async (t) => {
  const { fleet, events } = await opened(t)
  await fleet.connect(seat('liar'))
  await fleet.observe({ bot: 'liar' })
  assert.equal(events.some((event) => event.kind === 'job'), false)
})

test('chat that two hosts hear is told once', PATIENCE, async (t) => {
  const { fleet, events } = await opened(t)
  await Promise.all(Array.from({ length: BOTS_PER_HOST }, (_, i) => fleet.connect(seat(i === 0 ? 'echo' : `b${i}`))))
  await fleet.connect(seat('last'))
  await fleet.observe({ bot: 'echo' })
  await fleet.observe({ bot: 'last' })
  assert.equal(events.filter((event) => event.kind === 'chat').length, 1)
})

test('a fleet that is released leaves no process', PATIENCE, async (t) => {
  const { fleet } = await opened(t)
  const [{ pid }] = fleet.stats()
  await fleet.release()
  assert.throws(() => process.kill(Number(pid), 0), { code: 'ESRCH' })
})
