'use strict'
/** Crafting on a server that answers late: what is taken is what the recipe gives, and nothing is lost on the way. */
const assert = require('node:assert/strict')
const { after, before, beforeEach, describe, test } = require('node:test')
const registry = require('prismarine-registry')('1.20.4')
const { Recipe } = /** @type {any} */ (require('prismarine-recipe'))(registry)
const { GROUND, startStage, until } = require('./support')
const { filling } = require('../../../bridge/host/live/craft')
const { layout } = require('../../../skills_js/crafting_layout')
const primitives = require('../../../skills_js/primitives')
const { Vec3 } = require('../../../skills_js/bot_facade/vec3')

const FEET = GROUND + 1
const TABLE = [2, FEET, 2]
/** Several of the server's ticks. */
const LATE_MS = 120

/** @param {string} name */
const id = (name) => registry.itemsByName[name].id

/** @param {Record<number, [string, number]>} held by slot */
function windowWith (held) {
  const slots = Array.from(
    { length: 46 }, (_, slot) => held[slot] ? { type: id(held[slot][0]), count: held[slot][1] } : null
  )
  return { slots, inventoryStart: 10, inventoryEnd: 46 }
}

test('a grid is laid out from several stacks, and what is left goes back to where it was', () => {
  const [pickaxe] = Recipe.find(id('stone_pickaxe'), null).filter((/** @type {any} */ recipe) =>
    recipe.delta.some((/** @type {any} */ part) => part.id === id('cobblestone')))
  const places = layout(pickaxe, 3)
  assert.deepEqual(places.map(({ slot }) => slot), [1, 2, 3, 5, 8])
  const {
    clicks, missing
  } = filling(windowWith({ 12: ['cobblestone', 2], 13: ['dirt', 5], 20: ['cobblestone', 9], 45: ['stick', 2] }), places)
  assert.equal(missing, null)
  assert.deepEqual(clicks.map(({ slot, button }) => [slot, button]),
    [[12, 0], [1, 1], [2, 1], [20, 0], [3, 1], [20, 0], [45, 0], [5, 1], [8, 1]])
  assert.equal(filling(windowWith({ 12: ['cobblestone', 2], 45: ['stick', 2] }), places).missing, id('cobblestone'))
})

describe('on a server that answers late', () => {
  /** @type {import('./support').Stage} */
  let stage
  /** @type {import('./support').Player} */
  let gizmo

  before(async () => {
    stage = await startStage(['Gizmo'])
    ;[gizmo] = stage.players
    delayAnswers(gizmo.raw)
    await stage.set(
      [`setblock ${TABLE.join(' ')} crafting_table`],
      () => gizmo.bot.blockAt(new Vec3(...TABLE))?.name === 'crafting_table'
    )
  })

  after(() => stage.close())

  beforeEach(async () => {
    stage.tidy('clear Gizmo')
    await until(() => gizmo.bot.inventory.items().length === 0, 'an empty inventory')
  })

  /**
   * Let the server's answers about slots reach the bot late, in their order.
   * @param {any} raw
   */
  function delayAnswers (raw) {
    const emit = raw._client.emit.bind(raw._client)
    raw._client.emit = (/** @type {string} */ name, /** @type {any[]} */ ...args) => {
      if (!['set_slot', 'window_items', 'open_window'].includes(name)) return emit(name, ...args)
      setTimeout(() => emit(name, ...args), LATE_MS)
      return true
    }
  }

  /** @param {Record<string, number>} items */
  async function give (items) {
    const names = Object.entries(items)
    await stage.set(
      names.map(([name, count]) => `give Gizmo ${name} ${count}`),
      () => names.every(([name, count]) => gizmo.has(name) === count)
    )
  }

  /** @returns {Record<string, number>} what the server says that the player has */
  function truth () {
    /** @type {Record<string, number>} */
    const held = {}
    const player = [...stage.bench.world.players.values()].find((/** @type {any} */ each) => each.name === 'Gizmo')
    for (const item of player.store.slots) if (item) held[item.name] = (held[item.name] ?? 0) + item.count
    return held
  }

  test('planks, sticks and torches come in their numbers', async () => {
    await give({ oak_log: 2, coal: 2 })
    assert.equal(await primitives.craftItem(gizmo.bot, 'oak_planks', 2), 8)
    assert.equal(await primitives.craftItem(gizmo.bot, 'stick', 2), 8)
    assert.equal(await primitives.craftItem(gizmo.bot, 'torch', 2), 8)
    assert.deepEqual(truth(), { oak_planks: 4, stick: 6, torch: 8 })
  })

  test('a table makes what needs one, and its buckets come back', async () => {
    await give({ wheat: 3, sugar: 2, egg: 1, milk_bucket: 1 })
    stage.run('give Gizmo milk_bucket 1')
    stage.run('give Gizmo milk_bucket 1')
    await until(() => gizmo.has('milk_bucket') === 3, 'three buckets')
    assert.equal(await primitives.craftItem(gizmo.bot, 'cake'), 1)
    assert.deepEqual(truth(), { cake: 1, bucket: 3 })
    assert.equal(gizmo.raw.currentWindow, null)
  })

  test('without room for the result nothing is lost', async () => {
    await give({ oak_log: 2 })
    for (let stack = 0; stack < 35; stack++) stage.run('give Gizmo stone 64')
    await until(() => gizmo.has('stone') === 35 * 64, 'a full inventory')
    await assert.rejects(
      primitives.craftItem(gizmo.bot, 'oak_planks'),
      (/** @type {any} */ error) => error.name === 'NotCrafted' && /no room/.test(error.message)
    )
    assert.deepEqual(truth(), { oak_log: 2, stone: 35 * 64 })
  })

  test('a cancel in the middle leaves the grid and the cursor empty, and the next crafting works', async () => {
    await give({ oak_log: 20 })
    const listeners = gizmo.listeners()
    const controller = new AbortController()
    const [recipe] = gizmo.bot.recipesFor(id('oak_planks'), null, 1, null)
    const crafting = gizmo.backend.act(
      'craft', [id('oak_planks'), recipe.index, 20, null, null, null], controller.signal
    )
    await until(() => (truth().oak_planks ?? 0) >= 4, 'the first planks')
    controller.abort()
    await assert.rejects(crafting, { name: 'Cancelled' })
    const { oak_log: logs = 0, oak_planks: planks = 0 } = truth()
    assert.equal(logs * 4 + planks, 80)
    assert.deepEqual([gizmo.has('oak_log'), gizmo.has('oak_planks')], [logs, planks])
    assert.deepEqual(gizmo.listeners(), listeners)
    assert.deepEqual(gizmo.raw.inventory.slots.slice(0, 5), [null, null, null, null, null])
    assert.equal(await primitives.craftItem(gizmo.bot, 'oak_planks', 1), 4)
  })
})
