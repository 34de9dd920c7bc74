'use strict'
const { withContainer } = require('./support/container')
const { countsOf } = require('./support/counts')

/**
 * Walk to a chest, open it and look what is inside.
 * @param {Bot} bot
 * @param {Vec3} chestPosition - where the chest stands
 * @returns {Promise<Object>} item name -> count; {} for an empty chest
 * @throws {ChestNotFound} there is no chest; says where the nearest is
 * @throws {NoPath} the chest cannot be reached
 * @example const inside = await checkItemInsideChest(bot, new Vec3(0, -60, 0))
 */
async function checkItemInsideChest (bot, chestPosition) {
  return withContainer(bot, chestPosition, async (chest) => countsOf(chest.containerItems()))
}

module.exports = { checkItemInsideChest }
