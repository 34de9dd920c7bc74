'use strict'
/** Blame for the loss of a host: a program cannot void what it is losing, and nobody pays for another's. */
const path = require('node:path')
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { HostFleet } = require('../../../../bridge/host/supervisor/host_fleet')

const script = path.join(__dirname, '..', 'fixtures', 'fake_host.js')

/** @param {import('node:test').TestContext} t @param {Record<string, string>} sources @param {number} [botsPerHost] */
async function played (t, sources, botsPerHost) {
  const fleet = new HostFleet(() => {}, { script, botsPerHost })
  t.after(() => fleet.release())
  await fleet.open()
  for (const bot of Object.keys(sources)) {
    await fleet.connect({ bots: [bot], host: '127.0.0.1', port: 1, version: '1.20.4' })
  }
  const policies = Object.entries(sources).map(([bot, source]) => ({ bot, source, seed: '1/1' }))
  const run = fleet.run('j1', { policies, limits: {} })
  return { fleet, run }
}

/** @param {any} results */
const outcomes = (results) => Object.fromEntries(Object.entries(results).map(([bot, { outcome }]) => [bot, outcome]))

test('a loss is laid to the program that the host computed for, and to no other', async (t) => {
  const { run } = await played(t, { Gizmo: 'asks', Glitch: 'blocks', Golem: 'wait' })
  const results = /** @type {any} */ (await run)
  assert.deepEqual(outcomes(results), { Gizmo: 'infrastructure', Glitch: 'threw', Golem: 'infrastructure' })
  assert.match(results.Glitch.error.message, /^the program took its bot host down: .*silent for \d+ s/)
  assert.equal(results.Glitch.error.name, 'HostLost')
})

test('nobody is blamed if several programs share a host that dies', async (t) => {
  const { run } = await played(t, { Gizmo: 'asks', Glitch: 'dies' })
  assert.deepEqual(outcomes(await run), { Gizmo: 'infrastructure', Glitch: 'infrastructure' })
})

for (const source of ['dies', 'aborts']) {
  test(`a program that has a host for itself answers for it when it ${source}, and the others play on`, async (t) => {
    const { run, fleet } = await played(t, { Gizmo: '', Glitch: source }, 1)
    assert.equal(fleet.stats().length, 2)
    assert.deepEqual(outcomes(await run), { Gizmo: 'returned', Glitch: 'threw' })
    assert.equal((await fleet.observe({ bot: 'Glitch' })).name, 'Glitch')
  })
}

test('a host that somebody else ends is nobody\'s doing, whoever computes there', async (t) => {
  const { run, fleet } = await played(t, { Gizmo: 'wait' }, 1)
  while (fleet.stats()[0].pid === null) await new Promise((resolve) => setImmediate(resolve))
  await fleet.observe({ bot: 'Gizmo' })
  process.kill(Number(fleet.stats()[0].pid), 'SIGKILL')
  assert.deepEqual(outcomes(await run), { Gizmo: 'infrastructure' })
})
