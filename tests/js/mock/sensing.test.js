'use strict'
/** Senses of players as changes: put together they are the whole, and unchanged parts cost nothing. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { Simulation } = require('../../../skills_js/mock/simulation')
const { sense } = require('../../../skills_js/mock/sense')
const { findBlocks, States } = require('../../../skills_js/mock/backend/find_blocks')
const { blockRows, statesOf } = require('../../../skills_js/nearby')
const { MAX_VIEWS, Sensing } = require('../../../skills_js/mock/sensing')

const SENSES = { radius: 16, most: 8, blocks: ['oak_log'] }
const NAMES = ['Gizmo', 'Judy', 'Glitch']

/** @returns {Simulation} three players on a meadow, two side by side */
function meadow () {
  const simulation = new Simulation({ seed: 1 })
  for (const name of NAMES) simulation.join(name)
  for (const [at, name] of NAMES.entries()) simulation.world.command(`tp ${name} ${at * 3}.5 -60 0.5`)
  for (let tick = 0; tick < 20; tick++) simulation.tick()
  return simulation
}

/** @param {Map<string, any>} known @param {any} news @param {string[]} names takes in what was told */
function take (known, { tick, told }, names) {
  for (const [at, name] of names.entries()) {
    if (told[at] === null) known.delete(name)
    else known.set(name, { ...known.get(name), ...(told[at] || {}), tick })
  }
}

test('news put together are what is sensed, whatever happens', () => {
  const simulation = meadow()
  const sensing = new Sensing()
  const known = new Map()
  const deeds = [
    'give Gizmo coal 3', 'tp Judy 4.5 -60 2.5 90 0', 'setblock 2 -60 2 oak_log', 'summon sheep 2.5 -60 4.5',
    'clear Gizmo', 'gamemode creative Judy', 'gamemode spectator Glitch', 'effect give Judy instant_damage 1 0',
    'give Gizmo coal 3', 'kick Glitch', 'setblock 2 -60 2 air'
  ]
  let after = 0
  for (const deed of deeds) {
    simulation.world.command(deed)
    for (let tick = 0; tick < 3; tick++) simulation.tick()
    const news = sensing.look(simulation, NAMES, SENSES, { view: 1, after })
    after = news.number
    take(known, news, NAMES)
    assert.deepEqual([...known.values()], sense(simulation, NAMES, SENSES), deed)
  }
  assert.deepEqual([...known.keys()], ['Gizmo', 'Judy'])
})

test('nothing is reported if nothing has changed', () => {
  const simulation = meadow()
  const sensing = new Sensing()
  sensing.look(simulation, NAMES, SENSES, { view: 1, after: 0 })
  simulation.tick()
  assert.deepEqual(
    sensing.look(simulation, NAMES, SENSES, { view: 1, after: 1 }), { number: 2, tick: simulation.age, told: [0, 0, 0] }
  )
  simulation.world.command('tp Glitch 6.5 -60 2.5')
  const { told: [gizmo, judy, glitch] } = sensing.look(simulation, NAMES, SENSES, { view: 1, after: 2 })
  assert.deepEqual(
    [Object.keys(gizmo ?? {}), Object.keys(judy ?? {}), Object.keys(glitch ?? {})],
    [['players'], ['players'], ['position', 'players']]
  )
})

test('a full answer goes to an asker that missed the last one, or comes back after many others', () => {
  const simulation = meadow()
  const sensing = new Sensing()
  const look = (/** @type {number} */ view, /** @type {number} */ after) =>
    sensing.look(simulation, ['Gizmo'], SENSES, { view, after })
  look(1, 0)
  look(1, 1)
  const anew = look(1, 1)
  assert.equal(anew.number, 1)
  assert.deepEqual(anew.told, sense(simulation, ['Gizmo'], SENSES))
  for (let view = 2; view <= MAX_VIEWS + 1; view++) look(view, 0)
  assert.equal(look(1, 1).number, 1)
})

/**
 * @param {any} world
 * @param {{x: number, y: number, z: number}} body
 * @param {import('../../../skills_js/nearby').Senses} senses
 * @returns {any[][]} the blocks that it sees, looked for anew
 */
function anew (world, body, { radius, most, blocks }) {
  const states = statesOf(world.registry, blocks)
  const { found } = findBlocks(world, {
    from: body,
    maxDistance: radius,
    count: most,
    key: `anew ${blocks}`,
    states: () => new States(world.registry, states.keys())
  })
  return blockRows(body, found, (x, y, z) => states.get(world.blockAt(x, y, z)) ?? '')
}

test('a look from the same place sees what has changed there since, and one of another kind sees its own', () => {
  const simulation = meadow()
  const { world } = simulation
  const { body } = simulation.client('Gizmo')
  const kinds = [
    SENSES, { ...SENSES, blocks: ['stone'] }, { ...SENSES, blocks: ['oak_log', 'stone'], most: 2 },
    { ...SENSES, radius: 3 }
  ]
  const deeds = [
    'setblock 2 -60 2 oak_log', 'setblock 2 -60 2 stone', 'setblock -20 -60 2 oak_log', 'setblock -9 -58 2 oak_log',
    'setblock 5 -60 9 oak_log', 'tp Gizmo 1.5 -60 0.5', 'tp Gizmo 0.5 -60 0.5', 'setblock -9 -58 2 air',
    'fill 0 -60 3 6 -58 6 stone', 'tp Gizmo 40.5 -60 0.5', 'tp Gizmo 0.5 -60 0.5'
  ]
  for (const deed of deeds) {
    world.command(deed)
    for (const senses of [...kinds, ...kinds, SENSES, SENSES]) {
      const [{ blocks }] = /** @type {any[]} */ (sense(simulation, ['Gizmo'], senses))
      assert.deepEqual(blocks, anew(world, body, senses), `${deed}, ${JSON.stringify(senses)}`)
    }
  }
  assert.equal(/** @type {any[]} */ (sense(simulation, ['Gizmo'], SENSES))[0].blocks.length, 1)
})
