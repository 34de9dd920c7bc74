'use strict'
/** What players sense as news: put together it is what they sense, and what stays as it is costs nothing. */
const test = require('node:test')
const assert = require('node:assert/strict')
const { Simulation } = require('../../../skills_js/mock/simulation')
const { sense } = require('../../../skills_js/mock/sense')
const { MOST_VIEWS, Sensing } = require('../../../skills_js/mock/sensing')

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
  const deeds = ['give Gizmo coal 3', 'tp Judy 4.5 -60 2.5 90 0', 'setblock 2 -60 2 oak_log', 'summon sheep 2.5 -60 4.5', 'clear Gizmo', 'gamemode creative Judy', 'gamemode spectator Glitch', 'effect give Judy instant_damage 1 0', 'give Gizmo coal 3', 'kick Glitch', 'setblock 2 -60 2 air']
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

test('where nothing has changed nothing is told', () => {
  const simulation = meadow()
  const sensing = new Sensing()
  sensing.look(simulation, NAMES, SENSES, { view: 1, after: 0 })
  simulation.tick()
  assert.deepEqual(sensing.look(simulation, NAMES, SENSES, { view: 1, after: 1 }), { number: 2, tick: simulation.age, told: [0, 0, 0] })
  simulation.world.command('tp Glitch 6.5 -60 2.5')
  const { told: [gizmo, judy, glitch] } = sensing.look(simulation, NAMES, SENSES, { view: 1, after: 2 })
  assert.deepEqual([Object.keys(gizmo ?? {}), Object.keys(judy ?? {}), Object.keys(glitch ?? {})], [['players'], ['players'], ['position', 'players']])
})

test('who did not get the last news is told everything, and so is whoever asks after many others', () => {
  const simulation = meadow()
  const sensing = new Sensing()
  const look = (/** @type {number} */ view, /** @type {number} */ after) => sensing.look(simulation, ['Gizmo'], SENSES, { view, after })
  look(1, 0)
  look(1, 1)
  const anew = look(1, 1)
  assert.equal(anew.number, 1)
  assert.deepEqual(anew.told, sense(simulation, ['Gizmo'], SENSES))
  for (let view = 2; view <= MOST_VIEWS + 1; view++) look(view, 0)
  assert.equal(look(1, 1).number, 1)
})
