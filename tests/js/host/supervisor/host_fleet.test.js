'use strict'
/**
 * The supervisor's side of bot hosts: loss, replacement, bounds, and runs over several hosts; with hosts of no game.
 */
const path = require('node:path')
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { HostFleet, BOTS_PER_HOST, JOINS_AT_ONCE } = require('../../../../bridge/host/supervisor/host_fleet')
const { HostLink } = require('../../../../bridge/host/supervisor/host_link')

const script = path.join(__dirname, '..', 'fixtures', 'fake_host.js')
/** An event that never comes ends its test, and does not keep the suite. */
const PATIENCE = { timeout: 60_000 }

/** @param {import('node:test').TestContext} t @param {{ botsPerHost?: number }} [options] */
async function opened (t, options = {}) {
  const events = /** @type {{ kind: string, tick: number|null, data: any }[]} */ ([])
  /** @type {Set<() => void>} */
  const watchers = new Set()
  const fleet = new HostFleet((kind, tick, data) => {
    events.push({ kind, tick, data })
    for (const look of watchers) look()
  }, { script, ...options })
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

const seat = (/** @type {string[]} */ ...bots) => ({ bots, host: '127.0.0.1', port: 1, version: '1.20.4' })

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
    const told = events.filter((event) => event.kind === 'bot' && event.data.bot === 'Gizmo')
      .map((event) => event.data.state)
    assert.deepEqual(told, ['spawned', 'ended', 'spawned'])
  })
}

test('a large fleet outlives the loss of all its hosts at once', PATIENCE, async (t) => {
  const { fleet, events, until } = await opened(t, { botsPerHost: 1 })
  const bots = Array.from({ length: 6 }, (_, number) => `b${number}`)
  await fleet.connect(seat(...bots))
  const pids = () => Promise.all(bots.map(async (bot) => (await fleet.observe({ bot })).pid))
  const before = await pids()
  for (const pid of before) process.kill(pid, 'SIGKILL')
  await until(() =>
    events.filter((event) => event.kind === 'host' && event.data.state === 'lost').length === bots.length)
  const after = await pids()
  assert.equal(after.filter((pid) => before.includes(pid)).length, 0)
})

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
  const run = fleet.run('j1', { policies: [{ bot: 'crash', source: 'wait', seed: '' }], limits: {} })
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
  const run = fleet.run('j1', { policies: [{ bot: 'spoilt', source: 'wait', seed: '' }], limits: {} })
  await until((event) => event.kind === 'log' && event.data.text === 'begun')
  await fleet.observe({ bot: 'spoilt' })
  await new Promise((resolve) => setTimeout(resolve, 100))
  assert.equal(events.some((event) => event.kind === 'host' && event.data.state === 'lost'), false)
  assert.equal(fleet.cancel('j1'), true)
  assert.equal(/** @type {any} */ (await run).spoilt.outcome, 'cancelled')
  await until((event) => event.kind === 'host' && event.data.state === 'lost')
  assert.equal((await fleet.observe({ bot: 'spoilt' })).name, 'spoilt')
})

test('a run waits for who has to come back while it waits for somebody else', PATIENCE, async (t) => {
  const { fleet, until } = await opened(t)
  await fleet.connect(seat('spoilt', ...Array.from({ length: BOTS_PER_HOST - 1 }, (_, i) => `b${i}`)))
  await fleet.connect(seat('free'))
  const joined = fleet.connect(seat('late'))
  await until(({ kind, data }) => kind === 'log' && data.bot === 'late')
  const run = fleet.run(
    'j1', { policies: ['spoilt', 'late'].map((bot) => ({ bot, source: '', seed: '' })), limits: {} }
  )
  await fleet.observe({ bot: 'spoilt' })
  await until((event) => event.kind === 'host' && event.data.state === 'lost')
  await fleet.observe({ bot: 'free' })
  await joined
  const { spoilt, late } = /** @type {any} */ (await run)
  assert.deepEqual([spoilt.outcome, late.outcome], ['returned', 'returned'])
})

test('a run over two hosts starts at one moment, in one tick, and its signals are passed on', PATIENCE, async (t) => {
  const { fleet } = await opened(t)
  const bots = Array.from({ length: BOTS_PER_HOST + 1 }, (_, i) => `b${i}`)
  await fleet.connect(seat(...bots))
  const results = /** @type {any} */ (await fleet.run(
    'j1', { policies: bots.map((bot) => ({ bot, source: '', seed: '' })), limits: {} }
  ))
  const of = (/** @type {string} */ key) => new Set(bots.map((bot) => results[bot][key]))
  assert.equal(of('pid').size, 2)
  assert.equal(of('tick').size, 1)
  assert.equal(of('at').size, 1)
  assert.deepEqual([...of('span')], [true])
})

test('a run is refused for a bot that is not there, and says who is', PATIENCE, async (t) => {
  const { fleet } = await opened(t)
  await fleet.connect(seat('Gizmo'))
  await assert.rejects(fleet.run('j1', { policies: [{ bot: 'Judy', source: '', seed: '' }], limits: {} }), {
    name: 'BotLost', message: 'Judy is not in the world; in it: Gizmo'
  })
})

test('a crowd joins a few at a time, over all hosts', PATIENCE, async (t) => {
  const { fleet, until, events } = await opened(t)
  await fleet.connect(seat('free'))
  const crowd = Array.from({ length: 2 * JOINS_AT_ONCE + 1 }, (_, i) => `late${i}`)
  const joined = fleet.connect(seat(...crowd))
  const held = []
  for (const last of [JOINS_AT_ONCE, 2 * JOINS_AT_ONCE, crowd.length]) {
    await until(({ kind, data }) => kind === 'log' && data.bot === `late${last - 1}`)
    held.push((await fleet.observe({ bot: 'free' })).held)
  }
  await joined
  assert.deepEqual(held, [JOINS_AT_ONCE, JOINS_AT_ONCE, 1])
  assert.equal(events.filter(({ kind }) => kind === 'bot').length, crowd.length + 1)
})

test('bots are shared evenly: as many hosts as are needed, ' +
  'and none is full beside one that is nearly empty', PATIENCE, async (t) => {
  const { fleet } = await opened(t)
  const bots = Array.from({ length: BOTS_PER_HOST + 5 }, (_, i) => `b${i}`)
  await fleet.connect(seat(...bots))
  const seen = /** @type {any[]} */ (await fleet.sense({ bots, senses: {} }))
  const half = (BOTS_PER_HOST + 5) / 2
  assert.deepEqual(
    [...new Set(seen.map(({ pid, asked }) => `${pid} ${asked}`))].map((line) => Number(line.split(' ')[1])),
    [half, half]
  )
})

test('many bots are looked at with one request to each host, and who is not there is left out', PATIENCE, async (t) => {
  const { fleet } = await opened(t)
  const bots = Array.from({ length: BOTS_PER_HOST + 1 }, (_, i) => `b${i}`)
  await fleet.connect(seat(...bots))
  const senses = { radius: 8, most: 4, blocks: [] }
  const seen = /** @type {any[]} */ (await fleet.sense({ bots: ['Judy', ...bots], senses }))
  assert.deepEqual(seen.map(({ name }) => name), bots)
  const half = (BOTS_PER_HOST + 1) / 2
  assert.deepEqual([seen[0].asked, seen[BOTS_PER_HOST].asked], [half, half])
  assert.equal(new Set(seen.map(({ pid }) => pid)).size, 2)
  assert.deepEqual(seen[0].senses, senses)
})

test('a host that is lost meanwhile costs only the sight of its own bots', PATIENCE, async (t) => {
  const { fleet } = await opened(t)
  const bots = Array.from({ length: BOTS_PER_HOST }, (_, i) => `b${i}`)
  await fleet.connect(seat(...bots))
  await fleet.connect(seat('crash'))
  const seen = /** @type {any[]} */ (await fleet.sense({ bots: [...bots, 'crash'], senses: {} }))
  assert.deepEqual(seen.map(({ name }) => name), bots)
})

for (const [how, end] of /** @type {[string, (fleet: HostFleet) => any][]} */ ([
  ['of the run', (fleet) => assert.equal(fleet.cancel('j1'), true)],
  ['of its bot', (fleet) => fleet.stop({ bots: ['late'] })],
  ['of all bots', (fleet) => fleet.stop({ bots: null })]
])) {
  test(`a cancel ${how} is not lost while the bot is on its way into the world`, PATIENCE, async (t) => {
    const { fleet, until } = await opened(t)
    await fleet.connect(seat('free'))
    const joined = fleet.connect(seat('late'))
    await until(({ kind, data }) => kind === 'log' && data.bot === 'late')
    const run = fleet.run('j1', { policies: [{ bot: 'late', source: 'wait', seed: '' }], limits: {} })
    const ended = end(fleet)
    await fleet.observe({ bot: 'free' })
    await joined
    await ended
    assert.equal(/** @type {any} */ (await run).late.outcome, 'cancelled')
  })
}

test('runs of single bots go on side by side, and the end of one is no other\'s', PATIENCE, async (t) => {
  const { fleet } = await opened(t)
  await fleet.connect(seat('Gizmo', 'Glitch'))
  const run = (/** @type {string} */ job, /** @type {string} */ bot, /** @type {string} */ source) =>
    fleet.run(job, { policies: [{ bot, source, seed: '' }], limits: {} })
  const first = run('j1', 'Gizmo', 'wait')
  assert.equal(/** @type {any} */ (await run('j2', 'Glitch', '')).Glitch.outcome, 'returned')
  const second = run('j3', 'Glitch', 'wait')
  await fleet.observe({ bot: 'Glitch' })
  await fleet.stop({ bots: ['Glitch'] })
  assert.equal(/** @type {any} */ (await second).Glitch.outcome, 'cancelled')
  fleet.cancel('j1')
  assert.equal(/** @type {any} */ (await first).Gizmo.outcome, 'cancelled')
})

test('a host cannot say what only the supervisor may', PATIENCE, async (t) => {
  const { fleet, events } = await opened(t)
  await fleet.connect(seat('liar'))
  await fleet.observe({ bot: 'liar' })
  assert.equal(events.some((event) => event.kind === 'job'), false)
})

test('chat that two hosts hear is told once', PATIENCE, async (t) => {
  const { fleet, events } = await opened(t)
  await fleet.connect(seat(...Array.from({ length: BOTS_PER_HOST }, (_, i) => i === 0 ? 'echo' : `b${i}`)))
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
