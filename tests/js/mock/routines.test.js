'use strict'
/** Accord's own routines do the same without an isolate as in one. */
const test = require('node:test')
const assert = require('node:assert/strict')
const fs = require('node:fs')
const path = require('node:path')
const { routinesOf, LIBRARIES } = require('../../../bridge/mock/routines')
const { WorldHost } = require('../../../bridge/mock/world_host')

const LIMITS = { wall_ms: 15_000, cpu_ms: 20_000, memory_mb: 32 }
const TEXT = fs.readFileSync(path.join(__dirname, '../../../skills_js/routines/explorer_routines.js'), 'utf8')
const WAY = { x: 1, z: 0, y: null }
/** One after the other: each routine, its arguments, and the ticks that it gets. @type {[string, any[], number][]} */
const ROUTINES = [
  [
    'craftAll',
    [[['oak_planks', 4, false], ['crafting_table', 1, false], ['stick', 1, false], ['wooden_pickaxe', 1, true]]], 200
  ],
  ['forage', [{ stone: 3 }, { ...WAY, y: -64 }, 8, 3], 300],
  ['forage', [{ oak_log: 2 }, WAY, 8, 2], 200],
  ['forage', [{ diamond_ore: 2 }, WAY, 60, 2], 40],
  ['forage', [{ diamond_ore: 2 }, WAY, 60, 2], 320],
  ['strip', ['oak_log', 'wooden_pickaxe'], 100]
]
/** A call that is told before it begins, unlike a program. @type {typeof ROUTINES} */
const UNKNOWN = [['noSuchRoutine', [], 10]]

/** All of them by one player, as calls or as programs; what was told. @param {boolean} called */
async function play (called) {
  /** @type {any[]} */
  const told = []
  const world = new WorldHost(
    { seed: 1, threaded: false }, (event) => { told.push(event) }, (run, results) => { told.push({ run, results }) }
  )
  await world.handle('connect', { bots: ['Gizmo'] })
  await world.handle(
    'commands', { texts: ['give Gizmo oak_log 6', 'fill 4 -61 -2 9 -61 2 stone', 'fill 3 -60 4 3 -57 4 oak_log'] }
  )
  for (const [index, [name, args, ticks]] of [...ROUTINES, ...called ? UNKNOWN : []].entries()) {
    const source =
      `${TEXT}\nasync function main (bot) {\n  ` +
        `await ${name}(${['bot', ...args.map((arg) => JSON.stringify(arg))].join(', ')})\n}\n`
    const calls = called
      ? { calls: { steps: [{ name, args: structuredClone(args) }], pause_ticks: 0, library: 'explorer_routines' } }
      : {}
    await world.handle(
      'start', { run: index, policies: [{ bot: 'Gizmo', source, seed: `1/${index}`, ...calls }], limits: LIMITS }
    )
    const until = await world.handle('now', {}) + ticks
    while (await world.handle('now', {}) < until) await world.handle('advance', { until })
    await world.handle('cancel', { bots: null, run: null })
  }
  // Where in a program an error came from is a line of the program's.
  return JSON.parse(
    JSON.stringify(told, (key, value) => key === 'line' || key === 'column' || key === 'cpu_ms' ? null : value)
  )
}

test('a routine that is called does what its program does, in the same ticks', async () => {
  const called = await play(true)
  const ends = called.filter((/** @type {any} */ { results }) => results)
    .map((/** @type {any} */ { results }) => results.Gizmo)
  assert.deepEqual(
    ends.map((/** @type {any} */ { outcome }) => outcome),
    ['returned', 'returned', 'returned', 'cancelled', 'timeout', 'returned', 'threw']
  )
  assert.equal(ends.at(-1).error.message, 'noSuchRoutine is not defined')
  const items = called.filter((/** @type {any} */ { kind }) => kind === 'inventory').at(-1)?.data.items
  assert.ok(items.cobblestone >= 3 && items.wooden_pickaxe === 1, JSON.stringify(items))
  const programs = await play(false)
  assert.deepEqual(called.slice(0, programs.length), programs)
})

test('an unknown library of routines is refused with the names of the known ones', () => {
  assert.deepEqual(LIBRARIES, ['explorer_routines'])
  assert.throws(
    () => routinesOf('../bot_facade/bot', {}),
    { name: 'BadArgument', message: 'there are no routines called "../bot_facade/bot"; there are explorer_routines' }
  )
})
