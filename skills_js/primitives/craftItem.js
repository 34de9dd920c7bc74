'use strict'
const { named } = require('../lookalike/errors')
const { itemNamed, wholeCount } = require('./support/check')
const { describe, itemCounts } = require('./support/counts')
const { comeToReach } = require('./support/reach')

const TABLE_DISTANCE = 32

/**
 * Craft an item, at the nearest crafting table when its recipe needs one.
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
  const byHand = possible(bot, item, times, false)
  if (byHand !== undefined) return bot.craft(byHand, times, null)
  const all = bot.recipesAll(item.id, null, true)
  if (all.length === 0) throw named('NoRecipe', `${item.name} cannot be crafted`)
  const recipe = possible(bot, item, times, true)
  if (recipe === undefined) throw missingIngredients(bot, item, all, times)
  const table = bot.findBlock({ matching: bot.registry.blocksByName.crafting_table.id, maxDistance: TABLE_DISTANCE })
  if (table === null) throw named('NoRecipe', `${item.name} needs a crafting_table; none is within ${TABLE_DISTANCE} blocks, so craft and place one`)
  await comeToReach(bot, table.position)
  return bot.craft(recipe, times, table)
}

/**
 * @param {Bot} bot
 * @param {any} item
 * @param {number} times
 * @param {boolean} table
 * @returns {any} a recipe for which everything is there
 */
function possible (bot, item, times, table) {
  return bot.recipesFor(item.id, null, 1, table).find((/** @type {any} */ recipe) => missing(bot, recipe, times).length === 0)
}

/**
 * @param {Bot} bot
 * @param {any} recipe
 * @param {number} times
 * @returns {{name: string, count: number}[]} what is not there
 */
function missing (bot, recipe, times) {
  return recipe.delta.filter((/** @type {any} */ part) => part.count < 0)
    .map((/** @type {any} */ part) => ({ name: bot.registry.items[part.id].name, count: -part.count * times - bot.inventory.count(part.id) }))
    .filter((/** @type {any} */ part) => part.count > 0)
}

/**
 * @param {Bot} bot
 * @param {any} item
 * @param {any[]} recipes
 * @param {number} times
 * @returns {Error} that names the recipe for which least is missing
 */
function missingIngredients (bot, item, recipes, times) {
  const lacks = recipes.map((recipe) => missing(bot, recipe, times))
  const least = lacks.reduce((best, lack) => total(lack) < total(best) ? lack : best)
  const text = least.map(({ name, count }) => `${count} more ${name}`).join(' and ')
  return named('NoRecipe', `to craft ${item.name} ${times} time(s), get ${text}; the inventory holds ${describe(itemCounts(bot))}`)
}

/** @param {{count: number}[]} lack */
const total = (lack) => lack.reduce((sum, part) => sum + part.count, 0)

module.exports = { craftItem }
