'use strict'
/**
 * Crafting by own clicks, one recipe at a time. mineflayer takes the result that it expects, so on a busy server it
 * takes what a half-filled grid gives: a button for planks. Here the server's contents are read before the result is
 * taken, and every click asks for them: one answer per click keeps answers and clicks together.
 */
const { named } = require('../../../skills_js/bot_facade/errors')
const { RESULT, cells, layout } = require('../../../skills_js/crafting_layout')
const { ageOf, lateness, pause } = require('./bounded')
const { LEFT, PLAIN, RIGHT, SHIFT, press } = require('./clicks')
const { point } = require('./sight')
const { halt } = require('./walk')
const { inTurn, openBlock, sync } = require('./windows')

/** @typedef {import('../bots/live_bot').LiveBot} LiveBot */

const CRAFT_MS = 8000
const CRAFT_MS_EACH = 1000
/** Time for one recipe, in ms: as fast as in the mock world, and no flood of clicks. */
const TICK_MS = 50
/** Tries per recipe: an item picked up between two clicks can spoil a grid once. */
const TRIES = 2

/**
 * @typedef {import('./clicks').Click} Click
 * @typedef {{ window: any, width: number }} Grid mineflayer's window, with a crafting grid of that width
 */

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {{ item: number, recipe: number, count: number, table: number[] | null }} what - recipe: its index among all
 *   of the item's; count: how often
 * @returns {Promise<number>} how many items came
 * @throws {NoRecipe}
 * @throws {NotCrafted}
 */
function craft (bot, signal, { item, recipe, count, table }) {
  return inTurn(bot, async () => {
    const chosen = bot.recipesAll(item, null, true)[recipe]
    const name = bot.registry.items[item]?.name ?? `item ${item}`
    if (!chosen) throw named('NoRecipe', `there is no recipe ${recipe} for ${name}`)
    if (table !== null) checkTable(bot, table)
    if (chosen.requiresTable && table === null) throw named('NotCrafted', `${name} needs a crafting_table near by`)
    const grid = await openGrid(bot, signal, table)
    let before = 0
    let problem = ''
    try {
      await clear(bot, signal, grid)
      before = grid.window.count(item, null)
      problem = await craftTimes(bot, signal, grid, chosen, count)
    } catch (error) {
      if (error.name === 'Cancelled') throw error
      problem = error.message
    } finally {
      await leave(bot, grid)
    }
    const made = bot.inventory.count(item, null) - before
    if (made <= 0) throw named('NotCrafted', `no ${name} came of it${problem === '' ? '' : `: ${problem}`}`)
    return made
  })
}

/** @param {LiveBot} bot @param {number[]} table @throws {NotCrafted} */
function checkTable (bot, table) {
  const block = bot.blockAt(point(table[0], table[1], table[2]))
  if (block?.name !== 'crafting_table') {
    throw named('NotCrafted', `there is ${block?.name ?? 'no loaded land'} at the given place, no crafting_table`)
  }
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {number[] | null} table - null for the player's own grid
 * @returns {Promise<Grid>}
 */
async function openGrid (bot, signal, table) {
  halt(bot)
  if (table === null) {
    // Servers hear no clicks in the own grid while a container is open.
    if (bot.currentWindow) await bot.closeWindow(bot.currentWindow)
    return { window: bot.inventory, width: 2 }
  }
  try {
    await openBlock(bot, signal, table)
  } catch (error) {
    if (error.name !== 'WindowNotOpened') throw error
    throw named('NotCrafted', error.message)
  }
  return { window: bot.currentWindow, width: 3 }
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {Grid} grid
 * @param {import('prismarine-recipe').Recipe} recipe
 * @param {number} count
 * @returns {Promise<string>} what went wrong, or ''
 */
async function craftTimes (bot, signal, grid, recipe, count) {
  const lacking = lateness(ageOf(bot), CRAFT_MS + CRAFT_MS_EACH * count)
  const end = performance.now() + CRAFT_MS + CRAFT_MS_EACH * count
  for (let each = 0; each < count; each++) {
    const began = performance.now()
    if (began > end && lacking() === 0) return 'the server takes too long'
    const problem = await craftOnce(bot, signal, grid, recipe)
    if (problem !== '') return problem
    await pause(signal, Math.max(0, began + TICK_MS - performance.now()), 'crafting')
  }
  return ''
}

/**
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {Grid} grid - empty
 * @param {import('prismarine-recipe').Recipe} recipe
 * @returns {Promise<string>} what went wrong, or ''
 */
async function craftOnce (bot, signal, grid, recipe) {
  const { window } = grid
  for (let tries = 1; ; tries++) {
    const problem = await fill(bot, signal, grid, recipe)
    if (problem === '') break
    if (tries === TRIES) return problem
    await clear(bot, signal, grid)
  }
  await press(bot, signal, window, [{ slot: RESULT, button: LEFT, mode: SHIFT }])
  if (window.slots[RESULT]) await sync(bot, signal, window)
  if (window.slots[RESULT]) return 'no room in the inventory'
  // Buckets and bottles stay behind where their contents were.
  if (lying(grid).length > 0) await clear(bot, signal, grid)
  return ''
}

/**
 * Lay out the ingredients until the server shows the result.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {Grid} grid - empty
 * @param {import('prismarine-recipe').Recipe} recipe
 * @returns {Promise<string>} what went wrong, or ''
 */
async function fill (bot, signal, { window, width }, recipe) {
  const { clicks, missing } = filling(window, layout(recipe, width))
  if (missing !== null) return `missing ${bot.registry.items[missing]?.name ?? `item ${missing}`}`
  const wanted = () => window.slots[RESULT]?.type === recipe.result.id
  await press(bot, signal, window, clicks)
  // Something else may have made the server tell all, and an answer been taken for the next one.
  if (!wanted()) await sync(bot, signal, window)
  return wanted() ? '' : `the grid gave ${window.slots[RESULT]?.name ?? 'nothing'}`
}

/**
 * Return the clicks that lay out items: take a stack up, put one into each cell, put the rest back.
 * @param {{ slots: any[], inventoryStart: number, inventoryEnd: number }} window - with nothing on its cursor
 * @param {{ slot: number, type: number }[]} places
 * @returns {{ clicks: Click[], missing: number | null }} missing: an item type of which there are too few
 */
function filling (window, places) {
  /** @type {Click[]} */
  const clicks = []
  const click = (/** @type {number} */ slot, /** @type {number} */ button) => clicks.push({ slot, button, mode: PLAIN })
  for (const type of new Set(places.map((place) => place.type))) {
    const open = places.filter((place) => place.type === type).map(({ slot }) => slot)
    for (let source = window.inventoryStart; source < window.inventoryEnd && open.length > 0; source++) {
      const item = window.slots[source]
      if (item?.type !== type) continue
      const now = open.splice(0, item.count)
      click(source, LEFT)
      for (const cell of now) click(cell, RIGHT)
      if (now.length < item.count) click(source, LEFT)
    }
    if (open.length > 0) return { clicks, missing: type }
  }
  return { clicks, missing: null }
}

/** @param {Grid} grid @returns {number[]} the cells in which something lies */
function lying ({ window, width }) {
  return cells(width).filter((slot) => window.slots[slot])
}

/**
 * Put back the items in the grid and on the cursor.
 * @param {LiveBot} bot
 * @param {AbortSignal} signal
 * @param {Grid} grid
 */
async function clear (bot, signal, grid) {
  await sync(bot, signal, grid.window)
  const full = lying(grid)
  if (full.length > 0) await press(bot, signal, grid.window, full.map((slot) => ({ slot, button: LEFT, mode: SHIFT })))
}

/**
 * Put everything back and learn what is held, however the crafting ended, also after a cancel.
 * @param {LiveBot} bot
 * @param {Grid} grid
 * @throws {TimedOut}
 */
async function leave (bot, grid) {
  if (bot._client.ended) return
  const { signal } = new AbortController()
  if (grid.window === bot.inventory) return clear(bot, signal, grid)
  // The server itself puts back what lies in a table's grid.
  if (bot.currentWindow === grid.window) await bot.closeWindow(grid.window)
  await sync(bot, signal, bot.inventory)
}

module.exports = { craft, filling }
