'use strict'
/** Signals of one run group over two hosts, joined by a pipe of the test's own. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { GroupSignals, LOOK_MS } = require('../../../../bridge/host/isolates/signals')

/**
 * Two hosts, each with one of the players; what one forwards the other receives soon after, in order, as from a pipe.
 */
function twoHosts () {
  const sent = /** @type {string[][]} */ ([])
  const players = ['Gizmo', 'Glitch']
  /** @type {GroupSignals[]} */
  const hosts = []
  players.forEach((player, i) => hosts.push(new GroupSignals({
    players,
    local: [player],
    forward: (op) => { queueMicrotask(() => hosts[1 - i].receive(`h${i}`, op)) },
    onSent: (from, to, name) => sent.push([from, to, name])
  })))
  return { gizmo: hosts[0], glitch: hosts[1], sent }
}

/** Wait until forwarded signals have arrived. */
const arrived = () => new Promise((resolve) => setImmediate(resolve))

/** @param {GroupSignals} hub @param {string} player @param {string} name */
function waiting (hub, player, name) {
  const ends = /** @type {any[]} */ ([])
  const giveUp = hub.wait(player, name, (error, signal) => ends.push(error ? error.name : signal))
  return { ends, giveUp }
}

test('a signal crosses to the player who waits, and is reported once, where it was sent', async () => {
  const { gizmo, glitch, sent } = twoHosts()
  const { ends } = waiting(glitch, 'Glitch', 'done')
  gizmo.send('Gizmo', 'Glitch', 'done')
  await arrived()
  assert.deepEqual(ends, [{ from: 'Gizmo', name: 'done' }])
  assert.deepEqual(sent, [['Gizmo', 'Glitch', 'done']])
})

test('a signal that comes before the wait is kept, however far it came', async () => {
  const { gizmo, glitch } = twoHosts()
  gizmo.send('Gizmo', 'Glitch', 'early')
  await arrived()
  assert.deepEqual(waiting(glitch, 'Glitch', 'early').ends, [{ from: 'Gizmo', name: 'early' }])
})

test('a wait for a player of another host fails when that player ends', async () => {
  const { gizmo, glitch } = twoHosts()
  const { ends } = waiting(glitch, 'Glitch', 'never')
  gizmo.end('Gizmo')
  await arrived()
  assert.deepEqual(ends, ['SenderEnded'])
})

test('two players of two hosts who wait for each other are a deadlock, told to both', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { gizmo, glitch } = twoHosts()
  for (const hub of [gizmo, glitch]) hub.drive(() => true)
  const a = waiting(gizmo, 'Gizmo', 'yours first')
  const b = waiting(glitch, 'Glitch', 'no, yours')
  await arrived()
  t.mock.timers.tick(LOOK_MS)
  assert.deepEqual([a.ends, b.ends], [[], []])
  await arrived()
  t.mock.timers.tick(LOOK_MS)
  await arrived()
  assert.deepEqual([a.ends, b.ends], [['Deadlock'], ['Deadlock']])
  for (const hub of [gizmo, glitch]) hub.close()
})

test('no deadlock while one of them is busy, or computes', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const { gizmo, glitch } = twoHosts()
  let idle = true
  for (const hub of [gizmo, glitch]) hub.drive(() => idle)
  const a = waiting(gizmo, 'Gizmo', '')
  glitch.busy('Glitch', 1)
  const b = waiting(glitch, 'Glitch', '')
  await arrived()
  t.mock.timers.tick(10 * LOOK_MS)
  await arrived()
  glitch.busy('Glitch', -1)
  idle = false
  await arrived()
  t.mock.timers.tick(10 * LOOK_MS)
  await arrived()
  assert.deepEqual([a.ends, b.ends], [[], []])
  for (const hub of [gizmo, glitch]) hub.close()
})

test('a wait that is given up is no longer part of a deadlock elsewhere', async () => {
  const { gizmo, glitch } = twoHosts()
  waiting(gizmo, 'Gizmo', '')
  const { giveUp } = waiting(glitch, 'Glitch', '')
  await arrived()
  assert.deepEqual(gizmo.stuck(), ['Gizmo', 'Glitch'])
  giveUp()
  await arrived()
  assert.deepEqual(gizmo.stuck(), [])
})

test('a signal to nobody is refused with the names of those who play', async () => {
  const { gizmo } = twoHosts()
  assert.throws(() => gizmo.send('Gizmo', 'Judy', 'x'), { name: 'UnknownPlayer', message: /Gizmo, Glitch/ })
})
