'use strict'
const { named } = require('../bot_facade/errors')
const { note } = require('../bot_facade/actions')
const { itemNamed, wholeCount } = require('./support/check')
const { describe, itemCounts } = require('./support/counts')
const { comeToReach } = require('./support/reach')

const TABLE_DISTANCE = 32

/**
 * Craft an item, at the nearest crafting table when its recipe needs one. Where the ingredients do not suffice for the
 * whole count, it crafts as often as they do: the answer tells how many came of it.
 * @param {Bot} bot
 * @param {string} name - item name, e.g. "stone_pickaxe"
 * @param {number} [count=1] - how often the recipe is used: once gives 4 sticks
 * @returns {Promise<number>} how many of the item came into the inventory
 * @throws {NoRecipe} no recipe, ingredients missing, or no crafting table within 32 blocks; says what is missing
 * @throws {NotCrafted} the server did not give the item
 * @throws {NoPath} the crafting table cannot be reached
 * @example await craftItem(bot, "stick", 1)
 */
async function craftItem (bot, name, count = 1) {
  const item = itemNamed(bot, name)
  const times = wholeCount(count, 'count', 64)
  const byHand = possible(bot, item, false)
  if (byHand !== null) return craft(bot, { item, times, ...byHand, table: null })
  const all = bot.recipesAll(item.id, null, true)
  if (all.length === 0) throw named('NoRecipe', `${item.name} cannot be crafted`)
  const atTable = possible(bot, item, true)
  if (atTable === null) throw missingIngredients(bot, item, all, times)
  const table = bot.findBlock({ matching: bot.registry.blocksByName.crafting_table.id, maxDistance: TABLE_DISTANCE })
  if (table === null) {
    throw named(
      'NoRecipe', `${item.name} needs a crafting_table; none is within ${TABLE_DISTANCE} blocks, so craft and place one`
    )
  }
  await comeToReach(bot, table.position)
  return craft(bot, { item, times, ...atTable, table })
}

/**
 * @param {Bot} bot
 * @param {{item: ItemType, times: number, recipe: Recipe, most: number, table: Block | null}} what
 * @returns {Promise<number>}
 */
async function craft (bot, { item, times, recipe, most, table }) {
  const lack = missing(bot, recipe, times)
  const crafted = await bot.craft(recipe, Math.min(times, most), table)
  if (lack.length > 0) note(bot, `crafted ${item.name} ${most} of ${times} times: for the others, get ${listed(lack)}`)
  return crafted
}

/**
 * @param {Bot} bot
 * @param {ItemType} item
 * @param {boolean} table
 * @returns {{recipe: Recipe, most: number} | null} the recipe that can be used most often now; null when none can
 */
function possible (bot, item, table) {
  const recipes = bot.recipesFor(item.id, null, 1, table)
    .map((/** @type {any} */ recipe) => ({ recipe, most: timesPossible(bot, recipe) }))
  return recipes.reduce(
    (/** @type {any} */ best, /** @type {any} */ each) => each.most > (best?.most ?? 0) ? each : best, null
  )
}

/**
 * @param {Bot} bot
 * @param {Recipe} recipe
 * @returns {number} how often the ingredients suffice
 */
function timesPossible (bot, recipe) {
  const parts = recipe.delta.filter((part) => part.count < 0)
  return Math.min(...parts.map((part) => Math.floor(bot.inventory.count(part.id) / -part.count)))
}

/**
 * @param {Bot} bot
 * @param {Recipe} recipe
 * @param {number} times
 * @returns {{name: string, count: number}[]} what is not there
 */
function missing (bot, recipe, times) {
  return recipe.delta.filter((part) => part.count < 0)
    .map((part) => ({
      name: bot.registry.items[part.id].name, count: -part.count * times - bot.inventory.count(part.id)
    }))
    .filter((part) => part.count > 0)
}

/**
 * @param {Bot} bot
 * @param {ItemType} item
 * @param {Recipe[]} recipes
 * @param {number} times
 * @returns {Error} that names the recipe for which least is missing
 */
function missingIngredients (bot, item, recipes, times) {
  const lacks = recipes.map((recipe) => missing(bot, recipe, times))
  const least = lacks.reduce((best, lack) => total(lack) < total(best) ? lack : best)
  return named(
    'NoRecipe',
    `to craft ${item.name} ${times} time(s), get ${listed(least)}; the inventory holds ${describe(itemCounts(bot))}`
  )
}

/** @param {{name: string, count: number}[]} lack */
const listed = (lack) => lack.map(({ name, count }) => `${count} more ${name}`).join(' and ')

/** @param {{count: number}[]} lack */
const total = (lack) => lack.reduce((sum, part) => sum + part.count, 0)

module.exports = { craftItem }
