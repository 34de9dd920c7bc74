'use strict'
const ours = require('../smeltItem')
const { itemNamed } = require('../support/check')
const { withBlock } = require('./standing')

const SEARCH_DISTANCE = 32
const MOST = 64

/**
 * Smelt as many of an item as there are, up to `count`: in a furnace within 32 blocks, or in one of the inventory,
 * which it puts down beside itself.
 * @param {Bot} bot
 * @param {string} itemName - e.g. "raw_iron"
 * @param {string} fuelName - e.g. "coal"
 * @param {number} [count=1]
 * @returns {Promise<Object>} item name -> count of what came out
 * @throws {ItemNotInInventory} nothing to smelt, or no fuel
 * @throws {NotSmelted} no furnace near or in the inventory, or nothing came out of it
 * @example await smeltItem(bot, "raw_iron", "coal", 3)
 */
async function smeltItem (bot, itemName, fuelName, count = 1) {
  const held = bot.inventory.count(itemNamed(bot, itemName).id)
  await withBlock(bot, ['furnace', 'blast_furnace', 'smoker'], SEARCH_DISTANCE)
  return ours.smeltItem(bot, itemName, fuelName, Math.max(1, Math.min(Number(count), held, MOST)))
}

module.exports = { smeltItem }
