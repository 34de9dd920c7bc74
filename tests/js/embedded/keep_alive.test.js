'use strict'
/** Keep-alives go by real time: a server that ticks slowly does not lose its clients, and lost clients are noticed. */
const { test } = require('node:test')
const assert = require('node:assert/strict')
const { Viewer } = require('../../../bridge/servers/embedded/viewer')

/** A viewer whose clock the test moves. */
function watched () {
  const sent = /** @type {string[]} */ ([])
  const kicks = /** @type {string[]} */ ([])
  const clock = { ms: 5000 }
  const front = /** @type {any} */ ({ settings: { viewDistance: 2 }, world: {}, columns: {} })
  const connection = /** @type {any} */ ({
    write: (/** @type {string} */ name) => sent.push(name), kick: (/** @type {string} */ why) => kicks.push(why)
  })
  const viewer = new Viewer(
    front, connection, { name: 'Gizmo', uuid: 'u', viewDistance: 2 }, { ownId: 1, lit: false, now: () => clock.ms }
  )
  viewer.view.pump = () => {}
  return { viewer, sent, kicks, clock }
}

test('two ticks a second: a client still hears within 30 s', () => {
  const { viewer, sent, kicks, clock } = watched()
  for (let age = 0; age < 120; age++, clock.ms += 500) {
    viewer.tick(age)
    if (sent.length) viewer.alive()
  }
  assert.equal(sent.length, 6)
  assert.deepEqual(kicks, [])
})

test('a client that answers nothing for 30 s is gone', () => {
  const { viewer, kicks, clock } = watched()
  for (let age = 0; age <= 299; age++, clock.ms += 100) viewer.tick(age)
  assert.deepEqual(kicks, [])
  viewer.tick(300)
  assert.deepEqual(kicks, ['Timed out'])
})
