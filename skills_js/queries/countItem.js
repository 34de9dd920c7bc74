'use strict'
const { itemNamed } = require('../primitives/support/check')

/**
 * Count how many of an item the bot carries.
 * @param {Bot} bot
 * @param {string} name - item name, e.g. "raw_iron"
 * @returns {number}
 * @throws {UnknownName} no such item exists; suggests the nearest names
 * @example if (countItem(bot, "raw_iron") >= 6) await say(bot, "half of it")
 */
function countItem (bot, name) {
  return bot.inventory.count(itemNamed(bot, name).id)
}

module.exports = { countItem }
