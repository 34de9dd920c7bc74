'use strict'
const ours = require('../craftItem')
const { withBlock } = require('./standing')

const SEARCH_DISTANCE = 32

/**
 * Craft an item: by hand, at a crafting table within 32 blocks, or at one of the inventory, which it puts down beside
 * itself.
 * @param {Bot} bot
 * @param {string} name - item name, e.g. "stone_pickaxe"
 * @param {number} [count=1] - how often the recipe is used
 * @returns {Promise<number>} how many of the item came into the inventory
 * @throws {NoRecipe} no recipe, ingredients missing, or no crafting table near or in the inventory
 * @example await craftItem(bot, "wooden_pickaxe", 1)
 */
async function craftItem (bot, name, count = 1) {
  const item = bot.registry.itemsByName[name]
  const byHand = item !== undefined && bot.recipesFor(item.id, null, 1, null).length > 0
  const atTable = item !== undefined && !byHand && bot.recipesFor(item.id, null, 1, true).length > 0
  if (atTable) await withBlock(bot, ['crafting_table'], SEARCH_DISTANCE)
  return ours.craftItem(bot, name, count)
}

module.exports = { craftItem }
