'use strict'
const { GoalFollow } = require('../bot_facade/goals')
const { named } = require('../bot_facade/errors')
const { show, within } = require('./support/check')

const REACH = 3
/**
 * Ticks between two strikes: a bare hand strikes with full force every quarter of a second; hurt bodies cannot be hurt
 * again for half a second.
 */
const STRIKE_TICKS = 10

/**
 * Go to a player and hit it once. What a hit does is the scenario's to say, e.g. that the player is out for some time.
 * @param {Bot} bot
 * @param {string} playerName
 * @param {number} [timeout=30] - seconds, 1 to 600
 * @returns {Promise<Vec3>} where the player was when the server showed that it was hit
 * @throws {UnknownPlayer} no such player is in sight; names those who are
 * @throws {NotReached} it was not hit when the time was up, or went away
 * @example await immobilize(bot, "Pedro")
 */
async function immobilize (bot, playerName, timeout = 30) {
  const target = playerInSight(bot, playerName)
  const seconds = within(timeout, 'timeout', 1, 600)
  let hit = false
  const onHurt = (/** @type {any} */ entity) => { hit ||= entity.id === target.id }
  bot.on('entityHurt', onHurt)
  bot.pathfinder.setGoal(new GoalFollow(target, 2), true)
  try {
    for (let ticks = 0; !hit; ticks += STRIKE_TICKS) {
      if (!target.isValid || ticks >= seconds * 20) {
        throw named('NotReached', `${playerName} was not hit within ${seconds} s: ${whereabouts(target)}`)
      }
      if (bot.entity.position.distanceTo(target.position) <= REACH) await strike(bot, target)
      await bot.waitForTicks(STRIKE_TICKS)
    }
    return target.position.clone()
  } finally {
    bot.removeListener('entityHurt', onHurt)
    bot.pathfinder.setGoal(null)
  }
}

/**
 * @param {Bot} bot
 * @param {any} name
 * @returns {Entity} that player's entity
 * @throws {UnknownPlayer}
 */
function playerInSight (bot, name) {
  const others = Object.values(bot.entities).filter((entity) => entity.username && entity.username !== bot.username)
  const found = others.find((entity) => entity.username === name)
  if (found !== undefined) return found
  const names = others.map((entity) => entity.username).sort().join(', ') || 'nobody'
  throw named('UnknownPlayer', `player ${show(name)} is not in sight; in sight: ${names}`)
}

/**
 * @param {Entity} target
 * @returns {string} where it was last, for a message
 */
function whereabouts (target) {
  return target.isValid ? `it is at ${target.position.floored()}` : 'it went away'
}

/**
 * @param {Bot} bot
 * @param {Entity} target - may step out of reach or go away meanwhile
 */
async function strike (bot, target) {
  try {
    await bot.attack(target)
  } catch (error) {
    if (error.name !== 'EntityGone' && error.name !== 'OutOfReach') throw error
  }
}

module.exports = { immobilize }
