'use strict'
const { within } = require('../primitives/support/check')

/**
 * List what is in view now, the nearest first: blocks by kind, players, mobs and items on the ground. The bot sees from
 * where it stands, in the direction in which it looks: nothing behind it, and nothing that something opaque hides.
 * @param {Bot} bot
 * @param {number} [maxDistance=32] - in blocks, 1 to 64
 * @returns {{what: string, name: string, position: Vec3, distance: number, side: string, count: number}[]} `what` is
 *   block, player, mob, item or other; of blocks of one name the nearest one, and how many are in view; `side` is left,
 *   ahead or right
 * @throws {BadArgument} maxDistance is out of range
 * @throws {LimitExceeded} more looks at once than a tick allows; wait between them
 * @example const ore = seen(bot).find(({ name }) => name === "iron_ore")
 */
function seen (bot, maxDistance = 32) {
  return bot.inView(within(maxDistance, 'maxDistance', 1, 64))
}

module.exports = { seen }
