'use strict'
/** Blocks that players mine and place are told with their places, in the mock world and by a server's bots. */
const assert = require('node:assert/strict')
const { EventEmitter } = require('node:events')
const { test } = require('node:test')
const { createMockWorld } = require('../../../skills_js/mock')
const { GroundChanges, MAX_PLACES } = require('../../../skills_js/ground_changes')
const { GroundWatch } = require('../../../bridge/host/telemetry/ground_watch')
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
  bot.registry = { blocksByStateId: [{ name: 'air' }, { name: 'iron_ore' }, { name: 'dirt' }] }
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
  bot.emit('blockUpdate', null, null)
  watch.tell()
  assert.equal(samples.length, 2)
})
