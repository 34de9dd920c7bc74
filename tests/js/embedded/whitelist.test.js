'use strict'
/** A server whose whitelist is on, as Paper's is: only whom the console has named gets in. */
const { test, after } = require('node:test')
const assert = require('node:assert/strict')
const { startBench } = require('./support')

/** @type {any} */
let bench

after(() => bench.close())

test('only who is on the whitelist plays', async () => {
  bench = await startBench({ whitelist: true })
  bench.run('whitelist add Gizmo')
  await bench.join('Gizmo')
  await assert.rejects(bench.join('Person'), /Person did not come in/)
  assert.deepEqual([...bench.world.players.keys()], ['Gizmo'])
  bench.run('whitelist add Person')
  await bench.join('Person')
})
