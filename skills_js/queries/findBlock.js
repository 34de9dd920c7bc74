'use strict'
const { blockNamed, within } = require('../primitives/support/check')

/**
 * The nearest block of that name that the bot's part of the world holds, or null. Looks only, moves nothing.
 * @param {Bot} bot
 * @param {string} name - block name, e.g. "iron_ore"
 * @param {number} [maxDistance=32] - in blocks, 1 to 64
 * @returns {Block|null} with `name` and `position` (a Vec3)
 * @throws {UnknownName} no such block exists; suggests the nearest names
 * @throws {BadArgument} maxDistance is out of range
 * @example const ore = findBlock(bot, "iron_ore", 32)
 */
function findBlock (bot, name, maxDistance = 32) {
  const type = blockNamed(bot, name)
  return bot.findBlock({ matching: type.id, maxDistance: within(maxDistance, 'maxDistance', 1, 64) })
}

module.exports = { findBlock }
