'use strict'
const { GoalXZ, GoalY } = require('../bot_facade/goals')
const { named } = require('../bot_facade/errors')
const { note, now } = require('../bot_facade/actions')
const { show, within } = require('./support/check')

/** Blocks walked between two calls of the callback. */
const STEP = 8
/** Turns to the side, in quarter circles, when the straight way is blocked. */
const DETOURS = [0, 1, -1, 2]

/**
 * Walk in a direction until a function finds what it looks for.
 * @param {Bot} bot
 * @param {Vec3} direction - x, y and z of -1, 0 or 1, not all 0; y counts only where x and z are 0, as far as there are
 *   stairs or slopes, for walking never digs
 * @param {number} [maxTime=60] - seconds, 1 to 1200
 * @param {Function} [callback] - called every few blocks; anything but null, undefined or false ends the walk
 * @returns {Promise<any>} what the callback found, or null when the time was up or no way led on
 * @throws {BadArgument} no such direction, or the callback is no function
 * @example const ore = await exploreUntil(bot, new Vec3(1, 0, 0), 60, () => findBlock(bot, "coal_ore", 32))
 */
async function exploreUntil (bot, direction, maxTime = 60, callback = () => null) {
  const seconds = within(maxTime, 'maxTime', 1, 1200)
  if (typeof callback !== 'function') {
    throw named('BadArgument', `callback is ${show(callback)}; give a function that looks for something`)
  }
  const [x, y, z] = [direction?.x, direction?.y, direction?.z].map(Math.sign)
  if (!Number.isFinite(x + y + z) || (x === 0 && y === 0 && z === 0)) {
    throw named('BadArgument', `direction is ${show(direction)}; give e.g. new Vec3(1, 0, 0)`)
  }
  const end = now(bot) + seconds * 1000
  let found = await callback()
  while (isNothing(found) && now(bot) < end) {
    if (!await (x === 0 && z === 0 ? climb(bot, y) : step(bot, x, z))) {
      note(bot, `exploring ended at ${bot.entity.position.floored()}: no way leads on`)
      break
    }
    found = await callback()
  }
  return isNothing(found) ? null : found
}

/** @param {any} found */
const isNothing = (found) => found === null || found === undefined || found === false

/**
 * @param {Bot} bot
 * @param {number} x
 * @param {number} z
 * @returns {Promise<boolean>} whether it came along, straight or by a detour
 */
async function step (bot, x, z) {
  const from = bot.entity.position
  for (const quarter of DETOURS) {
    const [dx, dz] = quarter === 0 ? [x, z] : quarter === 2 ? [-x, -z] : [-z * quarter, x * quarter]
    if (await reaches(bot, new GoalXZ(from.x + dx * STEP, from.z + dz * STEP))) return true
  }
  return false
}

/**
 * @param {Bot} bot
 * @param {number} y - 1 for up, -1 for down
 * @returns {Promise<boolean>} whether there was a way to another height
 */
async function climb (bot, y) {
  const height = Math.floor(bot.entity.position.y)
  return await reaches(bot, new GoalY(height + y * STEP)) || reaches(bot, new GoalY(height + y))
}

/**
 * @param {Bot} bot
 * @param {FacadeGoal} goal
 * @returns {Promise<boolean>} whether the bot came there
 */
async function reaches (bot, goal) {
  try {
    await bot.pathfinder.goto(goal)
    return true
  } catch (error) {
    if (error.name !== 'NoPath' && error.name !== 'NotReached' && error.name !== 'TimedOut') throw error
    return false
  }
}

module.exports = { exploreUntil }
