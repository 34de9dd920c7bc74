'use strict'
const { GoalFollow } = require('../bot_facade/goals')
const { WEAPONS, strikeTicks } = require('../bot_facade/weapons')
const { within } = require('./support/check')
const { playerNamed } = require('./support/farming')

const REACH = 3
/** Ticks between two looks, so that a player that comes nearer is met as soon as it is in reach. */
const LOOK_TICKS = 2

/**
 * Fight a player with the best weapon of the inventory, until it is dead or gone, or the time is up.
 * @param {Bot} bot
 * @param {string} player - its name
 * @param {number} [seconds=10] - 1 to 120
 * @returns {Promise<{blows: number, gone: boolean}>} blows that were struck, and whether it is dead or out of sight
 * @throws {UnknownPlayer} no such player is here
 * @throws {NotReached} it is out of sight
 * @example const { gone } = await attackPlayer(bot, "Nova", 10)
 */
async function attackPlayer (bot, player, seconds = 10) {
  const most = within(seconds, 'seconds', 1, 120) * 20
  const target = playerNamed(bot, player)
  const weapon = WEAPONS.map((name) => bot.inventory.findInventoryItem(name)).find((item) => item !== null)
  if (weapon) await bot.equip(weapon, 'hand')
  let blows = 0
  bot.pathfinder.setGoal(new GoalFollow(target, 1), true)
  try {
    for (let ticks = 0; ticks < most && alive(target);) {
      const struck = bot.entity.position.distanceTo(target.position) <= REACH && await strike(bot, target)
      if (struck) blows++
      const wait = struck ? strikeTicks(bot.heldItem?.name) : LOOK_TICKS
      await bot.waitForTicks(wait)
      ticks += wait
    }
  } finally {
    bot.pathfinder.setGoal(null)
  }
  return { blows, gone: !alive(target) }
}

/** @param {Entity} target @returns {boolean} */
const alive = (target) => target.isValid && target.health !== 0

/**
 * @param {Bot} bot
 * @param {Entity} target - may step out of reach or die meanwhile
 * @returns {Promise<boolean>} whether the blow was struck
 */
async function strike (bot, target) {
  try {
    await bot.attack(target)
    return true
  } catch (error) {
    if (error.name !== 'EntityGone' && error.name !== 'OutOfReach') throw error
    return false
  }
}

module.exports = { attackPlayer }
