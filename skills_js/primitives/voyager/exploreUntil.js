'use strict'
const { GoalNear, GoalXZ, GoalY } = require('../../bot_facade/goals')
const { named } = require('../../bot_facade/errors')
const { now } = require('../../bot_facade/actions')
const { show, within } = require('../support/check')

/** Blocks walked between two calls of the callback. */
const STEP = 8
/** Turns to the side, in quarter circles, when the straight way is blocked. */
const DETOURS = [0, 1, -1, 2]
/** Lowest height for digging on purpose: lava lies below. */
const DEEPEST = -59

/**
 * Go in a direction, digging where it must, until a function finds what it looks for.
 * @param {Bot} bot
 * @param {Vec3} direction - x, y and z of -1, 0 or 1, not all 0
 * @param {number} [maxTime=60] - seconds, 1 to 1200
 * @param {Function} [callback] - called every few blocks; anything but null, undefined or false ends the walk
 * @returns {Promise<any>} what the callback found, or null when the time was up or no way led on
 * @throws {BadArgument} no such direction, or the callback is no function
 * @example const ore = await exploreUntil(bot, new Vec3(1, -1, 0), 60, () => findBlock(bot, "iron_ore", 32))
 */
async function exploreUntil (bot, direction, maxTime = 60, callback = () => null) {
  const seconds = within(Math.min(Number(maxTime), 1200), 'maxTime', 1, 1200)
  if (typeof callback !== 'function') {
    throw named('BadArgument', `callback is ${show(callback)}; give a function that looks for something`)
  }
  const [x, y, z] = [direction?.x, direction?.y, direction?.z].map(Math.sign)
  if (!Number.isFinite(x + y + z) || (x === 0 && y === 0 && z === 0)) {
    throw named('BadArgument', `direction is ${show(direction)}; give e.g. new Vec3(1, 0, 0)`)
  }
  const end = now(bot) + seconds * 1000
  let found = await callback()
  while (!found && now(bot) < end && await step(bot, x, y, z)) found = await callback()
  return found || null
}

/**
 * @param {Bot} bot
 * @param {number} x
 * @param {number} y
 * @param {number} z
 * @returns {Promise<boolean>} whether it came along, straight or by a detour
 */
async function step (bot, x, y, z) {
  const from = bot.entity.position.floored()
  const height = Math.max(DEEPEST, from.y + y * STEP)
  for (const quarter of DETOURS) {
    const [dx, dz] = quarter === 0 ? [x, z] : quarter === 2 ? [-x, -z] : [-z * quarter, x * quarter]
    if (await reaches(bot, goalFor(from.x + dx * STEP, height, from.z + dz * STEP, x !== 0 || z !== 0, y !== 0))) {
      return true
    }
    if (x === 0 && z === 0) break
  }
  return false
}

/** @param {number} x @param {number} y @param {number} z @param {boolean} across @param {boolean} upright */
function goalFor (x, y, z, across, upright) {
  if (!across) return new GoalY(y)
  return upright ? new GoalNear(x, y, z, 2) : new GoalXZ(x, z)
}

/** @param {Bot} bot @param {FacadeGoal} goal @returns {Promise<boolean>} */
async function reaches (bot, goal) {
  const before = bot.entity.position
  try {
    await bot.pathfinder.goto(goal)
    return true
  } catch (error) {
    if (!['NoPath', 'NotReached', 'TimedOut'].includes(error.name)) throw error
    return bot.entity.position.distanceTo(before) > STEP / 2
  }
}

module.exports = { exploreUntil }
