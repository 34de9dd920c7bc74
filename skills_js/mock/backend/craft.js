'use strict'
/**
 * Crafting by vanilla clicks: ingredients into the grid, one by one, then the result out of it.
 *
 * @module skills_js/mock/backend/craft
 */
const { cells, layout } = require('../../crafting_layout')
const { named } = require('../../bot_facade/errors')
const { click, show } = require('./hands')
const { blockThere } = require('./reads')
const { recipesOf } = require('./recipes')
const { OWN_END, OWN_START, inventoryData } = require('./snapshots')
const { closeOpen, emptyCursor, refuseBeyondReach } = require('./windows')
const { until } = require('../tasks')

const OPEN_TICKS = 30
/** First slot of the player's part in a crafting table's window. */
const TABLE_OWN = 10

/**
 * @typedef {import('../client').Client} Client
 * @typedef {{id: number, width: number, own: number[]}} Grid a window with a crafting grid in its slots from 1
 */

/**
 * Craft an item by a recipe.
 *
 * @param {Client} client
 * @param {number} item
 * @param {{ index: number, count: number, table: {x: number, y: number, z: number} | null }} order `index` of the
 *   recipe among all of the item's; `count`: times that it is used; `table`: the crafting table to use
 * @returns {Generator<number | void, number, void>} number of items made
 * @throws {NoRecipe}
 * @throws {NotCrafted}
 */
function * craft (client, item, { index, count, table }) {
  const { registry } = client.simulation.world
  const recipe = recipesOf(registry, item)[index]
  const name = registry.items[item]?.name ?? `item ${item}`
  if (!recipe) throw named('NoRecipe', `there is no recipe ${index} for ${name}`)
  const block = table === null ? null : blockThere(client, table.x, table.y, table.z)
  if (block !== null && block.name !== 'crafting_table') {
    throw named('NotCrafted', `there is ${block.name} at the given place, no crafting_table`)
  }
  if (block !== null && table !== null) refuseBeyondReach(client, block, table)
  if (recipe.requiresTable && table === null) throw named('NotCrafted', `${name} needs a crafting_table near by`)
  const before = countOf(client, item)
  let problem = ''
  const grid = yield * openGrid(client, table)
  try {
    for (let each = 0; each < count && problem === ''; each++) {
      problem = craftOnce(client, grid, recipe)
      yield
    }
  } finally {
    emptyGrid(client, grid)
    if (table !== null) closeOpen(client)
  }
  const made = countOf(client, item) - before
  if (made <= 0) throw named('NotCrafted', `no ${name} came of it${problem === '' ? '' : `: ${problem}`}`)
  return made
}

/**
 * @param {Client} client
 * @param {{x: number, y: number, z: number} | null} table
 * @returns {Generator<number | void, Grid, void>}
 */
function * openGrid (client, table) {
  client.stopWalk()
  closeOpen(client)
  if (table === null) return { id: 0, width: 2, own: [OWN_START, OWN_END] }
  yield * click(client, table)
  yield * until(() => client.player.openWindow !== null, OPEN_TICKS)
  const window = client.player.openWindow
  if (window === null || !window.type.startsWith('minecraft:crafting')) {
    throw named('NotCrafted', `the crafting_table at ${show(table)} did not open`)
  }
  return { id: window.id, width: 3, own: [TABLE_OWN, TABLE_OWN + 36] }
}

/** @param {Client} client @param {Grid} grid @param {any} recipe @returns {string} what went wrong, or '' */
function craftOnce (client, grid, recipe) {
  const press = (/** @type {number} */ slot, /** @type {number} */ button, mode = 0) =>
    client.player.click({ windowId: grid.id, slot, button, mode })
  const look = () => /** @type {any} */ (client.player.windowView(grid.id))
  for (const { slot, type } of layout(recipe, grid.width)) {
    if (look().carried?.type !== type) {
      emptyCursor(client, grid.id, grid.own)
      const source = look().items.findIndex((/** @type {any} */ item, /** @type {number} */ at) => at >= grid.own[0] &&
        at < grid.own[1] && item?.type === type)
      if (source < 0) return `missing ${client.simulation.world.registry.items[type].name}`
      press(source, 0)
    }
    press(slot, 1)
  }
  emptyCursor(client, grid.id, grid.own)
  if (!look().items[0]) return 'the grid gave nothing'
  press(0, 0, 1)
  if (look().items[0]) return 'no room in the inventory'
  return ''
}

/** @param {Client} client @param {Grid} grid what lies in it goes back */
function emptyGrid (client, grid) {
  if (client.player.windowView(grid.id) === null) return
  for (const slot of cells(grid.width)) {
    if (client.player.windowView(grid.id)?.items[slot]) {
      client.player.click({ windowId: grid.id, slot, button: 0, mode: 1 })
    }
  }
  emptyCursor(client, grid.id, grid.own)
}

/** @param {Client} client @param {number} item @returns {number} */
function countOf (client, item) {
  const { slots } = inventoryData(client)
  return slots.slice(OWN_START, OWN_END)
    .reduce((/** @type {number} */ sum, /** @type {any} */ held) => sum + (held?.type === item ? held.count : 0), 0)
}

module.exports = { craft }
