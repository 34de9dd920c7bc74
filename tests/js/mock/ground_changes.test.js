'use strict'
/** Blocks that players mine and place are told with their places, in the mock world and by a server's bots. */
const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { test } = require('node:test')
const { createMockWorld } = require('../../../skills_js/mock')
const { GroundChanges, MAX_PLACES } = require('../../../skills_js/ground_changes')
const { GroundWatch } = require('../../../bridge/host/telemetry/ground_watch')
const { WeatherWatch, weatherOf } = require('../../../bridge/host/telemetry/weather_watch')
const { blockText } = require('../../../skills_js/block_text')
const { gameData } = require('../../../engine/world/data')
const { mineBlock } = require('../../../skills_js/primitives/mineBlock')
const { placeItem } = require('../../../skills_js/primitives/placeItem')
const { Vec3 } = require('../../../skills_js/bot_facade/vec3')

const REACH = { low: -64, high: 320 }
/** @param {any} world @returns {any[]} */
const told = (world) => world.events.filter((/** @type {any} */ { kind }) => kind === 'ground_changed')
  .map((/** @type {any} */ { data }) => data)

test('an ore that was mined is air where it was, ' +
  'what is placed stands, and the column shows what lies below', async () => {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  for (const text of ['setblock 3 -60 0 iron_ore', 'give Gizmo stone_pickaxe', 'give Gizmo cobblestone 4']) {
    world.command(text)
  }
  assert.deepEqual(told(world), [], 'what commands build is not told')
  await world.run(async () => {
    await mineBlock(bot, 'iron_ore', 1)
    await bot.waitForTicks(40)
  })
  const below = world.block(3, -61, 0)
  assert.deepEqual(told(world), [{ changed: { Gizmo: [[3, -60, 0, 'air']] }, tops: [[3, -61, 0, below]], left_out: 0 }])
  await world.run(async () => {
    await placeItem(bot, 'cobblestone', new Vec3(2, -60, 2))
    await bot.waitForTicks(40)
  })
  assert.deepEqual(
    told(world)[1],
    { changed: { Gizmo: [[2, -60, 2, 'cobblestone']] }, tops: [[2, -60, 2, 'cobblestone']], left_out: 0 }
  )
  world.command('setblock 3 -60 0 iron_ore')
  world.command('setblock 9 -60 9 stone')
  await world.run(() => bot.waitForTicks(40))
  assert.deepEqual(
    told(world)[2]?.changed, { '': [[3, -60, 0, 'iron_ore']] }, 'an ore that comes again is seen, and nothing elsewhere'
  )
})

test('states of placed blocks are told where they are not the usual ones, also later ones', async () => {
  const world = createMockWorld({ seed: 1 })
  const bot = world.join('Gizmo')
  for (const text of ['give Gizmo oak_stairs', 'give Gizmo oak_door', 'give Gizmo stone', 'give Gizmo wheat_seeds',
    'setblock 3 -61 5 farmland', 'setblock 0 -61 3 stone', 'setblock 2 -61 2 stone']) world.command(text)
  await world.run(async () => {
    await placeItem(bot, 'stone', new Vec3(3, -60, 3))
    await placeItem(bot, 'wheat_seeds', new Vec3(3, -60, 5))
    await bot.waitForTicks(30)
  })
  assert.deepEqual(told(world).map(({ states }) => states), [undefined], 'usual states take no bytes')
  await world.run(async () => {
    await placeItem(bot, 'oak_stairs', new Vec3(0, -60, 3))
    await placeItem(bot, 'oak_door', new Vec3(2, -60, 2))
    await bot.waitForTicks(30)
  })
  const { changed, states } = told(world)[1]
  assert.deepEqual(changed.Gizmo.map((/** @type {any[]} */ row) => row[3]), ['oak_stairs', 'oak_door', 'oak_door'])
  assert.deepEqual(states, [[0, -60, 3, 'oak_stairs[facing=west]'], [2, -60, 2, 'oak_door[facing=east]'],
    [2, -59, 2, 'oak_door[facing=east,half=upper]']])
  const [x, y, z] = changed.Gizmo[1]
  world.command(`setblock ${x} ${y} ${z} oak_door[open=true,facing=east]`)
  world.command('setblock 3 -60 5 wheat[age=5]')
  await world.run(() => bot.waitForTicks(30))
  assert.deepEqual(told(world)[2], { changed: {}, tops: [], left_out: 0,
    states: [[x, y, z, 'oak_door[facing=east,open=true]'], [3, -60, 5, 'wheat[age=5]']] })
  world.command('setblock 3 -60 5 wheat[age=5]')
  await world.run(() => bot.waitForTicks(30))
  assert.equal(told(world).length, 3)
  world.command('setblock 3 -60 5 wheat')
  await world.run(() => bot.waitForTicks(30))
  assert.deepEqual(told(world)[3].states, [[3, -60, 5, 'wheat']], 'back in its usual state')
})

test('what a picture does not show is not told', () => {
  const { registry } = gameData()
  const { oak_leaves: leaves, cactus, stone, wheat } = registry.blocksByName
  const id = (/** @type {string} */ name, /** @type {object} */ props) => gameData().stateId(name, { ...props })
  assert.equal(blockText(leaves, id('oak_leaves', { distance: 3 })), 'oak_leaves')
  assert.equal(blockText(cactus, id('cactus', { age: 7 })), 'cactus')
  assert.equal(blockText(wheat, id('wheat', { age: 7 })), 'wheat[age=7]')
  assert.equal(blockText(stone, stone.defaultState), 'stone')
})

test('the weather is told when it changes, by a mock world and once by many bots', async () => {
  const world = createMockWorld({ seed: 1 })
  for (const text of ['weather rain', 'weather rain', 'weather thunder', 'weather clear']) world.command(text)
  const heard = world.events.filter((/** @type {any} */ { kind }) => kind === 'weather')
  assert.deepEqual(heard.map((/** @type {any} */ { data }) => data.weather), ['rain', 'thunder', 'clear'])
  /** @type {any[]} */
  const news = []
  const watch = new WeatherWatch((each) => news.push(each.weather))
  /** @type {any} */
  const bot = Object.assign(new EventEmitter(), { isRaining: true, thunderState: 0 })
  watch.watch(bot)
  watch.tell(weatherOf(bot))
  bot.thunderState = 1
  watch.tell(weatherOf(bot))
  watch.tell(weatherOf(bot))
  bot.isRaining = false
  watch.tell(weatherOf(bot))
  assert.deepEqual(news, ['rain', 'thunder', 'clear'])
})

test('a block above a mined one stays visible, a transparent one does not, and nothing is nameless', () => {
  const blocks = new Map([['0,70,0', 'oak_leaves'], ['1,64,0', 'stone'], ['1,90,0', 'barrier']])
  const changes = new GroundChanges()
  for (const x of [0, 1, 2]) changes.touch('Ada', { x, y: 65, z: 0 })
  const nameAt = (
    /** @type {string} */ _seer, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ z
  ) => blocks.get(`${x},${y},${z}`) ?? 'air'
  assert.deepEqual(
    changes.sample(nameAt, REACH)?.tops, [[0, 70, 0, 'oak_leaves'], [1, 64, 0, 'stone'], [2, -64, 0, '']]
  )
  assert.ok(changes.empty)
})

test('a sample is bounded and counts what it leaves out', () => {
  const changes = new GroundChanges()
  for (let x = 0; x < MAX_PLACES + 5; x++) changes.touch('Ada', { x, y: 0, z: 0 })
  changes.touch('Ada', { x: 0, y: 0, z: 0 })
  const first = changes.sample((_seer, x) => x === 1 ? null : 'stone', REACH)
  assert.equal(first?.changed.Ada.length, MAX_PLACES - 1)
  assert.equal(first?.left_out, 6)
  assert.equal(changes.sample(() => 'stone', REACH), null)
  changes.change('Ada', { x: 0, y: 0, z: 0 })
  assert.equal(changes.sample(() => 'stone', REACH), null, 'what grows and stays the same kind of block is no news')
  changes.change('Ada', { x: 0, y: 0, z: 0 })
  assert.deepEqual(changes.sample(() => 'dirt', REACH)?.changed, { '': [[0, 0, 0, 'dirt']] })
})

test('bots of a server tell what stands there when the server has had its word', () => {
  /** @type {any} */
  const bot = new EventEmitter()
  /** @type {Record<string, number>} */
  const states = { '(4, 10, 4)': 1 }
  const { chest } = gameData().registry.blocksByName
  bot.registry = { blocksByStateId: { 0: { name: 'air' }, 1: { name: 'iron_ore' }, 2: { name: 'dirt' },
    [chest.minStateId + 7]: chest } }
  bot.world = {
    getColumn: (/** @type {number} */ x) => x === 0 ? {} : undefined,
    getBlockStateId: (/** @type {any} */ at) => states[at.toString()] ?? 0
  }
  /** @type {any[]} */
  const samples = []
  const watch = new GroundWatch((name) => name === 'Ada' ? bot : null, (sample) => samples.push(sample))
  watch.watch(bot, 'Ada')
  const at = (/** @type {number} */ x) => ({ position: new Vec3(x, 10, 4) })
  bot.emit('blockUpdate', at(2), at(2))
  watch.tell()
  assert.equal(samples.length, 0, 'what nobody worked at is not told')
  bot.emit('diggingCompleted', at(4))
  bot.emit('diggingCompleted', at(5))
  bot.emit('blockPlaced', at(40), at(40))
  watch.tell()
  assert.deepEqual(samples[0].changed, { Ada: [[4, 10, 4, 'iron_ore'], [5, 10, 4, 'air']] })
  assert.equal(samples[0].left_out, 1)
  states['(5, 10, 4)'] = 2
  bot.emit('blockUpdate', at(5), at(5))
  watch.tell()
  assert.deepEqual(samples[1].changed, { '': [[5, 10, 4, 'dirt']] })
  assert.equal(samples[1].states, undefined)
  states['(5, 10, 4)'] = chest.minStateId + 7
  bot.emit('blockUpdate', at(5), at(5))
  watch.tell()
  assert.deepEqual(samples[2].states, [[5, 10, 4, 'chest[facing=south]']])
  bot.emit('blockUpdate', null, null)
  watch.tell()
  assert.equal(samples.length, 3)
})
