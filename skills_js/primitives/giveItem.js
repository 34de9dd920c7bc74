'use strict'
const { named } = require('../lookalike/errors')
const { itemNamed, wholeCount } = require('./support/check')
const { describe, itemCounts } = require('./support/counts')
const { comeToMob, playerNamed } = require('./support/farming')

/** So near the items fly into the other's reach. */
const TOSS_DISTANCE = 2
const SETTLE_TICKS = 4

/**
 * Walk to a player and toss items to it; it picks them up two seconds later, if its inventory has room and it stays near.
 * @param {Bot} bot
 * @param {string} player - its name
 * @param {string} item - item name, e.g. "bread"
 * @param {number} [count=1]
 * @returns {Promise<number>} how many left the inventory
 * @throws {UnknownPlayer} no such player is here
 * @throws {ItemNotInInventory} too few; says what the inventory holds
 * @throws {NotReached} the player is out of sight or cannot be reached
 * @example await giveItem(bot, "Nova", "bread", 3)
 */
async function giveItem (bot, player, item, count = 1) {
  const target = playerNamed(bot, player)
  const type = itemNamed(bot, item)
  const wanted = wholeCount(count, 'count')
  const before = bot.inventory.count(type.id)
  if (before < wanted) throw named('ItemNotInInventory', `need ${wanted} ${type.name}, have ${before}; the inventory holds ${describe(itemCounts(bot))}`)
  await comeToMob(bot, target, TOSS_DISTANCE)
  await bot.lookAt(target.position.offset(0, 1, 0), true)
  await bot.toss(type.id, null, wanted)
  await bot.waitForTicks(SETTLE_TICKS)
  return before - bot.inventory.count(type.id)
}

module.exports = { giveItem }
