'use strict'
/** A server without agents: whom the console makes an operator, commands in chat as on a vanilla server. */
const { test, before, after } = require('node:test')
const assert = require('node:assert/strict')
const { once } = require('node:events')
const { startBench, until } = require('./support')

/** @type {any} */
let bench
/** @type {any} */
let gizmo

before(async () => {
  bench = await startBench()
  gizmo = await bench.join('Gizmo')
})

after(() => bench.close())

test('operators command in chat, complete words, and hear the console', async () => {
  const allowed = once(gizmo._client, 'declare_commands')
  bench.run('op Gizmo')
  await allowed
  gizmo.chat('/gamerule doDaylightCycle false')
  gizmo.chat('/time set 6000')
  await until(() => gizmo.time.timeOfDay === 6000 && gizmo.time.doDaylightCycle === false, 'noon that stands still')
  const offers = await gizmo.tabComplete('/weather ')
  assert.deepEqual(offers.map((/** @type {any} */ offer) => offer.match ?? offer), ['clear', 'rain', 'thunder'])
  const heard = once(gizmo, 'message')
  bench.run('gamerule doDaylightCycle true')
  assert.equal((await heard)[0].toString(), '[Server: Gamerule doDaylightCycle is now set to: true]')
})

test('a former operator commands no more', async () => {
  const told = once(gizmo._client, 'declare_commands')
  bench.run('deop Gizmo')
  await told
  const refused = once(gizmo, 'message')
  gizmo.chat('/time set 0')
  assert.match((await refused)[0].toString(), /^Unknown or incomplete command/)
})
