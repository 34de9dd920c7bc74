'use strict'
const { GoalNearXZ } = require('../bot_facade/goals')
const { named } = require('../bot_facade/errors')
const { show, within } = require('./support/check')

/** Distance at which a pursuer is seen, in blocks. */
const SIGHT = 32
const STEP = 12
const MAX_STEPS = 8
/** Turns of the direction that are tried when the straight way is blocked, in degrees. */
const TURNS = [0, 45, -45, 90, -90]

/**
 * Run away from the nearest mob of a kind, or from a player, until it is far enough.
 * @param {Bot} bot
 * @param {string} name - of a mob such as "zombie", or of a player
 * @param {number} [distance=16] - blocks to bring between, 4 to 32
 * @returns {Promise<number>} blocks between the two at the end; Infinity when it is out of sight
 * @throws {MobNotFound} nothing of that name is within 32 blocks: there is nothing to flee from
 * @throws {NotReached} no way leads away
 * @example await fleeFrom(bot, "creeper", 20)
 */
async function fleeFrom (bot, name, distance = 16) {
  if (typeof name !== 'string') throw named('BadArgument', `name is ${show(name)}; give a mob or a player`)
  const far = within(distance, 'distance', 4, 32)
  const threat = bot.nearestEntity((/** @type {any} */ entity) =>
    (entity.username === name || (entity.username === null && entity.name === name)) &&
    entity.position.distanceTo(bot.entity.position) <= SIGHT)
  if (threat === null) throw named('MobNotFound', `no ${name} within ${SIGHT} blocks: nothing to flee from`)
  const between = () => threat.isValid ? bot.entity.position.distanceTo(threat.position) : Infinity
  for (let step = 0; step < MAX_STEPS && between() < far; step++) {
    if (!await runAway(bot, threat)) {
      throw named('NotReached', `no way leads away from ${name} at ${threat.position.floored()}`)
    }
  }
  return between()
}

/**
 * @param {Bot} bot
 * @param {Entity} threat
 * @returns {Promise<boolean>} whether a way was found
 */
async function runAway (bot, threat) {
  const { x, z } = bot.entity.position
  const away = Math.atan2(x - threat.position.x, z - threat.position.z)
  for (const turn of TURNS) {
    const angle = away + turn * Math.PI / 180
    try {
      await bot.pathfinder.goto(new GoalNearXZ(x + Math.sin(angle) * STEP, z + Math.cos(angle) * STEP, 2))
      return true
    } catch (error) {
      if (!['NoPath', 'NotReached', 'TimedOut'].includes(error.name)) throw error
    }
  }
  return false
}

module.exports = { fleeFrom }
