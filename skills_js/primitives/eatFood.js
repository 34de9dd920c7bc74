'use strict'
const { named } = require('../bot_facade/errors')
const { itemNamed } = require('./support/check')
const { describe, itemCounts } = require('./support/counts')

/** Food that may harm, eaten only when it is named. */
const RISKY = new Set([
  'rotten_flesh', 'spider_eye', 'poisonous_potato', 'pufferfish', 'chicken', 'suspicious_stew', 'chorus_fruit'
])
const FULL = 20

/**
 * Eat one piece of food of the inventory: the named one, else the most filling that wastes least.
 * @param {Bot} bot
 * @param {string} [name] - e.g. "bread"
 * @returns {Promise<number>} the food level afterwards, 0 to 20
 * @throws {ItemNotInInventory} it is not there, or nothing to eat is
 * @throws {CannotEat} the bot is not hungry, or it is no food
 * @example if (bot.food < 14) await eatFood(bot)
 */
async function eatFood (bot, name) {
  const item = name === undefined || name === null
    ? bestFood(bot)
    : bot.inventory.findInventoryItem(itemNamed(bot, name).id)
  if (item === null) {
    throw named('ItemNotInInventory', `no ${name ?? 'food'} in the inventory, which holds ${describe(itemCounts(bot))}`)
  }
  await bot.equip(item, 'hand')
  await bot.consume()
  return bot.food
}

/**
 * @param {Bot} bot
 * @returns {Item} the item, or null
 */
function bestFood (bot) {
  const missing = FULL - bot.food
  const points = (/** @type {any} */ item) => bot.registry.foodsByName[item.name]?.foodPoints ?? 0
  const worth = (/** @type {any} */ item) => Math.min(points(item), missing) - Math.max(0, points(item) - missing) / 2
  const foods = bot.inventory.items().filter((/** @type {any} */ item) => points(item) > 0 && !RISKY.has(item.name))
  return foods.sort((/** @type {any} */ a, /** @type {any} */ b) => worth(b) - worth(a))[0] ?? null
}

module.exports = { eatFood }
