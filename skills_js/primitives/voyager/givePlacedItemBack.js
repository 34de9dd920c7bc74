'use strict'
const { collectDrops } = require('../collectDrops')
const { asPosition, blockNamed } = require('../support/check')
const { comeToReach } = require('../support/reach')

/**
 * Take up again what was placed: break the block and pick up what it drops. (Voyager's gives the item by a command,
 * which would be a gift out of nothing.)
 * @param {Bot} bot
 * @param {string} name - of the block, e.g. "crafting_table"
 * @param {Vec3} position - where it stands
 * @returns {Promise<Object>} item name -> count of what came into the inventory; {} where no such block stands
 * @throws {NoPath} it cannot be reached
 * @example await givePlacedItemBack(bot, "crafting_table", new Vec3(1, -60, 0))
 */
async function givePlacedItemBack (bot, name, position) {
  const place = asPosition(position, 'position').floored()
  const block = bot.blockAt(place)
  if (block === null || block.type !== blockNamed(bot, name).id) return {}
  await comeToReach(bot, place)
  await bot.tool.equipForBlock(block, {})
  await bot.dig(block, true)
  await bot.waitForTicks(3)
  return collectDrops(bot, 6)
}

module.exports = { givePlacedItemBack }
