'use strict'
const { named } = require('../bot_facade/errors')
const { describe, itemCounts } = require('./support/counts')
const { itemNamed, show } = require('./support/check')

const DESTINATIONS = ['hand', 'off-hand', 'head', 'torso', 'legs', 'feet']

/**
 * Take an item from the inventory into the hand, or wear it.
 * @param {Bot} bot
 * @param {string} name - item name, e.g. "iron_pickaxe"
 * @param {string} [destination="hand"] - hand, off-hand, head, torso, legs or feet
 * @returns {Promise<void>}
 * @throws {ItemNotInInventory} says what the inventory holds
 * @throws {NotEquipped} the server did not accept it
 * @example await equipItem(bot, "iron_pickaxe", "hand")
 */
async function equipItem (bot, name, destination = 'hand') {
  const type = itemNamed(bot, name)
  if (!DESTINATIONS.includes(destination)) {
    throw named('BadArgument', `destination is ${show(destination)}; give one of ${DESTINATIONS.join(', ')}`)
  }
  const item = bot.inventory.findInventoryItem(type.id)
  if (item === null) {
    throw named('ItemNotInInventory', `no ${type.name} in the inventory, which holds ${describe(itemCounts(bot))}`)
  }
  await bot.equip(item, destination)
}

module.exports = { equipItem }
