/** Walking near enough to something to use it. */
'use strict'
const { GoalCompositeAny, GoalGetToBlock, GoalNear, GoalReach } = require('../../bot_facade/goals')

/** Distance from the eye to a block's middle at which vanilla's survival reach works from any side, in blocks. */
const REACH = 4.5
const EYE_HEIGHT = 1.62
/** Length of a leg, and distance from its end at which it is over, in blocks. */
const LEG = 9
const NEARBY = 3

/**
 * @param {Bot} bot
 * @param {any} position - a block's position
 * @returns {number} blocks from the bot's eye to the block's middle
 */
function eyeDistance (bot, position) {
  const eye = bot.entity.position.offset(0, EYE_HEIGHT, 0)
  return eye.distanceTo(position.floored().offset(0.5, 0.5, 0.5))
}

/**
 * Walk to a far place in legs: a search through rock visits many more cells for each additional block.
 * @param {Bot} bot
 * @param {any} position
 */
async function comeCloser (bot, position) {
  for (let left = bot.entity.position.distanceTo(position); left > LEG + NEARBY;) {
    const from = bot.entity.position
    const { x, y, z } = from.plus(position.minus(from).scaled(LEG / left))
    try {
      await bot.pathfinder.goto(new GoalNear(x, y, z, NEARBY))
    } catch (error) {
      if (error.name !== 'NoPath' && error.name !== 'NotReached') throw error
      return
    }
    const now = bot.entity.position.distanceTo(position)
    if (now > left - 1) return
    left = now
  }
}

/** @param {Bot} bot @returns {boolean} whether it digs on its way */
function digs (bot) {
  return bot.pathfinder.movements.canDig === true
}

/**
 * Walk, if needed, to where a hand reaches the block and the eye sees it.
 * @param {Bot} bot
 * @param {any} position - a block's position
 * @param {number} [closer] - how near to come where one has to walk and the land allows it; what is mined next and what
 *   drops is then often at hand already
 * @returns {Promise<void>}
 * @throws {NoPath}
 */
async function comeToReach (bot, position, closer = REACH - 0.3) {
  const block = bot.blockAt(position)
  if (block !== null && eyeDistance(bot, position) <= REACH && bot.canSeeBlock(block)) return
  const { x, y, z } = position
  // Who digs comes to what nobody sees yet, too.
  if (digs(bot)) {
    await comeCloser(bot, position)
    return bot.pathfinder.goto(new GoalCompositeAny([new GoalReach(x, y, z, closer), new GoalGetToBlock(x, y, z)]))
  }
  const goals = [new GoalReach(position.x, position.y, position.z, REACH - 0.3)]
  if (closer < REACH - 0.3) goals.unshift(new GoalReach(position.x, position.y, position.z, closer))
  for (const goal of goals) {
    try {
      return await bot.pathfinder.goto(goal)
    } catch (error) {
      if (error.name !== 'NoPath' || goal === goals.at(-1)) throw error
    }
  }
}

/**
 * @param {Bot} bot
 * @param {any} position
 * @param {number} range
 * @returns {Promise<void>}
 * @throws {NoPath}
 */
async function comeNear (bot, position, range) {
  if (bot.entity.position.distanceTo(position) <= range) return
  await bot.pathfinder.goto(new GoalNear(position.x, position.y, position.z, range))
}

module.exports = { EYE_HEIGHT, REACH, comeNear, comeToReach, digs, eyeDistance }
