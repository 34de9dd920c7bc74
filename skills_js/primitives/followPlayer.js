'use strict'
const { GoalFollow } = require('../bot_facade/goals')
const { within } = require('./support/check')
const { playerNamed } = require('./support/farming')

const LOOK_TICKS = 10
/**
 * Factor on the range: a follower goes again when the other has moved by the range, so it keeps up to twice the range.
 */
const SLACK = 2

/**
 * Follow a player for a while.
 * @param {Bot} bot
 * @param {string} player - its name
 * @param {number} [seconds=30] - 1 to 600
 * @param {number} [distance=3] - blocks to keep, 1 to 16
 * @returns {Promise<number>} blocks between the two at the end
 * @throws {UnknownPlayer} no such player is here
 * @throws {NotReached} it is out of sight
 * @example await followPlayer(bot, "Nova", 20)
 */
async function followPlayer (bot, player, seconds = 30, distance = 3) {
  const ticks = within(seconds, 'seconds', 1, 600) * 20
  const keep = within(distance, 'distance', 1, 16)
  const target = playerNamed(bot, player)
  bot.pathfinder.setGoal(new GoalFollow(target, Math.max(1, keep / SLACK)), true)
  try {
    for (let tick = 0; tick < ticks && target.isValid; tick += LOOK_TICKS) {
      await bot.waitForTicks(Math.min(LOOK_TICKS, Math.ceil(ticks - tick)))
    }
  } finally {
    bot.pathfinder.setGoal(null)
  }
  return bot.entity.position.distanceTo(target.position)
}

module.exports = { followPlayer }
