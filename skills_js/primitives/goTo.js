'use strict'
const { GoalNear } = require('../bot_facade/goals')
const { asPosition, within } = require('./support/check')

/**
 * Walk until the bot stands within `range` blocks of a position. Jumps up one block, drops down up to four and goes
 * through open doors, but never digs, places blocks or opens doors (`openDoor` does).
 * @param {Bot} bot
 * @param {Vec3} position - also {x, y, z}, a block or an entity
 * @param {number} [range=1] - in blocks, 0 to 64; 0 means to stand exactly there
 * @returns {Promise<Vec3>} where the bot stands then
 * @throws {NoPath} there is no way; says how near it gets
 * @throws {NotReached} pushed away or blocked on the way
 * @throws {TimedOut} still walking after the deadline (10 s and 1 s a block)
 * @example await goTo(bot, new Vec3(10, -60, 4), 2)
 */
async function goTo (bot, position, range = 1) {
  const target = asPosition(position, 'position')
  const near = within(range, 'range', 0, 64)
  await bot.pathfinder.goto(new GoalNear(target.x, target.y, target.z, near))
  return bot.entity.position
}

module.exports = { goTo }
